// How soon something is seen: the window with the opening scene, a change of the theme, the stage, Home with pictures to be
// drawn and with kept ones, and a chain of 1,000 links. Wall time to the first frame that shows it, offscreen at 1280x720,
// medians of some repetitions. Prints JSON; a measurement, never a test.
#include <QApplication>
#include <QDialog>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QListWidget>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <vector>

#include "core/mechanism/ReadModel.h"
#include "ui/panels/Actions.h"
#include "ui/panels/Home.h"
#include "ui/panels/MainWindow.h"
#include "ui/views/SceneView.h"

using namespace driftless;

namespace {

constexpr int kTimes = 5, kLinks = 1000;
constexpr int kPatience = 60'000; ///< [ms]

/// Sees the next time that a widget is painted.
class NextPaint : public QObject {
public:
    explicit NextPaint(QWidget& of) { of.installEventFilter(this); }
    bool painted = false;

protected:
    bool eventFilter(QObject*, QEvent* event) override
    {
        painted = painted || event->type() == QEvent::Paint;
        return false;
    }
};

bool waitFor(const std::function<bool()>& done)
{
    QElapsedTimer waited;
    waited.start();
    while (!done() && waited.elapsed() < kPatience)
        QApplication::processEvents(QEventLoop::AllEvents, 5);
    return done();
}

void settle(int milliseconds)
{
    QElapsedTimer waited;
    waited.start();
    while (waited.elapsed() < milliseconds)
        QApplication::processEvents(QEventLoop::AllEvents, 5);
}

double median(std::vector<double> values)
{
    std::ranges::sort(values);
    return values.empty() ? 0 : values[values.size() / 2];
}

/// [ms] from the start of act to the next painting of the scene; negative where none came.
double toPaint(ui::MainWindow& window, const std::function<void()>& act)
{
    NextPaint scene(window.scene());
    QElapsedTimer wall;
    wall.start();
    act();
    const bool seen = waitFor([&] { return scene.painted; });
    return seen ? 1e-6 * static_cast<double>(wall.nsecsElapsed()) : -1;
}

/// [ms] until all pictures of Home's cards are there.
double homeDrawn(ui::MainWindow& window)
{
    QElapsedTimer wall;
    wall.start();
    window.actionRegistry().at("gallery").trigger();
    auto* home = window.findChild<ui::Home*>();
    const bool seen = home && waitFor([&] { return home->hasDrawn(); });
    const double spent = 1e-6 * static_cast<double>(wall.nsecsElapsed());
    delete home;
    return seen ? spent : -1;
}

bool writeChain(const QString& path)
{
    const auto base = model::openModel("pendulum-chain");
    const auto chain = base ? model::withStructure(*base, {{"N", kLinks}}) : base;
    if (!chain)
        return false;
    std::ofstream file(path.toStdString());
    file << (*chain)->text;
    return static_cast<bool>(file);
}

} // namespace

int main(int argc, char** argv)
{
    ::setenv("QT_QPA_PLATFORM", "offscreen", 0);
    QTemporaryDir folder;
    ::setenv("XDG_CACHE_HOME", folder.path().toLocal8Bit(), 1); // nothing is kept from the measurement before
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
    QElapsedTimer begun;
    begun.start();
    QApplication application(argc, argv);
    ui::Document document;
    ui::MainWindow window(document);
    window.resize(1280, 720);
    const double start = toPaint(window, [&] {
        if (!window.openFirstStart().ok())
            std::fprintf(stderr, "the first start could not be opened\n");
        window.show();
        window.startFrames();
    });
    document.playback().pause();
    settle(500);
    std::vector<double> themes, stages;
    for (int i = 0; i < kTimes; ++i) {
        themes.push_back(toPaint(window, [&] { window.setDark(i % 2 == 0); }));
        settle(200);
        stages.push_back(toPaint(window, [&] { window.setStaged(true); }));
        settle(400);
        window.setStaged(false);
        settle(200);
    }
    const double homeAnew = homeDrawn(window), homeKept = homeDrawn(window);
    const QString chain = folder.filePath(QStringLiteral("chain.toml"));
    const double links = writeChain(chain) ? toPaint(window,
                                                     [&] {
                                                         if (!window.openPath(chain).ok())
                                                             std::fprintf(stderr, "the chain could not be opened\n");
                                                     })
                                           : -1;
    std::printf("{\"start_ms\":%.1f,\"theme_ms\":%.1f,\"stage_ms\":%.1f,\"stage_first_ms\":%.1f,", start, median(themes),
                median(stages), stages.front());
    std::printf("\"home_drawn_ms\":%.1f,\"home_kept_ms\":%.1f,\"links\":%d,\"links_ms\":%.1f}\n", homeAnew, homeKept, kLinks,
                links);
    std::fflush(stdout);
    std::_Exit(0); // leaving would ask whether to save
}
