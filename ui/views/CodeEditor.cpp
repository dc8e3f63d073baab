#include "ui/views/CodeEditor.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStringListModel>
#include <QTextBlock>
#include <QTimer>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/views/CodeHighlighter.h"
#include "ui/views/StyleSheet.h"

namespace driftless::ui {

namespace {

constexpr int kCompletedLetters = 2; ///< from here on names are offered unasked

class Gutter : public QWidget {
public:
    explicit Gutter(CodeEditor* editor) : QWidget(editor), editor_(editor) { setObjectName("lineNumbers"); }

protected:
    void paintEvent(QPaintEvent* event) override { editor_->paintGutter(event); }

private:
    CodeEditor* editor_;
};

bool isNamePart(QChar c) { return c.isLetterOrNumber() || c == u'_'; }

/// Qt has Ctrl+Shift+Z alone on X11; the window takes Ctrl+Y as well.
bool isSecondRedo(const QKeyEvent& key) { return key.keyCombination() == (Qt::CTRL | Qt::Key_Y); }

} // namespace

CodeEditor::CodeEditor(QWidget* parent) : QPlainTextEdit(parent)
{
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTabChangesFocus(true);
    highlighter_ = new CodeHighlighter(document());
    gutter_ = new Gutter(this);
    words_ = new QStringListModel(this);
    completer_ = new QCompleter(words_, this);
    completer_->setWidget(this);
    completer_->setCaseSensitivity(Qt::CaseSensitive);
    completer_->setCompletionMode(QCompleter::PopupCompletion);
    completer_->popup()->setObjectName("completions");
    connect(completer_, QOverload<const QString&>::of(&QCompleter::activated), this, &CodeEditor::insertCompletion);
    connect(this, &QPlainTextEdit::blockCountChanged, this, [this] { layOutGutter(); });
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, [this] { mark(); });
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int down) {
        if (down != 0)
            gutter_->scroll(0, down);
        else
            gutter_->update(0, rect.y(), gutter_->width(), rect.height());
    });
    setLook(*theme_, 1);
}

CodeEditor::~CodeEditor() = default;

void CodeEditor::setLook(const Theme& theme, double scale)
{
    theme_ = &theme;
    scale_ = scale;
    setStyleSheet(
        QStringLiteral(
            "QPlainTextEdit { font-family: \"%1\"; font-size: %2px; background: %3; color: %4; border: 1px solid %5; }")
            .arg(fixedFamily())
            .arg(std::lround(kTextPixels * scale))
            .arg(theme.surface.name(), theme.text.name(), theme.line.name()));
    static_cast<CodeHighlighter*>(highlighter_)->set(kind_, theme);
    layOutGutter();
    mark();
}

void CodeEditor::setKind(TextKind kind)
{
    if (kind == kind_)
        return;
    kind_ = kind;
    static_cast<CodeHighlighter*>(highlighter_)->set(kind_, *theme_);
}

void CodeEditor::setNames(const std::vector<std::string>& names)
{
    names_ = names;
    QStringList all;
    for (const std::vector<std::string>* list : {&std::as_const(names_), &languageWords(kind_), &functionWords()})
        for (const std::string& word : *list)
            all << QString::fromStdString(word);
    all.removeDuplicates();
    all.sort(Qt::CaseInsensitive);
    if (all != words_->stringList())
        words_->setStringList(all);
}

// --- mistakes ---

QTextCursor CodeEditor::placeAt(int line, int column) const
{
    const QTextBlock block = document()->findBlockByNumber(std::clamp(line, 1, document()->blockCount()) - 1);
    QTextCursor cursor(block);
    cursor.setPosition(block.position() + std::clamp(column - 1, 0, std::max(0, block.length() - 1)));
    return cursor;
}

void CodeEditor::setProblem(int line, int column, const QString& message)
{
    message_ = line > 0 ? message : QString();
    problem_ = QTextCursor();
    if (line > 0) {
        QTextCursor cursor = placeAt(line, column);
        const QString text = cursor.block().text();
        int begin = cursor.positionInBlock();
        if (begin >= text.size() && begin > 0) // behind the line: its last sign
            begin = static_cast<int>(text.size()) - 1;
        int end = begin;
        while (end < text.size() && isNamePart(text[end]))
            ++end;
        cursor.setPosition(cursor.block().position() + begin);
        cursor.setPosition(cursor.block().position() + std::min<int>(std::max(end, begin + 1), static_cast<int>(text.size())),
                           QTextCursor::KeepAnchor);
        problem_ = cursor;
    }
    mark();
    gutter_->update();
}

QString CodeEditor::underlined() const { return problem_.isNull() ? QString() : problem_.selectedText(); }

void CodeEditor::mark()
{
    QList<QTextEdit::ExtraSelection> all;
    QTextEdit::ExtraSelection line;
    QColor tint = theme_->text;
    tint.setAlpha(10);
    line.format.setBackground(tint);
    line.format.setProperty(QTextFormat::FullWidthSelection, true);
    line.cursor = textCursor();
    line.cursor.clearSelection();
    all << line;
    if (!problem_.isNull()) {
        QTextEdit::ExtraSelection wrong;
        wrong.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        wrong.format.setUnderlineColor(theme_->error);
        QColor ground = theme_->error;
        ground.setAlpha(38);
        wrong.format.setBackground(ground);
        wrong.cursor = problem_;
        all << wrong;
    }
    setExtraSelections(all);
}

void CodeEditor::showPlace(int line, int column)
{
    setTextCursor(placeAt(line, column));
    centerCursor();
    QTimer::singleShot(0, this, &CodeEditor::centerCursor); // a window that is not shown yet has no height
    setFocus();
}

bool CodeEditor::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && !problem_.isNull()) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int place = cursorForPosition(viewport()->mapFromGlobal(help->globalPos())).position();
        if (place >= problem_.selectionStart() && place <= problem_.selectionEnd())
            QToolTip::showText(help->globalPos(), message_.toHtmlEscaped(), this);
        else
            QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::ShortcutOverride && isSecondRedo(*static_cast<QKeyEvent*>(event))) {
        event->accept(); // what is typed, not what the window did last
        return true;
    }
    return QPlainTextEdit::event(event);
}

// --- completion ---

QString CodeEditor::wordBefore() const
{
    const QTextCursor cursor = textCursor();
    const QString text = cursor.block().text();
    int begin = cursor.positionInBlock();
    const int end = begin;
    while (begin > 0 && (isNamePart(text[begin - 1]) || (kind_ == TextKind::Mechanism && text[begin - 1] == u'.')))
        --begin;
    const QString word = text.mid(begin, end - begin);
    return !word.isEmpty() && word[0].isDigit() ? QString() : word;
}

void CodeEditor::complete(bool asked)
{
    const QString word = wordBefore();
    if (isReadOnly() || (!asked && word.size() < kCompletedLetters)) {
        completer_->popup()->hide();
        return;
    }
    completer_->setCompletionPrefix(word);
    const bool nothing =
        completer_->completionCount() == 0 || (completer_->completionCount() == 1 && completer_->currentCompletion() == word);
    if (nothing) {
        completer_->popup()->hide();
        return;
    }
    completer_->popup()->setCurrentIndex(completer_->completionModel()->index(0, 0));
    QRect place = cursorRect();
    place.translate(viewport()->pos());
    place.setWidth(completer_->popup()->sizeHintForColumn(0) + completer_->popup()->verticalScrollBar()->sizeHint().width()
                   + 12);
    completer_->complete(place);
}

void CodeEditor::insertCompletion(const QString& word)
{
    QTextCursor cursor = textCursor();
    cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor, static_cast<int>(completer_->completionPrefix().size()));
    cursor.insertText(word);
    setTextCursor(cursor);
}

void CodeEditor::keyPressEvent(QKeyEvent* event)
{
    const bool open = completer_->popup()->isVisible();
    if (open
        && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Tab
            || event->key() == Qt::Key_Escape)) {
        event->ignore(); // the list of completions takes them
        return;
    }
    if (isSecondRedo(*event)) {
        completer_->popup()->hide();
        redo();
        return;
    }
    const bool asked = event->key() == Qt::Key_Space && (event->modifiers() & Qt::ControlModifier);
    if (!asked)
        QPlainTextEdit::keyPressEvent(event);
    const bool typed = !event->text().isEmpty() && isNamePart(event->text().back());
    const bool erased = open && (event->key() == Qt::Key_Backspace || event->key() == Qt::Key_Period);
    if (asked || typed || erased)
        complete(asked);
    else if (!event->text().isEmpty())
        completer_->popup()->hide();
}

// --- line numbers ---

int CodeEditor::gutterWidth() const
{
    const int digits = std::max(2, static_cast<int>(QString::number(blockCount()).size()));
    return fontMetrics().horizontalAdvance(u'9') * digits + static_cast<int>(std::lround(12 * scale_));
}

void CodeEditor::layOutGutter()
{
    setViewportMargins(gutterWidth(), 0, 0, 0);
    const QRect all = contentsRect();
    gutter_->setGeometry(all.left(), all.top(), gutterWidth(), all.height());
}

void CodeEditor::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    layOutGutter();
}

void CodeEditor::paintGutter(QPaintEvent* event)
{
    QPainter painter(gutter_);
    painter.fillRect(event->rect(), theme_->window);
    painter.setFont(font());
    const int wrong = problem_.isNull() ? -1 : problem_.blockNumber();
    QTextBlock block = firstVisibleBlock();
    double top = blockBoundingGeometry(block).translated(contentOffset()).top();
    while (block.isValid() && top <= event->rect().bottom()) {
        const double height = blockBoundingRect(block).height();
        painter.setPen(block.blockNumber() == wrong ? theme_->error : theme_->secondary);
        painter.drawText(QRectF(0, top, gutter_->width() - 6 * scale_, height), Qt::AlignRight | Qt::AlignVCenter,
                         QString::number(block.blockNumber() + 1));
        top += height;
        block = block.next();
    }
}

} // namespace driftless::ui
