#include "ui/views/LessonHandout.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QPdfWriter>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextDocumentFragment>
#include <QTextList>
#include <QTextObjectInterface>

#include <algorithm>

#include "ui/document/Document.h"
#include "ui/document/LessonBench.h"
#include "ui/document/NumberText.h"
#include "ui/figures/SaveFile.h"
#include "ui/figures/WriteFigure.h"
#include "ui/views/FigureExport.h"
#include "ui/views/LessonText.h"
#include "ui/views/PlotData.h"
#include "ui/views/StyleSheet.h"

namespace driftless::ui {

namespace {

// A4 in points of 1/72 inch; lengths of the document are points, too.
constexpr double kPageWidth = 595, kPageHeight = 842, kPageMargin = 57, kFooter = 30; ///< margins of 20 mm
constexpr double kPointsPerMillimetre = 72 / 25.4;
constexpr double kTextSize = 10.5, kTitleSize = 20, kHeadingSize = 13, kSmallSize = 9;
constexpr double kDefaultEnd = 10; ///< [s] of a bench whose clock nothing stops
constexpr int kFigureObject = QTextFormat::UserObject + 1, kFigureProperty = QTextFormat::UserProperty + 1;

/// Draws figures inside the text as lines and text.
class FigureObject final : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)
public:
    std::vector<figures::Figure> pictures;

    QSizeF intrinsicSize(QTextDocument* document, int, const QTextFormat& format) override
    {
        const QSizeF size = figures::figureSize(of(format)) * kPointsPerMillimetre;
        const double width = document->pageSize().width() - 2 * document->documentMargin();
        // A figure fits on one page with its heading.
        const double scale = std::min(width / size.width(), 0.62 * document->pageSize().height() / size.height());
        return size * scale;
    }
    void drawObject(QPainter* painter, const QRectF& rect, QTextDocument*, int, const QTextFormat& format) override
    {
        const figures::Figure& figure = of(format);
        painter->save();
        painter->translate(rect.topLeft());
        figures::paintFigure(*painter, figure, rect.width() / figures::figureSize(figure).width());
        painter->restore();
    }

private:
    const figures::Figure& of(const QTextFormat& format) const
    {
        return pictures[static_cast<std::size_t>(format.intProperty(kFigureProperty))];
    }
};

/// Writes a lesson into a document, block by block.
class Handout {
public:
    Handout(const lesson::Lesson& lesson, bool answers, std::uint64_t seed) : lesson_(lesson), answers_(answers), seed_(seed)
    {
        paper_.setDocumentMargin(kPageMargin);
        paper_.setPageSize(QSizeF(kPageWidth, kPageHeight - kFooter));
        QFont font(interfaceFamily());
        font.setPixelSize(qRound(kTextSize));
        paper_.setDefaultFont(font);
        paper_.documentLayout()->registerHandler(kFigureObject, &figures_);
    }

    Result<HandoutContents> write(const QString& path)
    {
        line(QString::fromStdString(lesson_.title), kTitleSize, true, 4);
        line(QString::fromStdString(lesson_.source), kSmallSize, false, 8);
        markdown(QString::fromStdString(lesson_.summary));
        if (hasOptions())
            line(QObject::tr("Order of the answers: %1").arg(seed_), kSmallSize, false, 4);
        for (std::size_t i = 0; i < lesson_.steps.size(); ++i)
            if (auto written = step(i); !written)
                return written.error();
        HandoutContents contents{paper_.pageCount(), static_cast<int>(figures_.pictures.size())};
        const auto saved = figures::saveFile(path, [this](QIODevice& device) { return print(device); });
        return saved ? Result<HandoutContents>(contents) : Result<HandoutContents>(saved.error());
    }

private:
    void line(const QString& text, double size, bool bold, double below)
    {
        QTextBlockFormat block;
        block.setTopMargin(bold ? size : 0);
        block.setBottomMargin(below);
        block.setNonBreakableLines(true);
        QTextCharFormat letters;
        QFont font(interfaceFamily());
        font.setPixelSize(qRound(size));
        font.setBold(bold);
        letters.setFont(font);
        insert(block);
        cursor_.insertText(text, letters);
    }

    void insert(const QTextBlockFormat& block)
    {
        if (!first_)
            cursor_.insertBlock();
        first_ = false;
        if (cursor_.currentList())
            cursor_.currentList()->remove(cursor_.block());
        cursor_.setBlockFormat(block);
    }

    void markdown(const QString& text)
    {
        if (text.trimmed().isEmpty())
            return;
        QTextDocument part;
        setLessonText(part, text, kTextSize);
        insert({});
        const int start = cursor_.position();
        cursor_.insertFragment(QTextDocumentFragment(&part));
        QTextCursor first(&paper_);
        first.setPosition(start);
        first.setBlockFormat(part.firstBlock().blockFormat()); // a fragment leaves that of the block it begins in
        if (auto* list = part.firstBlock().textList(); list && !first.currentList())
            first.createList(list->format());
    }

    void figure(const lesson::Setup& setup, std::size_t step)
    {
        figures_.pictures.push_back(lessonFigure(document_, setup));
        QTextBlockFormat block;
        block.setTopMargin(6);
        block.setBottomMargin(2);
        insert(block);
        QTextCharFormat object;
        object.setObjectType(kFigureObject);
        object.setProperty(kFigureProperty, static_cast<int>(figures_.pictures.size()) - 1);
        cursor_.insertText(QString(QChar::ObjectReplacementCharacter), object);
        line(QObject::tr("Figure %1. The bench of step %2.").arg(figures_.pictures.size()).arg(step + 1), kSmallSize, false,
             10);
    }

    /// Brings the bench to where the step's questions are asked.
    Result<void> play(const lesson::Setup& setup, std::size_t step)
    {
        if (auto done = document_.opener().setUp(setup, QObject::tr("step %1").arg(step + 1)); !done)
            return done;
        const double end = setup.until > 0 ? setup.until : kDefaultEnd;
        document_.laboratory().waitUntil(end);
        document_.playback().scrub(end);
        return {};
    }

    void showActions(const lesson::Step& step)
    {
        document_.playback().tick(0);
        for (const auto& action : step.show) {
            perform(document_, action);
            if (action.until) {
                document_.laboratory().waitUntil(*action.until);
                document_.playback().scrub(*action.until);
                document_.playback().tick(0);
            }
        }
    }

    Result<void> step(std::size_t i)
    {
        const lesson::Step& step = lesson_.steps[i];
        line(QStringLiteral("%1  %2").arg(i + 1).arg(QString::fromStdString(step.title)), kHeadingSize, true, 4);
        markdown(QString::fromStdString(step.text));
        if (step.setup) {
            if (auto played = play(*step.setup, i); !played)
                return played;
            if (!step.setup->plots.empty())
                figure(*step.setup, i);
        }
        if (!step.task.empty())
            markdown(QObject::tr("**Task.** %1").arg(QString::fromStdString(step.task)));
        if (step.question)
            question(*step.question, i);
        showActions(step);
        if (answers_ && step.question)
            answer(*step.question, lesson_.setupOf(i));
        return {};
    }

    bool hasOptions() const
    {
        return std::ranges::any_of(lesson_.steps,
                                   [](const lesson::Step& s) { return s.question && !s.question->options.empty(); });
    }

    void question(const lesson::Question& question, std::size_t step)
    {
        using Kind = lesson::Question::Kind;
        if (!question.text.empty())
            markdown(QObject::tr("**Question.** %1").arg(QString::fromStdString(question.text)));
        QString options;
        for (const std::size_t place : lesson::optionOrder(lesson_, step, seed_))
            options += QStringLiteral("☐ %1\n\n").arg(QString::fromStdString(question.options[place].text));
        markdown(options);
        if (question.kind == Kind::Number)
            markdown(QObject::tr("Answer: ______________ %1").arg(QString::fromStdString(question.unit)));
    }

    void answer(const lesson::Question& question, const lesson::Setup& setup)
    {
        using Kind = lesson::Question::Kind;
        QString text;
        if (question.kind == Kind::Choice) {
            for (const auto& option : question.options)
                if (option.right)
                    text = QString::fromStdString(option.text) + QStringLiteral(" – ");
        } else if (question.kind == Kind::Number) {
            const auto value = rightAnswer(document_, question, setup.until > 0 ? setup.until : kDefaultEnd);
            text = value.number
                       ? QStringLiteral("%1 %2 – ").arg(numberText(*value.number, 3), QString::fromStdString(question.unit))
                       : value.problem + ' ';
        }
        markdown(QObject::tr("**Solution.** %1%2").arg(text, QString::fromStdString(question.explanation)));
    }

    bool print(QIODevice& device)
    {
        QPdfWriter writer(&device);
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        writer.setResolution(72);
        writer.setTitle(QString::fromStdString(lesson_.title));
        writer.setCreator(QStringLiteral("Driftless"));
        QPainter painter;
        if (!painter.begin(&writer))
            return false;
        const double height = paper_.pageSize().height();
        for (int page = 0; page < paper_.pageCount(); ++page) {
            if (page > 0 && !writer.newPage())
                return false;
            painter.save();
            painter.translate(0, -page * height);
            QAbstractTextDocumentLayout::PaintContext context;
            context.clip = QRectF(0, page * height, kPageWidth, height);
            context.palette.setColor(QPalette::Text, Qt::black);
            painter.setClipRect(context.clip);
            paper_.documentLayout()->draw(&painter, context);
            painter.restore();
            QFont font(interfaceFamily());
            font.setPixelSize(qRound(kSmallSize));
            painter.setFont(font);
            painter.drawText(QRectF(kPageMargin, kPageHeight - kPageMargin, kPageWidth - 2 * kPageMargin, 20),
                             Qt::AlignLeft | Qt::AlignTop, QString::fromStdString(lesson_.title));
            painter.drawText(QRectF(kPageMargin, kPageHeight - kPageMargin, kPageWidth - 2 * kPageMargin, 20),
                             Qt::AlignRight | Qt::AlignTop, QObject::tr("%1 / %2").arg(page + 1).arg(paper_.pageCount()));
        }
        return painter.end();
    }

    const lesson::Lesson& lesson_;
    bool answers_;
    std::uint64_t seed_;
    Document document_;
    FigureObject figures_;
    QTextDocument paper_;
    QTextCursor cursor_{&paper_};
    bool first_ = true;
};

} // namespace

PlotSpec plotSpec(const lesson::PlotChoice& choice)
{
    PlotSpec spec;
    spec.kind = plotKindOf(choice.kind).value_or(PlotKind::Residuals);
    spec.quantity = spec.phaseX = QString::fromStdString(choice.of);
    spec.phaseY = QString::fromStdString(choice.against);
    return spec;
}

figures::Figure lessonFigure(Document& document, const lesson::Setup& setup)
{
    ExportRequest request;
    const auto& model = document.compiled().model();
    request.model = QString::fromStdString(model.title.empty() ? model.name : model.title);
    const double end = setup.until > 0 ? setup.until : kDefaultEnd;
    int reference = 0;
    for (const RunEntry& run : document.runs()) {
        const auto status = document.status(run.key);
        ExportRun shown;
        shown.plot = {run.colour, run.name, document.laboratory().recording(run.id)};
        shown.settings = status.settings;
        shown.steps = shown.plot.recording.stepsAt(end);
        if (status.state == run::RunState::Failed && status.diagnostic)
            shown.outcome = QString::fromStdString(status.diagnostic->what);
        if (run.key == document.bench().reference())
            reference = static_cast<int>(request.runs.size());
        request.runs.push_back(std::move(shown));
    }
    for (const auto& choice : setup.plots) {
        request.plots.push_back(plotSpec(choice));
        request.plots.back().reference = reference;
    }
    request.t1 = end;
    return composeFigure(request);
}

Result<HandoutContents> writeHandout(const lesson::Lesson& lesson, const QString& path, bool answers, std::uint64_t seed)
{
    return Handout(lesson, answers, seed).write(path);
}

} // namespace driftless::ui

#include "LessonHandout.moc"
