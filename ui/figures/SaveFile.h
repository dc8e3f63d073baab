// What Qt makes, to the one writer of files.
#pragma once

#include <QByteArray>
#include <QString>

#include <functional>

#include "core/base/Result.h"

class QIODevice;

namespace driftless::figures {

/// write returns false to give up; then, or when the disk refuses, the target stays as it was and the message says why.
Result<void> saveFile(const QString& path, const std::function<bool(QIODevice&)>& write);
Result<void> saveFile(const QString& path, const QByteArray& bytes);

} // namespace driftless::figures
