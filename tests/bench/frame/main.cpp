// What a frame costs the GUI thread while runs play: driftless_frame_bench [seconds] [WIDTHxHEIGHT] [runs] [model[=N]...].
//
// Models one after the other in one window (=N sets the structure of a chain), the runs in different forms, the plots that fit.
// gui_ms is processor time of the GUI thread from one frame to the next, painting included; events_ms wall time inside its
// events; raster_ms what the threads of a software OpenGL take a frame, which are not the GUI thread's. Offscreen, or where
// QT_QPA_PLATFORM says. Prints JSON, a line for each model; a measurement, never a test.
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>

#include <cstdlib>
#include <fstream>

#include "core/mechanism/ReadModel.h"
#include "tests/bench/frame/FrameMeter.h"
#include "tests/bench/frame/ThreadTime.h"
#include "ui/panels/MainWindow.h"
#include "ui/panels/PlotColumn.h"

using namespace driftless;
using bench::MeteredApplication;

namespace {

struct Request {
    double seconds = 10;
    QSize size{1280, 720};
    int runs = 3;
    QStringList models{QStringLiteral("pendulum"), QStringLiteral("slider-crank"), QStringLiteral("andrews"),
                       QStringLiteral("stewart")};
};

Request requestOf(const QStringList& words)
{
    Request out;
    if (words.size() > 1)
        out.seconds = words[1].toDouble();
    if (words.size() > 2)
        out.size = {words[2].section('x', 0, 0).toInt(), words[2].section('x', 1, 1).toInt()};
    if (words.size() > 3)
        out.runs = words[3].toInt();
    if (words.size() > 4)
        out.models = words.mid(4);
    return out;
}

/// "name", or "name=N": a file of its own in the folder.
Result<void> open(ui::MainWindow& window, const QString& asked, const QTemporaryDir& folder)
{
    if (!asked.contains('='))
        return window.openPath(asked);
    const auto base = model::openModel(asked.section('=', 0, 0).toStdString());
    const auto large = base ? model::withStructure(*base, {{"N", asked.section('=', 1).toInt()}}) : base;
    if (!large)
        return large.error();
    const QString path = folder.filePath(QStringLiteral("large.toml"));
    std::ofstream(path.toStdString()) << (*large)->text;
    return window.openPath(path);
}

/// The model's own run, and the same in other forms.
bool addRuns(ui::Document& document, int count)
{
    QStringList forms{QStringLiteral("projection"), QStringLiteral("ggl"), QStringLiteral("index-3"),
                      QStringLiteral("baumgarte"), QStringLiteral("index-1")};
    while (static_cast<int>(document.runs().size()) < count) {
        if (!document.control().duplicateRun(document.runs().front().key))
            return false;
        while (!forms.isEmpty() && !document.control().setFormulation(document.runs().back().key, forms.takeFirst())) {}
    }
    return true;
}

void play(ui::MainWindow& window, ui::Document& document, MeteredApplication& application, const Request& asked,
          const QString& name)
{
    constexpr double kWarmUp = 1; // [s] caches fill, the first pictures are made
    bench::Sample gui, events, distances;
    QElapsedTimer clock;
    clock.start();
    qint64 lastFrame = 0, lastSpent = 0, lastGui = 0;
    double firstTime = 0, firstRaster = 0;
    const auto shown = QObject::connect(&window, &ui::MainWindow::frameShown, &application, [&] {
        // Emitted inside the frame event: what is charged here is the previous frame's loop and painting.
        const qint64 now = clock.nsecsElapsed(), used = bench::processorTime();
        if (1e-9 * static_cast<double>(now) > kWarmUp) {
            if (gui.size() == 0) {
                firstRaster = bench::rasterSeconds();
                firstTime = document.laboratory().clock().t;
            }
            gui.add(used - lastGui);
            events.add(application.spent - lastSpent);
            distances.add(now - lastFrame);
        }
        lastFrame = now;
        lastSpent = application.spent;
        lastGui = bench::processorTime();
    });
    QTimer::singleShot(static_cast<int>(1000 * (asked.seconds + kWarmUp)), &application, [] { QCoreApplication::exit(); });
    QApplication::exec();
    QObject::disconnect(shown);
    const double raster = 1e3 * (bench::rasterSeconds() - firstRaster);
    const auto frames = static_cast<double>(std::max<std::size_t>(1, gui.size()));
    std::printf("{\"model\":\"%s\",\"size\":\"%dx%d\",\"runs\":%zu,\"plots\":%d,\"frames\":%zu,\"frames_per_s\":%.1f,"
                "\"simulated_s_per_s\":%.3f,",
                qPrintable(name), asked.size.width(), asked.size.height(), document.runs().size(), window.plots().count(),
                gui.size(), frames / asked.seconds, (document.laboratory().clock().t - firstTime) / asked.seconds);
    gui.print("gui_ms");
    std::printf(",\"raster_ms\":%.2f,", raster / frames);
    events.print("events_ms");
    std::printf(",");
    distances.print("distance_ms");
    std::printf("}\n");
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv)
{
    ::setenv("QT_QPA_PLATFORM", "offscreen", 0);
    QTemporaryDir folder;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
    MeteredApplication application(argc, argv);
    const Request asked = requestOf(QApplication::arguments());
    ui::Document document;
    ui::MainWindow window(document);
    window.resize(asked.size);
    window.show();
    window.startFrames();
    for (const QString& name : asked.models) {
        const auto opened = open(window, name, folder);
        if (!opened.ok() || !addRuns(document, asked.runs)) {
            std::fprintf(stderr, "%s could not be opened with %d runs\n", qPrintable(name), asked.runs);
            return 1;
        }
        document.playback().play();
        play(window, document, application, asked, name);
        document.playback().pause();
    }
    std::fflush(stdout);
    std::_Exit(0); // leaving would ask whether to save
}
