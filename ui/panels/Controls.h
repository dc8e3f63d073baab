// Small controls that several panels share: a combo box that ignores a passing wheel, a field for one number, a row with
// name, slider, number and unit generated from a quantity.
#pragma once

#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QTimer>
#include <QWheelEvent>
#include <QWidget>

#include <optional>
#include <string>

#include "core/base/Diagnostic.h"
#include "core/system/Quantity.h"
#include "ui/views/Theme.h"

class QLayout;
class QPlainTextEdit;
class QScrollArea;
class QToolButton;

namespace driftless::ui {

/// Scrolling the panel over it does not change the formulation.
class CalmCombo : public QComboBox {
    Q_OBJECT
public:
    explicit CalmCombo(QWidget* parent = nullptr);
    /// Selects without a signal, unless the list is open.
    void show(const QString& id);
    /// [px] The list is at least so wide.
    void setListWidth(int pixels) { listWidth_ = pixels; }
    void showPopup() override;

protected:
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }
    /// What does not fit ends in dots.
    void initStyleOption(QStyleOptionComboBox* option) const override;

private:
    int listWidth_ = 0;
    bool opened_ = false;
};

/// One line of text that gives way: what does not fit ends in dots, and the tool tip has all of it.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr);
    void setText(const QString& text);
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// A flat button whose text takes as many lines as it needs.
class WrappedButton : public QPushButton {
    Q_OBJECT
public:
    explicit WrappedButton(QWidget* parent = nullptr);
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// Tints a line, counted from 1, in which something is wrong; 0 takes the mark away.
void markLine(QPlainTextEdit& text, int line, const QColor& error);

/// One number; entered(value) on Return or when the focus leaves it changed. Escape gives the old value back. Six digits, or as
/// many as there is room for; the tool tip and the field that is being edited have all six.
/// What somebody typed as a number: with a point or a comma, or a constant expression such as pi/2. Nothing where it is none.
std::optional<double> typedNumber(const QString& typed);
/// That it is none. of: what was to have this value.
Diagnostic noNumber(const QString& typed, std::string of);

class NumberField : public QLineEdit {
    Q_OBJECT
public:
    explicit NumberField(QWidget* parent = nullptr);
    void setValue(double value);
    double value() const { return value_; }
    /// Pixels that text may take.
    double room() const;
    /// Whether its text is one that was not entered yet.
    bool isBeingTyped() const { return text() != shown_; }
    /// Whether Return was the last that was done in it: then no key is meant for its text.
    bool isDone() const { return done_; }

signals:
    void entered(double value);
    void notANumber(const QString& typed);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void commit();
    QString fitting() const;
    void show(const QString& shown);
    double value_ = 0;
    QString shown_;
    bool done_ = false;
};

/// Name, slider, number, unit of one quantity. A drag or a series of key strokes is one gesture.
class QuantityRow : public QWidget {
    Q_OBJECT
public:
    static constexpr int kHeight = 24; ///< [px], before scaling

    /// name: object names are slider_<name>, value_<name> and reset_<name>.
    QuantityRow(const model::Quantity& quantity, double value, QWidget* parent = nullptr);
    void setValue(double value);
    /// The model's own value, which a button brings back where another one holds.
    void setUsual(double value);
    void setTheme(const Theme& theme, double scale);
    /// Whether name or description has these words.
    bool matches(const QString& words) const;
    /// What the name takes, and what it is given so that those of a list stand in a column.
    int nameWidth() const { return label_->sizeHint().width(); }
    void setNameWidth(int pixels) { label_->setFixedWidth(pixels); }

signals:
    void edited(double value, const QString& gesture);
    /// What was typed is no number.
    void refused(const driftless::Diagnostic& why);

private:
    void addReset();
    void sliderMoved(int position);
    void flush();
    double atPosition(int position) const;
    int positionOf(double value) const;

    QString name_;
    double low_, high_;
    std::optional<double> usual_;
    QLabel* label_;
    QToolButton* reset_;
    QSlider* slider_;
    NumberField* field_;
    QTimer pendingTimer_; ///< a drag is sampled: at most one command every 50 ms
    double pending_ = 0;
    bool hasPending_ = false;
    int gesture_ = 0;
    QElapsedTimer lastMove_;
};

/// What stands in the scroll area stays as wide when its bar comes and goes: the bar takes the right margin of the contents.
void keepWidth(QScrollArea& scroll, QLayout& contents);

/// A window beside another one, as large as wanted or as the screen allows: with its frame it stays on the screen.
void resizeOnScreen(QWidget& window, const QSize& wanted);

/// No part of the window is forced beyond the screen, of which so much is available: with a scale of two a screen is small.
void fitScreen(QWidget& window, const QSize& room);

/// "1.23e-9" with a proper minus sign, "–" for a number that is not there.
QString figure(double value, int digits = 3);

} // namespace driftless::ui
