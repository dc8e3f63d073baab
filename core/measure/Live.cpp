#include "core/measure/Live.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "core/formulation/Formulation.h"
#include "core/system/Model.h"
#include "core/text/Numbers.h"

namespace driftless::measure {

namespace {

constexpr std::string_view kRunPrefix = "run-";

/// A refusal that is one sentence for a person who works with the bench.
Diagnostic sentence(std::string what, const MeasureText& text)
{
    return {.what = std::move(what), .where = {}, .why = {}, .remedy = {}, .position = text.position};
}

/// Place of a column, -1 where there is none; a name may be as short as it is for `--set`.
int columnOf(const run::Laboratory& laboratory, const run::RecordingView& recording, const std::string& name)
{
    const int plain = recording.findColumn(name);
    if (plain >= 0)
        return plain;
    const auto target = model::resolveName(laboratory.system().system(), name);
    return target ? recording.findColumn(target->fullName) : -1;
}

/// The rows up to t, and one at t where the run stands beyond it: states are interpolated there, the rest is that of the last
/// row.
Record recordOf(const LiveRun& run)
{
    Record out;
    const run::RecordingView& view = run.recording;
    out.columns = view.columns();
    out.positions = static_cast<std::size_t>(view.n());
    out.report.began = true;
    out.report.tolerance = run::askedTolerance(run.status.settings);
    const auto& parameters = run.laboratory.system().system().parameters;
    for (std::size_t i = 0; i < parameters.size() && i < run.status.parameters.size(); ++i)
        out.report.parameters.emplace_back(parameters[i].quantity.name, run.status.parameters[i]);
    const std::vector<run::Event> events = run.laboratory.events(run.id);
    out.parameters =
        run::parametersOf(run.laboratory.system(), run::parametersOf(run.laboratory.system(), run.laboratory.start()), events,
                          run.status.parameters);
    for (const run::Event& e : events)
        if (e.t <= run.t)
            out.report.events.push_back({.t = e.t, .kind = run::eventKindName(e.kind()), .text = {}});
    if (view.empty())
        return out;
    const std::uint64_t last = view.rowAt(run.t);
    for (std::uint64_t r = 0; r <= last; ++r) {
        out.values.push_back(view.time(r));
        for (int c = 0; c < view.columnCount(); ++c)
            out.values.push_back(view.value(r, c));
    }
    if (view.time(last) < run.t && run.t <= view.lastTime()) {
        const std::vector<double> before(out.values.end() - static_cast<std::ptrdiff_t>(out.width()), out.values.end());
        out.values.insert(out.values.end(), before.begin(), before.end());
        double* row = out.values.data() + out.values.size() - out.width();
        row[0] = run.t;
        out.endsBetween = true;
        view.stateAt(run.t, row + 1, row + 1 + view.n(), row + 1 + 2 * view.n());
    }
    return out;
}

class LiveRuns final : public Runs {
public:
    LiveRuns(const LiveBench& bench, double t) : bench_(bench), t_(t) {}

    std::optional<std::size_t> find(const std::string& name) const override
    {
        std::size_t number = 0;
        const char* const end = name.data() + name.size();
        if (!name.starts_with(kRunPrefix) || std::from_chars(name.data() + kRunPrefix.size(), end, number).ptr != end)
            return {};
        return number >= 1 && number <= bench_.runs.size() ? std::optional(number - 1) : std::nullopt;
    }

    Result<void> ready(std::size_t run, const MeasureText& text) const override
    {
        return run < bench_.runs.size() ? Result<void>{}
                                        : Result<void>{sentence("There is no run " + std::to_string(run + 1) + '.', text)};
    }

    Result<Value> named(std::size_t run, const std::string& name, const MeasureText& text) const override
    {
        const LiveRun& live = at(run);
        if (const NamedMeasure* row = findNamed(name); row && row->live) {
            if (row->timed)
                if (auto there = reached(run, text); !there)
                    return there.error();
            if (const auto value = row->live(live))
                return *value;
            return sentence(name == "deviation" ? bench_.runs[run].title + " cannot be compared with the reference run at "
                                                      + text::rounded(t_) + " s."
                                                : bench_.runs[run].title + " has no " + name + '.',
                            text);
        }
        if (const PrefixedMeasure* prefixed = findPrefixed(name); prefixed && prefixed->live) {
            const std::string rest = name.substr(prefixed->prefix.size());
            if (prefixed->prefix == "parameter.")
                return parameter(rest, text);
            if (prefixed->prefix == "gain.")
                return gain(run, rest, text);
            if (prefixed->prefix == "option.")
                return option(run, rest, text);
            return state(run, rest, text);
        }
        return state(run, name, text);
    }

    Result<const Record*> record(std::size_t run, const MeasureText& text) const override
    {
        if (auto there = reached(run, text); !there)
            return there.error();
        const auto [place, fresh] = records_.try_emplace(run);
        if (fresh)
            place->second = recordOf(at(run));
        return &place->second;
    }

    /// The recording has extremes of columns at hand.
    std::optional<Value> known(std::size_t run, const MeasureCall& call) const override
    {
        const LiveRun& live = at(run);
        const bool largest = call.name == "max";
        if (!(largest || call.name == "min") || live.recording.empty() || live.recording.lastTime() < t_)
            return {};
        const auto inner = asMeasureCall(call.arguments[0]);
        const bool magnitude = inner && inner->name == "abs" && inner->arguments.size() == 1;
        const std::string& name = magnitude ? inner->arguments[0] : call.arguments[0];
        const auto& parameters = bench_.laboratory.system().system().parameters;
        if (std::ranges::any_of(parameters, [&name](const auto& p) { return p.quantity.name == name; }))
            return {}; // a column of the same name is not meant for certain
        const int place = columnOf(bench_.laboratory, live.recording, name);
        if (place < 0 || (magnitude && !largest))
            return {};
        const run::MinMax range = live.recording.range(place, 0, t_);
        double value = largest ? range.maximum : range.minimum;
        if (magnitude)
            value = std::max(std::abs(range.minimum), std::abs(range.maximum));
        return std::isfinite(value) ? std::optional(Value{value}) : std::nullopt;
    }

    std::vector<Relative> relatives(std::size_t, const std::string&) const override { return {}; }

private:
    const LiveRun& at(std::size_t run) const
    {
        const auto found = live_.find(run);
        if (found != live_.end())
            return found->second;
        const run::RunId id = bench_.runs[run].id;
        LiveRun made{.laboratory = bench_.laboratory,
                     .id = id,
                     .t = t_,
                     .status = bench_.laboratory.status(id),
                     .recording = bench_.laboratory.recording(id),
                     .deviation = {}};
        if (bench_.reference && *bench_.reference != run)
            made.deviation = deviationOf(bench_.laboratory, id, bench_.runs[*bench_.reference].id, t_);
        return live_.emplace(run, std::move(made)).first->second;
    }

    Result<void> reached(std::size_t run, const MeasureText& text) const
    {
        const LiveRun& live = at(run);
        const double last = live.recording.empty() ? -1 : live.recording.lastTime();
        if (!(last < t_))
            return {};
        const std::string stands = text::fixed(std::max(0.0, last), 2), wanted = text::rounded(t_);
        return sentence(
            live.status.state == run::RunState::Failed
                ? bench_.runs[run].title + " stopped at t = " + stands + " s, so there is no value at " + wanted + " s."
                : bench_.runs[run].title + " has only reached t = " + stands + " s; let it play to " + wanted + " s first.",
            text);
    }

    Result<Value> parameter(const std::string& name, const MeasureText& text) const
    {
        const auto target = model::resolveName(bench_.laboratory.system().system(), name);
        if (!target || target->kind != model::TargetKind::Parameter)
            return sentence("The model has no parameter " + name + '.', text);
        return Value{bench_.parameters[static_cast<std::size_t>(target->index)]};
    }

    Result<Value> gain(std::size_t run, const std::string& name, const MeasureText& text) const
    {
        const auto& gains = at(run).status.gains;
        const auto found = gains.find(name);
        return found == gains.end() ? Result<Value>{sentence(bench_.runs[run].title + " has no such gain.", text)}
                                    : Result<Value>{Value{found->second}};
    }

    Result<Value> option(std::size_t run, const std::string& name, const MeasureText& text) const
    {
        const run::RunSettings& settings = at(run).status.settings;
        const auto* form = formulation::findFormulation(settings.formulation);
        const bool has = form && std::ranges::any_of(form->info().options, [&](const auto& o) { return o.name == name; });
        return has ? Result<Value>{Value{formulation::optionOf(form->info(), settings.choices, name)}}
                   : Result<Value>{sentence(bench_.runs[run].title + " has no such option.", text)};
    }

    /// A column at t: states between two steps are interpolated, metrics are those of the last step.
    Result<Value> state(std::size_t run, const std::string& name, const MeasureText& text) const
    {
        if (auto there = reached(run, text); !there)
            return there.error();
        const run::RecordingView& view = at(run).recording;
        const int place = columnOf(bench_.laboratory, view, name);
        if (place < 0)
            return sentence(bench_.runs[run].title + " records no " + name + '.', text);
        const int states = 2 * view.n() + view.m();
        if (place >= states)
            return Value{view.value(view.rowAt(t_), place)};
        std::vector<double> row(static_cast<std::size_t>(states));
        view.stateAt(t_, row.data(), row.data() + view.n(), row.data() + 2 * view.n());
        return Value{row[static_cast<std::size_t>(place)]};
    }

    const LiveBench& bench_;
    double t_;
    mutable std::map<std::size_t, LiveRun> live_;
    mutable std::map<std::size_t, Record> records_;
};

} // namespace

std::optional<Value> LiveRun::column(std::string_view name) const
{
    const int place = recording.findColumn(name);
    return place < 0 || recording.empty() ? std::nullopt : std::optional(Value{recording.value(recording.rowAt(t), place)});
}

std::optional<Value> LiveRun::largest(std::string_view name) const
{
    const int place = columnOf(laboratory, recording, std::string(name));
    if (place < 0 || recording.empty())
        return {};
    const run::MinMax range = recording.range(place, 0, t);
    return Value{std::max(std::abs(range.minimum), std::abs(range.maximum))};
}

std::optional<double> deviationOf(const run::Laboratory& laboratory, run::RunId one, run::RunId other, double t)
{
    const run::RecordingView a = laboratory.recording(one), b = laboratory.recording(other);
    if (a.empty() || b.empty() || a.lastTime() < t || b.lastTime() < t)
        return {};
    const model::CompiledSystem& system = laboratory.system();
    const auto n = static_cast<std::size_t>(system.n()), m = static_cast<std::size_t>(system.w());
    std::vector<double> qa(n), qb(n), v(n), la(m), lb(m);
    if (!a.stateAt(t, qa.data(), v.data(), la.data()) || !b.stateAt(t, qb.data(), v.data(), lb.data()))
        return {};
    double worst = 0;
    const auto& values = system.system().values;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i].symbol.order == 0)
            worst = std::max(worst, std::abs(la[i] - lb[i]));
    for (std::size_t i = 0; i < n; ++i)
        worst = std::max(worst, std::abs(qa[i] - qb[i]));
    return worst;
}

Result<Value> measureLive(const LiveBench& bench, std::size_t run, double t, const MeasureText& text)
{
    return take(LiveRuns(bench, t), run, text);
}

} // namespace driftless::measure
