#include "ui/panels/StageReadout.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

#include "ui/panels/RunRow.h"

namespace driftless::ui {

namespace {

// Lengths in pixels before scaling.
constexpr int kReadoutMargin = 8, kReadoutPadding = 8, kReadoutSwatch = 26, kReadoutGap = 8;
constexpr int kTimePixels = 18, kLinePixels = 14;
constexpr std::size_t kReadoutRuns = 4; ///< with more of them the list would cover what moves: the chips have them all
constexpr int kGroundOpacity = 225;     ///< of 255: the grid is guessed behind the words

/// Place of the first visual of a kind, and of its first point among those of all visuals.
std::optional<std::pair<std::size_t, std::size_t>> firstOf(const std::vector<model::Visual>& visuals, model::VisualKind kind)
{
    std::size_t point = 0;
    for (std::size_t i = 0; i < visuals.size(); ++i) {
        if (visuals[i].kind == kind && visuals[i].points.size() == 2)
            return std::pair{i, point};
        point += visuals[i].points.size();
    }
    return {};
}

} // namespace

// --- the ruler ---

bool RodRuler::ready()
{
    const auto present = document_.hasModel() ? document_.bench().compiledHandle() : nullptr;
    if (present == of_)
        return evaluator_ != nullptr;
    of_ = present;
    evaluator_.reset();
    name_.clear();
    if (!present)
        return false;
    const auto& visuals = present->system().visuals;
    for (const auto kind : {model::VisualKind::Rod, model::VisualKind::Spring, model::VisualKind::Damper})
        if (const auto found = firstOf(visuals, kind)) {
            evaluator_ = std::make_unique<model::SystemEvaluator>(present);
            firstPoint_ = found->second;
            name_ = QString::fromStdString(visuals[found->first].owner);
            return true;
        }
    return false;
}

QString RodRuler::name() { return ready() ? name_ : QString(); }

std::optional<double> RodRuler::length(const RunEntry& run, double t)
{
    if (!ready())
        return {};
    model::ModelState state;
    state.resize(of_->n(), of_->w());
    std::vector<double> points(3 * static_cast<std::size_t>(of_->scenePointCount()));
    evaluator_->setParameters(document_.lookBack().drawnWith(run.key));
    if (!document_.laboratory().recording(run.id).stateAt(t, state.q.data(), state.v.data(), state.lambda.data())
        || !evaluator_->scene(t, state.q.data(), points.data(), state.lambda.data()))
        return {};
    const double* a = points.data() + 3 * firstPoint_;
    return std::hypot(a[3] - a[0], a[4] - a[1], a[5] - a[2]);
}

// --- the words over the scene ---

StageReadout::StageReadout(Document& document, QWidget* over) : QWidget(over), document_(document), ruler_(document)
{
    setObjectName("stageReadout");
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAccessibleName(tr("Time and runs"));
}

QFont StageReadout::timeFont() const { return uiFont(qRound(kTimePixels * scale_), QFont::DemiBold); }
QFont StageReadout::lineFont() const { return uiFont(qRound(kLinePixels * scale_)); }

void StageReadout::setTheme(const Theme& theme, double scale)
{
    theme_ = theme;
    scale_ = scale;
    fit();
}

void StageReadout::say(double t, int decimals)
{
    constexpr int kDigits = 3; // of a length: a rod that lost a millimetre of a metre shows it
    const double speed = document_.hasModel() ? document_.laboratory().clock().speed : 1;
    const QString clock = tr("t = %1 s").arg(t, 0, 'f', decimals);
    const QString time = speed == 1 ? clock : tr("%1 · %2×").arg(clock).arg(speed);
    std::vector<Line> lines;
    const QString rod = ruler_.name();
    const QFontMetrics metrics(lineFont());
    const int room = std::max(parentWidget()->width() / 3, 1); // a long label ends in dots
    for (const RunEntry& run : document_.runs()) {
        if (!run.visible)
            continue;
        const auto length = ruler_.length(run, t);
        lines.push_back({.colour = run.colour,
                         .name = metrics.elidedText(runLabel(run, document_.shown(run.key)), Qt::ElideRight, room),
                         .figure = length ? QStringLiteral("%1 %2 m").arg(rod).arg(*length, 0, 'f', kDigits) : QString(),
                         .failed = document_.status(run.key).state == run::RunState::Failed,
                         .selected = run.key == document_.bench().selected()});
    }
    if (lines.size() > kReadoutRuns)
        std::erase_if(lines, [](const Line& line) { return !line.selected; });
    if (time == time_ && lines == lines_)
        return;
    time_ = time;
    lines_ = std::move(lines);
    setAccessibleDescription(this->lines().join('\n'));
    fit();
    update();
}

QStringList StageReadout::lines() const
{
    QStringList all{time_};
    for (const Line& line : lines_)
        all << QStringLiteral("%1 %2").arg(line.name, line.figure).trimmed();
    return all;
}

void StageReadout::fit()
{
    const auto px = [this](int length) { return qRound(length * scale_); };
    const QFontMetrics time(timeFont()), line(lineFont());
    int width = time.horizontalAdvance(time_);
    for (const Line& one : lines_)
        width = std::max(width, px(kReadoutSwatch + 2 * kReadoutGap) + line.horizontalAdvance(one.name)
                                    + line.horizontalAdvance(one.figure) + line.horizontalAdvance(QStringLiteral("⚠ ")));
    const int height = time.height() + static_cast<int>(lines_.size()) * line.height();
    const QRect wanted(px(kReadoutMargin), px(kReadoutMargin), width + 2 * px(kReadoutPadding),
                       height + 2 * px(kReadoutPadding));
    // Figures get wider and narrower with every frame: it only grows, until the runs are others.
    const bool grown = geometry().height() == wanted.height() && geometry().width() >= wanted.width()
                       && geometry().topLeft() == wanted.topLeft();
    if (!grown)
        setGeometry(wanted);
}

void StageReadout::paintEvent(QPaintEvent*)
{
    const auto px = [this](int length) { return qRound(length * scale_); };
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor ground = theme_.surface;
    ground.setAlpha(kGroundOpacity);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(rect(), px(6), px(6));
    QRect room = rect().adjusted(px(kReadoutPadding), px(kReadoutPadding), -px(kReadoutPadding), -px(kReadoutPadding));
    painter.setFont(timeFont());
    painter.setPen(theme_.text);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignTop, time_);
    room.setTop(room.top() + QFontMetrics(timeFont()).height());
    painter.setFont(lineFont());
    const int height = QFontMetrics(lineFont()).height();
    for (const Line& line : lines_) {
        const QRect row(room.left(), room.top(), room.width(), height);
        paintRunSwatch(painter, QRectF(row.left(), row.top(), px(kReadoutSwatch), height), theme_.run(line.colour),
                       line.colour);
        QFont font = lineFont();
        font.setWeight(line.selected ? QFont::DemiBold : QFont::Normal);
        painter.setFont(font);
        painter.setPen(line.failed ? theme_.error : theme_.text);
        const QRect words = row.adjusted(px(kReadoutSwatch + kReadoutGap), 0, 0, 0);
        painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, line.failed ? QStringLiteral("⚠ ") + line.name : line.name);
        painter.setFont(lineFont());
        painter.setPen(theme_.text);
        painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, line.figure);
        room.setTop(room.top() + height);
    }
}

} // namespace driftless::ui
