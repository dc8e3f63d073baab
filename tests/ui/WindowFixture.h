// The real window on the offscreen platform, as a person drives it: by clicks and keys on widgets found by their names.
#pragma once

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QTest>
#include <QToolButton>

#include <cmath>

#include "core/run/EventWords.h"
#include "ui/document/Document.h"
#include "ui/panels/MainWindow.h"

namespace driftless::ui::test {

struct Fixture {
    Document document;
    MainWindow window{document};

    explicit Fixture(QSize size = {1280, 720})
    {
        window.resize(size);
        window.show();
        window.startFrames();
        QTest::qWait(50);
    }

    template <typename W>
    W* find(const QString& name) const
    {
        auto* widget = window.findChild<W*>(name);
        if (!widget)
            qWarning("there is no %s", qPrintable(name));
        return widget;
    }

    bool click(const QString& name)
    {
        auto* button = find<QAbstractButton>(name);
        if (!button || !button->isEnabled() || !button->isVisible())
            return false;
        QTest::mouseClick(button, Qt::LeftButton);
        QTest::qWait(20);
        return true;
    }

    /// Opens the list of a combo box with the mouse and clicks an entry, by its id where it has one.
    bool choose(const QString& name, const QString& entry)
    {
        auto* combo = find<QComboBox>(name);
        int row = combo ? combo->findData(entry) : -1;
        if (combo && row < 0)
            row = combo->findText(entry);
        if (row < 0 || !combo->isVisible())
            return false;
        QTest::mouseClick(combo, Qt::LeftButton);
        QTest::qWait(20);
        auto* view = combo->view();
        const auto index = view->model()->index(row, combo->modelColumn());
        view->scrollTo(index);
        QTest::mouseMove(view->viewport(), view->visualRect(index).center());
        QTest::qWait(QApplication::doubleClickInterval()
                     + 20); // until then the popup takes a release for the end of the click that opened it
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(index).center());
        QTest::qWait(30);
        return true;
    }

    /// What a person scrolls to see it.
    static QScrollArea* scrollOver(QWidget* widget)
    {
        for (QWidget* over = widget->parentWidget(); over; over = over->parentWidget())
            if (auto* scroll = qobject_cast<QScrollArea*>(over))
                return scroll;
        return nullptr;
    }

    /// A click on the run's line: its method is in sight.
    bool openRun(int number)
    {
        if (auto* strip = find<QWidget>(QStringLiteral("strip_%1").arg(number)); !strip || strip->isVisible())
            return strip;
        if (!openColumn())
            return false;
        auto* row = find<QWidget>(QStringLiteral("row_%1").arg(number));
        QTest::mouseClick(row, Qt::LeftButton, {}, QPoint(60, row->height() / 2));
        QTest::qWait(20);
        return find<QWidget>(QStringLiteral("strip_%1").arg(number))->isVisible();
    }

    /// The column of runs, parameters and pivots: beside a lesson a click on the chip of the selected run brings it.
    bool openColumn()
    {
        const RunEntry* run = document.find(document.bench().selected());
        auto* column = find<QWidget>("leftColumn");
        return column->isVisible() || (run && click(QStringLiteral("chip_%1").arg(run->colour + 1)) && column->isVisible());
    }

    /// Its details: options, cost, duplicate and remove.
    bool openDetails(int number)
    {
        if (!openRun(number))
            return false;
        auto* card = find<QWidget>(QStringLiteral("card_%1").arg(number));
        return card->isVisible() || (click(QStringLiteral("details_%1").arg(number)) && card->isVisible());
    }

    /// Types into a field as a person does.
    bool enter(const QString& name, const QString& text)
    {
        if (!QTest::qWaitFor([&] { return find<QLineEdit>(name) && find<QLineEdit>(name)->isVisible(); }, 1000))
            return false;
        auto* field = find<QLineEdit>(name);
        if (auto* scroll = scrollOver(field))
            scroll->ensureWidgetVisible(field);
        QTest::mouseClick(field, Qt::LeftButton);
        field->selectAll();
        QTest::keyClicks(field, text);
        QTest::keyClick(field, Qt::Key_Return);
        QTest::qWait(20);
        return true;
    }

    /// Types a path into the file dialog that is open and accepts it.
    bool acceptPath(const QString& path)
    {
        QFileDialog* dialog = nullptr;
        for (int i = 0; i < 50 && !dialog; ++i) {
            QTest::qWait(20);
            dialog = window.findChild<QFileDialog*>();
        }
        auto* field = dialog ? dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit")) : nullptr;
        if (!field)
            return false;
        field->setText(path);
        QTest::keyClick(field, Qt::Key_Return);
        QTest::qWait(100);
        return true;
    }

    /// Types a path into the dialog of the comparison picture and presses Enter.
    bool savePicture(const QString& path)
    {
        QPointer<QDialog> dialog;
        for (int i = 0; i < 50 && !dialog; ++i) {
            QTest::qWait(20);
            dialog = window.findChild<QDialog*>(QStringLiteral("comparisonDialog"));
        }
        auto* field = dialog ? dialog->findChild<QLineEdit*>(QStringLiteral("comparisonPath")) : nullptr;
        if (!field)
            return false;
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, path);
        QTest::keyClick(field, Qt::Key_Return);
        return QTest::qWaitFor([&] { return !dialog || !dialog->isVisible(); }, 5000)
               && QTest::qWaitFor([&] { return dialog.isNull(); }, 1000);
    }

    double time() const { return document.laboratory().clock().t; }
    bool playUntil(double t)
    {
        return QTest::qWaitFor([&] { return time() >= t; }, 30000);
    }
    int key(int run) const { return document.runs()[static_cast<std::size_t>(run)].key; }
    run::RunId id(int run) const { return document.runs()[static_cast<std::size_t>(run)].id; }
    run::RunStatus status(int run) const { return document.status(key(run)); }
    QString value(const QString& label) const { return find<QLabel>(label)->text(); }
};

/// The two rows that a recording has at the time of a command: before and after.
struct Jump {
    std::vector<double> before, after; ///< q then v
};
inline Jump jumpAt(const run::RecordingView& recording, double t)
{
    Jump jump;
    const auto last = recording.rowAt(t);
    const auto first = last > 0 && recording.time(last - 1) == t ? last - 1 : last;
    const int q = recording.findColumn(recording.columns().front().name); // q and v are the first columns
    for (int i = 0; i < 2 * recording.n(); ++i) {
        jump.before.push_back(recording.value(first, q + i));
        jump.after.push_back(recording.value(last, q + i));
    }
    return jump;
}

} // namespace driftless::ui::test
