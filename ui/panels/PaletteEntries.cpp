// What the palette lists, from the registries: each registry is asked when the palette opens.
#include "core/formulation/Formulation.h"
#include "core/integrate/Integrator.h"
#include "core/lesson/Lesson.h"
#include "core/reduction/Reduced.h"
#include "core/study/Study.h"
#include "core/system/ShippedModels.h"
#include "ui/document/Document.h"
#include "ui/panels/Actions.h"
#include "ui/panels/CommandPalette.h"
#include "ui/panels/FormulationList.h"

namespace driftless::ui {

namespace {

QString paletteText(const std::string& s) { return QString::fromStdString(s); }

void listActions(const Actions& actions, std::vector<PaletteEntry>& out)
{
    for (const ActionEntry& entry : actions.entries()) {
        QAction* action = &actions.at(entry.id);
        out.push_back({.id = "action/" + entry.id,
                       .kind = QString(Actions::title(entry.group)).remove(u'&'),
                       .words = action->text(),
                       .more = entry.tip,
                       .shortcut = entry.key.toString(QKeySequence::NativeText),
                       .act = [action] { action->trigger(); },
                       .whyNot = entry.whyNot});
    }
}

template <class Shipped>
void listFiles(const std::vector<Shipped>& all, const QString& prefix, const QString& kind, bool byPath,
               const std::function<void(const QString&)>& open, std::vector<PaletteEntry>& out)
{
    for (const auto& shipped : all) {
        const QString opens = paletteText(byPath ? shipped.path : shipped.id);
        out.push_back({.id = prefix + paletteText(shipped.id),
                       .kind = kind,
                       .words = paletteText(shipped.title.empty() ? shipped.id : shipped.title),
                       .more = paletteText(shipped.id + " " + shipped.source),
                       .act = [open, opens] { open(opens); }});
    }
}

/// Of the selected run; why it cannot change: there is none.
std::function<QString()> needsRun(Document& document)
{
    return [&document] {
        return document.find(document.bench().selected()) ? QString() : QObject::tr("There is no run: add one first.");
    };
}

/// Of the selected run, whose form must not have a higher index than the method carries.
std::function<QString()> needsIndex(Document& document, int most)
{
    return [&document, most, run = needsRun(document)] {
        if (QString why = run(); !why.isEmpty())
            return why;
        const int index = document.status(document.bench().selected()).form.index;
        return index <= most
                   ? QString()
                   : QObject::tr("It carries forms up to index %1; the form of this run has index %2.").arg(most).arg(index);
    };
}

void listMethods(Document& document, std::vector<PaletteEntry>& out)
{
    const RunEntry* run = document.find(document.bench().selected());
    const QString of = run ? run->name : QObject::tr("the selected run");
    for (const auto& form : formulation::formulations()) {
        const auto& info = form->info();
        out.push_back({.id = "formulation/" + paletteText(info.id),
                       .kind = QObject::tr("Formulation of %1").arg(of),
                       .words = formulationWords(info), // as the list of formulations says it
                       .more = paletteText(info.title + " " + info.id + " " + info.source),
                       .act = [&document, id = paletteText(
                                              info.id)] { document.control().setFormulation(document.bench().selected(), id); },
                       .whyNot = needsRun(document)});
    }
    for (const auto& info : integrate::integratorCatalogue())
        out.push_back({.id = "integrator/" + paletteText(info.id),
                       .kind = QObject::tr("Integrator of %1").arg(of),
                       .words = paletteText(info.title),
                       .more = paletteText(info.id + " " + info.source),
                       .act = [&document, id = paletteText(
                                              info.id)] { document.control().setIntegrator(document.bench().selected(), id); },
                       .whyNot = needsIndex(document, info.maxIndex)});
}

} // namespace

std::vector<PaletteEntry> paletteEntries(const Actions& actions, Document& document, const PaletteDoors& doors)
{
    std::vector<PaletteEntry> all;
    listActions(actions, all);
    listFiles(model::shippedModels(), "model/", QObject::tr("Model"), false, doors.openPath, all);
    listFiles(reduction::shippedEquations(), "model/", QObject::tr("Model of equations"), false, doors.openPath, all);
    listFiles(lesson::shippedLessons(), "lesson/", QObject::tr("Lesson"), false, doors.openLesson, all);
    listFiles(study::shippedStudies(), "study/", QObject::tr("Study"), true, doors.openPath, all);
    listMethods(document, all);
    return all;
}

} // namespace driftless::ui
