// Whether M has no part along any constraint: rank M = n - m, where M is positive definite on ker W and W has full rank m.
//
//   M v' = f - W^T lambda,  N a basis of ker M:   N^T W^T lambda = N^T f
//
// With m vectors in N the matrix N^T W^T is square, and regular because M is positive definite on ker W: the multipliers are
// functions of q and v, one differentiation nearer than W M^-1 W^T lambda = ... has them. A quaternion whose norm is its body's
// only constraint is the case; with a joint beside it N has one column for two and more rows.
#include <algorithm>
#include <numeric>

#include "core/expr/Tape.h"
#include "core/formulation/Forms.h"
#include "core/solve/DenseDecompositions.h"

namespace driftless::formulation {
namespace {

using model::ConstrainedSystem;

constexpr int kLargestBlock = 64;    ///< coordinates; blocks of quaternions have four or seven
constexpr double kRankRound = 1e-10; ///< of a pivot against the largest one of its block

/// Coordinates that M couples, each block a list.
std::vector<std::vector<int>> massBlocks(const ConstrainedSystem& system)
{
    std::vector<int> parent(static_cast<std::size_t>(system.n()));
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int i) {
        while (parent[static_cast<std::size_t>(i)] != i)
            i = parent[static_cast<std::size_t>(i)] = parent[static_cast<std::size_t>(parent[static_cast<std::size_t>(i)])];
        return i;
    };
    for (const model::MassEntry& e : system.mass)
        parent[static_cast<std::size_t>(root(e.row))] = root(e.column);
    std::vector<std::vector<int>> blocks(parent.size());
    for (int i = 0; i < system.n(); ++i)
        blocks[static_cast<std::size_t>(root(i))].push_back(i);
    std::erase_if(blocks, [](const auto& b) { return b.empty(); });
    return blocks;
}

/// Values of M at a point of no special kind; empty where it cannot be evaluated.
std::vector<double> genericMass(const ConstrainedSystem& system)
{
    std::vector<expr::Expr> entries;
    for (const model::MassEntry& e : system.mass)
        entries.push_back(e.value);
    std::vector<expr::Symbol> coordinates, parameters;
    std::vector<double> q, p;
    for (const model::Coordinate& c : system.coordinates) {
        coordinates.push_back(c.q);
        q.push_back(0.4 + 0.1 * static_cast<double>(q.size() * 7 % 11));
    }
    for (const model::Parameter& parameter : system.parameters) {
        parameters.push_back(parameter.symbol);
        p.push_back(parameter.quantity.value);
    }
    const auto tape = expr::Tape::compile(entries, {{*expr::time().symbol()}, coordinates, parameters});
    std::vector<double> values(entries.size());
    const double t = 0.37;
    if (!tape)
        return {};
    auto workspace = tape->workspace();
    return tape->evaluate({&t, q.data(), p.data()}, values.data(), workspace) ? values : std::vector<double>{};
}

} // namespace

bool massSparesConstraints(const ConstrainedSystem& system)
{
    const auto blocks = massBlocks(system);
    const int most = system.n() - static_cast<int>(blocks.size()); // a block has rank 1 at least
    if (system.m() == 0 || most < system.m())
        return false;
    const std::vector<double> mass = genericMass(system);
    if (mass.empty())
        return false;
    std::vector<int> block(static_cast<std::size_t>(system.n())), place(block);
    for (std::size_t b = 0; b < blocks.size(); ++b)
        for (std::size_t i = 0; i < blocks[b].size(); ++i) {
            block[static_cast<std::size_t>(blocks[b][i])] = static_cast<int>(b);
            place[static_cast<std::size_t>(blocks[b][i])] = static_cast<int>(i);
        }
    std::vector<Eigen::MatrixXd> M;
    for (const auto& b : blocks) {
        if (static_cast<int>(b.size()) > kLargestBlock)
            return false;
        M.push_back(Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(b.size()), static_cast<Eigen::Index>(b.size())));
    }
    for (std::size_t k = 0; k < mass.size(); ++k) {
        const auto row = static_cast<std::size_t>(system.mass[k].row), column = static_cast<std::size_t>(system.mass[k].column);
        M[static_cast<std::size_t>(block[row])](place[row], place[column]) = mass[k];
    }
    int missing = 0;
    for (const Eigen::MatrixXd& m : M) {
        const Eigen::VectorXd pivots = Eigen::LDLT<Eigen::MatrixXd>(m).vectorD().cwiseAbs();
        missing += static_cast<int>((pivots.array() <= kRankRound * pivots.maxCoeff()).count());
    }
    return missing == system.m();
}

} // namespace driftless::formulation
