#include "core/system/ParameterValues.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>

namespace driftless::model {

namespace {

bool sameBits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

/// What the bindings give; not a number where one has left its domain.
double bound(const ConstrainedSystem& system, const std::vector<double>& values, std::size_t i)
{
    const auto& all = system.parameters;
    const auto value = expr::evaluate(all[i].binding, [&](const expr::Symbol& s) -> std::optional<double> {
        const auto found =
            std::ranges::find(all, s.name, [](const Parameter& p) -> const std::string& { return p.quantity.name; });
        return found == all.end() ? std::nullopt : std::optional(values[static_cast<std::size_t>(found - all.begin())]);
    });
    return value.value_or(std::numeric_limits<double>::quiet_NaN());
}

/// Each of these takes the value of its binding, whatever the order in which they stand.
void follow(const ConstrainedSystem& system, std::vector<double>& values, const std::vector<std::size_t>& followers)
{
    bool changed = !followers.empty();
    for (std::size_t sweep = 0; changed && sweep <= followers.size(); ++sweep) {
        changed = false;
        for (const std::size_t i : followers) {
            const double value = bound(system, values, i);
            changed = changed || !sameBits(value, values[i]);
            values[i] = value;
        }
    }
}

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
    if (!set.empty()) // else they have the values of the file
        follow(system, out, followers);
    return out;
}

void setParameter(const ConstrainedSystem& system, std::vector<double>& values, std::size_t index, double value)
{
    std::vector<std::size_t> followers;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (i != index && system.parameters[i].follows() && sameBits(values[i], bound(system, values, i)))
            followers.push_back(i);
    values[index] = value;
    follow(system, values, followers);
}

} // namespace driftless::model
