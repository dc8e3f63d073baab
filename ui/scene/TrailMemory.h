// Samples of a run's trail that are kept from frame to frame: a frame adds one or two, the rest are those of the frame before.
//
// A sample is the same as long as nothing recorded is taken back and no parameter changes, and lies before the recording's end:
// what is recorded later changes nothing before it.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "core/run/Recording.h"

namespace driftless::scene {

class TrailMemory {
public:
    /// Before the samples of a frame: forgets those of another recording, of what was taken back, and of other parameters, and
    /// those outside of this time [s].
    void begin(const run::RecordingView& recording, const std::vector<double>& parameters, double from, double to)
    {
        end_ = recording.lastTime();
        if (auto past = recording.past(); past != past_ || parameters != parameters_) {
            past_ = std::move(past);
            parameters_ = parameters;
            samples_.clear();
        }
        samples_.erase(samples_.begin(), samples_.lower_bound(from));
        samples_.erase(samples_.upper_bound(to), samples_.end());
    }

    /// The sample at t, kept or taken now: take(t, out) writes it, or answers false.
    template <class Take>
    bool at(double t, double* out, std::size_t numbers, Take&& take)
    {
        if (const auto found = samples_.find(t); found != samples_.end()) {
            std::copy(found->second.begin(), found->second.end(), out);
            return true;
        }
        ++taken_;
        if (!take(t, out))
            return false;
        if (t < end_)
            samples_.emplace(t, std::vector<double>(out, out + numbers));
        return true;
    }

    std::size_t taken() const { return taken_; } ///< samples that were not kept, ever

private:
    std::shared_ptr<const void> past_;
    std::vector<double> parameters_;
    std::map<double, std::vector<double>> samples_;
    double end_ = 0; ///< [s] of the recording
    std::size_t taken_ = 0;
};

} // namespace driftless::scene
