#include "ui/figures/SaveFile.h"

#include <QSaveFile>

namespace driftless::figures {

Result<void> saveFile(const QString& path, const std::function<bool(QIODevice&)>& write)
{
    const auto refusal = [&path](const QString& why) {
        return Diagnostic{"The file could not be written", path.toStdString(), why.toStdString(),
                          "another folder, or free space on this one", {}};
    };
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return refusal(file.errorString());
    if (!write(file)) {
        const QString why = file.error() == QFileDevice::NoError ? QStringLiteral("its content could not be made") : file.errorString();
        file.cancelWriting();
        return refusal(why);
    }
    if (!file.commit())
        return refusal(file.errorString());
    return {};
}

Result<void> saveFile(const QString& path, const QByteArray& bytes)
{
    return saveFile(path, [&bytes](QIODevice& device) { return device.write(bytes) == bytes.size(); });
}

} // namespace driftless::figures
