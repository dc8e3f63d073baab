#include "core/structure/Report.h"

#include <algorithm>

#include "core/base/Index.h"
#include "core/text/Names.h"

namespace driftless::structure {

namespace {

/// Lists and matrices longer than this are cut in reports.
constexpr std::size_t kMostLines = 60;
constexpr int kMostTabulated = 40;

std::string pad(std::string text, std::size_t width)
{
    text.resize(std::max(text.size(), width), ' ');
    return text;
}

std::string matrixText(const Signature& s, const StructuralAnalysis& a, const Names& names)
{
    if (s.size() > kMostTabulated)
        return "The signature matrix has " + std::to_string(s.size()) + " rows.\n";
    std::size_t width = 4;
    for (const std::string& name : names.unknowns)
        width = std::max(width, name.size() + 2);
    std::size_t first = 4;
    for (const std::string& name : names.equations)
        first = std::max(first, name.size() + 2);
    std::string out = pad("", first);
    for (const std::string& name : names.unknowns)
        out += pad(name, width);
    out += a.singular ? "\n" : "c_i\n";
    for (int i = 0; i < s.size(); ++i) {
        std::vector<std::string> cells(at(s.columns), "-");
        for (const SignatureEntry& e : s.rows[at(i)])
            cells[at(e.column)] = std::to_string(e.order) + (!a.singular && a.sigma.transversal[at(i)] == e.column ? "*" : "");
        out += pad(names.equations[at(i)], first);
        for (const std::string& cell : cells)
            out += pad(cell, width);
        out += a.singular ? "\n" : std::to_string(a.sigma.c[at(i)]) + "\n";
    }
    if (a.singular)
        return out;
    out += pad("d_j", first);
    for (const int d : a.sigma.d)
        out += pad(std::to_string(d), width);
    return out + "\n";
}

std::string stepsText(const PantelidesResult& p, const Names& names)
{
    std::string out = p.steps.empty() ? "Pantelides: nothing has to be differentiated.\n" : "Pantelides:\n";
    for (const PantelidesStep& step : p.steps) {
        out += "  " + names.equations[at(step.equation)] + " finds no unknown; differentiate "
               + text::firstOf(step.equations, [&](int i) { return names.equations[at(i)]; });
        if (!step.unknowns.empty())
            out += "; with them rises " + text::firstOf(step.unknowns, [&](int j) { return names.unknowns[at(j)]; });
        out += "\n";
    }
    return out + (p.recordedAll ? "" : "  (later steps are not listed)\n");
}

std::string stagesText(const StructuralAnalysis& a, const Names& names)
{
    const auto equation = [&](const EquationRef& e) {
        return derivativeName(names.equations[at(e.equation)], e.differentiations);
    };
    const auto unknown = [&](const DerivativeRef& z) { return derivativeName(names.unknowns[at(z.unknown)], z.order); };
    std::string out = "Index reduction:\n";
    std::size_t shown = 0;
    for (const SelectionStage& s : a.selection.stages) {
        if (s.m == 0 && s.stage == 1)
            continue; // nothing is reduced in this block
        if (++shown > kMostLines)
            return out + "  (later stages are not listed)\n";
        out += "  block " + std::to_string(s.block + 1) + ", stage " + std::to_string(s.stage) + ": g = {"
               + text::firstOf(s.g, equation) + "}, z = {" + text::firstOf(s.z, unknown) + "}";
        if (s.m > 0 && !s.chosen)
            out += ", no regular choice of " + std::to_string(s.m) + " columns";
        if (s.m > 0 && s.chosen) {
            out += ", m = " + std::to_string(s.m) + ", dummies " + text::firstOf(s.selected, unknown);
            if (s.repeats > 1)
                out += ", and alike in the " + std::to_string(s.repeats - 1) + " stages below";
        }
        out += "\n";
    }
    return out;
}

} // namespace

std::string derivativeName(const std::string& name, int order)
{
    constexpr int kMostPrimes = 3;
    return order <= kMostPrimes ? name + std::string(at(order), '\'') : name + "^(" + std::to_string(order) + ")";
}

StructuralAnalysis analyse(const Signature& signature, const ColumnChooser& chooser)
{
    StructuralAnalysis out;
    const Incidence incidence = signature.incidence();
    out.matching = maximumMatching(incidence);
    out.parts = dulmageMendelsohn(incidence, out.matching);
    out.singular = out.matching.size < signature.size() || signature.size() != signature.columns;
    if (out.singular)
        return out;
    out.pantelides = pantelides(signature);
    out.sigma = sigmaMethod(signature);
    out.agree = out.pantelides.c == out.sigma.c && out.pantelides.d == out.sigma.d;
    out.structuralIndex = out.sigma.structuralIndex;
    out.freedom = out.sigma.value;
    out.blocks = blockTriangular(signature.leading(out.pantelides.c, out.pantelides.d), out.pantelides.matching);
    out.selection = selectDummies(signature, out.pantelides.c, out.pantelides.d, out.blocks, chooser);
    return out;
}

std::string describeSingularity(const DulmageMendelsohn& parts, const Names& names)
{
    const auto equation = [&](int i) { return names.equations[at(i)]; };
    const auto unknown = [&](int j) { return names.unknowns[at(j)]; };
    std::string out;
    if (!parts.overRows.empty())
        out += std::to_string(parts.overRows.size()) + " equations (" + text::firstOf(parts.overRows, equation)
               + ") determine only " + std::to_string(parts.overColumns.size()) + " unknowns"
               + (parts.overColumns.empty() ? "" : " (" + text::firstOf(parts.overColumns, unknown) + ")");
    if (!parts.underColumns.empty())
        out += (out.empty() ? "" : "; ") + std::to_string(parts.underColumns.size()) + " unknowns ("
               + text::firstOf(parts.underColumns, unknown) + ") have only " + std::to_string(parts.underRows.size())
               + " equations" + (parts.underRows.empty() ? "" : " (" + text::firstOf(parts.underRows, equation) + ")");
    return out;
}

std::string describe(const Signature& signature, const StructuralAnalysis& a, const Names& names)
{
    std::string out = matrixText(signature, a, names);
    if (a.singular)
        return out + "Structurally singular: " + describeSingularity(a.parts, names) + "\n";
    out += "Structural index " + std::to_string(a.structuralIndex) + ", " + std::to_string(a.freedom)
           + " start values to choose (a mechanical degree of freedom has two).\n" + stepsText(a.pantelides, names);
    out += "Blocks:\n";
    for (std::size_t b = 0; b < a.blocks.size() && b < kMostLines; ++b) {
        const Block& block = a.blocks[b];
        out +=
            "  " + std::to_string(b + 1) + ": "
            + text::firstOf(block.equations,
                            [&](int i) { return derivativeName(names.equations[at(i)], a.pantelides.c[at(i)]); })
            + " for "
            + text::firstOf(block.unknowns, [&](int j) { return derivativeName(names.unknowns[at(j)], a.pantelides.d[at(j)]); })
            + "\n";
    }
    out += stagesText(a, names);
    return out + std::to_string(a.selection.augmentedEquations) + " equations with dummy derivatives, "
           + std::to_string(a.selection.reducedEquations) + " without superfluous differentiations.\n";
}

} // namespace driftless::structure
