#include "ui/panels/PlotColumn.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

#include "ui/document/ModelPace.h"
#include "ui/panels/Controls.h"

namespace driftless::ui {

namespace {

/// What a time axis shows at least: as long as time runs that of the model, so that it is still; where it stands after a few
/// steps, so little that they can be told apart.
double shortestAxis(Document& document)
{
    constexpr double kLittle = 0.05, kFilled = 0.2; // of the axis
    const double usual = firstRange(document.compiled().model());
    double reached = 0;
    for (const RunEntry& run : document.runs())
        if (const auto recording = document.laboratory().recording(run.id); !recording.empty())
            reached = std::max(reached, recording.lastTime());
    if (document.laboratory().clock().playing || reached <= 0 || reached >= kLittle * usual)
        return usual;
    return niceEnd(reached / kFilled, reached / kFilled);
}

} // namespace

PlotColumn::PlotColumn(Document& document, const QString& names, QWidget* parent)
    : QWidget(parent), document_(document), names_(names)
{
    setObjectName(names_ + "s");
    layout_ = new QVBoxLayout(this);
    layout_->setContentsMargins(0, 0, 0, 0);
    layout_->setSpacing(1);
    constexpr PlotKind kinds[kMost] = {PlotKind::Residuals, PlotKind::EnergyError, PlotKind::ErrorAgainstReference};
    for (int i = 0; i < kMost; ++i) {
        plots_.push_back(makePlot(i));
        plots_.back().kind->show(QString::number(static_cast<int>(kinds[i])));
        kindChosen(plots_.back());
        layout_->addWidget(plots_.back().view, 1);
    }
    for (const Plot& plot : plots_) {
        connect(plot.view, &PlotView::timeRangeChanged, this, [this, view = plot.view](double t0, double t1) {
            // The plot under the hand with every event, the others in turn: a pan through millions of steps stays smooth.
            std::vector<const Plot*> others;
            for (int i = 0; i < kMost; ++i) {
                const Plot& other = plots_[static_cast<std::size_t>(i)];
                if (other.view == view) {
                    refresh(other);
                    continue;
                }
                other.view->followRange(t0, t1);
                if (other.view->isVisibleTo(this))
                    others.push_back(&other);
            }
            if (!others.empty())
                refresh(*others[++dragged_ % others.size()]);
            emit timeRangeChanged(t0, t1);
        });
        connect(plot.view, &PlotView::followRequested, this, [this] {
            for (const Plot& other : plots_)
                other.view->followTime();
            refreshAll();
            emit timeRangeChanged(0, 0);
        });
    }
    setCount(2);
}

PlotColumn::Plot PlotColumn::makePlot(int place)
{
    Plot plot{
        .view = new PlotView, .kind = new CalmCombo, .first = new CalmCombo, .second = new CalmCombo, .turn = new QToolButton};
    const QString number = QString::number(place + 1);
    plot.view->setObjectName(names_ + "_" + number);
    plot.kind->setObjectName(names_ + "Kind_" + number);
    plot.kind->setAccessibleName(tr("What plot %1 shows").arg(number));
    plot.kind->setToolTip(tr("What this plot shows"));
    for (const PlotKind kind : plotKinds())
        plot.kind->addItem(plotKindName(kind), QString::number(static_cast<int>(kind)));
    plot.kind->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    plot.first->setObjectName(names_ + "First_" + number);
    plot.second->setObjectName(names_ + "Second_" + number);
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    for (auto* combo : {plot.kind, plot.first, plot.second})
        row->addWidget(combo);
    plot.turn->setObjectName(names_ + "Turn_" + number);
    plot.turn->setText(tr("%1 of %2").arg(place + 1).arg(kMost));
    plot.turn->setToolTip(tr("Show the next plot"));
    plot.turn->setAccessibleName(tr("Show the next plot"));
    plot.turn->setProperty("part", "turn");
    plot.turn->setFocusPolicy(Qt::TabFocus);
    plot.turn->hide();
    connect(plot.turn, &QToolButton::clicked, this, &PlotColumn::turn);
    row->addWidget(plot.turn);
    row->addStretch(1);
    plot.view->setTitleWidget(bar);
    const auto chosen = [this, place] { kindChosen(plots_[static_cast<std::size_t>(place)]); };
    for (auto* combo : {plot.kind, plot.first, plot.second})
        connect(combo, &QComboBox::currentIndexChanged, this, [this, chosen] {
            if (plots_.size() == static_cast<std::size_t>(kMost))
                chosen();
        });
    plot.view->followTime();
    return plot;
}

void PlotColumn::kindChosen(const Plot& plot)
{
    const auto kind = static_cast<PlotKind>(plot.kind->currentData().toInt());
    plot.first->setVisible(kind == PlotKind::Quantity || kind == PlotKind::Phase);
    plot.second->setVisible(kind == PlotKind::Phase);
    plot.view->setKind(kind);
    plot.view->setQuantity(plot.first->currentData().toString());
    plot.view->setPhase(plot.first->currentData().toString(), plot.second->currentData().toString());
    refresh(plot);
    emit chosen();
}

void PlotColumn::setCount(int plots, bool turns)
{
    if (plots == count_ && turns == turns_)
        return;
    count_ = plots;
    turns_ = turns;
    if (count_ > 1)
        first_ = 0;
    showPlots();
}

void PlotColumn::turn()
{
    first_ = (first_ + 1) % kMost;
    showPlots();
}

void PlotColumn::showPlots()
{
    for (int i = 0; i < kMost; ++i) {
        const Plot& plot = shown(i);
        plot.turn->setVisible(turns_);
        plot.view->setVisible(i < count_);
        plot.view->setKind(plot.view->kind()); // its heading is as wide as it is now
    }
    refreshAll();
}

void PlotColumn::setLook(bool dark, double scale)
{
    for (const Plot& plot : plots_) {
        plot.view->setDark(dark);
        plot.view->setScale(scale);
    }
}

void PlotColumn::rebuild()
{
    time_ = document_.laboratory().clock().t;
    std::vector<run::Column> columns;
    if (!document_.runs().empty())
        columns = document_.laboratory().recording(document_.runs().front().id).columns();
    for (const Plot& plot : plots_) {
        for (auto* combo : {plot.first, plot.second}) {
            const QSignalBlocker quiet(combo);
            const QString before = combo->currentData().toString();
            combo->clear();
            for (const auto& column : columns)
                combo->addItem(QString::fromStdString(column.name), QString::fromStdString(column.name));
            const int same = combo->findData(before), first = combo == plot.second ? firstRate() : 0;
            combo->setCurrentIndex(same >= 0 ? same : first); // what was chosen stays where the model still has it
        }
        plot.view->setShortest(firstRange(document_.compiled().model()));
        plot.view->followTime();
        kindChosen(plot);
    }
    suitModel();
}

/// The column a phase portrait begins with: the rate of the first one, or the second.
int PlotColumn::firstRate() const
{
    const auto& s = document_.system();
    return s.values.empty() ? document_.compiled().n() : static_cast<int>(std::min<std::size_t>(1, s.values.size() - 1));
}

/// A text of equations states no energy: its plot shows a quantity instead, until a mechanism is there again.
void PlotColumn::suitModel()
{
    const bool general = document_.compiled().model().reduced != nullptr;
    if (general == energyReplaced_)
        return;
    energyReplaced_ = general;
    const PlotKind from = general ? PlotKind::EnergyError : PlotKind::Quantity,
                   to = general ? PlotKind::Quantity : PlotKind::EnergyError;
    for (const Plot& plot : plots_)
        if (plot.kind->currentData().toInt() == static_cast<int>(from)) {
            const QSignalBlocker quiet(plot.kind);
            plot.kind->setCurrentIndex(plot.kind->findData(QString::number(static_cast<int>(to))));
            kindChosen(plot);
            return;
        }
}

std::vector<PlotRun> PlotColumn::runs(int* reference) const
{
    std::vector<PlotRun> all;
    if (reference)
        *reference = 0;
    for (const RunEntry& run : document_.runs()) {
        if (!run.visible)
            continue;
        if (reference && run.key == document_.bench().reference())
            *reference = static_cast<int>(all.size());
        all.push_back({run.colour, run.name, document_.laboratory().recording(run.id)});
    }
    return all;
}

std::vector<PlotRun> PlotColumn::measured() const
{
    std::vector<PlotRun> all;
    // Ink first, as dots are set on paper.
    std::vector<int> free{2, 6, 3, 5, 4, 1, 0, 7};
    std::stable_partition(free.begin(), free.end(), [this](int index) {
        return std::ranges::none_of(document_.runs(), [index](const RunEntry& run) { return run.colour == index; });
    });
    for (const MeasuredCurves& curves : document_.bench().measured()) {
        const int colour = free[all.size()];
        all.push_back({.colour = colour, .name = curves.name, .recording = curves.columns->view(), .measured = true});
    }
    return all;
}

void PlotColumn::refresh(const Plot& plot)
{
    if (!isVisibleTo(parentWidget())) // as a portrait is where the scene draws
        return;
    int reference = 0;
    auto all = runs(&reference);
    std::ranges::move(measured(), std::back_inserter(all));
    plot.view->setRuns(std::move(all));
    plot.view->setReference(reference);
    if (document_.hasModel())
        plot.view->setShortest(shortestAxis(document_));
    plot.view->setTimeCursor(time_); // one that was out of sight has not followed it
    plot.view->refresh();
}

void PlotColumn::refreshNext()
{
    next_ = (next_ + 1) % count_;
    refresh(shown(next_));
}

void PlotColumn::refreshAll()
{
    for (int i = 0; i < count_; ++i)
        refresh(shown(i));
}

void PlotColumn::showQuantityOf(const MeasuredCurves& added)
{
    const run::RecordingView curves = added.columns->view();
    for (int i = 0; i < count_; ++i)
        if (const PlotSpec& spec = shown(i).view->spec();
            spec.kind == PlotKind::Quantity && curves.findColumn(spec.quantity.toStdString()) >= 0)
            return;
    PlotSpec spec;
    spec.kind = PlotKind::Quantity;
    spec.quantity = QString::fromStdString(curves.columns().front().name);
    choose(0, spec);
    refreshAll();
}

void PlotColumn::choose(int place, const PlotSpec& spec)
{
    if (place < 0 || place >= kMost)
        return;
    if (place == 0 && first_ != 0) {
        first_ = 0;
        showPlots();
    }
    const Plot& plot = plots_[static_cast<std::size_t>(place)];
    const auto select = [](CalmCombo* combo, const QString& wanted) {
        const QSignalBlocker quiet(combo);
        if (const int row = combo->findData(wanted); row >= 0)
            combo->setCurrentIndex(row);
    };
    select(plot.kind, QString::number(static_cast<int>(spec.kind)));
    select(plot.first, spec.kind == PlotKind::Phase ? spec.phaseX : spec.quantity);
    select(plot.second, spec.phaseY);
    kindChosen(plot);
}

std::vector<ShownPlot> PlotColumn::chosenPlots() const
{
    std::vector<ShownPlot> out;
    for (const Plot& plot : plots_) {
        const PlotSpec& spec = plot.view->spec();
        const auto& kinds = run::livePanels();
        const auto kind = std::ranges::find_if(kinds, [&](run::PanelKind one) { return plotKindOf(one) == spec.kind; });
        if (kind != kinds.end())
            out.push_back({.kind = *kind, .quantity = spec.quantity, .phaseX = spec.phaseX, .phaseY = spec.phaseY});
    }
    return out;
}

QStringList PlotColumn::choosePlots(const std::vector<ShownPlot>& plots)
{
    QStringList unknown;
    const auto lacks = [&](const QString& name) {
        const bool missing = plots_.front().first->findData(name) < 0;
        if (missing)
            unknown << (name.isEmpty() ? QStringLiteral("?") : name);
        return missing;
    };
    int place = 0;
    for (const ShownPlot& plot : plots) {
        const auto kind = plotKindOf(plot.kind);
        const int here = place++;
        if (!kind)
            unknown << QString::fromStdString(std::string(run::panelWord(plot.kind)));
        const bool lost = !kind || (*kind == PlotKind::Quantity && lacks(plot.quantity))
                          || (*kind == PlotKind::Phase && (lacks(plot.phaseX) || lacks(plot.phaseY)));
        if (!lost)
            choose(here, {.kind = *kind, .quantity = plot.quantity, .phaseX = plot.phaseX, .phaseY = plot.phaseY});
    }
    refreshAll();
    return unknown;
}

void PlotColumn::setTime(double t)
{
    time_ = t;
    for (int i = 0; i < count_; ++i)
        shown(i).view->setTimeCursor(t);
}

std::vector<PlotSpec> PlotColumn::specs() const
{
    std::vector<PlotSpec> all;
    for (int i = 0; i < count_; ++i)
        all.push_back(shown(i).view->spec());
    return all;
}

} // namespace driftless::ui
