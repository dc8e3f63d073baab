#include "ui/document/Bench.h"

#include "core/run/Past.h"
#include "core/run/RunRequest.h"
#include "core/system/ParameterValues.h"
#include "ui/document/NumberText.h"
#include "ui/document/Preferences.h"
#include "ui/document/TakenBack.h"

namespace driftless::ui {

run::RunSettings settingsAsFile(const model::Model& model) { return run::settingsOf(model.run); }

namespace {

Diagnostic noBody()
{
    return {.what = "There is no body yet",
            .why = "a run needs something that moves",
            .remedy = "place a body with one of the tools"};
}

/// [s] A change that would take longer, because a run is far behind, is refused: the window stands still meanwhile.
constexpr double kPatience = 2;

std::uint64_t recordingBytes() { return static_cast<std::uint64_t>(preferredMemory()) << 20; }

} // namespace

Bench::Bench(std::shared_ptr<const model::CompiledSystem> system, const run::StartSettings& start)
    : compiled_(std::move(system)), laboratory_(std::make_unique<run::Laboratory>(compiled_, start)),
      parameters_(model::parameterValues(compiled_->system(), start.parameters))
{
    laboratory_->setRecordingBudget(recordingBytes());
    laboratory_->setPatience(kPatience);
    (void)laboratory_->recordRows(preferredRows()); // there is no run yet that could refuse
}

Bench::Bench(std::unique_ptr<run::Laboratory> laboratory, const std::vector<RunEntry>& entries)
    : compiled_(laboratory->systemHandle()), laboratory_(std::move(laboratory)),
      parameters_(model::parameterValues(compiled_->system(), laboratory_->start().parameters))
{
    for (const RunEntry& entry : entries) {
        parameters_ = laboratory_->status(entry.id).parameters;
        runs_.insert(entry, entries.size());
    }
    laboratory_->setRecordingBudget(recordingBytes()); // its runs bring what they record
    laboratory_->setPatience(kPatience);
    furthest_ = laboratory_->clock().t;
}

Result<BenchHandle> Bench::compile(Result<std::shared_ptr<const model::Model>> model, const run::StartSettings& start)
{
    if (!model)
        return model.error();
    auto compiled = model::CompiledSystem::compile(*model);
    if (!compiled)
        return compiled.error();
    return std::make_unique<Bench>(*compiled, start);
}

Result<BenchHandle> Bench::again(const run::StartSettings& start) const
{
    auto out = std::make_unique<Bench>(compiled_, start);
    if (auto repeated = out->repeat(*this); !repeated)
        return repeated.error();
    out->wait(waiting_, problem_);
    return out;
}

run::RunStatus Bench::status(int key) const
{
    const RunEntry* entry = runs_.find(key);
    return entry ? laboratory_->status(entry->id) : run::RunStatus{};
}

void Bench::noteParameter(const std::string& name, double value)
{
    const auto& all = system().parameters;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].quantity.name == name)
            model::setParameter(system(), parameters_, i, value);
}

run::StartSettings Bench::start() const
{
    run::StartSettings start = laboratory_->start();
    for (const model::Parameter& p : system().parameters)
        start.parameters.erase(p.quantity.name);
    start.parameters.merge(model::statedValues(system(), parameters_));
    return start;
}

Result<void> Bench::add(RunEntry entry, const run::RunSettings& settings, std::size_t place)
{
    const auto id = laboratory_->addRun(settings);
    if (!id)
        return id.error();
    entry.id = *id;
    runs_.insert(entry, place);
    return {};
}

Result<void> Bench::join(const RunEntry& entry, const run::RunSettings& settings, std::size_t place)
{
    if (auto added = add(entry, settings, place); !added)
        return added;
    const run::RunId id = runs_.find(entry.key)->id;
    // What the shared start knows: the values of t = 0.
    const std::vector<double> values = model::parameterValues(system(), laboratory_->start().parameters);
    std::vector<double> followed = values;
    const auto stated = model::statedValues(system(), parameters_), before = model::statedValues(system(), values);
    std::vector<model::ParameterSetting> others; // what follows before and after is led there by what it follows from
    for (std::size_t i = 0; i < values.size(); ++i)
        if (const std::string& name = system().parameters[i].quantity.name; stated.contains(name) || before.contains(name))
            others.emplace_back(i, parameters_[i]);
    const auto allowed = [this](std::span<const double> now) { return !model::checkParameters(compiled().model(), now); };
    for (const auto& [i, value] : model::inOrderToSet(system(), values, others, allowed)) {
        if (followed[i] == value) // it follows from those before
            continue;
        if (auto set = laboratory_->command({id}, run::SetParameter{system().parameters[i].quantity.name, value}); !set) {
            take(entry.key, place);
            return set.error();
        }
        model::setParameter(system(), followed, i, value);
    }
    return {};
}

run::RunSettings Bench::take(int key, std::size_t& place)
{
    const RunEntry* entry = runs_.find(key);
    if (!entry)
        return {};
    auto settings = status(key).settings;
    laboratory_->removeRun(entry->id);
    place = runs_.remove(key);
    return settings;
}

Result<void> Bench::repeat(const Bench& other)
{
    const auto& theirs = other.runs().entries();
    for (const RunEntry& run : theirs)
        if (auto added = add(run, other.status(run.key).settings, theirs.size()); !added)
            return added;
    runs_.select(other.runs().selected());
    runs_.setReference(other.runs().reference());
    return {};
}

void Bench::addOrWait(std::vector<WaitingRun> wanted)
{
    for (WaitingRun& run : wanted) {
        const Result<void> added = isEmpty() ? noBody() : add(run.entry, run.settings, wanted.size());
        if (added)
            continue;
        if (!problem_)
            problem_ = added.error();
        waiting_.push_back(std::move(run));
    }
}

void Bench::wait(std::vector<WaitingRun> runs, std::optional<Diagnostic> problem)
{
    waiting_ = std::move(runs);
    problem_ = std::move(problem);
}

QStringList Bench::wordsOf(const std::map<run::RunId, run::Branch>& branches, const run::Branch& ofSelected) const
{
    QStringList out;
    for (const RunEntry& run : runs_.entries()) {
        const auto branch = branches.find(run.id);
        if (branch == branches.end() || !branch->second.settings)
            continue;
        const QString words =
            takenBack(laboratory_->status(run.id).settings, *branch->second.settings).join(QStringLiteral(", "));
        if (!words.isEmpty())
            out << (branches.size() == 1 ? words : QStringLiteral("%1 (%2)").arg(words, run.name));
    }
    for (const auto& parameter : system().parameters)
        if (const auto set = ofSelected.parameters.find(parameter.quantity.name); set != ofSelected.parameters.end())
            out << QStringLiteral("%1 = %2 %3")
                       .arg(QString::fromStdString(set->first), numberText(set->second),
                            QString::fromStdString(parameter.quantity.unit))
                       .trimmed();
    return out;
}

Result<QStringList> Bench::branch()
{
    const double t = laboratory_->clock().t;
    const RunEntry* selected = scrubbedBack() ? runs_.find(runs_.selected()) : nullptr;
    const auto branches = selected ? run::branchesAsThen(*laboratory_, t, selected->id) : std::map<run::RunId, run::Branch>{};
    const auto own = selected ? branches.find(selected->id) : branches.end();
    const run::Branch ofSelected = own == branches.end() ? run::Branch{} : own->second;
    const QStringList taken = wordsOf(branches, ofSelected);
    if (auto cut = laboratory_->branchAt(t, branches); !cut)
        return cut.error();
    for (std::size_t i = 0; i < parameters_.size(); ++i) // these are all that were others
        if (const auto then = ofSelected.parameters.find(system().parameters[i].quantity.name);
            then != ofSelected.parameters.end())
            parameters_[i] = then->second;
    furthest_ = t;
    runs_.forgetFailures();
    return taken;
}

Result<void> Bench::rewind(const run::Checkpoint& to, double t)
{
    if (auto back = laboratory_->rewind(to, t); !back)
        return back;
    for (const RunEntry& entry : runs_.entries())
        parameters_ = laboratory_->status(entry.id).parameters;
    furthest_ = t;
    runs_.forgetFailures();
    return {};
}

} // namespace driftless::ui
