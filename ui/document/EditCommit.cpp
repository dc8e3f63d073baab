#include "ui/document/EditCommit.h"

#include "ui/document/EditDraft.h"

namespace driftless::ui {

using model::ModelText;

EditCommit::EditCommit(const Parts& parts, QObject* parent) : QObject(parent), parts_(parts) {}

ModelText EditCommit::draft() const
{
    return draftOf(*parts_.mechanism.text(), parts_.open.bench().system().coordinates, parts_.mechanism.state());
}

void EditCommit::assemble(ModelText& text) const { ui::assemble(text, parts_.open.startSettings().parameters); }

bool EditCommit::refuse(const std::string& what, const std::string& why, const std::string& remedy)
{
    emit said({.what = what, .why = why, .remedy = remedy});
    return false;
}

bool EditCommit::commit(ModelText text, const QString& what, std::vector<std::string> selected)
{
    const ModelText& before = *parts_.mechanism.text();
    if (text.text() == before.text())
        return true;
    if (parts_.open.bench().typed())
        return refuse("The picture waits for the text",
                      "the page Model has text that was not applied yet, and this would take its place",
                      "mend it there (F4) until it is a model, or press Apply or Revert");
    const auto edited = [&] { return parts_.edits.editText(QString::fromStdString(text.text()), what); };
    const bool hadChart = before.root().find("chart") != nullptr;
    auto done = edited();
    if (!done && text.root().find("chart")) {
        ModelText released = text;
        if (releaseChart(released, parts_.open.bench().system().coordinates, parts_.mechanism.state())) {
            text = std::move(released);
            if (auto again = edited())
                done = again;
        }
    }
    if (!done) {
        emit said(done.error());
        return false;
    }
    if (hadChart && !text.root().find("chart"))
        emit told(tr("The chart of minimal coordinates was left out: it belongs to the mechanism as it was."));
    if (!selected.empty())
        parts_.selection.select(std::move(selected));
    return true;
}

bool EditCommit::commitResult(const Result<void>& done, ModelText& text, const QString& what, std::vector<std::string> selected)
{
    if (done)
        return commit(std::move(text), what, std::move(selected));
    emit said(done.error());
    return false;
}

} // namespace driftless::ui
