#include "ui/document/ModelEdits.h"

#include <algorithm>

#include "core/mechanism/ReadModel.h"
#include "core/reduction/Reduced.h"
#include "ui/document/NumberText.h"

namespace driftless::ui {

namespace {

/// What was moved with its slider, where the text did not change it.
run::StartSettings keptParameters(const Bench& before, const model::Model& after)
{
    run::StartSettings start;
    const auto values = before.start().parameters;
    const auto& old = before.system().parameters;
    for (const auto& parameter : after.system.parameters) {
        const auto set = values.find(parameter.quantity.name);
        const auto known = std::ranges::find_if(old, [&](const auto& p) { return p.quantity.name == parameter.quantity.name; });
        if (set == values.end() || known == old.end())
            continue;
        const bool same = parameter.follows() || known->follows() ? known->binding.sameAs(parameter.binding)
                                                                  : known->quantity.value == parameter.quantity.value;
        if (same)
            start.parameters.insert(*set);
    }
    return start;
}

std::vector<WaitingRun> allRuns(const Bench& bench)
{
    std::vector<WaitingRun> out;
    for (const RunEntry& run : bench.runs().entries())
        out.push_back({run, bench.status(run.key).settings});
    out.insert(out.end(), bench.waiting().begin(), bench.waiting().end());
    return out;
}

Diagnostic nothingToEdit()
{
    return {.what = "There is nothing to edit", .why = "no model is open", .remedy = "open a model or begin a new mechanism"};
}

} // namespace

ModelEdits::ModelEdits(OpenBench& open, MessageLog& messages) : open_(open), messages_(messages) {}

Result<void> ModelEdits::applyText(const QString& text)
{
    if (open_.hasModel() && !open_.bench().waiting().empty())
        return editText(text, tr("edit the model"));
    auto bench = Bench::compile(reduction::readModel(text.toStdString(), open_.modelPath().toStdString()), {});
    if (!bench)
        return bench.error();
    if (open_.hasModel())
        if (auto repeated = (*bench)->repeat(open_.bench()); !repeated)
            return repeated;
    return open_.adopt(std::move(bench).value(), tr("edit the model"), Opens::SameDocument);
}

Result<void> ModelEdits::editText(const QString& text, const QString& what)
{
    if (!open_.hasModel())
        return nothingToEdit();
    const Bench& before = open_.bench();
    const std::string path = open_.modelPath().toStdString();
    auto model = reduction::readModel(text.toStdString(), path.empty() ? before.compiled().model().name + ".toml" : path);
    if (!model)
        return model.error();
    if (!path.empty()) {
        auto placed = std::make_shared<model::Model>(**model);
        placed->path = path;
        model = std::shared_ptr<const model::Model>(std::move(placed));
    }
    const auto start = keptParameters(before, **model);
    auto bench = Bench::compile(std::move(model), start);
    if (!bench)
        return bench.error();
    auto wanted = allRuns(before);
    if (wanted.empty() && before.isEmpty()) { // a session that was saved before there was a body
        RunEntry entry;
        entry.key = open_.freshKey();
        entry.name = tr("Run 1");
        wanted.push_back({entry, settingsAsFile((*bench)->compiled().model())});
    }
    (*bench)->addOrWait(std::move(wanted));
    (*bench)->runs().select(before.runs().selected());
    (*bench)->runs().setReference(before.runs().reference());
    return open_.adopt(std::move(bench).value(), what, Opens::SameDocument);
}

bool ModelEdits::setStructure(const QString& name, int value)
{
    if (!open_.hasModel())
        return false;
    auto bench = Bench::compile(model::withStructure(open_.compiled().modelHandle(), {{name.toStdString(), value}}), {});
    const Result<void> repeated = bench ? (*bench)->repeat(open_.bench()) : Result<void>(bench.error());
    if (!messages_.say(repeated)) {
        emit open_.benchChanged(); // controls show again what holds
        return false;
    }
    return messages_.say(open_.adopt(std::move(bench).value(), tr("%1 = %2").arg(name).arg(value), Opens::SameDocument));
}

bool ModelEdits::startAgain(const run::StartSettings& start, const QString& text)
{
    auto bench = open_.bench().again(start);
    if (!bench) {
        messages_.say(bench.error());
        return false;
    }
    return messages_.say(open_.adopt(std::move(bench).value(), text, Opens::SameDocument));
}

bool ModelEdits::setInitialValue(const QString& name, double value)
{
    if (!open_.hasModel())
        return false;
    auto start = open_.startSettings();
    if (const auto set = start.values.find(name.toStdString()); set != start.values.end() && set->second == value)
        return true;
    start.values[name.toStdString()] = value;
    const bool done = startAgain(start, tr("start with %1 = %2").arg(name, numberText(value)));
    if (!done)
        emit open_.benchChanged(); // controls show again what holds
    return done;
}

bool ModelEdits::setStart(const run::SetStart& start)
{
    return open_.hasModel() && startAgain(run::startAfter(open_.startSettings(), start), tr("other start values"));
}

bool ModelEdits::reset() { return open_.hasModel() && startAgain(open_.startSettings(), tr("back to the start")); }

} // namespace driftless::ui
