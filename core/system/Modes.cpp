#include "core/system/Modes.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace driftless::model {

namespace {

using expr::Expr;
using expr::Symbol;

constexpr std::size_t kNumbers = 10; ///< of one row, as OneSidedNumbers lists them

bool inForce(OneSidedKind kind, OneSidedState state) { return state == OneSidedState::On && kind != OneSidedKind::Link; }

std::vector<Symbol> velocitiesOf(const ConstrainedSystem& s)
{
    std::vector<Symbol> out;
    for (const Coordinate& c : s.coordinates)
        out.push_back(c.v);
    return out;
}

/// The work that a row does where it moves by itself: its multiplier times what is left of its rate at rest.
Expr powerOf(const ConstrainedSystem& s, const Constraint& c)
{
    if (c.holonomic)
        return expr::symbol(c.multiplier) * expr::derivative(c.g, *expr::time().symbol());
    expr::Substitution still;
    for (const Coordinate& coordinate : s.coordinates)
        still.emplace(coordinate.v, Expr(0));
    return expr::symbol(c.multiplier) * expr::substitute(c.g, still);
}

/// Holonomic rows stay the first ones.
void addRow(ConstrainedSystem& s, const Constraint& c)
{
    s.power = s.power + powerOf(s, c);
    const auto at = c.holonomic ? std::find_if(s.constraints.begin(), s.constraints.end(),
                                               [](const Constraint& other) { return !other.holonomic; })
                                : s.constraints.end();
    s.constraints.insert(at, c);
    std::erase(s.idle, c.multiplier);
}

void removeRow(ConstrainedSystem& s, const Constraint& c)
{
    std::erase_if(s.constraints, [&c](const Constraint& other) { return other.multiplier == c.multiplier; });
    s.idle.push_back(c.multiplier);
}

/// The friction of a contact: of each unit of its multiplier this much acts along the velocity of sliding.
void drag(ConstrainedSystem& s, const Symbol& contact, const Expr& share, const std::vector<Expr>& along)
{
    const auto row = std::find_if(s.constraints.begin(), s.constraints.end(),
                                  [&contact](const Constraint& c) { return c.multiplier == contact; });
    row->drag.resize(along.size());
    for (std::size_t i = 0; i < along.size(); ++i)
        row->drag[i] = row->drag[i] + share * along[i];
}

/// A force against the velocity of sliding, with the power that it takes.
void slide(ConstrainedSystem& s, const OneSided& friction, const Symbol* contact, bool forwards)
{
    const Expr force = forwards ? -friction.sliding : friction.sliding;
    const std::vector<Expr> along = expr::gradient(friction.row.g, velocitiesOf(s));
    if (contact)
        drag(s, *contact, forwards ? -friction.friction : friction.friction, along);
    for (std::size_t i = 0; i < along.size() && !contact; ++i)
        s.force[i] = s.force[i] + force * along[i];
    Expr power;
    for (std::size_t i = 0; i < along.size(); ++i)
        power = power + force * along[i] * expr::symbol(s.coordinates[i].v);
    s.power = s.power + power;
}

} // namespace

int slidingSide(OneSidedState state)
{
    switch (state) {
    case OneSidedState::Forwards:
    case OneSidedState::AtLimitForwards:
        return 1;
    case OneSidedState::Backwards:
    case OneSidedState::AtLimitBackwards:
        return -1;
    case OneSidedState::Off:
    case OneSidedState::On:
    case OneSidedState::Shared:
        break;
    }
    return 0;
}

Mode baseMode(const ConstrainedSystem& base)
{
    Mode out;
    for (const OneSided& row : base.oneSided)
        out.push_back(row.kind == OneSidedKind::Link ? OneSidedState::On : OneSidedState::Off);
    return out;
}

std::shared_ptr<const Model> modelInMode(const std::shared_ptr<const Model>& base, const Mode& mode)
{
    const Mode usual = baseMode(base->system);
    if (mode == usual)
        return base;
    auto out = std::make_shared<Model>(*base);
    ConstrainedSystem& s = out->system;
    for (std::size_t i = 0; i < mode.size(); ++i) {
        const OneSided& row = base->system.oneSided[i];
        if (inForce(row.kind, mode[i]))
            addRow(s, row.row);
        else if (row.kind == OneSidedKind::Link && mode[i] != OneSidedState::On)
            removeRow(s, row.row);
        else if (const int side = slidingSide(mode[i]); side != 0)
            slide(s, row,
                  row.contact < 0 ? nullptr : &base->system.oneSided[static_cast<std::size_t>(row.contact)].row.multiplier,
                  side > 0);
    }
    if (s.m() != base->system.m()) // its coordinates are those of another number of freedoms
        s.chart.reset();
    return out;
}

std::vector<int> placesInMode(const ConstrainedSystem& base, const ConstrainedSystem& inMode)
{
    std::unordered_map<Symbol, int, expr::SymbolHash> places;
    int place = 0;
    for (const Symbol& symbol : inMode.wSymbols())
        places.emplace(symbol, place++);
    std::vector<int> out;
    for (const Symbol& symbol : base.wSymbols())
        out.push_back(places.at(symbol));
    return out;
}

int frictionOf(const ConstrainedSystem& base, std::size_t contact)
{
    for (std::size_t i = contact + 1; i < base.oneSided.size(); ++i)
        if (base.oneSided[i].contact == static_cast<int>(contact))
            return static_cast<int>(i);
    return -1;
}

int bearerOf(const ConstrainedSystem& base, const Mode& mode, std::size_t row)
{
    if (base.oneSided[row].contact < 0)
        return -1;
    for (std::size_t i = 0; i < mode.size(); ++i)
        if (i != row && mode[i] == OneSidedState::On && base.oneSided[i].contact >= 0
            && base.oneSided[i].row.bodies == base.oneSided[row].row.bodies)
            return static_cast<int>(i);
    return -1;
}

namespace {

const char* inWords(OneSidedState friction)
{
    switch (friction) {
    case OneSidedState::On:
    case OneSidedState::Shared:
        return " sticks";
    case OneSidedState::Forwards:
        return " slides forwards";
    case OneSidedState::Backwards:
        return " slides backwards";
    case OneSidedState::AtLimitForwards:
    case OneSidedState::AtLimitBackwards:
        return " at its limit";
    case OneSidedState::Off:
        break;
    }
    return "";
}

} // namespace

std::string modeName(const ConstrainedSystem& base, const Mode& mode)
{
    std::string out;
    const auto add = [&out](const std::string& name, const char* how) { out += (out.empty() ? "" : ", ") + name + how; };
    for (std::size_t i = 0; i < mode.size(); ++i) {
        const OneSided& row = base.oneSided[i];
        const int friction = frictionOf(base, i);
        if (row.kind == OneSidedKind::Contact && mode[i] == OneSidedState::On)
            add(row.row.name, friction < 0 ? "" : inWords(mode[static_cast<std::size_t>(friction)]));
        if (row.kind == OneSidedKind::Link && mode[i] != OneSidedState::On)
            add(row.row.name, " broken");
        if (row.kind == OneSidedKind::Friction && row.contact < 0 && mode[i] != OneSidedState::Off)
            add(row.row.name, inWords(mode[i]));
    }
    if (!out.empty())
        return out;
    const bool links = std::ranges::any_of(base.oneSided, [](const OneSided& row) { return row.kind == OneSidedKind::Link; });
    return links ? "whole" : "free";
}

Result<std::shared_ptr<const CompiledOneSided>> CompiledOneSided::compile(std::shared_ptr<const Model> base)
{
    auto out = std::make_shared<CompiledOneSided>();
    out->base_ = std::move(base);
    const ConstrainedSystem& s = out->system();
    const expr::RateRule rule = motionRule(s);
    const std::vector<Symbol> velocities = velocitiesOf(s);
    expr::Substitution still;
    std::vector<Symbol> positions, parameters;
    for (const Coordinate& c : s.coordinates) {
        still.emplace(c.a, Expr(0));
        positions.push_back(c.q);
    }
    for (const Parameter& p : s.parameters)
        parameters.push_back(p.symbol);
    std::vector<Expr> numbers, rows;
    for (const OneSided& row : s.oneSided) {
        const Expr rate = row.row.holonomic ? expr::timeDerivative(row.row.g, 1, rule) : row.row.g;
        const Expr each[kNumbers] = {row.row.g, rate,        row.scale, row.restitution, row.rest,
                                     row.limit, row.sliding, row.load,  row.friction,    row.grip};
        numbers.insert(numbers.end(), std::begin(each), std::end(each));
        const std::vector<Expr> slope = expr::gradient(rate, velocities);
        rows.insert(rows.end(), slope.begin(), slope.end());
        rows.push_back(expr::substitute(expr::timeDerivative(rate, 1, rule), still));
    }
    const auto banks = [&](std::vector<Symbol> multipliers) {
        return std::vector<std::vector<Symbol>>{
            {*expr::time().symbol()}, positions, velocities, std::move(multipliers), parameters};
    };
    auto numbersTape = expr::Tape::compile(numbers, banks(s.wSymbols()));
    if (!numbersTape)
        return numbersTape.error();
    auto rowsTape = expr::Tape::compile(rows, banks({}));
    if (!rowsTape)
        return rowsTape.error();
    out->numbers_ = std::move(*numbersTape);
    out->rows_ = std::move(*rowsTape);
    return std::shared_ptr<const CompiledOneSided>(std::move(out));
}

OneSidedEvaluator::OneSidedEvaluator(std::shared_ptr<const CompiledOneSided> compiled)
    : compiled_(std::move(compiled)), n_(compiled_->system().coordinates.size()), raw_(kNumbers * compiled_->size()),
      values_((n_ + 1) * compiled_->size()), now_(compiled_->size()), numbersWork_(compiled_->numbers_.workspace()),
      rowsWork_(compiled_->rows_.workspace())
{
    for (const Parameter& p : compiled_->system().parameters)
        parameters_.push_back(p.quantity.value);
}

bool OneSidedEvaluator::run(const expr::Tape& tape, double t, const double* q, const double* v, const double* lambda,
                            std::vector<double>& out, expr::TapeWorkspace& work)
{
    const double* const banks[] = {&t, q, v, lambda, parameters_.data()};
    if (tape.evaluate(banks, out.data(), work))
        return true;
    const auto where = tape.locate(banks);
    message_ = where ? where->expression + ": " + where->reason : std::string("a value is not a finite number");
    return false;
}

bool OneSidedEvaluator::numbers(double t, const double* q, const double* v, const double* lambda)
{
    if (!run(compiled_->numbers_, t, q, v, lambda, raw_, numbersWork_))
        return false;
    for (std::size_t i = 0; i < now_.size(); ++i) {
        const double* from = raw_.data() + i * kNumbers;
        now_[i] = {.value = from[0],
                   .rate = from[1],
                   .scale = from[2],
                   .restitution = from[3],
                   .rest = from[4],
                   .limit = from[5],
                   .sliding = from[6],
                   .load = from[7],
                   .friction = from[8],
                   .grip = from[9]};
    }
    return true;
}

bool OneSidedEvaluator::rows(double t, const double* q, const double* v)
{
    return run(compiled_->rows_, t, q, v, nullptr, values_, rowsWork_);
}

} // namespace driftless::model
