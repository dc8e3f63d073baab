// Plane and space, coordinates and equations are told apart by words of the files, so that a hundred of them are
// listed at once; what only a reading of the whole file says (degrees of freedom, index) comes with the picture.
#include "ui/panels/HomeEntries.h"

#include <QFileInfo>
#include <QObject>

#include "core/consistency/Doctor.h"
#include "core/lesson/Lesson.h"
#include "core/reduction/Reduced.h"
#include "core/run/Run.h"
#include "core/study/Study.h"
#include "core/system/ShippedModels.h"
#include "core/text/Budget.h"
#include "core/text/RegularFile.h"
#include "ui/document/RecentFiles.h"
#include "ui/panels/Actions.h"

namespace driftless::ui {

namespace {

QString homeText(const std::string& s) { return QString::fromStdString(s); }

/// Whether a line of the text begins with these words.
bool hasLine(const std::string& text, const std::string& words)
{
    return text.starts_with(words) || text.find("\n" + words) != std::string::npos;
}

HomeSection sectionOf(const std::string& path)
{
    const auto text = readRegularFile(path, budget::kModelBytes);
    if (text && hasLine(*text, "[lagrangian]"))
        return HomeSection::Lagrangian;
    return text && hasLine(*text, "dimensions = 3") ? HomeSection::Space : HomeSection::Plane;
}

template <class Shipped>
HomeEntry entryOf(HomeSection section, const Shipped& shipped, const std::string& opens)
{
    return {.section = section,
            .opens = homeText(opens),
            .title = homeText(shipped.title.empty() ? shipped.id : shipped.title),
            .about = homeText(shipped.source),
            .more = homeText(shipped.id),
            .badge = {},
            .shows = {},
            .toTry = {},
            .tries = {}};
}

/// What is to be tried, with the models that it belongs to.
void addTries(std::vector<HomeEntry>& entries)
{
    for (const auto& one : lesson::shippedTries())
        for (HomeEntry& entry : entries)
            if (entry.section < HomeSection::Lessons && entry.opens == homeText(one.model)) {
                entry.shows = homeText(one.shows);
                entry.toTry = homeText(one.does);
                entry.tries = homeText(one.lesson);
            }
}

void listLaboratories(const Actions& actions, std::vector<HomeEntry>& out)
{
    const std::pair<const char*, QString> laboratories[] = {
        {"pencil", QObject::tr("Pencils of matrices: Kronecker form, index, consistent values, inputs")},
        {"methods", QObject::tr("Tableaus of Runge–Kutta methods: order conditions and regions of stability")},
        {"precision", QObject::tr("Error against cost of methods and formulations on one problem")},
    };
    for (const auto& [id, about] : laboratories)
        out.push_back({.section = HomeSection::Laboratories,
                       .opens = id,
                       .title = actions.at(id).text().remove(u'…').remove(u'&'),
                       .about = about,
                       .more = {},
                       .badge = {},
                       .shows = {},
                       .toTry = {},
                       .tries = {}});
}

QString freedomWords(int number) { return QObject::tr("%1 DOF").arg(number); }

int freedomOf(const std::shared_ptr<const model::CompiledSystem>& compiled)
{
    constexpr int kByRank = 100; // coordinates: a rank of a hundred is decided before anybody notices
    const int counted = compiled->system().n() - compiled->system().m();
    if (compiled->system().n() > kByRank)
        return counted;
    model::SystemEvaluator evaluator(compiled);
    const auto parameters = compiled->defaultParameters();
    evaluator.setParameters(parameters);
    const auto request = run::startRequest({}, evaluator);
    return request ? consistency::diagnose(compiled, parameters, *request).velocityFreedom : counted;
}

/// Of the equations of motion as they are written down: with multipliers, before any index reduction.
QString indexWords(const model::ConstrainedSystem& system)
{
    if (system.holonomic() > 0)
        return QObject::tr("index 3");
    return system.m() > 0 ? QObject::tr("index 2") : QObject::tr("no constraint");
}

} // namespace

QString homeSectionName(HomeSection section)
{
    switch (section) {
    case HomeSection::Recent:
        return QObject::tr("Recent");
    case HomeSection::Plane:
        return QObject::tr("Plane mechanisms");
    case HomeSection::Space:
        return QObject::tr("Space mechanisms");
    case HomeSection::Lagrangian:
        return QObject::tr("Lagrangians");
    case HomeSection::Equations:
        return QObject::tr("Equations");
    case HomeSection::Lessons:
        return QObject::tr("Lessons");
    case HomeSection::Studies:
        return QObject::tr("Studies");
    case HomeSection::Laboratories:
        return QObject::tr("Laboratories");
    }
    return {};
}

std::vector<HomeEntry> homeEntries(const Actions& actions)
{
    std::vector<HomeEntry> all;
    for (const QString& file : recentFiles())
        all.push_back({.section = HomeSection::Recent,
                       .opens = file,
                       .title = QFileInfo(file).fileName(),
                       .about = QFileInfo(file).path(),
                       .more = {},
                       .badge = {},
                       .shows = {},
                       .toTry = {},
                       .tries = {}});
    std::vector<HomeEntry> models;
    for (const auto& model : model::shippedModels())
        models.push_back(entryOf(sectionOf(model.path), model, model.id));
    for (const HomeSection section : {HomeSection::Plane, HomeSection::Space, HomeSection::Lagrangian})
        for (const HomeEntry& entry : models)
            if (entry.section == section)
                all.push_back(entry);
    for (const auto& model : reduction::shippedEquations())
        all.push_back(entryOf(HomeSection::Equations, model, model.id));
    addTries(all);
    for (const auto& lesson : lesson::shippedLessons()) {
        all.push_back(entryOf(HomeSection::Lessons, lesson, lesson.id));
        all.back().about = homeText(lesson.summary);
        all.back().more += " " + homeText(lesson.source);
        all.back().badge =
            homeText(lesson::levelName(lesson.level)) + QObject::tr(" · %n steps", nullptr, static_cast<int>(lesson.steps));
    }
    for (const auto& study : study::shippedStudies())
        all.push_back(entryOf(HomeSection::Studies, study, study.path));
    listLaboratories(actions, all);
    return all;
}

HomeFacts homeFacts(const std::shared_ptr<const model::CompiledSystem>& compiled)
{
    const model::Model& model = compiled->model();
    QStringList badges;
    if (model.reduced) {
        const auto& structure = model.reduced->used->structure;
        badges << freedomWords(structure.freedom) << QObject::tr("index %1").arg(structure.structuralIndex);
    } else {
        badges << freedomWords(freedomOf(compiled)) << indexWords(model.system);
    }
    return {.badge = badges.join(QStringLiteral(" · ")), .description = homeText(model.description).simplified()};
}

} // namespace driftless::ui
