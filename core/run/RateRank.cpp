#include "core/run/RateRank.h"

#include <cmath>

#include "core/solve/Determinant.h"

namespace driftless::run {

using Eigen::Index;
using Eigen::MatrixXd;

struct RateRank::Work {
    Index n, h, rows;
    MatrixXd both, gram;
    std::vector<double> gradients, slopes;
    Eigen::SelfAdjointEigenSolver<MatrixXd> eigen;
    Eigen::PartialPivLU<MatrixXd> lu;
    double ratio = 1;
    int orientation = 0;

    explicit Work(const model::CompiledSystem& system)
        : n(system.n()), h(system.holonomic()), rows(h + system.m()), both(MatrixXd::Zero(rows, n)), gram(rows, rows),
          gradients(system.positionJacobianPlaces().size()), slopes(system.rateSlopePlaces().size()),
          eigen(rows > 0 && rows <= kExactRows ? rows : 1), lu(rows == n && rows > 0 ? rows : 1)
    {
    }

    void judge()
    {
        if (rows > n) {
            ratio = 0;
        } else if (rows <= kExactRows) {
            gram.noalias() = both.lazyProduct(both.transpose());
            eigen.compute(gram, Eigen::EigenvaluesOnly);
            const double largest = eigen.eigenvalues()(rows - 1);
            ratio = largest > 0 ? std::sqrt(std::max(0.0, eigen.eigenvalues()(0)) / largest) : 0;
        } else {
            const Eigen::ColPivHouseholderQR<MatrixXd> qr(both);
            const double largest = std::abs(qr.matrixR()(0, 0));
            ratio = largest > 0 ? std::abs(qr.matrixR()(rows - 1, rows - 1)) / largest : 0;
        }
        if (rows != n)
            return;
        lu.compute(both);
        orientation = solve::signOfDeterminant(lu);
    }
};

RateRank::RateRank() = default;
RateRank::~RateRank() = default;

bool RateRank::load(model::SystemEvaluator& evaluator, const model::NominalScales& units, const model::ModelState& state)
{
    const model::CompiledSystem& system = evaluator.compiled();
    if (!work_)
        work_ = std::make_unique<Work>(system);
    Work& w = *work_;
    if (w.rows == 0 || !evaluator.positionJacobian(state.t, state.q.data(), w.gradients.data())
        || !evaluator.rateSlope(state.t, state.q.data(), state.v.data(), w.slopes.data()))
        return false;
    w.both.setZero();
    const auto places = system.positionJacobianPlaces(), slopes = system.rateSlopePlaces();
    for (std::size_t k = 0; k < places.size(); ++k)
        w.both(places[k].row, places[k].column) = w.gradients[k] * units.positions[static_cast<std::size_t>(places[k].column)]
                                                  / units.rows[static_cast<std::size_t>(places[k].row)];
    const double time = units.time;
    for (std::size_t k = 0; k < slopes.size(); ++k)
        w.both(w.h + slopes[k].row, slopes[k].column) = time * w.slopes[k]
                                                        * units.positions[static_cast<std::size_t>(slopes[k].column)]
                                                        / units.rows[static_cast<std::size_t>(slopes[k].row)];
    if (!w.both.allFinite())
        return false;
    w.judge();
    return true;
}

double RateRank::ratio() const { return work_->ratio; }
int RateRank::orientation() const { return work_->orientation; }

} // namespace driftless::run
