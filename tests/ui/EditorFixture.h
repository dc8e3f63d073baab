// The editor as a person uses it: tools, the mouse over the scene, and the text that comes of it.
#pragma once

#include <QMenu>
#include <QTemporaryDir>

#include <cmath>

#include "tests/ui/WindowFixture.h"
#include "ui/document/MechanismEditor.h"
#include "ui/views/SceneEditor.h"
#include "ui/views/SceneView.h"

namespace driftless::ui::test {

/// What numbers in the text are rounded to.
inline constexpr double kWritten = 1e-6;

struct Builder : Fixture {
    using Fixture::Fixture;

    SceneEditor& sheet() { return window.sceneEditor(); }
    QPoint at(double x, double y) { return window.scene().toScreen({x, y}).toPoint(); }
    bool tool(const char* name) { return click(QLatin1String(name)); }

    void press(QPoint from, QPoint to, bool release = true, Qt::KeyboardModifiers keys = {})
    {
        QTest::mouseMove(&sheet(), from);
        QTest::mousePress(&sheet(), Qt::LeftButton, keys, from);
        for (int k = 1; k <= 4; ++k) {
            const QPointF p = from + QPointF(to - from) * k / 4;
            QMouseEvent move(QEvent::MouseMove, p, sheet().mapToGlobal(p), Qt::NoButton, Qt::LeftButton, keys);
            QApplication::sendEvent(&sheet(), &move);
        }
        if (release)
            QTest::mouseRelease(&sheet(), Qt::LeftButton, keys, to);
        QTest::qWait(5);
    }
    void pull(double x1, double y1, double x2, double y2, bool release = true) { press(at(x1, y1), at(x2, y2), release); }
    void tap(double x, double y, Qt::KeyboardModifiers keys = {})
    {
        QTest::mouseMove(&sheet(), at(x, y));
        QTest::mouseClick(&sheet(), Qt::LeftButton, keys, at(x, y));
        QTest::qWait(5);
    }
    /// An entry of the menu beside a button of the top bar, by mouse.
    bool menu(const char* button, const QString& entry)
    {
        auto* tool = find<QToolButton>(QLatin1String(button));
        QMenu* list = tool ? tool->menu() : nullptr;
        if (!list)
            return false;
        bool found = false;
        QTimer::singleShot(50, list, [&] {
            for (QAction* action : list->actions())
                if (action->text() == entry) {
                    found = true;
                    QTest::mouseClick(list, Qt::LeftButton, {}, list->actionGeometry(action).center());
                    return;
                }
            list->close();
        });
        QTest::mouseClick(tool, Qt::LeftButton, {}, QPoint(tool->width() - 4, tool->height() / 2));
        QTest::qWait(120);
        return found;
    }
    const EditBody& body(const char* name) { return *window.editor().mechanism().geometry().body(name); }
    QString text() const { return document.bench().modelText(); }
    QString live() const { return find<QLabel>("editStatusLine")->text(); }
};

inline void open(Builder& f, const char* text)
{
    QTemporaryDir folder;
    const QString path = folder.filePath("built.toml");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    const auto opened = f.document.files().open(path);
    QVERIFY2(opened.ok(), opened ? "" : opened.error().text().c_str());
    QTest::qWait(30);
    f.click("editButton");
}

inline const char* const kTwoBars = "format = 1\n"
                                    "name = \"arm\"\n"
                                    "# lengths of one metre\n"
                                    "[[body]]\n"
                                    "name = \"upper\"\n"
                                    "kind = \"rigid\"\n"
                                    "mass = 1\n"
                                    "inertia = 0.083333\n"
                                    "x = 0.5\n"
                                    "shape = { kind = \"bar\", from = [-0.5, 0], to = [0.5, 0] }\n"
                                    "\n"
                                    "[[body]]\n"
                                    "name = \"lower\"\n"
                                    "kind = \"rigid\"\n"
                                    "mass = 1\n"
                                    "inertia = 0.083333\n"
                                    "x = 1.0 # of its centre\n"
                                    "y = -0.5\n"
                                    "angle = -1.570796\n"
                                    "shape = { kind = \"bar\", from = [-0.5, 0], to = [0.5, 0] }\n"
                                    "\n"
                                    "[[joint]]\n"
                                    "name = \"shoulder\"\n"
                                    "kind = \"pin\"\n"
                                    "from = \"ground\"\n"
                                    "to = { body = \"upper\", at = [-0.5, 0] }\n"
                                    "\n"
                                    "[[joint]]\n"
                                    "name = \"elbow\"\n"
                                    "kind = \"pin\"\n"
                                    "from = { body = \"upper\", at = [0.5, 0] }\n"
                                    "to = { body = \"lower\", at = [-0.5, 0] }\n"
                                    "\n"
                                    "[[force]]\n"
                                    "kind = \"gravity\"\n"
                                    "acceleration = 9.81\n"
                                    "\n"
                                    "[view]\n"
                                    "length_unit = 0.5\n"
                                    "extent = 2.5\n";

} // namespace driftless::ui::test
