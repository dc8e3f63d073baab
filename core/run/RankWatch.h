// Whether a motion passed a configuration in which its constraints lose their rank.
//
//   G        m x n, the gradients of the constraints at a point of the motion
//   R, C     diagonal scales of rows and columns: the entries of R G C have rows and columns of like size at both ends of a stretch of
//            the motion, so that neither units nor masses nor lengths enter; held along it, so that a row that vanishes is seen
//   sigma    smallest singular value of R G C: 0 where the rank is lost, 1 where rows are orthogonal
//
// Between two recorded points sigma is sought along the cubic through positions and rates at both. It is never met at exactly 0: near a
// singular point the constraints read K u w = rho, K the change of R G C along the motion and rho = R g what the positions violate, so a
// path with this rho comes as near as sigma = sqrt(2 K rho) and no nearer. What is smaller cannot be told from the singular point, what is
// larger was not it. K rho has no unit.
#pragma once

#include <span>
#include <vector>

#include "core/formulation/Pivot.h"
#include "core/model/CompiledSystem.h"

namespace driftless::run {

class RankWatch {
public:
    /// A point of the motion: t [s], positions, their rates q' and the velocities v (the same where q' = v), n each.
    struct Point {
        double t = 0;
        std::vector<double> q, rate, v;
    };
    struct Nearest {
        double t = 0, sigma = 1;
        double limit = 0;      ///< what cannot be told from zero there
        std::vector<int> rows; ///< constraints that take part
    };

    /// The chooser is that of the velocities: its matrix is lost.
    RankWatch(model::SystemEvaluator& evaluator, formulation::PivotChooser& chooser);

    /// The point of least sigma on the way through the points (two or more, in order of t). Allocates.
    Nearest nearest(std::span<const Point> way);
    /// Whether the kernel of G at one point has turned against that at another by more than a right angle, as it does where an odd
    /// number of ranks is lost between.
    bool turns(const Point& from, const Point& to);

private:
    bool takeScales(const Point& from, const Point& to);
    double bend(const Point& from, const Point& to);
    double sigmaAt(double t, const double* q, std::vector<int>* rows = nullptr);
    double limitAt(double t, const double* q, double bent);
    void narrow(const Point& from, const Point& to, Nearest& least);
    double placed(const Point& from, const Point& to, double s);

    model::SystemEvaluator& evaluator_;
    formulation::PivotChooser& chooser_;
    std::vector<double> q_, values_, first_, last_, residual_, rowScale_, columnScale_, rowSum_, columnSum_;
};

} // namespace driftless::run
