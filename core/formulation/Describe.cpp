#include "core/formulation/Describe.h"

#include <algorithm>

namespace driftless::formulation {

namespace {

std::string noteOf(const Row& row)
{
    std::string note = provenanceName(row.provenance);
    if (!row.origin.empty()) // "constraint of rod, differentiated once"
        note.insert(std::min(note.find(','), note.size()), " of " + row.origin);
    return note;
}

std::string equated(const expr::Expr& residual, expr::Format format)
{
    return expr::print(residual, format) + " = 0";
}

} // namespace

std::vector<DescribedRow> describeRows(const Dae& dae, const Dummies& dummies, expr::Format format)
{
    std::vector<DescribedRow> out;
    for (std::size_t i = 0; i < dae.rows.size(); ++i) {
        const Row& row = dae.rows[i];
        std::string note = noteOf(row);
        if (i + static_cast<std::size_t>(dae.overdetermined) >= dae.rows.size())
            note += "; one row more than unknowns, combined as the ssf-solution";
        out.push_back({equated(row.residual, format), row.provenance, row.name, row.origin, std::move(note)});
    }
    if (!dae.pivot)
        return out;
    const auto add = [&](int choice, int coordinate, const std::vector<int>& chosen) {
        if (std::find(chosen.begin(), chosen.end(), coordinate) != chosen.end())
            return;
        const Row& row = dae.choices[static_cast<std::size_t>(choice)];
        std::string text = equated(row.residual, format);
        if (row.link) {
            const expr::Expr left = expr::rate(*row.link);
            text = expr::print(left, format) + " = " + expr::print(left - row.residual, format);
        }
        out.push_back({std::move(text), row.provenance, row.name, row.origin,
                       noteOf(row) + "; in force because its coordinate is no dummy"});
    };
    for (std::size_t c = 0; c < dae.pivot->positionRows.size(); ++c) {
        add(dae.pivot->positionRows[c], static_cast<int>(c), dummies.positions);
        add(dae.pivot->velocityRows[c], static_cast<int>(c), dummies.velocities);
    }
    return out;
}

} // namespace driftless::formulation
