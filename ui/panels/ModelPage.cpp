#include "ui/panels/ModelPage.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPointer>
#include <QPushButton>
#include <QTextCursor>
#include <QThreadPool>
#include <QVBoxLayout>

#include "core/equations/EquationWriter.h"
#include "core/reduction/EquationsFrom.h"
#include "core/text/Budget.h"
#include "core/text/PathText.h"
#include "core/text/WholeFile.h"
#include "ui/document/TextCheck.h"
#include "ui/panels/Controls.h"
#include "ui/panels/FileDialog.h"
#include "ui/views/CodeEditor.h"
#include "ui/views/FormulaView.h"

namespace driftless::ui {

namespace {

/// As an editor gives a text back: its own ends of lines, and plain blanks.
QString asEdited(QString text)
{
    text.replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
    for (QChar& c : text) {
        if (c == u'\r' || c == QChar::ParagraphSeparator || c == QChar::LineSeparator)
            c = u'\n';
        else if (c == QChar::Nbsp)
            c = u' ';
    }
    return text;
}

} // namespace

ModelPage::ModelPage(Document& document, QWidget* parent) : QWidget(parent), document_(document)
{
    setObjectName("modelPage");
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(6);
    editor_ = new CodeEditor;
    editor_->setObjectName("modelText");
    editor_->setAccessibleName(tr("Model text"));
    layout->addWidget(editor_, 1);
    auto* bottom = new QHBoxLayout;
    bottom->setSpacing(8);
    preview_ = new FormulaView;
    preview_->setHint(tr("The equation at the cursor is typeset here."));
    bottom->addWidget(preview_, 1);
    bottom->addWidget(makeButtons(), 0, Qt::AlignBottom);
    problem_ = new WrappedButton;
    problem_->setObjectName("modelProblem");
    problem_->setFlat(true);
    problem_->setProperty("role", "problem");
    problem_->setToolTip(tr("Go to the place"));
    problem_->hide();
    layout->addWidget(problem_);
    layout->addLayout(bottom);
    pause_.setSingleShot(true);
    pause_.setInterval(kPause);
    connect(&pause_, &QTimer::timeout, this, &ModelPage::check);
    connect(editor_, &QPlainTextEdit::textChanged, this, &ModelPage::typed);
    connect(editor_, &QPlainTextEdit::cursorPositionChanged, this, &ModelPage::preview);
    connect(editor_, &QPlainTextEdit::cursorPositionChanged, this, [this] {
        if (ours_ || !editor_->hasFocus() || editor_->toPlainText() != stated_)
            return;
        emit cursorPlaced(static_cast<std::size_t>(stated_.left(editor_->textCursor().position()).toUtf8().size()));
    });
    connect(problem_, &QPushButton::clicked, this, [this] {
        if (line_ > 0)
            editor_->showPlace(line_, column_);
    });
}

void ModelPage::showPart(std::size_t begin, std::size_t end)
{
    const QString text = editor_->toPlainText();
    if (text != stated_ || editor_->hasFocus())
        return; // being edited
    const QByteArray bytes = text.toUtf8();
    const auto place = [&](std::size_t at) {
        return static_cast<int>(QString::fromUtf8(bytes.left(static_cast<qsizetype>(at))).size());
    };
    QTextCursor cursor = editor_->textCursor();
    cursor.setPosition(place(end));
    cursor.setPosition(place(begin), QTextCursor::KeepAnchor);
    ours_ = true;
    editor_->setTextCursor(cursor);
    ours_ = false;
    editor_->ensureCursorVisible();
}

QWidget* ModelPage::makeButtons()
{
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    const auto button = [&](const QString& text, const char* name, const QString& tip) {
        auto* made = new QPushButton(text);
        made->setObjectName(QLatin1String(name));
        made->setToolTip(tip);
        layout->addWidget(made);
        return made;
    };
    equations_ = button(tr("As equations"), "modelEquations", tr("The equations of this mechanism as a model of equations"));
    equations_->setCheckable(true);
    save_ = button(tr("Save equations…"), "modelSaveEquations", tr("Save these equations as a model of their own (.mo)"));
    revert_ = button(tr("Revert"), "modelRevert", tr("Back to the text of the model that is open"));
    apply_ = button(tr("Apply"), "modelApply", tr("Read this text as the model; all runs start again"));
    save_->hide();
    connect(equations_, &QPushButton::toggled, this, &ModelPage::showEquations);
    connect(save_, &QPushButton::clicked, this, &ModelPage::askForFile);
    connect(apply_, &QPushButton::clicked, this, &ModelPage::apply);
    connect(revert_, &QPushButton::clicked, this, [this] {
        if (showsBroken()) { // what is typed of the open model was not in sight
            mended_.erase(broken_);
            showModel();
            return;
        }
        if (document_.hasModel())
            document_.bench().setTyped(std::nullopt);
        showText(document_.bench().modelText(), false);
        report(std::nullopt);
    });
    return row;
}

void ModelPage::setTheme(const Theme& theme, double scale)
{
    editor_->setLook(theme, scale);
    preview_->setLook(theme, scale);
    problem_->setStyleSheet(QStringLiteral("QPushButton { color: %1; border: none; text-align: left; padding: 0; } "
                                           "QPushButton:hover { text-decoration: underline; background: transparent; }")
                                .arg(theme.error.name()));
}

void ModelPage::rebuild()
{
    const QString stated = document_.bench().modelText();
    const auto typed = document_.hasModel() ? document_.bench().bench().typed() : std::nullopt;
    const QString wanted = typed ? QString::fromStdString(*typed) : stated;
    if (stated == stated_ && !equations_->isChecked() && (showsBroken() || editor_->toPlainText() == asEdited(wanted)))
        return; // the same model from its start
    stated_ = stated;
    leaveBroken();
    const QSignalBlocker quiet(equations_);
    equations_->setChecked(false);
    save_->hide();
    revert_->setEnabled(true);
    apply_->setEnabled(true);
    equations_->setVisible(document_.hasModel()
                           && kindOfText(document_.bench().modelText().toStdString()) == TextKind::Mechanism);
    showText(wanted, false);
    report(std::nullopt);
    if (typed)
        pause_.start(); // what is wrong with it is said again
}

void ModelPage::setLive(bool on)
{
    live_ = on;
    if (on && document_.hasModel() && document_.bench().bench().typed())
        pause_.start(); // the picture waits for it
}

void ModelPage::showModel()
{
    if (!showsBroken())
        return;
    stated_.clear(); // the broken text may have been shown over the model that is still open
    rebuild();
}

void ModelPage::showText(const QString& text, bool readOnly)
{
    ours_ = true;
    ++generation_; // what is being read belongs to another text
    refused_.reset();
    pause_.stop();
    editor_->setReadOnly(readOnly);
    editor_->setKind(kindOfText(text.toStdString()));
    if (editor_->toPlainText() != text)
        editor_->setPlainText(text);
    editor_->setNames(namesInText(text.toStdString(), editor_->kind()));
    ours_ = false;
    preview();
}

void ModelPage::typed()
{
    if (ours_)
        return;
    ++generation_;
    refused_.reset();
    keepTyped();
    pause_.start();
    preview();
}

/// What is typed belongs to the document until it is applied: it is saved with it, asked about and restored.
void ModelPage::keepTyped()
{
    if (showsBroken() && !editor_->isReadOnly())
        mended_[broken_].second = editor_->toPlainText();
    if (showsBroken() || editor_->isReadOnly() || !document_.hasModel())
        return;
    const QString text = editor_->toPlainText();
    document_.bench().setTyped(text == asEdited(stated_) ? std::nullopt : std::optional(text.toStdString()));
}

/// On a thread of its own: a model of four megabytes takes seconds.
void ModelPage::check()
{
    const int generation = generation_;
    const std::string text = editor_->toPlainText().toStdString();
    const std::string file = QFileInfo(broken_.isEmpty() ? document_.bench().modelPath() : broken_).fileName().toStdString();
    QThreadPool::globalInstance()->start([text, file, generation, page = QPointer<ModelPage>(this)] {
        struct Outcome {
            std::optional<Diagnostic> problem, warning;
            TextKind kind;
            std::vector<std::string> names;
        };
        const TextKind kind = kindOfText(text);
        Outcome outcome{checkText(text, file), {}, kind, namesInText(text, kind)};
        if (!outcome.problem)
            outcome.warning = unitWarning(text, file);
        QMetaObject::invokeMethod(qApp, [page, generation, outcome = std::move(outcome)] {
            if (!page || page->generation_ != generation)
                return; // typed on meanwhile
            page->editor_->setKind(outcome.kind);
            page->editor_->setNames(outcome.names);
            if (!outcome.problem && page->refused_)
                return; // it can be read, but Apply has said why it is no model
            page->report(outcome.problem ? outcome.problem : outcome.warning, outcome.warning.has_value());
            if (page->live_ && !outcome.problem && !page->equations_->isChecked()
                && page->editor_->toPlainText() != asEdited(page->stated_))
                page->apply();
        });
    });
}

void ModelPage::report(const std::optional<Diagnostic>& problem, bool warning)
{
    line_ = problem ? problem->position.line : 0;
    column_ = problem ? std::max(1, problem->position.column) : 0;
    QString text;
    if (problem) {
        if (warning)
            text = tr("Warning. ");
        if (line_ > 0)
            text += tr("Line %1, column %2: ").arg(line_).arg(column_);
        text += QString::fromStdString(problem->what);
        for (const std::string* part : {&problem->where, &problem->why, &problem->remedy})
            if (!part->empty())
                text += QStringLiteral(" · ") + QString::fromStdString(*part);
    }
    constexpr qsizetype kLongest = 300;
    problem_->setText(text.size() > kLongest ? text.left(kLongest) + u'…' : text);
    problem_->setToolTip(text);
    problem_->setAccessibleName(text);
    problem_->setVisible(problem.has_value());
    editor_->setProblem(line_, column_, text);
}

void ModelPage::preview()
{
    const QTextCursor cursor = editor_->textCursor();
    constexpr qsizetype kWindow = 4000; // characters before and behind the cursor: a statement is shorter
    const QString all = editor_->toPlainText();
    qsizetype from = std::max<qsizetype>(0, cursor.position() - kWindow);
    if (from > 0)
        from = std::max<qsizetype>(0, all.lastIndexOf(u'\n', from));
    const std::string before = all.mid(from, cursor.position() - from).toStdString(),
                      behind = all.mid(cursor.position(), kWindow).toStdString();
    preview_->setFormula(QString::fromStdString(latexAt(before + behind, before.size(), editor_->kind())));
}

QStringList ModelPage::editedFiles() const
{
    QStringList out;
    for (const auto& [file, texts] : mended_)
        if (texts.first != texts.second)
            out << QFileInfo(file).fileName();
    return out;
}

bool ModelPage::showBroken(const QString& path, const Diagnostic& problem)
{
    QFile file(path);
    if (!QFileInfo(path).isFile() || file.size() > static_cast<qint64>(budget::kModelBytes) || // longer files are not models
        !file.open(QIODevice::ReadOnly))
        return false;
    const QByteArray bytes = file.readAll();
    if (bytes.contains('\0'))
        return false;
    const bool model =
        !path.endsWith(QStringLiteral(".driftless")) && !bytes.contains("[[step]]") && !bytes.contains("[[run]]");
    broken_ = path;
    {
        const QSignalBlocker quiet(equations_);
        equations_->setChecked(false);
    }
    equations_->hide();
    save_->hide();
    revert_->setEnabled(document_.hasModel());
    apply_->setEnabled(true);
    apply_->setText(model ? tr("Open") : tr("Open again"));
    apply_->setToolTip(model ? tr("Open this text as a model of its own; the file stays as it is") : tr("Read the file again"));
    const QString text = asEdited(QString::fromUtf8(bytes));
    const auto edited = mended_.find(path); // before another file was opened
    const bool again = model && edited != mended_.end() && edited->second.first == text;
    if (model && !again)
        mended_[path] = {text, text};
    showText(again ? edited->second.second : text, !model);
    report(problem);
    if (line_ > 0)
        editor_->showPlace(line_, column_);
    return true;
}

void ModelPage::leaveBroken()
{
    if (broken_.isEmpty())
        return;
    broken_.clear();
    apply_->setText(tr("Apply"));
    apply_->setToolTip(tr("Read this text as the model; all runs start again"));
    equations_->setVisible(document_.hasModel()
                           && kindOfText(document_.bench().modelText().toStdString()) == TextKind::Mechanism);
}

void ModelPage::apply()
{
    if (const QString path = broken_; !path.isEmpty()) {
        if (editor_->isReadOnly()) {
            emit reopenAsked(path);
            return;
        }
        const auto opened = document_.opener().openText(editor_->toPlainText(), path);
        if (opened) {
            mended_.erase(path); // the document has it
            leaveBroken();
            report(std::nullopt);
            emit mended(path);
            return;
        }
        report(opened.error());
        if (line_ > 0)
            editor_->showPlace(line_, column_);
        return;
    }
    const QString text = editor_->toPlainText();
    if (document_.hasModel())
        document_.bench().setTyped(std::nullopt);
    const auto applied = document_.edits().applyText(text);
    if (!applied) {
        keepTyped();
        refused_ = applied.error();
    }
    report(applied ? std::nullopt : std::optional(applied.error()));
    if (!applied && line_ > 0)
        editor_->showPlace(line_, column_);
}

namespace {

std::string equationText(const Document& document)
{
    const auto& model = document.compiled().model();
    const auto& system = model.system;
    model::ModelState start;
    start.resize(static_cast<int>(system.coordinates.size()), static_cast<int>(system.wSymbols().size()));
    for (std::size_t i = 0; i < system.coordinates.size(); ++i) {
        start.q[i] = system.coordinates[i].position.value;
        start.v[i] = system.coordinates[i].velocity.value;
    }
    if (!document.runs().empty()) // what the runs start from meets the constraints
        if (const auto rows = document.laboratory().recording(document.runs().front().id); !rows.empty())
            rows.stateAt(rows.firstTime(), start.q.data(), start.v.data(), start.lambda.data());
    std::string title = model.title, modes;
    for (const model::OneSided& row : system.oneSided)
        modes += (modes.empty() ? "" : ", ") + row.row.name;
    if (!modes.empty())
        title += (title.empty() ? "" : "; ") + std::string("without what holds in some modes alone: ") + modes;
    return model::modelicaText(reduction::equationsFrom(system, start), model.name, title, model.run.end);
}

} // namespace

void ModelPage::showEquations(bool on)
{
    if (!document_.hasModel())
        return;
    if (on)
        draft_ = editor_->toPlainText();
    showText(on ? QString::fromStdString(equationText(document_)) : draft_, on);
    report(std::nullopt);
    save_->setVisible(on);
    revert_->setEnabled(!on);
    apply_->setEnabled(!on);
    if (!on && draft_ != document_.bench().modelText())
        pause_.start();
}

Result<void> ModelPage::saveEquations(const QString& path) const
{
    return writeWholeFile(textToPath(path.toStdU16String()), equationText(document_));
}

void ModelPage::askForFile()
{
    QFileDialog* dialog = newSaveDialog(this, QStringLiteral("equationsDialog"), tr("Save the equations"),
                                        tr("Model of equations (*.mo)"), QStringLiteral("mo"));
    dialog->selectFile(QString::fromStdString(document_.compiled().model().name) + "-equations.mo");
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        if (const auto saved = saveEquations(path); !saved)
            emit document_.refused(saved.error());
    });
    dialog->open();
}

} // namespace driftless::ui
