// A study as one file for a browser, computed and written in a process of its own: the window goes on meanwhile.
#pragma once

#include <QObject>
#include <QString>

#include "core/study/Study.h"

class QProcess;

namespace driftless::ui {

class StudyShare : public QObject {
    Q_OBJECT
public:
    explicit StudyShare(QObject* parent);
    ~StudyShare() override;

    bool busy() const { return process_ != nullptr; }
    /// Why this study cannot be shared now; empty: it can. Null: none is open.
    QString whyNot(const study::Study* study) const;
    /// Begins; written() or refused() follow.
    Result<void> write(const study::Study& study, const QString& path);
    /// The executable that does it; at first the one that runs.
    void setProgram(const QString& path) { program_ = path; }

signals:
    void busyChanged();
    void written(const QString& path);
    void refused(const driftless::Diagnostic& why);

private:
    void finished(const QString& path, int exitCode, bool crashed);

    QProcess* process_ = nullptr;
    QString program_;
};

} // namespace driftless::ui
