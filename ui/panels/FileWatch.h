// Says when a file was written anew. It looks at the file itself, twice a second: editors that write beside a file and rename
// leave a watch on the old one behind.
#pragma once

#include <QDateTime>
#include <QObject>
#include <QTimer>

namespace driftless::ui {

class FileWatch : public QObject {
    Q_OBJECT
public:
    explicit FileWatch(QObject* parent = nullptr);

    /// From now on this file and no other; empty: none.
    void watch(const QString& path);
    const QString& path() const { return path_; }

signals:
    void changed(const QString& path);

private:
    void look();

    QTimer timer_;
    QString path_;
    QDateTime written_;
    qint64 size_ = 0;
};

} // namespace driftless::ui
