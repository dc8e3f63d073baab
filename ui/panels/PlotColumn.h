// The plots below or beside the scene: up to three over one time axis, each with a chooser of what it shows. Where there is
// room for fewer, a button turns to the next.
#pragma once

#include <QWidget>

#include <vector>

#include "ui/document/Document.h"
#include "ui/document/ShownPlot.h"
#include "ui/views/PlotView.h"

class QToolButton;
class QVBoxLayout;

namespace driftless::ui {

class CalmCombo;

class PlotColumn : public QWidget {
    Q_OBJECT
public:
    /// names: what the object names of its widgets begin with.
    explicit PlotColumn(Document& document, const QString& names = QStringLiteral("plot"), QWidget* parent = nullptr);

    static constexpr int kMost = 3;
    /// turns: the others are reached by a button.
    void setCount(int plots, bool turns = false);
    int count() const { return count_; }
    /// Shows the next one where there is room for one alone.
    void turn();
    void setLook(bool dark, double scale);
    /// Another model: its columns are offered.
    void rebuild();
    /// Shows this in the plot at place (from 0), as if it had been chosen by hand.
    void choose(int place, const PlotSpec& spec);
    /// What every plot shows, in sight or not, and the same again. Returns what of it is not known here: it is left alone.
    std::vector<ShownPlot> chosenPlots() const;
    QStringList choosePlots(const std::vector<ShownPlot>& plots);
    /// Turns to a quantity of the data, where no plot in sight shows one.
    void showQuantityOf(const MeasuredCurves& added);
    void setTime(double t);
    /// Draws the next plot in turn, or all.
    void refreshNext();
    void refreshAll();
    /// Cost is spent here and in painting; fresh views are taken for the plot that is drawn.
    std::vector<PlotSpec> specs() const;
    PlotView& plot(int i) { return *plots_[static_cast<std::size_t>(i)].view; }
    double timeStart() const { return plots_.front().view->timeStart(); }
    double timeEnd() const { return plots_.front().view->timeEnd(); }
    std::vector<PlotRun> runs(int* reference = nullptr) const;
    /// Measured data beside them, in colours that no run has as long as there are some.
    std::vector<PlotRun> measured() const;

signals:
    void chosen(); ///< another kind or quantity
    void timeRangeChanged(double t0, double t1);

private:
    struct Plot {
        PlotView* view;
        CalmCombo *kind, *first, *second;
        QToolButton* turn;
    };
    Plot makePlot(int place);
    void kindChosen(const Plot& plot);
    void refresh(const Plot& plot);
    void showPlots();
    /// Of those in sight, counted from 0.
    const Plot& shown(int i) const { return plots_[static_cast<std::size_t>((first_ + i) % kMost)]; }

    void suitModel();
    int firstRate() const;

    Document& document_;
    QString names_;
    bool energyReplaced_ = false; ///< a model of equations has no energy to plot
    QVBoxLayout* layout_;
    std::vector<Plot> plots_;
    int count_ = 0, first_ = 0; ///< in sight, and where they begin
    bool turns_ = false;
    double time_ = 0; ///< on display [s]
    int next_ = 0;
    std::size_t dragged_ = 0; ///< events of a pan, whose turn it is
};

} // namespace driftless::ui
