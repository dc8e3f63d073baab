// The tolerances of a run: of all quantities together, and of each one the absolute tolerance that applies, where it comes
// from, and a place for one of its own. What is entered acts at once, as one undo entry; the dialog stays open while the run
// moves.
#pragma once

#include <QDialog>

#include <vector>

#include "core/run/Tolerances.h"
#include "ui/document/Document.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;
class QTableWidgetItem;

namespace driftless::ui {

class ToleranceDialog : public QDialog {
    Q_OBJECT
public:
    ToleranceDialog(Document& document, int key, QWidget* parent = nullptr);
    /// The one of this run, in front; a new one where there is none.
    static void showFor(Document& document, int key, QWidget* window);

private:
    QWidget* makeForAll();
    QWidget* makeTable();
    /// Shows what applies; the rows are made anew where the quantities are others.
    void refresh();
    void showRow(int row, const run::QuantityTolerance& tolerance, const integrate::IntegratorOptions& options);
    void ownEdited(QTableWidgetItem* item);
    void forAllEdited(QLineEdit* field, double integrate::IntegratorOptions::*option);
    void clearOwn();
    bool send(const integrate::IntegratorOptions& options);
    void complain(const QString& text);

    Document& document_;
    const int key_;
    QLineEdit *relative_, *absolute_, *multipliers_, *longest_;
    QTableWidget* table_;
    QLabel *about_, *problem_;
    QPushButton* clear_;
    std::vector<run::QuantityTolerance> rows_;
};

} // namespace driftless::ui
