#include "ui/document/RecentFiles.h"

#include <QFileInfo>

#include "ui/document/Preferences.h"

namespace driftless::ui {

namespace {

constexpr int kRecentFiles = 10;
constexpr const char* kKey = "recentFiles";

} // namespace

QStringList recentFiles()
{
    QStringList files = keptSettings().value(QString::fromLatin1(kKey)).toStringList();
    files.removeIf([](const QString& file) { return !QFileInfo::exists(file); });
    return files;
}

void rememberFile(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList files = recentFiles();
    files.removeAll(absolute);
    files.prepend(absolute);
    keptSettings().setValue(QString::fromLatin1(kKey), files.mid(0, kRecentFiles));
}

} // namespace driftless::ui
