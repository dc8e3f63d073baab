#include "core/formulation/Describe.h"

#include <algorithm>
#include <set>

#include "core/expr/PrintMarked.h"

namespace driftless::formulation {

namespace {

/// Of a general DAE: how often the equation was differentiated.
std::string generalNote(const Row& row)
{
    switch (row.provenance) {
    case Provenance::DifferentiatedOnce:
        return row.origin + ", differentiated once";
    case Provenance::DifferentiatedTwice:
        return row.origin + ", differentiated twice";
    case Provenance::DifferentiatedThrice:
        return row.origin + ", differentiated more than twice";
    case Provenance::Combined:
        return row.origin;
    default:
        return row.origin + " as stated";
    }
}

std::string noteOf(const Row& row)
{
    std::string note = provenanceName(row.provenance);
    if (!row.origin.empty()) // "constraint of rod, differentiated once"
        note.insert(std::min(note.find(','), note.size()), " of " + row.origin);
    return note;
}

std::string equated(const expr::Expr& residual, expr::Format format, const expr::IsDummy& isDummy)
{
    return expr::printMarked(residual, format, isDummy) + " = 0";
}

/// Where a link der(u) = w is not in force, w is a dummy: an unknown of its own in place of a derivative.
std::set<expr::Symbol> dummySymbols(const Dae& dae, const Dummies& dummies)
{
    std::set<expr::Symbol> out;
    if (dae.links)
        for (const int i : dummies.values)
            out.insert(dae.unknowns[static_cast<std::size_t>(i)].symbol);
    const auto addLinked = [&](const std::vector<int>& rows, const std::vector<int>& chosen) {
        for (const int c : chosen) {
            const Row& row = dae.choices[static_cast<std::size_t>(rows[static_cast<std::size_t>(c)])];
            if (const auto w = row.link ? (expr::rate(*row.link) - row.residual).symbol() : std::nullopt)
                out.insert(*w);
        }
    };
    if (dae.pivot) {
        addLinked(dae.pivot->positionRows, dummies.positions);
        addLinked(dae.pivot->velocityRows, dummies.velocities);
    }
    return out;
}

} // namespace

std::vector<DescribedRow> describeRows(const Dae& dae, const Dummies& dummies, expr::Format format)
{
    const std::set<expr::Symbol> marked = dummySymbols(dae, dummies);
    const expr::IsDummy isDummy = [&marked](const expr::Symbol& s) { return marked.contains(s); };
    std::vector<DescribedRow> out;
    for (std::size_t i = 0; i < dae.rows.size(); ++i) {
        const Row& row = dae.rows[i];
        std::string note = dae.links ? generalNote(row) : noteOf(row);
        if (i + static_cast<std::size_t>(dae.overdetermined) >= dae.rows.size())
            note += "; one row more than unknowns, combined as the ssf-solution";
        out.push_back({equated(row.residual, format, isDummy), row.provenance, row.name, row.origin, std::move(note)});
    }
    const auto add = [&](int choice, int coordinate, const std::vector<int>& chosen) {
        if (std::find(chosen.begin(), chosen.end(), coordinate) != chosen.end())
            return;
        const Row& row = dae.choices[static_cast<std::size_t>(choice)];
        std::string text = equated(row.residual, format, isDummy);
        if (row.link) {
            const expr::Expr left = expr::rate(*row.link);
            text = expr::printMarked(left, format, isDummy) + " = " + expr::printMarked(left - row.residual, format, isDummy);
        }
        out.push_back({std::move(text), row.provenance, row.name, row.origin,
                       dae.links ? "integrated, because this derivative is no dummy"
                                 : noteOf(row) + "; in force because its coordinate is no dummy"});
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
