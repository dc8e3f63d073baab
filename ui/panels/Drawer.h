// The bottom drawer: the equations being integrated, their structure, the model text, messages, the initial-condition doctor.
#pragma once

#include <QTabWidget>

#include "ui/document/Document.h"
#include "ui/views/Theme.h"

class QVBoxLayout;

namespace driftless::ui {

class EquationView;
class ModelPage;
class StartPage;
class StructurePage;

class Drawer : public QTabWidget {
    Q_OBJECT
public:
    explicit Drawer(Document& document, QWidget* parent = nullptr);

    void setTheme(const Theme& theme, double scale);
    /// Another model or other runs.
    void rebuild();
    /// Equations and structure when the formulation or the pivot changed; cheap otherwise.
    void refreshEquations();
    void showMessages();
    /// "equations", "structure", "model", "messages" or "start"; false when there is no such page.
    bool showPage(const QString& id);
    void parametersChanged();
    /// What the scene draws while the start page is in sight: null when it is not.
    const consistency::Diagnosis* correction() const;
    ModelPage& model() { return *model_; }
    const StartPage& start() const { return *start_; }
    StructurePage& structure() { return *structure_; }

signals:
    void correctionChanged();
    void notationAsked();

private:
    void add(QWidget* page, const char* id, const QString& title);

    Document& document_;
    EquationView* equations_;
    StructurePage* structure_;
    ModelPage* model_;
    QWidget *messages_, *messagePage_;
    QVBoxLayout* messageList_;
    StartPage* start_;
    QString equationsKey_;
    std::vector<int> dummies_, positionDummies_;
};

} // namespace driftless::ui
