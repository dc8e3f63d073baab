// Contacts that stand in the way of what is pulled in the editor: where the nearest start would lie behind some, it is the
// nearest one on their surfaces.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/consistency/Nearest.h"
#include "core/system/Modes.h"

namespace driftless::ui {

class PullContacts {
public:
    PullContacts(std::shared_ptr<const model::CompiledSystem> system, std::vector<double> parameters);

    /// The same, in front of all contacts. inTheWay: the contacts that hold it back, in words for a list.
    Result<consistency::NearestSolution> nearest(const consistency::NearestRequest& request, std::string& inTheWay);

private:
    /// The rows of some contacts beside those of the joints.
    struct Ground {
        std::shared_ptr<const model::CompiledSystem> system;
        std::unique_ptr<consistency::ConsistencySolver> solver;
        std::unique_ptr<model::SystemEvaluator> evaluator;
    };
    Result<const Ground*> ground(const model::Mode& mode);
    std::vector<std::size_t> passed(const model::ModelState& at, const model::Mode& mode);

    std::shared_ptr<const model::CompiledSystem> system_;
    std::vector<double> parameters_;
    std::unique_ptr<model::OneSidedEvaluator> contacts_; ///< null: there are none
    std::map<model::Mode, Ground> grounds_;
    double surface_ = 0; ///< [m] a gap of less below zero is round-off
};

} // namespace driftless::ui
