// From keys to values in one array, without a list for each key: tapes of long chains look up a million operations. What is
// asked for never depends on an order of entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace driftless::expr {

template <class Key, class Value, class Hash, class Equal = std::equal_to<Key>>
class FlatMap {
public:
    /// Room for so many keys before the array grows.
    void reserve(std::size_t expected)
    {
        std::size_t size = slots_.size();
        while (size < 2 * expected)
            size = size == 0 ? 16 : 2 * size;
        if (size > slots_.size())
            rehash(size);
    }
    /// The value of this key, and whether it is new: then it is the given one.
    std::pair<Value*, bool> tryEmplace(const Key& key, const Value& value)
    {
        reserve(count_ + 1);
        const std::uint32_t hash = hashed(key);
        Slot& slot = slots_[placeOf(key, hash)];
        const bool isNew = slot.hash == 0;
        if (isNew) {
            slot = {.key = key, .value = value, .hash = hash};
            ++count_;
        }
        return {&slot.value, isNew};
    }
    /// Null where there is none.
    const Value* find(const Key& key) const
    {
        if (count_ == 0)
            return nullptr;
        const Slot& slot = slots_[placeOf(key, hashed(key))];
        return slot.hash == 0 ? nullptr : &slot.value;
    }

private:
    struct Slot {
        Key key{};
        Value value{};
        std::uint32_t hash = 0; ///< 0: nothing stands here
    };

    static std::uint32_t hashed(const Key& key)
    {
        constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15; // 2^64 over the golden ratio: spreads neighbours
        return static_cast<std::uint32_t>(static_cast<std::uint64_t>(Hash()(key)) * kGolden >> 32) | 1u;
    }
    std::size_t placeOf(const Key& key, std::uint32_t hash) const
    {
        const std::size_t mask = slots_.size() - 1;
        std::size_t place = (hash >> 1) & mask;
        while (slots_[place].hash != 0 && !(slots_[place].hash == hash && Equal()(slots_[place].key, key)))
            place = (place + 1) & mask;
        return place;
    }
    void rehash(std::size_t size)
    {
        std::vector<Slot> old(size);
        old.swap(slots_);
        const std::size_t mask = size - 1;
        for (Slot& slot : old) {
            if (slot.hash == 0)
                continue;
            std::size_t place = (slot.hash >> 1) & mask;
            while (slots_[place].hash != 0)
                place = (place + 1) & mask;
            slots_[place] = std::move(slot);
        }
    }

    std::vector<Slot> slots_; ///< a power of two
    std::size_t count_ = 0;
};

} // namespace driftless::expr
