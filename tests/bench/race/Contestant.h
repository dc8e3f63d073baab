// Who takes part in the race: a method, the equations it is given, and how it is driven.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/system/CompiledSystem.h"
#include "tests/bench/race/Problems.h"
#include "tests/bench/race/Reference.h"

namespace driftless::bench {

class Contestant {
public:
    virtual ~Contestant() = default;
    Contestant(const Contestant&) = delete;
    Contestant& operator=(const Contestant&) = delete;

    const std::string& name() const { return name_; }
    bool isOurs() const { return ours_; }
    /// Tolerances, or steps of a method without a step of its own [s], the coarsest first.
    virtual std::vector<double> settings() const;
    /// From the start to the end; false where it gives up. The judge, where there is one, sees every step: not to be timed.
    virtual bool solve(double setting, Judge* judge) = 0;
    virtual long steps() const = 0; ///< of the last solution

protected:
    Contestant(std::string name, bool ours) : name_(std::move(name)), ours_(ours) {}

private:
    std::string name_;
    bool ours_;
};

using Contestants = std::vector<std::unique_ptr<Contestant>>;
using System = std::shared_ptr<const model::CompiledSystem>;

void addOurs(const Problem& problem, const System& system, Contestants& to);
void addSundials(const Problem& problem, Contestants& to);                     ///< IDA and CVODE on straight C
void addHairer(const Problem& problem, const System& system, Contestants& to); ///< where they were there to be linked

} // namespace driftless::bench
