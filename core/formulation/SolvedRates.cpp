// The linear system of the rates, solved on the tape that states it.
//
// A general solver looks for pivots at every stage, and calls, copies and indices cost a small system more than its arithmetic.
// Here the pivots are chosen when the form is compiled, from the matrix at some random points, and the elimination becomes
// operations of the tape, with all that it shares with the equations. Whether these pivots suit the numbers that come is seen
// from the residual of the solution; where it is more than round-off, the general solver is asked in the same evaluation.
#include <random>

#include "core/formulation/CompiledDae.h"
#include "core/solve/PivotOrder.h"

namespace driftless::formulation {
namespace {

constexpr std::size_t kMostRates = 48; ///< unknowns; beyond, a general solver does as well
constexpr int kPoints = 12, kTries = 60;
constexpr double kRoundoff = 1e-13; ///< of a residual: some hundred operations on numbers of its row

/// Entries of the matrix at points where all unknowns are between -1.5 and 1.5, as far as they are defined there.
std::vector<std::vector<double>> sampled(const expr::Tape& tape, const std::vector<double>& parameters, std::size_t n)
{
    std::mt19937 random(20261123);
    const auto draw = [&random] { return 3.0 * static_cast<double>(random()) / 4294967296.0 - 1.5; };
    expr::TapeWorkspace work = tape.workspace();
    std::vector<double> y(n), yp(n), outputs(tape.outputCount());
    std::vector<std::vector<double>> samples;
    for (int k = 0; k < kTries && static_cast<int>(samples.size()) < kPoints; ++k) {
        const double t = draw();
        for (auto* list : {&y, &yp})
            for (double& value : *list)
                value = draw();
        const double* const banks[] = {&t, y.data(), yp.data(), parameters.data()};
        if (tape.evaluate(banks, outputs.data(), work))
            samples.emplace_back(outputs.begin() + static_cast<std::ptrdiff_t>(n), outputs.end());
    }
    return samples;
}

} // namespace

void CompiledDae::compileSolvedRates(const std::vector<expr::Expr>& outputs,
                                     const std::vector<std::vector<expr::Symbol>>& banks)
{
    const std::size_t n = dae_.unknowns.size();
    if (n > kMostRates || !dae_.bases.empty())
        return;
    std::vector<double> parameters = system_->defaultParameters();
    const std::vector<double> gains = defaultGains();
    parameters.insert(parameters.end(), gains.begin(), gains.end());
    std::vector<solve::MatrixPlace> places;
    expr::Tape::LinearSystem system{.size = static_cast<int>(n), .places = {}, .pivots = {}};
    for (std::size_t j = 0; j < n; ++j)
        for (int k = ratePattern_.columnStarts[j]; k < ratePattern_.columnStarts[j + 1]; ++k) {
            places.push_back({ratePattern_.rowIndices[static_cast<std::size_t>(k)], static_cast<int>(j)});
            system.places.emplace_back(places.back().row, places.back().column);
        }
    for (const solve::MatrixPlace& pivot : solve::pivotOrder(static_cast<int>(n), places, sampled(rates_, parameters, n)))
        system.pivots.emplace_back(pivot.row, pivot.column);
    if (system.pivots.empty())
        return;
    if (auto tape = expr::Tape::compileSolution(outputs, banks, system, kRoundoff))
        solvedRates_ = std::move(*tape);
}

} // namespace driftless::formulation
