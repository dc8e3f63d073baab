// What may happen between the steps of a run by the model's own doing: guards that are watched along each step, times at which
// something is due, and what happens there. A run knows events through this face alone.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/integrate/EventLocation.h"
#include "core/run/Event.h"
#include "core/system/CompiledSystem.h"
#include "core/system/State.h"

namespace driftless::run {

/// What an event has made of a state.
struct Happening {
    std::vector<EventDetail> told; ///< for the time line
    model::ModelState state;       ///< from which the run goes on, in the order of multipliers that it had
    double work = 0;               ///< [J] done on the system at that instant: booked in the energy balance
    bool moved = false;            ///< the state is another one
    bool otherSystem = false;      ///< the equations are others: EventSource::system() is asked for them
    /// Of impacts the largest speed of approach [1/s], in usual gaps of what is hit.
    std::optional<double> approach{};
    std::optional<Diagnostic> stop{};   ///< the run ends here
    std::optional<std::string> ended{}; ///< the model ends the run itself, for this reason
};

enum class Occasion {
    Instant,   ///< one has come, or the run begins here; conditions may have fired with it
    Condition, ///< a guard has fired, and no instant has come
    Change     ///< an input, a parameter or the state is another one
};

class EventSource {
public:
    virtual ~EventSource() = default;

    virtual std::size_t guards() const = 0;
    /// At a state on the step's polynomial. rates: z', NaN where it is not known. False where they cannot be computed. No
    /// allocation.
    virtual bool evaluate(const model::ModelState& at, std::span<double> values, std::span<double> rates) = 0;
    /// On which side each guard is frozen from a state on.
    virtual void watch(const model::ModelState& from, integrate::EventLocator& locator) = 0;
    /// The first time after t at which something is due whatever the state; a step ends exactly there.
    virtual double nextTime(double /*t*/) { return std::numeric_limits<double>::infinity(); }
    /// Before the next happen(): how what has fired was found.
    virtual void found(const integrate::Located& /*event*/) {}
    /// Whether what fires there is a contact that is hit.
    virtual bool strikes(int /*guard*/) const { return false; }
    /// At the state where guards have fired, in their order; or where something was due, or has changed (none).
    virtual Result<Happening> happen(const model::ModelState& at, std::span<const int> guards, Occasion occasion) = 0;
};

} // namespace driftless::run
