// Builds and changes the open mechanism by hand: what the tools of the scene, the tree and the property page do.
//
// Everything is an edit of the model's text (core/mechanism/ModelText) and one entry of the document's undo stack. The editor
// composes the parts that do it, each with a header of its own: what is there, what is selected, and the three ways to change
// it.
#pragma once

#include "ui/document/MechanismBuilder.h"
#include "ui/document/MechanismHandles.h"
#include "ui/document/MechanismPull.h"

namespace driftless::ui {

class Document;

class MechanismEditor : public QObject {
    Q_OBJECT
public:
    explicit MechanismEditor(Document& document, QObject* parent = nullptr);

    /// While it is off nothing is read or judged, and there is nothing to edit.
    void setActive(bool on);

    const EditedMechanism& mechanism() const { return mechanism_; }
    EditSelection& selection() { return selection_; }
    const EditSelection& selection() const { return selection_; }
    MechanismBuilder& builder() { return builder_; }
    MechanismPull& pull() { return pull_; }
    MechanismHandles& handles() { return handles_; }
    const MechanismHandles& handles() const { return handles_; }

signals:
    void changed();
    void selectionChanged();
    void said(const driftless::Diagnostic& diagnostic);
    void told(const QString& sentence); ///< what an edit did besides what was asked for

private:
    void refresh();

    bool active_ = false;
    EditedMechanism mechanism_;
    EditSelection selection_;
    EditCommit commit_;
    MechanismBuilder builder_;
    MechanismPull pull_;
    MechanismHandles handles_;
};

} // namespace driftless::ui
