// Sessions from an input, cut down to what one execution may cost: few runs, few steps, small models.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "core/mechanism/ReadModel.h"
#include "core/reduction/Reduced.h"
#include "core/run/Laboratory.h"
#include "core/run/SessionCodec.h"
#include "tests/fuzz/Fuzz.h"

namespace driftless::fuzz {

/// Bounds counts of steps wherever they stand.
inline void clampSteps(nlohmann::ordered_json& j)
{
    if (j.is_object())
        for (auto& [key, value] : j.items())
            if ((key == "steps" || key == "after_steps") && value.is_number()
                && value.get<double>() > static_cast<double>(Budget::kSteps))
                value = Budget::kSteps;
    if (j.is_structured())
        for (auto& item : j)
            clampSteps(item);
}

/// The session with fewer steps; nothing where it is no JSON, or where it asks for more than an execution may cost.
inline std::optional<std::string> smallSession(std::string_view text)
{
    auto j = nlohmann::ordered_json::parse(text, nullptr, false);
    if (!j.is_object())
        return std::nullopt;
    if (const auto found = j.find("log"); found != j.end() && found->is_array()) {
        std::size_t runs = 0;
        for (const auto& entry : *found)
            if (entry.is_object() && entry.contains("kind") && entry["kind"] == "add" && ++runs > Budget::kRuns)
                return std::nullopt;
    }
    if (const auto found = j.find("model");
        found != j.end() && found->is_object() && found->contains("text") && (*found)["text"].is_string()) {
        const std::string model = (*found)["text"].get<std::string>();
        if (!reduction::statesEquations(model) && !model::readModel(model, "session", modelLimits()))
            return std::nullopt;
    }
    clampSteps(j);
    return j.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// Stops a replay that takes too long, as the window's Cancel does.
class Patience {
public:
    Patience()
        : thread_([this] {
              std::unique_lock lock(mutex_);
              if (!wake_.wait_for(lock, std::chrono::milliseconds(Budget::kMilliseconds), [this] { return done_; }))
                  watch.stop = true;
          })
    {
    }
    ~Patience()
    {
        {
            const std::lock_guard lock(mutex_);
            done_ = true;
        }
        wake_.notify_all();
        thread_.join();
    }
    Patience(const Patience&) = delete;
    Patience& operator=(const Patience&) = delete;

    run::ReplayWatch watch;

private:
    std::mutex mutex_;
    std::condition_variable wake_;
    bool done_ = false;
    std::thread thread_;
};

} // namespace driftless::fuzz
