// The runs in the window: a list with one line for each, one of them open. The open one has a strip with its method below the
// list and a page of details, which lies over the scene until there is room for it in the column. Where there is no room for
// the column either, chips above the scene stand for its rows and bring it.
//
// Heights are fixed: adding, failing, selecting or switching a run moves no control that is not part of the change.
#pragma once

#include <QFrame>

#include <map>
#include <vector>

#include "ui/document/Document.h"
#include "ui/panels/RunRow.h"

class QAction;
class QHBoxLayout;
class QPushButton;
class QVBoxLayout;

namespace driftless::ui {

class RunCard;

/// The page of details as it lies over the scene.
class RunSheet final : public QFrame {
public:
    explicit RunSheet(QWidget* over);
    /// At the left top of what it lies over, as high as its contents.
    void place();
    void setInset(int pixels) { inset_ = pixels; }
    QVBoxLayout* contents() { return contents_; }
    QToolButton* closer() { return close_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QVBoxLayout* contents_;
    QToolButton* close_;
    int inset_ = 0;
};

class RunBoard : public QObject {
    Q_OBJECT
public:
    /// over: what the sheet of details lies over.
    RunBoard(Document& document, QAction& addRun, QWidget* over);

    /// Whether there is room for the details in the column.
    void setTall(bool tall);
    /// What covers the left of what the details lie over [px].
    void setInset(int pixels);
    QWidget* column() { return column_; }
    QWidget* chips() { return chips_; }

    /// Another model: nothing is kept.
    void clear();
    /// Runs were added, removed, selected, shown or hidden.
    void showRuns();
    void showSettings(int key);
    void refresh(double t);
    void setTheme(const Theme& theme, double scale);
    /// On a stage the chips are larger, and no details lie over the scene.
    void setStaged(bool on, double chipScale = 1);

    /// The runs as the list has them, by key.
    std::vector<int> order() const;
    void sortBy(RunRow::Column column);

signals:
    /// A chip was clicked: again says that its run was the selected one already.
    void chipClicked(bool again);

private:
    void makeHeader(QAction& addRun);
    void makeColumn();
    void makeChips();
    void keep(const std::vector<int>& keys);
    void add(int key);
    void arrange();
    void showHeader();
    void showSheet();
    void openDetails(bool open);
    RunCard* selectedCard() const;

    struct Shown {
        int key;
        RunRow* row;
        RunCard* card;
        RunChip* chip;
    };
    Document& document_;
    QFrame *column_, *chips_;
    QWidget *header_, *list_;
    QVBoxLayout *columnRows_, *rows_;
    QHBoxLayout* chipRow_;
    QFrame *strips_, *details_; ///< the page of the selected run is in sight
    RunSheet* sheet_;
    QPushButton *heads_[4], *add_;
    std::vector<Shown> shown_; ///< in the order of the list
    const Theme* theme_ = &Theme::light();
    double scale_ = 1, stageScale_ = 0; ///< of the chips on a stage; 0: there is none
    bool tall_ = false, open_ = false;  ///< open: somebody asked for the details
    std::map<int, QString> dismissed_;  ///< by run: the failure that was read and put away
    RunRow::Column sorted_ = RunRow::Column::Run;
    bool reversed_ = false;
};

} // namespace driftless::ui
