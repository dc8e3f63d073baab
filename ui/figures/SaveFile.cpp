#include "ui/figures/SaveFile.h"

#include <QBuffer>

#include "core/text/PathText.h"
#include "core/text/WholeFile.h"

namespace driftless::figures {

Result<void> saveFile(const QString& path, const std::function<bool(QIODevice&)>& write)
{
    // What Qt draws is made in memory: its writers say less about a disk than the one writer of files does.
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!buffer.open(QIODevice::WriteOnly) || !write(buffer))
        return Diagnostic{
            .what = "The file could not be written", .where = path.toStdString(), .why = "its content could not be made"};
    return saveFile(path, bytes);
}

Result<void> saveFile(const QString& path, const QByteArray& bytes)
{
    return writeWholeFile(textToPath(path.toStdU16String()), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

} // namespace driftless::figures
