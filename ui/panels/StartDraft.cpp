#include "ui/panels/StartDraft.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace driftless::ui {

bool StartDraft::take()
{
    const int document = document_.hasModel() ? document_.bench().bench().document() : -1;
    std::optional<run::StartSettings> edits;
    if (edited_)
        edits = changes();
    if (edits && document != shown_) {
        parked_.insert_or_assign(shown_, *std::exchange(edits, {}));
    } else if (const auto parked = parked_.find(document); parked != parked_.end()) {
        edits = std::move(parked->second);
        parked_.erase(parked);
    }
    shown_ = document;
    draft_ = stated_ = document_.bench().startSettings();
    edited_ = false;
    if (edits)
        keep(*edits);
    const auto model = document_.hasModel() ? document_.bench().compiledHandle() : nullptr;
    const bool another = model_.lock() != model;
    model_ = model;
    return another;
}

/// The draft with those values alone that differ from what the document states.
run::StartSettings StartDraft::changes() const
{
    run::StartSettings out = draft_;
    std::erase_if(out.values, [this](const auto& value) {
        const auto was = stated_.values.find(value.first);
        return was != stated_.values.end() && was->second == value.second;
    });
    return out;
}

/// What the model still has of them.
void StartDraft::keep(const run::StartSettings& edits)
{
    const model::ConstrainedSystem& system = document_.system();
    std::set<std::string> names;
    for (const auto& coordinate : system.coordinates) {
        names.insert(coordinate.name);
        names.insert(coordinate.velocity.name);
    }
    for (const expr::Symbol& symbol : system.wSymbols())
        names.insert(symbol.name);
    for (const auto& value : system.values)
        names.insert(value.name);
    const auto known = [&](const std::string& name) { return names.contains(name); };
    for (const auto& [name, value] : edits.values)
        if (known(name))
            draft_.values[name] = value;
    draft_.massMetric = edits.massMetric;
    draft_.allowInconsistent = edits.allowInconsistent;
    if (edits.fixed && std::ranges::all_of(*edits.fixed, known))
        draft_.fixed = edits.fixed;
    edited_ = draft_ != stated_;
}

void StartDraft::setValue(const std::string& name, double value, bool fixes)
{
    draft_.values[name] = value;
    if (draft_.fixed && fixes && std::ranges::find(*draft_.fixed, name) == draft_.fixed->end())
        draft_.fixed->push_back(name);
    edited_ = true;
}

void StartDraft::setFixed(std::vector<std::string> names)
{
    draft_.fixed = std::move(names);
    edited_ = true;
}

void StartDraft::setMassMetric(bool on)
{
    draft_.massMetric = on;
    edited_ = true;
}

void StartDraft::setAllowInconsistent(bool on)
{
    draft_.allowInconsistent = on;
    edited_ = true;
}

} // namespace driftless::ui
