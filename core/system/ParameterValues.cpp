#include "core/system/ParameterValues.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>

namespace driftless::model {

namespace {

bool sameBits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

/// Bindings with the places of what they need.
class Bindings {
public:
    explicit Bindings(const ConstrainedSystem& system) : all_(system.parameters)
    {
        for (std::size_t i = 0; i < all_.size(); ++i)
            places_.emplace(all_[i].quantity.name, i);
    }

    /// What a binding gives; not a number where it has left its domain.
    double at(const std::vector<double>& values, std::size_t i) const
    {
        const auto value = expr::evaluate(all_[i].binding, [&](const expr::Symbol& s) -> std::optional<double> {
            const auto found = places_.find(s.name);
            return found == places_.end() ? std::nullopt : std::optional(values[found->second]);
        });
        return value.value_or(std::numeric_limits<double>::quiet_NaN());
    }

    /// Each of these takes the value of its binding, those that it needs first.
    void follow(std::vector<double>& values, const std::vector<std::size_t>& followers) const
    {
        std::vector<char> open(all_.size(), 0);
        for (const std::size_t i : followers)
            open[i] = 1;
        for (const std::size_t i : followers)
            settle(values, open, i);
    }

private:
    void settle(std::vector<double>& values, std::vector<char>& open, std::size_t first) const
    {
        std::vector<std::size_t> path{first};
        while (!path.empty()) {
            const std::size_t i = path.back();
            std::optional<std::size_t> needed;
            if (open[i])
                for (const expr::Symbol& s : expr::symbolsOf(all_[i].binding))
                    if (const auto found = places_.find(s.name); found != places_.end() && open[found->second])
                        needed = found->second;
            if (needed && path.size() <= all_.size()) {
                path.push_back(*needed);
                continue;
            }
            if (open[i])
                values[i] = at(values, i);
            open[i] = 0;
            path.pop_back();
        }
    }

    const std::vector<Parameter>& all_;
    std::unordered_map<std::string, std::size_t> places_;
};

bool anyFollows(const ConstrainedSystem& system) { return std::ranges::any_of(system.parameters, &Parameter::follows); }

} // namespace

std::vector<double> parameterValues(const ConstrainedSystem& system, const std::map<std::string, double>& set)
{
    std::vector<double> out;
    std::vector<std::size_t> followers;
    for (const Parameter& p : system.parameters) {
        const auto found = set.find(p.quantity.name);
        if (found == set.end() && p.follows())
            followers.push_back(out.size());
        out.push_back(found == set.end() ? p.quantity.value : found->second);
    }
    if (!set.empty() && !followers.empty()) // else they have the values of the file
        Bindings(system).follow(out, followers);
    return out;
}

std::map<std::string, double> statedValues(const ConstrainedSystem& system, std::vector<double> values)
{
    const auto& all = system.parameters;
    for (std::size_t i = values.size(); i < all.size(); ++i)
        values.push_back(all[i].quantity.value);
    std::map<std::string, double> out;
    const bool any = anyFollows(system);
    std::optional<Bindings> bindings;
    if (any)
        bindings.emplace(system);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool follows = all[i].follows() && sameBits(values[i], bindings->at(values, i));
        if (!follows && (all[i].follows() || values[i] != all[i].quantity.value))
            out[all[i].quantity.name] = values[i];
    }
    return out;
}

void setParameter(const ConstrainedSystem& system, std::vector<double>& values, std::size_t index, double value)
{
    if (!anyFollows(system)) {
        values[index] = value;
        return;
    }
    const Bindings bindings(system);
    std::vector<std::size_t> followers;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (i != index && system.parameters[i].follows() && sameBits(values[i], bindings.at(values, i)))
            followers.push_back(i);
    values[index] = value;
    bindings.follow(values, followers);
}

} // namespace driftless::model
