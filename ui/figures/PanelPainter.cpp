#include "ui/figures/PanelPainter.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "ui/figures/BlendColours.h"
#include "ui/figures/ColumnBand.h"
#include "ui/figures/Occupancy.h"
#include "ui/figures/PanelPlan.h"
#include "ui/figures/StripPainter.h"

namespace driftless::figures {

namespace {

constexpr double kColumn = 8; // [units] 0.08 mm: finer than 300 dots per inch
constexpr double kMarksPerCurve = 6;
constexpr double kCell = 60;        // [units] of the grid that labels are placed by
constexpr double kZerosApart = 0.4; // of the text: ticks of zeros that follow each other do not become a bar
constexpr double kShadeOpacity = 0.10;

class PanelPainter {
public:
    PanelPainter(QPainter& painter, const Sheet& sheet, const PanelPlan& plan)
        : p_(painter), s_(sheet), plan_(plan), panel_(*plan.panel), map_(plan.map()), box_(plan.box), free_(plan.box, kCell)
    {
    }

    void paint()
    {
        paintTitle();
        if (!panel_.picture.isNull())
            return paintPicture();
        if (!panel_.empty.isEmpty())
            return paintEmpty();
        const Ticks x = abscissaTicks(plan_, s_, box_.width()), y = ordinateTicks(plan_, s_, box_.height());
        paintKey();
        for (const Shade& shade : panel_.shades)
            paintShade(shade);
        paintGrid(x, y);
        prepareCurves();
        if (panel_.strips.empty())
            paintCurves();
        else
            paintStrips(p_, s_, plan_);
        for (const Rule& rule : panel_.rules)
            occupy(rule);
        for (const Guide& guide : panel_.guides)
            paintGuide(guide);
        for (const Rule& rule : panel_.rules)
            paintRule(rule);
        paintAxes(x, y);
        paintEvents();
    }

private:
    double headerTop() const { return box_.top() - plan_.header; }

    void paintTitle()
    {
        if (plan_.groupWidth > 0)
            fitted(plan_.groupTitle, s_.font, s_.em, plan_.groupWidth, true)
                .draw(p_, {box_.left(), headerTop() + s_.em}, s_.inks.text);
        if (plan_.title.isEmpty())
            return;
        double x = box_.left();
        const double base = headerTop() + plan_.groupHeader + s_.em;
        if (plan_.titleStyle >= 0) {
            const double middle = base - 0.34 * s_.em;
            p_.setPen(linePen(s_.colour(plan_.titleStyle), s_.curve(), {}));
            p_.drawLine(QPointF(x, middle), QPointF(x + 1.4 * s_.em, middle));
            paintMark(plan_.titleStyle, {x + 0.7 * s_.em, middle});
            x += 1.8 * s_.em;
        }
        fitted(plan_.title, s_.font, s_.em, box_.right() - x, true).draw(p_, {x, base}, s_.inks.text);
    }

    void paintKey()
    {
        // Beside the title, or right above the box and its events.
        const bool titled = !(plan_.groupWidth > 0 ? plan_.groupTitle : plan_.title).isEmpty();
        double top = headerTop();
        if (!plan_.keyBesideTitle && plan_.groupWidth > 0 && titled)
            top += 1.6 * s_.em;
        else if (!plan_.keyBesideTitle && !(plan_.groupWidth > 0))
            top = box_.top() - plan_.ownHeader + (titled ? 1.5 * s_.em : 0);
        for (const KeyPlace& place : plan_.key) {
            const KeyEntry::Kind kind = place.entry.kind;
            const double base = top + s_.em + 1.35 * s_.em * place.row, middle = base - 0.3 * s_.em;
            double x = box_.left() + place.x;
            const QRectF patch(x, middle - 0.4 * s_.em, keySample(kind, s_), 0.8 * s_.em);
            if (kind == KeyEntry::Kind::Level) {
                const LevelLook look = levelLook(place.entry.index);
                p_.setPen(linePen(blended(s_.inks.paper, s_.inks.text, look.strength), look.width * s_.curve()));
                p_.drawLine(QPointF(x, middle), QPointF(patch.right(), middle));
            } else if (kind == KeyEntry::Kind::Category) {
                paintCategory(p_, s_, place.entry.index, patch);
            } else {
                p_.fillRect(patch, blended(s_.inks.paper, s_.inks.secondary, kShadeOpacity));
            }
            x = patch.right() + 0.4 * s_.em;
            s_.text(place.entry.name, s_.tickSize()).draw(p_, {x, base}, s_.inks.secondary);
        }
    }

    void paintPicture()
    {
        const QSizeF size = QSizeF(panel_.picture.size()).scaled(box_.size(), Qt::KeepAspectRatio);
        const QRectF place(box_.center() - QPointF(size.width() / 2, size.height() / 2), size);
        p_.setRenderHint(QPainter::SmoothPixmapTransform);
        p_.drawImage(place, panel_.picture);
        p_.setBrush(Qt::NoBrush);
        p_.setPen(QPen(s_.inks.frame, s_.frame()));
        p_.drawRect(place);
        if (!panel_.pictureCaption.isEmpty())
            fitted(panel_.pictureCaption, s_.font, s_.noteSize(), place.width())
                .draw(p_, {place.left(), place.bottom() + 1.15 * s_.em}, s_.inks.secondary);
    }

    void paintEmpty()
    {
        p_.setBrush(Qt::NoBrush);
        p_.setPen(QPen(s_.inks.grid, s_.frame()));
        p_.drawRect(box_);
        const auto lines = wrapped(panel_.empty, s_.font, s_.em, box_.width() - 2 * s_.em);
        double base = box_.center().y() - s_.line() * (static_cast<double>(lines.size()) / 2 - 0.75);
        for (const MathText& line : lines) {
            line.draw(p_, {box_.center().x() - line.width() / 2, base}, s_.inks.secondary);
            base += s_.line();
        }
    }

    QRectF shadeRect(const Shade& shade) const
    {
        QRectF rect = shade.orientation == Qt::Horizontal
                          ? QRectF(QPointF(box_.left(), map_.yOf(shade.high)), QPointF(box_.right(), map_.yOf(shade.low)))
                          : QRectF(QPointF(map_.xOf(shade.low), box_.top()), QPointF(map_.xOf(shade.high), box_.bottom()));
        return rect.normalized() & box_;
    }

    void paintShade(const Shade& shade)
    {
        const QRectF rect = shadeRect(shade);
        if (!rect.isEmpty())
            p_.fillRect(rect, blended(s_.inks.paper, s_.inks.secondary, kShadeOpacity));
    }

    /// Draws text at the freest of places and takes the room.
    void paintAt(const MathText& text, const std::vector<QRectF>& places)
    {
        const int best = free_.best(places);
        if (best < 0)
            return;
        const QRectF place = places[static_cast<std::size_t>(best)];
        text.draw(p_, {place.left(), place.bottom() - 0.2 * s_.em}, s_.inks.secondary);
        free_.addRect(place);
    }

    void paintGrid(const Ticks& x, const Ticks& y)
    {
        p_.setPen(QPen(s_.inks.grid, s_.grid(), Qt::SolidLine, Qt::FlatCap));
        for (const Tick& tick : x.major)
            p_.drawLine(QPointF(map_.xOf(tick.value), box_.top()), QPointF(map_.xOf(tick.value), box_.bottom()));
        for (const Tick& tick : y.major)
            p_.drawLine(QPointF(box_.left(), map_.yOf(tick.value)), QPointF(box_.right(), map_.yOf(tick.value)));
    }

    void prepareCurves()
    {
        std::set<int> styles;
        for (const Series& series : panel_.series)
            styles.insert(series.style);
        for (const Series& series : panel_.series) {
            CurveRequest request;
            request.column = kColumn;
            if (styles.size() > 1 && series.kind == SeriesKind::Line)
                request.pitch = box_.width() / kMarksPerCurve;
            request.offset = std::fmod(0.13 * series.style + 0.37 * std::max(series.level, 0), 1.0);
            curves_.push_back(curveOf(series, map_, request));
            for (const QPolygonF& line : curves_.back().lines)
                free_.addLine(line);
            for (const QPointF& mark : curves_.back().marks)
                free_.addPoint(mark, s_.mark());
        }
    }

    void paintCurves()
    {
        const auto bands = std::ranges::count_if(curves_, [](const Curve& curve) { return !curve.areas.empty(); });
        const double opacity = bandOpacity(static_cast<int>(bands));
        for (std::size_t i = 0; i < curves_.size(); ++i)
            for (const QPolygonF& area : curves_[i].areas) {
                const double strength = levelLook(panel_.series[i].level).strength;
                p_.setPen(Qt::NoPen);
                p_.setBrush(blended(s_.inks.paper, s_.colour(panel_.series[i].style), opacity * strength));
                p_.drawPolygon(area);
            }
        p_.setBrush(Qt::NoBrush);
        for (std::size_t i = 0; i < curves_.size(); ++i)
            paintLines(panel_.series[i], curves_[i]);
        for (std::size_t i = 0; i < curves_.size(); ++i)
            for (const QPointF& mark : curves_[i].marks)
                paintMark(panel_.series[i].style, mark);
        paintLevelNames();
    }

    /// The name of a level beside its first curve.
    void paintLevelNames()
    {
        std::set<int> named;
        for (std::size_t i = 0; i < curves_.size(); ++i) {
            const int level = panel_.series[i].level;
            if (level < 0 || level >= panel_.levels.size() || curves_[i].lines.empty() || !named.insert(level).second)
                continue;
            const MathText text = s_.text(panel_.levels[level], s_.noteSize());
            const double w = text.width(), h = 0.95 * s_.em, gap = 0.25 * s_.em;
            std::vector<QRectF> places;
            for (const QPolygonF& line : curves_[i].lines)
                for (qsizetype k = line.size() - 1; k > 0; k -= std::max<qsizetype>(1, line.size() / 16)) {
                    places.emplace_back(line[k].x() - w / 2, line[k].y() - gap - h, w, h);
                    places.emplace_back(line[k].x() - w / 2, line[k].y() + gap, w, h);
                }
            if (const int best = free_.best(places); best >= 0 && free_.taken(places[static_cast<std::size_t>(best)]) <= 0)
                paintAt(text, places); // the key above has all names
        }
    }

    /// Exact zeros on a logarithmic ordinate: ticks on its lower edge.
    void paintZeros(int style, const std::vector<double>& zeros)
    {
        p_.setPen(linePen(s_.colour(style), s_.curve()));
        double last = -std::numeric_limits<double>::infinity();
        for (const double x : zeros)
            if (x - last >= kZerosApart * s_.em) {
                p_.drawLine(QPointF(x, box_.bottom()), QPointF(x, box_.bottom() - s_.tick()));
                last = x;
            }
    }

    void paintLines(const Series& series, const Curve& curve)
    {
        paintZeros(series.style, curve.zeros);
        if (curve.lines.empty())
            return;
        QPainterPath path;
        for (const QPolygonF& line : curve.lines)
            path.addPolygon(line);
        const LevelLook look = levelLook(series.level);
        QVector<qreal> dashes = curveDashes(series.style);
        for (qreal& d : dashes)
            d /= look.width; // as long on every level
        p_.setPen(linePen(blended(s_.inks.paper, s_.colour(series.style), look.strength), look.width * s_.curve(), dashes));
        p_.setBrush(Qt::NoBrush);
        p_.drawPath(path);
    }

    void paintMark(int style, const QPointF& at)
    {
        p_.setPen(QPen(s_.inks.paper, 0.35 * s_.curve()));
        p_.setBrush(s_.colour(style));
        p_.drawPath(markShape(style, s_.mark()).translated(at));
        p_.setBrush(Qt::NoBrush);
    }

    // --- guides ---

    struct Segment {
        QPointF from, to;
    };

    /// The part of y = C x^slope through a point of the page that lies around it, length along x.
    Segment segmentThrough(const Guide& guide, const QPointF& at, double length) const
    {
        const double decadesX = std::log10(plan_.x.high / plan_.x.low), decadesY = std::log10(plan_.y.high / plan_.y.low);
        const double fall = -guide.slope * (box_.height() / decadesY) / (box_.width() / decadesX);
        const QPointF half(length / 2, fall * length / 2);
        return {at - half, at + half};
    }

    double overlap(const Segment& segment) const
    {
        constexpr int kSamples = 24;
        double sum = 0;
        for (int i = 0; i <= kSamples; ++i) {
            const QPointF at = segment.from + (segment.to - segment.from) * (static_cast<double>(i) / kSamples);
            const double radius = 0.5 * s_.em;
            sum += box_.contains(at) ? free_.taken(QRectF(at.x() - radius, at.y() - radius, 2 * radius, 2 * radius)) : 2;
        }
        return sum;
    }

    /// Beside the data: free, and near to curves rather than in a far corner.
    Segment freeSegment(const Guide& guide) const
    {
        constexpr int kSteps = 16;
        Segment best{};
        double least = std::numeric_limits<double>::infinity();
        const double length = 0.28 * box_.width();
        for (int i = 1; i < kSteps; ++i)
            for (int k = 1; k < kSteps; ++k) {
                const QPointF at(box_.left() + box_.width() * i / kSteps, box_.top() + box_.height() * k / kSteps);
                const Segment segment = segmentThrough(guide, at, length);
                const double cost = 10 * overlap(segment) + free_.distance(at, 12 * s_.em) / s_.em;
                if (cost < least) {
                    least = cost;
                    best = segment;
                }
            }
        return best;
    }

    void paintGuide(const Guide& guide)
    {
        if (!panel_.x.logarithmic || !panel_.y.logarithmic)
            return;
        Segment segment = guide.through
                              ? segmentThrough(guide, map_.at(guide.through->x(), guide.through->y()), 0.3 * box_.width())
                              : freeSegment(guide);
        if (!cutToRect(segment.from, segment.to, box_))
            return;
        p_.setPen(linePen(s_.inks.secondary, s_.frame()));
        p_.drawLine(segment.from, segment.to);
        free_.addLine(QPolygonF({segment.from, segment.to}));
        const MathText text = s_.text(guide.label, s_.noteSize());
        const double w = text.width(), h = 0.95 * s_.em, gap = 0.35 * s_.em;
        std::vector<QRectF> places;
        for (const QPointF& end : {segment.to, segment.from, (segment.from + segment.to) / 2,
                                   0.25 * segment.from + 0.75 * segment.to, 0.75 * segment.from + 0.25 * segment.to}) {
            places.emplace_back(end.x() + gap, end.y() - h / 2, w, h);
            places.emplace_back(end.x() - gap - w, end.y() - h / 2, w, h);
            places.emplace_back(end.x() - w / 2, end.y() - h - gap, w, h);
            places.emplace_back(end.x() - w / 2, end.y() + gap, w, h);
            places.emplace_back(end.x() + gap, end.y() + gap / 2, w, h);
            places.emplace_back(end.x() - gap - w, end.y() - gap / 2 - h, w, h);
            places.emplace_back(end.x() + gap, end.y() - gap / 2 - h, w, h);
            places.emplace_back(end.x() - gap - w, end.y() + gap / 2, w, h);
            places.emplace_back(end.x() + 3 * gap, end.y() - h / 2, w, h);
            places.emplace_back(end.x() - 3 * gap - w, end.y() - h / 2, w, h);
        }
        paintAt(text, places);
    }

    void occupy(const Rule& rule)
    {
        if (rule.orientation == Qt::Horizontal)
            free_.addLine(QPolygonF({{box_.left(), map_.yOf(rule.at)}, {box_.right(), map_.yOf(rule.at)}}));
        else
            free_.addLine(QPolygonF({{map_.xOf(rule.at), box_.top()}, {map_.xOf(rule.at), box_.bottom()}}));
    }

    void paintRule(const Rule& rule)
    {
        const bool horizontal = rule.orientation == Qt::Horizontal;
        const double at = horizontal ? map_.yOf(rule.at) : map_.xOf(rule.at);
        if (!std::isfinite(at) || (horizontal ? at < box_.top() || at > box_.bottom() : at < box_.left() || at > box_.right()))
            return;
        p_.setPen(linePen(s_.inks.secondary, s_.frame(), {4, 3}));
        if (horizontal)
            p_.drawLine(QPointF(box_.left(), at), QPointF(box_.right(), at));
        else
            p_.drawLine(QPointF(at, box_.top()), QPointF(at, box_.bottom()));
        const MathText text = s_.text(rule.label, s_.noteSize());
        if (text.isEmpty())
            return;
        const double w = text.width(), h = 0.95 * s_.em, gap = 0.3 * s_.em;
        std::vector<QRectF> places;
        if (horizontal)
            for (const double y : {at - h - gap / 3, at + gap / 2})
                for (const double x : {box_.right() - w - gap, box_.left() + gap, box_.center().x() - w / 2})
                    places.emplace_back(x, y, w, h);
        else
            for (const double y : {box_.top() + gap, box_.bottom() - h - gap, box_.center().y()})
                for (const double x : {at + gap, at - w - gap})
                    places.emplace_back(x, y, w, h);
        paintAt(text, places);
    }

    // --- axes ---

    void paintAxes(const Ticks& x, const Ticks& y)
    {
        p_.setBrush(Qt::NoBrush);
        p_.setPen(QPen(s_.inks.frame, s_.frame(), Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
        p_.drawRect(box_);
        const auto tickX = [this](double value, double length) {
            const double at = map_.xOf(value);
            p_.drawLine(QPointF(at, box_.bottom()), QPointF(at, box_.bottom() - length));
        };
        const auto tickY = [this](double value, double length) {
            const double at = map_.yOf(value);
            p_.drawLine(QPointF(box_.left(), at), QPointF(box_.left() + length, at));
        };
        for (const Tick& tick : x.major)
            tickX(tick.value, s_.tick());
        for (const double value : x.minor)
            tickX(value, 0.55 * s_.tick());
        for (const Tick& tick : y.major)
            tickY(tick.value, s_.tick());
        for (const double value : y.minor)
            tickY(value, 0.55 * s_.tick());
        if (plan_.xLabels)
            paintAbscissaTexts(x);
        if (plan_.yLabels)
            paintOrdinateTexts(y);
    }

    void paintAbscissaTexts(const Ticks& x)
    {
        for (const Tick& tick : x.major) {
            const MathText text = s_.text(tick.text, s_.tickSize());
            text.draw(p_, {map_.xOf(tick.value) - text.width() / 2, box_.bottom() + 1.15 * s_.em}, s_.inks.text);
        }
        const QString title = axisText(panel_.x);
        if (title.isEmpty())
            return;
        const MathText text = fitted(title, s_.font, s_.em, box_.width() + plan_.left);
        text.draw(p_, {box_.center().x() - text.width() / 2, box_.bottom() + 2.4 * s_.em}, s_.inks.text);
    }

    void paintOrdinateTexts(const Ticks& y)
    {
        for (const Tick& tick : y.major) {
            const MathText text = s_.text(tick.text, s_.tickSize());
            text.draw(p_, {box_.left() - 0.45 * s_.em - text.width(), map_.yOf(tick.value) + 0.32 * s_.em}, s_.inks.text);
        }
        const QString title = axisText(panel_.y);
        if (title.isEmpty())
            return;
        const MathText text = fitted(title, s_.font, s_.em, box_.height() + plan_.header + plan_.bottom);
        // Centred on the box, but never beyond the panel's own ends.
        const double half = text.width() / 2;
        const double lowest = box_.bottom() + plan_.bottom - half, highest = box_.top() - plan_.header + half;
        const double middle = std::max(std::min(box_.center().y(), lowest), highest);
        p_.save();
        p_.translate(box_.left() - plan_.left + text.ascent(), middle);
        p_.rotate(-90);
        text.draw(p_, {-half, 0}, s_.inks.text);
        p_.restore();
    }

    void paintEvents()
    {
        const double base = box_.top() - 0.45 * s_.em;
        for (const EventPlace& event : plan_.events) {
            const double x = box_.left() + event.x;
            p_.setPen(linePen(s_.inks.secondary, s_.grid() * 1.5, {6, 6}));
            p_.drawLine(QPointF(x, box_.top()), QPointF(x, box_.bottom()));
            p_.setPen(Qt::NoPen);
            p_.setBrush(s_.inks.secondary);
            p_.drawPolygon(QPolygonF({{x - 0.25 * s_.em, base}, {x + 0.25 * s_.em, base}, {x, box_.top()}}));
            p_.setBrush(Qt::NoBrush);
            if (event.row >= 0)
                event.text.draw(p_, {x, base - 0.25 * s_.em - 1.2 * s_.em * event.row}, s_.inks.secondary);
        }
    }

    QPainter& p_;
    const Sheet& s_;
    const PanelPlan& plan_;
    const Panel& panel_;
    Map map_;
    QRectF box_;
    Occupancy free_;
    std::vector<Curve> curves_;
};

} // namespace

void paintPanel(QPainter& painter, const Sheet& sheet, const PanelPlan& plan)
{
    painter.save();
    PanelPainter(painter, sheet, plan).paint();
    painter.restore();
}

} // namespace driftless::figures
