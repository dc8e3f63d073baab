// A session repeated on a thread of its own, while the window goes on.
#pragma once

#include <QObject>

#include <memory>
#include <string>

#include "core/run/Laboratory.h"

namespace driftless::ui {

class SessionReplay final : public QObject {
    Q_OBJECT
public:
    explicit SessionReplay(QObject* parent) : QObject(parent) {}

    /// Takes as long as computing the session did, unless it is stopped, which is an error. Handles events until then.
    Result<std::unique_ptr<run::Laboratory>> run(const std::string& json, const std::string& name);
    void stop() { watch_.stop = true; }

signals:
    void progressed(double share); ///< of the recorded steps, 0 to 1

private:
    run::ReplayWatch watch_;
};

} // namespace driftless::ui
