#include "core/run/ValueDoctor.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/run/Metrics.h"
#include "core/run/States.h"
#include "core/solve/DenseDecompositions.h"
#include "core/system/Model.h"
#include "core/text/Names.h"

namespace driftless::run {

namespace {

constexpr double kNoRank = 1e-10;     // of the largest pivot: rows are scaled to one, derivatives are exact
constexpr double kContradicts = 1e-6; // share of the worst row from which a row counts as one of those in conflict
constexpr std::size_t kMostNamed = 4; // equations in a message
constexpr int kMostDense = 400;       // values: the decomposition costs n^3

class ValueDoctor {
public:
    ValueDoctor(std::shared_ptr<const model::CompiledSystem> system, std::span<const double> parameters,
                const StartSettings& start)
        : system_(std::move(system)), parameters_(parameters.begin(), parameters.end()), start_(start), metrics_(system_),
          states_(States::of(system_, metrics_))
    {
    }

    consistency::Diagnosis run()
    {
        metrics_.setParameters(parameters_);
        consistency::Diagnosis out;
        stated(out);
        out.position.before = residual(out.before.lambda);
        double moved = 0;
        auto found = states_->start(start_, parameters_, moved);
        out.after = found ? *std::move(found) : out.before;
        if (!found)
            out.conflict = explained(found.error(), out);
        out.position.after = residual(out.after.lambda);
        for (std::size_t i = 0; i < out.positions.size(); ++i)
            out.positions[i].after = out.after.lambda[i];
        judge(out);
        return out;
    }

private:
    const std::vector<model::GeneralValue>& values() const { return system_->system().values; }
    reduction::ReducedEvaluator& rows() { return *metrics_.general(); }

    void stated(consistency::Diagnosis& out)
    {
        out.before.resize(0, system_->w());
        out.before.lambda = reduction::statedStarts(*system_->model().reduced, parameters_);
        for (std::size_t i = 0; i < values().size(); ++i) {
            const model::GeneralValue& x = values()[i];
            double value = out.before.lambda[i];
            bool fixed = x.status == model::InitialStatus::Fixed && !start_.fixed;
            if (const auto set = start_.values.find(x.name); set != start_.values.end()) {
                value = set->second;
                fixed = !start_.fixed;
            }
            if (start_.fixed)
                fixed = std::ranges::find(*start_.fixed, x.name) != start_.fixed->end();
            out.before.lambda[i] = value;
            out.positions.push_back({.name = x.name, .unit = x.unit, .before = value, .after = value, .fixed = fixed});
        }
    }

    /// The largest of the rows, and of the initial equations where they count.
    double residual(const std::vector<double>& at)
    {
        const reduction::Reduced& r = rows().reduced();
        std::vector<double> out(static_cast<std::size_t>(r.rowCount()));
        if (!rows().rows(0, at.data(), out.data()))
            return std::numeric_limits<double>::quiet_NaN();
        if (start_.values.empty() && !start_.fixed && r.initialCount > 0) {
            std::vector<double> initial(static_cast<std::size_t>(r.initialCount)), entries(r.initialEntries.size());
            if (!rows().initial(0, at.data(), initial.data(), entries.data()))
                return std::numeric_limits<double>::quiet_NaN();
            out.insert(out.end(), initial.begin(), initial.end());
        }
        double worst = 0;
        for (const double x : out)
            worst = std::max(worst, std::abs(x));
        return worst;
    }

    /// Rows scaled to a largest entry of one; empty where they cannot be computed.
    Eigen::MatrixXd jacobian(const std::vector<double>& at)
    {
        const reduction::Reduced& r = rows().reduced();
        std::vector<double> entries(r.entries.size());
        if (r.valueCount() > kMostDense || !rows().jacobian(0, at.data(), entries.data()))
            return {};
        Eigen::MatrixXd J = Eigen::MatrixXd::Zero(r.rowCount(), r.valueCount());
        for (std::size_t k = 0; k < entries.size(); ++k)
            J(r.entries[k].row, r.entries[k].column) += entries[k];
        for (Eigen::Index i = 0; i < J.rows(); ++i)
            if (const double size = J.row(i).cwiseAbs().maxCoeff(); size > 0)
                J.row(i) /= size;
        return J;
    }

    /// Freedom, and what may be fixed: the values that the rows do not determine from the others.
    void judge(consistency::Diagnosis& out)
    {
        const Eigen::MatrixXd J = jacobian(out.after.lambda);
        if (J.size() == 0)
            return;
        const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(J);
        const auto pivots = qr.matrixQR().diagonal().cwiseAbs();
        Eigen::Index rank = 0;
        while (rank < pivots.size() && pivots(rank) > kNoRank * pivots(0))
            ++rank;
        out.positionFreedom = static_cast<int>(J.cols() - rank);
        out.kappa = rank > 0 ? pivots(rank - 1) / pivots(0) : 1;
        for (Eigen::Index k = rank; k < J.cols(); ++k)
            out.independent.push_back(qr.colsPermutation().indices()(k));
        std::ranges::sort(out.independent);
    }

    /// The equations that the fixed values contradict: what is left of the rows where the others move to meet them best.
    Diagnostic explained(Diagnostic conflict, const consistency::Diagnosis& out)
    {
        Eigen::MatrixXd J = jacobian(out.before.lambda);
        const reduction::Reduced& r = rows().reduced();
        std::vector<double> F(static_cast<std::size_t>(r.rowCount()));
        if (J.size() == 0 || !rows().rows(0, out.before.lambda.data(), F.data()))
            return conflict;
        std::vector<std::string> fixed;
        for (std::size_t j = 0; j < out.positions.size(); ++j)
            if (out.positions[j].fixed) {
                J.col(static_cast<Eigen::Index>(j)).setZero();
                fixed.push_back(out.positions[j].name);
            }
        const Eigen::VectorXd f = Eigen::Map<const Eigen::VectorXd>(F.data(), J.rows());
        const Eigen::VectorXd left = f - J * solve::leastSquares(J, f);
        const double worst = left.cwiseAbs().maxCoeff();
        std::vector<std::string> names;
        for (Eigen::Index i = 0; i < left.size(); ++i)
            if (std::abs(left(i)) > kContradicts * worst && names.size() < kMostNamed)
                names.push_back(r.rowNames[static_cast<std::size_t>(i)]);
        if (!(worst > 0) || fixed.empty())
            return conflict;
        conflict.where = text::firstOf(names);
        conflict.why = "with " + text::firstOf(fixed) + " fixed the equations cannot be met";
        conflict.remedy = "let one of these values free";
        return conflict;
    }

    std::shared_ptr<const model::CompiledSystem> system_;
    std::vector<double> parameters_;
    StartSettings start_;
    Metrics metrics_;
    std::unique_ptr<States> states_;
};

} // namespace

consistency::Diagnosis diagnoseValues(std::shared_ptr<const model::CompiledSystem> system, std::span<const double> parameters,
                                      const StartSettings& start)
{
    return ValueDoctor(std::move(system), parameters, start).run();
}

} // namespace driftless::run
