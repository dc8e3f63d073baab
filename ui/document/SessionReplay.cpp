#include "ui/document/SessionReplay.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QTimer>

#include <optional>
#include <string>
#include <system_error>
#include <thread>

namespace driftless::ui {

Result<std::unique_ptr<run::Laboratory>> SessionReplay::run(const std::string& json, const std::string& name)
{
    constexpr int kMilliseconds = 100; ///< between two reports
    if (!QCoreApplication::instance())
        return run::Laboratory::open(json, name);
    std::optional<Result<std::unique_ptr<run::Laboratory>>> out;
    QEventLoop loop;
    QTimer timer;
    connect(&timer, &QTimer::timeout, this, [this] { emit progressed(watch_.share); });
    timer.start(kMilliseconds);
    std::thread worker;
    try {
        worker = std::thread([&] {
            out.emplace(run::Laboratory::open(json, name, 0, &watch_));
            QMetaObject::invokeMethod(&loop, &QEventLoop::quit, Qt::QueuedConnection);
        });
    } catch (const std::system_error& error) {
        return Diagnostic{.what = "The session could not be opened",
                          .where = name,
                          .why = std::string("no thread could be started for it: ") + error.what(),
                          .remedy = "close runs or other programs and try again"};
    }
    loop.exec();
    watch_.stop = true; // the loop may have been left because the program ends
    worker.join();
    return std::move(*out);
}

} // namespace driftless::ui
