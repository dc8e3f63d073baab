// The command palette: one line to type in, and below it what can be done or opened that fits: actions, models, formulations,
// integrators, lessons, studies. Enter does what is chosen, or says why it is impossible.
#pragma once

#include <QFrame>

#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;

namespace driftless::ui {

class Actions;
class Document;

struct PaletteEntry {
    QString id; ///< "action/play", "model/pendulum", "lesson/..."
    QString kind, words;
    QString more{};     ///< searched as well: the name in files, what an action is about
    QString shortcut{}; ///< as the keys are called here
    std::function<void()> act;
    std::function<QString()> whyNot{}; ///< as ActionEntry::whyNot
};

class CommandPalette : public QFrame {
    Q_OBJECT
public:
    explicit CommandPalette(std::vector<PaletteEntry> entries, QWidget* parent);
    /// In the upper part of the parent; it goes when something is chosen or clicked elsewhere.
    void open();
    const std::vector<PaletteEntry>& entries() const { return entries_; }
    /// Ids of what is listed now, best first.
    QStringList listed() const;

signals:
    /// Somebody wanted what is impossible at present.
    void refused(const QString& words, const QString& why);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter();
    void run();

    std::vector<PaletteEntry> entries_;
    QLineEdit* field_;
    QListWidget* list_;
    QLabel* nothing_; ///< in place of an empty list
};

/// What opens a file or a lesson and reports what goes wrong.
struct PaletteDoors {
    std::function<void(const QString&)> openPath, openLesson;
};
/// Everything that can be reached by name at present.
std::vector<PaletteEntry> paletteEntries(const Actions& actions, Document& document, const PaletteDoors& doors);

} // namespace driftless::ui
