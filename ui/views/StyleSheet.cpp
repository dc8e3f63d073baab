#include "ui/views/StyleSheet.h"

#include <QApplication>
#include <QFontDatabase>
#include <QToolTip>

// The marks of boxes and combo boxes lie in a static library, which has to be asked for them, outside of any namespace.
static void loadMarks() { Q_INIT_RESOURCE(marks); }

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

// @name@ is a colour, #n# a length in pixels before scaling.
constexpr const char* kSheet = R"(
QWidget { color: @text@; font-family: "@family@"; font-size: #13#; }
QMainWindow, QDialog, QWidget[role="window"] { background: @window@; }
QWidget[role="bar"] { background: @surface@; border: none; border-bottom: 1px solid @line@; }
QWidget[role="card"] { background: @surface@; border: 1px solid @line@; border-radius: #6#; }
QWidget[role="card"][selected="true"] { border: 1px solid @accent@; }
QFrame[role="dock"] { background: @surface@; border: none; border-top: 1px solid @line@; }
QFrame[role="row"] { background: transparent; border: none; border-left: #3# solid transparent; }
QFrame[role="row"]:hover { background: @hover@; }
QFrame[role="row"]:focus { border-left-color: @secondary@; }
QFrame[role="row"][selected="true"] { background: @tint@; border-left-color: @accent@; }
QLabel { background: transparent; border: none; }
QLabel[role="cell"] { font-size: #12#; }
QLabel[role="heading"] { font-size: #15#; font-weight: 600; }
QLabel[role="secondary"] { color: @secondary@; font-size: #12#; }
QLabel[role="error"] { color: @error@; }
QToolTip { color: @text@; background: @surface@; border: 1px solid @line@; padding: #4#; }

QPushButton, QToolButton { background: transparent; border: 1px solid @line@; border-radius: #6#; padding: #4# #10#; }
QToolButton { padding: #4# #6#; }
QToolButton[role="badge"] { background: @tint@; border: 1px solid @accent@; padding: 1px #8#; font-weight: 600; }
QToolButton[autoRaise="true"] { border: 1px solid transparent; }
QPushButton[role="small"] { padding: 0; font-size: #12#; }
QPushButton[role="head"] { border: none; border-radius: 0; padding: 0; font-size: #12#; color: @secondary@; text-align: right; }
QPushButton[role="head"][part="first"] { text-align: left; }
QPushButton[role="head"]:focus { color: @text@; text-decoration: underline; }
QPushButton:hover, QToolButton:hover { background: @hover@; }
QPushButton:pressed, QToolButton:pressed { background: @press@; }
QPushButton:checked, QToolButton:checked { background: @tint@; border-color: @accent@; }
QToolButton[role="small"], QToolButton[role="small"]:checked { padding: 0; border-color: transparent; background: transparent; }
QToolButton[role="small"]:hover { background: @hover@; }
QPushButton:focus, QToolButton:focus { border-color: @accent@; }
QPushButton:disabled, QToolButton:disabled { color: @faint@; }
QPushButton[role="primary"] { background: @accent@; border-color: @accent@; color: @onAccent@; font-weight: 600; }
QPushButton[role="primary"]:hover { background: @accentHover@; }
QPushButton[role="primary"]:disabled { background: @line@; border-color: @line@; color: @faint@; }
QToolButton::menu-indicator { image: none; }

QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox { background: @surface@; border: 1px solid @line@; border-radius: #6#;
    padding: #3# #7#; min-height: #20#; selection-background-color: @accent@; selection-color: @onAccent@; }
QLineEdit:hover, QSpinBox:hover, QDoubleSpinBox:hover, QComboBox:hover { border-color: @secondary@; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus, QComboBox:on { border-color: @accent@; }
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled { color: @faint@; background: @window@; }
QLineEdit[invalid="true"] { border-color: @error@; }
QWidget[role="strip"] QComboBox, QWidget[role="strip"] QLineEdit { min-height: #20#; padding: #1# #7#; }
QLineEdit[part="value"], QLineEdit[part="search"], QLineEdit[part="step"] { min-height: #18#; padding: #1# #4#; }
QComboBox::drop-down { border: none; width: #20#; }
QComboBox::down-arrow { image: url(:/driftless/marks/chevron-@mode@.svg); width: #12#; height: #12#; margin-right: #6#; }
QComboBox QAbstractItemView { background: @surface@; border: 1px solid @line@; outline: none; padding: #4#;
    selection-background-color: @tint@; selection-color: @text@; }
QComboBox QAbstractItemView::item { min-height: #24#; }
QComboBox QAbstractItemView::item:disabled { color: @secondary@; } /* headings */

QCheckBox, QRadioButton { spacing: #6#; background: transparent; }
QCheckBox::indicator { width: #14#; height: #14#; border: 1px solid @secondary@; border-radius: #4#; background: @surface@; }
QCheckBox::indicator:checked { background: @accent@; border-color: @accent@; image: url(:/driftless/marks/check-@mode@.svg); }
QListView::indicator, QTreeView::indicator { width: #14#; height: #14#; border: 1px solid @secondary@; border-radius: #4#; background: @surface@; }
QListView::indicator:checked, QTreeView::indicator:checked { background: @accent@; border-color: @accent@; image: url(:/driftless/marks/check-@mode@.svg); }
QListView::indicator:disabled, QTreeView::indicator:disabled { border-color: @line@; }
QTableView QLineEdit { padding: 0 #4#; border-radius: 0; min-height: 0; }
QRadioButton::indicator { width: #14#; height: #14#; border: 1px solid @secondary@; border-radius: #7#; background: @surface@; }
QRadioButton::indicator:checked { border: #4# solid @accent@; width: #8#; height: #8#; }

QSlider { background: transparent; min-height: #18#; }
QSlider::groove:horizontal { height: #4#; border-radius: #2#; background: @line@; }
QSlider::sub-page:horizontal { height: #4#; border-radius: #2#; background: @accent@; }
QSlider::handle:horizontal { width: #14#; height: #14#; margin: -#5# 0; border-radius: #7#; background: @surface@;
    border: 1px solid @accent@; }
QSlider::handle:horizontal:hover { background: @tint@; }
QSlider::sub-page:horizontal:disabled { background: @line@; }
QSlider::handle:horizontal:disabled { border-color: @line@; }

QScrollArea { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: #10#; margin: 0; }
QScrollBar:horizontal { background: transparent; height: #10#; margin: 0; }
QScrollBar::handle { background: @grip@; border-radius: #3#; margin: #2#; }
QScrollBar::handle:vertical { min-height: #28#; }
QScrollBar::handle:horizontal { min-width: #28#; }
QScrollBar::handle:hover { background: @secondary@; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QTextBrowser, QTextEdit, QPlainTextEdit, QListView, QTreeView, QTableView { background: @surface@; border: none; outline: none;
    selection-background-color: @tint@; selection-color: @text@; }
QListView::item, QTreeView::item, QTableView::item { padding: #3# #6#; }
QListView::item:selected { background: @tint@; color: @text@; }
#homeSections::item, #studyList::item { padding: #4# #8#; border: 0 solid transparent; }
#workMethods::item { padding: #3# 0; } /* its boxes would be moved over the names */
QHeaderView::section { background: @surface@; color: @secondary@; border: none; border-bottom: 1px solid @line@; padding: #4# #6#; }
QTableView { gridline-color: @line@; }

QMenuBar { background: @surface@; }
QMenuBar::item { padding: #4# #8#; background: transparent; }
QMenuBar::item:selected { background: @hover@; border-radius: #4#; }
QMenu { background: @surface@; border: 1px solid @line@; padding: #4#; }
QMenu::item { padding: #5# #24# #5# #12#; border-radius: #4#; }
QMenu::item:selected { background: @tint@; }
QMenu::item:disabled { color: @faint@; }
QMenu::separator { height: 1px; background: @line@; margin: #4# #6#; }
QTabWidget::pane { border: none; }
QTabBar { background: transparent; }
QTabBar::tab { background: transparent; color: @secondary@; padding: #6# #12#; border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: @text@; border-bottom: 2px solid @accent@; }
QTabBar::tab:hover { color: @text@; }
QStatusBar { background: @surface@; border-top: 1px solid @line@; color: @secondary@; }
QStatusBar::item { border: none; }
QSplitter::handle { background: @line@; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QProgressBar { background: @line@; border: none; border-radius: #2#; max-height: #4#; }
QProgressBar::chunk { background: @accent@; border-radius: #2#; }
QGroupBox { border: 1px solid @line@; border-radius: #6#; margin-top: #10#; padding-top: #8#; }
QGroupBox::title { subcontrol-origin: margin; left: #10#; color: @secondary@; }
)";

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

QString styleSheet(const Theme& theme, double scale)
{
    loadMarks();
    QString sheet = QString::fromLatin1(kSheet);
    const QColor& base = theme.surface;
    const std::pair<const char*, QColor> colours[] = {{"@text@", theme.text},
                                                      {"@secondary@", theme.secondary},
                                                      {"@window@", theme.window},
                                                      {"@surface@", base},
                                                      {"@line@", theme.line},
                                                      {"@error@", theme.error},
                                                      {"@accent@", theme.accent},
                                                      {"@hover@", mix(base, theme.text, 0.06)},
                                                      {"@press@", mix(base, theme.text, 0.12)},
                                                      {"@tint@", mix(base, theme.accent, theme.dark ? 0.28 : 0.14)},
                                                      {"@grip@", mix(theme.line, theme.secondary, 0.35)},
                                                      {"@faint@", mix(base, theme.secondary, 0.55)},
                                                      {"@onAccent@", theme.dark ? theme.window : QColor(Qt::white)},
                                                      {"@accentHover@", mix(theme.accent, theme.text, 0.15)}};
    for (const auto& [name, colour] : colours)
        sheet.replace(QLatin1String(name), colour.name());
    sheet.replace(QLatin1String("@family@"), interfaceFamily());
    sheet.replace(QLatin1String("@mode@"), theme.dark ? QLatin1String("dark") : QLatin1String("light"));
    // Lengths stand between two '#'; colours were filled in with one '#' and six digits, so lengths go by their pattern.
    for (int length = 28; length >= 1; --length)
        sheet.replace(QStringLiteral("#%1#").arg(length), QStringLiteral("%1px").arg(qRound(length * scale)));
    return sheet;
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

void applyTheme(QApplication& application, const Theme& theme, double scale)
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
    application.setStyleSheet(styleSheet(theme, scale));
    application.setProperty(kScale, scale);
}

} // namespace driftless::ui
