#include "core/run/EnergyMonitor.h"

#include <algorithm>
#include <cmath>

namespace driftless::run {

namespace {

// An accepted step errs by the tolerance in positions and velocities at most: by twice that share of the energy exchanged,
// since E is quadratic; what is lost later by what is lost now, and forms of higher index, get the same ten times again.
constexpr double kOfTolerance = 20;
constexpr double kSeenLoss = 0.01;     // a loss that no curve shows is not worth a word,
constexpr double kTolerable = 0.25;    // and one of a quarter is, whatever the tolerance: half of what an oscillator has
constexpr double kStretchLoses = 0.5;  // what a stretch may lose by its tolerances is not looked at beyond
constexpr double kOfTheMean = 0.2;     // of what is exchanged in the mean over the time; two bodies that an error has caught in
                                       // an orbit of its size have three times the error, T + |V - V(0)|
constexpr double kSeenOfTheMean = 0.1; // that is seen in the motion after a while
constexpr double kOfWhatTurns = 0.02;  // of what was exchanged, where the rest of it is a spin that nothing changes
constexpr double kTurns = 1e-3;        // of what was exchanged: the less of it falls and rises, the more of all may be lost
constexpr double kStays = 1e-3;        // of the way of the coordinate that went furthest: what stays has no usual energy
constexpr double kMoves = 1e-3;        // of what was exchanged: a time of less is rest, and counts in no mean
constexpr double kAllThereIs = 1;      // of what was exchanged: damping ends there
constexpr double kGross = 10;          // of what was exchanged: no moment, whatever comes
constexpr std::uint64_t kStretch = 16; // steps, at least: the error of a single one oscillates
constexpr double kLeastExchange = 1e-9; // of T and |V|: at rest nothing has been exchanged yet
constexpr double kLossLasts = 0.1;      // of the time
constexpr double kNothing = 1e-8;       // of the usual energy: a mode may begin at rest, and round-off is all that it exchanges
constexpr std::uint64_t kFirst = 64;    // steps of a watch, in which
constexpr double kAtFirst = 100;     // tolerances of the usual energy: as much may be missing where little has been exchanged
constexpr double kRests = 1e-3;      // of a nominal size
constexpr double kWorkOfForce = 10;  // times E over S, of the usual force
constexpr double kOfDrift = 1e-3;    // of the usual size: what has drifted further is another mechanism
constexpr double kOfSprings = 0.1;   // of the usual energy: springs that give by 2 % take as much when they are loaded at once
constexpr std::uint64_t kAtOnce = 4; // steps: what is further apart may have passed in other modes

} // namespace

void EnergyMonitor::restart(const Observation& row, MonitorProbe&)
{
    said_ = row.t < said_ ? kNever : said_; // gone with a branch or a new start
    since_ = kNever;
    if (row.general)
        return;
    if (row.t < lastTime_)
        appeared_ = mostKinetic_ = 0;
    else if (lastTime_ > -kNever && row.accepted - lastSteps_ <= kAtOnce)
        appeared_ += row.energyError - lastError_;
    lastTime_ = row.t;
    lastError_ = row.energyError;
    lastSteps_ = row.accepted;
    origin_.assign(row.q.begin(), row.q.end());
    began_ = row.t;
    moved_ = speed_ = movedFor_ = speedFor_ = place_ = 0;
    kinetic_ = row.kinetic;
    usual_ = 0;
    originConstraints_.assign(row.constraints.begin(), row.constraints.end());
    potential_ = row.energy - row.kinetic;
    magnitude_ = std::abs(potential_);
    fall_ = work_ = 0;
    errorBefore_ = error_ = row.energyError + ofViolation(row);
    workBefore_ = row.work;
    rows_ = 0;
    exposure_ = moving_ = 0;
    stepsBefore_ = row.accepted;
    suddenSince_ = kNever;
}

/// What the motion has exchanged so far, and how far it has gone.
void EnergyMonitor::follow(const Observation& row)
{
    const double potential = row.energy - row.kinetic;
    const double gained = std::max(0.0, error_ - errorBefore_); // what came out of nothing was not exchanged
    kinetic_ = std::max(kinetic_, row.kinetic - gained);
    fall_ = std::max(fall_, std::abs(potential - potential_) - gained);
    work_ = std::max(work_, std::abs(row.work - workBefore_) - gained);
    const double now = row.kinetic + std::abs(potential - potential_) + std::abs(row.work - workBefore_);
    if (row.t > lastTime_ && now > kMoves * exchanged()) {
        exposure_ += (row.t - lastTime_) * now;
        moving_ += row.t - lastTime_;
    }
    magnitude_ = std::max(magnitude_, std::abs(potential));
    const auto furthest = [](double& most, double& mostFor, double value, double nominal) {
        if (!(value > mostFor * nominal))
            return false;
        most = value;
        mostFor = value / nominal;
        return true;
    };
    for (std::size_t i = 0; i < row.q.size(); ++i) {
        if (furthest(moved_, movedFor_, std::abs(row.q[i] - origin_[i]), row.scales->positions[i]))
            place_ = std::max(std::abs(row.q[i]), std::abs(origin_[i]));
        furthest(speed_, speedFor_, std::abs(row.v[i]), row.scales->velocities[i]);
    }
    for (std::size_t i = 0; i < row.q.size(); ++i)
        if (std::abs(row.q[i] - origin_[i]) > kStays * movedFor_ * row.scales->positions[i])
            usual_ = std::max(usual_, row.scales->energies[i]);
}

/// The share of what was exchanged that the tolerances explain for each step; 0 for a method of fixed steps. Without a
/// tolerance of its own a quantity is held to rtol times its nominal size (Settings.h): in the first steps from rest that is
/// more than all there is. So is rtol times an angle of many turns, where a mode has just begun: forces do work along it.
double EnergyMonitor::lossOfAStep(const Observation& row) const
{
    const double absolute = row.absoluteTolerance > 0 ? row.absoluteTolerance / std::min(moved_, speed_)
                                                      : row.relativeTolerance / std::min(1.0, std::max(movedFor_, speedFor_));
    const double relative = row.relativeTolerance * std::max(1.0, place_ / moved_);
    return row.adaptive ? kOfTolerance * (relative + absolute) : 0;
}

/// [J] What violated constraints are worth. A rod that has grown by d lets its bob fall by d: m g d is lost, and the motion is
/// as it was. Forces of constraints have done lambda g along that. Near a singular configuration they grow beyond all bounds,
/// and they say nothing of it. Springs in place of constraints hold half of as much.
double EnergyMonitor::ofViolation(const Observation& row) const
{
    if (row.constraints.size() != originConstraints_.size() || row.multipliers.size() < originConstraints_.size())
        return 0;
    double work = 0;
    for (std::size_t i = 0; i < row.constraints.size(); ++i)
        work += row.multipliers[i] * (row.constraints[i] - (row.yields ? 0 : originConstraints_[i]));
    if (row.yields)
        return std::clamp(work / 2, 0.0, kTolerable * usual(row));
    const double most = kWorkOfForce * kOfDrift * usual(row);
    return std::clamp(row.relativePosition > kOfDrift ? work * kOfDrift / row.relativePosition : work, -most, most);
}

double EnergyMonitor::usual(const Observation& row) const { return usual_ > 0 ? usual_ : row.scales->energy; }

/// [J] What may be missing where little has been exchanged. What has moved by no more than a hundred tolerances, and a
/// thousandth of its size, rests, however long: the usual force, pi^2 times E over S, has done work along that.
double EnergyMonitor::tolerated(const Observation& row) const
{
    if (row.yields)
        return kOfSprings * usual(row);
    if (!row.adaptive)
        return 0;
    const double tolerances = kAtFirst * row.relativeTolerance;
    if (movedFor_ <= std::min(kRests, tolerances))
        return std::min(kTolerable, kWorkOfForce * tolerances) * std::max(usual(row), mostKinetic_);
    return row.accepted - stepsBefore_ <= kFirst ? std::min(kTolerable, tolerances) * usual(row) : 0;
}

bool EnergyMonitor::appears(const Observation& row) const
{
    return appeared_ > kAllThereIs * std::max(mostKinetic_, row.scales->energy);
}

/// The share of what was exchanged that may be lost where a fast spin, which nothing changes, has most of it: an error of all
/// that falls and rises is a small share then. Where nothing falls nor works there is the spin alone.
double EnergyMonitor::besideSpin() const
{
    const double turns = fall_ + work_;
    return turns > 0 ? std::clamp(kOfWhatTurns * kTurns * exchanged() / turns, kOfWhatTurns, kTolerable) : kTolerable;
}

Verdict EnergyMonitor::look(const Observation& row, MonitorProbe&)
{
    if (row.general || row.q.empty())
        return {};
    error_ = row.energyError + ofViolation(row);
    follow(row);
    lastTime_ = row.t;
    lastError_ = row.energyError;
    lastSteps_ = row.accepted;
    mostKinetic_ = std::max(mostKinetic_, row.kinetic);
    if (said_ == kNever && appears(row)) {
        said_ = row.t;
        return EventDetail(EnergyDrifted{.error = appeared_, .exchanged = mostKinetic_});
    }
    const double error = error_ - errorBefore_, all = exchanged(), each = lossOfAStep(row);
    const double explained = static_cast<double>(row.accepted - stepsBefore_) * each;
    const bool explains = row.adaptive && !row.yields, damps = !row.adaptive && !row.yields && error < 0;
    const double limit = explains ? std::clamp(explained, kSeenLoss, kTolerable) : damps ? kAllThereIs : kTolerable;
    const double least = std::max({kLeastExchange * (kinetic_ + magnitude_), kNothing * usual(row), tolerated(row)});
    // A moment of much excuses nothing: two bodies that pass each other closely leave on another orbit by less than that.
    const double mean = moving_ > 0 ? exposure_ / moving_ : 0;
    // In its first rows a motion from rest has no mean yet, unless the loss is a good part of the usual energy.
    const double ofTheMean = explains ? std::clamp(explained, kSeenOfTheMean, kOfTheMean) : kTolerable;
    const double leastOfMean = rows_ >= kFirst ? least : std::max(least, kTolerable * usual(row));
    const bool ofMean = (row.adaptive || row.yields) && std::abs(error) > std::max(ofTheMean * mean, leastOfMean);
    const double turns = fall_ + work_;
    const bool ofTurns = explains && std::abs(error) > std::max({turns, besideSpin() * all, least});
    const bool ofAll = std::abs(error) > std::max(limit * all, least), lost = ofAll || ofMean || ofTurns;
    since_ = lost ? std::min(since_, row.t) : kNever;
    const bool sudden = explains && losesSuddenly(row, each) && std::abs(error_ - markError_) > least;
    ++rows_;
    const auto lasts = [&](double since) { return row.t - since >= kLossLasts * (row.t - began_); };
    // The first step of a method of low order from rest has exchanged nothing that it did not make itself.
    const bool gross = std::abs(error) > kGross * all && (all > least || row.accepted - stepsBefore_ > kFirst);
    const bool few = !row.adaptive && row.accepted - stepsBefore_ < kStretch;
    const bool asAWhole = lost && (gross || (lasts(since_) && !few));
    if (said_ < kNever || !(asAWhole || (sudden && lasts(suddenSince_))))
        return {};
    said_ = row.t;
    EnergyDrifted said{.error = error, .exchanged = all};
    if (ofMean && !ofAll) {
        said.exchanged = mean;
        said.inTheMean = true;
    } else if (ofTurns && !ofAll) {
        said.exchanged = turns;
        said.besideSpin = true;
    }
    if (!asAWhole) { // the error as a whole may be one that the tolerances explain
        said = {.error = error_ - markError_, .exchanged = all, .withinSteps = row.accepted - markSteps_};
    } else if (errorBefore_ != 0) {
        said.withinSteps = row.accepted - stepsBefore_;
    }
    if (!row.adaptive)
        said.fixedStep = row.step;
    said.yields = row.yields;
    said.withoutDrift = !row.yields && std::abs(error_ - row.energyError) > kSeenLoss * std::abs(said.error);
    return EventDetail(said);
}

/// Whether more than a stretch of steps explains is gone since its beginning; each step explains such a share of what was
/// exchanged. Stretches follow each other as long as it is not.
bool EnergyMonitor::losesSuddenly(const Observation& row, double each)
{
    if (rows_ == 0) {
        markSteps_ = row.accepted;
        markError_ = error_;
    }
    const std::uint64_t steps = row.accepted - markSteps_;
    const double explained = each * static_cast<double>(steps), gone = std::abs(error_ - markError_);
    if (suddenSince_ == kNever)
        markLimit_ = std::max(kSeenLoss, explained);
    if (gone > markLimit_ * exchanged() && markLimit_ < kStretchLoses) {
        suddenSince_ = std::min(suddenSince_, row.t);
        return true;
    }
    suddenSince_ = kNever;
    if (steps >= kStretch && explained >= kSeenLoss) {
        markSteps_ = row.accepted;
        markError_ = error_;
    }
    return false;
}

} // namespace driftless::run
