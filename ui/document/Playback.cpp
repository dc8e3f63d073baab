#include "ui/document/Playback.h"

namespace driftless::ui {

Playback::Playback(OpenBench& open, MessageLog& messages, QObject* parent) : QObject(parent), open_(open), messages_(messages)
{
}

run::ClockStatus Playback::tick(double wallSeconds)
{
    if (!open_.hasModel())
        return {};
    const auto clock = open_.laboratory().tick(wallSeconds);
    open_.bench().noteShown(clock.t);
    return clock;
}

void Playback::play()
{
    if (!open_.hasModel())
        return;
    open_.laboratory().play();
    emit playingChanged(true);
}

void Playback::pause()
{
    if (!open_.hasModel())
        return;
    run::Laboratory& laboratory = open_.laboratory();
    const bool shows = laboratory.clock().playing && !open_.scrubbedBack();
    laboratory.pause();
    const auto& log = laboratory.log();
    if (shows && !log.empty() && log.back().kind == run::LogEntry::Kind::Command) {
        laboratory.goOnTo(log.back().t); // a change made just now, a little ahead of the clock, is seen
        open_.bench().noteShown(laboratory.clock().t);
    }
    emit playingChanged(false);
}

void Playback::stepOnce()
{
    if (!open_.hasModel())
        return;
    open_.laboratory().stepOnce();
    open_.bench().noteShown(open_.laboratory().clock().t);
    emit playingChanged(false);
}

void Playback::scrub(double t)
{
    if (!open_.hasModel())
        return;
    open_.laboratory().scrub(t);
    emit playingChanged(false);
}

void Playback::backToNow()
{
    if (open_.hasModel())
        scrub(open_.bench().furthest());
}

void Playback::setSpeed(double simulatedSecondsPerSecond)
{
    if (open_.hasModel())
        open_.laboratory().setSpeed(simulatedSecondsPerSecond);
}

void Playback::poll()
{
    for (const RunEntry& run : std::vector(open_.runs())) { // who hears of a failure may change them
        const auto now = open_.status(run.key);
        if (now.state == run::RunState::Failed && now.diagnostic && open_.bench().runs().reportFailure(run.key))
            messages_.say(*now.diagnostic, run.key);
    }
}

} // namespace driftless::ui
