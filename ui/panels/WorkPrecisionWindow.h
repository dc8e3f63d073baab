// Work against precision of the open model, live: one curve for each run card and for each method picked from the list,
// computed beside the laboratory on a thread of its own. A changed model, start, span or choice computes what is missing anew.
#pragma once

#include <QDialog>
#include <QTimer>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/study/WorkPrecision.h"
#include "ui/document/Document.h"
#include "ui/views/WorkPrecisionView.h"

class QLabel;
class QListWidget;
class QPushButton;

namespace driftless::ui {

class CalmCombo;
class NumberField;

class WorkPrecisionWindow : public QDialog {
    Q_OBJECT
public:
    explicit WorkPrecisionWindow(Document& document, const Theme& theme, QWidget* parent = nullptr);
    ~WorkPrecisionWindow() override;

    void setTheme(const Theme& theme);
    /// Checks or clears a method of the list, or a run by its name.
    void setPicked(const QString& method, bool picked);
    bool busy() const { return worker_ != nullptr; }
    const std::optional<study::ReferenceSolution>& reference() const { return reference_; }
    /// By the ending: .csv all points, else the diagram as .svg, .pdf or .png.
    Result<void> exportTo(const QString& path) const;

signals:
    /// A file could not be written.
    void problem(const driftless::Diagnostic& diagnostic);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// A curve that is wanted: of a run card, or of a method picked from the list.
    struct Wanted {
        std::string id; ///< the same for settings that differ in tolerance or step alone
        QString name;
        int style = 0, run = -1; ///< run: key of the card, -1: none
        run::RunSettings settings;
    };
    struct Points {
        std::vector<study::WorkPrecisionPoint> points;
        bool complete = false;
    };

    QWidget* makeLeft();
    QWidget* makeButtons();
    void listMethods();
    std::vector<Wanted> wanted() const;
    study::WorkPrecisionRequest request() const;
    std::string context() const; ///< of everything that all points depend on
    void refresh();              ///< starts what is missing
    void start(const std::vector<Wanted>& missing);
    void cancel();
    void again();
    void retire();
    void took(const Result<study::ReferenceSolution>& reference);
    void took(const std::string& id, study::WorkPrecisionPoint point);
    void done();
    void showAll();
    void say();
    QString whyEmpty() const;
    void use(int curve, int mark);
    void askExport();
    WorkPrecisionMark markOf(const Wanted& curve, const study::WorkPrecisionPoint& point) const;
    QString caption() const;
    study::ErrorGroup group() const;
    study::WorkMeasure measure() const;

    Document& document_;
    Theme theme_;
    std::map<std::string, Points> points_;
    std::optional<study::ReferenceSolution> reference_;
    std::optional<Diagnostic> noReference_;
    std::string context_, asked_; ///< of what there is; of what was started last
    std::vector<Wanted> shown_;
    struct Places {
        std::size_t shown;               ///< the curve in shown_
        std::vector<std::size_t> points; ///< of its marks
    };
    std::vector<Places> places_; ///< of each curve that is drawn
    std::unique_ptr<study::WorkPrecisionWorker> worker_;
    std::vector<std::unique_ptr<study::WorkPrecisionWorker>> retired_; ///< cancelled, on their way out
    quint64 generation_ = 0;
    bool cancelled_ = false;
    QString notTaken_; ///< what was typed as the span, and why it does not hold
    QTimer soon_;
    CalmCombo *references_, *groups_, *measures_, *forms_;
    NumberField* span_;
    QListWidget* methods_;
    QLabel *state_, *refusals_;
    QPushButton *cancel_, *export_;
    WorkPrecisionView* view_;
};

} // namespace driftless::ui
