#include "ui/document/Autosave.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>
#include <QStandardPaths>

#include <algorithm>
#include <exception>
#include <utility>

#include "core/text/Budget.h"
#include "core/text/PartFile.h"
#include "core/text/PathText.h"
#include "core/text/RegularFile.h"
#include "core/text/WholeFile.h"
#include "ui/document/Document.h"

namespace driftless::ui {

namespace {

constexpr const char* kPattern = "session-*.driftless";
constexpr int kSettledLock = 5000;          ///< [ms] from making a lock to holding the system's: much longer than it takes
constexpr qint64 kMostTitleBytes = 8 << 20; ///< of a file that is read for its title only

QString lockOf(const QString& path) { return path + QStringLiteral(".lock"); }

/// A lock is stale when its process is gone. What is written in it may not tell: a process that is killed at the wrong moment
/// leaves it empty or half-written, its number may be another's by now, and the machine may have got another name. But who
/// lives holds the system's own lock on the file, which QLockFile asks for before it removes one: a lock of some age that is
/// nobody's there is stale.
std::unique_ptr<QLockFile> lockFile(const QString& path)
{
    auto lock = std::make_unique<QLockFile>(lockOf(path));
    lock->setStaleLockTime(kSettledLock);
    return lock;
}

constexpr const char* kTexts = "texts";

/// As they stand in the file beside the session.
QByteArray withTexts(QByteArray session, const QJsonObject& texts)
{
    if (texts.isEmpty())
        return session;
    session = session.trimmed();
    session.chop(1);
    return session + ",\n\"" + kTexts + "\": " + QJsonDocument(texts).toJson(QJsonDocument::Compact) + "\n}\n";
}

QJsonObject textsIn(const QString& path)
{
    const auto session = readRegularFile(textToPath(path.toStdU16String()), budget::kSessionBytes);
    return session ? QJsonDocument::fromJson(QByteArray::fromStdString(*session)).object().value(kTexts).toObject()
                   : QJsonObject();
}

QString titleIn(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly) || file.size() > kMostTitleBytes)
        return {};
    const auto model = QJsonDocument::fromJson(file.readAll()).object().value("model").toObject();
    return model.value("name").toString().left(60);
}

} // namespace

QString Autosave::stateFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/state");
}

Autosave::Autosave(Document& document, const QString& folder, QObject* parent)
    : QObject(parent), document_(document), folder_(folder.isEmpty() ? stateFolder() : folder)
{
    const auto saveNow = [this] {
        const auto done = save();
        if (!done && !complained_)
            emit failed(done.error());
        complained_ = !done;
    };
    connect(&timer_, &QTimer::timeout, this, saveNow);
    connect(&document_.bench(), &OpenBench::leaving, this, [this, saveNow] {
        if (timer_.isActive())
            saveNow(); // its last edits would not be seen any more
    });
}

Autosave::~Autosave()
{
    for (const auto& [number, kept] : kept_) {
        if (std::uncaught_exceptions() == 0) // else the program ends in a way that nobody chose
            QFile::remove(kept.path);
        kept.lock->unlock();
    }
}

void Autosave::start(int milliseconds) { timer_.start(milliseconds); }

QString Autosave::path() const
{
    const auto found = document_.hasModel() ? kept_.find(document_.bench().bench().document()) : kept_.end();
    return found == kept_.end() ? QString() : found->second.path;
}

/// The first free name of this process: two windows of one process do not fight either.
std::optional<Autosave::Kept> Autosave::freshFile() const
{
    if (!QDir().mkpath(folder_))
        return std::nullopt;
    const QString stamp = QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-hhmmss"));
    for (int i = 0; i < 100; ++i) {
        const QString path =
            QStringLiteral("%1/session-%2-%3-%4.driftless").arg(folder_, stamp).arg(QCoreApplication::applicationPid()).arg(i);
        if (isOurs(path))
            continue;
        auto lock = lockFile(path);
        if (QFileInfo::exists(path) || !lock->tryLock(0))
            continue;
        return Kept{.path = path, .lock = std::move(lock)};
    }
    return std::nullopt;
}

bool Autosave::isOurs(const QString& path) const
{
    return std::ranges::any_of(kept_, [&](const auto& one) { return one.second.path == path; });
}

/// Documents that nothing leads back to, and those that were saved or undone: there is nothing to lose.
void Autosave::forgetClosed(bool texts)
{
    const int open = document_.hasModel() ? document_.bench().bench().document() : 0;
    const std::vector<int> edited = document_.files().editedElsewhere();
    for (auto& [number, kept] : kept_) {
        const bool needed =
            number == open ? texts || document_.files().isDirty() : std::ranges::find(edited, number) != edited.end();
        if (needed || kept.last.isEmpty())
            continue;
        QFile::remove(kept.path);
        kept.last.clear();
    }
}

Result<void> Autosave::save()
{
    const QJsonObject texts = texts_ ? texts_() : QJsonObject();
    forgetClosed(!texts.isEmpty());
    if (!document_.hasModel() || (texts.isEmpty() && !document_.files().isDirty()))
        return {};
    const QByteArray bytes = withTexts(document_.files().sessionBytes(), texts);
    const QByteArray hash = QCryptographicHash::hash(bytes, QCryptographicHash::Sha1);
    auto place = kept_.find(document_.bench().bench().document());
    if (place != kept_.end() && hash == place->second.last)
        return {};
    const auto refusal = [this](const QString& why) {
        return Diagnostic{.what = "The session could not be saved automatically",
                          .where = folder_.toStdString(),
                          .why = why.toStdString(),
                          .remedy = "save it by hand (Ctrl+S)"};
    };
    if (place == kept_.end()) {
        auto fresh = freshFile();
        if (!fresh)
            return refusal(tr("The folder cannot be written."));
        place = kept_.emplace(document_.bench().bench().document(), std::move(*fresh)).first;
    }
    Kept& kept = place->second;
    if (const auto written = writeWholeFile(textToPath(kept.path.toStdU16String()), bytes.toStdString()); !written)
        return refusal(QString::fromStdString(written.error().why));
    kept.last = hash;
    emit saved();
    return {};
}

/// Of windows that were killed before their first save, or behind their last.
void Autosave::removeIdleLocks() const
{
    for (const QFileInfo& file : QDir(folder_).entryInfoList({lockOf(QString::fromLatin1(kPattern))}, QDir::Files)) {
        const QString session = file.filePath().chopped(lockOf({}).size());
        if (isOurs(session) || QFileInfo::exists(session))
            continue;
        if (const auto lock = lockFile(session); lock->tryLock(0)) // else its window lives
            lock->unlock();
    }
}

std::optional<LeftSession> Autosave::find()
{
    removeLeftParts(textToPath(folder_.toStdU16String()));
    removeIdleLocks();
    const auto files = QDir(folder_).entryInfoList({QString::fromLatin1(kPattern)}, QDir::Files, QDir::Time);
    int looked = 0;
    for (const QFileInfo& file : files) {
        if (isOurs(file.filePath()) || putOff_.contains(file.filePath()) || ++looked > kMostFiles)
            continue;
        std::shared_ptr<QLockFile> lock = lockFile(file.filePath());
        if (!lock->tryLock(0))
            continue;                              // its window lives
        if (!QFileInfo::exists(file.filePath())) { // ended properly in between
            lock->unlock();
            continue;
        }
        if (file.lastModified().daysTo(QDateTime::currentDateTime()) > kKeptDays) {
            QFile::remove(file.filePath());
            lock->unlock();
            continue;
        }
        return LeftSession{file.filePath(), file.lastModified(), titleIn(file.filePath()), std::move(lock)};
    }
    return {};
}

Result<void> Autosave::restore(const LeftSession& left)
{
    const QJsonObject texts = textsIn(left.path);
    if (auto opened = document_.files().restoreSession(left.path); !opened)
        return opened;
    if (!texts.isEmpty())
        emit textsFound(texts);
    if (auto kept = save(); !kept)
        return kept; // the old file stays: it is the only copy
    discard(left);
    return {};
}

void Autosave::putOff(const LeftSession& left)
{
    putOff_ << left.path;
    left.lock->unlock();
}

void Autosave::discard(const LeftSession& left)
{
    QFile::remove(left.path);
    left.lock->unlock();
}

} // namespace driftless::ui
