// What impacts and decisions of Contacts share: the numbers of a state, and what is found at it. For Contacts.cpp and
// ContactsSettle.cpp alone.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/consistency/ContactRows.h"
#include "core/consistency/Contacts.h"
#include "core/consistency/RubbingContacts.h"
#include "core/consistency/StruckContacts.h"
#include "core/solve/DenseDecompositions.h"

namespace driftless::consistency {

Diagnostic notComputable(double t, const std::string& why);
/// A symmetric matrix of what rows give way to unit pushes along each other.
Eigen::MatrixXd givenBy(const std::vector<Eigen::VectorXd>& along, const std::vector<Eigen::VectorXd>& response);

/// About which rows accelerations decide, and what they say.
struct Decision {
    std::vector<std::size_t> contacts, friction;
    std::vector<RubbingContact> rubbing; ///< of the contacts; empty: none has friction
    std::vector<std::size_t> tangents;   ///< rows of their friction
    std::vector<double> force;           ///< f of the base
    std::vector<Touch> touch;            ///< of the contacts
    // Friction of known forces, by row.
    std::vector<double> held;     ///< multipliers where it sticks
    std::vector<double> slipRate; ///< accelerations of the slip
    std::vector<char> gone;       ///< from rest: 1 let go, 2 for good
    double usual = 0;             ///< accelerations that forces alone would give
    int against = -1;             ///< a contact towards which joints and friction that sticks carry the bodies
    int yields = -1;              ///< friction that gives way first where that contact pushes; -1: none does
    bool forwards = false;        ///< so
};

struct Contacts::Work {
    using Index = Eigen::Index;
    using MatrixXd = Eigen::MatrixXd;
    using VectorXd = Eigen::VectorXd;
    using Mode = model::Mode;
    using OneSidedKind = model::OneSidedKind;
    using OneSidedState = model::OneSidedState;

    Work(std::shared_ptr<const model::CompiledSystem> base, std::shared_ptr<const model::CompiledOneSided> oneSided)
        : system(std::move(base)), evaluator(system), rows(std::move(oneSided))
    {
        const model::ConstrainedSystem& s = system->system();
        const auto& rowsOf = s.oneSided;
        for (const model::OneSided& row : rowsOf) {
            const auto found = std::find_if(s.constraints.begin(), s.constraints.end(),
                                            [&](const model::Constraint& c) { return c.multiplier == row.row.multiplier; });
            constraintOf.push_back(row.kind == OneSidedKind::Link ? static_cast<int>(found - s.constraints.begin()) : -1);
        }
        drift.assign(rowsOf.size(), 0);
        slipZeros = soon = drift;
    }

    const model::OneSided& row(std::size_t i) const { return system->system().oneSided[i]; }
    std::size_t count() const { return constraintOf.size(); }
    VectorXd gradient(std::size_t i) const
    {
        const auto from = rows.gradient(i);
        return Eigen::Map<const VectorXd>(from.data(), static_cast<Index>(from.size()));
    }

    /// M, and B with its gammas: rows of joints and of whole links.
    Result<void> load(const model::ModelState& at, const std::vector<double>& v, const Mode& mode)
    {
        const auto n = static_cast<Index>(system->n());
        std::vector<double> mass(system->massPlaces().size()), jacobian(system->jacobianPlaces().size()),
            bias(static_cast<std::size_t>(system->m()));
        if (!evaluator.mass(at.t, at.q.data(), mass.data()) || !evaluator.jacobian(at.t, at.q.data(), jacobian.data())
            || !evaluator.gamma(at.t, at.q.data(), v.data(), bias.data()))
            return notComputable(at.t, evaluator.message());
        if (!rows.numbers(at.t, at.q.data(), v.data(), at.lambda.data()) || !rows.rows(at.t, at.q.data(), v.data()))
            return notComputable(at.t, rows.message());
        M = MatrixXd::Zero(n, n);
        for (std::size_t k = 0; k < mass.size(); ++k)
            M(system->massPlaces()[k].row, system->massPlaces()[k].column) += mass[k];
        std::vector<Index> place(static_cast<std::size_t>(system->m()), 0);
        for (std::size_t i = 0; i < mode.size(); ++i)
            if (constraintOf[i] >= 0 && mode[i] != OneSidedState::On)
                place[static_cast<std::size_t>(constraintOf[i])] = -1;
        Index kept = 0;
        for (Index& p : place)
            p = p < 0 ? p : kept++;
        rowOf = place;
        B = MatrixXd::Zero(kept, n);
        gamma = VectorXd::Zero(kept);
        for (std::size_t k = 0; k < jacobian.size(); ++k)
            if (const Index p = place[static_cast<std::size_t>(system->jacobianPlaces()[k].row)]; p >= 0)
                B(p, system->jacobianPlaces()[k].column) += jacobian[k];
        for (std::size_t i = 0; i < place.size(); ++i)
            if (place[i] >= 0)
                gamma(place[i]) = bias[i];
        return {};
    }

    double gap(std::size_t i) const { return rows.of(i).value / rows.of(i).scale; }
    /// What a form that does not hold velocities has let slip is no motion.
    double speed(std::size_t i) const { return (rows.of(i).rate - drift[i]) / rows.of(i).scale; }
    /// -1 too where its coefficients are zero: then the contact is one without friction.
    int frictionOf(std::size_t contact) const
    {
        const int friction = model::frictionOf(system->system(), contact);
        const bool rubs = friction >= 0
                          && (rows.of(static_cast<std::size_t>(friction)).friction != 0
                              || rows.of(static_cast<std::size_t>(friction)).grip != 0);
        return rubs ? friction : -1;
    }
    bool touches(std::size_t i, const Mode& mode, const Limits& limits) const
    {
        if (row(i).kind != OneSidedKind::Contact)
            return false;
        return !row(i).row.holonomic || mode[i] == OneSidedState::On || gap(i) <= limits.rows[i].gap; // a ratchet has no gap
    }

    using Struck = std::vector<std::size_t>;
    Struck struck(const Mode& mode, const Limits& limits);
    Result<void> noteDrift(const model::ModelState& at, const std::vector<double>& v, const Mode& mode, const Limits& limits);
    void lookAhead(const model::ModelState& at, const Limits& limits);
    /// A clutch without capacity. leaves: it has come to zero.
    bool opens(std::size_t i, bool leaves) const
    {
        return soon[i] <= 0 && (leaves || rows.of(i).limit <= 0) && rows.of(i).limit <= std::max(0.0, -soon[i]);
    }
    void begin(const Limits& limits, std::span<const int> leaves, std::span<const int> stops, Mode& mode, Decision& out) const;
    void beginRubbing(const Limits& limits, std::span<const int> leaves, std::span<const int> stops, Decision& out) const;
    void chooseSticking(const Decision& now, Mode& mode) const;
    RubbingForces balance(const Mode& mode, Decision& out) const;
    bool heldByOthers(const VectorXd& along, const VectorXd& response, double acceleration, const VectorXd& force) const;
    bool carries(const std::vector<std::size_t>& sticking, const VectorXd& solution, const std::vector<VectorXd>& along,
                 const std::vector<VectorXd>& response, MatrixXd& A, VectorXd& b, Decision& out) const;
    bool letGo(std::span<const int> leaves, Mode& mode, Decision& now) const;
    void markLimits(const Decision& now, Mode& mode) const;
    double usualAcceleration(const Decision& now) const;
    Diagnostic noForces(double t, const RubbingForces& found, const Decision& now) const;
    Result<void> hold(const model::ModelState& at, const std::vector<ContactImpulse>& pushed, const Mode& mode,
                      std::vector<double>& v);
    Result<ImpactOutcome> strikeAhead(const Struck& touching, const model::ModelState& at, double ahead, const Mode& mode,
                                      const Limits& limits, std::vector<double>& v);
    double withoutJoints(const VectorXd& along) const;
    Hit hitOf(const Struck& touching, const Constrained& K, const Limits& limits) const;
    void weigh(const Struck& touching, const std::vector<double>& before, const std::vector<double>& behind,
               const Limits& limits, ImpactOutcome& impact) const;
    Result<void> rest(const std::vector<int>& rests, const model::ModelState& at, const Mode& mode, ImpactOutcome& impact,
                      std::vector<double>& v);
    Result<ImpactOutcome> strikeThose(const Struck& touching, const model::ModelState& at, const Limits& limits,
                                      const ImpactRule& rule, bool forced, std::vector<double>& v);

    std::shared_ptr<const model::CompiledSystem> system;
    model::SystemEvaluator evaluator;
    model::OneSidedEvaluator rows;
    std::vector<int> constraintOf; ///< of links among the constraints of the base; -1
    std::vector<double> drift; ///< g' before the impact that is no motion: a form has let its joints and closed contacts drift
    std::vector<double> slipZeros; ///< what it begins with
    std::vector<double> soon;      ///< limits of friction of known forces a little later
    MatrixXd M, B;
    VectorXd gamma;
    std::vector<Index> rowOf; ///< of each constraint of the base in B; -1: a link that is broken
};

} // namespace driftless::consistency
