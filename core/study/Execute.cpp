#include "core/study/Execute.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <limits>
#include <thread>
#include <variant>

#include "core/formulation/Formulation.h"
#include "core/run/Columns.h"
#include "core/run/OutputsAtTimes.h"
#include "core/run/SessionCodec.h"
#include "core/study/DataRun.h"
#include "core/study/Fingerprint.h"
#include "core/study/Measure.h"
#include "core/study/Study.h"
#include "core/system/Model.h"
#include "core/system/ParameterValues.h"

namespace driftless::study {

namespace {

constexpr std::uint64_t kRecordingBudget = 256u << 20;
constexpr double kForever = std::numeric_limits<double>::infinity();

/// An event with its names resolved. Numbers of the integrator are completed when it happens: they change what holds then.
struct ReadyEvent {
    double t = 0;
    std::optional<run::Command> exact;        ///< as recorded
    std::vector<run::CommandPayload> first;   ///< formulation, choices, integrator
    const run::RunRequest* numbers = nullptr; ///< step and tolerances, if any
    std::vector<run::CommandPayload> then;    ///< gains, pivot, parameters, reset
};

struct Ready {
    run::PreparedRun prepared;
    std::vector<ReadyEvent> events;
    std::string fingerprint;
    std::optional<RunData> measured; ///< in place of a run
    std::string dataName, dataText;  ///< of the file that it comes from
};

std::string textsOf(const std::vector<model::InputFile>& files)
{
    std::string out;
    for (const model::InputFile& file : files)
        out += file.name + '\n' + file.text + '\n';
    return out;
}

Diagnostic placed(Diagnostic d, const PlannedRun& run, const SourcePosition& position)
{
    d.where = "run " + run.name + (d.where.empty() ? "" : ", " + d.where);
    if (!d.position.known())
        d.position = position;
    return d;
}

/// What the events so far have made of the settings and the parameters of a run.
struct InForce {
    run::RunSettings settings;
    std::vector<double> parameters;
    bool recorded = false; ///< commands as they were recorded come before: then it is not known
};

/// Parameters of the model and gains of the formulation. Parameters come in the order in which all of them hold in the end.
Result<std::vector<run::CommandPayload>> liveSettings(const std::vector<std::string>& texts, const model::Model& model,
                                                      InForce& now)
{
    std::vector<run::CommandPayload> out;
    std::vector<model::ParameterSetting> parameters;
    for (const std::string& text : texts) {
        const auto parts = run::namedSetting(text, "set");
        if (!parts)
            return parts.error();
        const auto target = model::resolveName(model.system, parts->first);
        const auto value = run::parseValue(parts->second, target, model.system);
        if (!value)
            return value.error();
        if (!target && (now.recorded || run::takesGain(parts->first, model, now.settings))) {
            out.push_back(run::SetGain{parts->first, *value});
            continue;
        }
        if (!target) {
            Diagnostic unknown = target.error();
            unknown.where = "set " + text.substr(0, 80);
            return unknown;
        }
        if (target->kind != model::TargetKind::Parameter)
            return Diagnostic{.what = target->fullName + " is a start value",
                              .why = "while a run goes on only parameters and gains change",
                              .remedy = "set it in the run itself"};
        parameters.emplace_back(static_cast<std::size_t>(target->index), *value);
    }
    const auto allowed = [&model](std::span<const double> values) { return !model::checkParameters(model, values); };
    for (const auto& [i, value] : model::inOrderToSet(model.system, now.parameters, parameters, allowed)) {
        model::setParameter(model.system, now.parameters, i, value);
        if (auto bad = model::checkParameters(model, now.parameters); bad && !now.recorded)
            return *std::move(bad);
        out.push_back(run::SetParameter{model.system.parameters[i].quantity.name, value});
    }
    return out;
}

Result<ReadyEvent> readyEvent(const StudyEvent& event, const model::Model& model, InForce& now)
{
    ReadyEvent out;
    out.t = event.t;
    if (!event.command.empty()) {
        now.recorded = true;
        try {
            out.exact = run::codec::command(run::codec::parse(event.command));
        } catch (const std::exception& e) {
            return Diagnostic{.what = "This recorded command is not understood", .why = e.what(), .position = event.position};
        }
        return out;
    }
    const run::RunRequest& c = event.change;
    if (c.formulation) {
        if (const auto known = formulation::requireFormulation(*c.formulation); !known)
            return known.error();
        out.first.push_back(run::SetFormulation{*c.formulation});
        now.settings.formulation = *c.formulation;
    }
    for (const std::string& text : c.choices) {
        const auto parts = run::namedSetting(text, "options");
        if (!parts)
            return parts.error();
        out.first.push_back(run::SetChoice{parts->first, parts->second});
        now.settings.choices[parts->first] = parts->second;
    }
    if (c.integrator) {
        if (!integrate::findIntegrator(*c.integrator))
            return integrate::makeIntegrator(*c.integrator).error(); // with the nearest name
        out.first.push_back(run::SetIntegrator{*c.integrator});
    }
    if (run::hasNumbers(c))
        out.numbers = &c;
    if (c.pivot) {
        const auto pivot = run::parsePivot(*c.pivot, model);
        if (!pivot)
            return pivot.error();
        out.then.push_back(run::SetPivot{*pivot});
    }
    for (const std::string& text : c.gains) {
        const auto parts = run::namedSetting(text, "gains");
        const auto value = parts ? run::parseNumber(parts->second) : Result<double>{parts.error()};
        if (!value)
            return value.error();
        if (!now.recorded && !run::takesGain(parts->first, model, now.settings))
            return Diagnostic{.what = "The formulation has no gain " + parts->first, .where = now.settings.formulation};
        out.then.push_back(run::SetGain{parts->first, *value});
    }
    auto settings = liveSettings(c.set, model, now);
    if (!settings)
        return settings.error();
    std::ranges::move(*settings, std::back_inserter(out.then));
    if (event.reset)
        out.then.push_back(run::Reset{});
    return out;
}

RunData measuredAs(RunData data, const std::string& fingerprint)
{
    data.fingerprint = fingerprint;
    return data;
}

std::optional<Diagnostic> firstBeyondTheEnd(const PlannedRun& run, double end)
{
    for (const StudyEvent& event : run.events)
        if (auto late = beyondTheEnd(run, event, end))
            return late;
    return std::nullopt;
}

/// Steps of one run with somebody listening. False: cancelled or failed.
class Drive {
public:
    Drive(run::Run& run, double end, const std::atomic<bool>& cancel, const ProgressSink& progress)
        : run_(run), end_(end), cancel_(cancel), progress_(progress)
    {
    }

    bool cancelled() const { return cancel_.load(std::memory_order_relaxed); }

    bool to(double t, double stop)
    {
        while (run_.t() < t) {
            if (cancelled() || !run_.step(stop))
                return false;
            tell();
        }
        return true;
    }
    bool steps(std::uint64_t count)
    {
        while (run_.acceptedSteps() < count) {
            if (cancelled() || !run_.step(kForever))
                return false;
            tell();
        }
        return true;
    }

private:
    void tell()
    {
        constexpr int kEvery = 64;
        if (progress_ && ++told_ % kEvery == 0)
            progress_(end_ > 0 ? std::clamp(run_.t() / end_, 0.0, 1.0) : 1.0);
    }

    run::Run& run_;
    double end_;
    const std::atomic<bool>& cancel_;
    const ProgressSink& progress_;
    int told_ = 0;
};

Result<void> perform(run::Run& run, const ReadyEvent& event, Drive& drive)
{
    if (event.exact) {
        if (!drive.steps(event.exact->afterSteps) && drive.cancelled())
            return {};
        return run.replay(*event.exact);
    }
    if (!drive.to(event.t, event.t))
        return {};
    const auto apply = [&](const run::CommandPayload& payload) -> Result<void> {
        const auto done = run.apply(event.t, payload);
        return done ? Result<void>{} : Result<void>{done.error()};
    };
    for (const auto& payload : event.first)
        if (auto done = apply(payload); !done)
            return done;
    if (event.numbers)
        if (auto done = apply(run::SetOptions{run::withNumbers(run.status().settings.options, *event.numbers)}); !done)
            return done;
    for (const auto& payload : event.then)
        if (auto done = apply(payload); !done)
            return done;
    return {};
}

/// Every k-th row of the record, the first and the last, and both sides of every jump; none beyond the end.
void keepRows(const run::RecordingView& view, double end, std::uint64_t most, RunData& out)
{
    out.columns = view.columns();
    out.positions = static_cast<std::size_t>(view.n());
    std::uint64_t rows = view.rowCount();
    while (rows > 1 && view.time(rows - 1) > end)
        --rows;
    const std::uint64_t every = std::max<std::uint64_t>(1, (rows + most - 2) / (most - 1));
    out.report.recordEvery = every;
    for (std::uint64_t r = 0; r < rows; ++r) {
        const bool jump = (r > 0 && view.time(r - 1) == view.time(r)) || (r + 1 < rows && view.time(r + 1) == view.time(r));
        if (r % every != 0 && r + 1 != rows && !jump)
            continue;
        out.values.push_back(view.time(r));
        for (int c = 0; c < view.columnCount(); ++c)
            out.values.push_back(view.value(r, c));
    }
}

} // namespace

struct Executor::Impl {
    const Study* study = nullptr;
    /// By the name of the model and, for equations, what is set: they are reduced near that.
    std::map<std::pair<std::string, std::vector<std::string>>, std::shared_ptr<const model::CompiledSystem>> systems;
    std::vector<Ready> ready;

    Result<std::shared_ptr<const model::CompiledSystem>> systemOf(const run::RunRequest& request)
    {
        for (const auto& set : {std::vector<std::string>(), request.set})
            if (const auto found = systems.find({request.model, set});
                found != systems.end() && (set == request.set || !found->second->model().equations))
                return found->second;
        const auto model = modelOf(*study, request);
        if (!model)
            return model.error();
        auto compiled = model::CompiledSystem::compile(*model);
        if (compiled)
            systems[{request.model, (*model)->equations ? request.set : std::vector<std::string>()}] = *compiled;
        return compiled;
    }

    /// What is measured is known by name before the first run is made.
    Result<void> checkNames() const
    {
        std::map<const void*, measure::RunNames> names; // by the system, or by the data
        const auto keyOf = [](const Ready& one) {
            return one.measured ? static_cast<const void*>(&one) : static_cast<const void*>(one.prepared.system.get());
        };
        for (const Ready& one : ready) {
            const auto [place, fresh] = names.try_emplace(keyOf(one));
            if (!fresh)
                continue;
            for (const run::Column& column :
                 one.measured ? one.measured->columns : run::recordedColumns(one.prepared.system->system()))
                place->second.columns.push_back(column.name);
            for (const model::Parameter& parameter : one.prepared.system->system().parameters)
                place->second.parameters.push_back(parameter.quantity.name);
        }
        return checkMeasures(*study, [&](std::size_t run) -> const measure::RunNames& { return names.at(keyOf(ready[run])); });
    }
};

Executor::Executor() : impl_(std::make_unique<Impl>()) {}
Executor::~Executor() = default;

Result<std::unique_ptr<Executor>> Executor::create(const Study& study, const std::string& version)
{
    auto out = std::unique_ptr<Executor>(new Executor);
    Impl& d = *out->impl_;
    d.study = &study;
    for (const PlannedRun& run : study.runs) {
        auto found = d.systemOf(run.request);
        if (!found)
            return placed(found.error(), run, run.position);
        const auto& system = *found;
        Ready ready;
        auto prepared = run::prepareRun(system, run.request);
        if (!prepared)
            return placed(prepared.error(), run, run.position);
        ready.prepared = std::move(*prepared);
        std::string identity =
            version + '\n' + system->model().text + '\n' + textsOf(system->system().inputFiles) + run.name + '\n'
            + run::codec::toJson(ready.prepared.settings).dump() + run::codec::toJson(ready.prepared.start).dump()
            + std::to_string(std::bit_cast<std::uint64_t>(ready.prepared.end)) + (run.endsExactly ? "=" : "~")
            + std::to_string(run.steps.value_or(0)) + '/' + std::to_string(study.record);
        if (!run.data.empty()) {
            auto measured = openDataRun(study, run, *system, ready.dataText);
            if (!measured)
                return placed(measured.error(), run, run.position);
            ready.measured = std::move(*measured);
            ready.dataName = run.data;
            identity += '\n' + ready.dataText;
        }
        InForce now{ready.prepared.settings, run::parametersOf(*ready.prepared.system, ready.prepared.start)};
        for (const StudyEvent& event : run.events) {
            auto made = readyEvent(event, ready.prepared.system->model(), now);
            if (!made)
                return placed(made.error(), run, event.position);
            const auto describe = [&](const run::CommandPayload& p) {
                identity += '\n' + run::codec::toJson(run::Command{event.t, 0, p}).dump();
            };
            identity += '\n' + event.command;
            std::for_each(made->first.begin(), made->first.end(), describe);
            if (made->numbers)
                describe(run::SetOptions{run::withNumbers({}, *made->numbers)});
            std::for_each(made->then.begin(), made->then.end(), describe);
            ready.events.push_back(std::move(*made));
        }
        ready.fingerprint = Fingerprint().add(identity).text();
        d.ready.push_back(std::move(ready));
    }
    if (auto sound = d.checkNames(); !sound)
        return sound.error();
    return out;
}

const Study& Executor::study() const { return *impl_->study; }
std::string Executor::fingerprint(std::size_t run) const { return impl_->ready[run].fingerprint; }
const model::CompiledSystem& Executor::system(std::size_t run) const { return *impl_->ready[run].prepared.system; }

const run::PreparedRun& Executor::prepared(std::size_t run) const { return impl_->ready[run].prepared; }

std::vector<Executor::File> Executor::files() const
{
    std::vector<File> out;
    for (const auto& [key, system] : impl_->systems) {
        const model::Model& model = system->model();
        const std::string ending = model.equations ? ".mo" : ".toml";
        const bool named = isModelName(key.first);
        std::filesystem::path place = std::filesystem::path(key.first).lexically_normal();
        if (named || key.first.empty() || place.is_absolute() || *place.begin() == "..")
            place = std::filesystem::path("models") / ((named ? key.first : model.name) + ending);
        out.push_back({place.string(), model.text});
        for (const model::InputFile& input : model.system.inputFiles)
            out.push_back({(place.parent_path() / input.name).string(), input.text});
    }
    for (const Ready& one : impl_->ready)
        if (!one.dataText.empty())
            out.push_back({one.dataName, one.dataText});
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

Result<RunData> Executor::run(std::size_t index, const std::atomic<bool>& cancel, const ProgressSink& progress) const
{
    const PlannedRun& planned = impl_->study->runs[index];
    const Ready& ready = impl_->ready[index];
    const run::PreparedRun& prepared = ready.prepared;
    if (ready.measured)
        return measuredAs(*ready.measured, ready.fingerprint);
    if (auto late = firstBeyondTheEnd(planned, prepared.end)) // refused here, so that a check finds what else there is
        return *std::move(late);
    RunData out;
    out.name = planned.name;
    out.fingerprint = ready.fingerprint;
    auto created = run::Run::create(prepared.system, prepared.start, prepared.settings, kRecordingBudget);
    if (!created) {
        out.report = run::refusalOf(prepared.system->model().name, prepared.settings, created.error());
        return out;
    }
    run::Run& run = **created;
    Drive drive(run, prepared.end, cancel, progress);
    std::optional<Diagnostic> refused;
    for (const ReadyEvent& event : ready.events) {
        if (auto done = perform(run, event, drive); !done) {
            refused = done.error();
            break;
        }
        if (run.failed() && !event.exact)
            break;
    }
    if (!refused && !run.failed() && !drive.cancelled()) {
        if (planned.steps)
            drive.steps(*planned.steps);
        else if (planned.endsExactly)
            drive.to(prepared.end, prepared.end);
        else
            drive.to(prepared.end, kForever);
    }
    if (drive.cancelled())
        return Diagnostic{.what = "The study was stopped",
                          .where = "run " + planned.name,
                          .remedy = "the same command goes on where it stopped"};
    out.report = run::reportOf(run);
    out.wallSeconds = out.report.wallSeconds.value_or(0);
    out.report.wallSeconds.reset(); // the same on every machine
    for (const run::Event& event : run.events())
        if (const auto* pivot = event.as<run::PivotChange>())
            out.selections.push_back({.t = event.t, .from = pivot->from, .to = pivot->to});
    if (refused) {
        out.report.status = "refused";
        out.report.diagnostic = run::reasonOf(*refused);
    }
    const run::RunStatus status = run.status();
    out.report.tolerance = run::askedTolerance(status.settings);
    const auto& parameters = prepared.system->system().parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i)
        out.report.parameters.emplace_back(parameters[i].quantity.name, status.parameters[i]);
    out.parameters = run::parametersOf(run);
    keepRows(run.recording(), planned.endsExactly || planned.steps ? kForever : prepared.end, impl_->study->record, out);
    return out;
}

Result<void> Executor::runAll(const std::vector<std::size_t>& which, int threads, const std::atomic<bool>& cancel,
                              const std::function<Result<void>(std::size_t, RunData)>& finished,
                              const std::function<void(std::size_t, double)>& progress) const
{
    std::atomic<std::size_t> next{0};
    std::atomic<bool> stop{false};
    std::mutex mutex;
    std::optional<Diagnostic> failure;
    const auto work = [&] {
        for (;;) {
            const std::size_t k = next++;
            if (k >= which.size() || stop || cancel)
                return;
            const std::size_t index = which[k];
            auto data = run(index, cancel, [&](double share) {
                if (progress) {
                    const std::lock_guard lock(mutex);
                    progress(index, share);
                }
            });
            const std::lock_guard lock(mutex);
            auto done = data ? finished(index, std::move(*data)) : Result<void>{data.error()};
            if (!done && !failure) {
                failure = done.error();
                stop = true;
            }
        }
    };
    std::vector<std::thread> pool;
    for (int i = 1; i < std::min<int>(threads, static_cast<int>(which.size())); ++i)
        pool.emplace_back(work);
    work();
    for (std::thread& thread : pool)
        thread.join();
    if (failure)
        return *failure;
    if (cancel)
        return Diagnostic{.what = "The study was stopped", .remedy = "the same command goes on where it stopped"};
    return {};
}

} // namespace driftless::study
