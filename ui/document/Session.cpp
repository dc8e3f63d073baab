// Opening and saving: sessions are the laboratory's JSON with the window's presentation beside it, so that
// `driftless run --replay` reads the same file.
#include "ui/document/Document.h"

#include <QCryptographicHash>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "core/base/Budget.h"
#include "core/base/PathText.h"
#include "core/base/RegularFile.h"
#include "core/base/WholeFile.h"
#include "core/study/Study.h"
#include "ui/document/Commands.h"
#include "ui/document/Preferences.h"
#include "ui/document/SessionReplay.h"

namespace driftless::ui {

namespace {

constexpr int kRecentFiles = 10;

QByteArray digestOf(const QByteArray& bytes) { return QCryptographicHash::hash(bytes, QCryptographicHash::Sha1); }

/// Whether somebody else wrote the file since it had this digest. One that is gone holds nothing that could be lost; one that
/// cannot be read may hold anything.
bool isAnothers(const QString& path, const QByteArray& digest)
{
    if (!QFileInfo::exists(path))
        return false;
    const auto now = readRegularFile(textToPath(path.toStdU16String()), budget::kSessionBytes);
    return !now || digestOf(QByteArray::fromStdString(*now)) != digest;
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

} // namespace

Result<void> Document::open(const QString& pathOrName)
{
    if (pathOrName.endsWith(QStringLiteral(".driftless")))
        return openSession(pathOrName);
    std::error_code error;
    const bool byName = !std::filesystem::exists(textToPath(pathOrName.toStdU16String()), error);
    if (!isStudy(pathOrName)) {
        const auto opened = openModel(pathOrName);
        const auto studies = byName && !opened ? study::shippedStudies() : std::vector<study::ShippedStudy>{};
        if (std::none_of(studies.begin(), studies.end(), [&](const auto& s) { return s.id == pathOrName.toStdString(); }))
            return opened;
    }
    QString left;
    const auto opened = openStudy(pathOrName, &left);
    if (opened && !left.isEmpty())
        say(Diagnostic{"Part of the study is shown.",
                       pathOrName.toStdString(),
                       "Left out here: " + left.toStdString() + ".",
                       "driftless study computes all of it.",
                       {}});
    return opened;
}

QByteArray Document::sessionBytes() const
{
    if (!bench_)
        return {};
    QJsonArray runs;
    for (const RunEntry& run : bench_->runs)
        runs.append(QJsonObject{{"id", run.id.value},
                                {"name", run.name},
                                {"colour", run.colour},
                                {"visible", run.visible},
                                {"selected", run.key == selected()},
                                {"reference", run.key == reference()}});
    const QJsonObject presentation{{"t", laboratory().clock().t}, {"speed", laboratory().clock().speed}, {"runs", runs}};
    // Put in as text: the numbers of the log keep every digit.
    QByteArray json = QByteArray::fromStdString(laboratory().sessionJson()).trimmed();
    json.chop(1);
    json += ",\n\"presentation\": " + QJsonDocument(presentation).toJson(QJsonDocument::Compact) + "\n}\n";
    return json;
}

Result<void> Document::saveSession(const QString& path)
{
    if (!bench_)
        return Diagnostic{"There is nothing to save.", "", "No model is open.", "Open a model first.", {}};
    if (path == origin().sessionPath && isAnothers(path, origin().digest))
        return Diagnostic{"The session was not saved: its file was changed by another window or program.",
                          path.toStdString(),
                          "Saving would lose what was written there since this window read or wrote it.",
                          "Save as… under another name.",
                          {}};
    const QByteArray json = sessionBytes();
    if (auto written = writeWholeFile(textToPath(path.toStdU16String()), json.toStdString()); !written)
        return written;
    origins_[bench_->document] = {
        .sessionPath = path, .saved = lastEdit(bench_->document), .fallen = origin().fallen, .digest = digestOf(json)};
    rememberFile(path);
    emit titleChanged();
    return {};
}

Result<void> Document::openSession(const QString& path)
{
    if (auto read = readSession(path); !read)
        return read;
    origins_[bench_->document].sessionPath = path;
    rememberFile(path);
    emit titleChanged();
    return {};
}

Result<void> Document::restoreSession(const QString& path)
{
    if (auto read = readSession(path); !read)
        return read;
    origins_[bench_->document] = {.restored = true};
    emit titleChanged();
    return {};
}

bool Document::isReplaying() const { return findChild<SessionReplay*>() != nullptr; }

Diagnostic Document::replayUnderWay() const
{
    return {"A session is being opened already.", "", "", "Wait for it, or cancel it.", {}};
}

Result<void> Document::readSession(const QString& path)
{
    const std::string name = path.toStdString();
    const auto text = readRegularFile(textToPath(path.toStdU16String()), budget::kSessionBytes);
    if (!text)
        return text.error();
    if (isReplaying())
        return replayUnderWay();
    SessionReplay replay(this);
    emit replaying(&replay);
    auto laboratory = replay.run(*text, name);
    if (!laboratory)
        return laboratory.error();
    const QByteArray json = QByteArray::fromStdString(*text);

    auto bench = std::make_unique<Bench>();
    bench->laboratory = std::move(laboratory).value();
    bench->system = bench->laboratory->systemHandle();
    bench->parameters = bench->system->defaultParameters();
    const auto presentation = QJsonDocument::fromJson(json).object().value("presentation").toObject();
    int colour = 0;
    for (const run::RunId id : bench->laboratory->runs()) {
        RunEntry entry{nextKey_++, id, tr("Run %1").arg(colour + 1), colour, true};
        for (const auto& value : presentation.value("runs").toArray()) {
            const auto saved = value.toObject();
            if (saved.value("id").toInt(-1) != id.value)
                continue;
            entry.name = saved.value("name").toString(entry.name).left(40);
            entry.colour = std::clamp(saved.value("colour").toInt(colour), 0, kMostRuns - 1);
            entry.visible = saved.value("visible").toBool(true);
            if (saved.value("selected").toBool())
                bench->selected = entry.key;
            if (saved.value("reference").toBool())
                bench->reference = entry.key;
        }
        bench->parameters = bench->laboratory->status(id).parameters;
        bench->runs.push_back(entry);
        colour = (colour + 1) % kMostRuns;
    }
    if (!bench->runs.empty()) {
        bench->selected = bench->selected < 0 ? bench->runs.front().key : bench->selected;
        bench->reference = bench->reference < 0 ? bench->runs.front().key : bench->reference;
    }
    bench->laboratory->setRecordingBudget(static_cast<std::uint64_t>(preferredMemory())
                                          << 20); // its runs bring what they record
    bench->furthest = bench->laboratory->clock().t;
    bench->laboratory->setSpeed(std::clamp(presentation.value("speed").toDouble(1.0), 1e-3, 1e3));
    undo_.clear(); // another document
    origins_.clear();
    bench->document = ++documents_;
    origins_[documents_] = {.digest = digestOf(json)};
    bench_ = std::move(bench);
    messages_.clear();
    emit messagesChanged();
    emit benchChanged();
    emit playingChanged(false);
    return {};
}

QString Document::name() const
{
    if (!bench_)
        return {};
    const auto& model = system().model();
    return sessionPath().isEmpty() ? QString::fromStdString(model.title.empty() ? model.name : model.title)
                                   : QFileInfo(sessionPath()).completeBaseName();
}

QString Document::title() const
{
    if (!bench_)
        return QStringLiteral("Driftless");
    return (isDirty() ? QStringLiteral("%1* – Driftless") : QStringLiteral("%1 – Driftless")).arg(name());
}

QString Document::modelText() const { return bench_ ? QString::fromStdString(system().model().text) : QString(); }

QString Document::modelPath() const { return bench_ ? QString::fromStdString(system().model().path) : QString(); }

namespace {

EntryMark markAt(const QUndoStack& stack, int place)
{
    const auto* command = dynamic_cast<const DocumentCommand*>(stack.command(place));
    return command ? command->mark() : EntryMark{};
}

} // namespace

void Document::push(DocumentCommand* command, Opens opens)
{
    command->setMark({bench_->document, opens == Opens::NewDocument, ++serials_});
    const bool full = undo_.index() == undo_.undoLimit();
    const EntryMark oldest = markAt(undo_, 0);
    undo_.push(command);
    if (full && markAt(undo_, 0).serial != oldest.serial) { // it fell off, and cannot be undone
        if (oldest.opens)
            origins_.erase(origins_.begin(), origins_.lower_bound(oldest.document)); // nothing leads back to those before
        else
            origins_[oldest.document].fallen = oldest.serial;
    }
    emit titleChanged();
}

quint64 Document::lastEdit(int document) const
{
    for (int i = undo_.index() - 1; i >= 0; --i)
        if (const EntryMark mark = markAt(undo_, i); mark.document == document && !mark.opens)
            return mark.serial;
    const auto found = origins_.find(document);
    return found == origins_.end() ? 0 : found->second.fallen;
}

bool Document::isDirty() const { return bench_ && isUnsaved(bench_->document, origin()); }

bool Document::hasEdits() const { return isDirty() || !editsElsewhere().isEmpty(); }

QStringList Document::editsElsewhere() const
{
    QStringList out;
    for (const auto& [document, origin] : origins_) {
        const bool edited = origin.restored || lastEdit(document) != 0; // not undone again
        if (bench_ && document != bench_->document && !origin.exercise && edited && isUnsaved(document, origin))
            out << origin.name;
    }
    return out;
}

QStringList Document::recentFiles()
{
    QStringList files = keptSettings().value(QStringLiteral("recentFiles")).toStringList();
    files.removeIf([](const QString& f) { return !QFileInfo::exists(f); });
    return files;
}

void Document::rememberFile(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList files = recentFiles();
    files.removeAll(absolute);
    files.prepend(absolute);
    keptSettings().setValue(QStringLiteral("recentFiles"), files.mid(0, kRecentFiles));
}

} // namespace driftless::ui
