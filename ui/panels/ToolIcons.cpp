#include "ui/panels/Icons.h"

namespace driftless::ui {

QPainterPath toolStrokes(Glyph glyph)
{
    QPainterPath p;
    const auto line = [&p](double x1, double y1, double x2, double y2) {
        p.moveTo(x1, y1);
        p.lineTo(x2, y2);
    };
    const auto ring = [&p](double x, double y, double r) { p.addEllipse(QPointF(x, y), r, r); };
    switch (glyph) {
    case Glyph::Edit: // a pencil
        p.moveTo(4, 16);
        p.lineTo(5, 12.2);
        p.lineTo(13.4, 3.8);
        p.lineTo(16.2, 6.6);
        p.lineTo(7.8, 15);
        p.closeSubpath();
        line(11.6, 5.6, 14.4, 8.4);
        break;
    case Glyph::Pointer:
        p.moveTo(6, 3.5);
        p.lineTo(6, 15);
        p.lineTo(9, 12.2);
        p.lineTo(11, 16.5);
        p.lineTo(12.8, 15.7);
        p.lineTo(10.9, 11.5);
        p.lineTo(15, 11.2);
        p.closeSubpath();
        break;
    case Glyph::Mass:
        ring(10, 10, 4.5);
        ring(10, 10, 1.2);
        break;
    case Glyph::Bar:
        p.moveTo(3.6, 13.6);
        p.lineTo(13.6, 3.6);
        p.lineTo(16.4, 6.4);
        p.lineTo(6.4, 16.4);
        p.closeSubpath();
        break;
    case Glyph::Disc:
        ring(10, 10, 6.5);
        line(10, 10, 15, 5.8);
        break;
    case Glyph::Block:
        p.addRoundedRect(3.5, 5.5, 13, 9, 1, 1);
        break;
    case Glyph::Pin:
        ring(10, 7.5, 2.6);
        line(8.4, 9.6, 5, 15);
        line(11.6, 9.6, 15, 15);
        line(3.5, 15.5, 16.5, 15.5);
        break;
    case Glyph::Rod:
        ring(4.8, 15.2, 1.9);
        ring(15.2, 4.8, 1.9);
        line(6.2, 13.8, 13.8, 6.2);
        break;
    case Glyph::Rail:
        line(2.5, 14, 17.5, 14);
        p.addRoundedRect(6, 7.5, 8, 6.5, 1, 1);
        line(4, 14, 2.6, 16.6);
        line(9, 14, 7.6, 16.6);
        line(14, 14, 12.6, 16.6);
        break;
    case Glyph::Weld:
        line(3, 10, 8, 10);
        line(12, 10, 17, 10);
        line(7, 7, 13, 13);
        line(13, 7, 7, 13);
        break;
    case Glyph::Spring:
        p.moveTo(2, 10);
        p.lineTo(4, 10);
        p.lineTo(5.5, 5.5);
        p.lineTo(8.5, 14.5);
        p.lineTo(11.5, 5.5);
        p.lineTo(14.5, 14.5);
        p.lineTo(16, 10);
        p.lineTo(18, 10);
        break;
    case Glyph::Delete:
        line(4, 6, 16, 6);
        line(8, 6, 8.4, 3.8);
        line(8.4, 3.8, 11.6, 3.8);
        line(11.6, 3.8, 12, 6);
        p.moveTo(5.4, 6);
        p.lineTo(6.2, 16.5);
        p.lineTo(13.8, 16.5);
        p.lineTo(14.6, 6);
        line(8.6, 8.8, 8.8, 13.8);
        line(11.4, 8.8, 11.2, 13.8);
        break;
    default:
        break;
    }
    return p;
}

} // namespace driftless::ui
