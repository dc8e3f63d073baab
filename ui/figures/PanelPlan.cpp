#include "ui/figures/PanelPlan.h"

#include <algorithm>
#include <cmath>

#include "ui/figures/ColumnBand.h"

namespace driftless::figures {

namespace {

// A curve on a logarithmic ordinate passes zero now and then: this share of its lowest points may leave the panel.
constexpr double kDipShare = 0.02;
constexpr std::size_t kDipCount = 50; // of at least so many points
constexpr int kMostEventRows = 3;
constexpr double kNarrowestPortrait = 20; // [mm] a box with equal scales is not made narrower

// Heights of a box as a share of its width; wide boxes are flatter.
constexpr double kSteep = 0.66, kFlat = 0.42, kNarrow = 55, kWide = 140; // [mm]

double naturalAspect(double width)
{
    const double mm = width / kUnitsPerMillimetre;
    const double share = std::clamp((mm - kNarrow) / (kWide - kNarrow), 0.0, 1.0);
    return kSteep + share * (kFlat - kSteep);
}

void appendWithoutDips(const Series& series, std::vector<double>& values)
{
    std::vector<double> own;
    for (const double v : series.y)
        if (std::isfinite(v) && v > 0)
            own.push_back(v);
    if ((series.kind == SeriesKind::Line || series.kind == SeriesKind::Band) && own.size() >= kDipCount) {
        const auto drop = static_cast<std::ptrdiff_t>(kDipShare * static_cast<double>(own.size()));
        std::nth_element(own.begin(), own.begin() + drop, own.end());
        own.erase(own.begin(), own.begin() + drop);
    }
    values.insert(values.end(), own.begin(), own.end());
}

bool ascendingFinite(const std::vector<double>& x)
{
    double last = -std::numeric_limits<double>::infinity();
    for (const double v : x) {
        if (std::isnan(v))
            continue;
        if (v < last)
            return false;
        last = v;
    }
    return true;
}

void apply(const Axis& axis, Range& range)
{
    if (std::isfinite(axis.low))
        range.low = axis.low;
    if (std::isfinite(axis.high))
        range.high = axis.high;
    if (!(range.high > range.low))
        range.high = axis.logarithmic ? 10 * range.low : range.low + 1;
    if (axis.logarithmic && !(range.low > 0))
        range.low = range.high * 1e-6;
}

double widest(const Ticks& ticks, const Sheet& sheet)
{
    double width = 0;
    for (const Tick& tick : ticks.major)
        width = std::max(width, sheet.text(tick.text, sheet.tickSize()).width());
    return width;
}

double stripHeight(const Panel& panel, const Sheet& sheet)
{
    return (1.7 * static_cast<double>(panel.strips.size()) + 0.5) * sheet.em;
}

/// Not where one of the two would be a line: what moves by micrometres beside metres is looked at for its own sake.
bool hasEqualScales(const PanelPlan& plan)
{
    constexpr double kMostUnlike = 30;
    const Panel& panel = *plan.panel;
    if (!panel.equalScales || panel.x.logarithmic || panel.y.logarithmic)
        return false;
    const double ratio = (plan.y.high - plan.y.low) / (plan.x.high - plan.x.low);
    return ratio < kMostUnlike && ratio > 1 / kMostUnlike;
}

double naturalHeightOf(const PanelPlan& plan, const Sheet& sheet, double width)
{
    const Panel& panel = *plan.panel;
    if (!panel.picture.isNull())
        return std::min(width * panel.picture.height() / std::max(1, panel.picture.width()), 1.1 * width);
    if (!panel.strips.empty())
        return stripHeight(panel, sheet);
    if (hasEqualScales(plan))
        return width * std::clamp((plan.y.high - plan.y.low) / (plan.x.high - plan.x.low), 0.35, 1.0);
    return width * naturalAspect(width);
}

double keyWidth(const KeyEntry& entry, const Sheet& sheet)
{
    return keySample(entry.kind, sheet) + 0.4 * sheet.em + sheet.text(entry.name, sheet.tickSize()).width();
}

/// Places entries in rows of the given width.
void placeKey(PanelPlan& plan, const Sheet& sheet, double width)
{
    plan.key.clear();
    double x = 0;
    int row = 0;
    for (const KeyEntry& entry : keyOf(*plan.panel)) {
        const double need = keyWidth(entry, sheet);
        if (x > 0 && x + need > width) {
            ++row;
            x = 0;
        }
        plan.key.push_back({entry, x, row});
        x += need + 1.1 * sheet.em;
    }
    plan.keyRows = plan.key.empty() ? 0 : row + 1;
}

/// Beside a title of this width, at the right edge, when both fit; else in rows of its own. Answers the height of those.
double placeKeyBeside(PanelPlan& plan, const Sheet& sheet, double title, double width)
{
    placeKey(plan, sheet, width);
    plan.keyBesideTitle = false;
    if (plan.keyRows == 1 && title > 0) {
        double key = 0;
        for (const KeyPlace& place : plan.key)
            key = std::max(key, place.x + keyWidth(place.entry, sheet));
        plan.keyBesideTitle = title + 1.5 * sheet.em + key <= width;
        for (KeyPlace& place : plan.key)
            place.x += plan.keyBesideTitle ? width - key : 0;
    }
    return plan.keyBesideTitle ? 0 : 1.35 * sheet.em * plan.keyRows;
}

void placeEvents(PanelPlan& plan, const Sheet& sheet, double boxWidth)
{
    plan.events.clear();
    plan.eventRows = 0;
    std::vector<Event> sorted = plan.panel->events;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Event& a, const Event& b) { return a.at < b.at; });
    const Map map{QRectF(0, 0, boxWidth, 1), plan.x, plan.y, plan.panel->x.logarithmic, false};
    double ends[kMostEventRows] = {-1e9, -1e9, -1e9};
    for (const Event& event : sorted) {
        const double x = map.xOf(event.at);
        if (!std::isfinite(x) || x < -1 || x > boxWidth + 1)
            continue;
        EventPlace place;
        place.x = x;
        if (!event.text.isEmpty()) {
            const double room = boxWidth - x + plan.right;
            place.text = fitted(event.text, sheet.font, sheet.noteSize(), std::max(room, 4 * sheet.em));
            for (int row = 0; row < kMostEventRows && place.row < 0; ++row)
                if (x >= ends[row] + 0.5 * sheet.em && x + place.text.width() <= boxWidth + plan.right) {
                    place.row = row;
                    ends[row] = x + place.text.width();
                    plan.eventRows = std::max(plan.eventRows, row + 1);
                }
        }
        plan.events.push_back(std::move(place));
    }
}

} // namespace

std::vector<KeyEntry> keyOf(const Panel& panel)
{
    std::vector<KeyEntry> out;
    const bool strips = !panel.strips.empty();
    const QStringList& names = strips ? panel.categories : panel.levels;
    for (int i = 0; i < names.size(); ++i)
        out.push_back({strips ? KeyEntry::Kind::Category : KeyEntry::Kind::Level, i, names[i]});
    for (const Shade& shade : panel.shades)
        if (!shade.label.isEmpty())
            out.push_back({KeyEntry::Kind::Shade, 0, shade.label});
    return out;
}

double keySample(KeyEntry::Kind kind, const Sheet& sheet) { return (kind == KeyEntry::Kind::Level ? 2.2 : 1.2) * sheet.em; }

void planRanges(PanelPlan& plan)
{
    const Panel& panel = *plan.panel;
    std::vector<double> xs, ys;
    bool marks = false, portrait = false;
    for (const Series& series : panel.series) {
        xs.insert(xs.end(), series.x.begin(), series.x.end());
        marks |= series.kind == SeriesKind::Marks || series.kind == SeriesKind::LineMarks;
        portrait |= !ascendingFinite(series.x);
        if (panel.y.logarithmic)
            appendWithoutDips(series, ys);
        else
            ys.insert(ys.end(), series.y.begin(), series.y.end());
        ys.insert(ys.end(), series.upper.begin(), series.upper.end());
    }
    constexpr double kAbove = 1e3; // of the least shown: round-off itself is no reason to cut
    if (panel.y.logarithmic && std::ranges::any_of(ys, [](double y) { return y > kAbove * kLeastShown; }))
        std::erase_if(ys, [](double y) { return y < kLeastShown; });
    for (const Strip& strip : panel.strips)
        for (const StripSpan& span : strip.spans) {
            xs.push_back(span.from);
            xs.push_back(span.to);
        }
    plan.x = marks || portrait ? niceRange(xs, panel.x.logarithmic) : exactRange(xs, panel.x.logarithmic);
    plan.y = niceRange(ys, panel.y.logarithmic);
    apply(panel.x, plan.x);
    apply(panel.y, plan.y);
}

Ticks abscissaTicks(const PanelPlan& plan, const Sheet& sheet, double width)
{
    const bool logarithmic = plan.panel->x.logarithmic;
    const Map map{QRectF(0, 0, width, 1), plan.x, plan.y, logarithmic, false};
    for (int most = std::clamp(static_cast<int>(width / (2.6 * sheet.em)), 2, 12);; --most) {
        const Ticks ticks = logarithmic ? decadeTicks(plan.x, most) : linearTicks(plan.x, most);
        bool clear = true;
        double end = -1e9;
        for (const Tick& tick : ticks.major) {
            const double half = sheet.text(tick.text, sheet.tickSize()).width() / 2, x = map.xOf(tick.value);
            clear &= x - half >= end;
            end = x + half + 0.7 * sheet.em;
        }
        if (clear || most <= 2)
            return ticks;
    }
}

Ticks ordinateTicks(const PanelPlan& plan, const Sheet& sheet, double height)
{
    if (!plan.panel->strips.empty())
        return {};
    const bool logarithmic = plan.panel->y.logarithmic;
    const int most = std::clamp(static_cast<int>(height / ((logarithmic ? 1.7 : 2.3) * sheet.em)), 2, 12);
    return logarithmic ? decadeTicks(plan.y, most) : linearTicks(plan.y, most);
}

void planMargins(PanelPlan& plan, const Sheet& sheet, double cellWidth, double boxHeight)
{
    const Panel& panel = *plan.panel;
    plan.left = plan.right = plan.bottom = 0;
    if (!panel.picture.isNull()) {
        plan.bottom = panel.pictureCaption.isEmpty() ? 0 : 1.5 * sheet.em;
        plan.naturalHeight = naturalHeightOf(plan, sheet, cellWidth);
        return;
    }
    const QString yTitle = axisText(panel.y), xTitle = axisText(panel.x);
    if (plan.yLabels) {
        double labels = widest(ordinateTicks(plan, sheet, boxHeight), sheet);
        for (const Strip& strip : panel.strips)
            labels = std::max(labels, sheet.text(strip.name, sheet.tickSize()).width());
        plan.left = labels + 0.45 * sheet.em;
        if (!yTitle.isEmpty()) {
            const MathText title = sheet.text(yTitle, sheet.em);
            plan.left += title.ascent() + title.descent() + 0.45 * sheet.em;
        }
    }
    const double guess = std::max(cellWidth - plan.left, 5 * sheet.em);
    const Ticks ticks = abscissaTicks(plan, sheet, guess);
    if (!ticks.major.empty()) {
        const double half = sheet.text(ticks.major.back().text, sheet.tickSize()).width() / 2;
        const Map map{QRectF(0, 0, guess, 1), plan.x, plan.y, panel.x.logarithmic, false};
        plan.right = plan.xLabels ? std::max(0.0, half - (guess - map.xOf(ticks.major.back().value))) : 0;
    }
    plan.right = std::max(plan.right, sheet.frame());
    plan.bottom = sheet.frame();
    if (plan.xLabels)
        plan.bottom += 1.25 * sheet.em + (xTitle.isEmpty() ? 0 : 1.35 * sheet.em);
    plan.naturalHeight = naturalHeightOf(plan, sheet, cellWidth - plan.left - plan.right);
}

void planHeader(PanelPlan& plan, const Sheet& sheet, double boxWidth)
{
    plan.header = plan.title.isEmpty() ? 0 : 1.5 * sheet.em;
    plan.groupHeader = 0;
    const bool alone = !plan.multiple, lead = plan.groupWidth > 0;
    const QString& title = lead ? plan.groupTitle : plan.title;
    if (alone || lead) {
        const double width = lead ? plan.groupWidth : boxWidth;
        const double lines =
            placeKeyBeside(plan, sheet, title.isEmpty() ? 0 : sheet.text(title, sheet.em, true).width(), width);
        if (alone)
            plan.header += lines;
        else
            plan.groupHeader = lines + (title.isEmpty() ? 0 : 1.6 * sheet.em);
    }
    placeEvents(plan, sheet, boxWidth);
    if (!plan.events.empty())
        plan.header += 1.2 * sheet.em * plan.eventRows + 0.45 * sheet.em;
    // The topmost tick label stands half above the box.
    plan.header = plan.ownHeader = std::max(plan.header, plan.hasAxes() ? 0.5 * sheet.em : 0.0);
}

void planBox(PanelPlan& plan)
{
    if (!hasEqualScales(plan) || plan.box.isEmpty())
        return;
    const double xUnit = (plan.x.high - plan.x.low) / plan.box.width(), yUnit = (plan.y.high - plan.y.low) / plan.box.height();
    const auto grow = [](Range& range, double factor) {
        const double middle = (range.low + range.high) / 2, half = (range.high - range.low) / 2 * factor;
        range = {middle - half, middle + half};
    };
    const double narrower = (plan.x.high - plan.x.low) / yUnit;
    if (xUnit < yUnit && narrower >= kNarrowestPortrait * kUnitsPerMillimetre)
        plan.box.setWidth(narrower);
    else if (xUnit < yUnit)
        grow(plan.x, yUnit / xUnit);
    else
        grow(plan.y, xUnit / yUnit);
}

} // namespace driftless::figures
