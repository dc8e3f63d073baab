// The mechanism as a tree of bodies, joints and forces, and the fields of what is selected, generated from
// core/mechanism/ModelFields.
#pragma once

#include <QWidget>

#include <string>

#include "core/mechanism/ModelFields.h"
#include "ui/document/MechanismEditor.h"

class QGridLayout;
class QLabel;
class QTreeWidget;

namespace driftless::ui {

class EditPanel : public QWidget {
    Q_OBJECT
public:
    explicit EditPanel(MechanismEditor& editor, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void rebuild();
    void showSelection();
    void rebuildFields();
    void addField(const model::ModelText::Place& place, const model::FieldInfo& field, int row);
    QWidget* control(const model::ModelText::Place& place, const model::FieldInfo& field, const QString& written);

    MechanismEditor& editor_;
    QTreeWidget* tree_;
    QLabel *title_, *about_;
    QWidget* form_;
    QGridLayout* grid_;
    bool ours_ = false; ///< the tree changes by program
    bool stale_ = true;
    std::string shown_; ///< whose fields are shown, and their text
};

} // namespace driftless::ui
