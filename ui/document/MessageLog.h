// What the document said: the list of messages, with the displayed time of each.
#pragma once

#include <QObject>

#include <functional>
#include <vector>

#include "core/base/Result.h"

namespace driftless::ui {

/// One thing the document said, for the list of messages.
struct Message {
    Diagnostic diagnostic;
    double t = 0;    ///< displayed time when it came [s]
    int runKey = -1; ///< the run that failed, -1 for a refused request
};

class MessageLog : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t kMost = 200; ///< the oldest is forgotten for another one

    /// now: the displayed time [s].
    explicit MessageLog(std::function<double()> now, QObject* parent = nullptr) : QObject(parent), now_(std::move(now)) {}

    const std::vector<Message>& all() const { return messages_; }
    /// key: the run that failed; -1: a request was refused.
    void say(const Diagnostic& diagnostic, int key = -1);
    /// Says why where it failed. Whether it succeeded.
    bool say(const Result<void>& result);
    void clear();

signals:
    void changed();
    void refused(const driftless::Diagnostic& diagnostic);

private:
    std::function<double()> now_;
    std::vector<Message> messages_;
};

} // namespace driftless::ui
