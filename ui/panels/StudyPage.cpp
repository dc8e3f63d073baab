#include "ui/panels/StudyPage.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QListWidget>
#include <QProcess>
#include <QPushButton>
#include <QScrollBar>
#include <QStandardPaths>
#include <QTextBrowser>
#include <QTextCursor>
#include <QVBoxLayout>

#include <algorithm>

#include "core/text/PathText.h"
#include "ui/panels/PageWindow.h"
#include "ui/panels/StudyShare.h"
#include "ui/views/FlowLayout.h"
#include "ui/views/LessonText.h"

namespace driftless::ui {

namespace {

constexpr int kStudyListWidth = 220, kStudySide = 12, kStudyMargin = 12;
constexpr int kWidestFigure = 900; ///< [px] before scaling
constexpr int kLookMs = 400;       ///< between looks at how many runs are done
constexpr qint64 kMostResult = 64 << 20, kMostTable = 1 << 20;

QString studyText(const std::string& s) { return QString::fromStdString(s); }

/// Of a file of the cache; empty where it is not there or too large.
QByteArray readSome(const QString& path, qint64 most)
{
    QFile file(path);
    return file.size() <= most && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// A cell of a table in Markdown.
QString cell(QString text) { return text.replace('|', QStringLiteral("\\|")).simplified(); }

} // namespace

StudyPage::StudyPage(QWidget* parent) : QWidget(parent), program_(QCoreApplication::applicationFilePath())
{
    setObjectName("studyPage");
    setProperty("role", "window");
    setAttribute(Qt::WA_StyledBackground);
    sharing_ = new StudyShare(this);
    connect(sharing_, &StudyShare::busyChanged, this, &StudyPage::showState);
    connect(sharing_, &StudyShare::refused, this, &StudyPage::refused);
    makeList();
    auto* right = new QVBoxLayout;
    right->setSpacing(0);
    right->addWidget(makeHeader());
    page_ = new QTextBrowser;
    page_->setObjectName("studyText");
    page_->setAccessibleName(tr("The study"));
    page_->setFrameShape(QFrame::NoFrame);
    page_->setOpenLinks(false); // texts may come from strangers
    right->addWidget(page_, 1);
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(1);
    columns->addWidget(list_);
    columns->addLayout(right, 1);
    look_.setInterval(kLookMs);
    connect(&look_, &QTimer::timeout, this, &StudyPage::showState);
    relayout_.setSingleShot(true);
    connect(&relayout_, &QTimer::timeout, this, &StudyPage::showPage);
    showState();
}

StudyPage::~StudyPage()
{
    if (!process_)
        return;
    process_->disconnect(this);
    process_->terminate();          // what it has finished stays
    constexpr int kPatience = 3000; // [ms]
    if (!process_->waitForFinished(kPatience))
        process_->kill();
}

void StudyPage::setProgram(const QString& path)
{
    program_ = path;
    sharing_->setProgram(path);
}

void StudyPage::makeList()
{
    list_ = new QListWidget;
    list_->setObjectName("studyList");
    list_->setAccessibleName(tr("Studies"));
    list_->setFixedWidth(kStudyListWidth);
    list_->setWordWrap(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    for (const auto& shipped : study::shippedStudies()) {
        auto* item = new QListWidgetItem(studyText(shipped.title), list_);
        item->setData(Qt::UserRole, studyText(shipped.id));
        item->setToolTip(studyText(shipped.source));
    }
    connect(list_, &QListWidget::currentItemChanged, this, &StudyPage::chosen);
}

/// The list itself takes no account of the padding of its rows: titles that just fit would be cut.
void StudyPage::fitList()
{
    constexpr int kBeside = 2 * 8 + 12, kOverAndBelow = 2 * 4; // padding of the style sheet, scroll bar
    const QFontMetrics metrics(uiFont(qRound(kTextPixels * scale_)));
    const int width = list_->width() - qRound(kBeside * scale_) - 2;
    for (int row = 0; row < list_->count(); ++row) {
        const QRect words =
            metrics.boundingRect(QRect(0, 0, width, QWIDGETSIZE_MAX), Qt::TextWordWrap, list_->item(row)->text());
        list_->item(row)->setSizeHint({width, words.height() + qRound(kOverAndBelow * scale_)});
    }
}

QWidget* StudyPage::makeHeader()
{
    auto* header = new QWidget;
    auto* rows = new QVBoxLayout(header);
    rows->setContentsMargins(kStudySide, 8, kStudySide, 6);
    rows->setSpacing(6);
    title_ = new QLabel;
    title_->setObjectName("studyTitle");
    title_->setProperty("role", "heading");
    title_->setWordWrap(true);
    rows->addWidget(title_);
    auto* line = new FlowLayout(nullptr, 8); // large type in a narrow window takes two lines
    runs_ = new QPushButton(tr("Show its runs"));
    runs_->setObjectName("studyRuns");
    runs_->setToolTip(tr("Its runs as ghosts in the scene, from the start of the first one"));
    compute_ = new QPushButton;
    compute_->setObjectName("studyCompute");
    compute_->setProperty("role", "primary");
    share_ = new QPushButton(tr("Share…"));
    share_->setObjectName("studyShare");
    share_->setToolTip(tr("The study as one file that any browser shows: its runs, claims and tables"));
    state_ = new QLabel;
    state_->setObjectName("studyState");
    state_->setProperty("role", "secondary");
    line->addWidget(compute_);
    line->addWidget(runs_);
    line->addWidget(share_);
    line->addWidget(state_);
    rows->addLayout(line);
    connect(runs_, &QPushButton::clicked, this, [this] {
        if (study_)
            emit runsAsked(studyText(study_->path));
    });
    connect(compute_, &QPushButton::clicked, this, &StudyPage::compute);
    connect(share_, &QPushButton::clicked, this, &StudyPage::shareAsked);
    return header;
}

void StudyPage::setTheme(const Theme& theme, double scale)
{
    theme_ = theme;
    scale_ = scale;
    list_->setFixedWidth(qRound(kStudyListWidth * scale));
    state_->setMinimumHeight(share_->sizeHint().height()); // in line with the buttons
    fitList();
    showPage();
}

void StudyPage::resizeEvent(QResizeEvent* event)
{
    constexpr int kCalm = 150; // [ms] figures are as wide as the page once it keeps its width
    QWidget::resizeEvent(event);
    if (computed() && event->oldSize().width() != width())
        relayout_.start(kCalm);
}

// --- which one ---

void StudyPage::showOpened()
{
    if (!study_ && list_->count() > 0)
        list_->setCurrentRow(0);
}

void StudyPage::chosen()
{
    const auto* item = list_->currentItem();
    const QString wanted = item ? item->data(Qt::UserRole).toString() : QString();
    if (wanted.isEmpty() || (study_ && (studyText(study_->id) == wanted || studyText(study_->path) == wanted)))
        return;
    if (const auto opened = open(wanted); !opened)
        emit refused(opened.error());
}

Result<void> StudyPage::open(const QString& pathOrName)
{
    auto read = study::openStudy(textToPath(pathOrName.toStdU16String()));
    if (!read)
        return read.error();
    study_ = std::move(read).value();
    QListWidgetItem* found = nullptr;
    for (int row = 0; row < list_->count() && !found; ++row)
        if (const QString id = list_->item(row)->data(Qt::UserRole).toString();
            id == studyText(study_->id) || id == studyText(study_->path))
            found = list_->item(row);
    if (!found) { // a file of one's own
        found = new QListWidgetItem(studyText(study_->title));
        found->setData(Qt::UserRole, studyText(study_->path));
        found->setToolTip(studyText(study_->path));
        list_->insertItem(0, found);
        fitList();
    }
    list_->setCurrentItem(found);
    readResult();
    showPage();
    page_->verticalScrollBar()->setValue(0);
    showState();
    return {};
}

// --- what it says ---

/// Another text is another folder: what was computed belongs to its text.
QString StudyPage::folder() const
{
    const QByteArray digest =
        QCryptographicHash::hash(QByteArray::fromStdString(study_->text), QCryptographicHash::Sha1).toHex().left(12);
    return QStringLiteral("%1/studies/%2-%3")
        .arg(QStandardPaths::writableLocation(QStandardPaths::CacheLocation), studyText(study_->id),
             QString::fromLatin1(digest));
}

void StudyPage::readResult()
{
    result_ = QJsonDocument::fromJson(readSome(folder() + QStringLiteral("/result.json"), kMostResult)).object();
    const QString program = QStringLiteral("Driftless ") + QCoreApplication::applicationVersion();
    if (!QCoreApplication::applicationVersion().isEmpty() && result_.value("program").toString() != program)
        result_ = {}; // of another version: to be computed again
}

QString StudyPage::claimsText() const
{
    if (study_->claims.empty())
        return {};
    QString text = tr("\n## What it claims\n\n");
    if (!computed()) {
        for (const study::Claim& claim : study_->claims)
            text += QStringLiteral("- %1\n").arg(studyText(claim.text));
        return text;
    }
    text += tr("| | claim | measured | |\n|---|---|---:|---|\n");
    for (const auto& value : result_.value("claims").toArray()) {
        const QJsonObject claim = value.toObject();
        text += QStringLiteral("| %1 | %2 | %3 | %4 |\n")
                    .arg(claim.value("holds").toBool() ? tr("holds") : tr("**fails**"), cell(claim.value("text").toString()),
                         cell(claim.value("measured").toString()), cell(claim.value("relation").toString()));
    }
    return text;
}

QString StudyPage::tablesText() const
{
    QString text;
    for (const study::StudyTable& table : study_->tables) {
        text += QStringLiteral("\n## %1\n\n").arg(studyText(table.title));
        if (computed()) {
            text +=
                QString::fromUtf8(readSome(QStringLiteral("%1/tables/%2.md").arg(folder(), studyText(table.name)), kMostTable));
            continue;
        }
        QStringList columns;
        for (const study::TableColumn& column : table.columns)
            columns << studyText(column.title);
        text += tr("Columns: %1.\n").arg(columns.join(QStringLiteral(", ")));
    }
    return text;
}

void StudyPage::showPage()
{
    if (!study_)
        return;
    const int read = page_->verticalScrollBar()->value(); // another theme leaves the reader where they were
    title_->setText(studyText(study_->title));
    QString text;
    if (!study_->source.empty())
        text += tr("*Source: %1*\n\n").arg(studyText(study_->source));
    text += studyText(study_->summary) + '\n' + claimsText() + tablesText();
    page_->document()->setDocumentMargin(kStudyMargin * scale_);
    setLessonText(*page_->document(), text, kTextPixels * scale_);
    drawTables(*page_->document(), theme_, scale_);
    addFigures();
    page_->moveCursor(QTextCursor::Start);
    page_->verticalScrollBar()->setValue(read);
}

/// As wide as the page allows; before they are computed, what they will show.
void StudyPage::addFigures()
{
    QTextCursor end(page_->document());
    end.movePosition(QTextCursor::End);
    QTextBlockFormat block;
    block.setTopMargin(kStudyMargin * scale_);
    QTextCharFormat bold, plain;
    bold.setFontWeight(QFont::DemiBold);
    const double ratio = devicePixelRatioF();
    const int room = std::min(qRound(kWidestFigure * scale_), page_->viewport()->width() - qRound(3 * kStudyMargin * scale_));
    for (const study::StudyFigure& figure : study_->figures) {
        const QString name = studyText(figure.name), title = studyText(figure.title.empty() ? figure.name : figure.title);
        end.insertBlock(block);
        end.insertText(tr("Figure: %1").arg(title), bold);
        QImage picture;
        if (computed() && picture.load(QStringLiteral("%1/figures/%2.png").arg(folder(), name))) {
            const int width = std::min(room, picture.width());
            QImage shown = picture.scaledToWidth(qRound(width * ratio), Qt::SmoothTransformation);
            shown.setDevicePixelRatio(ratio);
            const QUrl at(QStringLiteral("figure:") + name);
            page_->document()->addResource(QTextDocument::ImageResource, at, shown);
            end.insertBlock();
            QTextImageFormat image;
            image.setName(at.toString());
            image.setWidth(width);
            end.insertImage(image);
        }
        if (figure.caption.empty())
            continue;
        end.insertBlock();
        end.insertText(studyText(figure.caption), plain);
    }
}

// --- computing ---

void StudyPage::compute()
{
    if (process_) {
        stopped_ = true;
        process_->terminate();
        return;
    }
    if (!study_)
        return;
    stopped_ = false;
    asked_ = folder();
    if (!QDir().mkpath(asked_)) {
        emit refused(
            {.what = "The study cannot be computed", .where = asked_.toStdString(), .why = "the folder cannot be made"});
        return;
    }
    process_ = new QProcess(this);
    connect(process_, &QProcess::finished, this,
            [this](int code, QProcess::ExitStatus status) { finished(code, status == QProcess::CrashExit); });
    connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            finished(-1, true);
    });
    process_->setProcessChannelMode(QProcess::SeparateChannels);
    process_->setStandardOutputFile(QProcess::nullDevice());
    process_->start(program_, {QStringLiteral("study"), QFileInfo(studyText(study_->path)).absoluteFilePath(),
                               QStringLiteral("--out"), asked_});
    look_.start();
    showState();
}

void StudyPage::finished(int exitCode, bool crashed)
{
    constexpr int kDone = 0, kClaimFails = 1; // docs/command-line.md
    look_.stop();
    QString said = QString::fromUtf8(process_->readAllStandardError()).trimmed().section('\n', 0, 0);
    if (said.isEmpty())
        said = process_->errorString();
    process_->deleteLater();
    process_ = nullptr;
    const bool done = !crashed && (exitCode == kDone || exitCode == kClaimFails);
    if (!done && !stopped_)
        emit refused({.what = "The study could not be computed", .where = asked_.toStdString(), .why = said.toStdString()});
    if (study_ && folder() == asked_) {
        readResult();
        showPage();
    }
    showState();
}

void StudyPage::showState()
{
    share_->setEnabled(sharing_->whyNot(current()).isEmpty());
    share_->setText(sharing_->busy() ? tr("Sharing…") : tr("Share…"));
    runs_->setEnabled(study_.has_value());
    compute_->setEnabled(study_.has_value());
    const QString again = computed() ? tr("Compute again") : tr("Compute tables and figures");
    compute_->setText(process_ ? tr("Stop") : again);
    compute_->setToolTip(process_ ? tr("What is finished stays, and is not computed again")
                                  : tr("Its runs to their ends, in the background: claims, tables and figures"));
    if (!study_) {
        state_->clear();
        return;
    }
    const auto runs = static_cast<int>(study_->runs.size());
    if (process_) {
        const auto done = QDir(asked_ + QStringLiteral("/runs")).entryList(QDir::Files).size();
        state_->setText(folder() == asked_
                            ? tr("Computing: %1 of %2 runs").arg(std::min<int>(runs, static_cast<int>(done))).arg(runs)
                            : tr("Another study is being computed."));
        return;
    }
    int fails = 0;
    const auto claims = result_.value("claims").toArray();
    for (const auto& claim : claims)
        fails += claim.toObject().value("holds").toBool() ? 0 : 1;
    if (!computed())
        state_->setText(tr("%1 runs, %2 claims; not computed yet.") // that all runs end as they are to is one of them
                            .arg(runs)
                            .arg(study_->claims.size() + 1));
    else
        state_->setText(fails == 0 ? tr("All %1 claims hold.").arg(claims.size())
                                   : tr("%1 of %2 claims fail.").arg(fails).arg(claims.size()));
}

} // namespace driftless::ui
