#include "ui/views/Theme.h"

#include "ui/figures/CurveStyle.h"

namespace driftless::ui {

namespace {

/// The colours of the runs are those of the printed curves.
std::array<QColor, 8> runColours(figures::Theme theme)
{
    std::array<QColor, 8> out;
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = figures::curveColour(static_cast<int>(i), theme);
    return out;
}

} // namespace

const Theme& Theme::light()
{
    static const Theme theme{false,
                             QColor("#F4F6F9"),
                             QColor("#FFFFFF"),
                             QColor("#14181D"),
                             QColor("#4E5866"),
                             QColor("#D5DBE3"),
                             QColor("#B42318"),
                             QColor("#1F55D6"),
                             runColours(figures::Theme::Light)};
    return theme;
}

const Theme& Theme::darkTheme()
{
    static const Theme theme{true,
                             QColor("#0F1318"),
                             QColor("#14181D"),
                             QColor("#E8ECF1"),
                             QColor("#A3AFBD"),
                             QColor("#2B333D"),
                             QColor("#FF8A7A"),
                             QColor("#8FA8FF"),
                             runColours(figures::Theme::Dark)};
    return theme;
}

QColor dummyGround(const Theme& theme)
{
    const double share = theme.dark ? 0.25 : 0.22; // green and orange rows keep a contrast of about 4.5 on it
    const auto part = [share](int from, int to) { return qRound(from + share * (to - from)); };
    const QColor &base = theme.surface, &accent = theme.accent;
    return QColor(part(base.red(), accent.red()), part(base.green(), accent.green()), part(base.blue(), accent.blue()));
}

QVector<qreal> runDashes(int index) { return figures::curveDashes(index); }

QFont uiFont(int pixels, int weight)
{
    QFont font(QStringLiteral("Inter"));
    font.setPixelSize(pixels);
    font.setWeight(static_cast<QFont::Weight>(weight));
    return font;
}

} // namespace driftless::ui
