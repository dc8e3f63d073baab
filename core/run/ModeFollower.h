// The modes of a mechanism as events of its run: contacts that close and open, friction that sticks and slides, links that
// break.
//
//   open contact      fires where its gap closes         closed contact    where its force becomes zero
//   sliding friction  where the velocity becomes zero    sticking friction where its force reaches the limit
//                     and where its capacity does        an open clutch    where its capacity becomes positive
//   whole link        where its load reaches the limit
//
// Forces are computed from the model at each point, whatever the form carries. At an event impacts act on the velocities, then
// the accelerations decide which rows are in force (consistency/Contacts.h).
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/consistency/Contacts.h"
#include "core/run/EventSource.h"
#include "core/run/Metrics.h"
#include "core/run/Rocking.h"
#include "core/system/OneSidedSizes.h"

namespace driftless::run {

class ModeFollower final : public EventSource {
public:
    /// The system that a mode leads to, with its metrics: made where it is entered for the first time.
    struct Ground {
        Metrics* metrics = nullptr;
        const std::vector<int>* places = nullptr; ///< of the multipliers of the base; empty: at the same places
    };
    static Result<std::unique_ptr<ModeFollower>> of(std::shared_ptr<const model::CompiledSystem> base);

    const model::Mode& mode() const { return mode_; }
    /// A mode is in force from t on.
    void enter(double t, const model::Mode& mode, const Ground& ground);
    /// At an earlier time of the recording.
    const model::Mode& modeAt(double t) const;
    void forgetAfter(double t);
    /// A new start in the mode in force.
    void beginAgain()
    {
        forgetAll();
        history_.emplace_back(0, mode_);
    }
    void forgetAll()
    {
        history_.clear();
        forgetDrift();
    }
    /// Those in force change nothing.
    void setParameters(std::span<const double> values);
    /// Refuses a start at which a contact is passed already.
    Result<void> check(const model::ModelState& at);
    /// Whole links whose load is beyond what they bear already: they break at a start.
    std::vector<int> overloaded(const model::ModelState& at);
    /// Open contacts that a state passes, by more than round-off of what puts a body on their surface.
    Result<std::vector<int>> passed(const model::ModelState& at, const model::Mode& mode);
    /// Whether the corner of an input may tear what holds or rubs now.
    bool mayTear() const;
    /// The mode in force without what contacts and friction hold. No mode of a run: friction that slides is in it.
    model::Mode loosened() const;
    /// Where an input jumps, or its rate does, the mode without the rows that this tears: no contact pulls, and no friction has
    /// an impulse. behind: as joints alone lead there. Nothing where it tears none.
    Result<std::optional<model::Mode>> torn(const model::ModelState& before, const model::ModelState& behind);
    /// Where surfaces jump on which something lies: the mode in which positions follow, without those that jump away from it.
    Result<std::optional<model::Mode>> carried(const model::ModelState& before, const model::ModelState& behind);
    /// Refuses a jump that has put a body behind a contact that was in front of it.
    Result<void> checkJump(const model::ModelState& before, const model::ModelState& behind);
    /// The next change of the mode is told as one from this.
    void tellFrom(const model::Mode& mode) { shown_ = mode; }
    /// The mode in force without its contacts: what may be lifted off.
    model::Mode released() const;
    /// Of friction that slides the multiplier shows the force, though no row of the mode has it.
    void showSliding(model::ModelState& state);
    /// To which the last event has led; in force once it is entered.
    const model::Mode& next() const { return next_; }

    struct LowFlight {
        double whole = std::numeric_limits<double>::infinity(); ///< [s] from one impact to the next
        double left = 0;                                        ///< [s] until it lands
    };
    /// The shortest one of contacts that fly low at this state, on their way up or down.
    LowFlight lowFlight(const model::ModelState& at);
    /// What the method's test of errors allows a step in places.
    struct StepErrors {
        std::vector<double> absolute{}; ///< of each coordinate [m or rad], n; empty: there is no such test
        double relative = 0;
        bool multistep = false; ///< a first step is one of order one, which errs by as much
    };
    void setStepErrors(StepErrors errors) { stepErrors_ = std::move(errors); }
    /// Whether some contact throws back what hits it.
    bool rebounds() const;
    /// [s] The shortest one of the rows of these guards.
    double usualTime(std::span<const int> guards) const;
    /// One for each row, then one for each for the capacity of what slides.
    std::size_t guards() const override { return 2 * rows(); }
    bool evaluate(const model::ModelState& at, std::span<double> values, std::span<double> rates) override;
    void watch(const model::ModelState& from, integrate::EventLocator& locator) override;
    bool strikes(int guard) const override;
    void found(const integrate::Located& event) override { jumps_ = event.jumps ? event.first : -1; }
    Result<Happening> happen(const model::ModelState& at, std::span<const int> guards, Occasion occasion) override;

private:
    explicit ModeFollower(std::shared_ptr<const model::CompiledSystem> base,
                          std::shared_ptr<const model::CompiledOneSided> oneSided);
    /// A contact, and not of a velocity as a ratchet.
    static bool hasGap(const model::OneSided& row) { return row.kind == model::OneSidedKind::Contact && row.row.holonomic; }
    std::size_t rows() const { return system().oneSided.size(); }
    struct Sides {
        std::vector<model::OneSidedNumbers> before, behind;
    };
    Result<Sides> sidesOf(const model::ModelState& before, const model::ModelState& behind);
    void letGo(model::Mode& mode) const;
    const model::ConstrainedSystem& system() const { return base_->system(); }
    const consistency::Contacts::RowLimits& limit(std::size_t row) const { return limits_.rows[row]; }
    void takeSizes();
    bool forcesAt(const model::ModelState& at);
    int placeOf(const expr::Symbol& idle) const;
    void forgetStops(const model::ModelState& after, std::span<const double> slips, std::vector<int>& guards);
    void keepSlipZeros(const std::vector<double>& slips, std::span<const int> guards);
    void widen(std::span<const int> guards);
    void widenChanged(const consistency::ImpactOutcome& impact, double t);
    bool slides(std::size_t row, const model::Mode& mode) const;
    double ofLift(std::size_t row) const;
    void forgetDrift();
    void forgetImpacts();
    Result<void> checkNormals(double t) const;
    Diagnostic jumped(std::size_t row, double t) const;
    bool sharesWith(std::size_t shared, std::size_t bearer) const;
    double limitOf(std::size_t row) const;
    bool leans(std::size_t row) const;
    consistency::Contacts::Limits limitsWith(std::span<const int> guards) const;
    Result<model::Mode> settled(const model::ModelState& at, std::span<const int> guards,
                                const consistency::Contacts::Limits& limits, Happening& out);
    Diagnostic paradox(const consistency::ModeOutcome& found, double t) const;
    double approachOf(const consistency::ContactImpulse& contact) const;
    void takePlaceErrors(const model::ModelState& at);
    double smallFlight(std::size_t row) const;
    bool follows(std::size_t row, double t) const;
    bool hasRocked(const consistency::ContactCompany& company, const consistency::ImpactOutcome& impact, double t) const;
    void followRocking(const consistency::ImpactOutcome& impact, double t);
    Result<consistency::ImpactOutcome> strike(model::ModelState& s, const consistency::Contacts::Limits& limits);
    void book(const consistency::ImpactOutcome& impact, const model::ModelState& after, Happening& out) const;
    double value(std::size_t row) const;
    void watchGap(std::size_t row, bool bound, integrate::EventLocator& locator);
    void watchSlip(std::size_t row, bool bound, integrate::EventLocator& locator);
    ImpactEvent told(const consistency::ImpactOutcome& impact) const;
    ModeChange told(const model::Mode& next) const;

    std::shared_ptr<const model::CompiledSystem> base_;
    consistency::Contacts contacts_;
    model::Mode mode_, next_;
    model::Mode shown_; ///< on the time line
    std::vector<std::pair<double, model::Mode>> history_;
    Ground ground_;
    model::OneSidedParts parts_;
    model::OneSidedSizes sizes_;
    consistency::Contacts::Limits limits_;
    struct RowImpacts {
        Rocking rocks;
        double last = -std::numeric_limits<double>::infinity(); ///< [s]
    };
    std::vector<RowImpacts> impacts_; ///< of each row: those that hit it, or moved it with what was hit
    int jumps_ = -1;                  ///< the guard that has jumped over its zero
    StepErrors stepErrors_;
    std::vector<double> placeErrors_; ///< of each contact, at the last event: by what a step may err in its gap [m] or [rad]
    bool needsForces_ = false, movesInTime_ = false;
    std::vector<double> a_, lambda_, ordered_;
    std::vector<double> firstScales_; ///< of contacts, at the start
    std::vector<double> widened_;     ///< of each row: by how much more counts as zero, after crossings without effect
    std::vector<char> lifted_; ///< of open contacts: the force came to zero, and they have not been seen further off than that
    struct SlipStop {
        double t = -std::numeric_limits<double>::infinity(); ///< [s]
        model::OneSidedState side = model::OneSidedState::Off;
        double widened = 1;
    };
    std::vector<SlipStop> slipStops_; ///< of friction: where it has stopped last
    std::vector<double> slipZeros_;   ///< of friction that slides: the slip at which it began to, that a form had let drift
};

} // namespace driftless::run
