#include "ui/document/MechanismEditor.h"

#include "ui/document/Document.h"

namespace driftless::ui {

MechanismEditor::MechanismEditor(Document& document, QObject* parent)
    : QObject(parent), mechanism_(document.bench()),
      selection_([this](const std::string& id) { return mechanism_.placeOf(id) != nullptr; }),
      commit_({document.bench(), document.edits(), mechanism_, selection_}), builder_(mechanism_, selection_, commit_),
      pull_(document.bench(), mechanism_, commit_), handles_(document.bench(), mechanism_, commit_)
{
    connect(&document, &Document::benchChanged, this, &MechanismEditor::refresh);
    connect(&document, &Document::parametersChanged, this, &MechanismEditor::refresh);
    connect(&selection_, &EditSelection::changed, this, &MechanismEditor::selectionChanged);
    connect(&commit_, &EditCommit::said, this, &MechanismEditor::said);
    connect(&commit_, &EditCommit::told, this, &MechanismEditor::told);
}

void MechanismEditor::setActive(bool on)
{
    if (on == active_)
        return;
    active_ = on;
    mechanism_.forget();
    refresh();
}

void MechanismEditor::refresh()
{
    pull_.cancelPull();
    if (active_)
        mechanism_.read();
    else
        mechanism_.clear();
    selection_.prune();
    emit changed();
    emit selection_.changed();
}

} // namespace driftless::ui
