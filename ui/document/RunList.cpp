#include "ui/document/RunList.h"

#include <algorithm>

namespace driftless::ui {

QString keptRunName(const QString& name)
{
    return name.size() > kLongestRunName ? name.left(kLongestRunName - 1) + u'…' : name;
}

const RunEntry* RunList::find(int key) const
{
    const auto found = std::ranges::find(entries_, key, &RunEntry::key);
    return found == entries_.end() ? nullptr : &*found;
}

int RunList::freeColour() const
{
    int colour = 0;
    while (std::ranges::find(entries_, colour, &RunEntry::colour) != entries_.end())
        ++colour;
    return colour;
}

void RunList::insert(const RunEntry& entry, std::size_t place)
{
    entries_.insert(entries_.begin() + static_cast<std::ptrdiff_t>(std::min(place, entries_.size())), entry);
    if (selected_ < 0)
        selected_ = entry.key;
    if (reference_ < 0)
        reference_ = entry.key;
}

std::size_t RunList::remove(int key)
{
    const auto found = std::ranges::find(entries_, key, &RunEntry::key);
    const auto place = static_cast<std::size_t>(found - entries_.begin());
    if (found == entries_.end())
        return place;
    entries_.erase(found);
    const int first = entries_.empty() ? -1 : entries_.front().key;
    if (selected_ == key)
        selected_ = first;
    if (reference_ == key)
        reference_ = first;
    failed_.erase(key);
    return place;
}

bool RunList::select(int key)
{
    if (selected_ == key || !find(key))
        return false;
    selected_ = key;
    return true;
}

bool RunList::setReference(int key)
{
    if (reference_ == key || !find(key))
        return false;
    reference_ = key;
    return true;
}

bool RunList::setVisible(int key, bool visible)
{
    const auto found = std::ranges::find(entries_, key, &RunEntry::key);
    if (found == entries_.end() || found->visible == visible)
        return false;
    found->visible = visible;
    return true;
}

} // namespace driftless::ui
