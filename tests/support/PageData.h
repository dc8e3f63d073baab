// What a page for a browser holds, read from the file as its script reads it.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>

#include <cstring>
#include <vector>

namespace driftless::testing {

/// The object between the marks of the data; empty where the file is no page.
inline QJsonObject pageData(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray bytes = file.readAll(), begin = "<script id=\"data\" type=\"application/json\">";
    const auto from = bytes.indexOf(begin);
    const auto to = bytes.indexOf("</script>", from);
    return from < 0 ? QJsonObject()
                    : QJsonDocument::fromJson(bytes.mid(from + begin.size(), to - from - begin.size())).object();
}

/// The numbers of a run's column; empty where it has none of this name.
inline std::vector<double> pageColumn(const QJsonObject& run, const QString& name)
{
    for (const auto& entry : run["columns"].toArray())
        if (entry.toObject()["name"].toString() == name) {
            const QByteArray bytes = QByteArray::fromBase64(entry.toObject()["values"].toString().toLatin1());
            std::vector<double> values(static_cast<std::size_t>(bytes.size()) / sizeof(double));
            std::memcpy(values.data(), bytes.constData(),
                        values.size() * sizeof(double)); // little-endian, as the machines that build
            return values;
        }
    return {};
}

} // namespace driftless::testing
