// What is true of a run, for advice.
#include "core/run/RunImpl.h"

namespace driftless::run {

/// What to try after a failure of this run. step: that failed [s], 0: none did.
std::string Run::Impl::advice(Trouble trouble, double step) const
{
    const formulation::Dae& form = core->form();
    const auto& options = core->settings.options;
    const auto* formulation = formulation::findFormulation(core->settings.formulation);
    Situation s{.form = formulation ? &formulation->info() : nullptr, .method = &core->integrator->info()};
    s.equations = system->model().reduced != nullptr;
    s.chart = system->system().chart.has_value();
    s.index = form.index;
    s.semiExplicit = form.semiExplicit;
    s.projects = form.projection.any();
    s.holdsPositions = form.enforces.position;
    s.holdsVelocities = form.enforces.velocity;
    s.pinned = core->pinned;
    s.t = state.t;
    s.step = step;
    s.tolerance = options.relativeTolerance > 0 ? options.relativeTolerance : options.absoluteTolerance;
    return advise(trouble, s);
}

} // namespace driftless::run
