#include "core/system/ParameterValues.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <unordered_map>

#include "core/expr/Bindings.h"

namespace driftless::model {

namespace {

bool sameBits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

bool anyFollows(const ConstrainedSystem& system) { return std::ranges::any_of(system.parameters, &Parameter::follows); }

/// Bindings with the places of what they need.
class Bindings {
public:
    explicit Bindings(const ConstrainedSystem& system) : all_(system.parameters)
    {
        std::vector<std::string> names;
        std::vector<expr::Expr> bindings;
        for (const Parameter& p : all_) {
            places_.emplace(p.quantity.name, names.size());
            names.push_back(p.quantity.name);
            bindings.push_back(p.follows() ? p.binding : expr::Expr());
        }
        order_ = expr::orderOf(names, bindings);
    }

    /// All places, each behind what it needs.
    const std::vector<std::size_t>& order() const { return order_; }

    /// Whether it has the value of its binding.
    bool holds(const std::vector<double>& values, std::size_t i) const
    {
        return all_[i].follows() && sameBits(values[i], at(values, i));
    }

    std::vector<char> holding(const std::vector<double>& values) const
    {
        std::vector<char> out(all_.size());
        for (std::size_t i = 0; i < all_.size(); ++i)
            out[i] = holds(values, i);
        return out;
    }

    /// Each of these takes the value of its binding.
    void follow(std::vector<double>& values, const std::vector<char>& followers) const
    {
        for (const std::size_t i : order_)
            if (followers[i])
                values[i] = at(values, i);
    }

private:
    /// What a binding gives; not a number where it has left its domain.
    double at(const std::vector<double>& values, std::size_t i) const
    {
        const auto value = expr::evaluate(all_[i].binding, [&](const expr::Symbol& s) -> std::optional<double> {
            const auto found = places_.find(s.name);
            return found == places_.end() ? std::nullopt : std::optional(values[found->second]);
        });
        return value.value_or(std::numeric_limits<double>::quiet_NaN());
    }

    const std::vector<Parameter>& all_;
    std::unordered_map<std::string, std::size_t> places_;
    std::vector<std::size_t> order_;
};

void setAll(const Bindings& bindings, std::vector<double>& values, std::span<const ParameterSetting> settings)
{
    std::vector<char> followers = bindings.holding(values);
    for (const auto& [i, value] : settings) {
        values[i] = value;
        followers[i] = false;
    }
    bindings.follow(values, followers);
}

} // namespace

std::vector<double> parameterValues(const ConstrainedSystem& system, const std::map<std::string, double>& set)
{
    std::vector<double> out;
    std::vector<char> followers;
    for (const Parameter& p : system.parameters) {
        const auto found = set.find(p.quantity.name);
        followers.push_back(found == set.end() && p.follows());
        out.push_back(found == set.end() ? p.quantity.value : found->second);
    }
    if (!set.empty() && anyFollows(system)) // else they have the values of the file
        Bindings(system).follow(out, followers);
    return out;
}

std::map<std::string, double> statedValues(const ConstrainedSystem& system, std::vector<double> values)
{
    const auto& all = system.parameters;
    for (std::size_t i = values.size(); i < all.size(); ++i)
        values.push_back(all[i].quantity.value);
    const std::vector<char> holding =
        anyFollows(system) ? Bindings(system).holding(values) : std::vector<char>(all.size(), false);
    std::map<std::string, double> out;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (!holding[i] && (all[i].follows() || !sameBits(values[i], all[i].quantity.value)))
            out[all[i].quantity.name] = values[i];
    return out;
}

void setParameter(const ConstrainedSystem& system, std::vector<double>& values, std::size_t index, double value)
{
    if (!anyFollows(system)) {
        values[index] = value;
        return;
    }
    const ParameterSetting one[] = {{index, value}};
    setAll(Bindings(system), values, one);
}

std::vector<ParameterSetting> inOrderToSet(const ConstrainedSystem& system, const std::vector<double>& values,
                                           const std::vector<ParameterSetting>& settings,
                                           const std::function<bool(std::span<const double>)>& allowed)
{
    if (settings.size() < 2 || !anyFollows(system))
        return settings;
    const Bindings bindings(system);
    std::vector<double> wanted = values;
    setAll(bindings, wanted, settings);
    std::vector<std::size_t> place(values.size(), values.size());
    for (std::size_t k = 0; k < bindings.order().size(); ++k)
        place[bindings.order()[k]] = k;
    std::vector<ParameterSetting> out = settings;
    std::ranges::stable_sort(out, {}, [&place](const ParameterSetting& s) { return place[s.first]; });
    const auto leadsThere = [&](const std::vector<ParameterSetting>& order) {
        std::vector<double> now = values;
        for (const ParameterSetting& s : order) {
            setAll(bindings, now, {&s, 1});
            if (!allowed(now))
                return false;
        }
        return std::ranges::equal(now, wanted, sameBits);
    };
    if (leadsThere(settings))
        return settings;
    if (!leadsThere(out))
        if (const std::vector<ParameterSetting> back(out.rbegin(), out.rend()); leadsThere(back))
            return back;
    return out;
}

} // namespace driftless::model
