#include "ui/panels/FileDialogs.h"

#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>

#include <utility>

#include "ui/document/Document.h"
#include "ui/panels/FileDialog.h"

namespace driftless::ui {

QString fileBase(const QString& name)
{
    QString out = name;
    for (QChar& c : out)
        if (!c.isLetterOrNumber() && c != '-' && c != '_')
            c = '-';
    return out;
}

FileDialogs::FileDialogs(Document& document, QWidget& window) : QObject(&window), document_(document), window_(window) {}

void FileDialogs::open()
{
    choose(tr("Open a model, a study, a lesson or a session"),
           tr("All that opens here (*.toml *.mo *.driftless *.csv);;Models (*.toml *.mo);;Studies and lessons (*.toml);;"
              "Sessions (*.driftless);;Measured data (*.csv);;All files (*)"));
}

void FileDialogs::openMeasured() { choose(tr("Show measured data"), tr("Measured data (*.csv);;All files (*)")); }

void FileDialogs::choose(const QString& title, const QString& filter)
{
    QFileDialog* dialog = newFileDialog(&window_, QStringLiteral("openDialog"), title, filter);
    dialog->setFileMode(QFileDialog::ExistingFile);
    // The dialog is still at work when it says so, and a session is repeated in a loop of its own: open once it has closed.
    connect(dialog, &QFileDialog::fileSelected, this, &FileDialogs::opened, Qt::QueuedConnection);
    dialog->open();
}

bool FileDialogs::save(bool as)
{
    const auto write = [this](const QString& path) {
        return path.endsWith(QStringLiteral(".toml")) ? document_.files().saveStudy(path) : document_.files().saveSession(path);
    };
    if (as || document_.files().sessionPath().isEmpty()) {
        ask({.title = tr("Save the session, or as a study"),
             .filter = tr("Sessions (*.driftless);;Studies (*.toml)"),
             .suffix = QStringLiteral("driftless"),
             .name = QStringLiteral("saveDialog")},
            write);
        return false;
    }
    const auto done = write(document_.files().sessionPath());
    if (!done)
        emit refused(done.error());
    return done.ok();
}

void FileDialogs::ask(const Question& question, std::function<Result<void>(const QString&)> write)
{
    QFileDialog* dialog = newSaveDialog(&window_, question.name, question.title, question.filter, question.suffix);
    dialog->selectFile((question.proposed.isEmpty() ? documentName() : question.proposed) + '.' + question.suffix);
    connect(dialog, &QFileDialog::filterSelected, dialog,
            [dialog](const QString& chosen) { dialog->setDefaultSuffix(chosen.section("*.", 1).section(')', 0, 0)); });
    connect(dialog, &QFileDialog::fileSelected, this, [this, write = std::move(write)](const QString& path) {
        if (const auto written = write(path); !written) {
            emit refused(written.error());
            return;
        }
        emit saved(path);
        if (auto then = std::exchange(then_, {}))
            QTimer::singleShot(0, this, std::move(then)); // once the dialog has closed
    });
    connect(dialog, &QFileDialog::rejected, this, [this] { then_ = {}; });
    dialog->open();
}

/// That of the file which the session was saved in, else of its model.
QString FileDialogs::documentName() const
{
    if (const QString& path = document_.files().sessionPath(); !path.isEmpty())
        return QFileInfo(path).completeBaseName();
    return document_.hasModel() ? fileBase(QString::fromStdString(document_.compiled().model().name)) : QString();
}

void FileDialogs::saveModel()
{
    ask({.title = tr("Save the model"),
         .filter = tr("Models (*.toml)"),
         .suffix = QStringLiteral("toml"),
         .name = QStringLiteral("saveModelDialog"),
         .proposed = fileBase(QString::fromStdString(document_.compiled().model().name))},
        [this](const QString& path) { return document_.files().saveModel(path); });
}

bool FileDialogs::askAboutEdits(Leaving what, std::function<void()> then)
{
    const QStringList elsewhere = document_.files().editsElsewhere(), typed = typed_ ? typed_(what) : QStringList();
    if (!document_.files().isDirty() && elsewhere.isEmpty() && typed.isEmpty())
        return true;
    const bool here = document_.files().isDirty();
    QMessageBox question(QMessageBox::NoIcon, tr("Driftless"), here ? tr("Keep this session?") : tr("Leave without saving?"),
                         QMessageBox::Discard | QMessageBox::Cancel, &window_);
    if (here)
        question.addButton(QMessageBox::Save);
    question.setDefaultButton(here ? QMessageBox::Save : QMessageBox::Cancel);
    question.setObjectName("closeQuestion");
    QStringList why;
    if (here)
        why << tr("It has changes that were not saved.");
    if (!elsewhere.isEmpty())
        why << tr("Opened before, with changes that were not saved: %1. Undo goes back there.")
                   .arg(elsewhere.join(QStringLiteral(", ")));
    if (!typed.isEmpty())
        why << tr("Typed and in no file: %1. Copy what is to be kept.").arg(typed.join(QStringLiteral(", ")));
    question.setInformativeText(why.join(u' '));
    const int answer = question.exec();
    if (answer == QMessageBox::Save && document_.files().sessionPath().isEmpty())
        then_ = std::move(then);
    if (answer == QMessageBox::Save)
        return save(false)
               && ((elsewhere.isEmpty() && typed.isEmpty())
                   || askAboutEdits(what)); // what is saved here leaves those elsewhere, which have no Save
    return answer == QMessageBox::Discard;
}

} // namespace driftless::ui
