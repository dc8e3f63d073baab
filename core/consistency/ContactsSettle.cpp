// Which rows are in force from here on (Contacts.h).
#include "core/consistency/ContactsWork.h"

#include <cmath>

#include "core/solve/Complementarity.h"

namespace driftless::consistency {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::Mode;
using model::OneSidedKind;
using model::OneSidedState;

constexpr double kSlowSlips = 1e4;    ///< of the speed of rest: what impacts that converge slowly leave where contacts jam
constexpr double kRoundoff = 1e-9;    ///< of accelerations against the largest: round-off of a few solutions
constexpr double kDriftedRows = 1e-4; ///< the same, of rows that are off by what a form lets drift
constexpr double kGives = 1e-12;      ///< of what would give way without joints and friction: less is round-off
constexpr double kMoves = 1e-6;       ///< of usual accelerations: a slower one of a slip that has been let go is none
constexpr double kDeadCentre =
    1e-6; ///< of a row of friction: with less of its own it holds nothing, as the slip of a crank there
constexpr double kNearLimit = 1e-3; ///< of a limit: friction that has been found there and is further off bears less now

} // namespace

namespace {

bool among(std::span<const int> rows, std::size_t row)
{
    return std::find(rows.begin(), rows.end(), static_cast<int>(row)) != rows.end();
}

OneSidedState frictionState(Touch touch)
{
    switch (touch) {
    case Touch::Sticks:
        return OneSidedState::On;
    case Touch::Shares:
        return OneSidedState::Shared;
    case Touch::Forwards:
        return OneSidedState::Forwards;
    case Touch::Backwards:
        return OneSidedState::Backwards;
    case Touch::Open:
    case Touch::Pushes:
        break;
    }
    return OneSidedState::Off;
}

/// Takes what slips slowly for what stands. False where nothing does.
bool stopSlow(Decision& now, const Contacts::Limits& limits)
{
    bool any = false;
    for (RubbingContact& contact : now.rubbing) {
        if (contact.tangent < 0)
            continue;
        const std::size_t slip = now.tangents[static_cast<std::size_t>(contact.tangent) - now.contacts.size()];
        const double speed = kSlowSlips * limits.rows[slip].still;
        any = any || (contact.slip != 0 && std::abs(contact.slip) < speed);
        contact.slip = std::abs(contact.slip) < speed ? 0 : contact.slip;
    }
    return any;
}

/// Where no contact has friction: a complementarity problem.
RubbingForces forcesOf(const MatrixXd& A, const VectorXd& b, const Decision& now, double tolerance)
{
    if (!now.rubbing.empty())
        return solveRubbing(A, b, now.rubbing, tolerance);
    RubbingForces out;
    const auto solved = solve::solveComplementarity(A, b, tolerance);
    if (!solved.solved)
        return out;
    out.end = RubbingForces::End::Found;
    for (const char active : solved.active)
        out.touch.push_back(active ? Touch::Pushes : Touch::Open);
    out.z = solved.z;
    return out;
}

} // namespace

/// Limits a little later; where they cannot be computed, none is reached.
void Contacts::Work::lookAhead(const model::ModelState& at, const Limits& limits)
{
    const bool known = rows.numbers(at.t + limits.soon, at.q.data(), at.v.data(), at.lambda.data());
    for (std::size_t i = 0; i < count(); ++i)
        soon[i] = known ? rows.of(i).limit : 1;
}

/// The rows about which accelerations decide, and which of them are in force at first.
void Contacts::Work::begin(const Limits& limits, std::span<const int> leaves, std::span<const int> stops, Mode& mode,
                           Decision& out) const
{
    const Mode before = mode;
    const auto leaving = [&](std::size_t i) { return among(leaves, i); };
    for (std::size_t i = 0; i < count(); ++i) {
        if (row(i).kind == OneSidedKind::Contact) {
            mode[i] = OneSidedState::Off;
            const double seen = rows.of(i).rate / rows.of(i).scale; // by the guard that fires, drift and all
            if (touches(i, before, limits) && std::min(speed(i), seen) <= limits.rows[i].still && !leaving(i))
                out.contacts.push_back(i);
        } else if (row(i).contact >= 0) {
            mode[i] = OneSidedState::Off;
        } else if (row(i).kind == OneSidedKind::Friction && opens(i, leaving(i))) {
            mode[i] = OneSidedState::Off;
        } else if (row(i).kind == OneSidedKind::Friction) {
            out.friction.push_back(i);
            const double slip = speed(i); // of what stood: what an impact has made of it
            if (std::abs(slip) > limits.rows[i].still && !among(stops, i))
                mode[i] = slip > 0 ? OneSidedState::Forwards : OneSidedState::Backwards;
            else
                mode[i] = OneSidedState::On;
        }
    }
}

/// Of the contacts that may push: how their friction stands before forces are known.
void Contacts::Work::beginRubbing(const Limits& limits, std::span<const int> leaves, std::span<const int> stops,
                                  Decision& out) const
{
    const auto& all = system->system().oneSided;
    for (const std::size_t i : out.contacts) {
        RubbingContact contact;
        const auto same = std::find_if(out.contacts.begin(), out.contacts.end(),
                                       [&](std::size_t k) { return all[k].row.bodies == all[i].row.bodies; });
        contact.pair = static_cast<int>(*same);
        if (const int friction = frictionOf(i); friction >= 0) {
            const auto f = static_cast<std::size_t>(friction);
            contact.tangent = static_cast<int>(out.contacts.size() + out.tangents.size());
            contact.friction = rows.of(f).friction;
            contact.grip = rows.of(f).grip;
            contact.slip = std::abs(speed(f)) > kSlips * limits.rows[f].still && !among(stops, f) ? speed(f) : 0;
            contact.letGo = among(leaves, f);
            out.tangents.push_back(f);
        }
        out.rubbing.push_back(contact);
    }
    if (out.tangents.empty())
        out.rubbing.clear();
    std::vector<int> gone; // what bears the limits of others lets all of them go
    for (const RubbingContact& contact : out.rubbing)
        if (contact.letGo)
            gone.push_back(contact.pair);
    for (RubbingContact& contact : out.rubbing) {
        contact.byPair = !contact.letGo && contact.tangent >= 0 && among(gone, static_cast<std::size_t>(contact.pair));
        contact.letGo = contact.letGo || contact.byPair;
    }
}

/// Whether a row cannot give way because joints and what sticks hold it: neither forces nor an effort of its own accelerate it,
/// but for round-off of what they would do to free bodies.
bool Contacts::Work::heldByOthers(const VectorXd& along, const VectorXd& response, double acceleration,
                                  const VectorXd& force) const
{
    double pulled = 0;
    const double none = noMass(M);
    for (Index k = 0; k < M.rows(); ++k)
        if (M(k, k) > none)
            pulled = std::max(pulled, std::abs(force(k)) / M(k, k));
    return std::abs(along.dot(response.head(M.rows()))) <= kRoundoff * withoutJoints(along)
           && std::abs(acceleration) <= kRoundoff * pulled * along.cwiseAbs().maxCoeff();
}

/// Accelerations and forces with friction of known forces as the mode says.
RubbingForces Contacts::Work::balance(const Mode& mode, Decision& out) const
{
    const Index n = M.rows(), joints = B.rows();
    std::vector<std::size_t> sticking;
    VectorXd force = Eigen::Map<const VectorXd>(out.force.data(), n);
    for (const std::size_t i : out.friction) {
        if (mode[i] == OneSidedState::On)
            sticking.push_back(i);
        force -= model::slidingSide(mode[i]) * rows.of(i).sliding * gradient(i);
    }
    const auto stuck = static_cast<Index>(sticking.size());
    MatrixXd all(joints + stuck, n);
    all.topRows(joints) = B;
    VectorXd right(n + joints + stuck);
    right.head(n) = force;
    right.segment(n, joints) = -gamma;
    for (Index k = 0; k < stuck; ++k) {
        all.row(joints + k) = gradient(sticking[static_cast<std::size_t>(k)]).transpose();
        right(n + joints + k) = -rows.gamma(sticking[static_cast<std::size_t>(k)]);
    }
    Constrained K;
    K.factor(M, all);
    VectorXd solution = K.solve(right);
    std::vector<std::size_t> pushing(out.contacts);
    pushing.insert(pushing.end(), out.tangents.begin(), out.tangents.end());
    const auto size = static_cast<Index>(pushing.size());
    VectorXd b(size);
    std::vector<VectorXd> along, response;
    for (Index i = 0; i < size; ++i) {
        const std::size_t row = pushing[static_cast<std::size_t>(i)];
        along.push_back(gradient(row));
        response.push_back(K.response(along.back()));
        b(i) = along.back().dot(solution.head(n)) + rows.gamma(row);
        if (heldByOthers(along.back(), response.back(), b(i), force))
            b(i) = 0;
    }
    MatrixXd A = givenBy(along, response);
    if (!carries(sticking, solution, along, response, A, b, out))
        return {};
    // Where what sticks holds all bodies, b is round-off of usual accelerations.
    const double large = size > 0 ? std::max({b.cwiseAbs().maxCoeff(), solution.head(n).cwiseAbs().maxCoeff(), out.usual}) : 0;
    RubbingForces found = forcesOf(A, b, out, kRoundoff * large);
    // Rows that oppose each other exactly have forces only up to what a form has let the places of the joints drift.
    for (double share = 10 * kRoundoff; found.end == RubbingForces::End::None && found.named < 0 && share <= kDriftedRows;
         share *= 10)
        found = forcesOf(A, b, out, share * large);
    if (found.end != RubbingForces::End::Found)
        return found;
    out.touch = found.touch;
    for (Index i = 0; i < size; ++i)
        solution += found.z(i) * response[static_cast<std::size_t>(i)];
    out.held.assign(count(), 0);
    for (Index k = 0; k < stuck; ++k)
        out.held[sticking[static_cast<std::size_t>(k)]] = solution(n + joints + k);
    out.slipRate.assign(count(), 0);
    for (const std::size_t i : out.friction)
        out.slipRate[i] = gradient(i).dot(solution.head(n)) + rows.gamma(i);
    return found;
}

/// Of friction that may stick the rows that do not follow from joints and from rows before: the others have nothing to hold.
void Contacts::Work::chooseSticking(const Decision& now, Mode& mode) const
{
    RowSpan span(massUnits(M), now.friction.empty() ? MatrixXd(0, M.rows()) : B, kDeadCentre);
    for (const std::size_t i : now.friction)
        if (mode[i] == OneSidedState::On || mode[i] == OneSidedState::Shared)
            mode[i] = span.take(gradient(i)) ? OneSidedState::On : OneSidedState::Shared;
}

/// What joints and friction that sticks hold gives way to no push: round-off of it is zero. False where they carry the bodies
/// against a contact all the same; then the friction is named that yields first as the contact pushes.
bool Contacts::Work::carries(const std::vector<std::size_t>& sticking, const VectorXd& solution,
                             const std::vector<VectorXd>& along, const std::vector<VectorXd>& response, MatrixXd& A,
                             VectorXd& b, Decision& out) const
{
    const VectorXd units = massUnits(M);
    out.against = out.yields = -1;
    for (Index i = 0; i < b.size(); ++i) {
        const auto k = static_cast<std::size_t>(i);
        if (A(i, i) > kGives * along[k].cwiseProduct(units).squaredNorm())
            continue;
        A.row(i).setZero();
        A.col(i).setZero();
        const bool contact = k < out.contacts.size();
        if (std::abs(b(i)) <= kRoundoff * std::max(out.usual, solution.head(M.rows()).cwiseAbs().maxCoeff()))
            b(i) = 0;
        if (!contact || b(i) >= 0 || out.against >= 0)
            continue;
        out.against = static_cast<int>(out.contacts[k]);
        double least = 0;
        for (std::size_t s = 0; s < sticking.size(); ++s) {
            const Index at = M.rows() + B.rows() + static_cast<Index>(s);
            const double each = response[k](at); // of its force for each newton of the contact
            if (std::abs(each) <= kRoundoff * response[k].tail(response[k].size() - M.rows()).cwiseAbs().maxCoeff())
                continue;
            const double room =
                (rows.of(sticking[s]).limit - std::copysign(solution(at), each * solution(at))) / std::abs(each);
            if (out.yields >= 0 && room >= least)
                continue;
            least = room;
            out.yields = static_cast<int>(sticking[s]);
            out.forwards = each > 0;
        }
    }
    return out.against < 0;
}

/// Changes one row of friction whose state does not fit its force. False where all do.
bool Contacts::Work::letGo(std::span<const int> leaves, Mode& mode, Decision& now) const
{
    std::size_t worst = count();
    double excess = 0;
    for (const std::size_t i : now.friction) {
        const double limit = rows.of(i).limit, over = std::abs(now.held[i]) - limit;
        const bool let = among(leaves, i) && now.held[i] != 0 && over >= -kNearLimit * limit;
        if (mode[i] == OneSidedState::On && (over > 0 || let) && (worst == count() || over > excess)) {
            worst = i;
            excess = over;
        }
    }
    if (worst != count()) {
        mode[worst] = now.held[worst] > 0 ? OneSidedState::Forwards : OneSidedState::Backwards;
        now.gone[worst] = std::max<char>(now.gone[worst], 1);
        return true;
    }
    const double none = kMoves * now.usual;
    for (const std::size_t i : now.friction) {
        const bool moves = mode[i] == OneSidedState::Shared && std::abs(now.slipRate[i]) > none;
        const bool turns = now.gone[i] == 1 && model::slidingSide(mode[i]) * now.slipRate[i] < -none;
        if (!moves && !turns)
            continue;
        now.gone[i] = 2;
        mode[i] = now.slipRate[i] > 0 ? OneSidedState::Forwards : OneSidedState::Backwards;
        if (turns)
            mode[i] = OneSidedState::On;
        return true;
    }
    return false;
}

/// The largest one that forces would give without joints: against it round-off is judged.
double Contacts::Work::usualAcceleration(const Decision& now) const
{
    const VectorXd light = massUnits(M).cwiseAbs2();
    double out = Eigen::Map<const VectorXd>(now.force.data(), M.rows()).cwiseProduct(light).cwiseAbs().maxCoeff();
    for (const std::size_t i : now.friction)
        out = std::max(out, rows.of(i).sliding * gradient(i).cwiseProduct(light).cwiseAbs().maxCoeff());
    return out;
}

Diagnostic Contacts::Work::noForces(double t, const RubbingForces& found, const Decision& now) const
{
    if (now.against >= 0) {
        const model::Constraint& contact = row(static_cast<std::size_t>(now.against)).row;
        Diagnostic out = notComputable(t, "the joints drive the bodies against the contact " + contact.name
                                              + ", and nothing there gives way");
        out.remedy = "a motion that does not lead into the contact, or a spring in place of one of the joints";
        out.position = contact.position;
        return out;
    }
    std::string names;
    for (const std::size_t i : now.contacts)
        names += (names.empty() ? "" : ", ") + row(i).row.name;
    if (now.rubbing.empty()) { // W is positive semidefinite: there are forces wherever accelerations fit all contacts
        Diagnostic out = notComputable(t, "the contacts that touch (" + names
                                              + ") jam: at this place and speed, what one of them allows another one forbids");
        out.remedy = "a spring and a damper in place of one of them, or another start";
        return out;
    }
    return notComputable(
        t, "the forces of the contacts that touch (" + names + ") "
               + (found.end == RubbingForces::End::TooMany ? "stick and slide in too many ways" : "have no solution"));
}

/// Friction that was let go from rest, and whose slip other rows hold. At a dead centre of a linkage the joints hold a slip for
/// an instant, and it moves on.
void Contacts::Work::markLimits(const Decision& now, Mode& mode) const
{
    RowSpan span(massUnits(M), B, kDeadCentre);
    for (std::size_t i = 0; i < count(); ++i)
        if (mode[i] == OneSidedState::On && row(i).kind != OneSidedKind::Link)
            span.take(gradient(i));
    const double none = kMoves * now.usual;
    for (const std::size_t i : now.friction)
        if (const int side = model::slidingSide(mode[i]);
            now.gone[i] != 0 && side != 0 && std::abs(now.slipRate[i]) <= none && span.follows(gradient(i)))
            mode[i] = side > 0 ? OneSidedState::AtLimitForwards : OneSidedState::AtLimitBackwards;
}

Result<ModeOutcome> Contacts::settle(const model::ModelState& at, const Mode& mode, const Limits& limits,
                                     std::span<const int> leaves, std::span<const int> stops)
{
    Work& w = *work_;
    ModeOutcome out;
    out.mode = mode;
    for (const int row : leaves)
        if (w.row(static_cast<std::size_t>(row)).kind == OneSidedKind::Link)
            out.mode[static_cast<std::size_t>(row)] = OneSidedState::Off;
    w.lookAhead(at, limits);
    if (auto loaded = w.load(at, at.v, out.mode); !loaded)
        return loaded.error();
    Decision now;
    now.force.resize(at.q.size());
    if (!w.evaluator.force(at.t, at.q.data(), at.v.data(), at.lambda.data(), now.force.data()))
        return notComputable(at.t, w.evaluator.message());
    w.begin(limits, leaves, stops, out.mode, now);
    w.beginRubbing(limits, leaves, stops, now);
    now.gone.assign(w.count(), 0);
    now.usual = w.usualAcceleration(now);
    // What sticks beyond its limit slides, the one that exceeds it most first.
    for (bool changed = true; changed;) {
        ++out.tried;
        w.chooseSticking(now, out.mode);
        const RubbingForces found = w.balance(out.mode, now);
        if (now.yields >= 0) { // the contact pushes until that gives way
            const auto i = static_cast<std::size_t>(now.yields);
            out.mode[i] = now.forwards ? OneSidedState::Forwards : OneSidedState::Backwards;
            now.gone[i] = 2;
            continue;
        }
        if (found.end != RubbingForces::End::Found && now.against < 0 && stopSlow(now, limits))
            continue; // what jams does not creep on
        if (found.end != RubbingForces::End::Found && found.named < 0) {
            const Diagnostic why = w.noForces(at.t, found, now);
            if (!now.rubbing.empty() || now.against >= 0)
                return why;
            out.jams = why;
            return out;
        }
        if (found.end != RubbingForces::End::Found) {
            const std::size_t row = now.contacts[static_cast<std::size_t>(found.named)];
            for (const int contact : found.jammed)
                out.jammed.push_back(static_cast<int>(now.contacts[static_cast<std::size_t>(contact)]));
            out.paradox = static_cast<int>(row);
            out.several = found.end == RubbingForces::End::Several;
            out.response = found.response / (w.rows.of(row).scale * w.rows.of(row).scale);
            return out;
        }
        changed = w.letGo(leaves, out.mode, now);
    }
    for (std::size_t k = 0; k < now.contacts.size(); ++k) {
        out.mode[now.contacts[k]] = now.touch[k] == Touch::Open ? OneSidedState::Off : OneSidedState::On;
        if (const int friction = w.frictionOf(now.contacts[k]); friction >= 0)
            out.mode[static_cast<std::size_t>(friction)] = frictionState(now.touch[k]);
    }
    w.markLimits(now, out.mode);
    return out;
}

Result<double> Contacts::stand(const model::ModelState& at, const Mode& mode, const Limits& limits, std::vector<double>& v)
{
    Work& w = *work_;
    if (auto loaded = w.load(at, v, mode); !loaded)
        return loaded.error();
    std::vector<std::size_t> standing;
    bool stands = true;
    for (std::size_t i = 0; i < w.count(); ++i)
        if (mode[i] == OneSidedState::On && w.row(i).kind != OneSidedKind::Link) {
            standing.push_back(i);
            stands = stands && std::abs(w.speed(i)) <= limits.rows[i].still;
        }
    if (stands)
        return 0.0;
    const Index n = w.M.rows(), joints = w.B.rows(), count = static_cast<Index>(standing.size());
    MatrixXd all(joints + count, n);
    all.topRows(joints) = w.B;
    VectorXd right = VectorXd::Zero(n + joints + count);
    for (Index k = 0; k < count; ++k) {
        const std::size_t i = standing[static_cast<std::size_t>(k)];
        all.row(joints + k) = w.gradient(i).transpose();
        right(n + joints + k) = -w.speed(i) * w.rows.of(i).scale;
    }
    Constrained K;
    K.factor(w.M, all);
    const VectorXd change = K.solve(right).head(n);
    Eigen::Map<VectorXd> now(v.data(), n);
    const double work = change.dot(w.M * (now + 0.5 * change));
    now += change;
    return work;
}

} // namespace driftless::consistency
