// The codes of Hairer and Wanner as contestants.
#include "tests/bench/Drive.h"
#include "tests/bench/race/Contestant.h"
#include "tests/bench/race/Hairer.h"
#include "tests/bench/race/Radau5.h"

namespace driftless::bench {
namespace {

/// y of all of them begins with q and v. Parts of it derive from here.
class FortranCode : public Contestant {
public:
    bool solve(double tolerance, Judge* judge) final
    {
        if (!judge)
            return run(tolerance, nullptr);
        const StepWatch watch = [&](double t, const double* y) { judge->see(t, y, y + n_); };
        return run(tolerance, &watch);
    }

protected:
    FortranCode(std::string name, const Problem& problem, std::size_t n)
        : Contestant(std::move(name), false), problem_(problem), n_(n)
    {
    }
    virtual bool run(double tolerance, const StepWatch* watch) = 0;
    const Problem& problem_;

private:
    std::size_t n_; ///< positions
};

class ExplicitCode final : public FortranCode {
public:
    ExplicitCode(const std::string& method, const Problem& problem, const StraightOde& ode)
        : FortranCode(method, problem, static_cast<std::size_t>(ode.n / 2)), code_(ode, method)
    {
    }
    long steps() const override { return code_.steps(); }

private:
    bool run(double tolerance, const StepWatch* watch) override { return code_.solve(problem_.end, tolerance, watch); }
    HairerOde code_;
};

class ImplicitCode final : public FortranCode {
public:
    ImplicitCode(bool varied, const Problem& problem, const StraightOde& ode)
        : FortranCode(varied ? "RADAU" : "RADAU5", problem, static_cast<std::size_t>(ode.n / 2)), code_(ode, varied)
    {
    }
    long steps() const override { return code_.steps(); }

private:
    bool run(double tolerance, const StepWatch* watch) override { return code_.solve(problem_.end, tolerance, watch); }
    RadauOde code_;
};

/// On the rows of a form of ours.
class CodeOnForm final : public FortranCode {
public:
    CodeOnForm(bool varied, const Problem& problem, const System& system, const std::string& form)
        : FortranCode((varied ? "RADAU, " : "RADAU5, ") + form, problem, static_cast<std::size_t>(system->n())),
          driven_(system, form, "radau", {.step = 0}, problem.changed), code_(*driven_.instance, driven_.start, varied)
    {
    }
    long steps() const override { return code_.steps(); }

private:
    bool run(double tolerance, const StepWatch* watch) override { return code_.solve(problem_.end, tolerance, watch); }
    Driven driven_;
    Radau5 code_;
};

} // namespace

void addHairer(const Problem& problem, const System& system, Contestants& to)
{
    const StraightOde* const ode = straightOde(problem.straight);
    if (hasHairer() && ode)
        for (const char* method : {"DOPRI5", "DOP853", "ODEX"})
            to.push_back(std::make_unique<ExplicitCode>(method, problem, *ode));
    for (const bool varied : {false, true}) {
        if (!problem.fewUnknowns || !(varied ? hasRadau() : hasRadau5()))
            continue;
        for (const char* form : {"index-3", "ggl"})
            to.push_back(std::make_unique<CodeOnForm>(varied, problem, system, form));
        if (ode)
            to.push_back(std::make_unique<ImplicitCode>(varied, problem, *ode));
    }
}

} // namespace driftless::bench
