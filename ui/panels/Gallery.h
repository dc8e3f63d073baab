// The shipped models to choose from.
#pragma once

#include <QDialog>

class QListWidget;

namespace driftless::ui {

class Gallery : public QDialog {
    Q_OBJECT
public:
    explicit Gallery(QWidget* parent = nullptr);

signals:
    void chosen(const QString& model);

private:
    void choose();
    QListWidget* list_;
};

} // namespace driftless::ui
