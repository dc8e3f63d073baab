#include "core/run/EquationRun.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/run/EquationDae.h"
#include "core/reduction/LeadingJacobian.h"
#include "core/solve/DenseDecompositions.h"

namespace driftless::run {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// The selection is exchanged when the volume spanned by its columns has fallen below this part of that of the best ones; as for
/// mechanisms, a factor of two keeps it from changing to and fro.
constexpr double kHysteresis = 0.5;
constexpr int kMostStartIterations = 60;
constexpr int kMostStartUnknowns = 1500; ///< the start is solved densely
constexpr double kStartResidual = 1e-9;  ///< relative to the size of the terms: what is left of Newton's iteration

class Runner {
public:
    Runner(const model::EquationModel& model, const EquationRunSettings& settings) : settings_(settings), system_(model.system) { result_.model = model.name; }

    Result<EquationRunResult> run()
    {
        const auto begin = std::chrono::steady_clock::now();
        if (auto set = applySettings(); !set)
            return set.error();
        analysis_ = reduction::analyseEquations(system_);
        if (analysis_.eliminated) {
            system_ = *analysis_.eliminatedSystem;
            analysis_ = reduction::EquationAnalysis(*analysis_.eliminated);
        }
        if (analysis_.structure.singular || analysis_.jacobianSingular || !analysis_.jacobianKnown)
            return *analysis_.diagnostic;
        auto dae = EquationDae::create(system_, analysis_);
        if (!dae)
            return dae.error();
        dae_ = std::move(*dae);
        y_.assign(at(dae_->fullSize()), 0);
        if (auto start = findStart(); !start)
            return start.error();
        select(0);
        auto integrator = integrate::makeIntegrator(settings_.integrator);
        if (!integrator)
            return integrator.error();
        integrator_ = std::move(*integrator);
        if (auto ready = start_(0); !ready)
            return ready.error();
        advance();
        finish();
        result_.wallSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return std::move(result_);
    }

private:
    Result<void> applySettings()
    {
        for (const auto& [name, value] : settings_.set) {
            const auto same = [&name = name](const auto& item) { return item.quantity.name == name; };
            const auto parameter = std::find_if(system_.parameters.begin(), system_.parameters.end(), same);
            const auto unknown = std::find_if(system_.unknowns.begin(), system_.unknowns.end(), same);
            if (parameter != system_.parameters.end())
                parameter->quantity.value = value;
            else if (unknown != system_.unknowns.end()) {
                unknown->quantity.value = value;
                unknown->started = true;
                unknown->status = model::InitialStatus::Fixed;
            } else
                return Diagnostic{"The model has no parameter or variable '" + name + "'", "--set", "", "", {}};
        }
        return {};
    }

    Result<void> restart(double t)
    {
        if (auto polished = polish(t); !polished)
            return polished;
        return start_(t);
    }

    Result<void> start_(double t)
    {
        if (auto ready = integrator_->prepare(*dae_, settings_.options); !ready)
            return ready;
        inner_.resize(at(dae_->size()));
        rates_.resize(inner_.size());
        dae_->compress(y_.data(), inner_.data(), rates_.data());
        return integrator_->restart(t, inner_, rates_);
    }

    /// Given start values stay where the equations allow it; else they move as little as possible, unless they are fixed.
    Result<void> findStart()
    {
        std::vector<double> kept(at(dae_->fullSize()), 1), moved(kept);
        constexpr double kFreely = 1e3; // what was not given moves first; more would cost digits
        std::fill(moved.begin(), moved.end(), kFreely);
        for (std::size_t j = 0; j < system_.unknowns.size(); ++j) {
            const auto& x = system_.unknowns[j];
            const auto place = at(dae_->place(static_cast<int>(j), 0));
            y_[place] = x.quantity.value;
            const bool fixed = x.status == model::InitialStatus::Fixed;
            kept[place] = fixed || x.started ? 0 : 1;
            moved[place] = fixed ? 0 : x.started ? 1 : kFreely;
        }
        const std::vector<double> given = y_;
        auto found = solveEquations(0, kept);
        if (found)
            return found;
        if (settings_.allowInconsistent)
            return {};
        y_ = given;
        return solveEquations(0, moved);
    }

    /// After a pivot: the values that are integrated stay, the others follow from the equations.
    Result<void> polish(double t)
    {
        std::vector<double> weight(at(dae_->fullSize()));
        for (int p = 0; p < dae_->fullSize(); ++p)
            weight[at(p)] = dae_->integrated(p) ? 0 : 1;
        return solveEquations(t, weight);
    }

    /// Gauss-Newton on all equations and their derivatives; a weight of zero keeps a value.
    Result<void> solveEquations(double t, const std::vector<double>& weight)
    {
        const int n = dae_->fullSize(), m = dae_->equationRows();
        if (n > kMostStartUnknowns)
            return Diagnostic{"The reduced system has " + std::to_string(n) + " unknowns", "", "consistent start values are computed for up to " + std::to_string(kMostStartUnknowns), "", {}};
        std::vector<double> F(at(m)), values(dae_->equationEntries().size());
        double size = 0;
        for (int iteration = 0; iteration < kMostStartIterations; ++iteration) {
            if (!dae_->equations(t, y_.data(), F.data()) || !dae_->equationJacobian(t, y_.data(), values.data()))
                return Diagnostic{"The start values lie outside the domain of the equations", "", dae_->domainMessage(), "other start values", {}};
            Eigen::MatrixXd J = Eigen::MatrixXd::Zero(m, n);
            Eigen::VectorXd r(m), scale = Eigen::VectorXd::Zero(m);
            for (std::size_t k = 0; k < values.size(); ++k) {
                const auto& e = dae_->equationEntries()[k];
                J(e.row, e.column) = values[k];
                scale(e.row) = std::max(scale(e.row), std::abs(values[k]) * std::max(1.0, std::abs(y_[at(e.column)])));
            }
            size = 0;
            for (int i = 0; i < m; ++i) {
                const double s = scale(i) > 0 ? scale(i) : 1;
                r(i) = F[at(i)] / s;
                J.row(i) /= s;
                size = std::max(size, std::abs(r(i)));
            }
            for (int j = 0; j < n; ++j)
                J.col(j) *= weight[at(j)];
            if (size < 1e-14 && iteration > 0)
                return {};
            const Eigen::VectorXd step = J.completeOrthogonalDecomposition().solve(r);
            double change = 0;
            for (int j = 0; j < n; ++j) {
                const double d = weight[at(j)] * step(j);
                change = std::max(change, std::abs(d) / (1 + std::abs(y_[at(j)])));
                y_[at(j)] -= d;
            }
            if (change < 1e-15 * n)
                break;
        }
        if (size <= kStartResidual)
            return {};
        return Diagnostic{"No consistent start values were found", "", "the fixed values contradict the equations, or the guesses are too far away",
                          "fix fewer values, or give start values nearer to a solution", {}};
    }

    /// Dummies by the values at y; true when they changed.
    bool select(double t)
    {
        std::vector<double> values(dae_->equationEntries().size());
        if (!dae_->equationJacobian(t, y_.data(), values.data()))
            return false;
        if (leading_.empty())
            findLeading();
        for (auto& row : leading_)
            for (auto& e : row)
                e.value = values[e.entry];
        const auto chooser = [this](std::span<const int> rows, std::span<const int> columns) {
            const auto m = dense(rows, columns);
            const reduction::RankResult found = reduction::rankOf(m, static_cast<int>(rows.size()), static_cast<int>(columns.size()), false);
            return found.rank == static_cast<int>(rows.size()) ? found.pivotColumns : std::vector<int>{};
        };
        if (!selection_.stages.empty() && !due(chooser))
            return false;
        auto chosen = structure::selectDummies(analysis_.signature, analysis_.structure.pantelides.c, analysis_.structure.pantelides.d, analysis_.structure.blocks, chooser);
        if (!chosen.complete)
            return false;
        const bool changed = !selection_.stages.empty();
        selection_ = std::move(chosen);
        dae_->setDummies(selection_.dummies);
        return changed;
    }

    /// Whether the columns of some stage span too little beside the best ones.
    bool due(const structure::ColumnChooser& chooser) const
    {
        for (const auto& stage : selection_.stages) {
            if (stage.m == 0 || stage.m == static_cast<int>(stage.z.size()))
                continue; // nothing to choose
            std::vector<int> rows, columns, present;
            for (int k = 0; k < stage.m; ++k)
                rows.push_back(stage.g[at(k)].equation);
            for (const auto& z : stage.z)
                if (z.order > 0)
                    columns.push_back(z.unknown);
            for (const auto& z : stage.selected)
                present.push_back(z.unknown);
            std::vector<int> best;
            for (const int p : chooser(rows, columns))
                best.push_back(columns[at(p)]);
            if (best.size() == rows.size() && volume(rows, present) < kHysteresis * volume(rows, best))
                return true;
        }
        return false;
    }

    double volume(std::span<const int> rows, std::span<const int> columns) const
    {
        const auto m = dense(rows, columns);
        const auto n = static_cast<Eigen::Index>(rows.size());
        const Eigen::MatrixXd square = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(m.data(), n, n);
        double out = 1;
        const Eigen::MatrixXd qr = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(square).matrixQR();
        for (Eigen::Index i = 0; i < n; ++i)
            out *= std::abs(qr(i, i));
        return out;
    }

    struct Leading {
        int column;
        std::size_t entry;
        double value;
    };

    /// Which entries of the Jacobian are dF_i^(c_i) / dx_j^(d_j).
    void findLeading()
    {
        const auto& c = analysis_.structure.pantelides.c;
        const auto& d = analysis_.structure.pantelides.d;
        std::vector<int> equationOf(at(dae_->equationRows()), -1), unknownOf(at(dae_->fullSize()), -1);
        int row = 0;
        for (std::size_t i = 0; i < c.size(); ++i) {
            row += c[i];
            equationOf[at(row++)] = static_cast<int>(i);
        }
        for (std::size_t j = 0; j < d.size(); ++j)
            unknownOf[at(dae_->place(static_cast<int>(j), d[j]))] = static_cast<int>(j);
        leading_.resize(c.size());
        const auto& entries = dae_->equationEntries();
        for (std::size_t k = 0; k < entries.size(); ++k)
            if (equationOf[at(entries[k].row)] >= 0 && unknownOf[at(entries[k].column)] >= 0)
                leading_[at(equationOf[at(entries[k].row)])].push_back({unknownOf[at(entries[k].column)], k, 0});
    }

    std::vector<double> dense(std::span<const int> rows, std::span<const int> columns) const
    {
        std::vector<double> out(rows.size() * columns.size());
        for (std::size_t r = 0; r < rows.size(); ++r)
            for (const Leading& e : leading_[at(rows[r])])
                if (const auto found = std::find(columns.begin(), columns.end(), e.column); found != columns.end())
                    out[r * columns.size() + static_cast<std::size_t>(found - columns.begin())] = e.value;
        return out;
    }

    void measure(double t)
    {
        std::vector<double>& F = work_;
        F.resize(at(dae_->equationRows()));
        std::fill(result_.residual, result_.residual + 3, 0.0);
        if (!dae_->equations(t, y_.data(), F.data()))
            return;
        for (int r = 0; r < dae_->equationRows(); ++r)
            if (const int level = dae_->levelOf(r); level < 3 && !dae_->holdsRate(r))
                result_.residual[level] = std::max(result_.residual[level], std::abs(F[at(r)]));
        for (int level = 0; level < 3; ++level)
            result_.maxResidual[level] = std::max(result_.maxResidual[level], result_.residual[level]);
    }

    void add(const integrate::Statistics& s)
    {
        auto& all = result_.statistics;
        all.steps += s.steps;
        all.rejected += s.rejected;
        all.residualEvaluations += s.residualEvaluations;
        all.jacobianEvaluations += s.jacobianEvaluations;
        all.factorizations += s.factorizations;
        all.newtonIterations += s.newtonIterations;
    }

    void advance()
    {
        measure(0);
        int next = 0;
        const auto sampleTime = [this](int k) { return settings_.samples == 1 ? settings_.end : settings_.end * k / (settings_.samples - 1); };
        const auto sample = [&](double t) {
            while (next < settings_.samples && sampleTime(next) <= t)
                result_.samples.push_back({sampleTime(next++), y_});
        };
        sample(0);
        bool choices = false;
        for (const auto& s : selection_.stages)
            choices = choices || (s.m > 0 && s.m < static_cast<int>(s.z.size()));
        double t = 0;
        while (t < settings_.end) {
            const integrate::StepOutcome outcome = integrator_->step(next < settings_.samples ? sampleTime(next) : settings_.end);
            if (outcome.status != integrate::StepStatus::Accepted) {
                result_.failed = true;
                result_.diagnostic = Diagnostic{"The integration stopped at t = " + std::to_string(outcome.t), "", outcome.reason, "looser or tighter tolerances, or another method", {}};
                break;
            }
            t = integrator_->t();
            dae_->expand(integrator_->y().data(), integrator_->yp().data(), y_.data());
            measure(t);
            sample(t);
            if (choices && t < settings_.end && select(t)) {
                std::string names;
                for (const auto& d : selection_.dummies)
                    names += (names.empty() ? "" : ", ") + system_.unknowns[at(d.unknown)].quantity.name;
                result_.pivots.emplace_back(t, "derivatives of " + names + " are dummies now");
                add(integrator_->statistics());
                auto fresh = integrate::makeIntegrator(settings_.integrator);
                integrator_ = std::move(*fresh);
                if (auto ready = restart(t); !ready) {
                    result_.failed = true;
                    result_.diagnostic = ready.error();
                    break;
                }
            }
        }
        result_.t = t;
    }

    void finish()
    {
        add(integrator_->statistics());
        result_.settings = settings_;
        result_.y = y_;
        for (int i = 0; i < dae_->fullSize(); ++i)
            result_.names.push_back(dae_->fullName(i));
    }

    EquationRunSettings settings_;
    model::EquationSystem system_;
    reduction::EquationAnalysis analysis_;
    std::unique_ptr<EquationDae> dae_;
    std::unique_ptr<integrate::Integrator> integrator_;
    structure::DummySelection selection_;
    std::vector<std::vector<Leading>> leading_;
    std::vector<double> y_; ///< the full point
    std::vector<double> inner_, rates_, work_;
    EquationRunResult result_;
};

} // namespace

Result<EquationRunResult> runEquations(const model::EquationModel& model, const EquationRunSettings& settings)
{
    return Runner(model, settings).run();
}

} // namespace driftless::run
