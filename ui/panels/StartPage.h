// The initial-condition doctor: start values as edited, what a correction makes of them, and what stands against them.
//
// The page edits a draft. Every edit is diagnosed at once; the runs only change with "Use these values".
#pragma once

#include <QWidget>

#include <optional>

#include "ui/document/Document.h"
#include "ui/panels/StartDraft.h"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QTableWidget;
class QTableWidgetItem;

namespace driftless::ui {

class StartPage : public QWidget {
    Q_OBJECT
public:
    /// Beyond, a diagnosis (dense factorisations) would hold the window up.
    static constexpr int kMostCoordinates = 300;

    explicit StartPage(Document& document, QWidget* parent = nullptr);

    void setScale(double scale);
    /// Another model or start: the draft is the document's start, with what was typed there and is not used yet.
    void rebuild();
    /// Whether something was edited and not used.
    bool edited() const { return draft_.edited(); }
    /// Diagnoses the draft anew (parameters changed, the page came into sight).
    void refresh();
    /// The states before and after a correction that is worth drawing, while the page is in sight; else null.
    const consistency::Diagnosis* diagnosis() const;

signals:
    void diagnosed();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    enum Column { Name, Fixed, Value, Corrected, Change, Unit, Columns };
    enum class Part { Position, Velocity, Force };
    struct Row {
        Part part;
        std::size_t index;
    };

    QWidget* makeFindings();
    void connectEdits();
    void share();
    const consistency::StartValue& of(const Row& row) const;
    bool editable(const Row& row) const;
    void showTable();
    void writeRow(int row);
    void showFixed(int row, const consistency::StartValue& value);
    void setFixed(const std::string& name, bool on);
    void showFindings();
    void showVerdict(const QString& problem);
    void itemEdited(QTableWidgetItem* item);
    /// The names that count as fixed now, whoever said so.
    std::vector<std::string> fixedNames() const;
    bool ofEquations() const;
    void use();

    Document& document_;
    StartDraft draft_{document_};
    std::optional<consistency::Diagnosis> found_;
    std::vector<Row> rows_;
    double scale_ = 1;

    QTableWidget* table_;
    QWidget* side_;
    /// residuals_: of each level its name, before and after.
    QLabel *residuals_[3][3], *freedom_, *independent_, *verdict_;
    QPushButton *fix_, *use_, *revert_;
    QComboBox* metric_;
    QCheckBox* asItStands_;
};

} // namespace driftless::ui
