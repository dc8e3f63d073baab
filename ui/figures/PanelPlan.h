// Where the parts of one panel lie: ranges, ticks, margins, header. Private to the room.
#pragma once

#include <QRectF>

#include <optional>
#include <vector>

#include "ui/figures/Curves.h"
#include "ui/figures/Figure.h"
#include "ui/figures/Sheet.h"
#include "ui/figures/Ticks.h"

namespace driftless::figures {

/// What the key above a panel explains: a dash (level), a category of strips, or a shade.
struct KeyEntry {
    enum class Kind { Level, Category, Shade };
    Kind kind = Kind::Level;
    int index = 0;
    QString name;
};
std::vector<KeyEntry> keyOf(const Panel& panel);
double keySample(KeyEntry::Kind kind, const Sheet& sheet);

/// An entry's place relative to the box's left.
struct KeyPlace {
    KeyEntry entry;
    double x = 0;
    int row = 0;
};

/// The text of an event above the box, relative to the box's left.
struct EventPlace {
    double x = 0; ///< of the event itself
    int row = -1; ///< -1: no room for the text
    MathText text;
};

struct PanelPlan {
    const Panel* panel = nullptr;
    QString title;
    int titleStyle = -1;                 ///< small multiples: the mark before the title
    bool multiple = false;               ///< one of small multiples; the first of a row of them carries what they share:
    QString groupTitle;                  ///< the panel's title
    double groupWidth = 0;               ///< room for it and the key; 0 for all but the first
    double groupHeader = 0;              ///< its height, set for the whole row
    bool xLabels = true, yLabels = true; ///< small multiples: only at the outer edges
    int row = 0, column = 0, span = 1;   ///< in the figure's grid

    Range x, y;
    double left = 0, right = 0, header = 0, bottom = 0; ///< around the box [units]
    double naturalHeight = 0;                           ///< of the box
    double ownHeader = 0;                               ///< header is that of the row
    QRectF box;

    std::vector<KeyPlace> key;
    int keyRows = 0;
    bool keyBesideTitle = false;
    std::vector<EventPlace> events;
    int eventRows = 0;

    Map map() const { return {box, x, y, panel->x.logarithmic, panel->y.logarithmic}; }
    bool hasAxes() const { return panel->picture.isNull() && panel->empty.isEmpty(); }
};

/// Ranges of both axes from the data where the panel leaves them open.
void planRanges(PanelPlan& plan);
/// Margins, header and natural height of a panel whose cell is this wide; boxHeight as it is known so far.
void planMargins(PanelPlan& plan, const Sheet& sheet, double cellWidth, double boxHeight);
/// The header (key, events), once the box's width is known.
void planHeader(PanelPlan& plan, const Sheet& sheet, double boxWidth);
/// After the box is placed: equal scales, by a narrower box or a longer axis.
void planBox(PanelPlan& plan);

Ticks abscissaTicks(const PanelPlan& plan, const Sheet& sheet, double width);
Ticks ordinateTicks(const PanelPlan& plan, const Sheet& sheet, double height);

} // namespace driftless::figures
