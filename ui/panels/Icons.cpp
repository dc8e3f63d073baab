#include "ui/panels/Icons.h"

#include <QPainter>

namespace driftless::ui {

namespace {

/// Strokes in a square of 20 units.
QPainterPath strokes(Glyph glyph)
{
    QPainterPath p;
    const auto line = [&p](double x1, double y1, double x2, double y2) {
        p.moveTo(x1, y1);
        p.lineTo(x2, y2);
    };
    const auto turn = [&p, &line](bool left) {
        const double s = left ? 1 : -1, c = 10;
        p.moveTo(c - 6 * s, 8);
        p.lineTo(c + 2 * s, 8);
        p.cubicTo(c + 7.5 * s, 8, c + 7.5 * s, 16, c + 2 * s, 16);
        p.lineTo(c - 2 * s, 16);
        line(c - 6 * s, 8, c - 2.5 * s, 4.5);
        line(c - 6 * s, 8, c - 2.5 * s, 11.5);
    };
    switch (glyph) {
    case Glyph::Step:
        line(15, 4, 15, 16);
        break;
    case Glyph::Reset:
        p.arcMoveTo(4, 4, 12, 12, 130);
        p.arcTo(4, 4, 12, 12, 130, 300);
        line(5.2, 2.6, 5.6, 6.2);
        line(5.6, 6.2, 9.2, 6.0);
        break;
    case Glyph::Undo:
        turn(true);
        break;
    case Glyph::Redo:
        turn(false);
        break;
    case Glyph::Open:
        p.moveTo(3, 16);
        p.lineTo(3, 4.5);
        p.lineTo(8, 4.5);
        p.lineTo(9.5, 6.5);
        p.lineTo(17, 6.5);
        p.lineTo(17, 16);
        p.closeSubpath();
        break;
    case Glyph::Gallery:
        for (const double x : {3.5, 11.0})
            for (const double y : {3.5, 11.0})
                p.addRoundedRect(x, y, 5.5, 5.5, 1, 1);
        break;
    case Glyph::Save:
        line(10, 3, 10, 12);
        line(6.2, 8.5, 10, 12.2);
        line(13.8, 8.5, 10, 12.2);
        line(3.5, 16.5, 16.5, 16.5);
        break;
    case Glyph::Export:
        p.addRoundedRect(3, 4, 14, 12, 1.5, 1.5);
        p.moveTo(4.5, 13);
        p.cubicTo(8, 4, 9.5, 15, 12, 10);
        p.cubicTo(13, 8, 14, 7.5, 15.5, 7);
        break;
    case Glyph::Theme:
        p.addEllipse(4, 4, 12, 12);
        line(10, 4, 10, 16);
        line(12.5, 5, 12.5, 15);
        line(14.5, 6.4, 14.5, 13.6);
        break;
    case Glyph::Present:
        p.addRoundedRect(3, 4, 14, 9.5, 1, 1);
        line(10, 13.5, 10, 16.5);
        line(6.5, 16.5, 13.5, 16.5);
        break;
    case Glyph::Drawer:
        p.addRoundedRect(3, 4, 14, 12, 1.5, 1.5);
        line(3, 11, 17, 11);
        break;
    case Glyph::Lessons: // an open book
        p.moveTo(10, 6);
        p.quadTo(7, 3.8, 3, 4.8);
        p.lineTo(3, 15);
        p.quadTo(7, 14, 10, 16);
        p.quadTo(13, 14, 17, 15);
        p.lineTo(17, 4.8);
        p.quadTo(13, 3.8, 10, 6);
        p.lineTo(10, 16);
        break;
    case Glyph::Equations: // rows of a system, in a brace
        p.moveTo(6, 3);
        p.cubicTo(3, 3, 6, 9.5, 3, 10);
        p.cubicTo(6, 10.5, 3, 17, 6, 17);
        for (const double y : {5.0, 10.0, 15.0})
            line(9, y, 17, y);
        break;
    case Glyph::Methods: // a tableau: the line beside the nodes and the line over the weights
        line(7, 3, 7, 17);
        line(3, 12.5, 17, 12.5);
        line(10, 9, 11, 9);
        line(10, 5, 11, 5);
        line(14, 9, 15, 9);
        break;
    case Glyph::Linear: // a matrix in brackets
        for (const double side : {0.0, 1.0}) {
            const double x = side == 0 ? 3.5 : 16.5, in = side == 0 ? 6 : 14;
            line(in, 3.5, x, 3.5);
            line(x, 3.5, x, 16.5);
            line(x, 16.5, in, 16.5);
        }
        line(8, 7.5, 8.2, 7.5);
        line(12, 7.5, 12.2, 7.5);
        line(8, 12.5, 8.2, 12.5);
        line(12, 12.5, 12.2, 12.5);
        break;
    case Glyph::Study: // bars over an axis
        line(3, 16.5, 17, 16.5);
        line(6, 16.5, 6, 10);
        line(10, 16.5, 10, 4);
        line(14, 16.5, 14, 7.5);
        break;
    case Glyph::Add:
        line(10, 4.5, 10, 15.5);
        line(4.5, 10, 15.5, 10);
        break;
    case Glyph::Duplicate:
        p.addRoundedRect(7, 7, 9, 9, 1, 1);
        p.moveTo(4.5, 12.5);
        p.lineTo(4.5, 4.5);
        p.lineTo(12.5, 4.5);
        break;
    case Glyph::Remove:
        line(5.5, 5.5, 14.5, 14.5);
        line(14.5, 5.5, 5.5, 14.5);
        break;
    case Glyph::Eye:
    case Glyph::EyeOff:
        p.moveTo(2.5, 10);
        p.cubicTo(6, 4, 14, 4, 17.5, 10);
        p.cubicTo(14, 16, 6, 16, 2.5, 10);
        if (glyph == Glyph::EyeOff)
            line(4, 16.5, 16, 3.5);
        else
            p.addEllipse(7.8, 7.8, 4.4, 4.4);
        break;
    case Glyph::Reference:
        line(5.5, 3.5, 5.5, 17);
        p.moveTo(5.5, 4.5);
        p.lineTo(15.5, 4.5);
        p.lineTo(12.8, 8);
        p.lineTo(15.5, 11.5);
        p.lineTo(5.5, 11.5);
        break;
    case Glyph::Fit:
        line(4, 8, 4, 4);
        line(4, 4, 8, 4);
        line(12, 4, 16, 4);
        line(16, 4, 16, 8);
        line(16, 12, 16, 16);
        line(16, 16, 12, 16);
        line(8, 16, 4, 16);
        line(4, 16, 4, 12);
        break;
    default:
        return toolStrokes(glyph);
    }
    return p;
}

QPainterPath solids(Glyph glyph)
{
    QPainterPath p;
    if (glyph == Glyph::Play)
        p.addPolygon(QPolygonF{{6, 3.5}, {16.5, 10}, {6, 16.5}});
    if (glyph == Glyph::Step)
        p.addPolygon(QPolygonF{{4, 4}, {12.5, 10}, {4, 16}});
    if (glyph == Glyph::Pause) {
        p.addRoundedRect(5, 4, 3.6, 12, 0.8, 0.8);
        p.addRoundedRect(11.4, 4, 3.6, 12, 0.8, 0.8);
    }
    if (glyph == Glyph::More)
        for (const double x : {4.5, 10.0, 15.5})
            p.addEllipse(QPointF(x, 10), 1.5, 1.5);
    return p;
}

QPixmap drawn(Glyph glyph, const QColor& colour, int scale)
{
    QPixmap picture(20 * scale, 20 * scale);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(scale, scale);
    painter.fillPath(solids(glyph), colour);
    painter.strokePath(strokes(glyph), QPen(colour, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    return picture;
}

} // namespace

QIcon glyphIcon(Glyph glyph, const QColor& colour, const QColor& disabled)
{
    QIcon icon;
    for (const int scale : {1, 2}) {
        icon.addPixmap(drawn(glyph, colour, scale));
        icon.addPixmap(drawn(glyph, disabled, scale), QIcon::Disabled);
    }
    return icon;
}

} // namespace driftless::ui
