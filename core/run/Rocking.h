// A body on several feet rocks from one to the other, each time with a share of its energy, until it stands: behind countless
// impacts in a time that ends. What a step errs by, or the width of what counts as touching, gives it a little energy on each
// of its flights, so that from some speed on it would rock for ever. That is seen by energy: what impacts take is there again.
#pragma once

#include <algorithm>

namespace driftless::run {

class Rocking {
public:
    struct Impact {
        double approach = 0;    ///< [1/s] in usual gaps
        double approaching = 0; ///< [J] of the motion across what it touches and relative to it: before the impact
        double left = 0;        ///< [J] behind it
        bool small = false;     ///< behind a flight that tolerances may have made
        bool several = false;   ///< what was hit is one of several contacts that touch
    };
    void follow(const Impact& now)
    {
        if (!now.small) {
            *this = {};
            return;
        }
        if (impacts_ == 0)
            first_ = now.approaching;
        const bool full = impacts_ + 1 == kWindow;
        const bool lasts = first_ - now.approaching <= kFed * lost_ && lost_ > 0 && shared_ + now.several >= kWindow / 4;
        if (full) { // what is fed between two windows belongs to one of them: this impact begins the next one
            const double below = lasts ? kAsFast * std::max(fastest_, now.approach) : 0;
            *this = {};
            standsBelow_ = below;
            first_ = now.approaching;
        }
        ++impacts_;
        shared_ += now.several;
        fastest_ = std::max(fastest_, now.approach);
        lost_ += std::max(0.0, now.approaching - now.left);
    }
    /// Up to which speed of approach [1/s] it stands at the next impact, as its energy does not fall any more; 0: it does.
    double standsBelow() const { return standsBelow_; }

private:
    static constexpr int kWindow = 10;   ///< impacts; they repeat each other after two or three
    static constexpr double kFed = 0.5;  ///< of what impacts have taken: flights alone give nothing back
    static constexpr double kAsFast = 2; ///< times the fastest of the window: what comes faster is another impact
    int impacts_ = 0, shared_ = 0;       ///< of this window
    double first_ = 0, lost_ = 0;        ///< [J]
    double fastest_ = 0;                 ///< [1/s]
    double standsBelow_ = 0;             ///< of the window before
};

} // namespace driftless::run
