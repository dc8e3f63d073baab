#include "core/run/Published.h"

#include <algorithm>
#include <utility>

namespace driftless::run {

Published::Published(std::size_t n) : lastPositions_(n) {}

RunStatus Published::status() const
{
    watched_ = true;
    const std::lock_guard lock(mutex_);
    RunStatus out = shared_.status;
    // What was judged belongs to a selection: after a change of dummies only the present one is told until it is judged.
    if (shared_.offered && shared_.offered->selection != shared_.selection) {
        out.candidates = {{-1, -1, out.kappa}};
        if (!out.positionCandidates.empty())
            out.positionCandidates = out.candidates;
    }
    return out;
}

RunMark Published::mark() const
{
    const std::lock_guard lock(mutex_);
    return shared_.mark;
}

RunSettings Published::settings() const
{
    const std::lock_guard lock(mutex_);
    return shared_.status.settings;
}

StartSettings Published::start() const
{
    const std::lock_guard lock(mutex_);
    return shared_.start;
}

EquationsInForce Published::equations() const
{
    const std::lock_guard lock(mutex_);
    const RunStatus& s = shared_.status;
    return {.dae = shared_.dae, .dummies = {.positions = s.positionDummies, .velocities = s.dummies, .values = s.valueDummies}};
}

void Published::begin(const StartSettings& start)
{
    const std::lock_guard lock(mutex_);
    shared_.start = start;
}

void Published::tell(const Standing& standing)
{
    const std::lock_guard lock(mutex_);
    RunStatus& s = shared_.status;
    s.t = standing.t;
    s.statistics = standing.statistics;
    s.pivots = standing.pivots;
    s.residual = standing.residual;
    s.maxResidual = standing.maxResidual;
    s.energy = standing.energy;
    s.energyError = standing.energyError;
    s.stepSize = standing.stepSize;
    s.order = standing.order;
    s.cpuSeconds = standing.cpuSeconds;
    s.wallSeconds = standing.wallSeconds;
    s.kappa = standing.kappa;
    shared_.mark = {standing.t, accepted()};
    lastTime_ = standing.t;
    std::ranges::copy(standing.q, lastPositions_.begin());
}

void Published::tell(InForce&& inForce)
{
    const std::lock_guard lock(mutex_);
    RunStatus& s = shared_.status;
    s.state = RunState::Ready;
    s.diagnostic.reset();
    s.settings = std::move(inForce.settings);
    s.errorTest = inForce.errorTest;
    s.parameters = std::move(inForce.parameters);
    s.mode = std::move(inForce.mode);
    s.rowsInForce = std::move(inForce.rowsInForce);
    s.gains = std::move(inForce.gains);
    s.gainQuantities = std::move(inForce.gainQuantities);
    s.form = inForce.form;
    s.dummies = std::move(inForce.dummies);
    s.positionDummies = std::move(inForce.positionDummies);
    shared_.selection = std::move(inForce.selection);
    shared_.dae = std::move(inForce.dae);
}

void Published::fail(double t, Diagnostic diagnostic, bool stuck, bool asked)
{
    failed_ = true;
    timeLine_.add(t, Failure{.diagnostic = diagnostic, .stuck = stuck, .asked = asked});
    const std::lock_guard lock(mutex_);
    shared_.status.state = RunState::Failed;
    shared_.status.diagnostic = std::move(diagnostic);
}

void Published::tellFollowed(const std::vector<int>& selection)
{
    const std::lock_guard lock(mutex_);
    shared_.selection.velocities = selection;
    shared_.selection.positions = selection;
}

void Published::tellDummies(const formulation::Dummies& dummies)
{
    const std::lock_guard lock(mutex_);
    shared_.selection = dummies;
    shared_.status.dummies = dummies.velocities;
    shared_.status.positionDummies = dummies.positions;
}

void Published::tellStages(const std::vector<int>& dummies, const std::vector<reduction::StageChoice>& stages,
                           std::vector<std::vector<reduction::StageExchange>>* exchanges)
{
    const std::lock_guard lock(mutex_);
    RunStatus& s = shared_.status;
    s.valueDummies = dummies;
    s.stages = stages;
    if (exchanges)
        s.exchanges = std::move(*exchanges);
}

bool Published::offersHere() const
{
    return shared_.offered && shared_.offered->t == lastTime_ && shared_.offered->selection == shared_.selection;
}

void Published::offer(Exchanges&& exchanges)
{
    const std::lock_guard lock(mutex_);
    shared_.status.candidates = std::move(exchanges.candidates);
    shared_.status.positionCandidates = std::move(exchanges.ofPositions);
    shared_.offered = Offered{lastTime_, shared_.selection};
}

void Published::withdraw()
{
    const std::lock_guard lock(mutex_);
    shared_.offered.reset();
}

} // namespace driftless::run
