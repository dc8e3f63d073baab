#include "core/expr/Bindings.h"

#include <string_view>
#include <unordered_map>

namespace driftless::expr {

std::vector<std::size_t> orderOf(std::span<const std::string> names, std::span<const Expr> bindings)
{
    std::unordered_map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < names.size(); ++i)
        places.emplace(names[i], i);
    std::vector<std::size_t> missing(names.size(), 0); // how many of what each needs have no place in the order yet
    std::vector<std::vector<std::size_t>> needed(names.size());
    for (std::size_t i = 0; i < names.size(); ++i)
        for (const Symbol& s : symbolsOf(bindings[i]))
            if (const auto found = places.find(s.name); found != places.end()) {
                needed[found->second].push_back(i);
                ++missing[i];
            }
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (missing[i] == 0)
            out.push_back(i);
    for (std::size_t done = 0; done < out.size(); ++done)
        for (const std::size_t i : needed[out[done]])
            if (--missing[i] == 0)
                out.push_back(i);
    return out;
}

} // namespace driftless::expr
