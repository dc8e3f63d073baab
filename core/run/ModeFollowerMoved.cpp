// Where contacts let a mechanism be that something else moves: its start, a hand, an input with corners.
#include <cmath>

#include "core/run/ModeFollower.h"
#include "core/run/Plain.h"

namespace driftless::run {

namespace {

using model::OneSidedKind;
using model::OneSidedState;

// Of a usual gap (OneSidedSizes).
constexpr double kOnSurface = 1e-10; ///< what is put on a surface by hand may miss it by that much
constexpr double kOverlap = 1e-6;    ///< a start may miss a contact by that much

Diagnostic notThere(double t, const std::string& why)
{
    return {"The contacts cannot be computed there", "t = " + plain(t), why, "another place", {}};
}

} // namespace

Result<void> ModeFollower::check(const model::ModelState& at)
{
    auto& numbers = contacts_.numbers();
    if (!numbers.numbers(at.t, at.q.data(), at.v.data(), at.lambda.data()))
        return Diagnostic{
            "The contacts cannot be computed at the start", "t = " + plain(at.t), numbers.message(), "another start", {}};
    std::vector<double> scales(rows());
    for (std::size_t i = 0; i < rows(); ++i) {
        const model::OneSidedNumbers& now = numbers.of(i);
        scales[i] = now.scale;
        if (hasGap(system().oneSided[i]) && now.value / now.scale < -kOverlap * sizes_.rows[i].gap)
            return Diagnostic{.what = "The start lies behind the contact " + system().oneSided[i].row.name,
                              .where = "t = " + plain(at.t),
                              .why = "the gap is " + plain(now.value / now.scale)
                                     + ", and a contact keeps it from going below zero",
                              .remedy = "a start on the other side",
                              .position = system().oneSided[i].row.position};
    }
    firstScales_ = std::move(scales);
    return {};
}

Result<std::vector<int>> ModeFollower::passed(const model::ModelState& at, const model::Mode& mode)
{
    auto& numbers = contacts_.numbers();
    if (!numbers.numbers(at.t, at.q.data(), at.v.data(), at.lambda.data()))
        return notThere(at.t, numbers.message());
    std::vector<int> out;
    for (std::size_t i = 0; i < rows(); ++i)
        if (hasGap(system().oneSided[i]) && mode[i] == OneSidedState::Off
            && numbers.of(i).value / numbers.of(i).scale < -kOnSurface * sizes_.rows[i].gap)
            out.push_back(static_cast<int>(i));
    return out;
}

bool ModeFollower::mayTear() const
{
    for (std::size_t i = 0; movesInTime_ && i < rows(); ++i)
        if (system().oneSided[i].kind != OneSidedKind::Link && mode_[i] != OneSidedState::Off)
            return true;
    return false;
}

model::Mode ModeFollower::loosened() const
{
    model::Mode out = released();
    for (std::size_t i = 0; i < rows(); ++i)
        if (system().oneSided[i].kind != OneSidedKind::Link && out[i] == OneSidedState::On)
            out[i] = OneSidedState::Off;
    return out;
}

/// Of every row on both sides of a jump.
Result<ModeFollower::Sides> ModeFollower::sidesOf(const model::ModelState& before, const model::ModelState& behind)
{
    auto& numbers = contacts_.numbers();
    Sides out;
    for (auto [state, into] : {std::pair(&before, &out.before), std::pair(&behind, &out.behind)}) {
        if (!numbers.numbers(state->t, state->q.data(), state->v.data(), state->lambda.data()))
            return notThere(state->t, numbers.message());
        for (std::size_t i = 0; i < rows(); ++i)
            into->push_back(numbers.of(i));
    }
    return out;
}

Result<std::optional<model::Mode>> ModeFollower::carried(const model::ModelState& before, const model::ModelState& behind)
{
    const auto sides = sidesOf(before, behind);
    if (!sides)
        return sides.error();
    model::Mode out = mode_;
    bool jumps = false;
    for (std::size_t i = 0; i < rows(); ++i) {
        const double change = sides->behind[i].value - sides->before[i].value;
        if (!hasGap(system().oneSided[i]) || mode_[i] != OneSidedState::On
            || std::abs(change) <= limit(i).gap * sides->behind[i].scale)
            continue;
        jumps = true;
        if (change > 0)
            out[i] = OneSidedState::Off;
    }
    letGo(out);
    return jumps ? std::optional(std::move(out)) : std::optional<model::Mode>();
}

Result<std::optional<model::Mode>> ModeFollower::torn(const model::ModelState& before, const model::ModelState& behind)
{
    const auto sides = sidesOf(before, behind);
    if (!sides)
        return sides.error();
    model::Mode out = mode_;
    for (std::size_t i = 0; i < rows(); ++i) {
        const model::OneSided& row = system().oneSided[i];
        const model::OneSidedNumbers &one = sides->before[i], &other = sides->behind[i];
        const double still = limit(i).still * other.scale, change = other.value - one.value;
        const auto towards = [](double v) { return v > 0 ? OneSidedState::Forwards : OneSidedState::Backwards; };
        if (row.kind == OneSidedKind::Contact && mode_[i] == OneSidedState::On) {
            if (std::abs(hasGap(row) ? other.rate - one.rate : change) > still
                || (hasGap(row) && std::abs(change) > limit(i).gap * other.scale))
                out[i] = OneSidedState::Off;
        } else if (row.kind == OneSidedKind::Friction && mode_[i] != OneSidedState::Off && std::abs(change) > still
                   && !(model::slidingSide(mode_[i]) * other.value > still)) { // else it goes on the same way
            out[i] = towards(other.value);
        }
    }
    letGo(out);
    return out == mode_ ? std::optional<model::Mode>() : std::optional(std::move(out));
}

/// The friction of contacts that are not in force any more.
void ModeFollower::letGo(model::Mode& mode) const
{
    for (std::size_t i = 0; i < rows(); ++i)
        if (const int contact = system().oneSided[i].contact;
            contact >= 0 && mode[static_cast<std::size_t>(contact)] != mode_[static_cast<std::size_t>(contact)])
            mode[i] = OneSidedState::Off;
}

Result<void> ModeFollower::checkJump(const model::ModelState& before, const model::ModelState& behind)
{
    auto& numbers = contacts_.numbers();
    std::vector<double> gaps(rows(), 0.0);
    for (const model::ModelState* s : {&before, &behind}) {
        if (!numbers.numbers(s->t, s->q.data(), s->v.data(), s->lambda.data()))
            return notThere(s->t, numbers.message());
        for (std::size_t i = 0; i < rows(); ++i) {
            const double gap = numbers.of(i).value / numbers.of(i).scale, allowed = kOverlap * sizes_.rows[i].gap;
            if (s == &behind && hasGap(system().oneSided[i]) && gap < -allowed && gap < gaps[i] - allowed)
                return Diagnostic{.what = "An input jumps past the contact " + system().oneSided[i].row.name,
                                  .where = "t = " + plain(s->t),
                                  .why = "the gap is " + plain(gap)
                                         + " behind the jump, and no motion leads from one side to the other",
                                  .remedy = "a ramp in place of the jump, which hits what is in its way",
                                  .position = system().oneSided[i].row.position};
            gaps[i] = gap;
        }
    }
    return {};
}

model::Mode ModeFollower::released() const
{
    model::Mode out = mode_;
    for (std::size_t i = 0; i < rows(); ++i)
        if (hasGap(system().oneSided[i]) || system().oneSided[i].contact >= 0)
            out[i] = OneSidedState::Off;
    return out;
}

} // namespace driftless::run
