// What contacts, friction and links that may break do at one instant: impacts, and which rows are in force afterwards.
//
//   velocities     M (v+ - v-) = sum w_i L_i - B^T Lambda,   B (v+ - v-) = 0,   L_i >= 0
//                  w_i = dg_i'/dv of the contacts that touch, B the rows of joints and of links that are whole
//   Newton's law   u_i = w_i v + g_t:  u_i+ >= -e_i u_i-, = where L_i > 0                 (Glocker, Set-Valued Force Laws,
//   2001) accelerations  M a = f + sum w_i N_i - B^T lambda,  B a = -gamma_B,  0 <= N_i, 0 <= w_i a + gamma_i, their product
//   zero
//
// A contact with friction follows its impact along the normal impulse (PlanarImpact.h); forces and friction of those that touch
// are found together (RubbingContacts.h). Where a contact that slides has no such force, or several, settle() says so, and an
// impact without collision can take it out of its slip.
//
// Contacts that are hit one after the other: the one with the largest speed of approach first, alone, with all joints; then the
// next, until none approaches. Each such impact takes the energy (1 - e^2) u-^2 / (2 w M^-1 w^T). Where that does not end
// within kMostImpacts, those that still approach share an impact without rebound, and the outcome says so. Together: one linear
// complementarity problem; where restitutions differ it may gain energy, and the smallest of them is taken for all then.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/system/CompiledSystem.h"
#include "core/system/Modes.h"

namespace driftless::consistency {

inline constexpr int kMostImpacts = 1000; ///< in a row at one instant

/// One contact of an impact.
struct ContactImpulse {
    int row = 0;                          ///< of ConstrainedSystem::oneSided
    double impulse = 0;                   ///< [N s]; of an angle [N m s]
    double before = 0, after = 0;         ///< [m/s] of the gap; of an angle [rad/s]
    int friction = -1;                    ///< row of its friction, -1: none
    double tangential = 0;                ///< [N s] on it
    double slipBefore = 0, slipAfter = 0; ///< [m/s]
};

/// How contacts that are hit share and end their impacts, as the model says it.
struct ImpactRule {
    bool simultaneous = false;
    model::ImpactLaw law = model::ImpactLaw::Energetic;
    /// Contacts whose flights have become none: behind the impact they stand, and so do those that are moved with them, without
    /// a rebound. Contacts alone go on, and so do those that lose no energy.
    std::vector<int> rests{};
    bool weighs = false; ///< the energies of companies are asked for
};

/// Contacts that are moved together by an impact, some of which were hit; what is much faster is not among them.
struct ContactCompany {
    std::vector<int> rows;
    double approaching = 0, left = 0; ///< [J] of the motion across what they touch and relative to it: before, and behind
};

struct ImpactOutcome {
    std::vector<ContactImpulse> contacts; ///< with an impulse
    double work = 0;                      ///< [J] that the impulses did, not above zero where nothing moves by itself
    int impacts = 0;                      ///< in a row; one where they are shared
    bool cutShort = false;                ///< kMostImpacts did not do
    bool leastRestitution = false;
    std::vector<ContactCompany> companies; ///< where they are asked for: each contact that was hit is in one of them
    double gained = 0;                     ///< [J] by the law of impact, which then is not the energetic one; 0: none
    bool happened() const { return !contacts.empty(); }
};

/// Which rows are in force from here on.
struct ModeOutcome {
    std::optional<Diagnostic> jams{}; ///< at this speed no accelerations fit all contacts, and none of them has friction
    model::Mode mode;
    int tried = 0; ///< states of friction that were tried
    /// The contact whose force is not determined while it slides: none or several of them fit (Painleve); -1: there is none.
    int paradox = -1;
    std::vector<int> jammed{}; ///< the fewest contacts that have no forces together; that one among them
    bool several = false;
    double response = 0; ///< acceleration of its gap [m/s^2] for each newton that it pushes, friction included
};

class Contacts {
public:
    Contacts(std::shared_ptr<const model::CompiledSystem> base, std::shared_ptr<const model::CompiledOneSided> oneSided);
    ~Contacts();
    Contacts(const Contacts&) = delete;
    Contacts& operator=(const Contacts&) = delete;

    void setParameters(std::span<const double> values);
    /// Of each row: the slip at which friction that slides began to, 0 but for forms that do not hold velocities.
    void setSlipZeros(std::span<const double> zeros);
    model::OneSidedEvaluator& numbers();
    const model::OneSidedEvaluator& numbers() const;

    /// What counts as zero at a row, for each unit of its scale: [m] and [m/s], of an angle [rad] and [rad/s].
    struct RowLimits {
        double gap = 0;   ///< what is nearer touches
        double still = 0; ///< round-off of a contact that rests
        double rest = 0;  ///< a rebound that is slower is none, where the contact does not say it itself
    };
    struct Limits {
        std::vector<RowLimits> rows;  ///< one for each of ConstrainedSystem::oneSided
        std::vector<double> standing; ///< of each coordinate: a slower velocity is none, n
        double soon = 0;              ///< [s] after which a capacity that is at zero tells whether it opens or closes
    };
    /// At a state of the base (lambda in its order), v in place.
    Result<ImpactOutcome> impact(const model::ModelState& at, const model::Mode& mode, const Limits& limits,
                                 const ImpactRule& rule, std::vector<double>& v);
    /// An impact of one contact that touches and slides, without a speed of approach.
    Result<ImpactOutcome> impactWithoutCollision(const model::ModelState& at, const model::Mode& mode, const Limits& limits,
                                                 int contact, std::vector<double>& v);
    /// Which open contacts touch and cannot part by themselves: what they let move follows from the rows in force. A string
    /// that is taut holds an elbow whose ratchet lets it no further.
    Result<std::vector<char>> bound(const model::ModelState& at, const model::Mode& mode, const Limits& limits);
    /// Where contacts jam: at this place what one of them allows another one forbids to second order alone, as where a string
    /// and a ratchet come to hold one freedom. A little further on they oppose each other with hardly a lever, and the smallest
    /// way on takes an impulse that stops what moves there: the impact that contacts without rebound have a little of the usual
    /// time later.
    Result<ImpactOutcome> jamImpact(const model::ModelState& at, const model::Mode& mode, const Limits& limits,
                                    std::vector<double>& v);
    /// leaves: rows that are not to stay in force. stops: friction whose slip has just come to an end.
    Result<ModeOutcome> settle(const model::ModelState& at, const model::Mode& mode, const Limits& limits,
                               std::span<const int> leaves, std::span<const int> stops = {});
    /// What a decision has taken for no slip and no motion, of rows that are in force from here on, ends: v in place, by an
    /// impulse in the metric of M. Behind impact(), which keeps what a form has let drift. Returns its work [J].
    Result<double> stand(const model::ModelState& at, const model::Mode& mode, const Limits& limits, std::vector<double>& v);

private:
    struct Work;
    std::unique_ptr<Work> work_;
};

} // namespace driftless::consistency
