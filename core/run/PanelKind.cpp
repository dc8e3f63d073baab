#include "core/run/PanelKind.h"

#include <algorithm>
#include <array>

namespace driftless::run {

namespace {

struct PanelRow {
    PanelKind kind;
    std::string_view word;
};

constexpr std::array<PanelRow, 11> kPanels{{{PanelKind::Residuals, "residuals"},
                                            {PanelKind::EnergyError, "energy-error"},
                                            {PanelKind::Multipliers, "multipliers"},
                                            {PanelKind::Step, "step"},
                                            {PanelKind::Order, "order"},
                                            {PanelKind::Curve, "curve"},
                                            {PanelKind::Phase, "phase"},
                                            {PanelKind::Difference, "difference"},
                                            {PanelKind::Pivots, "pivots"},
                                            {PanelKind::Scatter, "scatter"},
                                            {PanelKind::Strobe, "strobe"}}};

/// Earlier words of lessons and of `figure --panel`.
constexpr std::array<PanelRow, 5> kEarlierPanels{{{PanelKind::EnergyError, "energy"},
                                                  {PanelKind::Difference, "deviation"},
                                                  {PanelKind::Difference, "error"},
                                                  {PanelKind::Curve, "quantity"},
                                                  {PanelKind::Step, "step-size"}}};

} // namespace

std::string_view panelWord(PanelKind kind) { return std::ranges::find(kPanels, kind, &PanelRow::kind)->word; }

std::optional<PanelKind> findPanel(std::string_view word)
{
    if (const auto found = std::ranges::find(kPanels, word, &PanelRow::word); found != kPanels.end())
        return found->kind;
    const auto earlier = std::ranges::find(kEarlierPanels, word, &PanelRow::word);
    return earlier == kEarlierPanels.end() ? std::nullopt : std::optional(earlier->kind);
}

std::vector<std::string> panelWords(const std::vector<PanelKind>& kinds)
{
    std::vector<std::string> out;
    for (const PanelKind kind : kinds)
        out.emplace_back(panelWord(kind));
    return out;
}

const std::vector<PanelKind>& studyPanels()
{
    static const std::vector<PanelKind> kinds = [] {
        std::vector<PanelKind> all;
        for (const PanelRow& row : kPanels)
            all.push_back(row.kind);
        return all;
    }();
    return kinds;
}

const std::vector<PanelKind>& livePanels()
{
    static const std::vector<PanelKind> kinds{PanelKind::Residuals,   PanelKind::EnergyError, PanelKind::Difference,
                                              PanelKind::Curve,       PanelKind::Phase,       PanelKind::Step,
                                              PanelKind::Multipliers, PanelKind::Order};
    return kinds;
}

} // namespace driftless::run
