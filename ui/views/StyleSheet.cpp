#include "ui/views/StyleSheet.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QRegularExpression>
#include <QToolTip>

// The sheet, and the marks of boxes and combo boxes, lie in a static library, which has to be asked for them, outside of any
// namespace.
static void loadStyles()
{
    Q_INIT_RESOURCE(marks);
    Q_INIT_RESOURCE(styles);
}

namespace driftless::ui {

namespace {

QString firstInstalled(std::initializer_list<const char*> names, QFontDatabase::SystemFont otherwise)
{
    const QStringList families = QFontDatabase::families();
    for (const char* name : names)
        if (families.contains(QLatin1String(name)))
            return QLatin1String(name);
    return QFontDatabase::systemFont(otherwise).family();
}

QColor mix(const QColor& a, const QColor& b, double share)
{
    const auto at = [share](int x, int y) { return qRound(x + share * (y - x)); };
    return QColor(at(a.red(), b.red()), at(a.green(), b.green()), at(a.blue(), b.blue()));
}

} // namespace

QString interfaceFamily()
{
    static const QString family = firstInstalled({"Inter", "DejaVu Sans"}, QFontDatabase::GeneralFont);
    return family;
}

QString fixedFamily()
{
    static const QString family = firstInstalled({"JetBrains Mono", "DejaVu Sans Mono"}, QFontDatabase::FixedFont);
    return family;
}

QString sheetText(const QString& name)
{
    loadStyles();
    QFile file(QStringLiteral(":/driftless/styles/%1.qss").arg(name));
    const bool found = file.open(QIODevice::ReadOnly);
    Q_ASSERT(found);
    (void)found;
    return QString::fromUtf8(file.readAll());
}

QString styleSheet(const Theme& theme, double scale, const QString& more)
{
    QString sheet = sheetText(QStringLiteral("window")) + more;
    const QColor& base = theme.surface;
    const std::pair<const char*, QColor> colours[] = {{"@text@", theme.text},
                                                      {"@secondary@", theme.secondary},
                                                      {"@window@", theme.window},
                                                      {"@surface@", base},
                                                      {"@line@", theme.line},
                                                      {"@error@", theme.error},
                                                      {"@accent@", theme.accent},
                                                      {"@right@", theme.run(3)},
                                                      {"@hover@", mix(base, theme.text, 0.06)},
                                                      {"@press@", mix(base, theme.text, 0.12)},
                                                      {"@tint@", mix(base, theme.accent, theme.dark ? 0.28 : 0.14)},
                                                      {"@grip@", mix(theme.line, theme.secondary, 0.35)},
                                                      {"@faint@", mix(base, theme.secondary, 0.55)},
                                                      {"@onAccent@", theme.dark ? theme.window : QColor(Qt::white)},
                                                      {"@accentHover@", mix(theme.accent, theme.text, 0.15)}};
    for (const auto& [name, colour] : colours)
        sheet.replace(QLatin1String(name), colour.name());
    sheet.replace(QLatin1String("@mode@"), theme.dark ? QLatin1String("dark") : QLatin1String("light"));
    // Lengths stand between two '#'; colours were filled in with one '#' and six digits, so lengths go by their pattern.
    static const QRegularExpression length(QStringLiteral("#(\\d{1,3})#"));
    QString out;
    qsizetype from = 0;
    for (auto found = length.globalMatch(sheet); found.hasNext();) {
        const auto one = found.next();
        out +=
            sheet.mid(from, one.capturedStart() - from) + QStringLiteral("%1px").arg(qRound(one.captured(1).toInt() * scale));
        from = one.capturedEnd();
    }
    return out + sheet.mid(from);
}

QPalette themePalette(const Theme& theme)
{
    QPalette palette;
    palette.setColor(QPalette::Window, theme.window);
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::Base, theme.surface);
    palette.setColor(QPalette::AlternateBase, mix(theme.surface, theme.text, 0.03));
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::Button, theme.surface);
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::BrightText, theme.error);
    palette.setColor(QPalette::PlaceholderText, mix(theme.surface, theme.secondary, 0.7));
    palette.setColor(QPalette::ToolTipBase, theme.surface);
    palette.setColor(QPalette::ToolTipText, theme.text);
    palette.setColor(QPalette::Highlight, theme.accent);
    palette.setColor(QPalette::HighlightedText, theme.dark ? theme.window : QColor(Qt::white));
    palette.setColor(QPalette::Link, theme.accent);
    palette.setColor(QPalette::Mid, theme.line);
    palette.setColor(QPalette::Light, theme.surface);
    palette.setColor(QPalette::Dark, theme.line);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, mix(theme.surface, theme.secondary, 0.55));
    return palette;
}

void applyTheme(QApplication& application, const Theme& theme, double scale, const QString& more)
{
    // Each of these goes through all widgets, so that only what has changed is set. Fusion draws the same on every platform and
    // obeys palettes; a style cannot be set below a style sheet.
    constexpr char kScale[] = "driftlessScale";
    const QVariant before = application.property(kScale);
    if (!before.isValid()) {
        application.setStyleSheet({});
        application.setStyle(QStringLiteral("Fusion"));
    }
    const QPalette palette = themePalette(theme);
    application.setPalette(palette);
    QToolTip::setPalette(palette);
    if (before != QVariant(scale))
        application.setFont(uiFont(qRound(kTextPixels * scale)));
    if (const QString sheet = styleSheet(theme, scale, more); sheet != application.styleSheet())
        application.setStyleSheet(sheet);
    application.setProperty(kScale, scale);
}

} // namespace driftless::ui
