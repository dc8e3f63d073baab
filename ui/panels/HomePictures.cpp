#include "ui/panels/HomePictures.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QImageReader>
#include <QStandardPaths>

#include <algorithm>

#include "core/reduction/Reduced.h"
#include "core/system/ShippedModels.h"
#include "core/text/Budget.h"
#include "core/text/RegularFile.h"
#include "core/text/WholeFile.h"

namespace driftless::ui {

namespace {

constexpr qint64 kMostOfOne = 1 << 20; ///< bytes: a picture of this size is no card's
constexpr int kMostPixels = 2000;      ///< a side
const QString kBadge = QStringLiteral("Badge"), kAbout = QStringLiteral("Description"), kBare = QStringLiteral("Bare");

/// The file of a shipped model or of a path.
QString fileOf(const QString& opens)
{
    if (QFileInfo::exists(opens))
        return opens;
    const QDir models(QString::fromStdString(model::resourceFolder()) + QStringLiteral("/models"));
    for (const char* ending : {".toml", ".mo"})
        if (models.exists(opens + QLatin1String(ending)))
            return models.filePath(opens + QLatin1String(ending));
    return {};
}

} // namespace

HomePictures::HomePictures(QString folder) : folder_(std::move(folder))
{
    const QString cache = QStandardPaths::writableLocation(QStandardPaths::CacheLocation);
    if (folder_.isEmpty() && !cache.isEmpty())
        folder_ = cache + QStringLiteral("/cards");
}

QByteArray HomePictures::keyOf(const QString& opens, QSize size, bool dark)
{
    const QString file = fileOf(opens);
    if (file.isEmpty())
        return {};
    const auto text = readRegularFile(file.toStdString(), budget::kModelBytes);
    if (!text)
        return {};
    const QFileInfo program(QCoreApplication::applicationFilePath());
    QCryptographicHash hash(QCryptographicHash::Sha1);
    hash.addData(QByteArray::fromStdString(*text));
    hash.addData(QStringLiteral("%1 %2 %3 %4x%5 %6")
                     .arg(QCoreApplication::applicationVersion())
                     .arg(program.size())
                     .arg(program.lastModified().toMSecsSinceEpoch())
                     .arg(size.width())
                     .arg(size.height())
                     .arg(dark ? 1 : 0)
                     .toUtf8());
    return hash.result().toHex();
}

QString HomePictures::pathOf(const QByteArray& key) const
{
    return key.isEmpty() || folder_.isEmpty() ? QString() : QStringLiteral("%1/%2.png").arg(folder_, QString::fromLatin1(key));
}

std::optional<HomePictures::Card> HomePictures::find(const QByteArray& key) const
{
    const QString path = pathOf(key);
    const QFileInfo file(path);
    if (path.isEmpty() || !file.isFile() || file.size() > kMostOfOne)
        return {};
    QImageReader reader(path, "png");
    const QSize size = reader.size();
    if (!size.isValid() || std::max(size.width(), size.height()) > kMostPixels)
        return {};
    QImage picture = reader.read();
    if (picture.isNull() || !picture.textKeys().contains(kBadge))
        return {};
    Card card{.facts = {.badge = picture.text(kBadge).mid(1), .description = picture.text(kAbout)}, .picture = {}};
    if (!picture.textKeys().contains(kBare))
        card.picture = std::move(picture);
    return card;
}

void HomePictures::keep(const QByteArray& key, const Card& card) const
{
    const QString path = pathOf(key);
    if (path.isEmpty() || !QDir().mkpath(folder_))
        return;
    QImage picture = card.picture;
    if (picture.isNull()) {
        picture = QImage(1, 1, QImage::Format_ARGB32);
        picture.fill(Qt::transparent);
        picture.setText(kBare, QStringLiteral("1"));
    }
    picture.setText(kBadge, u':' + card.facts.badge); // an empty text would not be kept
    picture.setText(kAbout, card.facts.description);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!buffer.open(QIODevice::WriteOnly) || !picture.save(&buffer, "png") || bytes.size() > kMostOfOne)
        return;
    if (writeWholeFile(path.toStdString(), bytes.toStdString())) // where it cannot be written, it is drawn anew next time
        makeRoom();
}

void HomePictures::makeRoom() const
{
    const QFileInfoList files = QDir(folder_).entryInfoList({QStringLiteral("*.png")}, QDir::Files, QDir::Time); // newest first
    qint64 bytes = 0;
    for (qsizetype i = 0; i < files.size(); ++i) {
        bytes += files[i].size();
        if (i >= kMostFiles || bytes > kMostBytes)
            QFile::remove(files[i].filePath());
    }
}

} // namespace driftless::ui
