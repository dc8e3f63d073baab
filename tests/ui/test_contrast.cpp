// label: long
// Whatever has words in the window can be read: the contrast of letters and ground, measured in the pixels that are drawn, in
// every page, dialog and state of both themes. The limit is that of WCAG 2.1 for text of this size.
#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QListWidget>
#include <QRadioButton>
#include <QSettings>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "tests/ui/WindowFixture.h"
#include "ui/panels/Drawer.h"
#include "ui/panels/LessonPanel.h"
#include "ui/panels/StageWindow.h"
#include "ui/views/StyleSheet.h"
#include "ui/views/Theme.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

namespace {

constexpr double kReadable = 4.5; ///< WCAG 2.1, 1.4.3
constexpr double kDisabled = 2;   ///< exempt there; but one has to see that something is there
constexpr double kDrawn =
    0.85; ///< strokes of one pixel are smoothed: the darkest pixel of a word reaches this share of the colour's contrast

double luminance(QRgb c)
{
    const auto linear = [](int v) {
        const double s = v / 255.0;
        return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(qRed(c)) + 0.7152 * linear(qGreen(c)) + 0.0722 * linear(qBlue(c));
}

double contrast(QRgb a, QRgb b)
{
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

/// Of the pixel that differs most from the most frequent colour.
double contrastIn(const QImage& image, const QRect& area)
{
    std::map<QRgb, int> count;
    const QRect inside = area & image.rect();
    for (int y = inside.top(); y <= inside.bottom(); ++y)
        for (int x = inside.left(); x <= inside.right(); ++x)
            ++count[image.pixel(x, y)];
    if (count.empty())
        return 1;
    const QRgb ground =
        std::max_element(count.begin(), count.end(), [](const auto& a, const auto& b) { return a.second < b.second; })->first;
    double most = 1;
    for (const auto& [colour, number] : count)
        most = std::max(most, contrast(colour, ground));
    return most;
}

/// Where the words of a widget stand, without frame and marks; empty where it has none.
QRect wordsOf(const QWidget& widget)
{
    if (const auto* box = qobject_cast<const QCheckBox*>(&widget))
        return box->text().trimmed().isEmpty() ? QRect() : box->rect().adjusted(22, 0, 0, 0);
    if (const auto* radio = qobject_cast<const QRadioButton*>(&widget))
        return radio->text().trimmed().isEmpty() ? QRect() : radio->rect().adjusted(22, 0, 0, 0);
    if (const auto* tool = qobject_cast<const QToolButton*>(&widget);
        tool && (tool->toolButtonStyle() == Qt::ToolButtonIconOnly && !tool->icon().isNull()))
        return {};
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        return button->text().trimmed().isEmpty()
                   ? QRect()
                   : button->rect().adjusted(7, 5, -7, -5); // within the frame and its round corners
    if (const auto* combo = qobject_cast<const QComboBox*>(&widget))
        return combo->currentText().trimmed().isEmpty() ? QRect() : combo->rect().adjusted(7, 4, -24, -4);
    if (const auto* line = qobject_cast<const QLineEdit*>(&widget))
        return line->text().isEmpty() && line->placeholderText().isEmpty() ? QRect() : line->rect().adjusted(5, 3, -5, -3);
    if (const auto* label = qobject_cast<const QLabel*>(&widget))
        return label->text().trimmed().isEmpty() ? QRect() : label->contentsRect();
    return {};
}

struct Finding {
    QString who;
    double contrast;
};

/// All that is in sight of a window, as it is drawn now.
std::vector<Finding> unreadable(QWidget& window, int* seen = nullptr)
{
    const QImage image = window.grab().toImage().convertToFormat(QImage::Format_RGB32);
    std::vector<Finding> out;
    for (QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->window() != &window)
            continue;
        const QRect words = wordsOf(*widget);
        const QRect area = words & widget->visibleRegion().boundingRect();
        if (words.isEmpty() || area.width() < 0.8 * words.width() || area.height() < std::min(10, words.height()))
            continue; // cut off by a scroll area
        const QString text = widget->property("text").toString().left(30);
        const double found = contrastIn(image, area.translated(widget->mapTo(&window, QPoint())));
        if (seen)
            ++*seen;
        const bool faint = qobject_cast<const QLineEdit*>(widget) && qobject_cast<const QLineEdit*>(widget)->text().isEmpty();
        const double wanted = !widget->isEnabled() || faint ? kDisabled : kReadable;
        if (found < kDrawn * wanted)
            out.push_back(
                {QStringLiteral("%1 \"%2\" (%3)").arg(widget->metaObject()->className(), widget->objectName(), text), found});
    }
    return out;
}

/// Pictures to look at, where DRIFTLESS_KEEP_PICTURES names a folder.
void keep(QWidget& window, const QString& name)
{
    if (const QString folder = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES"); !folder.isEmpty())
        window.grab().save(QStringLiteral("%1/%2.png").arg(folder, name));
}

QString listed(const std::vector<Finding>& findings, const QString& where)
{
    QString out;
    for (const Finding& f : findings)
        out += QStringLiteral("\n%1: %2 has a contrast of %3").arg(where, f.who).arg(f.contrast, 0, 'f', 2);
    return out;
}

} // namespace

class TestContrast : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    void themes_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void everyPageCanBeRead_data() { themes_data(); }
    void everyPageCanBeRead()
    {
        QFETCH(bool, dark);
        Fixture f({1280, 900});
        f.window.setDark(dark);
        QVERIFY(f.window.openFirstStart().ok());
        QString all;
        int seen = 0;
        const auto look = [&](QWidget& window, const QString& where) {
            QTest::qWait(60);
            keep(window, QStringLiteral("%1-%2").arg(dark ? "dark" : "light", QString(where).replace(' ', '-')));
            all += listed(unreadable(window, &seen), where);
        };
        look(f.window, "first start");
        for (const char* page : {"equations", "structure", "model", "messages", "start", "lessons"}) {
            QVERIFY(f.window.openPage(page));
            look(f.window, page);
        }
        QVERIFY(f.window.openLesson("drift-off").ok());
        f.document.playback().pause();
        auto* panel = f.find<LessonPanel>("lessonPanel");
        for (int step = 0; step < static_cast<int>(panel->current()->steps.size()); ++step) {
            panel->goTo(step);
            f.document.playback().pause();
            if (panel->current()->steps[static_cast<std::size_t>(step)].question)
                f.click("lessonCheck"); // the verdict is read, too
            look(f.window, QStringLiteral("lesson step %1").arg(step + 1));
        }
        QVERIFY(!f.window.openPath("no-such-model").ok());
        look(f.window, "a message");
        f.window.setEditing(true);
        look(f.window, "the editor");
        f.window.setEditing(false);
        for (const Workspace workspace : kWorkspaces) {
            f.window.setWorkspace(workspace);
            look(f.window, QStringLiteral("workspace %1").arg(workspaceInfo(workspace).id));
        }
        f.window.setStaged(true);
        auto* stage = f.window.findChild<StageWindow*>("stageWindow");
        QVERIFY(stage);
        panel->goTo(0);
        f.document.playback().pause();
        look(*stage, "the stage");
        f.window.setStaged(false);
        QVERIFY2(all.isEmpty(), qPrintable(all));
        QVERIFY2(seen > 300, qPrintable(QString::number(seen)));
    }

    void everyDialogCanBeRead_data() { themes_data(); }
    void everyDialogCanBeRead()
    {
        QFETCH(bool, dark);
        Fixture f;
        f.window.setDark(dark);
        QVERIFY(f.window.openFirstStart().ok());
        f.document.playback().pause();
        QString all;
        int windows = 0;
        for (const char* name : {"gallery", "exportFigure", "arrangeFigure", "memory", "precision", "notation"}) {
            auto* action = f.window.findChild<QAction*>(name);
            if (!action)
                continue;
            action->trigger();
            QTest::qWait(150);
            for (QDialog* dialog : f.window.findChildren<QDialog*>())
                if (dialog->isVisible()) {
                    keep(*dialog, QStringLiteral("%1-dialog-%2").arg(dark ? "dark" : "light", name));
                    all += listed(unreadable(*dialog), name);
                    ++windows;
                    dialog->close();
                    delete dialog;
                }
        }
        QVERIFY2(all.isEmpty(), qPrintable(all));
        QVERIFY2(windows >= 5, qPrintable(QString::number(windows)));
    }

    /// One widget of every kind and state that the sheet speaks of.
    void everyPairOfTheSheetCanBeRead_data() { themes_data(); }
    void everyPairOfTheSheetCanBeRead()
    {
        QFETCH(bool, dark);
        applyTheme(*qApp, dark ? Theme::darkTheme() : Theme::light(), 1);
        QWidget window;
        window.setProperty("role", "window");
        window.setAttribute(Qt::WA_StyledBackground);
        auto* rows = new QVBoxLayout(&window);
        for (const char* ground : {"window", "bar", "card"}) {
            auto* part = new QWidget;
            part->setProperty("role", ground);
            part->setAttribute(Qt::WA_StyledBackground);
            auto* line = new QHBoxLayout(part);
            for (const char* role : {"", "primary", "choice"})
                for (const bool enabled : {true, false})
                    for (const bool checked : {false, true}) {
                        auto* button = new QPushButton(QStringLiteral("Word"));
                        button->setProperty("role", role);
                        button->setCheckable(true);
                        button->setChecked(checked);
                        button->setEnabled(enabled);
                        button->setObjectName(QStringLiteral("%1 %2 %3 %4").arg(ground, role).arg(enabled).arg(checked));
                        line->addWidget(button);
                    }
            for (const char* role : {"", "heading", "secondary", "error", "figure"}) {
                auto* label = new QLabel(QStringLiteral("Word"));
                label->setProperty("role", role);
                label->setObjectName(QStringLiteral("%1 %2").arg(ground, role));
                line->addWidget(label);
            }
            auto* field = new QLineEdit(QStringLiteral("Word"));
            auto* off = new QLineEdit(QStringLiteral("Word"));
            off->setEnabled(false);
            auto* combo = new QComboBox;
            combo->addItem(QStringLiteral("Word"));
            for (QWidget* w : {static_cast<QWidget*>(field), static_cast<QWidget*>(off), static_cast<QWidget*>(combo),
                               static_cast<QWidget*>(new QCheckBox(QStringLiteral("Word"))),
                               static_cast<QWidget*>(new QRadioButton(QStringLiteral("Word")))})
                line->addWidget(w);
            rows->addWidget(part);
        }
        auto* list = new QListWidget;
        list->addItems({QStringLiteral("Word"), QStringLiteral("Word")});
        list->setCurrentRow(1);
        rows->addWidget(list);
        window.show();
        QTest::qWait(50);
        int seen = 0;
        const QString all = listed(unreadable(window, &seen), "sheet");
        QVERIFY2(all.isEmpty(), qPrintable(all));
        QCOMPARE(seen, 3 * (12 + 5 + 5));
        const QImage image = list->viewport()->grab().toImage().convertToFormat(QImage::Format_RGB32);
        for (int row = 0; row < 2; ++row)
            QVERIFY(contrastIn(image, list->visualItemRect(list->item(row))) >= kDrawn * kReadable);
    }

    /// The test sees what it is there for: a rule for the ground of a page that reaches the buttons on it leaves the first one
    /// white on white.
    void aBlankButtonIsFound()
    {
        Fixture f;
        f.window.setDark(false);
        QVERIFY(f.window.openFirstStart().ok());
        QVERIFY(f.window.openPage("lessons"));
        QTest::qWait(50);
        QVERIFY(unreadable(f.window).empty());
        f.window.setStyleSheet(f.window.styleSheet() + "#lessonListPage QWidget { background: #FFFFFF; }");
        QTest::qWait(50);
        const auto found = unreadable(f.window);
        QVERIFY(std::ranges::any_of(found, [](const Finding& one) { return one.who.contains("lessonStart"); }));
    }
};

QTEST_MAIN(TestContrast)
#include "test_contrast.moc"
