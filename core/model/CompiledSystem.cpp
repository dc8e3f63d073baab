#include "core/model/CompiledSystem.h"

#include <algorithm>
#include <cmath>

namespace driftless::model {

namespace {

using expr::Expr;
using expr::Symbol;

/// d/dt along the motion: q' = v, v' = a.
expr::RateRule motionRule(const ConstrainedSystem& s)
{
    auto rates = std::make_shared<expr::Substitution>();
    for (const Coordinate& c : s.coordinates) {
        rates->emplace(c.q, expr::symbol(c.v));
        rates->emplace(c.v, expr::symbol(c.a));
    }
    return [rates](const Symbol& symbol) -> std::optional<Expr> {
        const auto found = rates->find(symbol);
        return found == rates->end() ? std::nullopt : std::optional<Expr>(found->second);
    };
}

expr::Substitution withoutAccelerations(const ConstrainedSystem& s)
{
    expr::Substitution map;
    for (const Coordinate& c : s.coordinates)
        map.emplace(c.a, Expr(0));
    return map;
}

void appendPoint(const VisualPoint& p, std::vector<Expr>& out)
{
    out.push_back(p.x);
    out.push_back(p.y);
    out.push_back(p.z);
}

} // namespace

std::vector<double> CompiledSystem::defaultParameters() const
{
    std::vector<double> values;
    for (const Parameter& p : system().parameters)
        values.push_back(p.quantity.value);
    return values;
}

Result<void> CompiledSystem::compilePart(Part part, std::span<const Expr> outputs)
{
    const ConstrainedSystem& s = system();
    std::vector<std::vector<Symbol>> banks(4);
    banks[0] = {*expr::time().symbol()};
    // A bank that a part never mentions stays empty, so that its caller need not supply it.
    const bool positionOnly = part == Part::Mass || part == Part::Constraint || part == Part::Jacobian || part == Part::Scene;
    if (part == Part::ChartMap) {
        for (const ChartCoordinate& c : s.chart->coordinates) {
            banks[1].push_back(c.s);
            banks[2].push_back(c.ds);
        }
    } else if (part != Part::Starts) {
        for (const Coordinate& c : s.coordinates)
            banks[1].push_back(c.q);
        if (part == Part::Arrows)
            for (const Constraint& c : s.constraints)
                banks[2].push_back(c.multiplier);
        else if (!positionOnly)
            for (const Coordinate& c : s.coordinates)
                banks[2].push_back(c.v);
    }
    for (const Parameter& p : s.parameters)
        banks[3].push_back(p.symbol);
    auto tape = expr::Tape::compile(outputs, std::move(banks));
    if (!tape)
        return tape.error();
    tapes_[static_cast<std::size_t>(part)] = std::move(*tape);
    return {};
}

Result<std::shared_ptr<const CompiledSystem>> CompiledSystem::compile(std::shared_ptr<const Model> model)
{
    auto out = std::make_shared<CompiledSystem>();
    out->model_ = std::move(model);
    const ConstrainedSystem& s = out->system();
    const expr::RateRule rule = motionRule(s);
    std::array<std::vector<Expr>, kParts> parts;
    const auto part = [&parts](Part p) -> std::vector<Expr>& { return parts[static_cast<std::size_t>(p)]; };

    for (const MassEntry& e : s.mass) {
        out->massPlaces_.push_back({e.row, e.column});
        part(Part::Mass).push_back(e.value);
    }
    part(Part::Force) = s.force;
    std::vector<Symbol> q;
    for (const Coordinate& c : s.coordinates) {
        q.push_back(c.q);
        part(Part::Starts).push_back(c.positionStart);
    }
    for (const Coordinate& c : s.coordinates)
        part(Part::Starts).push_back(c.velocityStart);
    const expr::Substitution still = withoutAccelerations(s);
    for (const Constraint& c : s.constraints) {
        const Expr rate = expr::timeDerivative(c.g, 1, rule);
        part(Part::Constraint).push_back(c.g);
        part(Part::Rate).push_back(rate);
        part(Part::Gamma).push_back(expr::substitute(expr::timeDerivative(rate, 1, rule), still));
    }
    for (const expr::JacobianEntry& e : expr::sparseJacobian(part(Part::Constraint), q)) {
        out->jacobianPlaces_.push_back({e.row, e.column});
        part(Part::Jacobian).push_back(e.value);
    }
    part(Part::Energy) = {s.kinetic, s.potential, s.power};
    if (s.chart) {
        part(Part::ChartMap) = s.chart->map;
        for (const Expr& e : s.chart->map)
            part(Part::ChartMap).push_back(expr::timeDerivative(e));
        for (const ChartCoordinate& c : s.chart->coordinates)
            part(Part::ChartInverse).push_back(c.inverse);
        for (const ChartCoordinate& c : s.chart->coordinates)
            part(Part::ChartInverse).push_back(expr::timeDerivative(c.inverse, 1, rule));
    }
    for (const Visual& v : s.visuals)
        for (const VisualPoint& p : v.points)
            appendPoint(p, part(Part::Scene));
    for (const ForceArrow& a : s.arrows) {
        appendPoint(a.at, part(Part::Arrows));
        appendPoint(a.force, part(Part::Arrows));
    }
    for (std::size_t p = 0; p < kParts; ++p) {
        const bool chart = p == static_cast<std::size_t>(Part::ChartMap) || p == static_cast<std::size_t>(Part::ChartInverse);
        if (chart && !s.chart)
            continue;
        if (auto compiled = out->compilePart(static_cast<Part>(p), parts[p]); !compiled)
            return compiled.error();
    }
    return std::shared_ptr<const CompiledSystem>(std::move(out));
}

SystemEvaluator::SystemEvaluator(std::shared_ptr<const CompiledSystem> compiled)
    : compiled_(std::move(compiled)), parameters_(compiled_->defaultParameters())
{
    for (std::size_t p = 0; p < CompiledSystem::kParts; ++p)
        workspaces_[p] = compiled_->tapes_[p].workspace();
    pair_.resize(2 * static_cast<std::size_t>(compiled_->n()) + 3);
}

void SystemEvaluator::setParameters(std::span<const double> values)
{
    parameters_.assign(values.begin(), values.end());
}

bool SystemEvaluator::run(CompiledSystem::Part part, double t, const double* q, const double* v, double* out)
{
    const expr::Tape& tape = compiled_->tape(part);
    const double* const banks[] = {&t, q, v, parameters_.data()};
    if (tape.evaluate(banks, out, workspaces_[static_cast<std::size_t>(part)]))
        return true;
    const auto where = tape.locate(banks);
    message_ = where ? where->expression + ": " + where->reason : std::string("a value is not a finite number");
    return false;
}

bool SystemEvaluator::mass(double t, const double* q, double* values)
{
    return run(CompiledSystem::Part::Mass, t, q, nullptr, values);
}

bool SystemEvaluator::force(double t, const double* q, const double* v, double* f)
{
    return run(CompiledSystem::Part::Force, t, q, v, f);
}

bool SystemEvaluator::constraints(double t, const double* q, double* g)
{
    return run(CompiledSystem::Part::Constraint, t, q, nullptr, g);
}

bool SystemEvaluator::jacobian(double t, const double* q, double* values)
{
    return run(CompiledSystem::Part::Jacobian, t, q, nullptr, values);
}

bool SystemEvaluator::constraintRates(double t, const double* q, const double* v, double* gRate)
{
    return run(CompiledSystem::Part::Rate, t, q, v, gRate);
}

bool SystemEvaluator::gamma(double t, const double* q, const double* v, double* gamma)
{
    return run(CompiledSystem::Part::Gamma, t, q, v, gamma);
}

bool SystemEvaluator::energy(double t, const double* q, const double* v, Energy& out)
{
    double values[3];
    if (!run(CompiledSystem::Part::Energy, t, q, v, values))
        return false;
    out = {values[0], values[1], values[2]};
    return true;
}

bool SystemEvaluator::fromChart(double t, const double* s, const double* ds, double* q, double* v)
{
    if (!run(CompiledSystem::Part::ChartMap, t, s, ds, pair_.data()))
        return false;
    const auto n = static_cast<std::size_t>(compiled_->n());
    std::copy_n(pair_.begin(), n, q);
    std::copy_n(pair_.begin() + static_cast<std::ptrdiff_t>(n), n, v);
    return true;
}

bool SystemEvaluator::toChart(double t, const double* q, const double* v, double* s, double* ds)
{
    if (!run(CompiledSystem::Part::ChartInverse, t, q, v, pair_.data()))
        return false;
    const std::size_t k = compiled_->system().chart->coordinates.size();
    std::copy_n(pair_.begin(), k, s);
    std::copy_n(pair_.begin() + static_cast<std::ptrdiff_t>(k), k, ds);
    return true;
}

bool SystemEvaluator::starts(double* q, double* v)
{
    if (!run(CompiledSystem::Part::Starts, 0.0, nullptr, nullptr, pair_.data()))
        return false;
    const auto n = static_cast<std::size_t>(compiled_->n());
    std::copy_n(pair_.begin(), n, q);
    std::copy_n(pair_.begin() + static_cast<std::ptrdiff_t>(n), n, v);
    return true;
}

bool SystemEvaluator::scene(double t, const double* q, double* xyz)
{
    return run(CompiledSystem::Part::Scene, t, q, nullptr, xyz);
}

bool SystemEvaluator::arrows(double t, const double* q, const double* lambda, double* values)
{
    return run(CompiledSystem::Part::Arrows, t, q, lambda, values);
}

} // namespace driftless::model
