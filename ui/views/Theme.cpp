#include "ui/views/Theme.h"

namespace driftless::ui {

const Theme& Theme::light()
{
    static const Theme theme{
        false, QColor("#F4F6F9"), QColor("#FFFFFF"), QColor("#14181D"), QColor("#4E5866"), QColor("#D5DBE3"),
        QColor("#B42318"), QColor("#1F55D6"),
        {QColor("#1F55D6"), QColor("#E04A00"), QColor("#14181D"), QColor("#2E9468"), QColor("#3A0C78"),
         QColor("#A0567F"), QColor("#623600"), QColor("#2487F2")}};
    return theme;
}

const Theme& Theme::darkTheme()
{
    static const Theme theme{
        true, QColor("#0F1318"), QColor("#14181D"), QColor("#E8ECF1"), QColor("#A3AFBD"), QColor("#2B333D"),
        QColor("#FF8A7A"), QColor("#8FA8FF"),
        {QColor("#8FA8FF"), QColor("#D9820F"), QColor("#FFFFF0"), QColor("#1FBA86"), QColor("#7F60FF"),
         QColor("#CC90B2"), QColor("#F7C23A"), QColor("#C4F0F8")}};
    return theme;
}

QVector<qreal> runDashes(int index)
{
    static const std::array<QVector<qreal>, 8> patterns{
        QVector<qreal>{}, {6, 3}, {1.5, 2.5}, {8, 3, 1.5, 3}, {4, 2}, {10, 4}, {1.5, 4}, {8, 2, 2, 2, 2, 2}};
    return patterns[static_cast<std::size_t>(index) % patterns.size()];
}

QFont uiFont(int pixels, int weight)
{
    QFont font(QStringLiteral("Inter"));
    font.setPixelSize(pixels);
    font.setWeight(static_cast<QFont::Weight>(weight));
    return font;
}

} // namespace driftless::ui
