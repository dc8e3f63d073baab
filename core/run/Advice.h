// What to try after a failure. Advice is made from what is true of the run: it never names what the run already is, what its
// model has not, or what its other half (the integrator for a form, the form for an integrator) could not carry.
#pragma once

#include <string>
#include <vector>

#include "core/formulation/Formulation.h"
#include "core/integrate/Integrator.h"

namespace driftless::run {

/// What a run is, as far as advice depends on it.
struct Situation {
    const formulation::FormulationInfo* form = nullptr;
    const integrate::IntegratorInfo* method = nullptr;
    bool equations = false; ///< a text of equations: one form carries it
    bool chart = false;     ///< the model states minimal coordinates
    int index = 0;          ///< of the form as it is integrated
    bool semiExplicit = true, projects = false, holdsPositions = false, holdsVelocities = false;
    bool pinned = false;  ///< the dummies were chosen by hand
    double t = 0;         ///< [s]
    double step = 0;      ///< [s] that failed, 0: none did
    double tolerance = 0; ///< relative, or the absolute one where that alone is given; of a method that chooses its steps
};

enum class Trouble {
    NotFinite,       ///< the state is no number any more
    Stuck,           ///< steps make no progress
    EnergyLost,      ///< the method is unstable
    ConstraintsLost, ///< the residual of the positions has grown without bound, or so that steps have no solution
    VelocitiesLost,  ///< a form that holds the positions alone, by a method that does not damp
    NotSolved,       ///< Newton's iteration
    SingularMatrix,
    Tolerances,            ///< not met with the smallest step
    SingularConfiguration, ///< constraints lose their independence
    OutsideDomain,         ///< of an expression of the model
    NotProjected,
    Other
};

/// One thing to try, as data.
struct Proposal {
    enum class Kind { ShorterStep, LooserTolerances, TighterTolerances, Integrator, Formulation, AutomaticPivot, Start, Model };
    Kind kind = Kind::Start;
    std::vector<std::string> ids{}; ///< of integrators or formulations
    double value = 0;               ///< a tolerance, or a step [s]
    std::string text{};             ///< in words
};

/// Never empty: in the order of their worth.
std::vector<Proposal> proposalsFor(Trouble trouble, const Situation& situation);
/// The same in one sentence.
std::string advise(Trouble trouble, const Situation& situation);

} // namespace driftless::run
