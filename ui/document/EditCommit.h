// How an edit of the mechanism ends: its text becomes the document's as one undo entry, or it is refused and said why.
#pragma once

#include <QObject>

#include "ui/document/EditSelection.h"
#include "ui/document/EditedMechanism.h"
#include "ui/document/ModelEdits.h"

namespace driftless::ui {

class EditCommit : public QObject {
    Q_OBJECT
public:
    /// What edits are made of and committed to.
    struct Parts {
        const OpenBench& open;
        ModelEdits& edits;
        const EditedMechanism& mechanism;
        EditSelection& selection;
    };
    explicit EditCommit(const Parts& parts, QObject* parent = nullptr);

    /// The text to build on: a chart that states the start is replaced by start values of the bodies. Needs a mechanism.
    model::ModelText draft() const;
    /// Starts moved to where the joints of the text fit together, at the present parameters.
    void assemble(model::ModelText& text) const;

    // --- true when done; else said() tells why ---
    /// what: the name of the undo entry. A chart that does not fit the new text is left out. selected: afterwards, unless
    /// empty.
    bool commit(model::ModelText text, const QString& what, std::vector<std::string> selected = {});
    /// The same where done. The text is given up; by reference, since done is often the outcome of changing it in the same
    /// call.
    bool commitResult(const Result<void>& done, model::ModelText& text, const QString& what,
                      std::vector<std::string> selected = {});
    /// Always false.
    bool refuse(const std::string& what, const std::string& why, const std::string& remedy);

signals:
    void said(const driftless::Diagnostic& diagnostic);
    void told(const QString& sentence); ///< what an edit did besides what was asked for

private:
    Parts parts_;
};

} // namespace driftless::ui
