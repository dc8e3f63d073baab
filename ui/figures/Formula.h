// A formula set from the LaTeX that the expression printer writes: fractions, roots, scripts, accents, growing brackets, cases.
//
// Not a LaTeX system: what it does not know is set as text. Nesting is bounded.
#pragma once

#include <QColor>
#include <QPointF>
#include <QString>

#include <vector>

#include "ui/figures/Figure.h"

class QPainter;

namespace driftless::figures {

class Formula {
public:
    Formula() = default;
    Formula(const QString& latex, Font font, double size);

    double width() const { return width_; }
    double ascent() const { return ascent_; }   ///< above the base line
    double descent() const { return descent_; } ///< below it
    bool isEmpty() const { return glyphs_.empty(); }

    void draw(QPainter& painter, const QPointF& baseline, const QColor& colour) const;

    struct Glyph {
        QString text;
        bool italic = false;
        double scale = 1, stretch = 1; ///< of the formula's size; vertically for brackets
        double x = 0, y = 0;           ///< of the base line's start
    };
    struct Stroke {
        std::vector<QPointF> points;
        double width = 1;
    };
    const std::vector<Glyph>& glyphs() const { return glyphs_; }
    const std::vector<Stroke>& strokes() const { return strokes_; }

private:
    Font font_ = Font::Serif;
    double size_ = 0, width_ = 0, ascent_ = 0, descent_ = 0;
    std::vector<Glyph> glyphs_;
    std::vector<Stroke> strokes_;
};

} // namespace driftless::figures
