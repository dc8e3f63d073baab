// The linear system of the rates, solved on the tape that states it.
//
// A general solver looks for pivots at every stage, and calls, copies and indices cost a small system more than its arithmetic.
// Here the pivots are chosen when the form is compiled, from the matrix near the start of the model and at some points farther
// away, and the elimination becomes operations of the tape, with all that it shares with the equations. The rows are taken
// where all that is asked for is zero, so that what comes out depends on the differential unknowns alone.
//
// Whether these pivots suit the numbers that come is seen from the residual of the solution; where it is more than round-off,
// the general solver is asked in the same evaluation. Of the stages of a step the residual is looked at where a pivot is below
// a thousandth of what it is near the start; at the end of a step it always is.
//
// In a large system accelerations may be differences of much larger forces. Their rows cannot be better than the round-off of
// these forces, and are judged by it, as long as half of the digits of all these rows together are left.
#include <cmath>
#include <random>

#include "core/formulation/CompiledDae.h"
#include "core/solve/PivotOrder.h"

namespace driftless::formulation {
namespace {

constexpr std::size_t kLarge = 48;        ///< unknowns; beyond, rows are judged by the forces that enter
constexpr std::size_t kMostRates = 2000;  ///< unknowns
constexpr std::size_t kMostWork = 40'000; ///< multiplications of the elimination; a full matrix of 48 takes 35,720
constexpr int kPoints = 12, kTries = 60;
constexpr double kRoundoff = 1e-13; ///< of a residual: some hundred operations on numbers of its row
constexpr double kHalfTheDigits = 1e-8;
constexpr double kUsualShare = 0.001; ///< of a pivot near the start: three digits of the sixteen
constexpr int kNear = 8;              ///< points there
constexpr double kNearby = 0.1;       ///< how far they are from it, as a share of its numbers

struct Point {
    double t = 0;
    std::vector<double> y, yp;
    std::vector<double> outputs; ///< of the rows and entries
};

/// Points near the start, then such farther away, as far as rows and entries are defined there.
class Points {
public:
    Points(const expr::Tape& tape, const std::vector<double>& parameters)
        : tape_(tape), parameters_(parameters), work_(tape.workspace())
    {
    }

    void near(double t, const std::vector<double>& start)
    {
        add({.t = t, .y = start, .yp = std::vector<double>(start.size(), 0.0), .outputs = {}}, start_);
        for (int k = 0; k < kNear; ++k) {
            Point point{.t = t, .y = start, .yp = start, .outputs = {}};
            for (std::size_t i = 0; i < start.size(); ++i) {
                point.y[i] += kNearby * draw() * start[i];
                point.yp[i] = draw();
            }
            add(std::move(point), points_);
        }
        usual_ = points_.size();
    }
    /// In whatever units: numbers of the start times factors between -1.5 and 1.5.
    void anywhere(double t, const std::vector<double>& start)
    {
        for (int k = 0; k < kTries && points_.size() < usual_ + kPoints; ++k) {
            Point point{.t = t, .y = start, .yp = start, .outputs = {}};
            for (auto* list : {&point.y, &point.yp})
                for (double& value : *list)
                    value *= draw();
            add(std::move(point), points_);
        }
    }

    const std::vector<Point>& all() const { return points_; }
    std::size_t usual() const { return usual_; }
    /// The start itself, for points near it pull the links of a long chain far apart, and those; where there are none, all.
    std::vector<Point> usualOnes() const
    {
        std::vector<Point> out = start_;
        out.insert(out.end(), points_.begin(),
                   usual_ > 0 ? points_.begin() + static_cast<std::ptrdiff_t>(usual_) : points_.end());
        return out;
    }

private:
    double draw() { return 3.0 * static_cast<double>(random_()) / 4294967296.0 - 1.5; }
    void add(Point point, std::vector<Point>& to)
    {
        point.outputs.resize(tape_.outputCount());
        const double* const banks[] = {&point.t, point.y.data(), point.yp.data(), parameters_.data()};
        if (tape_.evaluate(banks, point.outputs.data(), work_))
            to.push_back(std::move(point));
    }

    const expr::Tape& tape_;
    const std::vector<double>& parameters_;
    expr::TapeWorkspace work_;
    std::mt19937 random_{20261123};
    std::vector<Point> start_, points_;
    std::size_t usual_ = 0;
};

/// One over the smallest usual size of each pivot, where it is one; 0 where it has none, which no pivot passes.
std::vector<double> scalesOf(const expr::Tape& tape, std::span<const Point> points, const std::vector<char>& differential,
                             const std::vector<double>& parameters)
{
    const std::size_t n = differential.size();
    std::vector<double> least(tape.outputCount() - n, HUGE_VAL), state, outputs(tape.outputCount());
    expr::TapeWorkspace work = tape.workspace();
    for (const Point& point : points) {
        state.clear();
        for (std::size_t i = 0; i < n; ++i)
            if (differential[i])
                state.push_back(point.y[i]);
        const double* const banks[] = {&point.t, state.data(), parameters.data()};
        tape.run(banks, outputs.data(), work);
        for (std::size_t k = 0; k < least.size(); ++k)
            if (const double size = std::abs(outputs[n + k]); size > 0 && size < least[k])
                least[k] = size;
    }
    for (double& value : least)
        value = value > 0 && value < HUGE_VAL ? 1 / (kUsualShare * value) : 0;
    return least;
}

} // namespace

/// The unknowns at the start that the model states, as far as it is defined.
bool CompiledDae::usualStart(const std::vector<double>& parameters, std::vector<double>& y) const
{
    model::SystemEvaluator evaluator(system_);
    evaluator.setParameters(system_->defaultParameters());
    model::ModelState state;
    state.resize(system_->n(), system_->w());
    if (!evaluator.starts(state.q.data(), state.v.data(), state.lambda.data()))
        return false;
    const double t = 0;
    const double* const banks[] = {&t, state.q.data(), state.v.data(), state.a.data(), state.lambda.data(), parameters.data()};
    expr::TapeWorkspace work = start_.workspace();
    std::vector<double> values(start_.outputCount());
    if (!start_.evaluate(banks, values.data(), work))
        return false;
    y.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(dae_.unknowns.size()));
    return true;
}

void CompiledDae::compileSolvedRates(const std::vector<expr::Expr>& outputs, const std::vector<char>& differential,
                                     const std::vector<std::vector<expr::Symbol>>& banks)
{
    const std::size_t n = dae_.unknowns.size();
    if (n > kMostRates || !dae_.bases.empty())
        return;
    std::vector<double> parameters = system_->defaultParameters();
    const std::vector<double> gains = defaultGains();
    parameters.insert(parameters.end(), gains.begin(), gains.end());
    for (const model::HeldValue& x : system_->system().held)
        parameters.push_back(x.start);
    Points points(rates_, parameters);
    std::vector<double> start;
    if (!usualStart(parameters, start))
        return;
    points.near(0, start);
    points.anywhere(0, start);

    // What is asked for: rates of the differential unknowns, then the algebraic ones.
    std::vector<int> asked(n);
    std::vector<expr::Symbol> states;
    expr::Substitution none;
    int count = 0;
    for (const bool now : {true, false})
        for (std::size_t i = 0; i < n; ++i)
            if (static_cast<bool>(differential[i]) == now) {
                asked[i] = count++;
                none.emplace(now ? banks[2][i] : banks[1][i], expr::Expr(0));
                if (now)
                    states.push_back(banks[1][i]);
            }

    std::vector<solve::MatrixPlace> places;
    std::vector<std::vector<double>> samples;
    expr::Tape::LinearSystem system{
        .size = static_cast<int>(n), .places = {}, .pivots = {}, .movingBanks = 2, .widest = n > kLarge ? kHalfTheDigits : 0};
    for (std::size_t j = 0; j < n; ++j)
        for (int k = ratePattern_.columnStarts[j]; k < ratePattern_.columnStarts[j + 1]; ++k) {
            places.push_back({ratePattern_.rowIndices[static_cast<std::size_t>(k)], static_cast<int>(j)});
            system.places.emplace_back(places.back().row, asked[j]);
        }
    for (const Point& point : points.all())
        samples.emplace_back(point.outputs.begin() + static_cast<std::ptrdiff_t>(n), point.outputs.end());
    for (const solve::MatrixPlace& pivot : solve::pivotOrder(static_cast<int>(n), places, samples, points.usual(), kMostWork))
        system.pivots.emplace_back(pivot.row, asked[static_cast<std::size_t>(pivot.column)]);
    if (system.pivots.empty())
        return;
    std::vector<expr::Expr> sides(outputs);
    for (std::size_t i = 0; i < n; ++i)
        sides[i] = -expr::substitute(outputs[i], none);
    if (auto solved = expr::Tape::compileSolution(sides, {banks[0], states, banks[3]}, system, kRoundoff)) {
        solvedRates_ = std::move(*solved);
        pivotScales_ = scalesOf(solvedRates_.plain, points.usualOnes(), differential, parameters);
    }
}

} // namespace driftless::formulation
