#include "app/FigureLook.h"

#include <CLI/CLI.hpp>

#include <charconv>

#include "core/run/PanelKind.h"

namespace driftless::app {

namespace {

/// "120mm", "120x80mm": millimetres.
bool parseMillimetres(const std::string& text, QSizeF& size)
{
    const std::string unit = "mm";
    if (text.size() <= unit.size() || text.compare(text.size() - unit.size(), unit.size(), unit) != 0)
        return false;
    const char* at = text.data();
    const char* const end = at + text.size() - unit.size();
    double width = 0, height = 0;
    auto read = std::from_chars(at, end, width);
    if (read.ec != std::errc())
        return false;
    if (read.ptr != end) {
        if (*read.ptr != 'x' && *read.ptr != 'X')
            return false;
        read = std::from_chars(read.ptr + 1, end, height);
        if (read.ec != std::errc() || read.ptr != end || !(height > 0))
            return false;
    }
    size = {width, height};
    return width > 0;
}

Diagnostic unknownColumn(const std::string& name, const ui::ExportRequest& request)
{
    std::string known;
    for (const auto& column : request.runs.front().plot.recording.columns()) {
        if (known.size() > 200) {
            known += ", ...";
            break;
        }
        known += (known.empty() ? "" : ", ") + column.name;
    }
    return {.what = "No run records '" + name.substr(0, 80) + "'", .where = "--panel", .remedy = "one of " + known};
}

/// A column by its full name, or by its last part where that is unambiguous.
Result<QString> columnNamed(const std::string& name, const ui::ExportRequest& request)
{
    std::string found;
    int count = 0;
    for (const auto& column : request.runs.front().plot.recording.columns()) {
        if (column.name == name)
            return QString::fromStdString(name);
        if (column.name.size() > name.size() && column.name.compare(column.name.size() - name.size(), name.size(), name) == 0
            && column.name[column.name.size() - name.size() - 1] == '.') {
            found = column.name;
            ++count;
        }
    }
    if (count == 1)
        return QString::fromStdString(found);
    return unknownColumn(name, request);
}

Result<void> addPanel(const std::string& text, ui::ExportRequest& request)
{
    const auto equals = text.find('=');
    const std::string rest = equals == std::string::npos ? "" : text.substr(equals + 1);
    const auto kind = run::findPanel(text.substr(0, equals));
    const bool curve = kind == run::PanelKind::Curve, phase = kind == run::PanelKind::Phase;
    ui::PlotSpec spec;
    if (kind == run::PanelKind::Pivots && rest.empty()) {
        request.pivots = true;
        return {};
    }
    const auto plot = kind ? ui::plotKindOf(*kind) : std::nullopt;
    if (!plot || rest.empty() == (curve || phase) || (phase && rest.find(',') == std::string::npos))
        return Diagnostic{
            .what = "'" + text.substr(0, 80) + "' is no panel",
            .where = "--panel",
            .why = {},
            .remedy = "residuals, energy-error, difference, step, order, multipliers, pivots, curve=NAME or phase=NAME,NAME",
            .position = {}};
    spec.kind = *plot;
    if (curve) {
        const auto name = columnNamed(rest, request);
        if (!name)
            return name.error();
        spec.quantity = *name;
    }
    if (phase) {
        const auto x = columnNamed(rest.substr(0, rest.find(',')), request),
                   y = columnNamed(rest.substr(rest.find(',') + 1), request);
        if (!x || !y)
            return x ? y.error() : x.error();
        spec.phaseX = *x;
        spec.phaseY = *y;
    }
    request.plots.push_back(spec);
    return {};
}

} // namespace

void addFigureLook(CLI::App& command, FigureLook& look)
{
    command.add_option("--font", look.font, "serif (as LaTeX sets) or sans")->check(CLI::IsMember({"serif", "sans"}));
    command.add_option("--size", look.size, "column (85 mm), page (170 mm), slide (254x143 mm), or WIDTHmm, WIDTHxHEIGHTmm");
    command.add_option("--points", look.points, "Size of the text [pt]")->check(CLI::Range(4.0, 72.0));
    command.add_option("--theme", look.theme, "light, dark or grey")->check(CLI::IsMember({"light", "dark", "grey"}));
    command.add_option("--layout", look.layout, "overlay, or multiples: every panel once per run")
        ->check(CLI::IsMember({"overlay", "multiples"}));
    command.add_option("--columns", look.columns, "Panels side by side")->check(CLI::Range(0, 16));
    command
        .add_option(
            "--panel", look.panels,
            "residuals, energy-error, difference, step, order, multipliers, pivots, curve=NAME or phase=NAME,NAME; repeatable")
        ->allow_extra_args(false)
        ->type_name("PANEL");
    command.add_flag("--bare", look.bare, "Without title and parameters: the caption has them");
    command.add_flag("--events", look.events, "Marks what was changed while a run went on");
}

std::optional<figures::SizePreset> sizePreset(const std::string& name)
{
    if (name == "column")
        return figures::SizePreset::Column;
    if (name == "page")
        return figures::SizePreset::Page;
    return name == "slide" ? std::optional(figures::SizePreset::Slide) : std::nullopt;
}

Result<figures::Style> figureStyle(const FigureLook& look)
{
    figures::Style style;
    if (const auto preset = sizePreset(look.size)) {
        style = figures::styleFor(*preset);
    } else if (!parseMillimetres(look.size, style.millimetres)) {
        return Diagnostic{.what = "'" + look.size.substr(0, 40) + "' is no size of a figure",
                          .where = "--size",
                          .remedy = "column, page, slide, or millimetres such as 120mm or 120x80mm"};
    }
    style.font = look.font == "serif" ? figures::Font::Serif : figures::Font::Sans;
    if (look.theme == "dark")
        style.theme = figures::Theme::Dark;
    else
        style.theme = look.theme == "grey" ? figures::Theme::Grey : figures::Theme::Light;
    if (look.points > 0)
        style.points = look.points;
    return style;
}

Result<void> applyLook(const FigureLook& look, ui::ExportRequest& request)
{
    const auto style = figureStyle(look);
    if (!style)
        return style.error();
    request.style = *style;
    request.layout = look.layout == "multiples" ? figures::Layout::SmallMultiples : figures::Layout::Overlay;
    request.columns = look.columns;
    request.heading = !look.bare;
    request.eventMarks = look.events;
    for (const std::string& panel : look.panels)
        if (auto added = addPanel(panel, request); !added)
            return added;
    if (!look.panels.empty())
        return {};
    const run::RecordingView& recording = request.runs.front().plot.recording;
    std::vector<std::string> panels;
    if (recording.n() > 0) // a model of equations has neither constraints nor an energy
        panels = {"residuals", "energy"};
    panels.push_back("quantity=" + recording.columns().front().name);
    for (const std::string& panel : panels)
        if (auto added = addPanel(panel, request); !added)
            return added;
    return {};
}

} // namespace driftless::app
