// The start values that a person edits: those of the open document, with what was changed and is not used yet.
//
// What was typed of one document waits while another one is open, and comes back with it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ui/document/Document.h"

namespace driftless::ui {

class StartDraft {
public:
    explicit StartDraft(const Document& document) : document_(document) {}

    const run::StartSettings& settings() const { return draft_; }
    /// Whether something was edited and not used.
    bool edited() const { return edited_; }

    /// The open document's start, with what was typed there and is not used yet. Whether it is the start of another model than
    /// before.
    bool take();
    /// It is used, or let go: what is taken next is as the document states it.
    void letGo(bool used = true) { edited_ = !used; }
    /// The parameters that hold now, which are none of the edits.
    void takeParameters() { draft_.parameters = document_.bench().startSettings().parameters; }

    /// fixes: the value counts as fixed from now on, where a list says which do.
    void setValue(const std::string& name, double value, bool fixes);
    void setFixed(std::vector<std::string> names);
    void setMassMetric(bool on);
    void setAllowInconsistent(bool on);

private:
    run::StartSettings changes() const;
    void keep(const run::StartSettings& edits);

    const Document& document_;
    run::StartSettings draft_, stated_; ///< as edited, and as the document states it
    bool edited_ = false;
    int shown_ = -1;                                   ///< the document of the draft
    std::weak_ptr<const model::CompiledSystem> model_; ///< and its model
    std::map<int, run::StartSettings> parked_;         ///< edited drafts of other documents: what they change
};

} // namespace driftless::ui
