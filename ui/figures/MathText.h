// One line of text with a little mathematics, set in a figure's font: what Figure.h promises about dollars.
//
// The same parse serves drawing (pieces with their places), LaTeX (the caption) and plain text.
#pragma once

#include <QColor>
#include <QFont>
#include <QPointF>
#include <QString>

#include <vector>

#include "ui/figures/Figure.h"

class QPainter;

namespace driftless::figures {

/// The font of a figure at a size in painter units; unhinted, so that a line is as long in a PNG as in a PDF.
QFont figureFont(Font font, double size, bool bold = false, bool italic = false);

class MathText {
public:
    MathText() = default;
    MathText(const QString& markup, Font font, double size, bool bold = false);

    double width() const { return width_; }
    double ascent() const { return ascent_; }   ///< above the base line
    double descent() const { return descent_; } ///< below it
    bool isEmpty() const { return pieces_.empty(); }

    void draw(QPainter& painter, const QPointF& baseline, const QColor& colour) const;

    struct Piece {
        QString text;
        bool italic = false;
        double scale = 1; ///< of the text's size
        double x = 0, y = 0;
    };
    const std::vector<Piece>& pieces() const { return pieces_; }

private:
    Font font_ = Font::Sans;
    double size_ = 0;
    bool bold_ = false;
    std::vector<Piece> pieces_;
    double width_ = 0, ascent_ = 0, descent_ = 0;
};

/// Words wrapped to a width; mathematics is not broken.
std::vector<MathText> wrapped(const QString& markup, Font font, double size, double width);
/// Shortened with an ellipsis to fit; mathematics is dropped from its end as a whole.
MathText fitted(const QString& markup, Font font, double size, double width, bool bold = false);

/// As LaTeX source: mathematics as it stands, everything else escaped.
QString toLatex(const QString& markup);
/// As plain text, "10⁻⁸".
QString toPlainText(const QString& markup);

} // namespace driftless::figures
