// Where guards leave their side inside of a step, from the dense output of the method that took it.
//
// A guard is a number z(t) along the motion with a side on which it is frozen, s = 1 or -1. It fires at the first t at which s
// z comes down to zero. Seen are sign changes between the points at which a step is looked at, and between two such points
// the minima that rates tell of: s z' < 0 before and > 0 behind. There are as many points inside as the degree of the
// polynomial. A guard may be quicker than the motion, as a force over t while all stands still, or a floor that shakes below a
// flying ball. Where what is seen and one point more leave room for further changes of sign, there are twice as many points, up
// to kMostPieces, and then each half of the step is looked at by itself. That room is told by parabolas and fourth differences,
// of guards with a rate by cubic polynomials. Roots are located by Brent's method on the polynomial (Brent,
// Algorithms for Minimization without Derivatives, 1973, chapter 4), to round-off of t; nothing is integrated
// again.
//
//   s z > tolerance     inside
//   |z| <= tolerance    touching: a guard that is watched from there on fires only where it comes below -tolerance, or, with
//                       s z' > 0 at the beginning, where it comes back to zero; and so until it has been seen inside
//   s z < -tolerance    behind: what is watched from there on has its zero where it begins, until it has been seen inside
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace driftless::integrate {

/// Guards along a step.
class GuardValues {
public:
    virtual ~GuardValues() = default;
    /// One number each. rates: z', NaN where it is not known. False where they cannot be computed at t.
    virtual bool at(double t, std::span<double> values, std::span<double> rates) = 0;
};

/// The first guard that fires in a step, with those that fire at the same time.
struct Located {
    bool found = false;
    bool failed = false; ///< a guard could not be computed on the way
    double t = 0;        ///< [s]
    int first = -1;      ///< the guard whose time this is; others may be at zero to their tolerance alone
    std::span<const int> guards{};
    bool grazing = false;  ///< touches zero and turns back
    bool touching = false; ///< it was at zero when the search began, and has not been inside since
    bool jumps = false;    ///< it is far from zero up to this time: it has jumped over it
    double zero = 0;       ///< the value with which it fires
};

class EventLocator {
public:
    static constexpr int kMostPieces = 96; ///< that are looked at together

    /// Allocates what a search needs.
    void prepare(std::size_t guards);
    std::size_t size() const { return guards_.size(); }
    /// side: 1, -1, or 0 for a guard that is not watched. tolerance: below it a value counts as zero.
    /// level: where its zero is until it has been seen inside; not above zero on its side. leaves: it has a rate with which it
    /// moves off: it fires where it is back at its zero, however near to it it has stayed.
    void watch(std::size_t guard, double side, double tolerance, double level = 0, bool leaves = false);
    double side(std::size_t guard) const { return guards_[guard].side; }
    /// Whether a guard with this value at the end of a true step has come to where it fires.
    bool fires(std::size_t guard, double value, double zero) const
    {
        return guards_[guard].side * (value - zero) <= 0.5 * guards_[guard].tolerance;
    }

    /// In from < t <= to, looked at with so many points inside. No allocation.
    Located first(GuardValues& along, double from, double to, int points);
    /// The same where something else is due at the end of the step: what comes to zero so near to it happens together with
    /// that.
    Located withEnd(GuardValues& along, const Located& found, double from, double to);

private:
    struct Guard {
        double side = 0, tolerance = 0, level = 0;
        bool fresh = true;     ///< not looked at since it is watched
        bool touching = false; ///< since then, and not seen inside
        bool leaves = false;   ///< and has not turned since
    };
    struct Sample {
        double t = 0;
        std::vector<double> values, rates;
    };
    struct Root {
        double t = std::numeric_limits<double>::infinity();
        bool grazing = false, jumps = false;
        double beyond = 0; ///< its zero at which it fires
    };
    Located search(GuardValues& along, double from, double to, int points, int halvings);
    bool take(GuardValues& along, double t, Sample& into);
    int look(GuardValues& along, double from, double to, int pieces);
    void probe(GuardValues& along, int pieces);
    bool unresolved(GuardValues& along, int pieces);
    bool unresolved(std::size_t guard, std::size_t from) const;
    bool unresolvedWithRates(std::size_t guard, std::size_t from) const;
    bool hasRates(std::size_t guard) const { return !std::isnan(seen_[0].rates[guard]); }
    void begin(); ///< at the first sample
    void seen();  ///< at a further one
    void turned(std::size_t guard, const Sample& sample);
    double of(std::size_t guard, const Sample& sample) const;
    double value(GuardValues& along, std::size_t guard, double t, bool rate);
    double root(GuardValues& along, std::size_t guard, double from, double to, bool rate, double shift);
    Root rootBeyond(GuardValues& along, std::size_t guard, double from, double to, double beyond);
    bool jumpsAt(GuardValues& along, std::size_t guard, double t);
    Root within(GuardValues& along, std::size_t guard);
    Root turning(GuardValues& along, std::size_t guard);
    Located at(GuardValues& along, const Root& root, std::size_t guard);
    bool arrives(std::size_t guard, double reach) const;

    std::vector<Guard> guards_;
    Sample before_, after_, inner_;
    std::vector<Sample> seen_;   ///< of the step, kMostPieces + 1
    std::vector<double> missed_; ///< by cubic polynomials through what was seen
    std::vector<int> fired_;
    bool failed_ = false;
    bool open_ = false; ///< what was seen last leaves room for more
};

} // namespace driftless::integrate
