// A run in one line: as a row of the list, and as a chip above the scene where there is no room for the list.
#pragma once

#include <QAbstractButton>
#include <QFrame>

#include "ui/document/Document.h"
#include "ui/views/Theme.h"

class QLabel;
class QPainter;
class QToolButton;

namespace driftless::ui {

class ElidedLabel;

/// Colour, dash and marker of a run, as the curves show them.
class RunSwatch final : public QWidget {
public:
    explicit RunSwatch(QWidget* parent = nullptr);
    void set(int colour, const Theme* theme);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int colour_ = 0;
    const Theme* theme_ = &Theme::light();
};

/// The line of a run as its curves have it, in a box.
void paintRunSwatch(QPainter& painter, const QRectF& box, const QColor& colour, int index);
/// "2 index-1": what the run is called where there is one line for it. Of a name that somebody gave, the name.
QString runLabel(const RunEntry& entry, const run::RunStatus& shown);
/// Name, formulation, method, step, cost, and why it stopped, in lines.
QString runTip(const Document& document, const RunEntry& entry, const run::RunStatus& shown);

/// Object names end in the number of the run's colour, from 1: row_1, name_1, mode_1, then_1, failed_1, residual_1, energy_1,
/// error_1, visible_1, reference_1. A click selects the run.
class RunRow : public QFrame {
    Q_OBJECT
public:
    static constexpr int kHeight = 24;                   ///< [px], before scaling
    static constexpr int kNumberWidths[] = {48, 60, 48}; ///< of the columns of numbers: one of them has signs
    static constexpr int kSide = 6, kGap = 3, kButton = 18;

    /// What the list can be sorted by.
    enum class Column { Run, Residual, Energy, Difference };

    RunRow(Document& document, int key, QWidget* parent = nullptr);

    int key() const { return key_; }
    void setTheme(const Theme& theme, double scale);
    /// Selected, reference, hidden: from the document.
    void showEntry();
    /// Name, formulation, mode, whether it is that of an earlier time, whether it failed.
    void showSettings();
    /// The figures at the displayed time.
    void showFigures(double t);
    /// The figure that the list is sorted by; NaN where there is none.
    double value(Column column) const { return values_[static_cast<std::size_t>(column)]; }

signals:
    /// Why it stopped is wanted.
    void reasonAsked();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void buildNumbers(const QString& number);
    void buildButtons(const QString& number);

    Document& document_;
    const int key_;
    RunSwatch* swatch_;
    ElidedLabel *name_, *mode_;
    QLabel *then_, *failed_, *numbers_[3];
    QToolButton *reference_, *eye_;
    double values_[4];
};

/// A button with swatch, formulation and |g|; checked: the selected run.
class RunChip final : public QAbstractButton {
    Q_OBJECT
public:
    static constexpr int kHeight = 28;

    RunChip(Document& document, int key, QWidget* parent = nullptr);
    int key() const { return key_; }
    void setTheme(const Theme& theme, double scale);
    void show(double t);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Document& document_;
    const int key_;
    const Theme* theme_ = &Theme::light();
    double scale_ = 1;
    QString label_, figure_;
    int colour_ = 0;
    bool failed_ = false;
};

} // namespace driftless::ui
