// A figure for print as plain data: panels with curves, guides, strips and pictures, a legend, a size in millimetres.
//
// Whoever makes figures (the window, the command line, studies) fills these values; ui/figures draws them the same way for
// PNG, SVG and PDF. Needs a QGuiApplication for its fonts (the offscreen platform will do), no widget and no display.
//
// Every text may hold mathematics between dollars, a small part of what LaTeX understands: letters are italic there, _ and ^
// with one character or {...} are sub- and superscripts, \lambda, \dot{x} and the like are letters and accents, \mathrm{...}
// is upright. "\$" is a dollar. Text from a stranger goes through plain() first. Example: "$\\|g(q)\\|_\\infty$".
#pragma once

#include <QImage>
#include <QPointF>
#include <QSizeF>
#include <QString>
#include <QStringList>

#include <limits>
#include <optional>
#include <vector>

namespace driftless::figures {

enum class Font { Serif, Sans };        ///< Computer Modern as in LaTeX, or Inter as in the window
enum class Theme { Light, Dark, Grey }; ///< Grey: black on white, told apart by dashes and marks alone
enum class SizePreset { Column, Page, Slide };
enum class Layout { Overlay, SmallMultiples };

/// A journal's column (85 mm) and page (170 mm) are as high as their panels need; a slide is 254 x 143 mm.
struct Style {
    Font font = Font::Sans;
    Theme theme = Theme::Light;
    QSizeF millimetres{170, 0}; ///< a height of 0: as high as the panels need
    double points = 8;          ///< size of the text [pt, 1/72 inch]; ticks and notes are a little smaller
};
Style styleFor(SizePreset preset);

struct Axis {
    QString title; ///< "$t$"
    QString unit;  ///< "s", drawn as "t [s]"; may be empty
    bool logarithmic = false;
    double low = std::numeric_limits<double>::quiet_NaN();  ///< NaN: from the data
    double high = std::numeric_limits<double>::quiet_NaN(); ///< NaN: from the data
};

enum class SeriesKind {
    Line,      ///< x, y; dense ones become a band and its middle, a few marks tell them apart
    Marks,     ///< a mark on every point, no line
    LineMarks, ///< a mark on every point and the line between them: convergence, work-precision
    Steps,     ///< y[i] holds from x[i] to x[i + 1]: step size, order
    Band       ///< the area between y and upper
};

struct Series {
    int style = 0;  ///< colour, dash and mark, of eight: the run's index in the legend
    int level = -1; ///< >= 0: as thick and as strong as Panel::levels[level] says
    SeriesKind kind = SeriesKind::Line;
    std::vector<double> x = {}, y = {}; ///< of one length, any order (phase portraits); NaN breaks the line
    std::vector<double> upper = {};     ///< Band only
    std::vector<double> zeros = {};     ///< x where y is exactly 0 on a logarithmic ordinate, and not among the points
};

/// y = C x^slope on two logarithmic axes, drawn as a short grey line with its label.
struct Guide {
    double slope = 1;
    QString label;                       ///< "order 2"
    std::optional<QPointF> through = {}; ///< a point on it; without one it is placed beside the data
};

/// A thin line across the panel.
struct Rule {
    Qt::Orientation orientation = Qt::Horizontal;
    double at = 0; ///< y of a horizontal one, x of a vertical one
    QString label = {};
};

/// A shaded band across the panel: low..high of y (horizontal) or of x (vertical).
struct Shade {
    Qt::Orientation orientation = Qt::Horizontal;
    double low = 0, high = 0;
    QString label = {};
};

/// Something that happened at a time: a tick at the upper edge with its text.
struct Event {
    double at = 0; ///< x
    QString text = {};
    int style = -1; ///< the run it belongs to, -1 for all
};

/// One row of a categorical history: which category held from when to when.
struct StripSpan {
    double from = 0, to = 0;
    int category = 0; ///< index into Panel::categories
};
struct Strip {
    QString name; ///< "Run 1"
    std::vector<StripSpan> spans;
};

struct Panel {
    QString title;
    Axis x, y;
    std::vector<Series> series;
    QStringList levels; ///< names of the levels, for a small key above the panel: "position", "velocity", "acceleration"
    std::vector<Guide> guides;
    std::vector<Rule> rules;
    std::vector<Shade> shades;
    std::vector<Event> events;
    std::vector<Strip> strips; ///< not empty: rows over x instead of curves
    QStringList categories;    ///< of the strips
    QString empty;             ///< why there is nothing to draw, shown instead
    QImage picture;            ///< not null: a picture instead of axes (scene, strobe)
    QString pictureCaption;
    bool equalScales = false; ///< one unit of x is as long as one of y
};

struct LegendEntry {
    int style = 0;
    QString name;   ///< "Run 1" or the formulation
    QString detail; ///< "index-1, rk4, h = 0.2 s"; may be empty
};

struct Figure {
    QString title;     ///< drawn above; empty for a figure whose caption says it all
    QString caption;   ///< goes beside the file, see writeCaption
    QString label;     ///< of the LaTeX environment, "fig:drift"
    QStringList notes; ///< small print below the panels
    std::vector<Panel> panels;
    std::vector<LegendEntry> legend;
    Layout layout = Layout::Overlay; ///< SmallMultiples: every panel once per legend entry, on the same axes
    int columns = 0;                 ///< panels side by side; 0: what the width allows
    Style style;
};

/// Text with what means something in the mark-up above made harmless.
QString plain(const QString& text);
/// A model's name as mathematics: "bob.x'" becomes "bob.$\dot x$"-like text, "lambda_1" a Greek letter with a subscript.
QString mathName(const QString& name);

} // namespace driftless::figures
