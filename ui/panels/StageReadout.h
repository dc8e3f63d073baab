// What a lecture hall reads off the scene: the time, the runs by colour, and how long the first rod of each is.
#pragma once

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

#include "core/system/CompiledSystem.h"
#include "ui/document/Document.h"
#include "ui/views/Theme.h"

namespace driftless::ui {

/// Measures the first rod of the open model, or the first spring where it has no rod.
class RodRuler {
public:
    explicit RodRuler(Document& document) : document_(document) {}
    /// What is measured, as the model calls it; empty: it has nothing of the kind.
    QString name();
    /// [m] of a run at a time; none where the model has no rod or the run was not there.
    std::optional<double> length(const RunEntry& run, double t);

private:
    bool ready();

    Document& document_;
    std::shared_ptr<const model::CompiledSystem> of_; ///< the model that the other members belong to
    std::unique_ptr<model::SystemEvaluator> evaluator_;
    std::size_t firstPoint_ = 0; ///< of the rod's two, among those of the scene
    QString name_;
};

/// Lies over the left top of what it is given, as large as its words, and lets every click through.
class StageReadout final : public QWidget {
    Q_OBJECT
public:
    StageReadout(Document& document, QWidget* over);
    void setTheme(const Theme& theme, double scale);
    /// decimals: digits behind the point of the time.
    void say(double t, int decimals);
    /// What it says, line by line.
    QStringList lines() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Line {
        int colour = 0;
        QString name, figure;
        bool failed = false, selected = false;
        bool operator==(const Line&) const = default;
    };
    void fit();
    QFont timeFont() const;
    QFont lineFont() const;

    Document& document_;
    RodRuler ruler_;
    Theme theme_ = Theme::light();
    double scale_ = 1;
    QString time_;
    std::vector<Line> lines_;
};

} // namespace driftless::ui
