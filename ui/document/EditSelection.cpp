#include "ui/document/EditSelection.h"

#include <algorithm>

namespace driftless::ui {

EditSelection::EditSelection(std::function<bool(const std::string&)> exists, QObject* parent)
    : QObject(parent), exists_(std::move(exists))
{
}

bool EditSelection::contains(const std::string& id) const { return std::ranges::find(ids_, id) != ids_.end(); }

void EditSelection::select(std::vector<std::string> ids)
{
    std::erase_if(ids, [this](const std::string& id) { return !exists_(id); });
    if (ids == ids_)
        return;
    ids_ = std::move(ids);
    emit changed();
}

void EditSelection::prune()
{
    std::erase_if(ids_, [this](const std::string& id) { return !exists_(id); });
}

} // namespace driftless::ui
