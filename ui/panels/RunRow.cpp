#include "ui/panels/RunRow.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/formulation/Formulation.h"
#include "ui/document/NumberText.h"
#include "ui/panels/Controls.h"
#include "ui/panels/Icons.h"

namespace driftless::ui {

namespace {

constexpr double kNoFigure = std::numeric_limits<double>::quiet_NaN();
constexpr int kModeWidth = 64; // [px] of the words of a mode at most; all of them are in the tip
constexpr int kChipSide = 8, kChipGap = 6, kChipSwatch = 26, kChipLeast = 88, kChipUsual = 228;

QToolButton* rowButton(const QString& name, const QString& tip)
{
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setAutoRaise(true);
    button->setCheckable(true);
    button->setProperty("role", "small");
    button->setIconSize({14, 14});
    button->setFixedSize(RunRow::kButton, RunRow::kButton);
    return button;
}

/// With as many digits as leave a gap to the figure beside it, but two at least.
QString fittingFigure(double value, const QLabel& label)
{
    constexpr int kColumnGap = 4; // [px]
    const QString usual = figure(value);
    const bool fits = label.fontMetrics().horizontalAdvance(usual) <= label.maximumWidth() - kColumnGap;
    return fits ? usual : figure(value, 2);
}

} // namespace

void paintRunSwatch(QPainter& painter, const QRectF& box, const QColor& colour, int index)
{
    painter.setRenderHint(QPainter::Antialiasing);
    QPen pen(colour, 3, Qt::SolidLine, Qt::FlatCap);
    if (const auto dashes = runDashes(index); !dashes.isEmpty()) {
        QVector<qreal> shorter;
        for (const qreal d : dashes)
            shorter << d / 1.5; // runDashes counts in 2 px pens
        pen.setDashPattern(shorter);
    }
    painter.setPen(pen);
    painter.drawLine(QPointF(box.left() + 1, box.center().y()), QPointF(box.right() - 1, box.center().y()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawEllipse(box.center(), 5, 5);
}

RunSwatch::RunSwatch(QWidget* parent) : QWidget(parent)
{
    setFixedSize(24, 16);
    setAttribute(Qt::WA_TransparentForMouseEvents);
}

void RunSwatch::set(int colour, const Theme* theme)
{
    colour_ = colour;
    theme_ = theme;
    update();
}

void RunSwatch::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintRunSwatch(painter, rect(), theme_->run(colour_), colour_);
}

QString runLabel(const RunEntry& entry, const run::RunStatus& shown)
{
    const QString usual = QObject::tr("Run %1").arg(entry.colour + 1);
    if (entry.name != usual)
        return entry.name;
    return QStringLiteral("%1 %2").arg(entry.colour + 1).arg(QString::fromStdString(shown.settings.formulation));
}

QString runTip(const Document& document, const RunEntry& entry, const run::RunStatus& shown)
{
    const auto* form = formulation::findFormulation(shown.settings.formulation);
    const auto* method = integrate::findIntegrator(shown.settings.integrator);
    QStringList lines;
    lines << QStringLiteral("%1: %2").arg(entry.name, form ? QString::fromStdString(form->info().title)
                                                           : QString::fromStdString(shown.settings.formulation));
    if (method)
        lines << QString::fromStdString(method->title);
    if (!shown.mode.empty())
        lines << QObject::tr("Mode: %1").arg(QString::fromStdString(shown.mode));
    lines << (method && method->adaptive ? QObject::tr("tolerance %1").arg(numberText(shown.settings.options.relativeTolerance))
                                         : QObject::tr("step %1 s").arg(numberText(shown.settings.options.step)));
    const double t = document.laboratory().clock().t;
    const run::RecordingView rows = document.laboratory().recording(entry.id);
    if (!rows.empty() && t <= rows.lastTime())
        lines << QObject::tr("%1 accepted steps up to t = %2 s").arg(rows.stepsAt(t)).arg(t, 0, 'f', 2);
    // What it has cost is not recorded over time; it is a little ahead of what is displayed.
    lines << QObject::tr("Computed up to t = %1 s: %2 steps, %3 evaluations of its equations, %4 s of processor time")
                 .arg(shown.t, 0, 'f', 2)
                 .arg(shown.statistics.steps)
                 .arg(shown.statistics.residualEvaluations)
                 .arg(shown.cpuSeconds, 0, 'f', 2);
    if (shown.state == run::RunState::Failed)
        lines << QObject::tr("Stopped: %1").arg(shown.diagnostic ? QString::fromStdString(shown.diagnostic->what) : QString());
    return lines.join('\n');
}

// --- the row ---

RunRow::RunRow(Document& document, int key, QWidget* parent) : QFrame(parent), document_(document), key_(key)
{
    const QString number = QString::number(document_.find(key_)->colour + 1);
    setObjectName("row_" + number);
    setProperty("role", "row");
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    std::ranges::fill(values_, kNoFigure);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(kSide, 0, kSide, 0);
    layout->setSpacing(0);
    swatch_ = new RunSwatch;
    name_ = new ElidedLabel;
    name_->setObjectName("name_" + number);
    name_->setProperty("role", "cell");
    name_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    mode_ = new ElidedLabel;
    mode_->setObjectName("mode_" + number);
    mode_->setProperty("role", "secondary");
    mode_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    mode_->setContentsMargins(kGap, 0, kGap, 0);
    mode_->hide();
    failed_ = new QLabel(tr("⚠ stopped"));
    failed_->setObjectName("failed_" + number);
    failed_->setProperty("role", "error");
    failed_->setAccessibleName(tr("Stopped"));
    failed_->setToolTip(tr("Click: why it stopped, and what can be done"));
    failed_->setContentsMargins(kGap, 0, kGap, 0);
    failed_->hide();
    then_ = new QLabel(tr("then"));
    then_->setObjectName("then_" + number);
    then_->setProperty("role", "secondary");
    then_->setToolTip(tr("As this run was integrated at the displayed time; it goes on differently now"));
    then_->hide();
    layout->addWidget(swatch_);
    layout->addSpacing(kGap);
    layout->addWidget(name_, 1);
    layout->addWidget(mode_);
    layout->addWidget(then_);
    layout->addWidget(failed_);
    buildNumbers(number);
    buildButtons(number);
    showEntry();
    showSettings();
}

void RunRow::buildNumbers(const QString& number)
{
    const struct {
        QString tip, name;
    } figures[] = {
        {tr("Position residual: how far the constraints are from being met"), "residual"},
        {tr("Energy error in joules, less the work done"), "energy"},
        {tr("Largest difference of a coordinate from the reference run"), "error"},
    };
    for (std::size_t i = 0; i < std::size(figures); ++i) {
        auto* label = new QLabel;
        label->setObjectName(figures[i].name + "_" + number);
        label->setProperty("role", "cell");
        label->setAccessibleName(figures[i].tip);
        label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        layout()->addWidget(label);
        numbers_[i] = label;
    }
}

void RunRow::buildButtons(const QString& number)
{
    reference_ = rowButton("reference_" + number, tr("Measure errors against this run"));
    eye_ = rowButton("visible_" + number, tr("Show or hide this run"));
    auto* row = static_cast<QHBoxLayout*>(layout());
    row->addSpacing(kGap);
    row->addWidget(reference_);
    row->addWidget(eye_);
    connect(eye_, &QToolButton::clicked, this, [this](bool on) { document_.bench().setVisible(key_, on); });
    connect(reference_, &QToolButton::clicked, this, [this] {
        document_.bench().setReference(key_);
        showEntry();
    });
}

void RunRow::setTheme(const Theme& theme, double scale)
{
    setFixedHeight(qRound(kHeight * scale));
    for (std::size_t i = 0; i < std::size(numbers_); ++i)
        numbers_[i]->setFixedWidth(qRound(kNumberWidths[i] * scale));
    mode_->setMaximumWidth(qRound(kModeWidth * scale));
    const RunEntry* entry = document_.find(key_);
    if (!entry)
        return;
    swatch_->set(entry->colour, &theme);
    eye_->setIcon(glyphIcon(entry->visible ? Glyph::Eye : Glyph::EyeOff, theme.secondary, theme.line));
    const bool reference = document_.bench().reference() == key_;
    reference_->setIcon(glyphIcon(Glyph::Reference, reference ? theme.accent : theme.secondary, theme.line));
}

void RunRow::showEntry()
{
    const RunEntry* entry = document_.find(key_);
    if (!entry)
        return;
    eye_->setChecked(entry->visible);
    reference_->setChecked(document_.bench().reference() == key_);
    const bool selected = document_.bench().selected() == key_;
    if (property("selected").isValid() && property("selected").toBool() == selected)
        return;
    setProperty("selected", selected);
    style()->unpolish(this);
    style()->polish(this);
}

void RunRow::showSettings()
{
    const RunEntry* entry = document_.find(key_);
    if (!entry)
        return;
    const auto shown = document_.shown(key_);
    name_->setText(runLabel(*entry, shown));
    name_->setToolTip({}); // the row's says all of it
    setToolTip(runTip(document_, *entry, shown));
    setAccessibleName(toolTip().replace('\n', QStringLiteral(", ")));
    const QString mode = QString::fromStdString(shown.mode);
    mode_->setText(mode);
    mode_->setToolTip(mode.isEmpty() ? QString() : tr("The mode in force: %1").arg(mode));
    mode_->setAccessibleName(mode_->toolTip());
    mode_->setVisible(!mode.isEmpty());
    then_->setVisible(document_.lookBack().differs(key_));
    failed_->setVisible(shown.state == run::RunState::Failed);
}

void RunRow::showFigures(double t)
{
    const RunEntry* entry = document_.find(key_);
    if (!entry)
        return;
    values_[0] = entry->colour;
    values_[1] = metricAt(document_.bench(), key_, "residual.position", t);
    values_[2] = metricAt(document_.bench(), key_, "energy_error", t);
    values_[3] = deviation(document_.bench(), key_, t);
    for (std::size_t i = 0; i < std::size(numbers_); ++i)
        numbers_[i]->setText(fittingFigure(values_[i + 1], *numbers_[i]));
    if (document_.bench().reference() == key_)
        numbers_[2]->setText(tr("ref."));
    failed_->setVisible(document_.status(key_).state == run::RunState::Failed);
}

void RunRow::mousePressEvent(QMouseEvent* event)
{
    document_.bench().select(key_);
    if (failed_->isVisible() && failed_->geometry().contains(event->position().toPoint()))
        emit reasonAsked();
    QFrame::mousePressEvent(event);
}

void RunRow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        document_.bench().select(key_);
    else
        QFrame::keyPressEvent(event);
}

// --- the chip ---

RunChip::RunChip(Document& document, int key, QWidget* parent) : QAbstractButton(parent), document_(document), key_(key)
{
    colour_ = document_.find(key_)->colour;
    setObjectName(QStringLiteral("chip_%1").arg(colour_ + 1));
    setCheckable(true);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    show(document_.laboratory().clock().t);
}

void RunChip::setTheme(const Theme& theme, double scale)
{
    theme_ = &theme;
    if (scale != scale_) {
        scale_ = scale;
        updateGeometry();
    }
    update();
}

void RunChip::show(double t)
{
    const RunEntry* entry = document_.find(key_);
    if (!entry)
        return;
    const auto shown = document_.shown(key_);
    setChecked(document_.bench().selected() == key_);
    setToolTip(
        tr("%1\nClick: select it, open or close the lines of all runs and its settings").arg(runTip(document_, *entry, shown)));
    setAccessibleName(runLabel(*entry, shown));
    const QString label = runLabel(*entry, shown), number = figure(metricAt(document_.bench(), key_, "residual.position", t));
    const bool failed = document_.status(key_).state == run::RunState::Failed;
    if (label == label_ && number == figure_ && failed == failed_)
        return;
    label_ = label;
    figure_ = number;
    failed_ = failed;
    update();
}

QSize RunChip::sizeHint() const { return {qRound(kChipUsual * scale_), qRound((kHeight - 4) * scale_)}; }

QSize RunChip::minimumSizeHint() const { return {qRound(kChipLeast * scale_), qRound((kHeight - 4) * scale_)}; }

void RunChip::paintEvent(QPaintEvent*)
{
    const int side = qRound(kChipSide * scale_), gap = qRound(kChipGap * scale_), swatch = qRound(kChipSwatch * scale_);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool marked = isChecked() || hasFocus();
    painter.setPen(QPen(marked ? theme_->accent : theme_->line, isChecked() ? 1.5 : 1));
    painter.setBrush(theme_->surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
    paintRunSwatch(painter, QRectF(side, 0, swatch, height()), theme_->run(colour_), colour_);
    const QRect words = rect().adjusted(side + swatch + gap, 0, -side, 0);
    const QFontMetrics metrics(font());
    int right = metrics.horizontalAdvance(figure_);
    if (right + gap > words.width() / 2)
        right = 0; // no room for both: the name comes first
    painter.setPen(theme_->secondary);
    if (right > 0)
        painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, figure_);
    painter.setPen(failed_ ? theme_->error : theme_->text);
    const QString label = failed_ ? QStringLiteral("⚠ ") + label_ : label_;
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(label, Qt::ElideRight, words.width() - (right > 0 ? right + gap : 0)));
}

} // namespace driftless::ui
