// What the runs of the open bench were integrated with at the displayed time: what panels show. Where nobody looks back that is
// what they are integrated with now. The mode of a mechanism with events is a part of it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "core/formulation/Dae.h"
#include "core/formulation/Describe.h"
#include "core/run/Past.h"
#include "ui/document/OpenBench.h"
#include "ui/document/PivotStretch.h"

namespace driftless::ui {

class LookBack {
public:
    explicit LookBack(const OpenBench& open) : open_(open) {}

    /// An earlier time than the latest is on display.
    bool looksBack() const { return open_.scrubbedBack(); }
    /// Whether the run had other settings, parameters or dummies at the displayed time than it has now, or was in another mode.
    bool differs(int key) const;
    /// As OpenBench::status, with settings, parameters, gains, sizes and selection of the displayed time. What a run offers is
    /// offered now: of then only the selection itself.
    run::RunStatus status(int key) const;
    /// The rows that were integrated at the displayed time.
    std::vector<formulation::DescribedRow> equations(int key, expr::Format format) const;
    /// The parameters of the displayed time, one per parameter of the model: those of the selected run.
    std::vector<double> parameters() const;
    std::vector<double> parameters(int key) const;
    /// Those that hold at the displayed time, whoever looks back: runs are a little ahead of it, and a change that was made
    /// just now is not yet to be seen. What is drawn is drawn with them.
    std::vector<double> drawnWith(int key) const;
    /// Those before them: of what is drawn behind the displayed time.
    std::vector<run::ParametersUntil> drawnBefore(int key) const;

    /// By which forms the run has chosen dummies so far, in the order of time.
    std::vector<PivotStretch> pivots(int key) const;

    /// Another bench.
    void forget();

private:
    struct Then {
        const run::Regime* regime = nullptr;
        formulation::Dummies dummies;
        model::Mode mode;
        bool differs = false;
    };
    Then then(int key) const;
    /// Runs stand still a little ahead of what is displayed.
    bool standsAhead(int key) const;
    void judgeAsShown(int key, run::RunStatus& out) const;
    void offerAsShown(int key, const formulation::Dae& form, run::RunStatus& out) const;
    bool changesMode() const; ///< runs are a little ahead of what is displayed: it may show another mode than is in force
    const std::vector<run::Regime>& regimes(run::RunId id) const;
    const formulation::Dummies& chosenAtBegin(run::RunId id, const run::Regime& regime) const;
    /// A form with the system that it was written for.
    struct Form {
        std::shared_ptr<const model::Model> model;
        std::shared_ptr<const formulation::Dae> dae; ///< null: it cannot be written
    };
    const Form& formOf(const run::RunSettings& settings, const model::Mode& mode) const;

    const OpenBench& open_;
    // What was worked out for the log as long as it was then, and for the model.
    mutable std::size_t logged_ = 0;
    mutable std::map<int, std::vector<run::Regime>> regimes_; ///< by run id
    /// By run id, begin of the regime and what it chose by. Kept until runs are cut or begin anew: choosing makes a run.
    mutable std::map<std::tuple<int, double, std::string>, formulation::Dummies> chosen_;
    mutable std::map<std::pair<std::string, model::Mode>, Form> forms_; ///< by formulation with its options
};

} // namespace driftless::ui
