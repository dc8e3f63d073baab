// A body on several feet rocks from one to the other, each time with a share of the speed, until it stands: behind countless
// impacts in a time that ends. What a step errs by, or the width of what counts as touching, gives it a little speed at each of
// them, so that from some speed on it would rock for ever. That is seen by speeds that do not fall any more.
#pragma once

#include <algorithm>

namespace driftless::run {

class Rocking {
public:
    /// An impact. approach: its speed [1/s], in usual gaps; small: behind a flight that tolerances may have made; several: what
    /// was hit is one of several contacts that touch.
    void follow(double approach, bool small, bool several)
    {
        if (!small) {
            *this = {};
            return;
        }
        ++impacts_;
        shared_ += several;
        fastest_ = std::max(fastest_, approach);
        if (impacts_ % kWindow != 0)
            return;
        lasts_ = impacts_ > kWindow && fastest_ >= kFalls * before_;
        before_ = fastest_;
        fastest_ = 0;
    }
    /// Up to which speed of approach [1/s] it stands at the next impact, as its speeds do not fall any more; 0: they do.
    double standsBelow() const { return lasts_ && shared_ >= impacts_ / 4 ? kAsFast * std::max(before_, fastest_) : 0; }

private:
    static constexpr int kWindow = 10;    ///< impacts; they repeat each other after two or three
    static constexpr double kFalls = 0.5; ///< from window to window: a restitution of 0.93
    static constexpr double kAsFast = 2;  ///< times the fastest so far: what comes faster is another impact
    int impacts_ = 0, shared_ = 0;
    double fastest_ = 0, before_ = 0; ///< [1/s] of this window and of the one before
    bool lasts_ = false;
};

} // namespace driftless::run
