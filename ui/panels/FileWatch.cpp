#include "ui/panels/FileWatch.h"

#include <QFileInfo>

namespace driftless::ui {

FileWatch::FileWatch(QObject* parent) : QObject(parent)
{
    constexpr int kEvery = 500; // [ms] sooner than one looks up from the editor
    timer_.setInterval(kEvery);
    connect(&timer_, &QTimer::timeout, this, &FileWatch::look);
}

void FileWatch::watch(const QString& path)
{
    const QFileInfo file(path);
    path_ = path;
    written_ = file.lastModified();
    size_ = file.size();
    if (path.isEmpty())
        timer_.stop();
    else
        timer_.start();
}

void FileWatch::look()
{
    const QFileInfo file(path_);
    if (!file.isFile() || (file.lastModified() == written_ && file.size() == size_))
        return; // also while an editor puts the new one in its place
    written_ = file.lastModified();
    size_ = file.size();
    emit changed(path_);
}

} // namespace driftless::ui
