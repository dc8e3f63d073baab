// The plots at the right: two or three over one time axis, each with a chooser of what it shows.
#pragma once

#include <QWidget>

#include <vector>

#include "ui/document/Document.h"
#include "ui/views/PlotView.h"

class QVBoxLayout;

namespace driftless::ui {

class CalmCombo;

class PlotColumn : public QWidget {
    Q_OBJECT
public:
    /// names: what the object names of its widgets begin with.
    explicit PlotColumn(Document& document, const QString& names = QStringLiteral("plot"), QWidget* parent = nullptr);

    static constexpr int kMost = 3;
    void setCount(int plots);
    int count() const { return count_; }
    void setLook(bool dark, double scale);
    /// Another model: its columns are offered.
    void rebuild();
    /// Shows this in the plot at place (from 0), as if it had been chosen by hand.
    void choose(int place, const PlotSpec& spec);
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

signals:
    void timeRangeChanged(double t0, double t1);

private:
    struct Plot {
        PlotView* view;
        CalmCombo *kind, *first, *second;
    };
    Plot makePlot(int place);
    void kindChosen(const Plot& plot);
    void refresh(const Plot& plot);

    void suitModel();
    int firstRate() const;

    Document& document_;
    QString names_;
    bool energyReplaced_ = false; ///< a model of equations has no energy to plot
    QVBoxLayout* layout_;
    std::vector<Plot> plots_;
    int count_ = 0;
    std::size_t next_ = 0;
    std::size_t dragged_ = 0; ///< events of a pan, whose turn it is
};

} // namespace driftless::ui
