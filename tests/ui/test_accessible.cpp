// label: long
// What a screen reader is told and where the keys lead: in every workspace, beside a lesson, in Home, in the palette and on the
// stage every control has a name and a role, and Tab comes by each.
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QAccessible>
#include <QSet>
#include <QSettings>
#include <QTemporaryDir>

#include "tests/ui/WindowFixture.h"
#include "ui/panels/CommandPalette.h"
#include "ui/panels/Home.h"
#include "ui/panels/StageWindow.h"
#include "ui/views/SceneView.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

namespace {

QString described(const QWidget& widget)
{
    return QStringLiteral("%1 \"%2\" in \"%3\"")
        .arg(widget.metaObject()->className(), widget.objectName(),
             widget.parentWidget() ? widget.parentWidget()->objectName() : QString());
}

/// Whether keys can act on it: it takes the focus by Tab.
bool isControl(const QWidget& widget)
{
    return widget.isEnabled() && (widget.focusPolicy() & Qt::TabFocus) == Qt::TabFocus && widget.focusProxy() == nullptr;
}

/// Parts of Qt's own controls, which the control speaks for.
bool isPart(const QWidget& widget)
{
    if (widget.objectName().startsWith(QLatin1String("qt_")))
        return true;
    const auto* parent = widget.parentWidget();
    return qobject_cast<const QAbstractScrollArea*>(parent)
           && static_cast<const QAbstractScrollArea*>(parent)->viewport() == &widget;
}

std::vector<QWidget*> controlsOf(QWidget& window)
{
    std::vector<QWidget*> out;
    for (QWidget* widget : window.findChildren<QWidget*>())
        if (widget->window() == &window && widget->isVisible() && isControl(*widget) && !isPart(*widget))
            out.push_back(widget);
    return out;
}

/// What the tree says of every control that it should not.
QString unnamed(QWidget& window)
{
    QString out;
    for (QWidget* widget : controlsOf(window)) {
        QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(widget);
        if (!spoken) {
            out += described(*widget) + " is not in the tree\n";
            continue;
        }
        if (spoken->text(QAccessible::Name).trimmed().isEmpty())
            out += described(*widget) + " has no name\n";
        const auto role = spoken->role();
        if (role == QAccessible::NoRole || role == QAccessible::Client)
            out += QStringLiteral("%1 has the role %2\n").arg(described(*widget)).arg(role);
    }
    return out;
}

/// Controls that Tab does not come by, going once around.
QString notOnTheWay(QWidget& window)
{
    QApplication::setActiveWindow(&window);
    constexpr int kMostLinks = 40;
    int stuck = 0;
    QSet<const QWidget*> passed;
    const auto controls = controlsOf(window);
    for (std::size_t steps = 0; steps < 4 * controls.size() + 50; ++steps) {
        if (QWidget* now = QApplication::focusWidget())
            passed.insert(now);
        QWidget* focus = QApplication::focusWidget();
        QTest::keyClick(focus ? focus : &window, Qt::Key_Tab);
        stuck = QApplication::focusWidget() == focus ? stuck + 1 : 0; // a page is left behind its last link
        if (stuck > kMostLinks)
            return described(*focus) + " keeps Tab for itself\n";
    }
    QString out;
    for (const QWidget* control : controls) {
        // A group of radio buttons is one stop; arrows move within.
        const auto* radio = qobject_cast<const QAbstractButton*>(control);
        const bool grouped = radio && radio->autoExclusive();
        if (!passed.contains(control) && !grouped)
            out += described(*control) + " is not reached by Tab\n";
    }
    return controls.size() >= 2 ? out : QStringLiteral("only %1 controls").arg(controls.size());
}

/// Stops of Tab whose look does not change when they have the focus: nobody knows where keys act.
QString unseenStops(QWidget& window)
{
    constexpr int kAround = 4, kMostStops = 200;
    QApplication::setActiveWindow(&window);
    QSet<const QWidget*> passed;
    QString out;
    for (int stop = 0; stop < kMostStops; ++stop) {
        const QWidget* before = QApplication::focusWidget();
        const QImage without = window.grab().toImage();
        QTest::keyClick(const_cast<QWidget*>(before), Qt::Key_Tab);
        QTest::qWait(1);
        const QWidget* now = QApplication::focusWidget();
        if (!now || now == before)
            continue;
        if (passed.contains(now))
            break;
        passed.insert(now);
        const QRect place =
            QRect(now->mapTo(&window, QPoint(0, 0)), now->size()).adjusted(-kAround, -kAround, kAround, kAround);
        if (window.grab().toImage().copy(place) == without.copy(place))
            out += described(*now) + " does not show that it has the focus\n";
    }
    return passed.size() > 5 ? out : QStringLiteral("only %1 stops").arg(passed.size());
}

/// Everything below a node can be asked without a crash, and the tree is about as large as what is in sight.
int nodesOf(QAccessibleInterface* node, int depth = 0)
{
    if (!node || depth > 40)
        return 0;
    int count = 1;
    (void)node->text(QAccessible::Name);
    (void)node->text(QAccessible::Description);
    (void)node->state();
    constexpr int kMostChildren = 300; // lists have more
    for (int i = 0; i < std::min(node->childCount(), kMostChildren); ++i)
        count += nodesOf(node->child(i), depth + 1);
    return count;
}

} // namespace

class TestAccessible : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    void initTestCase()
    {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path());
        QAccessible::setActive(true);
    }

    void everyWorkspace_data()
    {
        QTest::addColumn<int>("place");
        QTest::addColumn<bool>("lesson");
        for (const Workspace workspace : kWorkspaces)
            for (const bool lesson : {false, true})
                QTest::addRow("%s %s", workspaceInfo(workspace).id, lesson ? "lesson" : "")
                    << static_cast<int>(workspace) << lesson;
    }
    void everyWorkspace()
    {
        QFETCH(int, place);
        QFETCH(bool, lesson);
        Fixture f({1280, 720});
        QVERIFY(f.window.openFirstStart().ok());
        if (lesson)
            QVERIFY(f.window.openLesson("drift-off").ok());
        f.document.playback().pause();
        f.window.setWorkspace(kWorkspaces[place]);
        QTest::qWait(150);
        QString said = unnamed(f.window);
        QVERIFY2(said.isEmpty(), qPrintable('\n' + said));
        said = notOnTheWay(f.window);
        QVERIFY2(said.isEmpty(), qPrintable('\n' + said));
        const int nodes = nodesOf(QAccessible::queryAccessibleInterface(&f.window));
        QVERIFY2(nodes > 60, qPrintable(QString::number(nodes)));
    }

    void everyStopOfTab_isSeen()
    {
        QApplication::setCursorFlashTime(0);
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        f.document.playback().pause();
        QTest::qWait(300);
        f.window.scene().setFocus();
        const QString said = unseenStops(f.window);
        QVERIFY2(said.isEmpty(), qPrintable(said));
    }

    void everyPageOfTheDrawer()
    {
        Fixture f({1280, 720});
        QVERIFY(f.window.openFirstStart().ok());
        f.window.setWorkspace(Workspace::Equations);
        for (const char* page : {"equations", "structure", "model", "messages", "start"}) {
            QVERIFY(f.window.openPage(page));
            QTest::qWait(100);
            const QString said = unnamed(f.window) + notOnTheWay(f.window);
            QVERIFY2(said.isEmpty(), qPrintable(QString::fromLatin1(page) + '\n' + said));
        }
    }

    void homeAndPalette()
    {
        Fixture f({1280, 720});
        QVERIFY(f.window.openFirstStart().ok());
        QVERIFY(f.click("galleryButton"));
        auto* home = f.window.findChild<Home*>("home");
        QVERIFY(home);
        QTest::qWait(100);
        QString said = unnamed(*home) + notOnTheWay(*home);
        QVERIFY2(said.isEmpty(), qPrintable('\n' + said));
        delete home;
        QApplication::setActiveWindow(&f.window);
        QTest::keyClick(&f.window, Qt::Key_K, Qt::ControlModifier);
        QTest::qWait(50);
        auto* palette = f.window.findChild<CommandPalette*>("commandPalette");
        QVERIFY(palette);
        said = unnamed(*palette); // one field has the keys; arrows move in the list
        QVERIFY2(said.isEmpty(), qPrintable('\n' + said));
        delete palette;
    }

    void stage_data()
    {
        QTest::addColumn<QString>("lesson");
        QTest::newRow("alone") << QString();
        QTest::newRow("a number") << QStringLiteral("drift-off");
        QTest::newRow("a choice") << QStringLiteral("what-is-a-dae");
    }
    void stage()
    {
        QFETCH(QString, lesson);
        Fixture f({1280, 720});
        QVERIFY(f.window.openFirstStart().ok());
        if (!lesson.isEmpty())
            QVERIFY(f.window.openLesson(lesson).ok());
        f.document.playback().pause();
        f.window.setStaged(true);
        auto* stage = f.window.findChild<StageWindow*>("stageWindow");
        QVERIFY(stage);
        stage->showNormal();
        stage->resize(1280, 720);
        QTest::qWait(150);
        const QString said = unnamed(*stage) + notOnTheWay(*stage);
        QVERIFY2(said.isEmpty(), qPrintable('\n' + said));
    }
};

QTEST_MAIN(TestAccessible)
#include "test_accessible.moc"
