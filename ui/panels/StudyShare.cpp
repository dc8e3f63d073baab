#include "ui/panels/StudyShare.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QProcess>

namespace driftless::ui {

StudyShare::StudyShare(QObject* parent) : QObject(parent), program_(QCoreApplication::applicationFilePath()) {}

StudyShare::~StudyShare()
{
    if (!process_)
        return;
    process_->disconnect(this);
    process_->terminate();          // a page is whole or absent
    constexpr int kPatience = 3000; // [ms]
    if (!process_->waitForFinished(kPatience))
        process_->kill();
}

QString StudyShare::whyNot(const study::Study* study) const
{
    if (!study)
        return tr("No study is open: choose one in the workspace Study (Alt+6).");
    return busy() ? tr("A page is being written.") : QString();
}

Result<void> StudyShare::write(const study::Study& study, const QString& path)
{
    if (busy())
        return Diagnostic{.what = "The study cannot be shared now", .why = whyNot(&study).toStdString()};
    process_ = new QProcess(this);
    connect(process_, &QProcess::finished, this,
            [this, path](int code, QProcess::ExitStatus status) { finished(path, code, status == QProcess::CrashExit); });
    connect(process_, &QProcess::errorOccurred, this, [this, path](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            finished(path, -1, true);
    });
    process_->setStandardOutputFile(QProcess::nullDevice());
    const QString file = QFileInfo(QString::fromStdString(study.path)).absoluteFilePath();
    process_->start(program_, {QStringLiteral("page"), file, QStringLiteral("--out"), QFileInfo(path).absoluteFilePath()});
    emit busyChanged();
    return {};
}

void StudyShare::finished(const QString& path, int exitCode, bool crashed)
{
    constexpr int kWritten = 0, kClaimFails = 1; // docs/command-line.md
    QString said = QString::fromUtf8(process_->readAllStandardError()).trimmed().section('\n', 0, 0);
    if (said.isEmpty())
        said = process_->errorString();
    process_->deleteLater();
    process_ = nullptr;
    emit busyChanged();
    if (!crashed && (exitCode == kWritten || exitCode == kClaimFails) && QFileInfo::exists(path))
        emit written(path);
    else
        emit refused({.what = "The page could not be written", .where = path.toStdString(), .why = said.toStdString()});
}

} // namespace driftless::ui
