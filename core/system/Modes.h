// The modes of a mechanism with one-sided rows: each is a constrained system of its own, with the rows that are in force in it.
//
// The base is the system as the file is read: no contact closed, no friction, every link whole. It fixes the order in which
// multipliers are recorded; in a mode they stand in another one, the idle ones last.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/expr/Tape.h"
#include "core/system/Model.h"

namespace driftless::model {

enum class OneSidedState : signed char {
    Off,       ///< a contact is open, a link broken; friction: only in the base
    On,        ///< a contact is closed, a link whole; friction sticks
    Forwards,  ///< friction slides with psi > 0
    Backwards, ///< friction slides with psi < 0
    Shared,    ///< friction sticks and has no row: of a contact by that of another one of the same bodies, which bears its
               ///< share; of a known force because other rows hold its slip already, and it bears nothing
    AtLimitForwards, ///< friction of a known force pushes as if psi > 0, and other rows hold its slip at zero
    AtLimitBackwards ///< the same with psi < 0
};
/// Of friction with the force of sliding: the sign of psi; else 0.
int slidingSide(OneSidedState state);
/// One for each row of ConstrainedSystem::oneSided.
using Mode = std::vector<OneSidedState>;

Mode baseMode(const ConstrainedSystem& base);
/// The base itself in the mode of the base.
std::shared_ptr<const Model> modelInMode(const std::shared_ptr<const Model>& base, const Mode& mode);
/// Where each multiplier (and what follows them) of the base stands in a mode: w numbers.
std::vector<int> placesInMode(const ConstrainedSystem& base, const ConstrainedSystem& inMode);
/// Rows in force and how friction slides, "floor, belt sliding forwards"; "free" where there is nothing to be said.
std::string modeName(const ConstrainedSystem& base, const Mode& mode);

/// Where friction of a contact sticks by the row of another one: that row; -1 where there is none.
int bearerOf(const ConstrainedSystem& base, const Mode& mode, std::size_t row);
/// The row of the friction of a contact; -1: it has none.
int frictionOf(const ConstrainedSystem& base, std::size_t contact);

/// What the one-sided rows of a system amount to at a state; definition.
class CompiledOneSided {
public:
    static Result<std::shared_ptr<const CompiledOneSided>> compile(std::shared_ptr<const Model> base);
    const Model& model() const { return *base_; }
    const ConstrainedSystem& system() const { return base_->system; }
    std::size_t size() const { return system().oneSided.size(); }

private:
    friend class OneSidedEvaluator;
    std::shared_ptr<const Model> base_;
    expr::Tape numbers_, rows_;
};

/// Of one row.
struct OneSidedNumbers {
    double value = 0;       ///< g; psi of friction
    double rate = 0;        ///< g' = W v + g_t; of friction psi again
    double scale = 1;       ///< of g per metre
    double restitution = 0; ///< 0 to 1
    double rest = 0;        ///< [m/s], 0: the usual limit
    double limit = 0, sliding = 0, load = 0;
    double friction = 0, grip = 0; ///< for each unit of the contact's multiplier
};

/// Evaluates for given parameters; one per thread. lambda: in the order of the base. No allocation.
class OneSidedEvaluator {
public:
    explicit OneSidedEvaluator(std::shared_ptr<const CompiledOneSided> compiled);
    void setParameters(std::span<const double> values) { parameters_.assign(values.begin(), values.end()); }
    std::span<const double> parameters() const { return parameters_; }
    const CompiledOneSided& compiled() const { return *compiled_; }

    /// False where a value left its domain; message() says which.
    bool numbers(double t, const double* q, const double* v, const double* lambda);
    const OneSidedNumbers& of(std::size_t row) const { return now_[row]; }
    /// d(g', psi)/dv, n numbers for each row, and what is left of g'' (psi') without accelerations.
    bool rows(double t, const double* q, const double* v);
    std::span<const double> gradient(std::size_t row) const { return {values_.data() + row * (n_ + 1), n_}; }
    double gamma(std::size_t row) const { return values_[row * (n_ + 1) + n_]; }
    const std::string& message() const { return message_; }

private:
    bool run(const expr::Tape& tape, double t, const double* q, const double* v, const double* lambda, std::vector<double>& out,
             expr::TapeWorkspace& work);

    std::shared_ptr<const CompiledOneSided> compiled_;
    std::size_t n_ = 0;
    std::vector<double> parameters_, raw_, values_;
    std::vector<OneSidedNumbers> now_;
    expr::TapeWorkspace numbersWork_, rowsWork_;
    std::string message_;
};

} // namespace driftless::model
