#include "ui/panels/Icons.h"

#include <QFile>
#include <QPainter>
#include <QSvgRenderer>

#include <array>
#include <map>
#include <utility>

// The icons lie in a static library, which has to be asked for them, outside of any namespace.
static void loadIcons() { Q_INIT_RESOURCE(icons); }

namespace driftless::ui {

namespace {

constexpr int kIconSide = 20; ///< units and pixels of an icon

/// Files of ui/panels/icons, in the order of Glyph.
constexpr std::array kGlyphFiles{"play",   "pause",  "step",   "reset",     "undo",   "redo",    "open",      "gallery",
                                 "save",   "export", "theme",  "present",   "drawer", "lessons", "equations", "methods",
                                 "linear", "study",  "add",    "duplicate", "remove", "eye",     "eye-off",   "reference",
                                 "fit",    "more",   "edit",   "pointer",   "mass",   "bar",     "disc",      "block",
                                 "pin",    "rod",    "rail",   "weld",      "spring", "damper",  "motor",     "string",
                                 "wall",   "stop",   "clutch", "ratchet",   "delete"};
static_assert(kGlyphFiles.size() == static_cast<std::size_t>(Glyph::Delete) + 1);

/// How much of each pixel the icon covers. Read once: every theme colours the same shape.
const QImage& shapeOf(Glyph glyph, int scale)
{
    static std::map<std::pair<Glyph, int>, QImage> drawn;
    QImage& shape = drawn[{glyph, scale}];
    if (!shape.isNull())
        return shape;
    loadIcons();
    QSvgRenderer file(
        QStringLiteral(":/driftless/icons/%1.svg").arg(QLatin1String(kGlyphFiles[static_cast<std::size_t>(glyph)])));
    Q_ASSERT(file.isValid());
    shape = QImage(kIconSide * scale, kIconSide * scale, QImage::Format_ARGB32_Premultiplied);
    shape.fill(Qt::transparent);
    QPainter painter(&shape);
    file.render(&painter);
    return shape;
}

QPixmap coloured(Glyph glyph, const QColor& colour, int scale)
{
    QImage picture = shapeOf(glyph, scale);
    QPainter painter(&picture);
    painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
    painter.fillRect(picture.rect(), colour);
    painter.end();
    return QPixmap::fromImage(picture);
}

} // namespace

QIcon glyphIcon(Glyph glyph, const QColor& colour, const QColor& disabled)
{
    QIcon icon;
    for (const int scale : {1, 2}) {
        icon.addPixmap(coloured(glyph, colour, scale));
        icon.addPixmap(coloured(glyph, disabled, scale), QIcon::Disabled);
    }
    return icon;
}

} // namespace driftless::ui
