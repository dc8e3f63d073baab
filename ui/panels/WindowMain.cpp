#include "ui/panels/WindowMain.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QLayout>
#include <QLocale>
#include <QPixmap>
#include <QScreen>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>

#include "core/system/StableName.h"
#include "core/text/PathText.h"
#include "ui/document/Autosave.h"
#include "ui/figures/QtSetting.h"
#include "ui/panels/Controls.h"
#include "ui/panels/Laboratories.h"
#include "ui/panels/LessonPanel.h"
#include "ui/panels/MainWindow.h"
#include "ui/panels/PencilWindow.h"
#include "ui/views/FigureExport.h"
#include "ui/views/SceneView.h"

namespace driftless::ui {

namespace {

constexpr QSize kFirstSize{1280, 720};
constexpr int kTitleHeight = 40; ///< [px] a window manager's frame takes at most about this much

Result<void> openIn(MainWindow& window, Document& document, const std::string& model)
{
    if (model.empty())
        return window.openFirstStart();
    const QString path = QString::fromStdU16String(pathToText(model));
    if (!QFileInfo::exists(path) && model::readStableName(model))
        return window.openPath(path);
    return lesson::isLesson(model) ? window.openLesson(path) : document.files().open(path);
}

/// What a window left behind that did not end properly; the present session pauses while it asks.
void offerLeftSession(MainWindow& window, Document& document, Autosave& autosave)
{
    const auto left = autosave.find();
    if (!left)
        return;
    const QString when = QLocale::system().toString(left->saved, QLocale::ShortFormat);
    const QString what =
        left->model.isEmpty() ? QObject::tr("A session") : QObject::tr("A session with the model %1").arg(left->model);
    window.offerRestore(QObject::tr("Restore the session of %1?").arg(when),
                        QObject::tr("%1 was left behind by a window that did not end properly. "
                                    "Restoring it repeats its steps, which takes about as long as they took.")
                            .arg(what),
                        [&window, &document, &autosave, left = *left](MainWindow::Offer answer) {
                            if (answer == MainWindow::Offer::Restore) {
                                if (const auto restored = autosave.restore(left); !restored)
                                    emit document.refused(restored.error());
                                return;
                            }
                            if (answer == MainWindow::Offer::Delete)
                                Autosave::discard(left);
                            else
                                autosave.putOff(left);
                            offerLeftSession(window, document, autosave); // there may be another one
                        });
}

/// What was typed in the laboratories is not lost with the window.
void keepTexts(Autosave& autosave, Laboratories& laboratories)
{
    autosave.keepTexts([&laboratories] { return laboratories.typedTexts(); });
    QObject::connect(&autosave, &Autosave::textsFound, &laboratories, &Laboratories::typeTexts);
}

void onQtMessage(QtMsgType type, const QMessageLogContext& context, const QString& text)
{
    static const bool asked = qEnvironmentVariableIsSet("QT_LOGGING_RULES") || qEnvironmentVariableIsSet("QT_DEBUG_PLUGINS");
    if (type == QtFatalMsg && QGuiApplication::platformName().isEmpty()) {
        // Qt aborts next. There is no display, or QT_QPA_PLATFORM names none.
        const QByteArray platform = qgetenv("QT_QPA_PLATFORM");
        std::fprintf(stderr,
                     "driftless: The window cannot be opened: Qt found no display%s%s%s. Try: a desktop, or driftless --help "
                     "for what runs without one.\n",
                     platform.isEmpty() ? "" : " for QT_QPA_PLATFORM=",
                     platform.left(80).toPercentEncoding("=:/,-_ ").constData(), asked ? " (see above)" : "");
        std::_Exit(2);
    }
    if (asked || type == QtFatalMsg || type == QtCriticalMsg)
        std::fprintf(stderr, "%s\n", qPrintable(qFormatLogMessage(type, context, text)));
}

/// A request that is too large for the memory ends with a message, not with the window.
class Application final : public QApplication {
public:
    using QApplication::QApplication;
    Document* document = nullptr;

    bool notify(QObject* receiver, QEvent* event) override
    {
        try {
            return QApplication::notify(receiver, event);
        } catch (const std::bad_alloc&) {
            if (!document)
                throw;
            emit document->refused({.what = "There is not enough memory for this",
                                    .why = "what was asked for needs more than the system gives",
                                    .remedy = "save the session, and close other runs or programs"});
            return false;
        }
    }
};

} // namespace

void answerForQt() { qInstallMessageHandler(onQtMessage); }

int runWindow(int argc, char** argv, const std::string& modelOrEmpty, const char* version)
{
    Application application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("Driftless"));
    QApplication::setOrganizationName(QStringLiteral("Driftless"));
    QApplication::setApplicationVersion(QString::fromUtf8(version));
    if (const auto settled = figures::settleQt(); !settled) {
        std::fprintf(stderr, "driftless: %s\n", settled.error().text().c_str());
        return 2;
    }
    Document document;
    MainWindow window(document);
    application.document = &document;
    const auto opened =
        modelOrEmpty.empty() ? window.openFirstStart() : window.openByHand(QString::fromStdU16String(pathToText(modelOrEmpty)));
    if (!opened) {
        std::fprintf(stderr, "driftless: %s\n", opened.error().text().c_str());
        if (!window.showsBroken() && !window.openFirstStart())
            return 2;
    }
    if (opened && modelOrEmpty.empty()) // who names a file wants to see that
        window.restoreWorkspace();
    Autosave autosave(document);
    keepTexts(autosave, *window.findChild<Laboratories*>());
    const QSize room = window.screen()->availableSize();
    fitScreen(window, room);
    window.resize(kFirstSize.boundedTo(room));
    if (room.width() <= kFirstSize.width() || room.height() <= kFirstSize.height() + kTitleHeight)
        window.showMaximized(); // with its title the window would reach beyond the screen
    else
        window.show();
    window.startFrames();
    if (modelOrEmpty.empty() && !window.isEditing())
        document.playback().play();
    if (!opened && !window.showsBroken()) // who opened the file with the mouse sees no terminal
        emit document.refused(opened.error());
    offerLeftSession(window, document, autosave);
    autosave.start();
    QObject::connect(&autosave, &Autosave::failed, &document, &Document::refused);
    return QApplication::exec();
}

namespace {

/// What the event loop does in its own time: every layout anew, the innermost first.
void settleLayouts(QWidget& window)
{
    const auto all = window.findChildren<QWidget*>();
    for (auto widget = all.rbegin(); widget != all.rend(); ++widget)
        if (QLayout* layout = (*widget)->layout()) {
            layout->invalidate();
            layout->activate();
        }
}

} // namespace

namespace {

/// The linear laboratory analyses its text on a thread of its own.
void awaitAnalysis(const MainWindow& window)
{
    constexpr int kMostWaited = 10'000; // [ms]: a text of the largest size takes a few seconds
    const auto* const pencil = window.findChild<PencilWindow*>();
    QElapsedTimer clock;
    clock.start();
    while (pencil && pencil->isVisible() && !pencil->isUpToDate() && clock.elapsed() < kMostWaited)
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
}

} // namespace

Result<void> screenshotWindow(const std::string& model, QSize size, bool dark, double untilTime, const std::string& pngPath,
                              const std::string& page)
{
    static int argc = 1;
    static char name[] = "driftless";
    static char* argv[] = {name, nullptr};
    std::unique_ptr<QApplication> own;
    if (!QApplication::instance())
        own = std::make_unique<QApplication>(argc, argv);
    if (auto settled = figures::settleQt(); !settled)
        return settled;
    if (size.width() < 640 || size.height() < 400 || size.width() > 8192 || size.height() > 8192)
        return Diagnostic{.what = "The picture has no usable size",
                          .why = "a window is between 640x400 and 8192x8192 pixels",
                          .remedy = "ask for 1280x720, say"};
    Document document;
    MainWindow window(document, dark);
    if (const QString problem = window.findChild<SceneView*>()->problem(); !problem.isEmpty())
        return Diagnostic{.what = "The window cannot be pictured without its scene", .why = problem.toStdString()};
    window.findChild<LessonPanel*>()->setSeed(1); // the same picture every time
    if (auto opened = openIn(window, document, model); !opened)
        return opened;
    window.resize(size);
    window.show();
    QApplication::processEvents();
    document.laboratory().waitUntil(untilTime);
    if (!page.empty())
        window.openPage(QString::fromStdString(page));
    awaitAnalysis(window);
    window.showAt(untilTime);
    QApplication::processEvents(); // layouts settle, the scene is painted
    window.showAt(untilTime);
    for (int round = 0; round < 2; ++round) { // a list that grew moves what stands below it
        settleLayouts(window);
        QApplication::processEvents();
    }
    return writeImage(window.grab().toImage(), QString::fromStdU16String(pathToText(pngPath)));
}

} // namespace driftless::ui
