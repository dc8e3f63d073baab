// What is selected in the editor: names, or "force#2" for the third force without a name.
#pragma once

#include <QObject>

#include <functional>
#include <string>
#include <vector>

namespace driftless::ui {

class EditSelection : public QObject {
    Q_OBJECT
public:
    /// exists: whether the mechanism has a table of this name; nothing else can be selected.
    explicit EditSelection(std::function<bool(const std::string&)> exists, QObject* parent = nullptr);

    const std::vector<std::string>& ids() const { return ids_; }
    bool contains(const std::string& id) const;
    void select(std::vector<std::string> ids);
    /// What does not exist any more goes, untold.
    void prune();

signals:
    void changed();

private:
    std::function<bool(const std::string&)> exists_;
    std::vector<std::string> ids_;
};

} // namespace driftless::ui
