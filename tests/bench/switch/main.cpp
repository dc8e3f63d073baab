// What a switch of the formulation costs the frames of the window: driftless_switch_bench [model] [rounds].
//
// A run plays at 1280x720, the equations are in sight. The list on its strip is opened and a formulation chosen, each after the
// other and back. open_ms and choice_ms are the two events; the stall is the longest event of the GUI thread from the opening
// until ten frames after the choice, in which no frame can be shown; gui_ms processor time of the choice; distance_ms the
// longest time between two frames. Offscreen, or where QT_QPA_PLATFORM says. Prints JSON, the longest switches first; a
// measurement, never a test.
#include <QComboBox>
#include <QEventLoop>
#include <QSettings>
#include <QStandardItemModel>
#include <QTemporaryDir>
#include <QTimer>

#include <cstdlib>

#include "tests/bench/frame/FrameMeter.h"
#include "ui/panels/MainWindow.h"

using namespace driftless;

namespace {

constexpr int kFramesBetween = 10;
constexpr int kListed = 8; ///< switches that are printed one by one

struct Switch {
    QString from, to;
    qint64 opening = 0, act = 0, used = 0, longest = 0, distance = 0; ///< [ns]
    bool done = false;
};

/// Handles events until so many frames have been shown; the longest time between two of them [ns].
qint64 showFrames(ui::MainWindow& window, int count)
{
    QEventLoop loop;
    QElapsedTimer since;
    since.start();
    qint64 longest = 0;
    const auto shown = QObject::connect(&window, &ui::MainWindow::frameShown, &loop, [&] {
        longest = std::max(longest, since.nsecsElapsed());
        since.restart();
        if (--count <= 0)
            loop.quit();
    });
    QTimer::singleShot(5000, &loop, &QEventLoop::quit); // a run that stopped shows no more frames
    loop.exec();
    QObject::disconnect(shown);
    return longest;
}

Switch choose(ui::MainWindow& window, ui::Document& document, bench::MeteredApplication& application, QComboBox& list, int row)
{
    Switch out;
    const auto form = [&] { return document.status(document.runs().front().key).settings.formulation; };
    out.from = QString::fromStdString(form());
    out.to = list.itemData(row).toString();
    application.longest = 0;
    // Both are events of the window's thread, as clicks are.
    QTimer::singleShot(0, &list, [&] {
        QElapsedTimer wall;
        wall.start();
        list.showPopup();
        out.opening = wall.nsecsElapsed();
    });
    out.distance = showFrames(window, kFramesBetween);
    QTimer::singleShot(0, &list, [&] {
        QElapsedTimer wall;
        wall.start();
        const qint64 before = bench::processorTime();
        list.hidePopup();
        list.setCurrentIndex(row);
        out.used = bench::processorTime() - before;
        out.act = wall.nsecsElapsed();
    });
    out.distance = std::max(out.distance, showFrames(window, kFramesBetween));
    out.longest = std::max({application.longest, out.opening, out.act});
    out.done = form() == out.to.toStdString();
    return out;
}

} // namespace

int main(int argc, char** argv)
{
    ::setenv("QT_QPA_PLATFORM", "offscreen", 0);
    QTemporaryDir folder;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
    bench::MeteredApplication application(argc, argv);
    const QString model = argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral("slider-crank");
    const int rounds = argc > 2 ? std::atoi(argv[2]) : 1;
    ui::Document document;
    ui::MainWindow window(document);
    window.resize(1280, 720);
    window.show();
    window.startFrames();
    const auto opened = window.openPath(model);
    if (!opened.ok() || !window.openPage(QStringLiteral("equations"))) {
        std::fprintf(stderr, "%s could not be opened\n", qPrintable(model));
        return 1;
    }
    document.playback().play();
    showFrames(window, 120);
    auto* list = window.findChild<QComboBox*>(QStringLiteral("formulation_%1").arg(document.runs().front().colour + 1));
    std::vector<int> rows;
    for (int row = 0; row < list->count(); ++row)
        if (!list->itemData(row).toString().isEmpty())
            rows.push_back(row);
    std::vector<Switch> all;
    QStringList refused;
    for (int round = 0; round < rounds; ++round) {
        std::vector<int> order = rows;
        order.insert(order.end(), rows.rbegin() + 1, rows.rend());
        for (const int row : order) {
            const Switch made = choose(window, document, application, *list, row);
            if (made.done)
                all.push_back(made);
            else
                refused << made.from + QStringLiteral(" to ") + made.to;
        }
    }
    bench::Sample stalls, openings, acts, used, distances;
    for (const Switch& one : all) {
        stalls.add(one.longest);
        openings.add(one.opening);
        acts.add(one.act);
        used.add(one.used);
        distances.add(one.distance);
    }
    std::printf("{\"model\":\"%s\",\"forms\":%zu,\"switches\":%zu,\"refused\":\"%s\",", qPrintable(model), rows.size(),
                all.size(), qPrintable(refused.join(QStringLiteral(", "))));
    stalls.print("stall_ms");
    std::printf(",");
    openings.print("open_ms");
    std::printf(",");
    acts.print("choice_ms");
    std::printf(",");
    used.print("gui_ms");
    std::printf(",");
    distances.print("distance_ms");
    std::printf("}\n");
    std::ranges::sort(all, std::greater{}, &Switch::longest);
    for (std::size_t k = 0; k < std::min<std::size_t>(all.size(), kListed); ++k)
        std::printf(
            "{\"from\":\"%s\",\"to\":\"%s\",\"stall_ms\":%.1f,\"choice_ms\":%.1f,\"gui_ms\":%.1f,\"distance_ms\":%.1f}\n",
            qPrintable(all[k].from), qPrintable(all[k].to), 1e-6 * static_cast<double>(all[k].longest),
            1e-6 * static_cast<double>(all[k].act), 1e-6 * static_cast<double>(all[k].used),
            1e-6 * static_cast<double>(all[k].distance));
    std::fflush(stdout);
    std::_Exit(0); // leaving would ask whether to save
}
