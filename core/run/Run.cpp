#include "core/run/Run.h"

#include <algorithm>
#include <cmath>

#include "core/run/Drift.h"
#include "core/run/RunImpl.h"
#include "core/run/StartRemarks.h"

namespace driftless::run {

namespace {

constexpr int kDriftSamples = 4096;

} // namespace

Run::Impl::Impl(std::shared_ptr<const model::CompiledSystem> compiled, std::uint64_t budget)
    : system(std::move(compiled)), published(static_cast<std::size_t>(system->n())),
      stepper(system->model().reduced != nullptr), base(std::make_unique<ModeKit>(system, shared(), std::vector<int>())),
      kit(base.get()), recorder(system, base->metrics.evaluator(), budget)
{
    state.resize(system->n(), system->w());
    previous = state;
}

ModeKit::Shared Run::Impl::shared()
{
    return {.recorder = recorder,
            .published = published,
            .stepper = stepper,
            .gesture = gesture,
            .previous = previous,
            .now = state};
}

Result<void> Run::Impl::begin(const StartSettings& start, const RunSettings& settings)
{
    published.begin(start);
    const auto parameters = kit->states->parameters(start);
    if (!parameters)
        return parameters.error();
    double moved = 0;
    auto from = kit->states->start(start, *parameters, moved);
    if (!from)
        return from.error();
    if (!system->system().dependent.empty())
        kit->refusals.take(model::walkSetAside(system->system(), from->t, from->q, *parameters));
    kit->monitors = Monitors(*system, kit->refusals.walk());
    auto made = kit->maker.make(settings, *parameters, {}, *from, nullptr);
    if (!made)
        return made.error();
    std::string why;
    if (!(*made)->enter(*from, why))
        return Diagnostic{"The formulation cannot start from these values", "formulation " + settings.formulation, why, {}, {}};
    stepper.replace(std::move(*made));
    Plan first;
    first.state = std::move(*from);
    adopt(std::move(first));
    kit->metrics.restartBalance();
    beginMonitors();
    maxNorms = kit->metrics.norms();
    published.timeLine().add(Segment{state.t, stepper.core().parameters, kit->metrics.reference()});
    published.timeLine().add(state.t, Started{settings.formulation, settings.integrator});
    if (moved > kReportedChange)
        published.timeLine().add(state.t, StartCorrected{moved});
    for (EventDetail& remark : startRemarks(stepper.core(), kit->matrices, kit->refusals.walk(), state))
        published.timeLine().add(state.t, std::move(remark));
    appendRow();
    publish();
    if (auto begun = beginModes(); !begun)
        return begun;
    judgeExchanges();
    return {};
}

Run::Run() = default;
Run::~Run() = default;

Result<std::unique_ptr<Run>> Run::create(std::shared_ptr<const model::CompiledSystem> system, const StartSettings& start,
                                         const RunSettings& settings, std::uint64_t recordingBudget)
{
    if (system->n() == 0 && system->w() == 0) // an empty mechanism is a model, but nothing in it moves
        return Diagnostic{
            "The model has no body", "", "there is nothing to move", "add a table [[body]]", {system->model().path, 0, 0}};
    auto run = std::unique_ptr<Run>(new Run);
    run->impl_ = std::make_unique<Impl>(std::move(system), recordingBudget);
    if (auto begun = run->impl_->begin(start, settings); !begun)
        return begun.error();
    return run;
}

bool Run::step(double tStop) { return impl_->step(tStop); }

bool Run::advanceTo(double tEnd)
{
    bool gone = true;
    while (gone && impl_->state.t < tEnd)
        gone = impl_->step(tEnd);
    impl_->judgeExchanges();
    return gone;
}

bool Run::advanceBeyond(double t)
{
    bool gone = true;
    while (gone && impl_->state.t < t)
        gone = impl_->step(kForever);
    impl_->judgeExchanges();
    return gone;
}

Result<Command> Run::apply(double t, const CommandPayload& payload)
{
    std::optional<std::size_t> late;
    auto applied = applyTogether({this}, t, {&payload, 1}, std::numeric_limits<double>::infinity(), late);
    if (!applied)
        return applied.error();
    return std::move(applied->front());
}
Result<void> Run::replay(const Command& command, const std::function<bool()>& told) { return impl_->replay(command, told); }
Result<void> Run::check(const CommandPayload& payload) const
{
    const auto intent = impl_->kit->planner.intend(payload);
    return intent ? Result<void>() : Result<void>(intent.error());
}

std::vector<Command> Run::takeRestarts() { return std::exchange(impl_->restarts, {}); }

double Run::t() const { return impl_->published.t(); }
double Run::reached() const { return impl_->state.t; }
bool Run::settle() { return impl_->settle(); }
std::uint64_t Run::acceptedSteps() const { return impl_->published.accepted(); }
Run::Mark Run::mark() const { return impl_->published.mark(); }
bool Run::failed() const { return impl_->published.failed(); }
void Run::recordFirst(std::uint64_t rows) { impl_->recorder.recordFirst(rows); }
void Run::sampleAt(std::vector<double> times) { impl_->samples.ask(std::move(times)); }
const model::ModelState* Run::sampled(double t) const { return impl_->samples.at(t); }
RecordingView Run::recording() const { return impl_->recorder.view(); }
void Run::interrupt() { impl_->stepper.interrupt(); }
const model::CompiledSystem& Run::system() const { return *impl_->system; }
const std::shared_ptr<const model::CompiledSystem>& Run::systemHandle() const { return impl_->system; }
StartSettings Run::start() const { return impl_->published.start(); }
std::vector<Event> Run::events() const { return impl_->published.timeLine().events(); }
std::vector<Event> Run::events(EventKind kind, double from, double to) const
{
    return impl_->published.timeLine().events(kind, from, to);
}
std::vector<double> Run::firstParameters() const
{
    const std::vector<Segment> segments = impl_->published.timeLine().segments();
    return segments.empty() ? status().parameters : segments.front().parameters;
}
RunStatus Run::status() const { return impl_->published.status(); }
bool Run::takeWatched() { return impl_->published.takeWatched(); }
void Run::judgeExchanges() { impl_->judgeExchanges(); }

namespace {

/// Of quantities in their nominal sizes, the least of which is given.
double toleranceOf(const RunSettings& settings, double leastSize)
{
    const integrate::IntegratorInfo* method = integrate::findIntegrator(settings.integrator);
    return method && method->adaptive
               ? std::max(settings.options.relativeTolerance, settings.options.absoluteTolerance / leastSize)
               : 0.0;
}

/// Of the largest residual; a text of equations states no energy.
DriftClass generalDrift(const RecordingView& view, const RunSettings& settings)
{
    const std::uint64_t stride = (view.rowCount() + kDriftSamples - 1) / kDriftSamples;
    std::vector<double> t, residual;
    for (std::uint64_t r = 0; r < view.rowCount(); r += stride) {
        t.push_back(view.time(r));
        residual.push_back(view.value(r, view.metrics()));
    }
    return {classifyDrift(t, residual, toleranceOf(settings, 1)), ""};
}

} // namespace

DriftClass Run::drift() const
{
    const RecordingView view = recording();
    const std::vector<Segment> segments = impl_->published.timeLine().segments();
    const RunSettings settings = impl_->published.settings();
    DriftClass out{"none", "none"};
    const std::uint64_t rows = view.rowCount();
    if (rows < 3)
        return out;
    if (impl_->system->model().reduced)
        return generalDrift(view, settings);
    const auto n = static_cast<std::size_t>(view.n());
    const auto m = static_cast<std::size_t>(impl_->system->holonomic());
    model::SystemEvaluator evaluator(impl_->system);
    const std::uint64_t stride = (rows + kDriftSamples - 1) / kDriftSamples;
    std::vector<double> t, energy, q(n), g(m);
    std::vector<std::vector<double>> residuals(m);
    const int energyColumn = view.findColumn("energy_error");
    std::size_t segment = 0;
    if (!segments.empty())
        evaluator.setParameters(segments[0].parameters);
    const model::NominalScales usual = model::nominalScales(evaluator); // what is no drift is so in all units
    for (std::uint64_t r = 0; r < rows; r += stride) {
        const double time = view.time(r);
        while (segment + 1 < segments.size() && segments[segment + 1].t <= time)
            evaluator.setParameters(segments[++segment].parameters);
        for (std::size_t i = 0; i < n; ++i)
            q[i] = view.value(r, static_cast<int>(i));
        if (!evaluator.constraints(time, q.data(), g.data()))
            continue;
        t.push_back(time);
        energy.push_back(view.value(r, energyColumn) / usual.energy);
        for (std::size_t j = 0; j < m; ++j)
            residuals[j].push_back(g[j] / usual.rows[j]);
    }
    const double asked = toleranceOf(settings, usual.positions.empty() ? 1 : *std::ranges::min_element(usual.positions));
    const auto largest = [](const std::vector<double>& x) {
        double norm = 0;
        for (const double value : x)
            norm = std::max(norm, std::abs(value));
        return norm;
    };
    const auto worst = std::max_element(residuals.begin(), residuals.end(),
                                        [&](const auto& a, const auto& b) { return largest(a) < largest(b); });
    if (worst != residuals.end())
        out.position = classifyDrift(t, *worst, asked);
    out.energy = classifyDrift(t, energy, asked);
    return out;
}

std::vector<std::pair<std::string, double>> Run::namedState() const
{
    std::vector<std::pair<std::string, double>> out;
    impl_->settle();
    const model::ConstrainedSystem& s = impl_->system->system();
    const model::ModelState& now = impl_->state;
    for (std::size_t i = 0; i < s.coordinates.size(); ++i)
        out.emplace_back(s.coordinates[i].name, now.q[i]);
    for (std::size_t i = 0; i < s.coordinates.size(); ++i)
        out.emplace_back(s.coordinates[i].velocity.name, now.v[i]);
    const auto names = s.wNames();
    const std::vector<double> multipliers = impl_->kit->toBase(now.lambda);
    for (std::size_t i = 0; i < names.size(); ++i)
        out.emplace_back(names[i], multipliers[i]);
    const auto& unknowns = impl_->stepper.core().form().unknowns;
    const auto values = impl_->stepper.core().integrator->y();
    for (std::size_t i = 0; i < unknowns.size() && i < values.size(); ++i)
        if (unknowns[i].kind == formulation::UnknownKind::Auxiliary)
            out.emplace_back(unknowns[i].name, values[i]);
    return out;
}

EquationsInForce Run::equationsInForce() const { return impl_->published.equations(); }

std::vector<formulation::DescribedRow> Run::equations(expr::Format format) const
{
    const EquationsInForce now = equationsInForce();
    return formulation::describeRows(now.dae->dae(), now.dummies, format);
}

} // namespace driftless::run
