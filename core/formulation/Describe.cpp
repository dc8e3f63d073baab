#include "core/formulation/Describe.h"

#include <algorithm>

namespace driftless::formulation {

namespace {

/// Of a general DAE: how often the equation was differentiated.
std::string generalNote(const Row& row)
{
    switch (row.provenance) {
    case Provenance::DifferentiatedOnce: return row.origin + ", differentiated once";
    case Provenance::DifferentiatedTwice: return row.origin + ", differentiated twice";
    case Provenance::DifferentiatedThrice: return row.origin + ", differentiated more than twice";
    default: return row.origin + " as stated";
    }
}

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
        std::string note = dae.links ? generalNote(row) : noteOf(row);
        if (i + static_cast<std::size_t>(dae.overdetermined) >= dae.rows.size())
            note += "; one row more than unknowns, combined as the ssf-solution";
        out.push_back({equated(row.residual, format), row.provenance, row.name, row.origin, std::move(note)});
    }
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
                       dae.links ? "integrated, because this derivative is no dummy" : noteOf(row) + "; in force because its coordinate is no dummy"});
    };
    if (dae.links)
        for (std::size_t k = 0; k < dae.links->from.size(); ++k)
            add(static_cast<int>(k), dae.links->from[k] + 1, dummies.values);
    if (!dae.pivot)
        return out;
    for (std::size_t c = 0; c < dae.pivot->positionRows.size(); ++c) {
        add(dae.pivot->positionRows[c], static_cast<int>(c), dummies.positions);
        add(dae.pivot->velocityRows[c], static_cast<int>(c), dummies.velocities);
    }
    return out;
}

} // namespace driftless::formulation
