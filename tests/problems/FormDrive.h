// Any formulation of any model, stepped by any integrator without a run around it, so that the proofs choose the past values.
#pragma once

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/consistency/Consistency.h"
#include "core/formulation/CompiledDae.h"
#include "core/formulation/Formulation.h"
#include "core/integrate/Bdf.h"
#include "core/integrate/Integrator.h"
#include "core/mechanism/ReadModel.h"
#include "core/solve/DenseDecompositions.h"

namespace driftless::problems {

template <class T>
T require(Result<T> result)
{
    if (!result)
        qFatal("%s", result.error().text().c_str());
    return std::move(*result);
}

inline std::shared_ptr<const model::CompiledSystem> compiledText(const char* text)
{
    return require(model::CompiledSystem::compile(require(model::readModel(text, "test"))));
}

/// A model with values of its parameters, and what the proofs ask of it beside the formulations.
class ModelUnderTest {
public:
    explicit ModelUnderTest(std::shared_ptr<const model::CompiledSystem> s, const std::map<std::string, double>& changed = {})
        : system(std::move(s)), parameters(system->defaultParameters()), evaluator(system), solver(system)
    {
        const auto& list = system->system().parameters;
        for (std::size_t i = 0; i < list.size(); ++i)
            if (const auto found = changed.find(list[i].quantity.name); found != changed.end())
                parameters[i] = found->second;
        evaluator.setParameters(parameters);
        solver.setParameters(parameters);
    }
    explicit ModelUnderTest(const std::string& name, const std::map<std::string, double>& changed = {})
        : ModelUnderTest(require(model::CompiledSystem::compile(require(model::openModel(name)))), changed)
    {
    }

    std::shared_ptr<const model::CompiledSystem> system;
    std::vector<double> parameters;
    model::SystemEvaluator evaluator;
    consistency::ConsistencySolver solver;

    int n() const { return system->n(); }
    int m() const { return system->m(); }

    /// q, v at t with the accelerations and multipliers that belong to them.
    model::ModelState complete(double t, const std::vector<double>& q, const std::vector<double>& v)
    {
        model::ModelState s;
        s.resize(n(), system->w());
        s.t = t;
        s.q = q;
        s.v = v;
        if (!solver.accelerations(t, s.q.data(), s.v.data(), s.a.data(), s.lambda.data()))
            qFatal("%s", solver.message().c_str());
        return s;
    }

    Eigen::MatrixXd matrix(std::span<const solve::MatrixPlace> places, const std::vector<double>& values, int rows) const
    {
        Eigen::MatrixXd out = Eigen::MatrixXd::Zero(rows, n());
        for (std::size_t k = 0; k < places.size(); ++k)
            out(places[k].row, places[k].column) = values[k];
        return out;
    }
    Eigen::MatrixXd G(double t, const std::vector<double>& q)
    {
        std::vector<double> values(system->positionJacobianPlaces().size());
        evaluator.positionJacobian(t, q.data(), values.data());
        return matrix(system->positionJacobianPlaces(), values, system->holonomic());
    }
    Eigen::MatrixXd L(double t, const std::vector<double>& q, const std::vector<double>& v)
    {
        std::vector<double> values(system->rateSlopePlaces().size());
        evaluator.rateSlope(t, q.data(), v.data(), values.data());
        return matrix(system->rateSlopePlaces(), values, m());
    }
    Eigen::MatrixXd M(double t, const std::vector<double>& q)
    {
        std::vector<double> values(system->massPlaces().size());
        evaluator.mass(t, q.data(), values.data());
        return matrix(system->massPlaces(), values, n());
    }
    Eigen::VectorXd f(const model::ModelState& s)
    {
        Eigen::VectorXd out(n());
        evaluator.force(s.t, s.q.data(), s.v.data(), s.lambda.data(), out.data());
        return out;
    }
    Eigen::VectorXd g(double t, const std::vector<double>& q)
    {
        Eigen::VectorXd out(system->holonomic());
        evaluator.constraints(t, q.data(), out.data());
        return out;
    }
    Eigen::VectorXd rate(double t, const std::vector<double>& q, const std::vector<double>& v)
    {
        Eigen::VectorXd out(m());
        evaluator.constraintRates(t, q.data(), v.data(), out.data());
        return out;
    }
    Eigen::VectorXd gamma(double t, const std::vector<double>& q, const std::vector<double>& v)
    {
        Eigen::VectorXd out(m());
        evaluator.gamma(t, q.data(), v.data(), out.data());
        return out;
    }
};

/// A formulation and its options.
struct Form {
    std::string id;
    formulation::OptionValues options{};
};

inline std::unique_ptr<formulation::DaeInstance> instanceOf(const ModelUnderTest& subject, const Form& form)
{
    auto dae = require(formulation::findFormulation(form.id)->build(subject.system->model(), form.options));
    std::vector<double> gains = formulation::usualGains(dae, model::NominalScales{});
    // The kernel of the form that is the same in another way is computed in the nominal sizes of the model; (3.17) and the
    // ssf-solution of (3.4) coincide where both weigh lengths and angles alike, with 1.
    if (form.id == "projected-invariants") {
        model::SystemEvaluator evaluator(subject.system);
        evaluator.setParameters(subject.parameters);
        gains = formulation::usualGains(dae, model::nominalScales(evaluator));
    }
    return std::make_unique<formulation::DaeInstance>(
        require(formulation::CompiledDae::compile(std::move(dae), subject.system)), subject.parameters, gains);
}

struct Trajectory {
    std::vector<model::ModelState> states;  ///< the past that was given, then the accepted steps
    std::vector<std::vector<double>> y, yp; ///< unknowns of the form after each accepted step
    integrate::StepOutcome last;
    bool failed() const { return last.status != integrate::StepStatus::Accepted; }
};

/// Steps from exact past states. Bases are those of the first of them and follow as in a run; dummies, where given, are pinned.
inline Trajectory drive(ModelUnderTest& subject, const Form& form, const std::string& method, double h, int steps,
                        const std::vector<model::ModelState>& past, const formulation::Dummies* dummies = nullptr)
{
    auto instance = instanceOf(subject, form);
    if (dummies)
        instance->setDummies(*dummies);
    if (instance->hasBases() && !instance->refreshBases(past.front()))
        qFatal("%s", instance->domainMessage().c_str());
    auto integrator = require(integrate::makeIntegrator(method));
    integrate::IntegratorOptions options;
    options.step = h;
    if (auto ready = integrator->prepare(*instance, options); !ready)
        qFatal("%s", ready.error().text().c_str());
    const auto size = static_cast<std::size_t>(instance->size());
    std::vector<double> times;
    std::vector<std::vector<double>> values;
    std::vector<double> rates(size);
    for (const model::ModelState& s : past) {
        times.push_back(s.t);
        values.emplace_back(size);
        if (!instance->fromState(s, values.back().data(), rates.data()))
            qFatal("%s", instance->domainMessage().c_str());
    }
    auto* door = dynamic_cast<integrate::HistoryStart*>(integrator.get());
    const auto begun = door ? door->restartWithHistory(times, values) : integrator->restart(times.back(), values.back(), rates);
    if (!begun)
        qFatal("%s", begun.error().text().c_str());
    Trajectory out;
    out.states = past;
    for (int k = 0; k < steps; ++k) {
        out.last = integrator->step(std::numeric_limits<double>::infinity());
        if (out.failed())
            return out;
        out.y.emplace_back(integrator->y().begin(), integrator->y().end());
        out.yp.emplace_back(integrator->yp().begin(), integrator->yp().end());
        model::ModelState s = out.states.back();
        if (!instance->toState(integrator->t(), out.y.back().data(), out.yp.back().data(), s))
            qFatal("%s", instance->domainMessage().c_str());
        if (instance->hasBases() && !instance->followBases(s)) {
            out.last.status = integrate::StepStatus::Failed;
            out.last.reason = instance->domainMessage();
            return out;
        }
        out.states.push_back(std::move(s));
    }
    return out;
}

/// The exact motion from chart values, at 0, h, 2h, ..., from minimal coordinates: Radau IIA of order five, `parts` steps for
/// each h.
inline std::vector<model::ModelState> exactMotion(ModelUnderTest& subject, const std::vector<double>& s,
                                                  const std::vector<double>& ds, double h, int count, int parts)
{
    const auto n = static_cast<std::size_t>(subject.n());
    std::vector<double> q(n), v(n);
    subject.evaluator.fromChart(0, s.data(), ds.data(), q.data(), v.data());
    std::vector<model::ModelState> start{subject.complete(0, q, v)};
    const Trajectory all = drive(subject, {"state-space"}, "radau-iia-5", h / parts, (count - 1) * parts, start);
    std::vector<model::ModelState> out;
    for (int k = 0; k < count; ++k) {
        const model::ModelState& at = all.states[static_cast<std::size_t>(k * parts)];
        out.push_back(subject.complete(k * h, at.q, at.v));
    }
    return out;
}

} // namespace driftless::problems
