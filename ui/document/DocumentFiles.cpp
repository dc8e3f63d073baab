#include "ui/document/DocumentFiles.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "core/reduction/Reduced.h"
#include "core/study/SessionStudy.h"
#include "core/study/Study.h"
#include "core/text/Budget.h"
#include "core/text/PathText.h"
#include "core/text/RegularFile.h"
#include "core/text/WholeFile.h"
#include "ui/document/MeasuredCommand.h"
#include "ui/document/RecentFiles.h"
#include "ui/document/SessionFile.h"
#include "ui/document/SessionReplay.h"

namespace driftless::ui {

namespace {

QByteArray digestOf(const QByteArray& bytes) { return QCryptographicHash::hash(bytes, QCryptographicHash::Sha1); }

/// One that cannot be read may hold anything.
bool hasDigest(const std::string& path, const QByteArray& digest)
{
    const auto text = readRegularFile(path, budget::kSessionBytes);
    return text && digestOf(QByteArray::fromStdString(*text)) == digest;
}

/// A model has one [run], a study several [[run]].
bool isStudy(const QString& path)
{
    const auto text = readRegularFile(textToPath(path.toStdU16String()), budget::kSessionBytes);
    if (!text)
        return false;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);)
        if (const auto first = line.find_first_not_of(" \t");
            first != std::string::npos && line.compare(first, 7, "[[run]]") == 0)
            return true;
    return false;
}

bool isShippedStudy(const QString& name)
{
    const auto studies = study::shippedStudies();
    return std::ranges::any_of(studies, [&](const auto& s) { return s.id == name.toStdString(); });
}

/// The place of the bench, held while a session is repeated.
class Reservation {
public:
    explicit Reservation(OpenBench& open) : open_(open) { open_.reserve(true); }
    ~Reservation() { open_.reserve(false); }
    Reservation(const Reservation&) = delete;
    Reservation& operator=(const Reservation&) = delete;

private:
    OpenBench& open_;
};

Diagnostic nothingToSave()
{
    return {.what = "There is nothing to save", .why = "no model is open", .remedy = "open a model first"};
}

Diagnostic changedByAnother(const QString& path)
{
    return {.what = "The session was not saved: its file was changed by another window or program",
            .where = path.toStdString(),
            .why = "saving would lose what was written there since this window read or wrote it",
            .remedy = "save as… under another name"};
}

/// "swing.csv", or "swing (2).csv" where another file of this name is shown already.
QString nameAmong(const std::vector<MeasuredCurves>& all, const QString& file)
{
    const QFileInfo info(file);
    const QString ending = info.suffix().isEmpty() ? QString() : '.' + info.suffix();
    QString name = file;
    for (int k = 2; std::ranges::any_of(all, [&](const MeasuredCurves& one) { return one.name == name; }); ++k)
        name = QStringLiteral("%1 (%2)%3").arg(info.completeBaseName()).arg(k).arg(ending);
    return name;
}

/// Measured data as files beside a study. A file there of the same name and another text is left alone: the data takes another
/// name.
std::vector<study::DataFile> dataBeside(const QString& study, const std::vector<MeasuredCurves>& all)
{
    constexpr int kMostTries = 1000;
    const QDir folder = QFileInfo(study).dir();
    std::vector<study::DataFile> out;
    for (const MeasuredCurves& curves : all) {
        QString base = QFileInfo(curves.name).fileName();
        if (base.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive))
            base.chop(4);
        if (base.isEmpty() || base.startsWith('.'))
            base = QStringLiteral("measured");
        QString name = base + QStringLiteral(".csv");
        const auto isTaken = [&] {
            const std::string text = name.toStdString();
            if (std::ranges::any_of(out, [&](const study::DataFile& file) { return file.name == text; }))
                return true;
            const QString place = folder.filePath(name);
            if (!QFileInfo::exists(place))
                return false;
            const auto there = readRegularFile(textToPath(place.toStdU16String()), budget::kMeasuredBytes);
            return !there || *there != curves.text;
        };
        for (int k = 2; isTaken() && k < kMostTries; ++k)
            name = QStringLiteral("%1-%2.csv").arg(base).arg(k);
        study::DataFile file{name.toStdString(), curves.text};
        for (const run::Column& column : curves.columns->view().columns())
            file.columns.push_back(column.name);
        out.push_back(std::move(file));
    }
    return out;
}

} // namespace

DocumentFiles::DocumentFiles(const Parts& parts, QObject* parent) : QObject(parent), parts_(parts) {}

// --- opening ---

Result<void> DocumentFiles::open(const QString& pathOrName)
{
    if (pathOrName.endsWith(QStringLiteral(".driftless")))
        return openSession(pathOrName);
    if (pathOrName.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive))
        return showMeasured(pathOrName);
    std::error_code error;
    const bool byName = !std::filesystem::exists(textToPath(pathOrName.toStdU16String()), error);
    if (!isStudy(pathOrName)) {
        const auto opened = parts_.opener.openModel(pathOrName);
        if (opened || !byName || !isShippedStudy(pathOrName))
            return opened;
    }
    QString left;
    const auto opened = parts_.opener.openStudy(pathOrName, &left);
    if (opened && !left.isEmpty())
        parts_.messages.say({.what = "Part of the study is shown",
                             .where = pathOrName.toStdString(),
                             .why = "left out here: " + left.toStdString(),
                             .remedy = "driftless study computes all of it"});
    return opened;
}

Result<void> DocumentFiles::showMeasured(const QString& path)
{
    if (!parts_.open.hasModel())
        return Diagnostic{.what = "Measured data stands beside the runs of a model",
                          .where = path.toStdString(),
                          .why = "no model is open",
                          .remedy = "open the model first"};
    if (isReplaying())
        return parts_.open.reservedAlready();
    auto all = parts_.open.measured();
    if (all.size() >= MeasuredCurves::kMost)
        return Diagnostic{.what = "There are four files of measured data already",
                          .where = path.toStdString(),
                          .why = "more could not be told apart",
                          .remedy = "take the measured data away first"};
    auto text = readRegularFile(textToPath(path.toStdU16String()), budget::kMeasuredBytes);
    if (!text)
        return text.error();
    const QString name = nameAmong(all, QFileInfo(path).fileName());
    auto data = MeasuredCurves::read(name, std::move(text).value(), path.toStdString(), parts_.open.bench().system());
    if (!data)
        return data.error();
    all.push_back(std::move(*data));
    putMeasured(std::move(all), tr("show %1").arg(name));
    return {};
}

void DocumentFiles::hideMeasured()
{
    if (!parts_.open.measured().empty())
        putMeasured({}, tr("take the measured data away"));
}

void DocumentFiles::putMeasured(std::vector<MeasuredCurves> after, const QString& words)
{
    auto before = parts_.open.measured();
    parts_.open.setMeasured(after);
    parts_.history.push(new MeasuredCommand(parts_.open, std::move(before), std::move(after), words),
                        parts_.open.bench().document(), Opens::SameDocument);
}

Result<void> DocumentFiles::openSession(const QString& path)
{
    if (auto read = readSession(path, {.sessionPath = path}); !read)
        return read;
    rememberFile(path);
    return {};
}

Result<void> DocumentFiles::restoreSession(const QString& path) { return readSession(path, {.restored = true}); }

Result<std::unique_ptr<run::Laboratory>> DocumentFiles::repeated(const std::string& json, const QString& path)
{
    const Reservation reservation(parts_.open);
    SessionReplay replay(this);
    emit replaying(&replay);
    return replay.run(json, path.toStdString());
}

Result<void> DocumentFiles::readSession(const QString& path, DocumentOrigin origin)
{
    const auto text = readRegularFile(textToPath(path.toStdU16String()), budget::kSessionBytes);
    if (!text)
        return text.error();
    if (isReplaying())
        return parts_.open.reservedAlready();
    auto laboratory = repeated(*text, path);
    if (!laboratory)
        return laboratory.error();
    const QByteArray json = QByteArray::fromStdString(*text);
    auto bench = sessionBench(std::move(laboratory).value(), json, [this] { return parts_.open.freshKey(); });
    origin.digest = digestOf(json);
    if (!origin.restored)
        origin.typed = bench->typed();
    parts_.open.replace(std::move(bench), origin);
    parts_.playback.pause();
    QStringList unknown;
    const auto plots = savedPlots(json, unknown);
    if (!plots.empty() || !unknown.isEmpty())
        emit plotsOpened(plots, unknown);
    return {};
}

// --- saving ---

QByteArray DocumentFiles::sessionBytes() const
{
    return parts_.open.hasModel() ? ui::sessionBytes(parts_.open.bench(), plots_) : QByteArray();
}

Result<void> DocumentFiles::saveSession(const QString& path)
{
    if (!parts_.open.hasModel())
        return nothingToSave();
    const QByteArray json = sessionBytes();
    const std::string place = textToPath(path.toStdU16String());
    if (path == sessionPath()) {
        const auto written = writeWholeFileOver(place, json.toStdString(),
                                                [&](const std::string& there) { return hasDigest(there, origin().digest); });
        if (!written)
            return written.error();
        if (!*written)
            return changedByAnother(path);
    } else if (auto written = writeWholeFile(place, json.toStdString()); !written) {
        return written;
    }
    parts_.open.bench().noteLogKept();
    parts_.history.noteSaved(parts_.open.bench().document(), path, digestOf(json), parts_.open.bench().typed());
    rememberFile(path);
    return {};
}

Result<void> DocumentFiles::saveModel(const QString& path) const
{
    if (!parts_.open.hasModel())
        return nothingToSave();
    const auto& typed = parts_.open.bench().typed();
    const std::string text = typed.value_or(parts_.open.modelText().toStdString());
    if (const auto read = typed ? reduction::readModel(text, parts_.open.modelPath().toStdString())
                                : Result<std::shared_ptr<const model::Model>>(nullptr);
        !read) {
        const std::string place = read.error().position.line > 0 ? "line " + std::to_string(read.error().position.line) : "";
        return Diagnostic{.what = "The text on the page Model is no model yet, and was not saved",
                          .where = place,
                          .why = read.error().what,
                          .remedy = "mend it there (F4), or press Revert; a session (Ctrl+S) keeps it as it is"};
    }
    if (auto written = writeWholeFile(textToPath(path.toStdU16String()), text); !written)
        return written;
    rememberFile(path);
    return {};
}

Result<void> DocumentFiles::saveStudy(const QString& path) const
{
    if (!parts_.open.hasModel())
        return nothingToSave();
    const std::vector<study::DataFile> data = dataBeside(path, parts_.open.measured());
    const auto text = study::studyFromSession(parts_.open.laboratory().sessionJson(), path.toStdString(),
                                              QFileInfo(path).completeBaseName().toStdString(), data);
    if (!text)
        return text.error();
    const QDir folder = QFileInfo(path).dir();
    for (const study::DataFile& file : data) // before the study: one that is there has its data
        if (auto written =
                writeWholeFile(textToPath(folder.filePath(QString::fromStdString(file.name)).toStdU16String()), file.text);
            !written)
            return written.error();
    return writeWholeFile(textToPath(path.toStdU16String()), *text);
}

// --- what is known of it ---

const DocumentOrigin& DocumentFiles::origin() const { return parts_.history.origin(parts_.open.bench().document()); }

QString DocumentFiles::title() const
{
    if (!parts_.open.hasModel())
        return QStringLiteral("Driftless");
    return (isDirty() ? QStringLiteral("%1* – Driftless") : QStringLiteral("%1 – Driftless")).arg(parts_.open.name());
}

QString DocumentFiles::sessionPath() const { return parts_.open.hasModel() ? origin().sessionPath : QString(); }

bool DocumentFiles::isDirty() const
{
    return parts_.open.hasModel()
           && (parts_.history.isUnsaved(parts_.open.bench().document()) || !parts_.open.bench().logKept()
               || parts_.open.bench().typed() != origin().typed);
}

std::vector<int> DocumentFiles::editedElsewhere() const
{
    return parts_.open.hasModel() ? parts_.history.unsavedNumbers(parts_.open.bench().document()) : std::vector<int>();
}

QStringList DocumentFiles::editsElsewhere() const
{
    return parts_.open.hasModel() ? parts_.history.unsavedBeside(parts_.open.bench().document()) : QStringList();
}

} // namespace driftless::ui
