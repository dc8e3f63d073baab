// The shared clock of the open bench as a person drives it. Without a bench nothing happens.
#pragma once

#include <QObject>

#include "ui/document/OpenBench.h"

namespace driftless::ui {

class Playback : public QObject {
    Q_OBJECT
public:
    /// Runs that fail are reported in the log.
    Playback(OpenBench& open, MessageLog& messages, QObject* parent = nullptr);

    run::ClockStatus tick(double wallSeconds);
    void play();
    void pause();
    void stepOnce();
    void scrub(double t);
    void backToNow(); ///< to the latest time that was shown
    void setSpeed(double simulatedSecondsPerSecond);
    /// Looks for runs that failed since the last call; a few times a second.
    void poll();

signals:
    void playingChanged(bool playing);

private:
    OpenBench& open_;
    MessageLog& messages_;
};

} // namespace driftless::ui
