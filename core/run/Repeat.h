// Runs of a laboratory computed anew from its log, up to where they stood before: the same numbers, bit for bit.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>

#include "core/run/Laboratory.h"

namespace driftless::run {

struct Repeated {
    std::shared_ptr<const model::CompiledSystem> system;
    StartSettings start; ///< of the session, as it began
    std::span<const LogEntry> log;
    std::uint64_t recordingBytes; ///< [bytes] of each run
};

/// The runs that are named, each after so many accepted steps; others are left out. This takes as long as computing them did.
/// patience [s]: of the wall's clock; beyond that it is refused.
Result<std::map<RunId, std::unique_ptr<Run>>> repeatRuns(const Repeated& what, const std::map<RunId, std::uint64_t>& steps,
                                                         double patience);

} // namespace driftless::run
