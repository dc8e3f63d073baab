#include "core/run/ModeFollower.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/run/Plain.h"

namespace driftless::run {

namespace {

using model::OneSidedKind;
using model::OneSidedState;

// Each in the sizes of a row or of a coordinate (OneSidedSizes.h).
constexpr double kTouching = 1e-9; ///< of a gap: what is nearer touches. Round-off of a step is far below, a bounce far above
constexpr double kStill = 1e-9;    ///< of a velocity: what is slower stands
constexpr double kRest = 1e-4;     ///< of a velocity: a rebound that is slower is none, where the contact states no limit
constexpr double kNoForce = 1e-9;  ///< of a force
constexpr double kSoon = 1e-6;  ///< of the shortest time of a row: after which a capacity that is at zero tells where it goes
constexpr double kDrifted = 10; ///< of kTouching: a contact that opens behind its surface may go so much further
constexpr double kMostWidened = 1e4; ///< of kTouching: with kDrifted as far as kBoundDrift
constexpr double kMostOfSlip = 1e6;  ///< of kStill: a thousandth of the usual velocity
constexpr double kOfLift = 3;        ///< of what a step may err by: what is lifted off touches so far behind its surface
constexpr double kFlat = 1e-7;       ///< of what a curve's expression and gradient are at the start: what is less may be none,
constexpr double kFlatInItself = 1e-6; ///< and is, where it is small in the units of the expression as well
constexpr double kBoundDrift = 1e5;    ///< of what counts as zero: what rows in force hold may drift by so much
constexpr double kParallel = 1e-9;     ///< of the squared cosine of two rows: round-off

/// Of a clutch: it has no capacity.
bool opened(const model::OneSided& row, OneSidedState state)
{
    return row.kind == OneSidedKind::Friction && row.contact < 0 && state == OneSidedState::Off;
}

/// Of friction; what has no row and no slip of its own ends with other rows.
bool watched(const model::OneSided& row, OneSidedState state)
{
    return state == OneSidedState::On || state == OneSidedState::Forwards || state == OneSidedState::Backwards
           || opened(row, state);
}

} // namespace

ModeFollower::ModeFollower(std::shared_ptr<const model::CompiledSystem> base,
                           std::shared_ptr<const model::CompiledOneSided> oneSided)
    : base_(std::move(base)), contacts_(base_, std::move(oneSided)), mode_(model::baseMode(base_->system())), next_(mode_),
      shown_(mode_), parts_(*base_)
{
    a_.resize(static_cast<std::size_t>(base_->n()));
    lambda_.resize(static_cast<std::size_t>(base_->w()));
    ordered_ = lambda_;
    firstScales_.assign(rows(), 0);
    placeErrors_.assign(rows(), 0);
    takeSizes();
    forgetDrift();
    const auto moves = [](const model::Constraint& c) { return expr::dependsOn(c.g, *expr::time().symbol()); };
    movesInTime_ = std::ranges::any_of(system().constraints, moves)
                   || std::ranges::any_of(system().oneSided, moves, &model::OneSided::row);
}

Result<std::unique_ptr<ModeFollower>> ModeFollower::of(std::shared_ptr<const model::CompiledSystem> base)
{
    auto compiled = model::CompiledOneSided::compile(base->modelHandle());
    if (!compiled)
        return compiled.error();
    return std::unique_ptr<ModeFollower>(new ModeFollower(std::move(base), std::move(*compiled)));
}

void ModeFollower::enter(double t, const model::Mode& mode, const Ground& ground)
{
    mode_ = next_ = shown_ = mode;
    ground_ = ground;
    history_.emplace_back(t, mode);
    contacts_.setSlipZeros(slipZeros_);
    needsForces_ = false;
    for (std::size_t i = 0; i < rows(); ++i)
        needsForces_ = needsForces_ || mode[i] == OneSidedState::On
                       || (system().oneSided[i].kind == OneSidedKind::Friction && mode[i] != OneSidedState::Off);
}

const model::Mode& ModeFollower::modeAt(double t) const
{
    const auto after = std::find_if(history_.begin(), history_.end(), [t](const auto& entry) { return entry.first > t; });
    return after == history_.begin() ? mode_ : std::prev(after)->second;
}

void ModeFollower::forgetAfter(double t)
{
    std::erase_if(history_, [t](const auto& entry) { return entry.first > t; });
    forgetDrift();
}

void ModeFollower::forgetDrift()
{
    slipZeros_.assign(rows(), 0);
    widened_.assign(rows(), 1);
    lifted_.assign(rows(), 0);
    slipStops_.assign(rows(), {});
    jumps_ = -1;
    forgetImpacts();
}

void ModeFollower::forgetImpacts() { impacts_.assign(rows(), {}); }

/// A body that leaves a surface slowly, as at the end of a dome, is nearer to it for a while than the tolerance of a coarse
/// method: what crosses without effect may cross by more.
void ModeFollower::widen(std::span<const int> guards)
{
    for (const int guard : guards) {
        const auto row = static_cast<std::size_t>(guard) % rows();
        if (strikes(guard) || (static_cast<std::size_t>(guard) < rows() && slides(row, mode_)))
            widened_[row] = std::min(10 * widened_[row], strikes(guard) ? kMostWidened : kMostOfSlip);
    }
}

/// Friction that slides.
bool ModeFollower::slides(std::size_t row, const model::Mode& mode) const
{
    return system().oneSided[row].kind == OneSidedKind::Friction && model::slidingSide(mode[row]) != 0;
}

/// What is lifted off, and not thrown back, leaves more slowly than a step may err. What slides on at once after it has
/// stopped has not stopped: a form that does not hold velocities made it turn.
void ModeFollower::widenChanged(const consistency::ImpactOutcome& impact, double t)
{
    for (std::size_t i = 0; i < rows(); ++i) {
        if (next_[i] == mode_[i])
            continue;
        const bool slid = slides(i, mode_),
                   goesOn = slides(i, next_) && slipStops_[i].side == next_[i] && t - slipStops_[i].t <= limits_.soon;
        if (slid)
            slipStops_[i] = {.t = t, .side = mode_[i], .widened = widened_[i]};
        widened_[i] = goesOn ? std::min(10 * slipStops_[i].widened, kMostOfSlip) : 1;
        lifted_[i] = stepErrors_.multistep;
    }
    for (const consistency::ContactImpulse& hit : impact.contacts) {
        widened_[static_cast<std::size_t>(hit.row)] = 1;
        lifted_[static_cast<std::size_t>(hit.row)] = 0;
    }
}

/// How far behind its surface a contact that is lifted off touches.
double ModeFollower::ofLift(std::size_t row) const { return lifted_[row] ? kOfLift * placeErrors_[row] : 0; }

void ModeFollower::setParameters(std::span<const double> values)
{
    if (std::ranges::equal(values, contacts_.numbers().parameters()))
        return;
    contacts_.setParameters(values);
    takeSizes();
}

void ModeFollower::takeSizes()
{
    model::SystemEvaluator evaluator(base_);
    evaluator.setParameters(contacts_.numbers().parameters());
    sizes_ = parts_.sizes(evaluator, contacts_.numbers());
    limits_.rows.clear();
    for (const model::OneSidedSize& size : sizes_.rows)
        limits_.rows.push_back(
            {.gap = std::max(kTouching * size.gap, size.roundoff), .still = kStill * size.speed, .rest = kRest * size.speed});
    limits_.standing = sizes_.velocities;
    for (double& speed : limits_.standing)
        speed *= kStill;
    limits_.soon = kSoon * sizes_.time;
}

/// Accelerations and multipliers of the mode from the model, and what follows from them for each row.
bool ModeFollower::forcesAt(const model::ModelState& at)
{
    std::copy(at.lambda.begin(), at.lambda.end(), lambda_.begin());
    auto& solver = ground_.metrics->solver();
    if (needsForces_ && !solver.accelerations(at.t, at.q.data(), at.v.data(), a_.data(), lambda_.data()))
        return false;
    const std::vector<int>& places = *ground_.places;
    if (places.empty())
        std::copy(lambda_.begin(), lambda_.end(), ordered_.begin());
    for (std::size_t i = 0; i < places.size(); ++i)
        ordered_[i] = lambda_[static_cast<std::size_t>(places[i])];
    auto& numbers = contacts_.numbers();
    const bool shares = std::find(mode_.begin(), mode_.end(), OneSidedState::Shared) != mode_.end();
    return numbers.numbers(at.t, at.q.data(), at.v.data(), ordered_.data())
           && (!shares || numbers.rows(at.t, at.q.data(), at.v.data()));
}

/// Of a multiplier among those of the base; -1: it is always in force.
int ModeFollower::placeOf(const expr::Symbol& idle) const
{
    const auto found = std::find(system().idle.begin(), system().idle.end(), idle);
    const auto first = system().w() - static_cast<int>(system().idle.size());
    return found == system().idle.end() ? -1 : first + static_cast<int>(found - system().idle.begin());
}

/// Both slip alike: feet on one floor, and not the two sides of a corner.
bool ModeFollower::sharesWith(std::size_t shared, std::size_t bearer) const
{
    if (mode_[shared] != OneSidedState::Shared || model::bearerOf(system(), mode_, shared) != static_cast<int>(bearer))
        return false;
    const auto a = contacts_.numbers().gradient(shared), b = contacts_.numbers().gradient(bearer);
    const double along = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    const double sizes =
        std::inner_product(a.begin(), a.end(), a.begin(), 0.0) * std::inner_product(b.begin(), b.end(), b.begin(), 0.0);
    return along > 0 && along * along > (1 - kParallel) * sizes;
}

/// Friction that bears nothing, as joints or normals of contacts hold its slip already: as long as they do.
bool ModeFollower::leans(std::size_t row) const
{
    return system().oneSided[row].kind == OneSidedKind::Friction && mode_[row] == OneSidedState::Shared
           && model::bearerOf(system(), mode_, row) < 0;
}

/// Of friction that sticks, with what others that share its row bear.
double ModeFollower::limitOf(std::size_t row) const
{
    double out = contacts_.numbers().of(row).limit;
    for (std::size_t i = 0; i < rows(); ++i)
        out += sharesWith(i, row) ? contacts_.numbers().of(i).limit : 0;
    return out;
}

std::vector<int> ModeFollower::overloaded(const model::ModelState& at)
{
    std::vector<int> out;
    if (!forcesAt(at)) // what follows says why
        return out;
    for (std::size_t i = 0; i < rows(); ++i)
        if (system().oneSided[i].kind == OneSidedKind::Link && mode_[i] == OneSidedState::On
            && value(i) < -kNoForce * sizes_.rows[i].force)
            out.push_back(static_cast<int>(i));
    return out;
}

/// slips: of all rows before the event. What leans keeps its zero, unless its slip has fired and was found to be drift.
void ModeFollower::keepSlipZeros(const std::vector<double>& slips, std::span<const int> guards)
{
    for (std::size_t i = 0; i < rows(); ++i) {
        const bool stood =
            mode_[i] == OneSidedState::On || (mode_[i] != OneSidedState::Off && !watched(system().oneSided[i], mode_[i]));
        if (system().oneSided[i].kind != OneSidedKind::Friction || next_[i] == OneSidedState::Off)
            slipZeros_[i] = 0;
        else if (stood && !(leans(i) && next_[i] == mode_[i] && std::ranges::find(guards, static_cast<int>(i)) == guards.end()))
            slipZeros_[i] = slips[i];
    }
    contacts_.setSlipZeros(slipZeros_);
}

void ModeFollower::showSliding(model::ModelState& state)
{
    const auto slides = [](OneSidedState s) { return model::slidingSide(s) != 0; };
    if (std::none_of(mode_.begin(), mode_.end(), slides))
        return;
    const std::vector<int>& places = *ground_.places;
    const auto placeHere = [&places](int place) { return places.empty() ? place : places[static_cast<std::size_t>(place)]; };
    for (std::size_t i = 0; i < ordered_.size(); ++i)
        ordered_[i] = state.lambda[static_cast<std::size_t>(placeHere(static_cast<int>(i)))];
    if (!contacts_.numbers().numbers(state.t, state.q.data(), state.v.data(), ordered_.data()))
        return;
    for (std::size_t i = 0; i < rows(); ++i)
        if (const int place = placeOf(system().oneSided[i].row.multiplier); slides(mode_[i]) && place >= 0)
            state.lambda[static_cast<std::size_t>(placeHere(place))] =
                model::slidingSide(mode_[i]) * contacts_.numbers().of(i).sliding;
}

/// What the guard of a row looks at: what is above zero (of sliding backwards: below) as long as nothing happens.
double ModeFollower::value(std::size_t i) const
{
    const model::OneSided& row = system().oneSided[i];
    const model::OneSidedNumbers& now = contacts_.numbers().of(i);
    const int place = placeOf(row.row.multiplier);
    const double lambda = place < 0 ? 0 : ordered_[static_cast<std::size_t>(place)];
    switch (row.kind) {
    case OneSidedKind::Contact:
        return mode_[i] == OneSidedState::On ? -lambda : now.value;
    case OneSidedKind::Friction:
        if (leans(i))
            return kBoundDrift * limit(i).still - std::abs(now.value - slipZeros_[i]);
        if (!watched(system().oneSided[i], mode_[i]))
            return 1;
        if (opened(system().oneSided[i], mode_[i]))
            return -now.limit;
        return mode_[i] == OneSidedState::On ? limitOf(i) - std::abs(lambda) : now.value - slipZeros_[i];
    case OneSidedKind::Link:
        break;
    }
    return now.limit - now.load;
}

bool ModeFollower::evaluate(const model::ModelState& at, std::span<double> values, std::span<double> rates)
{
    if (!forcesAt(at))
        return false;
    for (std::size_t i = 0; i < rows(); ++i) {
        const bool gap = hasGap(system().oneSided[i]) && mode_[i] != OneSidedState::On;
        values[i] = value(i);
        values[rows() + i] = contacts_.numbers().of(i).limit;
        rates[rows() + i] = std::numeric_limits<double>::quiet_NaN();
        rates[i] = gap ? contacts_.numbers().of(i).rate : std::numeric_limits<double>::quiet_NaN();
    }
    return true;
}

bool ModeFollower::strikes(int guard) const
{
    const auto i = static_cast<std::size_t>(guard);
    return guard >= 0 && i < rows() && hasGap(system().oneSided[i]) && mode_[i] != OneSidedState::On;
}

/// A form that does not hold positions leaves a contact a little behind its surface. That is no way through it: the surface is
/// where the contact opens, until it has left it.
void ModeFollower::watchGap(std::size_t i, bool bound, integrate::EventLocator& locator)
{
    const model::OneSidedNumbers& now = contacts_.numbers().of(i);
    if (now.value > std::max(widened_[i] * limit(i).gap, ofLift(i)) * now.scale) {
        widened_[i] = 1;
        lifted_[i] = 0;
    }
    const bool sinks = now.value < 0 && now.rate < 0;
    const bool leaves = !bound && now.rate > limit(i).still * now.scale;
    const double drifted = bound ? kBoundDrift : (sinks ? kDrifted : 1) * widened_[i];
    const double touching = std::max(drifted * limit(i).gap, ofLift(i));
    locator.watch(i, 1, touching * now.scale, std::min(now.value, 0.0), leaves);
}

/// Where sliding begins with what counts as no slip, and that is on the other side, its zero is where it begins.
void ModeFollower::watchSlip(std::size_t i, bool bound, integrate::EventLocator& locator)
{
    const double side = mode_[i] == OneSidedState::Backwards ? -1 : 1, slip = side * value(i);
    if (slip > widened_[i] * limit(i).still)
        widened_[i] = 1;
    locator.watch(i, side, (bound ? kBoundDrift : widened_[i]) * limit(i).still, side * std::min(slip, 0.0));
}

void ModeFollower::watch(const model::ModelState& from, integrate::EventLocator& locator)
{
    (void)forcesAt(from);
    model::ModelState ordered = from;
    ordered.lambda = ordered_;
    auto found = contacts_.bound(ordered, mode_, limits_);
    const std::vector<char> bound = found ? *std::move(found) : std::vector<char>(rows(), 0);
    for (std::size_t i = 0; i < rows(); ++i) {
        const double none = kNoForce * sizes_.rows[i].force, force = none / contacts_.numbers().of(i).scale;
        const bool known = system().oneSided[i].contact < 0 && model::slidingSide(mode_[i]) != 0;
        locator.watch(rows() + i, known ? 1 : 0, none);
        switch (system().oneSided[i].kind) {
        case OneSidedKind::Contact:
            if (mode_[i] == OneSidedState::On)
                locator.watch(i, 1, force);
            else if (!hasGap(system().oneSided[i]))
                watchSlip(i, bound[i], locator);
            else
                watchGap(i, bound[i], locator);
            break;
        case OneSidedKind::Friction:
            if (leans(i))
                locator.watch(i, 1, limit(i).still);
            else if (!watched(system().oneSided[i], mode_[i]))
                locator.watch(i, 0, 0);
            else if (mode_[i] == OneSidedState::On || opened(system().oneSided[i], mode_[i]))
                locator.watch(i, 1, none);
            else
                watchSlip(i, false, locator);
            break;
        case OneSidedKind::Link:
            locator.watch(i, mode_[i] == OneSidedState::On ? 1 : 0, none);
            break;
        }
    }
}

ModeChange ModeFollower::told(const model::Mode& next) const
{
    return {
        .from = model::modeName(system(), shown_), .to = model::modeName(system(), next), .fromMode = shown_, .toMode = next};
}

double ModeFollower::usualTime(std::span<const int> guards) const
{
    double out = std::numeric_limits<double>::infinity();
    for (const int guard : guards)
        out = std::min(out, sizes_.rows[static_cast<std::size_t>(guard) % rows()].time);
    return out;
}

Diagnostic ModeFollower::paradox(const consistency::ModeOutcome& found, double t) const
{
    const auto rowOf = [this](int i) -> const model::Constraint& { return system().oneSided[static_cast<std::size_t>(i)].row; };
    const model::Constraint& row = rowOf(found.paradox);
    std::string names;
    for (std::size_t k = 0; k < found.jammed.size(); ++k)
        names += (k == 0 ? "" : (k + 1 < found.jammed.size() ? ", " : " and ")) + rowOf(found.jammed[k]).name;
    const bool together = found.jammed.size() > 1;
    const std::string what = together ? "The forces of the contacts " + names + " have no values together while they slide"
                                      : "The force of the contact " + row.name
                                            + (found.several ? " has several values" : " has no value") + " while it slides";
    const std::string one = "friction turns each newton of its push into an acceleration of its gap of " + plain(found.response)
                            + " m/s^2, "
                            + (found.several ? "so that it may push or let go, and rigid bodies do not say which"
                                             : "so that no push keeps the bodies apart");
    const bool asked = base_->model().impactWithoutCollision;
    return {.what = what + " (Painleve's paradox)",
            .where = "t = " + plain(t),
            .why = together ? "the friction of each presses the others on, so that no pushes keep all of them apart" : one,
            .remedy = asked ? "less friction, or another start; an impact without collision at " + row.name
                                  + " does not end the sliding here"
                            : "less friction, another start, or painleve = \"impact\" at the top of the file: an impact "
                              "without collision may then end the sliding",
            .position = row.position};
}

/// Which rows are in force from here on; where a contact's force is not determined and the model says so, behind an impact
/// without collision.
Result<model::Mode> ModeFollower::settled(const model::ModelState& at, std::span<const int> guards,
                                          const consistency::Contacts::Limits& limits, Happening& out)
{
    std::vector<int> leaves, stops;
    for (const int guard : guards) {
        const auto row = static_cast<std::size_t>(guard) % rows();
        const bool capacity = static_cast<std::size_t>(guard) >= rows();
        if (capacity || mode_[row] == OneSidedState::On)
            leaves.push_back(static_cast<int>(row));
        else if (!opened(system().oneSided[row], mode_[row]) && !leans(row)) // what leans goes on as it slips by now
            stops.push_back(static_cast<int>(row));
    }
    model::ModelState s = at;
    for (std::size_t tries = 0; tries <= rows(); ++tries) { // each takes one contact out of its sliding
        auto found = contacts_.settle(s, mode_, limits, leaves, stops);
        if (!found)
            return found.error();
        if (found->paradox < 0 && !found->jams)
            return found->mode;
        if (!found->jams && !base_->model().impactWithoutCollision)
            return paradox(*found, at.t);
        auto impact = found->jams ? contacts_.jamImpact(s, mode_, limits, s.v)
                                  : contacts_.impactWithoutCollision(s, mode_, limits, found->paradox, s.v);
        if (!impact)
            return impact.error();
        if (found->jams && !impact->happened()) // nothing was there to be stopped
            return *found->jams;
        if (!impact->happened())
            return paradox(*found, at.t);
        book(*impact, s, out);
        std::get<ImpactEvent>(out.told.back()).withoutCollision = !found->jams;
    }
    return Diagnostic{.what = "Impacts without collision do not end",
                      .where = "t = " + plain(at.t),
                      .why = "each ends the sliding of one contact, and another one begins to slide",
                      .remedy = "less friction, or another start"};
}

/// A curve given by an expression whose gradient vanishes on it, as y^3 = 0, has no direction in which it could push.
Result<void> ModeFollower::checkNormals(double t) const
{
    for (std::size_t i = 0; i < rows(); ++i) {
        const model::Constraint& row = system().oneSided[i].row;
        if (!hasGap(system().oneSided[i]) || mode_[i] == OneSidedState::On || next_[i] != OneSidedState::On
            || !(contacts_.numbers().of(i).scale < std::min(kFlat * firstScales_[i], kFlatInItself)))
            continue;
        return Diagnostic{.what = "The contact " + row.name + " has no normal where it closes",
                          .where = "t = " + plain(t),
                          .why = "the gradient of its curve is zero there",
                          .remedy = "an expression that changes its sign at the curve with a slope, as y does and y^3 does not",
                          .position = row.position};
    }
    return {};
}

/// What has changed its sign without touching zero has no place at which it could push.
Diagnostic ModeFollower::jumped(std::size_t row, double t) const
{
    const bool turns = system().oneSided[row].angular; // of others the angle goes on beyond a turn
    return {.what = "The gap of the contact " + system().oneSided[row].row.name + " jumps",
            .where = "t = " + plain(t),
            .why = turns ? "in space the angle of a joint counts within one turn, and here it ends"
                         : "its expression is not continuous here",
            .remedy = turns ? "both ends of the stop, less than one turn apart"
                            : "an expression that comes to zero before it changes its sign",
            .position = system().oneSided[row].row.position};
}

/// Sliding that would end here goes on where an impact has given it another slip.
void ModeFollower::forgetStops(const model::ModelState& after, std::span<const double> slips, std::vector<int>& guards)
{
    if (!contacts_.numbers().numbers(after.t, after.q.data(), after.v.data(), ordered_.data()))
        return;
    std::vector<char> other(rows(), 0);
    for (std::size_t i = 0; i < rows(); ++i)
        other[i] = system().oneSided[i].kind == OneSidedKind::Friction && model::slidingSide(mode_[i]) != 0
                   && std::abs(contacts_.numbers().of(i).value - slips[i]) > limit(i).still;
    std::erase_if(
        guards, [&](int guard) { return static_cast<std::size_t>(guard) < rows() && other[static_cast<std::size_t>(guard)]; });
}

/// What has fired touches, though a true step has ended a little before its surface.
consistency::Contacts::Limits ModeFollower::limitsWith(std::span<const int> guards) const
{
    consistency::Contacts::Limits out = limits_;
    for (const int guard : guards) {
        if (!strikes(guard))
            continue;
        const auto i = static_cast<std::size_t>(guard);
        const model::OneSidedNumbers& now = contacts_.numbers().of(i);
        out.rows[i].gap = std::max(limit(i).gap, std::min(now.value / now.scale, kBoundDrift * limit(i).gap));
    }
    return out;
}

Result<Happening> ModeFollower::happen(const model::ModelState& at, std::span<const int> guards, Occasion occasion)
{
    if (const int jumps = std::exchange(jumps_, -1); jumps >= 0 && strikes(jumps))
        return jumped(static_cast<std::size_t>(jumps), at.t);
    Happening out;
    out.state = at;
    model::ModelState s = at;
    if (!forcesAt(at))
        return Diagnostic{"The forces of the contacts are not determined here",
                          "t = " + plain(at.t),
                          ground_.metrics->solver().message(),
                          "another start",
                          {}};
    s.lambda = ordered_;
    takePlaceErrors(at);
    std::vector<double> slips;
    for (std::size_t i = 0; i < rows(); ++i)
        slips.push_back(contacts_.numbers().of(i).value);
    const consistency::Contacts::Limits limits = limitsWith(guards);
    if (occasion == Occasion::Change)
        forgetImpacts();
    auto impact = strike(s, limits);
    if (!impact)
        return impact.error();
    std::vector<int> left(guards.begin(), guards.end());
    if (impact->happened()) {
        book(*impact, s, out);
        forgetStops(s, slips, left);
    }
    auto next = settled(s, left, limits, out);
    if (!next)
        return next.error();
    next_ = *std::move(next);
    if (auto standing = checkNormals(at.t); !standing)
        return standing.error();
    widenChanged(*impact, at.t);
    s.v = out.state.v;
    const auto stood = contacts_.stand(s, next_, limits, s.v);
    if (!stood)
        return stood.error();
    if (*stood != 0) {
        out.moved = true;
        out.work += *stood;
        out.state.v = s.v;
    }
    keepSlipZeros(slips, guards);
    out.otherSystem = next_ != mode_;
    if (next_ != shown_)
        out.told.emplace_back(told(next_));
    shown_ = next_;
    if (out.told.empty() && !guards.empty()) {
        Crossing touched;
        for (const int guard : guards)
            touched.names.push_back(system().oneSided[static_cast<std::size_t>(guard) % rows()].row.name);
        out.told.emplace_back(std::move(touched));
        widen(guards);
    }
    return out;
}

} // namespace driftless::run
