// The dialogs that ask where: opening, saving, exporting, and what becomes of edits that were not saved.
#pragma once

#include <QObject>
#include <QString>

#include <functional>

#include "core/base/Result.h"

class QWidget;

namespace driftless::ui {

class Document;

/// A name as part of a file's name: letters, digits, - and _ alone.
QString fileBase(const QString& name);

class FileDialogs : public QObject {
    Q_OBJECT
public:
    FileDialogs(Document& document, QWidget& window);

    /// A model, a study, a lesson or a session: opened() says which, once the dialog has closed.
    void open();
    /// A CSV file of measured data; opened() says which.
    void openMeasured();
    /// The session, or as a study by the ending; asks where when it has no place yet. False while that is being asked, and
    /// where it failed.
    bool save(bool as);
    void saveModel();

    struct Question {
        QString title, filter, suffix, name; ///< name: of the dialog's object
        QString proposed = {};               ///< the file's name without its ending; else that of the document
    };
    /// Asks for a path, with a name to begin with, and writes there.
    void ask(const Question& question, std::function<Result<void>(const QString&)> write);
    /// Whether to go on, though edits would be lost: saves them, or lets them go. then: what to go on with where a place to
    /// save has to be asked for first.
    enum class Leaving { Session, Window };
    bool askAboutEdits(Leaving what, std::function<void()> then = {});
    /// Names of what was typed, goes with the session or the window, and is in no file.
    void setTyped(std::function<QStringList(Leaving)> names) { typed_ = std::move(names); }

signals:
    void opened(const QString& path);
    /// The file was asked for and is written.
    void saved(const QString& path);
    void refused(const driftless::Diagnostic& why);

private:
    void choose(const QString& title, const QString& filter);
    QString documentName() const;
    Document& document_;
    QWidget& window_;
    std::function<QStringList(Leaving)> typed_;
    std::function<void()> then_; ///< behind the dialog that asks for a place
};

} // namespace driftless::ui
