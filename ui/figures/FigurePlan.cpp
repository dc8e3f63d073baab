#include "ui/figures/FigurePlan.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "ui/figures/PanelPainter.h"

namespace driftless::figures {

namespace {

constexpr double kSmallestBox = 9, kSmallestBoxWidth = 12; // [mm] below that a panel says nothing
constexpr double kTwoColumns = 120, kThreeColumns = 230;   // [mm] width from which panels stand side by side
constexpr int kPasses = 3; // margins depend on heights and heights on margins; they settle at once

/// How the panels are arranged, and the rows' heights while they are found.
class Planner {
public:
    Planner(const Figure& figure, FigurePlan& plan) : figure_(figure), plan_(plan), s_(plan.sheet) {}

    Result<void> plan()
    {
        width_ = figure_.style.millimetres.width() * kUnitsPerMillimetre;
        inner_ = width_ - 2 * s_.margin();
        arrange();
        planLegend();
        for (const QString& note : figure_.notes)
            for (MathText& line : wrapped(note, s_.font, s_.noteSize(), inner_))
                plan_.notes.push_back(std::move(line));
        plan_.title = figure_.title.isEmpty() ? MathText() : fitted(figure_.title, s_.font, s_.titleSize(), inner_, true);
        std::vector<double> heights(plan_.panels.size(), 30 * kUnitsPerMillimetre);
        divideColumns({});
        for (int pass = 0; pass < kPasses; ++pass)
            solve(heights);
        return place(heights);
    }

private:
    // --- grid ---

    int columnsFor(int cells, bool multiples) const
    {
        if (figure_.columns > 0)
            return std::min(figure_.columns, std::max(cells, 1));
        const double mm = figure_.style.millimetres.width();
        int most = 1 + (mm >= kTwoColumns) + (mm >= kThreeColumns);
        if (multiples)
            ++most;
        if (!multiples && cells == 4 && most == 3)
            most = 2;
        return std::clamp(cells, 1, most);
    }

    void arrange()
    {
        if (figure_.layout == Layout::SmallMultiples && figure_.legend.size() > 1)
            return arrangeMultiples();
        const int cells = static_cast<int>(figure_.panels.size());
        columns_ = columnsFor(cells, false);
        for (int i = 0; i < cells; ++i) {
            PanelPlan panel;
            panel.panel = &figure_.panels[static_cast<std::size_t>(i)];
            panel.title = panel.panel->title;
            panel.row = i / columns_;
            panel.column = i % columns_;
            // A last panel without a neighbour takes the whole width.
            if (i == cells - 1 && figure_.columns == 0)
                panel.span = columns_ - panel.column;
            planRanges(panel);
            plan_.panels.push_back(std::move(panel));
        }
        rows_ = (cells + columns_ - 1) / columns_;
    }

    bool splits(const Panel& panel) const
    {
        return panel.picture.isNull() && panel.empty.isEmpty() && panel.strips.empty() && !panel.series.empty();
    }

    static Panel onlyStyle(const Panel& panel, int style)
    {
        Panel part = panel;
        part.series.clear();
        part.events.clear();
        for (const Series& series : panel.series)
            if (series.style == style)
                part.series.push_back(series);
        for (const Event& event : panel.events)
            if (event.style == style || event.style < 0)
                part.events.push_back(event);
        return part;
    }

    void arrangeMultiples()
    {
        multiples_ = true;
        const int runs = static_cast<int>(figure_.legend.size());
        columns_ = columnsFor(runs, true);
        plan_.multiples.reserve(figure_.panels.size() * static_cast<std::size_t>(runs));
        rows_ = 0;
        for (const Panel& whole : figure_.panels) {
            PanelPlan common;
            common.panel = &whole;
            common.title = whole.title;
            planRanges(common);
            if (!splits(whole)) {
                common.row = rows_++;
                common.span = columns_;
                plan_.panels.push_back(common);
                continue;
            }
            for (int r = 0; r < runs; ++r) {
                const LegendEntry& entry = figure_.legend[static_cast<std::size_t>(r)];
                plan_.multiples.push_back(onlyStyle(whole, entry.style));
                PanelPlan panel = common;
                panel.panel = &plan_.multiples.back();
                panel.title = entry.name;
                panel.multiple = true;
                if (r == 0) {
                    panel.groupTitle = whole.title;
                    panel.groupWidth = 1; // its width is known when the columns are
                }
                panel.titleStyle = entry.style;
                panel.row = rows_ + r / columns_;
                panel.column = r % columns_;
                panel.xLabels = r + columns_ >= runs;
                panel.yLabels = panel.column == 0;
                plan_.panels.push_back(std::move(panel));
            }
            rows_ += (runs + columns_ - 1) / columns_;
        }
    }

    // --- legend ---

    void planLegend()
    {
        const auto& entries = figure_.legend;
        if (entries.empty())
            return;
        const double lead = s_.sample() + 0.6 * s_.em, gap = 1.6 * s_.em;
        double widest = 0;
        for (const LegendEntry& entry : entries)
            widest = std::max(widest, lead + s_.text(entry.name, s_.em, true).width()
                                          + (entry.detail.isEmpty() ? 0 : 0.5 * s_.em + s_.text(entry.detail, s_.em).width()));
        const int columns = std::clamp(static_cast<int>((inner_ + gap) / (widest + gap)), 1, static_cast<int>(entries.size()));
        const double pitch = columns == 1 ? inner_ : widest + gap;
        double y = 0;
        for (int i = 0; i < static_cast<int>(entries.size()); ++i) {
            const LegendEntry& entry = entries[static_cast<std::size_t>(i)];
            LegendPlace place;
            place.entry = i;
            place.x = s_.margin() + pitch * (i % columns);
            place.nameWidth = s_.text(entry.name, s_.em, true).width();
            if (!entry.detail.isEmpty())
                place.lines = hangingLines(entry.detail, inner_ - lead, place.nameWidth + 0.5 * s_.em);
            place.y = y + s_.em;
            if (i % columns == columns - 1 || i + 1 == static_cast<int>(entries.size()))
                y += s_.line() * std::max<double>(1, static_cast<double>(place.lines.size()));
            plan_.legend.push_back(std::move(place));
        }
        legendHeight_ = y;
    }

    /// The first line starts behind the name, the others below it.
    std::vector<MathText> hangingLines(const QString& text, double width, double first) const
    {
        const MathText whole = s_.text(text, s_.em);
        if (whole.width() <= width - first)
            return {whole};
        auto lines = wrapped(text, s_.font, s_.em, width);
        lines.insert(lines.begin(), MathText());
        return lines;
    }

    // --- heights ---

    double cellLeft(int column) const
    {
        double x = s_.margin();
        for (int c = 0; c < column; ++c)
            x += columnWidth_[static_cast<std::size_t>(c)] + gapX();
        return x;
    }
    double cellWidth(const PanelPlan& panel) const
    {
        const int last = panel.column + panel.span - 1;
        return cellLeft(last) + columnWidth_[static_cast<std::size_t>(last)] - cellLeft(panel.column);
    }
    /// Columns of one width; with small multiples boxes of one width, and the first column has the labels besides.
    void divideColumns(const std::map<int, double>& left)
    {
        const double all = inner_ - gapX() * (columns_ - 1);
        double labels = 0;
        if (multiples_)
            for (const auto& [column, width] : left)
                labels += width;
        columnWidth_.assign(static_cast<std::size_t>(columns_), (all - labels) / columns_);
        if (multiples_)
            for (const auto& [column, width] : left)
                columnWidth_[static_cast<std::size_t>(column)] += width;
    }
    double gapX() const { return 1.3 * s_.em; }
    double gapY() const { return 0.9 * s_.em; }

    void solve(std::vector<double>& heights)
    {
        std::map<int, double> left, right;
        for (std::size_t i = 0; i < plan_.panels.size(); ++i) {
            PanelPlan& panel = plan_.panels[i];
            planMargins(panel, s_, cellWidth(panel), heights[i]);
            if (panel.panel->picture.isNull())
                left[panel.column] = std::max(left[panel.column], panel.left);
        }
        divideColumns(left);
        rowHeader_.assign(static_cast<std::size_t>(rows_), 0);
        rowBox_ = rowBottom_ = groupHeader_ = rowHeader_;
        for (PanelPlan& panel : plan_.panels) {
            if (panel.panel->picture.isNull())
                panel.left = left[panel.column];
            const auto row = static_cast<std::size_t>(panel.row);
            const double boxWidth = cellWidth(panel) - panel.left - panel.right;
            if (panel.groupWidth > 0)
                panel.groupWidth = inner_ - panel.left;
            planHeader(panel, s_, boxWidth);
            rowHeader_[row] = std::max(rowHeader_[row], panel.header);
            groupHeader_[row] = std::max(groupHeader_[row], panel.groupHeader);
            rowBottom_[row] = std::max(rowBottom_[row], panel.bottom);
            rowBox_[row] = std::max(rowBox_[row], std::min(panel.naturalHeight, 1.1 * cellWidth(panel)));
        }
        for (std::size_t row = 0; row < rowHeader_.size(); ++row)
            rowHeader_[row] += groupHeader_[row];
        stretchRows();
        for (std::size_t i = 0; i < plan_.panels.size(); ++i)
            heights[i] = rowBox_[static_cast<std::size_t>(plan_.panels[i].row)];
    }

    double fixedHeight() const
    {
        double height = 2 * s_.margin() + gapY() * (rows_ - 1);
        for (int row = 0; row < rows_; ++row)
            height += rowHeader_[static_cast<std::size_t>(row)] + rowBottom_[static_cast<std::size_t>(row)];
        if (!plan_.title.isEmpty())
            height += 1.75 * s_.em;
        if (!plan_.legend.empty())
            height += 0.7 * s_.em + legendHeight_;
        if (!plan_.notes.empty())
            height += 0.4 * s_.em + 1.2 * s_.noteSize() * static_cast<double>(plan_.notes.size());
        return height;
    }

    /// A page whose height is given shares what is left equally among the rows; rows of strips alone take no more than they
    /// need.
    void stretchRows()
    {
        if (figure_.style.millimetres.height() <= 0)
            return;
        std::vector<bool> curves(rowBox_.size(), false);
        for (const PanelPlan& panel : plan_.panels)
            curves[static_cast<std::size_t>(panel.row)] =
                curves[static_cast<std::size_t>(panel.row)] || panel.panel->strips.empty();
        double room = figure_.style.millimetres.height() * kUnitsPerMillimetre - fixedHeight();
        auto rest = static_cast<double>(std::count(curves.begin(), curves.end(), true));
        const double share = room / static_cast<double>(rowBox_.size());
        for (std::size_t row = 0; row < rowBox_.size(); ++row)
            if (!curves[row]) {
                rowBox_[row] = rest > 0 ? std::min(rowBox_[row], share) : share;
                room -= rowBox_[row];
            }
        for (std::size_t row = 0; row < rowBox_.size(); ++row)
            if (curves[row])
                rowBox_[row] = room / rest;
    }

    Result<void> place(const std::vector<double>& heights)
    {
        const double natural = fixedHeight() + sum(rowBox_);
        const bool given = figure_.style.millimetres.height() > 0;
        plan_.size = {width_, given ? figure_.style.millimetres.height() * kUnitsPerMillimetre : std::ceil(natural)};
        double y = s_.margin();
        if (!plan_.title.isEmpty()) {
            plan_.titlePlace = {s_.margin(), y + s_.titleSize() * 0.85};
            y += 1.75 * s_.em;
        }
        std::vector<double> tops;
        for (int row = 0; row < rows_; ++row) {
            const auto r = static_cast<std::size_t>(row);
            tops.push_back(y + rowHeader_[r]);
            y += rowHeader_[r] + rowBox_[r] + rowBottom_[r] + (row + 1 < rows_ ? gapY() : 0);
        }
        for (std::size_t i = 0; i < plan_.panels.size(); ++i) {
            PanelPlan& panel = plan_.panels[i];
            const double x = cellLeft(panel.column);
            // Strips beside a high panel keep their own height.
            const double height = panel.panel->strips.empty() || !panel.panel->picture.isNull()
                                      ? heights[i]
                                      : std::min(heights[i], panel.naturalHeight);
            panel.box = QRectF(x + panel.left, tops[static_cast<std::size_t>(panel.row)],
                               cellWidth(panel) - panel.left - panel.right, height);
            if (!(panel.box.width() >= kSmallestBoxWidth * kUnitsPerMillimetre)
                || (panel.panel->strips.empty() && !(panel.box.height() >= kSmallestBox * kUnitsPerMillimetre))
                || !(panel.box.height() > 0))
                return tooSmall();
            panel.header = rowHeader_[static_cast<std::size_t>(panel.row)];
            panel.groupHeader = groupHeader_[static_cast<std::size_t>(panel.row)];
            panel.bottom = rowBottom_[static_cast<std::size_t>(panel.row)];
            planBox(panel);
        }
        if (!plan_.legend.empty()) {
            y += 0.7 * s_.em;
            for (LegendPlace& entry : plan_.legend)
                entry.y += y;
            y += legendHeight_;
        }
        plan_.notesTop = y + 0.4 * s_.em;
        return {};
    }

    static double sum(const std::vector<double>& values)
    {
        double total = 0;
        for (const double v : values)
            total += v;
        return total;
    }

    Diagnostic tooSmall() const
    {
        return {.what = "The figure does not fit its page",
                .where = std::to_string(figure_.panels.size()) + " panels",
                .why = "a panel would be smaller than 12 x 9 mm beside its axes, titles and the legend",
                .remedy = "a larger page, smaller text, fewer panels, or a height of 0 (as high as needed)"};
    }

    const Figure& figure_;
    FigurePlan& plan_;
    const Sheet& s_;
    double width_ = 0, inner_ = 0, legendHeight_ = 0;
    int columns_ = 1, rows_ = 1;
    bool multiples_ = false;
    std::vector<double> columnWidth_, rowHeader_, groupHeader_, rowBox_, rowBottom_;
};

void paintLegendEntry(QPainter& painter, const Sheet& s, const LegendEntry& entry, const LegendPlace& place)
{
    const double middle = place.y - 0.32 * s.em;
    painter.setPen(linePen(s.colour(entry.style), s.curve(), curveDashes(entry.style)));
    painter.drawLine(QPointF(place.x, middle), QPointF(place.x + s.sample(), middle));
    painter.setPen(QPen(s.inks.paper, 0.35 * s.curve()));
    painter.setBrush(s.colour(entry.style));
    painter.drawPath(markShape(entry.style, s.mark()).translated(place.x + s.sample() / 2, middle));
    painter.setBrush(Qt::NoBrush);
    const double x = place.x + s.sample() + 0.6 * s.em;
    s.text(entry.name, s.em, true).draw(painter, {x, place.y}, s.inks.text);
    for (std::size_t i = 0; i < place.lines.size(); ++i)
        place.lines[i].draw(painter,
                            {i == 0 ? x + place.nameWidth + 0.5 * s.em : x, place.y + s.line() * static_cast<double>(i)},
                            s.inks.secondary);
}

} // namespace

Result<std::unique_ptr<FigurePlan>> planFigure(const Figure& figure)
{
    auto plan = std::make_unique<FigurePlan>(figure);
    if (auto done = Planner(figure, *plan).plan(); !done)
        return done.error();
    return plan;
}

void paintPlan(QPainter& painter, const Figure& figure, const FigurePlan& plan)
{
    const Sheet& s = plan.sheet;
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.fillRect(QRectF(QPointF(0, 0), plan.size), s.inks.paper);
    plan.title.draw(painter, plan.titlePlace, s.inks.text);
    for (const PanelPlan& panel : plan.panels)
        paintPanel(painter, s, panel);
    for (const LegendPlace& place : plan.legend)
        paintLegendEntry(painter, s, figure.legend[static_cast<std::size_t>(place.entry)], place);
    double y = plan.notesTop + 0.85 * s.noteSize();
    for (const MathText& line : plan.notes) {
        line.draw(painter, {s.margin(), y}, s.inks.secondary);
        y += 1.2 * s.noteSize();
    }
}

} // namespace driftless::figures
