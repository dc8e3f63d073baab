// The real window on the offscreen platform, as a person drives it: by clicks and keys on widgets found by their names.
#pragma once

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
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

    /// Opens the list of a combo box with the mouse and clicks an entry.
    bool choose(const QString& name, const QString& entry)
    {
        auto* combo = find<QComboBox>(name);
        const int row = combo ? combo->findText(entry) : -1;
        if (row < 0)
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

    /// Types into a field as a person does.
    bool enter(const QString& name, const QString& text)
    {
        auto* field = find<QLineEdit>(name);
        if (!field)
            return false;
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

inline bool hasEvent(const std::vector<run::Event>& events, run::EventKind kind, const std::string& part)
{
    for (const auto& event : events)
        if (event.kind() == kind && run::words(event).find(part) != std::string::npos)
            return true;
    return false;
}

} // namespace driftless::ui::test
