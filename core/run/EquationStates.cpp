#include "core/run/EquationStates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/run/Plain.h"
#include "core/run/ValueSelector.h"

namespace driftless::run {

namespace {

constexpr double kFreely = 1e3;  // what was not given moves first; more would cost digits
constexpr int kMostStarts = 100; // until the conditions of the start fit its values
// Guesses of what nobody has stated, of its usual size: zero, where a square has no slope and a quotient no value, is one of
// many.
constexpr std::array kGuesses{1.0, 0.1, 10.0, 0.01, 100.0};
constexpr double kMostTried = 5e7; // solutions that are tried, times the cube of the values: a second

/// Where an expression over parameters gives a start no value, or an Integer none of its kind.
std::optional<Diagnostic> wrongStart(const model::ConstrainedSystem& s, const std::vector<double>& values)
{
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool held = i >= s.values.size();
        const auto k = i - s.values.size();
        const std::string& name = held ? s.held[k].name : s.values[i].name;
        if (!std::isfinite(values[i]))
            return Diagnostic{"The start value of " + name + " is not a finite number", {}, {}, "other parameters", {}};
        if (held && s.held[k].whole && values[i] != std::trunc(values[i]))
            return Diagnostic{
                "The start value of " + name + " is " + plain(values[i]), {}, "it is an Integer", "other parameters", {}};
    }
    return std::nullopt;
}

/// The values that nobody has stated, at a guess: of one sign, of the other, and with alternating ones.
void guess(std::vector<double>& y, const std::vector<char>& guessed, const std::vector<double>& sizes, double of, int signs)
{
    int k = 0;
    for (std::size_t i = 0; i < guessed.size(); ++i)
        if (guessed[i]) {
            const bool minus = signs == 1 || (signs > 1 && (k + signs) % 2 == 1);
            y[i] = (minus ? -of : of) * (sizes.empty() ? 1 : sizes[i]);
            ++k;
        }
}

} // namespace

EquationStates::EquationStates(std::shared_ptr<const model::CompiledSystem> compiled, Metrics& of)
    : States(std::move(compiled), of)
{
    if (const auto& reduced = system().model().reduced; reduced->events)
        events_ = std::make_unique<reduction::EventEvaluator>(reduced);
}

/// Values that are whole numbers, which an interpolated state may have missed by round-off.
void EquationStates::keepWhole(std::vector<double>& values) const
{
    const auto& held = system().system().held;
    for (std::size_t k = 0; k < held.size(); ++k)
        if (double& x = values[values.size() - held.size() + k]; held[k].whole)
            x = std::round(x);
}

/// The discrete variables that the conditions of what is given set, where equations have no solution with those of before: an
/// Integer begins with zero, and a quotient by it has no value. False: they set none.
bool EquationStates::heldBeforeSolving(const std::vector<double>& given, std::vector<double>& values)
{
    if (!events_)
        return false;
    values = given;
    const auto done = events_->happen(*metrics().general(), 0, values, {}, metrics().scales().valueUnits,
                                      reduction::EventEvaluator::Cause::Start);
    const auto held = static_cast<std::ptrdiff_t>(system().system().held.size());
    return done && !done->stop && !done->ended && !std::equal(values.end() - held, values.end(), given.end() - held);
}

/// Solves the start until conditions and discrete variables fit what is solved, and does what initial() asks for.
Result<void> EquationStates::hold(const std::vector<double>& parameters,
                                  const std::function<Result<void>(std::vector<double>&)>& solve, std::vector<double>& values)
{
    const std::vector<double> given = values;
    if (events_)
        events_->setParameters(parameters);
    for (int k = 0; k < kMostStarts; ++k) {
        std::vector<double> next = given;
        const auto own = static_cast<std::ptrdiff_t>(given.size() - system().system().held.size());
        std::copy(values.begin() + own, values.end(), next.begin() + own);
        if (auto solved = solve(next); !solved) {
            if (k > 0 || !heldBeforeSolving(given, values))
                return solved;
            continue;
        }
        values = std::move(next);
        if (!events_)
            return {};
        auto done = events_->happen(*metrics().general(), 0, values, {}, metrics().scales().valueUnits,
                                    reduction::EventEvaluator::Cause::Start);
        if (!done)
            return done.error();
        if (done->stop)
            return *std::move(done->stop);
        if (done->unsettled)
            continue;
        if (done->ended)
            return Diagnostic{.what = *std::move(done->ended),
                              .where = "t = 0",
                              .why = "the model ends its run at its start",
                              .remedy = "another start, or another parameter",
                              .position = {}};
        return {};
    }
    return Diagnostic{.what = "The conditions of the model do not fit its start",
                      .where = "t = 0",
                      .why = "what holds changes the values, and they change what holds, in a circle",
                      .remedy = "another start, or conditions that do not undo each other",
                      .position = {}};
}

/// From a solution: what is integrated and nobody has stated rests at zero where the equations let it, rates before places. All
/// rates at once, where that is possible. each: then one after the other, as long as that is not too much.
void EquationStates::letRest(std::vector<double>& y, const StartWeights& weights, bool each)
{
    const reduction::Reduced& reduced = metrics().general()->reduced();
    std::vector<std::size_t> rates, places;
    for (std::size_t j = 0; j < reduced.first.size(); ++j)
        for (int order = reduced.highest[j] - 1; order >= 0; --order)
            if (const auto i = static_cast<std::size_t>(reduced.first[j] + order); weights.guessed[i])
                (order > 0 || reduced.highest[j] == 1 ? rates : places).push_back(i);
    std::vector<double> kept = weights.kept;
    const auto rest = [&](std::span<const std::size_t> which) {
        std::vector<double> next = y, held = kept;
        for (const std::size_t i : which)
            next[i] = held[i] = 0;
        if (!reduction::solveRows(*metrics().general(), 0, next, held, metrics().scales().valueUnits, weights.relations))
            return false;
        y = std::move(next);
        kept = std::move(held);
        return true;
    };
    const double values = static_cast<double>(y.size());
    double left = kMostTried / (values * values * values);
    const auto moves = [&](std::size_t i) { return y[i] != 0; };
    if (left >= 1 && std::ranges::any_of(rates, moves) && rest(rates))
        rates.clear();
    for (const auto& list : {rates, places})
        for (std::size_t k = 0; each && k < list.size() && left >= 1; ++k, --left)
            rest({&list[k], 1});
}

/// With the values kept that are given, and what nobody has stated at zero. Where that has no solution, from other guesses.
Result<void> EquationStates::keepGiven(std::vector<double>& y, const StartWeights& weights)
{
    const std::vector<double> first = y;
    const auto& sizes = metrics().scales().valueUnits;
    const auto solves = [&] {
        return reduction::solveRows(*metrics().general(), 0, y, weights.kept, sizes, weights.relations);
    };
    auto solved = solves();
    if (solved) {
        letRest(y, weights, false);
        return {};
    }
    constexpr int kSigns = 4;
    const double values = static_cast<double>(y.size()), all = kGuesses.size() * kSigns,
                 most = std::ranges::any_of(weights.guessed, [](char g) { return g; })
                            ? std::min(all, kMostTried / (values * values * values))
                            : 0;
    for (int k = 0; k < most; ++k) {
        y = first;
        guess(y, weights.guessed, sizes, kGuesses[static_cast<std::size_t>(k / kSigns)], k % kSigns);
        if (solves()) {
            letRest(y, weights, true);
            return {};
        }
    }
    y = first;
    return solved;
}

/// Given values stay where they can; else they move, unless they are to stay as they stand.
Result<void> EquationStates::solveStart(std::vector<double>& y, const StartWeights& weights)
{
    if (keepGiven(y, weights) || weights.asItStands)
        return {};
    return reduction::solveRows(*metrics().general(), 0, y, weights.moved, metrics().scales().valueUnits, weights.relations);
}

/// Given start values stay where the equations allow it; else they move as little as possible, unless they are fixed.
Result<model::ModelState> EquationStates::consistent(const StartSettings& from, const std::vector<double>& parameters,
                                                     double& change)
{
    const auto& values = system().system().values;
    model::ModelState out;
    out.resize(system().n(), system().w());
    std::vector<double> kept(values.size(), 1), moved(values.size(), kFreely);
    std::vector<char> guessed(values.size(), 0);
    const auto setFixed = [&](std::size_t i, bool fixed, bool given) {
        kept[i] = fixed || given ? 0 : 1;
        moved[i] = given ? 1 : kFreely;
        if (fixed)
            moved[i] = 0;
    };
    const auto findValue = [&](const std::string& name) -> Result<std::size_t> {
        const auto target = model::resolveName(system().system(), name);
        if (!target)
            return target.error();
        if (target->kind != model::TargetKind::Value)
            return Diagnostic{name + " is a parameter, not a start value", {}, {}, {}, {}};
        return static_cast<std::size_t>(target->index);
    };
    out.lambda = reduction::statedStarts(*system().model().reduced, parameters);
    if (auto wrong = wrongStart(system().system(), out.lambda))
        return *std::move(wrong);
    for (std::size_t i = 0; i < values.size(); ++i)
        setFixed(i, values[i].status == model::InitialStatus::Fixed && !from.fixed, values[i].started);
    for (const auto& [name, value] : from.values) {
        const auto i = findValue(name);
        if (!i)
            return i.error();
        if (!std::isfinite(value))
            return Diagnostic{"The start value of " + name + " is not a finite number", {}, {}, {}, {}};
        out.lambda[*i] = value;
        setFixed(*i, !from.fixed, true);
    }
    if (from.fixed)
        for (const std::string& name : *from.fixed) {
            const auto i = findValue(name);
            if (!i)
                return i.error();
            setFixed(*i, true, true);
        }
    for (std::size_t i = 0; i < values.size(); ++i)
        guessed[i] = kept[i] != 0 && out.lambda[i] == 0;
    const std::vector<double> given = out.lambda;
    const bool relations = from.values.empty() && !from.fixed; // values set by hand take the place of what the text fixes
    const auto solve = [&](std::vector<double>& y) {
        return solveStart(
            y,
            {.kept = kept, .moved = moved, .guessed = guessed, .relations = relations, .asItStands = from.allowInconsistent});
    };
    if (auto begun = hold(parameters, solve, out.lambda); !begun)
        return begun.error();
    change = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (kept[i] == 0)
            change = std::max(change, std::abs(out.lambda[i] - given[i]));
    return out;
}

Result<void> EquationStates::complete(const formulation::DaeInstance& instance, model::ModelState& state, double& change)
{
    keepWhole(state.lambda);
    return completeValues(metrics(), instance, state, change);
}

/// Values set by hand are kept, the rest moves as little as possible.
Result<model::ModelState> EquationStates::set(const SetState& c, const model::ModelState& now, const formulation::Enforces&)
{
    model::ModelState out = now;
    std::vector<double> weights(out.lambda.size(), 1);
    for (const auto& [name, value] : c.values) {
        const auto target = model::resolveName(system().system(), name);
        if (!target)
            return target.error();
        const auto i = static_cast<std::size_t>(target->index);
        out.lambda[i] = value;
        weights[i] = c.asRecorded ? 1 : 0;
    }
    const auto solved = reduction::solveRows(*metrics().general(), out.t, out.lambda, weights, metrics().scales().valueUnits);
    if (solved)
        return out;
    Diagnostic d = solved.error();
    if (d.where.empty())
        d.where = "t = " + plain(out.t);
    return d;
}

Result<model::ModelState> EquationStates::behindCorner(const model::ModelState& state)
{
    const auto& values = system().system().values;
    for (const double followed : {0.0, 1.0}) {
        model::ModelState out = state;
        const double other = followed > 0 ? kFreely : 1;
        std::vector<double> weights;
        for (const model::GeneralValue& x : values)
            weights.push_back(x.followed ? followed : other);
        const auto solved =
            reduction::solveRows(*metrics().general(), out.t, out.lambda, weights, metrics().scales().valueUnits);
        if (solved)
            return out;
        if (followed > 0)
            return solved.error();
    }
    return state;
}

Moved EquationStates::between(const model::ModelState& before, const model::ModelState& after) const
{
    Moved out;
    for (std::size_t i = 0; i < after.lambda.size(); ++i)
        out.positions = std::max(out.positions, std::abs(after.lambda[i] - before.lambda[i]));
    return out;
}

} // namespace driftless::run
