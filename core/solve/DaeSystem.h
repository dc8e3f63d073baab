// The face between a compiled DAE and the integrators: F(t, y, y') = 0, n rows, n unknowns.
//
// Notation: t time [s]; y unknowns; y' their rates; F residual; an unknown is differential when its rate occurs in F
// and algebraic otherwise. Index order of an unknown (0 to 3) says how many differentiations separate it from the
// differential variables of an equivalent ODE: 0 or 1 harmless, 2 and 3 the velocities and multipliers of index-2 and
// index-3 forms, whose errors behave like the step to a negative power ([PP92] section 1; Brenan, Campbell, Petzold).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/solve/MechanicalSystem.h"
#include "core/solve/SparsePattern.h"

namespace driftless::solve {

struct UnknownRole {
    bool differential = true;
    int indexOrder = 0;
    bool multiplier = false;   ///< takes the multipliers' absolute tolerance
    int rate = -1;             ///< the differential unknown w of a row y' - w + ... = 0 that states this one's rate, -1 none
    int rateRow = -1;          ///< that row: 1 its only dF/dy', -1 its dF/dw
    double tolerance = 0;      ///< absolute tolerance of its own; 0: that of the options
    int derivative = -1;       ///< of a dummy: the unknown that is its rate by its meaning, where no row says so; -1 none
    double derivativeUnit = 1; ///< times which it is
    bool determined = false;   ///< of index order 0, but no dummy: a value of equations that follows from the integrated ones
};

class DaeSystem {
public:
    virtual ~DaeSystem() = default;

    virtual int size() const = 0;
    /// One entry per unknown. May change when rolesRevision() does (a pivot swapped roles).
    virtual std::span<const UnknownRole> roles() const = 0;
    /// Highest index the form claims: 0 ODE, 1, 2, 3.
    virtual int index() const = 0;
    /// Counts up whenever roles, rows or pattern changed without a change of the unknowns' meaning or number.
    virtual std::uint64_t rolesRevision() const = 0;

    /// F(t, y, y'). False when a value left its domain; domainMessage() then says where. Does not allocate.
    virtual bool residual(double t, const double* y, const double* yp, double* F) = 0;

    /// Pattern of dF/dy and dF/dy' together.
    virtual const SparsePattern& pattern() const = 0;
    /// Values of both partial derivatives on pattern() (nonzeros() numbers each). Does not allocate.
    virtual bool jacobian(double t, const double* y, const double* yp, double* dFdy, double* dFdyp) = 0;
    /// The same one by one, for who puts them together otherwise: the nonzero of pattern() to which each is to be added, -1
    /// where its row is out of force, and whether it is of dF/dy'.
    struct Partial {
        int place = -1;
        bool ofRate = false;
    };
    virtual std::size_t partialCount() const { return 2 * pattern().rowIndices.size(); }
    virtual Partial partial(std::size_t k) const
    {
        const std::size_t n = pattern().rowIndices.size();
        return {.place = static_cast<int>(k < n ? k : k - n), .ofRate = k >= n};
    }
    /// partialCount() values. Does not allocate.
    virtual bool partials(double t, const double* y, const double* yp, double* values)
    {
        return jacobian(t, y, yp, values, values + pattern().rowIndices.size());
    }
    /// False where jacobian() leaves out terms that do not vanish at the solution: Newton's iteration then converges linearly.
    virtual bool exactJacobian() const { return true; }

    /// Whether F is affine in the rates of the differential and the values of the algebraic unknowns, and its index at most 1:
    /// one linear system then gives them all.
    virtual bool linearRates() const { return false; }
    /// With linearRates() only: F, and the columns dF/dy' of the differential and dF/dy of the algebraic unknowns on
    /// ratePattern(). False as residual() is. Does not allocate.
    virtual bool rateSystem(double /*t*/, const double* /*y*/, const double* /*yp*/, double* /*F*/, double* /*values*/)
    {
        return false;
    }
    virtual const SparsePattern& ratePattern() const { return pattern(); }
    /// How many numbers eliminatedRates() writes at most; 0 where there is no elimination that was written out in advance.
    virtual int eliminatedRoom() const { return 0; }
    /// With eliminatedRoom() only: the solution of that system from the values of the differential unknowns alone, in their
    /// order: their rates, then the algebraic values. What it writes behind them is its own. False where the elimination does
    /// not suit these numbers: then rateSystem() is to be asked. judged: by the residual of every row; else only whether the
    /// pivots are as large as they use to be, for stages of a step at whose end rates are judged. Does not allocate.
    virtual bool eliminatedRates(double /*t*/, const double* /*differential*/, double* /*values*/, bool /*judged*/)
    {
        return false;
    }

    /// With linearRates() only: whether solvedRates() is there. Allocates what that takes.
    virtual bool solvesRates() { return false; }
    /// The same solution for large systems, by their structure: from t and the values of the differential unknowns it writes
    /// the rates of these and the values of the others. False where the numbers do not suit it: then rateSystem() is to be
    /// asked. Does not allocate.
    virtual bool solvedRates(double /*t*/, double* /*y*/, double* /*yp*/) { return false; }

    /// False where algebraic equations tie differential unknowns: one instant then does not determine the rates of each of them
    /// from F.
    virtual bool semiExplicit() const { return true; }
    /// Into yp the rates of the differential unknowns as other unknowns state them (velocities, accelerations), where not
    /// semiExplicit(): what a step begins with after roles changed. False as residual() is. Does not allocate.
    virtual bool statedRates(double /*t*/, const double* /*y*/, double* /*yp*/) { return false; }

    /// Why the last residual or jacobian returned false, in the model's own words.
    virtual std::string domainMessage() const = 0;
    /// Name of unknown i, for messages.
    virtual std::string unknownName(int i) const = 0;
    /// Name of row i of F, for messages.
    virtual std::string rowName(int i) const = 0;

    /// A correction after an accepted step (projection onto the constraint manifolds), if the form has one: changes y
    /// and y' in place, false when it does not converge. hasProjection() false: never called.
    virtual bool hasProjection() const { return false; }
    virtual bool project(double /*t*/, double* /*y*/, double* /*yp*/) { return true; }

    /// What one unit of t stands for [s], for messages.
    virtual double timeUnit() const { return 1; }
    /// The time over which the motion changes, in units of t: in it the powers of h count that weigh unknowns of higher index
    /// order.
    virtual double characteristicTime() const { return 1; }

    /// The equations of motion behind F where the form consists of them alone, for methods that need them; else nullptr.
    virtual MechanicalSystem* mechanical() { return nullptr; }
};

} // namespace driftless::solve
