// The motion that a race is held against, at every time, and how far a run is from it over the whole interval.
#pragma once

#include <memory>
#include <vector>

#include "core/system/CompiledSystem.h"
#include "tests/bench/race/Problems.h"

namespace driftless::bench {

/// Positions, velocities and accelerations at every step of dop853 at the smallest tolerance it has, none of them longer than a
/// cell; in between by the polynomial of degree five through them, whose error is below 1e-13 on the problems here.
class Reference {
public:
    Reference(const Problem& problem, std::shared_ptr<const model::CompiledSystem> system);

    std::size_t n() const { return n_; }
    /// q and v (n numbers each) at t.
    void at(double t, double* q, double* v) const;
    /// Largest magnitudes over the interval.
    const std::vector<double>& positionExtents() const { return positionExtents_; }
    const std::vector<double>& velocityExtents() const { return velocityExtents_; }
    /// From the positions at the end that are known to twenty digits; 0 where there are none.
    double errorAtEnd() const { return errorAtEnd_; }

private:
    static constexpr int kCells = 4000;
    void keep(double t, const double* y, const double* yp);

    std::size_t n_;
    std::vector<double> times_;                                  ///< [s]
    std::vector<double> positions_, velocities_, accelerations_; ///< n for each time
    std::vector<double> positionExtents_, velocityExtents_;
    double errorAtEnd_ = 0;
};

/// The largest error of the positions, each beside one plus its magnitude.
double errorOf(const double* q, const std::vector<double>& reference);

/// Errors beside one plus the largest magnitude over the interval; drift: |g| and |g'| at most, in the model's units.
struct Errors {
    double position = 0, velocity = 0, atEnd = 0;
    double drift = 0, velocityDrift = 0;
    double overall() const { return position > velocity ? position : velocity; }
};

/// Is shown the state after every step of a run.
class Judge {
public:
    Judge(const Problem& problem, const Reference& reference, std::shared_ptr<const model::CompiledSystem> system);
    void begin() { errors_ = {}; }
    void see(double t, const double* q, const double* v);
    const Errors& errors() const { return errors_; }

private:
    const Problem& problem_;
    const Reference& reference_;
    std::shared_ptr<const model::CompiledSystem> system_;
    model::SystemEvaluator evaluator_;
    std::vector<double> q_, v_, g_, rates_;
    Errors errors_;
};

} // namespace driftless::bench
