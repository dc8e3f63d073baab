// The rows that are being integrated, coloured by where they come from.
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

#include "core/formulation/Describe.h"
#include "core/mechanism/Lagrangian.h"

class QLabel;
class QTextBrowser;
class QToolButton;

namespace driftless::ui {

class EquationView : public QWidget {
    Q_OBJECT

public:
    /// The rows in a format; asked anew by refresh() and for copying.
    using Source = std::function<std::vector<formulation::DescribedRow>(expr::Format)>;

    /// How the equations of motion follow from the energies.
    using Derivation = std::function<Result<std::vector<model::DerivationSection>>(expr::Format)>;

    explicit EquationView(QWidget* parent = nullptr);

    /// title: "Run 1: dummy derivatives". An empty source shows why there is nothing.
    void setSource(const QString& title, Source source);
    /// Lines in small print between the title and the rows; empty: none.
    void setDetails(const QString& details);
    /// Asked when the page is turned to the derivation; empty: there is none to turn to.
    void setDerivation(Derivation derivation);
    /// Reads the rows again; rewrites the page only when they changed (a pivot swaps links).
    void refresh();
    void setDark(bool dark);
    void setScale(double scale);

    /// The rows as plain text, one per line, and as a LaTeX align environment.
    QString asText() const;
    QString asLatex() const;
    /// The page as it is shown.
    QString html() const { return html_; }

    /// Colour of a provenance on the view's surface.
    static QColor colourOf(formulation::Provenance provenance, bool dark);
    /// Ground of a dummy's symbol.
    static QColor dummyGround(bool dark);

public slots:
    void copyText();
    void copyLatex();

signals:
    void copied(const QString& what);
    void notationAsked();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void rewrite();
    QString legendHtml() const;
    QString rowsHtml() const;
    QString derivationHtml() const;
    bool showsDerivation() const;
    void applyColours();

    QString title_, html_;
    Source source_;
    Derivation derivation_;
    std::vector<formulation::DescribedRow> rows_;
    QLabel* heading_;
    QLabel* legend_;
    QLabel* details_;
    QTextBrowser* page_;
    QToolButton* copyText_;
    QToolButton* copyLatex_;
    QToolButton* derive_;
    bool dark_ = false;
    double scale_ = 1;
};

} // namespace driftless::ui
