#include <algorithm>
#include <array>

#include "core/formulation/Forms.h"

namespace driftless::formulation {
namespace {

std::vector<std::unique_ptr<const Formulation>> makeAll()
{
    static constexpr std::array<Maker, 8> kMakers{makeDummyDerivatives, makeStateSpace, makeIndex3, makeIndex2,
                                                  makeIndex1,           makeBaumgarte,  makeProjection, makeGgl};
    std::vector<std::unique_ptr<const Formulation>> all;
    for (const Maker make : kMakers)
        all.push_back(make());
    return all;
}

/// Levenshtein distance, for "did you mean".
std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

} // namespace

std::span<const std::unique_ptr<const Formulation>> formulations()
{
    static const std::vector<std::unique_ptr<const Formulation>> all = makeAll();
    return all;
}

const Formulation* findFormulation(std::string_view id)
{
    for (const auto& f : formulations())
        if (f->info().id == id)
            return f.get();
    return nullptr;
}

Result<const Formulation*> requireFormulation(std::string_view id)
{
    if (const Formulation* f = findFormulation(id))
        return f;
    std::string list, nearest;
    std::size_t best = 4;
    const std::string_view shown = id.substr(0, 64);
    for (const auto& f : formulations()) {
        list += (list.empty() ? "" : ", ") + f->info().id;
        if (const std::size_t d = editDistance(shown, f->info().id); d < best) {
            best = d;
            nearest = f->info().id;
        }
    }
    return Diagnostic{"there is no formulation \"" + std::string(shown) + "\"", "", "known are " + list,
                      nearest.empty() ? "one of these" : "\"" + nearest + "\"", {}};
}

} // namespace driftless::formulation
