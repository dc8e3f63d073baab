// Whether a motion passed a configuration in which its constraints lose their rank.
//
//   G        m x n, the gradients of the constraints at a point of the motion
//   R, C     diagonal scales of rows and columns: the entries of R G C have rows and columns of like size at both ends of a
//            stretch of the motion, and where it was well away from any loss of rank, so that neither units nor masses nor
//            lengths enter; held along it, so that a row that vanishes is seen
//   sigma    smallest singular value of R G C: 0 where the rank is lost, 1 where rows are orthogonal
//
// Between two recorded points sigma is sought along the method's own polynomial where that is known, else along the cubic
// through positions and rates at both. It is never met at exactly 0: near a singular point the constraints read K u w = rho, K
// the change of R G C along the motion and rho = R g what the positions violate, so a path with this rho comes as near as sigma
// = sqrt(2 K rho) and no nearer. What is smaller cannot be told from the singular point, what is larger was not it. K rho has
// no unit.
#pragma once

#include <span>
#include <vector>

#include "core/formulation/Pivot.h"
#include "core/system/CompiledSystem.h"

namespace driftless::run {

class RankWatch {
public:
    /// A point of the motion: t [s], positions, their rates q' and the velocities v (the same where q' = v), n each.
    struct Point {
        double t = 0;
        std::vector<double> q, rate, v;
    };
    /// Points in order of t, two or more, read one at a time into vectors that have their sizes.
    class Way {
    public:
        virtual ~Way() = default;
        virtual std::size_t size() const = 0;
        virtual void read(std::size_t k, Point& into) const = 0;
        /// A point of the motion where rows are known to be independent, for a way whose ends are both near to where they are
        /// not: rows and columns that vanish there are small against it. q and t alone.
        virtual bool independent(Point& /*into*/) const { return false; }
        /// Positions at a time between two points, where more is known of them than a cubic. room: n velocities.
        virtual bool between(double /*t*/, double* /*q*/, double* /*room*/) const { return false; }
    };
    struct Nearest {
        double t = 0, sigma = 1;
        double limit = 0;   ///< what cannot be told from zero there
        bool rests = false; ///< an end of the way is as near to singular as that: rows may depend on each other anyway
    };

    /// The chooser is that of the velocities: its matrix is lost.
    RankWatch(model::SystemEvaluator& evaluator, formulation::PivotChooser& chooser);

    /// The point of least sigma on the way between two of its points. No allocation up to 32 constraints.
    Nearest nearest(const Way& way, std::size_t first, std::size_t last);
    /// Constraints that take part in the loss at the point found last. Allocates.
    std::vector<int> rows();
    /// Whether the kernel of G at one point has turned against that at another by more than a right angle, as it does where an
    /// odd number of ranks is lost between.
    bool turns(const Way& way, std::size_t from, std::size_t to);

private:
    bool takeScales(const Way& way);
    double bend();
    bool loadScaled(double t, const double* q);
    double sigmaAt(double t, const double* q);
    double mostSigma() const;
    double limitAt(double t, const double* q, double bent);
    void narrow(const Way& way, Nearest& least);
    double placed(const Way& way, double s);

    model::SystemEvaluator& evaluator_;
    formulation::PivotChooser& chooser_;
    Point from_, to_;             ///< the stretch under way
    double found_ = 0;            ///< [s] of the point found last
    std::vector<double> foundAt_; ///< its positions
    std::vector<double> q_, room_, values_, first_, last_, residual_, rowScale_, columnScale_, rowSum_, columnSum_;
};

} // namespace driftless::run
