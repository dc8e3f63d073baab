#include "ui/panels/WindowMain.h"

#include <QApplication>
#include <QFileInfo>
#include <QPixmap>

#include <cstdio>
#include <memory>

#include "ui/panels/MainWindow.h"
#include "ui/views/FigureExport.h"

namespace driftless::ui {

namespace {

constexpr QSize kFirstSize{1280, 720};

Result<void> openIn(MainWindow& window, Document& document, const std::string& model)
{
    return model.empty() ? window.openFirstStart() : document.open(QString::fromStdString(model));
}

} // namespace

int runWindow(int argc, char** argv, const std::string& modelOrEmpty)
{
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("Driftless"));
    QApplication::setOrganizationName(QStringLiteral("Driftless"));
    Document document;
    MainWindow window(document);
    if (auto opened = openIn(window, document, modelOrEmpty); !opened) {
        std::fprintf(stderr, "driftless: %s\n", opened.error().text().c_str());
        return 2;
    }
    window.resize(kFirstSize);
    window.show();
    window.startFrames();
    if (modelOrEmpty.empty())
        document.play();
    return QApplication::exec();
}

Result<void> screenshotWindow(const std::string& model, QSize size, bool dark, double untilTime, const std::string& pngPath)
{
    static int argc = 1;
    static char name[] = "driftless";
    static char* argv[] = {name, nullptr};
    std::unique_ptr<QApplication> own;
    if (!QApplication::instance())
        own = std::make_unique<QApplication>(argc, argv);
    if (size.width() < 640 || size.height() < 400 || size.width() > 8192 || size.height() > 8192)
        return Diagnostic{"The picture has no usable size.", "", "A window is between 640x400 and 8192x8192 pixels.",
                          "Ask for 1280x720, say.", {}};
    Document document;
    MainWindow window(document, dark);
    if (auto opened = openIn(window, document, model); !opened)
        return opened;
    window.resize(size);
    window.show();
    QApplication::processEvents();
    document.laboratory().waitUntil(untilTime);
    window.showAt(untilTime);
    QApplication::processEvents(); // layouts settle, the scene is painted
    window.showAt(untilTime);
    QApplication::processEvents();
    return writeImage(window.grab().toImage(), QString::fromStdString(pngPath));
}

} // namespace driftless::ui
