// The shipped models to choose from, each mechanism with its picture as the program draws it.
#pragma once

#include <QDialog>
#include <QTimer>

#include <vector>

class QListWidget;
class QListWidgetItem;

namespace driftless::ui {

class SceneView;

class Gallery : public QDialog {
    Q_OBJECT
public:
    explicit Gallery(bool dark, QWidget* parent = nullptr);
    ~Gallery() override;

signals:
    void chosen(const QString& model);

private:
    static constexpr int kPictureWidth = 112, kPictureHeight = 84;

    void choose();
    /// The next picture; one at a time, so that the list can be used meanwhile.
    void drawNext();

    bool dark_;
    QListWidget* list_;
    std::vector<QListWidgetItem*> undrawn_; ///< the last one is next
    SceneView* painter_ = nullptr;          ///< never shown
    QTimer next_;
};

} // namespace driftless::ui
