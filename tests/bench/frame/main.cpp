// What a frame costs the GUI thread: 1400x900 offscreen, three runs playing, all plots visible.
//
// Every event that the application delivers is timed, so layout, painting and copying to the backing store count as well
// as the frame loop itself. Prints JSON; a measurement, never a test.
#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "ui/panels/MainWindow.h"
#include "ui/panels/PlotColumn.h"

using namespace driftless;

namespace {

/// Adds up the time spent inside events since the last frame.
class MeteredApplication : public QApplication {
public:
    using QApplication::QApplication;
    qint64 spent = 0; // [ns]

    bool notify(QObject* receiver, QEvent* event) override
    {
        if (depth_ > 0)
            return QApplication::notify(receiver, event);
        QElapsedTimer timer;
        timer.start();
        ++depth_;
        const bool done = QApplication::notify(receiver, event);
        --depth_;
        spent += timer.nsecsElapsed();
        return done;
    }

private:
    int depth_ = 0;
};

double quantile(std::vector<double> values, double share)
{
    if (values.empty())
        return 0;
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

} // namespace

int main(int argc, char** argv)
{
    ::setenv("QT_QPA_PLATFORM", "offscreen", 0);
    const double seconds = argc > 1 ? std::atof(argv[1]) : 20;
    QTemporaryDir settings;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
    MeteredApplication application(argc, argv);
    ui::Document document;
    ui::MainWindow window(document);
    if (!window.openFirstStart().ok() || !document.control().duplicateRun(document.runs()[1].key)
        || !document.control().setFormulation(document.runs()[2].key, QStringLiteral("projection"))) {
        std::fprintf(stderr, "the first start could not be opened\n");
        return 1;
    }
    window.resize(1400, 900);
    window.show();
    window.startFrames();
    document.playback().play();

    constexpr double kWarmUp = 1; // [s] caches fill, the first pictures are made
    std::vector<double> costs, distances;
    QElapsedTimer clock;
    clock.start();
    qint64 lastFrame = 0, lastSpent = 0;
    QObject::connect(&window, &ui::MainWindow::frameShown, &application, [&] {
        // Emitted inside the frame event: what is charged here is the previous frame's loop and painting.
        const qint64 now = clock.nsecsElapsed();
        if (1e-9 * static_cast<double>(now) > kWarmUp && lastFrame > 0) {
            costs.push_back(1e-6 * static_cast<double>(application.spent - lastSpent));
            distances.push_back(1e-6 * static_cast<double>(now - lastFrame));
        }
        lastFrame = now;
        lastSpent = application.spent;
    });
    // exit, not quit: quitting would ask whether to save.
    QTimer::singleShot(static_cast<int>(1000 * (seconds + kWarmUp)), &application, [] { QCoreApplication::exit(); });
    QApplication::exec();
    std::printf("{\"size\":\"1400x900\",\"runs\":3,\"plots\":%d,\"frames\":%zu,\"simulated_seconds\":%.3f,"
                "\"cost_ms\":{\"median\":%.3f,\"p99\":%.3f,\"max\":%.3f},"
                "\"distance_ms\":{\"median\":%.3f,\"p99\":%.3f,\"max\":%.3f}}\n",
                window.plots().count(), costs.size(), document.laboratory().clock().t, quantile(costs, 0.5),
                quantile(costs, 0.99), quantile(costs, 1), quantile(distances, 0.5), quantile(distances, 0.99),
                quantile(distances, 1));
    return 0;
}
