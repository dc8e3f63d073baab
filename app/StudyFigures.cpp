#include "app/StudyFigures.h"

#ifndef DRIFTLESS_WITH_UI

namespace driftless::app {

Result<std::vector<std::string>> drawFigures(const study::Finished&, const study::Executor&, const std::string&)
{
    return std::vector<std::string>{};
}

Result<std::vector<std::string>> drawContactSheet(const std::vector<std::pair<std::string, std::string>>&,
                                                  const std::string& path)
{
    return Diagnostic{.what = "This build draws nothing",
                      .where = path,
                      .why = "it was made without the window",
                      .remedy = "a build with it"};
}

} // namespace driftless::app

#else

#include <QFileInfo>
#include <QGuiApplication>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>

#include "app/FigureLook.h"
#include "app/StudyScene.h"
#include "core/text/Names.h"
#include "core/text/PathText.h"
#include "ui/figures/ColumnBand.h"
#include "ui/figures/ContactSheet.h"
#include "ui/figures/QtSetting.h"
#include "ui/figures/WriteFigure.h"

namespace driftless::app {

namespace {

using figures::Figure;
using figures::Panel;
using figures::Series;
using figures::SeriesKind;
using study::RunData;
using study::StudyFigure;
using study::StudyPanel;

constexpr double kRoundOff = 1e-15;
constexpr std::size_t kColumns = 250; // of a curve of errors

QString text(const std::string& s) { return QString::fromStdString(s); }
/// Names of runs and columns: without markup. Titles and captions of a study may hold mathematics between dollars.
QString harmless(const std::string& s) { return figures::plain(text(s)); }

/// "bob.x [m]" with its unit apart.
std::pair<QString, QString> titleAndUnit(const std::string& title)
{
    const auto open = title.rfind('[');
    if (open == std::string::npos || title.back() != ']')
        return {text(title), {}};
    auto end = open;
    while (end > 0 && title[end - 1] == ' ')
        --end;
    return {text(title.substr(0, end)), text(title.substr(open + 1, title.size() - open - 2))};
}

struct Context {
    const study::Finished& finished;
    const study::Executor& executor;
    std::map<std::size_t, int> style; ///< of the figure's runs
};

std::vector<std::size_t> runsOf(const Context& context, const StudyFigure& figure, const StudyPanel& panel)
{
    const auto chosen = study::selectRuns(*context.finished.study, panel.runs.empty() ? figure.runs : panel.runs);
    return chosen ? *chosen : std::vector<std::size_t>{};
}

void setAxis(figures::Axis& axis, const std::string& title, const QString& fallback, const char* unit)
{
    if (title.empty()) {
        axis.title = fallback;
        axis.unit = QString::fromUtf8(unit);
    } else {
        std::tie(axis.title, axis.unit) = titleAndUnit(title);
    }
}

/// As the window draws errors where there are more samples than columns: a band from the least to the most of each column, and
/// the line in its middle. Zeros stand apart.
Series bandOf(Series& series)
{
    const std::size_t count = series.x.size(), each = (count + kColumns - 1) / kColumns;
    Series band{.style = series.style, .level = series.level, .kind = SeriesKind::Band};
    std::vector<figures::ColumnSpan> columns;
    std::vector<double> zeros;
    for (std::size_t from = 0; from < count; from += each) {
        const std::size_t to = std::min(from + each, count);
        figures::ColumnSpan span{
            .x = (series.x[from] + series.x[to - 1]) / 2, .low = std::numeric_limits<double>::infinity(), .high = 0};
        for (std::size_t i = from; i < to; ++i)
            if (series.y[i] > 0) {
                span.low = std::min(span.low, series.y[i]);
                span.high = std::max(span.high, series.y[i]);
            }
        if (span.high > 0)
            columns.push_back(span);
        else if (!std::isnan(series.y[from]))
            zeros.push_back(span.x);
    }
    series.x.clear();
    for (const figures::ColumnSpan& span : columns) {
        series.x.push_back(span.x);
        band.y.push_back(span.low);
        band.upper.push_back(span.high);
    }
    band.x = series.x;
    series.y = figures::centreLine(columns, true);
    series.zeros = std::move(zeros);
    return band;
}

/// Points of a curve within the panel's range of time.
void addCurve(Panel& out, const StudyPanel& panel, const RunData& data, const std::vector<double>& x,
              const std::vector<double>& y, int style, int level, SeriesKind kind)
{
    Series series;
    series.style = style;
    series.level = level;
    series.kind = kind;
    for (std::size_t r = 0; r < y.size(); ++r) {
        const double t = data.time(r);
        if ((panel.from && t < *panel.from) || (panel.to && t > *panel.to))
            continue;
        series.x.push_back(x[r]);
        series.y.push_back(y[r]);
    }
    if (out.y.logarithmic && kind == SeriesKind::Line && series.x.size() > 2 * kColumns)
        out.series.push_back(bandOf(series));
    if (!series.x.empty())
        out.series.push_back(std::move(series));
}

std::vector<double> times(const RunData& data)
{
    std::vector<double> out;
    for (std::size_t r = 0; r < data.rowCount(); ++r)
        out.push_back(data.time(r));
    return out;
}

/// Measured data has some columns alone, and is left out where others are shown.
bool isMeasured(const Context& context, std::size_t run) { return !context.finished.study->runs[run].data.empty(); }

/// One expression of every run against time, or against another.
Result<void> addExpression(const Context& context, const StudyFigure& figure, const StudyPanel& panel, const std::string& y,
                           const std::string& x, Panel& out, int level = -1, SeriesKind kind = SeriesKind::Line)
{
    for (const std::size_t run : runsOf(context, figure, panel)) {
        const RunData* data = context.finished.runs[run];
        if (!data || data->rowCount() == 0)
            continue;
        const auto values = measure::overRows(*data, y);
        if (!values && isMeasured(context, run))
            continue;
        if (!values)
            return values.error();
        auto across = x.empty() ? Result<std::vector<double>>{times(*data)} : measure::overRows(*data, x);
        if (!across && isMeasured(context, run))
            continue;
        if (!across)
            return across.error();
        addCurve(out, panel, *data, *across, *values, context.style.at(run), level, kind);
    }
    return {};
}

/// max over positions and velocities of the distance from one run.
Result<void> addDifference(const Context& context, const StudyFigure& figure, const StudyPanel& panel, Panel& out)
{
    const auto chosen = study::selectRuns(*context.finished.study, {panel.against});
    if (!chosen || chosen->empty() || !context.finished.runs[chosen->front()])
        return {};
    const RunData& reference = *context.finished.runs[chosen->front()];
    for (const std::size_t run : runsOf(context, figure, panel)) {
        const RunData* data = context.finished.runs[run];
        if (!data || data == &reference || data->rowCount() == 0 || isMeasured(context, run))
            continue;
        std::vector<double> most(data->rowCount(), 0.0);
        for (std::size_t c = 0; c < 2 * data->positions; ++c) {
            if (reference.find(data->columns[c].name) < 0)
                continue; // nobody measured it
            const auto mine = measure::overRows(*data, data->columns[c].name),
                       theirs = measure::atTimesOf(*data, reference, data->columns[c].name);
            if (!mine || !theirs)
                return !mine ? mine.error() : theirs.error();
            for (std::size_t r = 0; r < most.size(); ++r)
                most[r] = std::isnan((*theirs)[r]) ? std::numeric_limits<double>::quiet_NaN()
                                                   : std::max(most[r], std::abs((*mine)[r] - (*theirs)[r]));
        }
        addCurve(out, panel, *data, times(*data), most, context.style.at(run), -1, SeriesKind::Line);
    }
    return {};
}

Result<void> addScatter(const Context& context, const StudyFigure& figure, const StudyPanel& panel, Panel& out)
{
    std::map<std::string, Series> families;
    std::vector<std::string> order;
    for (const std::size_t run : runsOf(context, figure, panel)) {
        if (!context.finished.runs[run] || context.finished.runs[run]->status() == "refused")
            continue;
        const auto x = study::measureNumber(context.finished, run, {panel.x, panel.position}),
                   y = study::measureNumber(context.finished, run, {panel.y, panel.position});
        if ((!x || !y) && isMeasured(context, run))
            continue;
        if (!x || !y)
            return !x ? x.error() : y.error();
        const std::string& family = context.finished.study->runs[run].family;
        const auto [place, fresh] = families.try_emplace(family);
        if (fresh) {
            order.push_back(family);
            place->second.style = context.style.at(run);
            place->second.kind = SeriesKind::LineMarks;
        }
        place->second.x.push_back(*x);
        place->second.y.push_back(out.y.logarithmic ? std::abs(*y) : *y);
    }
    for (const std::string& family : order)
        out.series.push_back(families[family]);
    return {};
}

/// Which variables' derivatives are dummies.
void addPivots(const Context& context, const StudyFigure& figure, const StudyPanel& panel, Panel& out)
{
    for (const std::size_t run : runsOf(context, figure, panel)) {
        const RunData* data = context.finished.runs[run];
        if (!data || data->rowCount() == 0)
            continue;
        const double from = panel.from.value_or(data->time(0)), to = panel.to.value_or(data->time(data->rowCount() - 1));
        figures::Strip strip{harmless(context.finished.study->runs[run].label), {}};
        double since = data->time(0);
        std::string now;
        const auto span = [&](double until, const std::string& category) {
            const double a = std::max(since, from), b = std::min(until, to);
            if (b <= a)
                return;
            const QString name = harmless(category.empty() ? "unchanged" : category);
            int index = static_cast<int>(out.categories.indexOf(name));
            if (index < 0) {
                index = static_cast<int>(out.categories.size());
                out.categories << name;
            }
            strip.spans.push_back({a, b, index});
        };
        for (const study::SelectionChange& change : data->selections) {
            span(change.t, now.empty() ? text::joined(change.from) : now);
            now = text::joined(change.to);
            since = change.t;
        }
        span(to, now);
        out.strips.push_back(std::move(strip));
    }
}

/// Title, horizontal axis, limits and guides: what does not depend on the runs.
void setFrame(const StudyPanel& panel, Panel& out)
{
    const std::string& kind = panel.kind;
    out.title = text(panel.title);
    const bool smallNumbers = kind == "residuals" || kind == "energy-error" || kind == "difference" || kind == "step";
    out.y.logarithmic = panel.logY.value_or(smallNumbers);
    out.x.logarithmic = panel.logX.value_or(false);
    if (panel.low)
        out.y.low = *panel.low;
    if (panel.high)
        out.y.high = *panel.high;
    if (kind == "scatter" || kind == "phase") {
        setAxis(out.x, panel.xTitle, harmless(panel.x), "");
    } else {
        setAxis(out.x, panel.xTitle, "$t$", "s");
        if (panel.from)
            out.x.low = *panel.from;
        if (panel.to)
            out.x.high = *panel.to;
    }
    for (const study::Guide& g : panel.guides)
        out.guides.push_back({g.slope, harmless(g.label)});
}

Result<void> addResiduals(const Context& context, const StudyFigure& figure, const StudyPanel& panel, Panel& out)
{
    setAxis(out.y, panel.yTitle, "constraint residuals", "");
    out.levels = QStringList{"$g$", "$\\dot g$", "$\\ddot g$"};
    out.shades.push_back({Qt::Horizontal, 0, kRoundOff, {}});
    std::vector<std::string> columns{"residual.position", "residual.velocity", "residual.acceleration"};
    const std::vector<std::size_t> runs = runsOf(context, figure, panel);
    const auto watches = [&](std::size_t run) {
        return context.finished.runs[run] && context.finished.runs[run]->find("residual.set_aside") > 0;
    };
    if (!runs.empty() && std::ranges::all_of(runs, watches)) {
        columns.emplace_back("residual.set_aside");
        out.levels << QStringLiteral("$g$ set aside");
    }
    for (std::size_t level = 0; level < columns.size(); ++level)
        if (auto added = addExpression(context, figure, panel, columns[level], {}, out, static_cast<int>(level)); !added)
            return added;
    return {};
}

Result<void> addMultipliers(const Context& context, const StudyFigure& figure, const StudyPanel& panel, Panel& out)
{
    setAxis(out.y, panel.yTitle, "$\\lambda$", "");
    for (const std::size_t run : runsOf(context, figure, panel)) {
        const RunData* data = context.finished.runs[run];
        for (std::size_t c = 0, level = 0; data && c < data->columns.size(); ++c)
            if (data->columns[c].kind == run::ColumnKind::Multiplier) {
                const auto values = measure::overRows(*data, data->columns[c].name);
                if (!values)
                    return values.error();
                if (static_cast<int>(level) >= out.levels.size())
                    out.levels << figures::mathName(text(data->columns[c].name));
                addCurve(out, panel, *data, times(*data), *values, context.style.at(run), static_cast<int>(level++),
                         SeriesKind::Line);
            }
    }
    return {};
}

Result<void> fill(const Context& context, const StudyFigure& figure, const StudyPanel& panel, Panel& out)
{
    const std::string& kind = panel.kind;
    setFrame(panel, out);
    if (kind == "residuals")
        return addResiduals(context, figure, panel, out);
    if (kind == "energy-error") {
        setAxis(out.y, panel.yTitle, "energy error", "J");
        return addExpression(context, figure, panel, out.y.logarithmic ? "abs(energy_error)" : "energy_error", {}, out);
    }
    if (kind == "difference") {
        setAxis(out.y, panel.yTitle, "distance from the reference", "");
        return addDifference(context, figure, panel, out);
    }
    if (kind == "step") {
        setAxis(out.y, panel.yTitle, "step $h$", "s");
        return addExpression(context, figure, panel, "h", {}, out, -1, SeriesKind::Steps);
    }
    if (kind == "order") {
        setAxis(out.y, panel.yTitle, "order", "");
        return addExpression(context, figure, panel, "order", {}, out, -1, SeriesKind::Steps);
    }
    if (kind == "multipliers")
        return addMultipliers(context, figure, panel, out);
    if (kind == "pivots") {
        addPivots(context, figure, panel, out);
        return {};
    }
    setAxis(out.y, panel.yTitle, harmless(panel.y), "");
    if (kind == "scatter")
        return addScatter(context, figure, panel, out);
    if (kind == "phase")
        return addExpression(context, figure, panel, panel.y, panel.x, out);
    return addExpression(context, figure, panel, panel.y, {}, out);
}

Result<Panel> panelOf(const Context& context, const StudyFigure& figure, const StudyPanel& panel)
{
    Panel out;
    if (panel.kind == "strobe") {
        auto runs = runsOf(context, figure, panel);
        const bool any = !runs.empty();
        std::erase_if(runs, [&context](std::size_t run) { return isMeasured(context, run); });
        if (any && runs.empty())
            return Diagnostic{.what = "Measured data has columns alone, and no bodies to draw",
                              .where = "panel of figure " + figure.name,
                              .why = "this panel has no other run",
                              .remedy = "runs = [\"NAME\"] with the name of a run",
                              .position = panel.position};
        const RunData* data = runs.empty() ? nullptr : context.finished.runs[runs.front()];
        if (data && data->rowCount() > 1) {
            auto picture = strobePicture(context.executor.system(runs.front()), *data, panel.from, panel.to, panel.count);
            if (!picture)
                return picture.error();
            out.picture = std::move(*picture);
        }
        out.title = text(panel.title);
    } else if (auto filled = fill(context, figure, panel, out); !filled) {
        Diagnostic d = filled.error();
        d.where = "panel of figure " + figure.name + (d.where.empty() ? "" : ", " + d.where);
        if (!d.position.known())
            d.position = panel.position;
        return d;
    }
    if (out.series.empty() && out.strips.empty() && out.picture.isNull())
        out.empty = "no run of this panel has a record";
    return out;
}

Figure frameOf(const Context& context, const StudyFigure& source)
{
    const study::Study& study = *context.finished.study;
    Figure out;
    out.title = text(source.title);
    out.caption = text(source.caption);
    out.label = text("fig:" + study.id + "-" + source.name);
    out.columns = source.columns;
    out.style = figures::styleFor(sizePreset(source.size).value_or(figures::SizePreset::Page));
    out.style.font = source.font == "sans" ? figures::Font::Sans : figures::Font::Serif;
    return out;
}

/// Fonts need an application object, no display.
Result<std::unique_ptr<QGuiApplication>> applicationForFonts()
{
    ::setenv("QT_QPA_PLATFORM", "offscreen", 0);
    static int argc = 1;
    static char name[] = "driftless";
    static char* argv[] = {name, nullptr};
    auto made = QCoreApplication::instance() ? nullptr : std::make_unique<QGuiApplication>(argc, argv);
    if (auto settled = figures::settleQt(); !settled)
        return settled.error();
    return made;
}

} // namespace

Result<std::vector<std::string>> drawContactSheet(const std::vector<std::pair<std::string, std::string>>& picturesAndNames,
                                                  const std::string& path)
{
    const auto application = applicationForFonts();
    if (!application)
        return application.error();
    std::vector<figures::ContactEntry> entries;
    for (const auto& [picture, title] : picturesAndNames)
        entries.push_back({text(picture), harmless(title)});
    figures::ContactStyle style;
    style.title = QStringLiteral("Figures of the shipped studies");
    const auto written = figures::makeContactSheet(entries, QString::fromStdU16String(pathToText(path)), style);
    if (!written)
        return written.error();
    std::vector<std::string> out;
    for (const QString& file : *written)
        out.push_back(file.toStdString());
    return out;
}

Result<std::vector<std::string>> drawFigures(const study::Finished& finished, const study::Executor& executor,
                                             const std::string& folder)
{
    const auto application = applicationForFonts();
    if (!application)
        return application.error();
    std::vector<std::string> files;
    for (const StudyFigure& source : finished.study->figures) {
        Context context{finished, executor, {}};
        Figure figure = frameOf(context, source);
        // Runs of the figure and of its panels, in the order of the study; one style for each family.
        std::vector<std::string> names = source.runs;
        if (!names.empty())
            for (const StudyPanel& panel : source.panels)
                names.insert(names.end(), panel.runs.begin(), panel.runs.end());
        const auto runs = study::selectRuns(*finished.study, names);
        if (!runs)
            return runs.error();
        const bool scatter =
            std::any_of(source.panels.begin(), source.panels.end(), [](const StudyPanel& p) { return p.kind == "scatter"; });
        std::map<std::string, int> families;
        for (const std::size_t run : *runs) {
            const study::PlannedRun& plan = finished.study->runs[run];
            const auto [place, fresh] =
                families.try_emplace(scatter ? plan.family : plan.name, static_cast<int>(families.size()));
            context.style[run] = place->second;
            if (fresh)
                figure.legend.push_back(
                    {place->second, harmless(scatter ? plan.label.substr(0, plan.label.find(", ")) : plan.label), {}});
        }
        for (const StudyPanel& panel : source.panels) {
            auto drawn = panelOf(context, source, panel);
            if (!drawn)
                return drawn.error();
            figure.panels.push_back(std::move(*drawn));
        }
        if (figure.legend.size() == 1)
            figure.legend.clear();
        const QString base = QString::fromStdU16String(pathToText(folder + "/" + source.name));
        const auto written = figures::writeFigure(figure, base);
        if (!written)
            return written.error();
        for (const char* ending : {".txt", ".tex"})
            if (auto caption = figures::writeCaption(figure, base + ending, text(source.name + ".pdf")); !caption)
                return caption.error();
        for (const QString& file : *written)
            files.push_back(QFileInfo(file).fileName().toStdString());
    }
    return files;
}

} // namespace driftless::app

#endif
