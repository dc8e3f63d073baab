// A value or the reason why there is none: the door for bad models and bad requests.
#pragma once

#include <cassert>
#include <utility>
#include <variant>

#include "core/base/Diagnostic.h"

namespace driftless {

template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Result(Diagnostic diagnostic) : content_(std::in_place_index<1>, std::move(diagnostic)) {}

    bool ok() const { return content_.index() == 0; }
    explicit operator bool() const { return ok(); }

    T& value() &
    {
        assert(ok());
        return std::get<0>(content_);
    }
    const T& value() const&
    {
        assert(ok());
        return std::get<0>(content_);
    }
    T&& value() &&
    {
        assert(ok());
        return std::get<0>(std::move(content_));
    }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }

    const Diagnostic& error() const
    {
        assert(!ok());
        return std::get<1>(content_);
    }

private:
    std::variant<T, Diagnostic> content_;
};

/// The result of a request that only succeeds or fails.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Diagnostic diagnostic) : error_(std::move(diagnostic)), ok_(false) {}

    bool ok() const { return ok_; }
    explicit operator bool() const { return ok_; }
    const Diagnostic& error() const
    {
        assert(!ok_);
        return error_;
    }

private:
    Diagnostic error_;
    bool ok_ = true;
};

} // namespace driftless
