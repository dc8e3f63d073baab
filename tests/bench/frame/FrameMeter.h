// What the frames of a window cost, seen from its event loop: wall time inside events and processor time of the GUI thread. For
// measurements that need the loop which they time.
#pragma once

#include <QApplication>
#include <QElapsedTimer>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "core/base/Thread.h"

namespace driftless::bench {

/// Adds up the time spent inside events, so layout, painting and copying to the backing store count as well as the frame loop.
class MeteredApplication : public QApplication {
public:
    using QApplication::QApplication;
    qint64 spent = 0;   ///< [ns] inside events
    qint64 longest = 0; ///< [ns] of them the longest event since somebody set this to 0

    bool notify(QObject* receiver, QEvent* event) override
    {
        if (depth_ > 0)
            return QApplication::notify(receiver, event);
        QElapsedTimer timer;
        timer.start();
        ++depth_;
        const bool done = QApplication::notify(receiver, event);
        --depth_;
        spent += timer.nsecsElapsed();
        longest = std::max(longest, timer.nsecsElapsed());
        return done;
    }

private:
    int depth_ = 0;
};

/// [ns] of the calling thread.
inline qint64 processorTime() { return static_cast<qint64>(1e9 * threadSeconds()); }

/// Frames in milliseconds.
class Sample {
public:
    void add(qint64 nanoseconds) { values_.push_back(1e-6 * static_cast<double>(nanoseconds)); }
    std::size_t size() const { return values_.size(); }
    double quantile(double share) const
    {
        if (values_.empty())
            return 0;
        auto sorted = values_;
        std::ranges::sort(sorted);
        return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
    }
    void print(const char* name) const
    {
        std::printf("\"%s\":{\"median\":%.2f,\"p99\":%.2f,\"max\":%.2f}", name, quantile(0.5), quantile(0.99), quantile(1));
    }

private:
    std::vector<double> values_;
};

} // namespace driftless::bench
