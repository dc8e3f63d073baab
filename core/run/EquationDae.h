// An equation model after index reduction by dummy derivatives, as integrators see it: index 1, sparse.
//
// The full point holds x_j^(k), k = 0 ... d_j. Rows: every equation with its derivatives up to c_i ([MS91] Step 6), and for every
// x_j^(k+1) that is no dummy a link d/dt x_j^(k) - x_j^(k+1) = 0: n + sum d of both. A highest derivative with a link is no unknown of
// the integrator: the rate itself takes its place in the equations, and the link is dropped (F(t, x, x') = 0). A pivot exchanges links.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/expr/Tape.h"
#include "core/model/EquationModel.h"
#include "core/reduction/EquationAnalysis.h"
#include "core/solve/DaeSystem.h"

namespace driftless::run {

class EquationDae final : public solve::DaeSystem {
public:
    /// The analysis must be regular and of this system.
    static Result<std::unique_ptr<EquationDae>> create(const model::EquationSystem& system, const reduction::EquationAnalysis& analysis);

    void setParameters(std::span<const double> values) { parameters_.assign(values.begin(), values.end()); }
    void setDummies(const std::vector<structure::DummyRange>& dummies);
    int fullSize() const { return static_cast<int>(names_.size()); }
    /// Whether equation row r holds a rate: its residual is then the solver's tolerance over the step, not an error of the solution.
    bool holdsRate(int row) const { return holdsRate_[static_cast<std::size_t>(row)] != 0; }
    /// Whether the value at this full place is integrated (its rate is fixed by a link), so that a restart keeps it.
    bool integrated(int place) const { return roles_[static_cast<std::size_t>(std::max(0, unknown_[static_cast<std::size_t>(place)]))].differential && unknown_[static_cast<std::size_t>(place)] >= 0; }
    const std::string& fullName(int place) const { return names_[static_cast<std::size_t>(place)]; }
    /// Position of x_j^(order) in the full point.
    int place(int unknown, int order) const { return first_[static_cast<std::size_t>(unknown)] + order; }
    /// Rows that are equations; the links follow.
    int equationRows() const { return equationRows_; }
    /// Number of differentiations of equation row r.
    int levelOf(int row) const { return levels_[static_cast<std::size_t>(row)]; }
    /// From the full point to the integrator's unknowns and rates (0 where the unknown is algebraic), and back.
    void compress(const double* full, double* y, double* yp) const;
    void expand(const double* y, const double* yp, double* full) const;
    /// Equation rows and their derivatives with respect to the full point: entries as in `equationEntries`.
    bool equations(double t, const double* full, double* F);
    bool equationJacobian(double t, const double* full, double* values);
    const std::vector<expr::JacobianEntry>& equationEntries() const { return entries_; }

    int size() const override { return static_cast<int>(active_.size()); }
    std::span<const solve::UnknownRole> roles() const override { return roles_; }
    int index() const override { return links_.empty() && rates_.size() == active_.size() ? 0 : 1; }
    std::uint64_t rolesRevision() const override { return revision_; }
    bool residual(double t, const double* y, const double* yp, double* F) override;
    const solve::SparsePattern& pattern() const override { return pattern_; }
    bool jacobian(double t, const double* y, const double* yp, double* dFdy, double* dFdyp) override;
    std::string domainMessage() const override { return message_; }
    std::string unknownName(int i) const override { return names_[static_cast<std::size_t>(active_[static_cast<std::size_t>(i)])]; }
    std::string rowName(int i) const override;

private:
    EquationDae() = default;
    void updatePattern();
    bool say(const expr::Tape& tape, double t, const double* y);

    std::vector<std::string> names_, rowNames_;
    std::vector<int> first_, highest_, levels_;
    std::vector<int> block_; ///< of each x_j: its block in the BLT form
    int equationRows_ = 0;
    std::vector<int> active_;  ///< full places of the integrator's unknowns
    std::vector<int> unknown_; ///< of each full place, -1 where the rate of the unknown before takes its place
    std::vector<int> links_;   ///< full places whose rate is the unknown behind them
    std::vector<char> holdsRate_;
    std::vector<int> rates_;   ///< full places whose rate stands for the highest derivative behind them
    expr::Tape rows_, jacobian_;
    expr::TapeWorkspace rowsWork_, jacobianWork_;
    std::vector<expr::JacobianEntry> entries_;
    std::vector<double> parameters_, values_, full_;
    std::vector<solve::UnknownRole> roles_;
    solve::SparsePattern pattern_;
    std::vector<int> entryPlace_, linkRatePlace_, linkValuePlace_;
    std::uint64_t revision_ = 0;
    std::string message_;
};

} // namespace driftless::run
