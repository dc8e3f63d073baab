// What was said of the documents: the list of messages, with the displayed time of each.
#pragma once

#include <QObject>

#include <functional>
#include <vector>

#include "core/base/Result.h"

namespace driftless::ui {

/// One thing the document said, for the list of messages.
struct Message {
    Diagnostic diagnostic;
    double t = 0;     ///< displayed time when it came [s]
    int runKey = -1;  ///< the run that failed, -1 for a refused request
    int document = 0; ///< the number of the one that was open, as the History counts them
};

class MessageLog : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t kMost = 200; ///< the oldest is forgotten for another one

    /// now: the displayed time [s]. document: the number of the open document.
    explicit MessageLog(std::function<double()> now, std::function<int()> document = {}, QObject* parent = nullptr)
        : QObject(parent), now_(std::move(now)), document_(std::move(document))
    {
    }

    const std::vector<Message>& all() const { return messages_; }
    /// Those of one document, the oldest first.
    std::vector<Message> of(int document) const;
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
    std::function<int()> document_;
    std::vector<Message> messages_;
};

} // namespace driftless::ui
