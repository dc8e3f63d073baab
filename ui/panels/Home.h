// Home: everything that can be opened in one place, as cards by section, with a search over all of them. Mechanisms are drawn
// as the scene draws them, one after the other, so that the list can be used meanwhile.
#pragma once

#include <QDialog>
#include <QIcon>
#include <QTimer>

#include <map>
#include <optional>
#include <vector>

#include "ui/panels/HomeEntries.h"
#include "ui/panels/HomePictures.h"
#include "ui/views/Theme.h"

class QLabel;
class QLineEdit;
class QListWidget;
class QListWidgetItem;
class QPushButton;

namespace driftless::ui {

class HomeMotion;
class SceneView;

class Home : public QDialog {
    Q_OBJECT
public:
    Home(std::vector<HomeEntry> entries, const Theme& theme, QWidget* parent = nullptr);
    ~Home() override;

    /// Titles in sight, in their order.
    QStringList listed() const;
    /// Whether no card waits for its picture.
    bool hasDrawn() const { return undrawn_.empty(); }

signals:
    void fileChosen(const QString& pathOrName);
    void lessonChosen(const QString& id);
    void actionChosen(const QString& id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeTop();
    QWidget* makeSections();
    QWidget* makeFoot();
    void addCard(std::size_t place);
    void filter();
    /// By the first of each pair, then in the order of the sections.
    void sortCards(std::vector<std::pair<int, QListWidgetItem*>> cards);
    void openCurrent();
    /// What is to be tried with the model of the card, as a lesson of one step.
    void tryCurrent();
    /// What is known of the card under the cursor of the list.
    void showAbout();
    void showToTry(const HomeEntry& entry);
    /// The next picture, of what is in sight first.
    void drawNext();
    void draw(QListWidgetItem& item);
    /// Facts and picture of a model; none where it cannot be read.
    std::optional<HomePictures::Card> drawn(const QString& model, QSize size);
    /// The card under the pointer moves after a moment; the one before stands still again.
    void pointAt(QListWidgetItem* item);
    void startMotion();
    const HomeEntry& entryOf(const QListWidgetItem& item) const;

    std::vector<HomeEntry> entries_;
    Theme theme_;
    QLineEdit* search_ = nullptr;
    QListWidget *sections_ = nullptr, *list_ = nullptr;
    QLabel *title_ = nullptr, *about_ = nullptr, *toTry_ = nullptr, *none_ = nullptr;
    QPushButton *open_ = nullptr, *try_ = nullptr;
    std::vector<QListWidgetItem*> undrawn_;
    std::map<QString, HomeFacts> facts_; ///< by what is opened
    SceneView* painter_ = nullptr;       ///< never shown
    HomePictures pictures_;
    QTimer next_;
    HomeMotion* motion_ = nullptr;
    QListWidgetItem* pointed_ = nullptr;
    QIcon still_;  ///< of the card that is pointed at
    QTimer pause_; ///< before it moves
};

} // namespace driftless::ui
