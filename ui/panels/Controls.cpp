#include "ui/panels/Controls.h"

#include <QAbstractItemView>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QPointer>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyleOptionComboBox>
#include <QStyleOptionFrame>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "core/expr/Parse.h"
#include "ui/document/NumberText.h"
#include "ui/panels/Icons.h"

namespace driftless::ui {

namespace {
constexpr int kSliderSteps = 1000;
constexpr int kSampleMilliseconds = 50;
constexpr int kGestureMilliseconds = 800; ///< key strokes closer than this are one gesture
} // namespace

CalmCombo::CalmCombo(QWidget* parent) : QComboBox(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(6);
}

/// Its list is made when it is opened first: another theme would lay it out with all its entries, in every combo box.
void CalmCombo::showPopup()
{
    if (!opened_) {
        opened_ = true;
        setItemDelegate(new QStyledItemDelegate(this)); // as the sheet says, not as a menu
        if (listWidth_ > 0)
            view()->setMinimumWidth(listWidth_);
    }
    QComboBox::showPopup();
}

void CalmCombo::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::StyleChange && !opened_)
        QWidget::changeEvent(event); // what follows its font comes with that
    else
        QComboBox::changeEvent(event);
}

void CalmCombo::show(const QString& id)
{
    if ((opened_ && view()->isVisible()) || currentData().toString() == id)
        return;
    const QSignalBlocker quiet(this);
    setCurrentIndex(findData(id));
}

void CalmCombo::initStyleOption(QStyleOptionComboBox* option) const
{
    QComboBox::initStyleOption(option);
    const int room = style()->subControlRect(QStyle::CC_ComboBox, option, QStyle::SC_ComboBoxEditField, this).width();
    option->currentText = fontMetrics().elidedText(option->currentText, Qt::ElideRight, room);
}

NumberField::NumberField(QWidget* parent) : QLineEdit(parent)
{
    setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    connect(this, &QLineEdit::editingFinished, this, &NumberField::commit);
}

double NumberField::room() const
{
    constexpr double kTextMargin = 2; // QLineEdit's own, on either side
    QStyleOptionFrame option;
    initStyleOption(&option);
    return style()->subElementRect(QStyle::SE_LineEditContents, &option, this).width() - 2 * kTextMargin;
}

QString NumberField::fitting() const
{
    constexpr int kDigits = 6, kLeastDigits = 2;
    QString out = numberText(value_, kDigits);
    const QFontMetricsF metrics(font());
    for (int digits = kDigits - 1; digits >= kLeastDigits && metrics.horizontalAdvance(out) > room(); --digits)
        out = numberText(value_, digits);
    return out;
}

void NumberField::show(const QString& shown)
{
    shown_ = shown;
    if (text() != shown_)
        setText(shown_);
}

void NumberField::setValue(double value)
{
    value_ = value;
    if (hasFocus() && text() != shown_)
        return; // somebody is typing
    show(hasFocus() ? numberText(value) : fitting());
}

namespace {

/// In the signs of the language of expressions: minus, times, and powers that are written high, as the program itself writes
/// them.
QString inPlainSigns(const QString& text)
{
    static const QString high = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺"), low = QStringLiteral("0123456789-+");
    QString out;
    bool raised = false;
    for (const QChar c : text) {
        const qsizetype place = high.indexOf(c);
        if ((place >= 0) != raised)
            out += raised ? QStringLiteral(")") : QStringLiteral("^(");
        raised = place >= 0;
        out += raised ? low[place] : c;
    }
    out += raised ? QStringLiteral(")") : QString();
    return out.replace(QChar(0x2212), '-').replace(QChar(0x00B7), '*').replace(QChar(0x22C5), '*').replace(QChar(0x00D7), '*');
}

} // namespace

std::optional<double> typedNumber(const QString& typed)
{
    const QString text = inPlainSigns(typed.trimmed());
    bool ok = false;
    const double value = QString(text).replace(',', '.').toDouble(&ok);
    if (ok)
        return std::isfinite(value) ? std::optional(value) : std::nullopt;
    const auto read = expr::parse(text.toStdString(), [](std::string_view, int) { return std::nullopt; });
    const auto constant = read ? read->constantValue() : std::nullopt;
    return constant && std::isfinite(*constant) ? constant : std::nullopt;
}

Diagnostic noNumber(const QString& typed, std::string of)
{
    return {.what = "'" + typed.left(40).toStdString() + "' is no number",
            .where = std::move(of),
            .why = "the value stays as it was",
            .remedy = "a number such as 0.25 or 3e-4, or a constant expression such as pi/2"};
}

void NumberField::commit()
{
    if (text() == shown_)
        return;
    const QString typed = text();
    const auto value = typedNumber(typed);
    shown_ = typed;
    if (!value) {
        show(numberText(value_));
        emit notANumber(typed);
        return;
    }
    value_ = *value;
    setText(typed); // what was entered is undone with everything else, not as typing
    emit entered(*value);
}

bool NumberField::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride
        && static_cast<QKeyEvent*>(event)->keyCombination() == (Qt::CTRL | Qt::Key_E)) {
        event->ignore(); // the window's, and not the end of a short line
        return false;
    }
    if (event->type() == QEvent::ShortcutOverride && text() == shown_) {
        auto* key = static_cast<QKeyEvent*>(event);
        const bool redoes = key->matches(QKeySequence::Redo) || key->keyCombination() == (Qt::CTRL | Qt::Key_Y);
        if (key->matches(QKeySequence::Undo) || redoes) {
            event->ignore(); // nothing is being typed: these are the window's
            return false;
        }
    }
    const QString all = numberText(value_);
    if (event->type() != QEvent::ToolTip || text() == all || hasFocus())
        return QLineEdit::event(event);
    const QString about = toolTip().isEmpty() ? all : QStringLiteral("%1\n%2").arg(toolTip(), all);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), about, this);
    return true;
}

void NumberField::mousePressEvent(QMouseEvent* event)
{
    done_ = false;
    QLineEdit::mousePressEvent(event);
}

void NumberField::focusInEvent(QFocusEvent* event)
{
    done_ = false;
    if (text() == shown_)
        show(numberText(value_));
    QLineEdit::focusInEvent(event);
}

void NumberField::focusOutEvent(QFocusEvent* event)
{
    const QPointer<NumberField> here(this); // what is entered may bring another panel
    QLineEdit::focusOutEvent(event);
    if (here && text() == shown_)
        show(fitting());
}

void NumberField::resizeEvent(QResizeEvent* event)
{
    QLineEdit::resizeEvent(event);
    if (text() == shown_ && !hasFocus())
        show(fitting());
}

void NumberField::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape) {
        setText(shown_);
        clearFocus();
        return;
    }
    const QPointer<NumberField> here(this);
    QLineEdit::keyPressEvent(event);
    if (here)
        here->done_ = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
}

QuantityRow::QuantityRow(const model::Quantity& quantity, double value, QWidget* parent)
    : QWidget(parent), name_(QString::fromStdString(quantity.name))
{
    const double scale = value == 0 ? 1 : std::abs(value);
    const double lowest = quantity.positive ? 0.1 * scale : value - 2 * scale;
    low_ = std::isfinite(quantity.minimum) ? quantity.minimum : lowest;
    high_ = std::isfinite(quantity.maximum) ? quantity.maximum : std::max(low_ + scale, value + 2 * scale);
    if (quantity.positive && low_ <= 0)
        low_ = 0.05 * std::min(scale, high_);

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    label_ = new QLabel(name_);
    label_->setMinimumWidth(28);
    slider_ = new QSlider(Qt::Horizontal);
    slider_->setRange(0, kSliderSteps);
    slider_->setObjectName("slider_" + name_);
    slider_->setMinimumWidth(32);
    field_ = new NumberField;
    field_->setObjectName("value_" + name_);
    field_->setProperty("part", "value");
    auto* unit = new QLabel(QString::fromStdString(quantity.unit).replace(QStringLiteral("^2"), QStringLiteral("²")));
    unit->setProperty("role", "secondary");
    unit->setMinimumWidth(34);
    label_->setBuddy(field_);
    QString about = QString::fromStdString(quantity.description);
    about = about.isEmpty() ? name_ : QStringLiteral("%1: %2").arg(name_, about);
    for (QWidget* w : {static_cast<QWidget*>(label_), static_cast<QWidget*>(slider_), static_cast<QWidget*>(field_)}) {
        w->setToolTip(about);
        w->setAccessibleName(about);
    }
    addReset();
    layout->addWidget(label_);
    layout->addWidget(slider_, 1);
    layout->addWidget(field_);
    layout->addWidget(unit);
    layout->addWidget(reset_);
    setValue(value);

    pendingTimer_.setSingleShot(true);
    pendingTimer_.setInterval(kSampleMilliseconds);
    connect(&pendingTimer_, &QTimer::timeout, this, &QuantityRow::flush);
    connect(slider_, &QSlider::sliderPressed, this, [this] { ++gesture_; });
    connect(slider_, &QSlider::sliderReleased, this, &QuantityRow::flush);
    connect(slider_, &QSlider::valueChanged, this, &QuantityRow::sliderMoved);
    connect(field_, &NumberField::entered, this, [this](double v) {
        hasPending_ = false;
        emit edited(v, {});
    });
    connect(field_, &NumberField::notANumber, this,
            [this](const QString& typed) { emit refused(noNumber(typed, name_.toStdString())); });
}

void QuantityRow::addReset()
{
    reset_ = new QToolButton;
    reset_->setObjectName("reset_" + name_);
    reset_->setAutoRaise(true);
    reset_->setProperty("role", "small");
    reset_->setFixedSize(18, 18);
    reset_->setIconSize({14, 14});
    QSizePolicy kept = reset_->sizePolicy();
    kept.setRetainSizeWhenHidden(true); // nothing beside it moves when it comes and goes
    reset_->setSizePolicy(kept);
    reset_->hide();
    connect(reset_, &QToolButton::clicked, this, [this] {
        hasPending_ = false;
        emit edited(*usual_, {});
    });
}

void QuantityRow::setUsual(double value)
{
    usual_ = value;
    const QString about = QObject::tr("%1 back to the model's value, %2").arg(name_, numberText(value));
    reset_->setToolTip(about);
    reset_->setAccessibleName(about);
    reset_->setVisible(field_->value() != value);
}

void QuantityRow::setTheme(const Theme& theme, double scale)
{
    setFixedHeight(qRound(kHeight * scale));
    reset_->setIcon(glyphIcon(Glyph::Reset, theme.secondary, theme.line));
}

bool QuantityRow::matches(const QString& words) const { return label_->toolTip().contains(words, Qt::CaseInsensitive); }

double QuantityRow::atPosition(int position) const
{
    // Rounded to what a person would write: three digits of the range.
    const double raw = low_ + (high_ - low_) * position / kSliderSteps;
    const double grain = std::pow(10.0, std::floor(std::log10(high_ - low_)) - 2);
    return std::clamp(std::round(raw / grain) * grain, low_, high_);
}

int QuantityRow::positionOf(double value) const
{
    return static_cast<int>(std::lround(std::clamp((value - low_) / (high_ - low_), 0.0, 1.0) * kSliderSteps));
}

void QuantityRow::setValue(double value)
{
    field_->setValue(value);
    if (usual_)
        reset_->setVisible(value != *usual_);
    if (slider_->isSliderDown() || hasPending_)
        return;
    if (std::isfinite(value)) { // one that was typed beyond the slider's range widens it
        low_ = std::min(low_, value);
        high_ = std::max(high_, value);
    }
    const QSignalBlocker quiet(slider_);
    slider_->setValue(positionOf(value));
}

void QuantityRow::sliderMoved(int position)
{
    if (!slider_->isSliderDown() && (!lastMove_.isValid() || lastMove_.elapsed() > kGestureMilliseconds))
        ++gesture_;
    lastMove_.start();
    pending_ = atPosition(position);
    hasPending_ = true;
    if (!pendingTimer_.isActive())
        pendingTimer_.start();
}

void QuantityRow::flush()
{
    if (!hasPending_)
        return;
    hasPending_ = false;
    field_->setValue(pending_);
    emit edited(pending_, QStringLiteral("%1#%2").arg(name_).arg(gesture_));
}

void keepWidth(QScrollArea& scroll, QLayout& contents)
{
    constexpr int kGap = 2;
    auto* bar = scroll.verticalScrollBar();
    const auto apply = [bar, &contents](int, int most) {
        QMargins margins = contents.contentsMargins();
        margins.setRight(most > 0 ? kGap : kGap + bar->sizeHint().width());
        contents.setContentsMargins(margins);
    };
    QObject::connect(bar, &QScrollBar::rangeChanged, &contents, apply);
    apply(0, 0);
}

void resizeOnScreen(QWidget& window, const QSize& wanted)
{
    constexpr QSize kFrame{40, 80}; // with room for a bar of the desktop
    const QWidget* beside = window.parentWidget() ? window.parentWidget()->window() : &window;
    window.resize(wanted.boundedTo(beside->screen()->availableSize() - kFrame));
}

void fitScreen(QWidget& window, const QSize& room) { window.setMinimumSize(window.minimumSize().boundedTo(room)); }

QString figure(double value, int digits)
{
    if (std::isnan(value))
        return QStringLiteral("–");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    const double size = std::abs(value);
    QString text;
    if (size == 0)
        text = QStringLiteral("0");
    else if (size < 1e-3 || size >= 1e5)
        text = QString::number(value, 'e', digits - 2)
                   .replace(QLatin1String("e-0"), QLatin1String("e-"))
                   .replace(QLatin1String("e+0"), QLatin1String("e+"));
    else
        text = size >= std::pow(10.0, digits) - 0.5 ? fixedText(value, 0) : numberText(value, digits);
    return text.replace('-', QChar(0x2212));
}

WrappedButton::WrappedButton(QWidget* parent) : QPushButton(parent)
{
    setFlat(true);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

int WrappedButton::heightForWidth(int width) const
{
    const QRect room(0, 0, std::max(1, width), QWIDGETSIZE_MAX);
    return fontMetrics().boundingRect(room, Qt::AlignLeft | Qt::TextWordWrap, text()).height() + 2;
}

QSize WrappedButton::sizeHint() const { return {width(), heightForWidth(width())}; }

QSize WrappedButton::minimumSizeHint() const { return {fontMetrics().averageCharWidth() * 4, fontMetrics().height() + 2}; }

void WrappedButton::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    QFont own = font();
    own.setUnderline(underMouse() || hasFocus());
    painter.setFont(own);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text());
}

void markLine(QPlainTextEdit& text, int line, const QColor& error)
{
    QList<QTextEdit::ExtraSelection> marks;
    if (line > 0) {
        constexpr float kTint = 0.16F;
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(text.document()->findBlockByNumber(line - 1));
        QColor tint = error;
        tint.setAlphaF(kTint);
        mark.format.setBackground(tint);
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        marks << mark;
    }
    text.setExtraSelections(marks);
}

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) { setTextFormat(Qt::PlainText); }

void ElidedLabel::setText(const QString& text)
{
    QLabel::setText(text);
    setToolTip(text);
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 4, QLabel::minimumSizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(contentsRect(), static_cast<int>(alignment()),
                     fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()));
}

} // namespace driftless::ui
