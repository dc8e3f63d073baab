// Progress of studies on standard error: a bar over the runs, with the time that is left; drawn only when somebody is looking.
#pragma once

#include <chrono>
#include <map>
#include <string>

namespace driftless::app {

class StudyProgress {
public:
    explicit StudyProgress(std::size_t studies);
    ~StudyProgress();
    StudyProgress(const StudyProgress&) = delete;
    StudyProgress& operator=(const StudyProgress&) = delete;

    void begin(const std::string& study, std::size_t runs);
    void share(std::size_t run, double share);
    void finished(std::size_t run);
    void clear();

private:
    void draw(bool now);

    bool visible_;
    bool drawn_ = false;
    std::size_t studies_, study_ = 0, runs_ = 0, done_ = 0;
    std::string name_;
    std::map<std::size_t, double> under_;
    std::chrono::steady_clock::time_point begun_, next_;
};

} // namespace driftless::app
