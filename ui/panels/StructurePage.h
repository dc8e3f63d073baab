// The drawer's page of structure: the analysis of the open model's equations beside what the selected run makes of it.
#pragma once

#include <QWidget>

#include <memory>
#include <string>
#include <vector>

#include "ui/document/Document.h"
#include "ui/document/StructureModel.h"
#include "ui/views/Theme.h"

namespace driftless::ui {

class StructureView;

class StructurePage : public QWidget {
    Q_OBJECT
public:
    explicit StructurePage(Document& document, QWidget* parent = nullptr);
    ~StructurePage() override;

    void setTheme(const Theme& theme, double scale);
    /// Another model: what is shown is out of date. It is analysed when the page comes into sight.
    void rebuild();
    /// The selection of the selected run at the displayed time; does nothing while the page is out of sight.
    void refresh();
    StructureView& view() { return *view_; }

signals:
    /// Bodies and joints of the equation or unknown that is selected.
    void ownersSelected(const std::vector<std::string>& owners);

protected:
    void hideEvent(QHideEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    /// Larger systems are analysed on a thread of their own.
    static constexpr std::size_t kMostAtOnce = 150;

    void analyse();
    void pin(const structure::DerivativeRef& candidate);
    void setAutomatic();
    void showOwners();

    Document& document_;
    StructureView* view_;
    std::shared_ptr<const model::CompiledSystem> analysed_; ///< whose equations are shown or on their way
    int generation_ = 0;
};

} // namespace driftless::ui
