// From nodes of a graph to what belongs to them, while the graph stays as it is: one array without a list for each node, since
// long chains have millions. What is asked for never depends on an order of entries.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/expr/Node.h"

namespace driftless::expr {

template <typename Value>
class NodeMap {
public:
    explicit NodeMap(std::size_t expected = 0)
    {
        std::size_t size = 16;
        while (size < 2 * expected)
            size *= 2;
        slots_.resize(size);
    }

    /// False where the node is there already.
    bool emplace(const Node* node, Value value)
    {
        if (2 * (count_ + 1) > slots_.size())
            grow();
        Slot& slot = slots_[placeOf(node)];
        if (slot.node)
            return false;
        slot.node = node;
        slot.value = std::move(value);
        ++count_;
        return true;
    }
    /// The node is there.
    const Value& at(const Node* node) const
    {
        const Slot& slot = slots_[placeOf(node)];
        assert(slot.node == node);
        return slot.value;
    }

private:
    struct Slot {
        const Node* node = nullptr;
        Value value{};
    };

    /// Where the node stands, or would.
    std::size_t placeOf(const Node* node) const
    {
        constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15; // 2^64 over the golden ratio: spreads neighbours
        const std::size_t mask = slots_.size() - 1;
        std::size_t place = (reinterpret_cast<std::uintptr_t>(node) * kGolden >> 32) & mask;
        while (slots_[place].node && slots_[place].node != node)
            place = (place + 1) & mask;
        return place;
    }
    void grow()
    {
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        for (Slot& slot : old)
            if (slot.node)
                slots_[placeOf(slot.node)] = std::move(slot);
    }

    std::vector<Slot> slots_;
    std::size_t count_ = 0;
};

} // namespace driftless::expr
