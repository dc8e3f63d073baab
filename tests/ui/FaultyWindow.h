// A window in a process of its own that does what lines on its standard input say, while one of its writing system calls goes
// wrong (tests/support/FaultyWrites.cpp). Line "act NAME MODE K": announces the session that it has in memory, does the act
// with the fault armed, and tells how many writing calls there were and what the window said.
//
// Each act edits first where a session is what it writes: the length L counts the edits, so that a file tells which of them it
// has.
#pragma once

#include <QAction>
#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMessageBox>
#include <QPointer>
#include <QSettings>
#include <QTextStream>

#include <dlfcn.h>

#include <cstdio>
#include <iostream>
#include <string>

#include "tests/ui/WindowFixture.h"
#include "ui/document/Autosave.h"

namespace driftless::ui::test {

inline constexpr const char* kServe = "--serve";
inline constexpr double kEditStep = 0x1p-10; ///< of L [m]: exact in every file

inline QByteArray digest(const QByteArray& bytes) { return QCryptographicHash::hash(bytes, QCryptographicHash::Sha1).toHex(); }

class FaultyWindow {
public:
    explicit FaultyWindow(const QString& folder) : folder_(folder)
    {
        arm_ = reinterpret_cast<Arm*>(::dlsym(RTLD_DEFAULT, "faultyWritesArm"));
        calls_ = reinterpret_cast<Calls*>(::dlsym(RTLD_DEFAULT, "faultyWritesCalls"));
        renewAutosave();
        if (!f_.window.openFirstStart())
            qFatal("no first start");
        f_.document.playback().pause();
        f_.document.laboratory().waitUntil(0.2);
        f_.window.showAt(0.2);
    }

    int serve()
    {
        for (std::string line; std::getline(std::cin, line);) {
            const QStringList words = QString::fromStdString(line).split(' ');
            if (words[0] == "act")
                act(words[1], words[2].toUtf8(), words[3].toLong());
            else if (words[0] == "leave")
                break;
        }
        autosave_.reset();
        return 0;
    }

private:
    using Arm = void(const char*, long);
    using Calls = long();

    static void tell(const char* what, const QByteArray& detail)
    {
        std::printf("%s %s\n", what, detail.constData());
        std::fflush(stdout);
    }

    /// One more edit, announced with the session that has it.
    void edit()
    {
        if (!f_.document.control().setParameter("L", 1 + kEditStep * ++edits_))
            qFatal("no edit");
        tell("edit", QByteArray::number(edits_) + ' ' + digest(f_.document.files().sessionBytes()));
    }

    void act(const QString& name, const QByteArray& mode, long k)
    {
        if (auto* card = f_.window.findChild<QWidget*>("messageCard"))
            card->hide();
        if (!autosave_) // it was left before
            renewAutosave();
        const bool ofSession = name == "save" || name == "save-as" || name.startsWith("autosave") || name == "leave";
        if (name == "save" && f_.document.files().sessionPath().isEmpty())
            if (!f_.document.files().saveSession(at("kept.driftless")))
                qFatal("the session cannot be saved");
        if (ofSession)
            edit();
        if (name == "save" || name == "save-as" || name == "leave") { // what is lost from the file is in the automatic save
            if (const auto saved = autosave_->save(); !saved)
                qFatal("%s", saved.error().text().c_str());
            tell("saved", QByteArray::number(edits_));
        }
        if (name == "autosave-first") { // the one before ends properly, and its file goes
            renewAutosave();
            tell("saved", "0");
        }
        tell("armed", name.toUtf8());
        arm_(mode, k);
        const QString said = done(name);
        const long calls = calls_();
        arm_("refuse", 0);
        if (name.startsWith("autosave") && said.isEmpty())
            tell("saved", QByteArray::number(edits_));
        tell("done", QJsonDocument(QJsonObject{{"calls", static_cast<qint64>(calls)},
                                               {"said", said},
                                               {"autosave", autosave_ ? autosave_->path() : QString()}})
                         .toJson(QJsonDocument::Compact));
    }

    /// What the window says after it, empty where it says nothing.
    QString done(const QString& name)
    {
        if (name == "save")
            trigger("save");
        else if (name == "save-as")
            ask("saveAs", "saveDialog", "as.driftless");
        else if (name == "study")
            ask("saveAs", "saveDialog", "as.toml");
        else if (name == "model")
            ask("saveModel", "saveModelDialog", "model.toml");
        else if (name.startsWith("figure-"))
            return compared("figure." + name.mid(7));
        else if (name == "numbers")
            ask("exportCsv", "exportDialog", "numbers.csv");
        else if (name == "shared")
            ask("sharePage", "exportDialog", "shared.html");
        else if (name == "scene")
            ask("exportScene", "exportDialog", "scene.png");
        else if (name == "now")
            trigger("exportNow");
        else if (name == "arranged")
            return arranged();
        else if (name == "equations")
            equations();
        else if (name == "hand-out")
            handOut();
        else if (name == "work")
            work();
        else if (name.startsWith("autosave"))
            saveByItself();
        else if (name == "restore")
            restore();
        else if (name == "leave")
            autosave_.reset();
        else
            qFatal("there is no act %s", qPrintable(name));
        return card();
    }

    QString at(const QString& file) const { return folder_ + "/out/" + file; }

    QString card() const
    {
        const auto* card = f_.window.findChild<QWidget*>("messageCard");
        if (!card || card->isHidden())
            return {};
        return card->findChild<QLabel*>("messageTitle")->text() + '\n' + card->findChild<QLabel*>("messageText")->text();
    }

    void trigger(const char* action) { f_.find<QAction>(action)->trigger(); }

    /// Chooses a file in a dialog as if it had been typed and accepted.
    template <class Dialog = QFileDialog>
    void choose(const char* name, const QString& file)
    {
        Dialog* dialog = nullptr;
        for (QWidget* top : QApplication::topLevelWidgets())
            if (top->objectName() == QLatin1String(name) && top->isVisible())
                dialog = qobject_cast<Dialog*>(top);
        if (!dialog)
            qFatal("there is no dialog %s", name);
        emit dialog->fileSelected(at(file));
        dialog->close();
        QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QApplication::processEvents();
    }
    void ask(const char* action, const char* dialog, const QString& file)
    {
        trigger(action);
        choose(dialog, file);
    }

    QString compared(const QString& file)
    {
        trigger("exportFigure");
        QPointer<QDialog> dialog = f_.find<QDialog>("comparisonDialog");
        dialog->findChild<QLineEdit*>("comparisonPath")->setText(at(file));
        auto* save = dialog->findChild<QPushButton*>("comparisonSave");
        const auto* message = dialog->findChild<QLabel*>("comparisonMessage");
        save->click();
        if (dialog->isVisible() && message->text().startsWith("This file exists"))
            save->click();
        const QString why = dialog->isVisible() ? message->text() : card(); // refused: it stays, with the reason
        dialog->close();
        QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        return why;
    }

    QString arranged()
    {
        trigger("arrangeFigure");
        auto* dialog = f_.find<QDialog>("figureDialog");
        dialog->findChild<QPushButton*>("figureWrite")->click();
        choose("figurePath", "arranged.pdf");
        if (auto* question = f_.window.findChild<QMessageBox*>("figureReplace"))
            for (auto* button : question->buttons())
                if (question->buttonRole(button) == QMessageBox::AcceptRole)
                    button->click();
        QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // closed as it has written: the next one is another
        const QString said = card();
        if (auto* open = f_.window.findChild<QDialog*>("figureDialog");
            open && open->isVisible()) { // refused: it stays, with the reason
            const QString why = open->findChild<QLabel*>("figureMessage")->text();
            open->close();
            QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            return why;
        }
        return said;
    }

    void equations()
    {
        f_.window.openPage("model");
        auto* as = f_.find<QPushButton>("modelEquations");
        as->setChecked(true);
        f_.find<QPushButton>("modelSaveEquations")->click();
        choose("equationsDialog", "equations.mo");
        as->setChecked(false);
    }

    void handOut()
    {
        if (!f_.window.findChild<QPushButton*>("lessonHandout") || !f_.find<QAction>("lessons")->isChecked())
            trigger("lessons");
        f_.find<QPushButton>("lessonHandout")->click();
        choose("lessonHandoutDialog", "handout.pdf");
    }

    void work()
    {
        trigger("precision");
        auto* window = f_.window.findChild<QWidget*>("workPrecisionWindow");
        auto* button = window->findChild<QPushButton*>("workExport");
        button->setEnabled(true); // before there is a point: the table has its heading
        button->click();
        choose("workExportDialog", "work.csv");
        window->close();
    }

    /// One that has no file and no lock yet.
    void renewAutosave()
    {
        autosave_ = std::make_unique<Autosave>(f_.document);
        QObject::connect(autosave_.get(), &Autosave::failed, &f_.document, &Document::refused);
    }

    /// As the timer does.
    void saveByItself()
    {
        bool over = false;
        QObject context;
        QObject::connect(autosave_.get(), &Autosave::saved, &context, [&] { over = true; });
        QObject::connect(autosave_.get(), &Autosave::failed, &context, [&] { over = true; });
        autosave_->start(1);
        if (!QTest::qWaitFor([&] { return over; }, 30'000))
            qFatal("nothing is saved automatically");
        autosave_->start(1 << 30);
    }

    /// What another process left behind.
    void restore()
    {
        const auto left = autosave_->find();
        if (!left) {
            tell("offered", "nothing");
            return;
        }
        const auto restored = autosave_->restore(*left);
        tell("offered", restored ? QByteArray("restored") : QByteArray(restored.error().text().c_str()).simplified());
        if (!restored)
            emit f_.document.refused(restored.error());
    }

    QString folder_;
    Fixture f_;
    std::unique_ptr<Autosave> autosave_;
    Arm* arm_ = nullptr;
    Calls* calls_ = nullptr;
    int edits_ = 0;
};

} // namespace driftless::ui::test
