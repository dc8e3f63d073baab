#include "ui/panels/FileDialog.h"

#include <QDir>
#include <QFileIconProvider>
#include <QFileInfo>
#include <QSettings>
#include <QUrl>

namespace driftless::ui {

namespace {

/// Icon and kind from the name and the entry in the folder.
class UnreadFileIcons final : public QFileIconProvider {
public:
    UnreadFileIcons()
    {
        setOptions(DontUseCustomDirectoryIcons);
        for (const IconType kind : {Drive, Folder, File})
            (void)icon(kind); // Qt keeps them from here on; later they are asked for in a thread of its own
    }
    using QFileIconProvider::icon;
    QIcon icon(const QFileInfo& entry) const override
    {
        if (entry.isRoot())
            return icon(Drive);
        return icon(entry.isDir() ? Folder : File);
    }
    QString type(const QFileInfo& entry) const override
    {
        if (entry.isDir())
            return QFileDialog::tr("Folder");
        const QString suffix = entry.suffix();
        return suffix.isEmpty() ? QFileDialog::tr("File") : QFileDialog::tr("%1 File").arg(suffix);
    }
};

/// The folder where the last of these dialogs stood, as Qt keeps it.
QString lastFolder()
{
    const QSettings kept(QSettings::UserScope, QStringLiteral("QtProject"));
    const QString folder = QUrl(kept.value(QStringLiteral("FileDialog/lastVisited")).toString()).toLocalFile();
    return !folder.isEmpty() && QFileInfo(folder).isDir() ? folder : QDir::currentPath();
}

} // namespace

QFileDialog* newFileDialog(QWidget* parent, const QString& name, const QString& title, const QString& filter)
{
    static UnreadFileIcons icons; // of no state; outlives the thread of the dialog that asks it
    // Qt lists the first folder with its own icons. The root holds directories alone: nothing there is read.
    const QString folder = lastFolder();
    auto* dialog = new QFileDialog(parent, title, QDir::rootPath(), filter);
    dialog->setIconProvider(&icons);
    dialog->setOption(QFileDialog::DontUseCustomDirectoryIcons);
    dialog->setDirectory(folder);
    dialog->setObjectName(name);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    return dialog;
}

QFileDialog* newSaveDialog(QWidget* parent, const QString& name, const QString& title, const QString& filter,
                           const QString& suffix)
{
    QFileDialog* dialog = newFileDialog(parent, name, title, filter);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setDefaultSuffix(suffix);
    return dialog;
}

} // namespace driftless::ui
