// Our integrators on a form of the model, as a user opens it.
#include <cmath>

#include "tests/bench/Drive.h"
#include "tests/bench/race/Contestant.h"

namespace driftless::bench {
namespace {

constexpr std::uint64_t kMostSteps = 200'000;

class Ours final : public Contestant {
public:
    Ours(const Problem& problem, const System& system, const Entry& entry, const formulation::Dummies& dummies)
        : Contestant(entry.method + ", " + entry.form, true), problem_(problem),
          driven_(system, entry.form, entry.method, firstOptions(entry), problem.changed, dummies),
          adaptive_(driven_.integrator->info().adaptive)
    {
        state_.resize(system->n(), system->w());
    }

    std::vector<double> settings() const override
    {
        if (adaptive_)
            return Contestant::settings();
        std::vector<double> steps;
        for (double count = 32; count < static_cast<double>(kMostSteps) / 8; count *= std::sqrt(2.0))
            steps.push_back(problem_.end / std::ceil(count));
        return steps;
    }

    bool solve(double setting, Judge* judge) override
    {
        auto& method = *driven_.integrator;
        integrate::IntegratorOptions options;
        options.step = adaptive_ ? 0 : setting;
        if (adaptive_)
            options.relativeTolerance = options.absoluteTolerance = setting;
        if (!method.setOptions(options))
            return false;
        const std::uint64_t before = method.statistics().steps;
        driven_.restart();
        while (method.t() < problem_.end) {
            if (method.step(problem_.end).status != integrate::StepStatus::Accepted
                || method.statistics().steps - before > kMostSteps)
                return false;
            if (judge && !show(*judge))
                return false;
        }
        steps_ = static_cast<long>(method.statistics().steps - before);
        return true;
    }
    long steps() const override { return steps_; }

private:
    static integrate::IntegratorOptions firstOptions(const Entry& entry)
    {
        integrate::IntegratorOptions options;
        options.step = integrate::findIntegrator(entry.method)->adaptive ? 0 : 1e-3;
        return options;
    }
    bool show(Judge& judge)
    {
        const auto& method = *driven_.integrator;
        if (!driven_.instance->toState(method.t(), method.y().data(), method.yp().data(), state_))
            return false;
        judge.see(method.t(), state_.q.data(), state_.v.data());
        return true;
    }

    const Problem& problem_;
    Driven driven_;
    bool adaptive_;
    model::ModelState state_;
    long steps_ = 0;
};

} // namespace

std::vector<double> Contestant::settings() const
{
    std::vector<double> list;
    for (int k = 6; k <= 28; ++k) // 1e-3 to 1e-14
        list.push_back(std::pow(10.0, -0.5 * k));
    return list;
}

void addOurs(const Problem& problem, const System& system, Contestants& to)
{
    for (const Entry& entry : problem.ours) {
        formulation::Dummies dummies;
        if (entry.form == "dummy-derivatives")
            dummies.positions = dummies.velocities = problem.dummies;
        to.push_back(std::make_unique<Ours>(problem, system, entry, dummies));
    }
}

} // namespace driftless::bench
