#include "ui/panels/PlotColumn.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "ui/panels/Controls.h"

namespace driftless::ui {

PlotColumn::PlotColumn(Document& document, QWidget* parent) : QWidget(parent), document_(document)
{
    setObjectName("plots");
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
                if (i < count_)
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
    Plot plot{new PlotView, new CalmCombo, new CalmCombo, new CalmCombo};
    const QString number = QString::number(place + 1);
    plot.view->setObjectName("plot_" + number);
    plot.kind->setObjectName("plotKind_" + number);
    plot.kind->setAccessibleName(tr("What plot %1 shows").arg(number));
    plot.kind->setToolTip(tr("What this plot shows"));
    for (const PlotKind kind : plotKinds())
        plot.kind->addItem(plotKindName(kind), QString::number(static_cast<int>(kind)));
    plot.kind->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    plot.first->setObjectName("plotFirst_" + number);
    plot.second->setObjectName("plotSecond_" + number);
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    for (auto* combo : {plot.kind, plot.first, plot.second})
        row->addWidget(combo);
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
}

void PlotColumn::setCount(int plots)
{
    if (plots == count_)
        return;
    count_ = plots;
    for (int i = 0; i < kMost; ++i)
        plots_[static_cast<std::size_t>(i)].view->setVisible(i < count_);
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
            combo->setCurrentIndex(std::max(combo->findData(before), combo == plot.second ? document_.system().n() : 0));
        }
        plot.view->followTime();
        kindChosen(plot);
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
        if (reference && run.key == document_.reference())
            *reference = static_cast<int>(all.size());
        all.push_back({run.colour, run.name, document_.laboratory().recording(run.id)});
    }
    return all;
}

void PlotColumn::refresh(const Plot& plot)
{
    int reference = 0;
    auto all = runs(&reference);
    plot.view->setRuns(std::move(all));
    plot.view->setReference(reference);
    plot.view->refresh();
}

void PlotColumn::refreshNext()
{
    next_ = (next_ + 1) % static_cast<std::size_t>(count_);
    refresh(plots_[next_]);
}

void PlotColumn::refreshAll()
{
    for (int i = 0; i < count_; ++i)
        refresh(plots_[static_cast<std::size_t>(i)]);
}

void PlotColumn::choose(int place, const PlotSpec& spec)
{
    if (place < 0 || place >= kMost)
        return;
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

void PlotColumn::setTime(double t)
{
    for (int i = 0; i < count_; ++i)
        plots_[static_cast<std::size_t>(i)].view->setTimeCursor(t);
}

std::vector<PlotSpec> PlotColumn::specs() const
{
    std::vector<PlotSpec> all;
    for (int i = 0; i < count_; ++i)
        all.push_back(plots_[static_cast<std::size_t>(i)].view->spec());
    return all;
}

} // namespace driftless::ui
