// Studies in the window: opened as ghosts from one state, and what was done saved as one.
#include <QFileInfo>

#include "core/base/PathText.h"
#include "core/base/WholeFile.h"
#include "core/study/SessionStudy.h"
#include "core/study/Study.h"
#include "ui/document/Document.h"

namespace driftless::ui {

namespace {

bool sameStart(const run::StartSettings& a, const run::StartSettings& b)
{
    return a.parameters == b.parameters && a.values == b.values && a.allowInconsistent == b.allowInconsistent
           && a.massMetric == b.massMetric && a.fixed == b.fixed;
}

} // namespace

Result<void> Document::openStudy(const QString& pathOrName, QString* left)
{
    const auto study = study::openStudy(textToPath(pathOrName.toStdU16String()));
    if (!study)
        return study.error();
    const std::string& modelName = study->runs.front().request.model;
    auto model = study::modelOf(*study, study->runs.front().request);
    if (!model)
        return model.error();
    auto compiled = model::CompiledSystem::compile(*model);
    if (!compiled)
        return compiled.error();
    const auto first = run::prepareRun(*compiled, study->runs.front().request);
    if (!first)
        return first.error();
    auto bench = makeBench(*compiled, first->start);
    std::size_t elsewhere = 0, refused = 0, events = 0;
    for (const study::PlannedRun& planned : study->runs) {
        const auto prepared = planned.request.model == modelName
                                  ? run::prepareRun(*compiled, planned.request)
                                  : Result<run::PreparedRun>{Diagnostic{"another model", {}, {}, {}, {}}};
        if (!prepared || !sameStart(prepared->start, first->start)
            || bench->runs.size() >= static_cast<std::size_t>(kMostRuns)) {
            ++elsewhere;
            continue;
        }
        RunEntry entry;
        entry.key = nextKey_++;
        entry.colour = static_cast<int>(bench->runs.size());
        entry.name = QString::fromStdString(planned.label).left(40);
        if (addTo(*bench, entry, prepared->settings, bench->runs.size()))
            events += planned.events.size();
        else
            ++refused;
    }
    if (bench->runs.empty())
        return Diagnostic{
            "No run of this study can be shown.", study->path, "All of them are refused.", "driftless study tells why.", {}};
    if (left) {
        QStringList words;
        if (elsewhere)
            words << tr("%n run(s) from other starts or models", nullptr, static_cast<int>(elsewhere));
        if (refused)
            words << tr("%n run(s) that are refused", nullptr, static_cast<int>(refused));
        if (events)
            words << tr("%n live event(s)", nullptr, static_cast<int>(events));
        *left = words.join(tr(", "));
    }
    return adopt(std::move(bench), tr("open the study %1").arg(QString::fromStdString(study->title)), Opens::NewDocument);
}

Result<void> Document::saveStudy(const QString& path)
{
    if (!bench_)
        return Diagnostic{"There is nothing to save.", "", "No model is open.", "Open a model first.", {}};
    const auto text = study::studyFromSession(laboratory().sessionJson(), path.toStdString(),
                                              QFileInfo(path).completeBaseName().toStdString());
    if (!text)
        return text.error();
    return writeWholeFile(textToPath(path.toStdU16String()), *text);
}

} // namespace driftless::ui
