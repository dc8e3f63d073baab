#include "core/run/Run.h"

#include <algorithm>
#include <cmath>

#include "core/run/Columns.h"
#include "core/run/Drift.h"
#include "core/run/RunImpl.h"
#include "core/text/Numbers.h"

namespace driftless::run {

namespace {

constexpr int kDriftSamples = 4096;

std::vector<char> followedValues(const model::ConstrainedSystem& s)
{
    std::vector<char> out(static_cast<std::size_t>(s.w()));
    for (std::size_t i = 0; i < s.values.size(); ++i)
        out[out.size() - s.values.size() + i] = s.values[i].followed;
    return out;
}

} // namespace

std::string plain(double x, int digits) { return text::rounded(x, digits); }

Run::Impl::Impl(std::shared_ptr<const model::CompiledSystem> compiled, std::uint64_t budget)
    : system(std::move(compiled)), metrics(system), velocities(system->n(), system->m()),
      positions(system->n(), system->holonomic()), rankWatch(metrics.evaluator(), velocities.chooser),
      recording(system->n(), system->w(), recordedColumns(system->system()), budget, !system->plainRates(),
                followedValues(system->system()))
{
    state.resize(system->n(), system->w());
    previous = state;
    row.resize(static_cast<std::size_t>(recording.view().columnCount()));
    predicted = coordinateRate = state.q;
    jacobianValues.resize(system->jacobianPlaces().size());
    positionValues.resize(system->positionJacobianPlaces().size());
    massValues.resize(system->massPlaces().size());
    positionRows.resize(static_cast<std::size_t>(system->holonomic()));
    velocityRows.resize(static_cast<std::size_t>(system->m()));
    shared.last = state;
    if (const auto& reduced = system->model().reduced) {
        chooser = std::make_unique<reduction::DummyChooser>(reduced);
        valuesJacobian.resize(reduced->entries.size());
    }
}

Result<void> Run::Impl::begin(const StartSettings& startSettings, const RunSettings& settings)
{
    start = startSettings;
    auto parameters = startParameters();
    if (!parameters)
        return parameters.error();
    double moved = 0;
    auto from = consistentStart(start, *parameters, moved);
    if (!from)
        return from.error();
    if (!system->system().dependent.empty())
        setAside = model::walkSetAside(system->system(), from->t, from->q, *parameters);
    makeMonitors();
    auto made = makeCore(settings, *parameters, {}, *from);
    if (!made)
        return made.error();
    std::string why;
    if (!enter(**made, *from, why))
        return Diagnostic{"The formulation cannot start from these values", "formulation " + settings.formulation, why, {}, {}};
    core = std::move(*made);
    atRestart = core->integrator->statistics();
    Plan first;
    first.state = std::move(*from);
    adopt(std::move(first));
    metrics.restartBalance();
    maxNorms = metrics.norms();
    {
        const std::lock_guard lock(mutex);
        shared.segments.push_back({state.t, core->parameters, metrics.reference()});
    }
    addEvent(Started{core->settings.formulation, core->settings.integrator});
    if (moved > kReportedChange)
        addEvent(StartCorrected{moved});
    nameDependent();
    nameRedundant();
    nameRigid();
    appendRow();
    publish();
    judgeExchanges();
    return {};
}

void Run::Impl::addEvent(EventDetail detail)
{
    const std::lock_guard lock(mutex);
    shared.events.push_back({state.t, std::move(detail)});
}

/// After anything that other threads see and that is not a number of every step.
void Run::Impl::shareSettings()
{
    const std::lock_guard lock(mutex);
    RunStatus& s = shared.status;
    s.state = RunState::Ready;
    s.diagnostic.reset();
    s.settings = core->settings;
    s.errorTest = integrate::errorTestOf(core->integrator->info(), core->settings.options, core->form().index);
    s.parameters = core->parameters;
    s.gains.clear();
    const auto gains = core->instance->gains();
    s.gainQuantities.clear();
    for (std::size_t i = 0; i < gains.size(); ++i) {
        s.gainQuantities.push_back(core->form().gains[i].quantity);
        s.gains[s.gainQuantities.back().name] = gains[i];
    }
    s.form = formulation::sizeOf(core->form(), system->system());
    const bool pivoting = core->form().pivot.has_value();
    const formulation::Dummies dummies = pivoting ? core->instance->dummies() : formulation::Dummies{};
    s.dummies = dummies.velocities;
    s.positionDummies = dummies.positions;
    shared.selection = pivoting ? dummies : formulation::Dummies{velocities.followed, velocities.followed};
    shared.apart = pivoting && apart(core->form());
    shared.throughMass = pivoting && core->form().pivot->throughMass;
    shared.dae = core->dae;
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
    auto applied = applyTogether({this}, t, {&payload, 1});
    if (!applied)
        return applied.error();
    return std::move(applied->front());
}
Result<void> Run::replay(const Command& command, const std::function<bool()>& told) { return impl_->replay(command, told); }
Result<void> Run::check(const CommandPayload& payload) const
{
    const auto intent = impl_->intend(payload);
    return intent ? Result<void>() : Result<void>(intent.error());
}

std::vector<Command> Run::takeRestarts() { return std::exchange(impl_->restarts, {}); }

double Run::t() const { return impl_->time; }
double Run::reached() const { return impl_->state.t; }
std::uint64_t Run::acceptedSteps() const { return impl_->accepted; }
Run::Mark Run::mark() const
{
    const std::lock_guard lock(impl_->mutex);
    return impl_->shared.mark;
}
bool Run::failed() const { return impl_->hasFailed; }
RecordingView Run::recording() const { return impl_->recording.view(); }
void Run::interrupt() { impl_->cancel = true; }
const model::CompiledSystem& Run::system() const { return *impl_->system; }
StartSettings Run::start() const
{
    const std::lock_guard lock(impl_->mutex);
    return impl_->start;
}

std::vector<Event> Run::events() const
{
    const std::lock_guard lock(impl_->mutex);
    return impl_->shared.events;
}

RunStatus Run::status() const
{
    impl_->watched = true;
    const std::lock_guard lock(impl_->mutex);
    const Impl::Shared& shared = impl_->shared;
    RunStatus out = shared.status;
    // What was judged belongs to a selection: after a change of dummies only the present one is told until it is judged.
    if (shared.offered && shared.offered->selection != shared.selection) {
        out.candidates = {{-1, -1, out.kappa}};
        if (!out.positionCandidates.empty())
            out.positionCandidates = out.candidates;
    }
    return out;
}

bool Run::takeWatched() { return impl_->watched.exchange(false); }
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
    std::vector<Impl::Segment> segments;
    RunSettings settings;
    {
        const std::lock_guard lock(impl_->mutex);
        segments = impl_->shared.segments;
        settings = impl_->shared.status.settings;
    }
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
    for (std::size_t i = 0; i < names.size(); ++i)
        out.emplace_back(names[i], now.lambda[i]);
    const auto& unknowns = impl_->core->form().unknowns;
    const auto values = impl_->core->integrator->y();
    for (std::size_t i = 0; i < unknowns.size() && i < values.size(); ++i)
        if (unknowns[i].kind == formulation::UnknownKind::Auxiliary)
            out.emplace_back(unknowns[i].name, values[i]);
    return out;
}

std::vector<formulation::DescribedRow> Run::equations(expr::Format format) const
{
    std::shared_ptr<const formulation::CompiledDae> dae;
    formulation::Dummies dummies;
    {
        const std::lock_guard lock(impl_->mutex);
        dae = impl_->shared.dae;
        dummies = {impl_->shared.status.positionDummies, impl_->shared.status.dummies, impl_->shared.status.valueDummies};
    }
    return formulation::describeRows(dae->dae(), dummies, format);
}

} // namespace driftless::run
