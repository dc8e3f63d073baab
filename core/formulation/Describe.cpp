#include "core/formulation/Describe.h"

#include <algorithm>

namespace driftless::formulation {

namespace {

std::string noteOf(const Row& row)
{
    std::string note = provenanceName(row.provenance);
    if (!row.origin.empty())
        note += " of " + row.origin;
    return note;
}

std::string equated(const expr::Expr& residual, expr::Format format)
{
    return expr::print(residual, format) + " = 0";
}

} // namespace

std::vector<DescribedRow> describeRows(const Dae& dae, std::span<const int> dummies, expr::Format format)
{
    std::vector<DescribedRow> out;
    for (const Row& row : dae.rows)
        out.push_back({equated(row.residual, format), row.provenance, row.name, row.origin, noteOf(row)});
    if (!dae.pivot)
        return out;
    for (std::size_t c = 0; c < dae.pivot->linksOfCoordinate.size(); ++c) {
        if (std::find(dummies.begin(), dummies.end(), static_cast<int>(c)) != dummies.end())
            continue;
        for (const int k : dae.pivot->linksOfCoordinate[c]) {
            const Link& link = dae.links[static_cast<std::size_t>(k)];
            const Unknown& u = dae.unknowns[static_cast<std::size_t>(link.unknown)];
            const Unknown& rate = dae.unknowns[static_cast<std::size_t>(link.rate)];
            const std::string left = expr::print(*expr::rate(u.symbol).symbol(), format);
            out.push_back({left + " = " + expr::print(rate.symbol, format), Provenance::Link, "link of " + u.name, u.name,
                           u.name + " is integrated; its derivative is no dummy"});
        }
    }
    return out;
}

} // namespace driftless::formulation
