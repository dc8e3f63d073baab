#include "core/system/CompiledSystem.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "core/base/Counters.h"
#include "core/system/ConstraintLevels.h"

namespace driftless::model {

namespace {

using expr::Expr;
using expr::Symbol;

expr::Substitution withoutAccelerations(const ConstrainedSystem& s)
{
    expr::Substitution map;
    for (const Coordinate& c : s.coordinates)
        map.emplace(c.a, Expr(0));
    return map;
}

constexpr int kLarge =
    192; ///< coordinates and constraints: up to here a model is compiled as a whole, with what it says of errors

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

int CompiledSystem::scenePointCount() const
{
    std::size_t count = 0;
    for (const Visual& v : system().visuals)
        count += v.points.size();
    return static_cast<int>(count);
}

Result<void> CompiledSystem::compilePart(Part part, std::span<const Expr> outputs) const
{
    const ConstrainedSystem& s = system();
    std::vector<std::vector<Symbol>> banks(5);
    banks[0] = {*expr::time().symbol()};
    // A bank that a part never mentions stays empty, so that its caller need not supply it.
    const auto any = [part](std::initializer_list<Part> parts) {
        return std::find(parts.begin(), parts.end(), part) != parts.end();
    };
    if (part == Part::ChartMap) {
        for (const ChartCoordinate& c : s.chart->coordinates) {
            banks[1].push_back(c.s);
            banks[2].push_back(c.ds);
        }
    } else if (part != Part::Starts) {
        for (const Coordinate& c : s.coordinates)
            banks[1].push_back(c.q);
        if (!any({Part::Mass, Part::Constraint, Part::PositionJacobian, Part::Jacobian, Part::Drag, Part::Scene, Part::Arrows}))
            for (const Coordinate& c : s.coordinates)
                banks[2].push_back(c.v);
        if (any({Part::Force, Part::Energy, Part::Power, Part::Measures, Part::Effort, Part::EffortJacobian, Part::Arrows,
                 Part::Outputs})
            || (part == Part::Scene && !s.values.empty()))
            banks[3] = s.wSymbols();
    }
    for (const Parameter& p : s.parameters)
        banks[4].push_back(p.symbol);
    if (part == Part::Outputs) {
        banks.emplace_back();
        for (const Coordinate& c : s.coordinates)
            banks[5].push_back(c.a);
    }
    if (outputs.empty()) // nothing is read
        for (auto& bank : banks)
            bank.clear();
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
    std::vector<Symbol> q, velocities, efforts;
    for (const Coordinate& c : s.coordinates) {
        q.push_back(c.q);
        velocities.push_back(c.v);
        part(Part::Starts).push_back(c.positionStart);
        part(Part::CoordinateRate).push_back(c.rate);
    }
    for (const Coordinate& c : s.coordinates)
        part(Part::Starts).push_back(c.velocityStart);
    for (const DynamicVariable& d : s.dynamics)
        part(Part::Starts).push_back(d.start);
    for (const Effort& effort : s.efforts) {
        part(Part::Starts).push_back(effort.start);
        part(Part::Effort).push_back(effort.equation);
        efforts.push_back(effort.e);
    }
    for (const GeneralValue& x : s.values)
        part(Part::Starts).push_back(Expr(x.start));
    part(Part::Starts).resize(part(Part::Starts).size() + s.idle.size());
    for (const HeldValue& x : s.held)
        part(Part::Starts).push_back(Expr(x.start));
    for (const Expr& row : part(Part::Effort))
        for (const Expr& entry : expr::gradient(row, efforts))
            part(Part::EffortJacobian).push_back(entry);
    out->holonomic_ = s.holonomic();
    out->plainRates_ = s.plainRates();
    const expr::Substitution still = withoutAccelerations(s);
    const ConstraintLevels levels(s);
    for (int i = 0; i < s.m(); ++i) {
        if (i < out->holonomic_)
            part(Part::Constraint).push_back(levels.at(i, 0));
        const Expr rate = levels.at(i, 1);
        part(Part::Rate).push_back(rate);
        part(Part::Gamma).push_back(expr::substitute(expr::timeDerivative(rate, 1, rule), still));
    }
    for (const expr::JacobianEntry& entry : expr::sparseJacobian(part(Part::Constraint), q)) {
        out->positionJacobianPlaces_.push_back({entry.row, entry.column});
        part(Part::PositionJacobian).push_back(entry.value);
    }
    if (out->plainRates_ && out->holonomic_ == s.m()) {
        out->jacobianPlaces_ = out->positionJacobianPlaces_;
        part(Part::Jacobian) = part(Part::PositionJacobian);
    } else {
        for (const expr::JacobianEntry& entry : expr::sparseJacobian(part(Part::Rate), velocities)) {
            out->jacobianPlaces_.push_back({entry.row, entry.column});
            part(Part::Jacobian).push_back(entry.value);
        }
    }
    for (int i = 0; i < s.m(); ++i)
        for (std::size_t j = 0; j < s.constraints[static_cast<std::size_t>(i)].drag.size(); ++j)
            if (const Expr& entry = s.constraints[static_cast<std::size_t>(i)].drag[j]; !entry.isZero()) {
                out->dragPlaces_.push_back({i, static_cast<int>(j)});
                part(Part::Drag).push_back(entry);
            }
    const std::vector<Symbol> inPower = expr::symbolsOf(s.power); // sorted
    for (const Symbol& symbol : s.wSymbols())
        out->powerNeedsForces_ = out->powerNeedsForces_ || std::binary_search(inPower.begin(), inPower.end(), symbol);
    part(Part::Power) = {s.power};
    for (const Part p : kMeasured) {
        const std::vector<Expr> energies = p == Part::Energy ? out->outputsOnDemand(p) : std::vector<Expr>();
        const std::vector<Expr>& outputs = p == Part::Energy ? energies : part(p);
        part(Part::Measures).insert(part(Part::Measures).end(), outputs.begin(), outputs.end());
    }
    if (s.chart) {
        part(Part::ChartMap) = s.chart->map;
        for (std::size_t i = 0; i < s.chart->map.size(); ++i)
            part(Part::ChartMap)
                .push_back(s.chart->velocity.empty() ? expr::timeDerivative(s.chart->map[i]) : s.chart->velocity[i]);
        for (const ChartCoordinate& c : s.chart->coordinates)
            part(Part::ChartInverse).push_back(c.inverse);
        for (const ChartCoordinate& c : s.chart->coordinates)
            part(Part::ChartInverse).push_back(expr::timeDerivative(c.inverse, 1, rule));
    }
    for (const Output& output : s.outputs)
        part(Part::Outputs).push_back(output.value);
    for (const Output& output : s.outputs)
        out->outputsOfAccelerations_.push_back(
            std::ranges::any_of(s.coordinates, [&output](const Coordinate& c) { return expr::dependsOn(output.value, c.a); }));
    for (const Part p : kOnDemand)
        out->demands_[static_cast<std::size_t>(p)].waits = true;
    for (std::size_t p = 0; p < kParts; ++p) {
        if (out->waits(static_cast<Part>(p)))
            continue;
        const bool chart = p == static_cast<std::size_t>(Part::ChartMap) || p == static_cast<std::size_t>(Part::ChartInverse);
        if (chart && !s.chart)
            continue;
        if (static_cast<Part>(p) == Part::Jacobian && out->plainRates_ && out->holonomic_ == s.m()) {
            out->tapes_[p] = out->tape(Part::PositionJacobian); // the same entries
            continue;
        }
        if (auto compiled = out->compilePart(static_cast<Part>(p), parts[p]); !compiled)
            return compiled.error();
    }
    if (s.n() + s.m() > kLarge)
        return std::shared_ptr<const CompiledSystem>(std::move(out));
    for (const Part p : kOnDemand) {
        out->demand(p);
        if (const auto& problem = out->demands_[static_cast<std::size_t>(p)].problem; problem)
            return *problem;
    }
    return std::shared_ptr<const CompiledSystem>(std::move(out));
}

void CompiledSystem::compileOnDemand(Part part) const
{
    Demand& demand = demands_[static_cast<std::size_t>(part)];
    std::call_once(demand.once, [&] {
        if (auto compiled = compilePart(part, outputsOnDemand(part)); !compiled)
            demand.problem = compiled.error();
        demand.waits.store(false, std::memory_order_release);
    });
}

std::vector<Expr> CompiledSystem::outputsOnDemand(Part part) const
{
    const ConstrainedSystem& s = system();
    std::vector<Expr> out;
    if (part == Part::Energy) {
        out = {s.kinetic, s.potential, s.power};
        if (!s.carried.isZero())
            out.push_back(s.carried);
    }
    if (part == Part::RateSlope) {
        std::vector<Symbol> q;
        for (const Coordinate& c : s.coordinates)
            q.push_back(c.q);
        const ConstraintLevels levels(s);
        std::vector<Expr> rates;
        for (int i = 0; i < s.m(); ++i)
            rates.push_back(levels.at(i, 1));
        for (const expr::JacobianEntry& entry : expr::sparseJacobian(rates, q)) {
            rateSlopePlaces_.push_back({entry.row, entry.column});
            out.push_back(entry.value);
        }
    }
    if (part == Part::Scene)
        for (const Visual& v : s.visuals)
            for (const VisualPoint& p : v.points)
                appendPoint(p, out);
    if (part == Part::Arrows)
        for (const ForceArrow& a : s.arrows) {
            appendPoint(a.at, out);
            appendPoint(a.force, out);
        }
    if (part == Part::Velocities)
        for (const VelocityArrow& a : s.velocities) {
            appendPoint(a.at, out);
            appendPoint(a.velocity, out);
        }
    return out;
}

SystemEvaluator::SystemEvaluator(std::shared_ptr<const CompiledSystem> compiled)
    : compiled_(std::move(compiled)), parameters_(compiled_->defaultParameters())
{
    count(counters().evaluators);
    for (std::size_t p = 0; p < CompiledSystem::kParts; ++p)
        if (ready_[p] = !compiled_->waits(static_cast<CompiledSystem::Part>(p)); ready_[p])
            workspaces_[p] = compiled_->tapes_[p].workspace();
    measured_.resize(compiled_->tape(CompiledSystem::Part::Measures).outputCount());
    pair_.resize(2 * static_cast<std::size_t>(compiled_->n()) + static_cast<std::size_t>(compiled_->w()) + 3);
}

void SystemEvaluator::setParameters(std::span<const double> values) { parameters_.assign(values.begin(), values.end()); }

bool SystemEvaluator::run(CompiledSystem::Part part, double t, const double* q, const double* v, const double* lambda,
                          double* out)
{
    const expr::Tape& tape = compiled_->tape(part);
    const auto place = static_cast<std::size_t>(part);
    if (!ready_[place]) {
        if (const auto& problem = compiled_->demands_[place].problem) {
            message_ = problem->text();
            return false;
        }
        workspaces_[place] = tape.workspace();
        ready_[place] = true;
    }
    const double* const banks[] = {&t, q, v, lambda, parameters_.data()};
    if (tape.evaluate(banks, out, workspaces_[place]))
        return true;
    const auto where = tape.locate(banks);
    message_ = where ? where->expression + ": " + where->reason : std::string("a value is not a finite number");
    return false;
}

bool SystemEvaluator::mass(double t, const double* q, double* values)
{
    return run(CompiledSystem::Part::Mass, t, q, nullptr, nullptr, values);
}

bool SystemEvaluator::force(double t, const double* q, const double* v, const double* lambda, double* f)
{
    return run(CompiledSystem::Part::Force, t, q, v, lambda, f);
}

bool SystemEvaluator::constraints(double t, const double* q, double* g)
{
    return run(CompiledSystem::Part::Constraint, t, q, nullptr, nullptr, g);
}

bool SystemEvaluator::positionJacobian(double t, const double* q, double* values)
{
    return run(CompiledSystem::Part::PositionJacobian, t, q, nullptr, nullptr, values);
}

bool SystemEvaluator::jacobian(double t, const double* q, double* values)
{
    return run(CompiledSystem::Part::Jacobian, t, q, nullptr, nullptr, values);
}

bool SystemEvaluator::drag(double t, const double* q, double* values)
{
    return run(CompiledSystem::Part::Drag, t, q, nullptr, nullptr, values);
}

bool SystemEvaluator::rateSlope(double t, const double* q, const double* v, double* values)
{
    return run(CompiledSystem::Part::RateSlope, t, q, v, nullptr, values);
}

bool SystemEvaluator::coordinateRates(double t, const double* q, const double* v, double* rates)
{
    return run(CompiledSystem::Part::CoordinateRate, t, q, v, nullptr, rates);
}

bool SystemEvaluator::constraintRates(double t, const double* q, const double* v, double* gRate)
{
    return run(CompiledSystem::Part::Rate, t, q, v, nullptr, gRate);
}

bool SystemEvaluator::gamma(double t, const double* q, const double* v, double* gamma)
{
    return run(CompiledSystem::Part::Gamma, t, q, v, nullptr, gamma);
}

bool SystemEvaluator::energy(double t, const double* q, const double* v, const double* lambda, Energy& out)
{
    double values[4] = {};
    if (!run(CompiledSystem::Part::Energy, t, q, v, lambda, values))
        return false;
    out = {values[0], values[1], values[2], values[3]};
    return true;
}

bool SystemEvaluator::power(double t, const double* q, const double* v, const double* lambda, double& out)
{
    return run(CompiledSystem::Part::Power, t, q, v, lambda, &out);
}

bool SystemEvaluator::measures(double t, const double* q, const double* v, const double* lambda, Measures& out)
{
    if (!run(CompiledSystem::Part::Measures, t, q, v, lambda, measured_.data()))
        return false;
    std::span<const double> rest = measured_;
    std::span<const double>* const into[] = {&out.mass,        &out.jacobian, &out.force, &out.gamma,
                                             &out.constraints, &out.rates,    &out.drag};
    for (std::size_t k = 0; k < std::size(into); ++k) {
        const std::size_t count = compiled_->tape(CompiledSystem::kMeasured[k]).outputCount();
        *into[k] = rest.first(count);
        rest = rest.subspan(count);
    }
    out.energy = {rest[0], rest[1], rest[2], rest.size() > 3 ? rest[3] : 0};
    return true;
}

bool SystemEvaluator::effortEquations(double t, const double* q, const double* v, const double* lambda, double* values,
                                      double* jacobian)
{
    return run(CompiledSystem::Part::Effort, t, q, v, lambda, values)
           && run(CompiledSystem::Part::EffortJacobian, t, q, v, lambda, jacobian);
}

bool SystemEvaluator::fromChart(double t, const double* s, const double* ds, double* q, double* v)
{
    if (!run(CompiledSystem::Part::ChartMap, t, s, ds, nullptr, pair_.data()))
        return false;
    const auto n = static_cast<std::size_t>(compiled_->n());
    std::copy_n(pair_.begin(), n, q);
    std::copy_n(pair_.begin() + static_cast<std::ptrdiff_t>(n), n, v);
    return true;
}

bool SystemEvaluator::toChart(double t, const double* q, const double* v, double* s, double* ds)
{
    if (!run(CompiledSystem::Part::ChartInverse, t, q, v, nullptr, pair_.data()))
        return false;
    const std::size_t k = compiled_->system().chart->coordinates.size();
    std::copy_n(pair_.begin(), k, s);
    std::copy_n(pair_.begin() + static_cast<std::ptrdiff_t>(k), k, ds);
    return true;
}

bool SystemEvaluator::starts(double* q, double* v, double* extra)
{
    if (!run(CompiledSystem::Part::Starts, 0.0, nullptr, nullptr, nullptr, pair_.data()))
        return false;
    const auto n = static_cast<std::size_t>(compiled_->n());
    std::copy_n(pair_.begin(), n, q);
    std::copy_n(pair_.begin() + static_cast<std::ptrdiff_t>(n), n, v);
    std::copy_n(pair_.begin() + static_cast<std::ptrdiff_t>(2 * n), compiled_->w() - compiled_->m(), extra);
    return true;
}

bool SystemEvaluator::scene(double t, const double* q, double* xyz, const double* values)
{
    return run(CompiledSystem::Part::Scene, t, q, nullptr, values, xyz);
}

bool SystemEvaluator::arrows(double t, const double* q, const double* lambda, double* values)
{
    return run(CompiledSystem::Part::Arrows, t, q, nullptr, lambda, values);
}

bool SystemEvaluator::velocityArrows(double t, const double* q, const double* v, double* values)
{
    return run(CompiledSystem::Part::Velocities, t, q, v, nullptr, values);
}

void SystemEvaluator::outputs(double t, const double* q, const double* v, const double* a, const double* lambda, double* values)
{
    constexpr auto kPart = static_cast<std::size_t>(CompiledSystem::Part::Outputs);
    const expr::Tape& tape = compiled_->tapes_[kPart];
    const double* const banks[] = {&t, q, v, lambda, parameters_.data(), a};
    if (tape.evaluate(banks, values, workspaces_[kPart]))
        return;
    for (std::size_t i = 0; i < tape.outputCount(); ++i)
        if (!std::isfinite(values[i]))
            values[i] = std::numeric_limits<double>::quiet_NaN();
}

} // namespace driftless::model
