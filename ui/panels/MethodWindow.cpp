#include "ui/panels/MethodWindow.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTextBrowser>
#include <QTextCursor>
#include <QVBoxLayout>

#include <cmath>

#include "core/integrate/RootedTrees.h"
#include "core/integrate/RungeKutta.h"
#include "core/integrate/Stability.h"
#include "core/run/TableauFile.h"
#include "ui/document/NumberText.h"
#include "ui/panels/Controls.h"
#include "ui/views/StabilityView.h"
#include "ui/views/StyleSheet.h"

namespace driftless::ui {

namespace {

constexpr int kHighestOrder = 6;
constexpr double kRoundoff = 1e-14; ///< relative, of a coefficient that a few sums and products made
constexpr int kBdfCell = 3;         ///< pixels: the roots of a polynomial for each

QString words(const std::string& s) { return QString::fromStdString(s); }
QString words(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

QString number(double v) { return withMinus(numberText(v, 7)); }

/// "1/3" where it is a fraction of whole numbers.
QString fraction(double v, double slack)
{
    const auto exact = integrate::fractionText(v, slack);
    return exact ? QString::fromStdString(*exact).replace('-', QStringLiteral("−")) : number(v);
}

/// The order of a method "bdf3", 0 for others.
int bdfOrder(const QString& id) { return id.size() == 4 && id.startsWith(QStringLiteral("bdf")) ? id.mid(3).toInt() : 0; }

QString polynomial(const std::vector<double>& p)
{
    QString out;
    for (std::size_t k = 0; k < p.size(); ++k) {
        if (p[k] == 0)
            continue;
        const double size = std::abs(p[k]);
        if (out.isEmpty())
            out = p[k] < 0 ? QStringLiteral("−") : QString();
        else
            out += p[k] < 0 ? QStringLiteral(" − ") : QStringLiteral(" + ");
        if (k == 0 || size != 1)
            out += fraction(size, kRoundoff * size);
        if (k > 0 && size != 1)
            out += QStringLiteral(" ");
        if (k > 0)
            out += k == 1 ? QStringLiteral("z") : QStringLiteral("z<sup>%1</sup>").arg(k);
    }
    return out;
}

} // namespace

MethodWindow::MethodWindow(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme)
{
    setObjectName("methodWindow");
    setWindowTitle(tr("Method laboratory"));
    resize(1120, 660);
    auto* split = new QSplitter(Qt::Horizontal);
    split->addWidget(makeLeft());
    split->addWidget(makeRight());
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 3);
    split->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(split);
    showMethod(QStringLiteral("rk4"));
}

QWidget* MethodWindow::makeLeft()
{
    auto* left = new QWidget;
    left->setProperty("role", "window");
    auto* layout = new QVBoxLayout(left);
    layout->setContentsMargins(12, 10, 8, 10);
    layout->setSpacing(6);
    methods_ = new CalmCombo;
    methods_->setObjectName("methodChoice");
    methods_->setAccessibleName(tr("Method"));
    methods_->addItem(tr("Your own tableau"), QString());
    bool separated = false;
    for (const auto& info : integrate::integratorCatalogue()) {
        const QString id = words(info.id);
        const bool family = !info.parameter.name.empty() && info.family == integrate::Family::Explicit;
        if (!integrate::findExactTableau(info.id) && !family && bdfOrder(id) == 0)
            continue;
        if (!separated || (bdfOrder(id) == 1))
            methods_->insertSeparator(methods_->count());
        separated = true;
        methods_->addItem(id, id);
        methods_->setItemData(methods_->count() - 1, words(info.title) + QStringLiteral("  ·  ") + words(info.source),
                              Qt::ToolTipRole);
    }
    methods_->setMaxVisibleItems(24);
    connect(methods_, &QComboBox::activated, this, [this] { chosen(); });
    parameterName_ = new QLabel;
    parameter_ = new NumberField;
    parameter_->setObjectName("methodFamilyParameter");
    parameter_->setMaximumWidth(80);
    connect(parameter_, &NumberField::entered, this,
            [this](double value) { showMethod(methods_->currentData().toString(), value); });
    connect(parameter_, &NumberField::notANumber, this, [this](const QString& typed) {
        complain(QString::fromStdString(noNumber(typed, parameterName_->text().toStdString()).text()));
    });
    auto* top = new QHBoxLayout;
    top->addWidget(methods_, 1);
    top->addWidget(parameterName_);
    top->addWidget(parameter_);
    layout->addLayout(top);
    text_ = new QPlainTextEdit;
    text_->setObjectName("methodText");
    text_->setAccessibleName(tr("Tableau"));
    text_->setStyleSheet(QStringLiteral("font-family: \"%1\";").arg(fixedFamily()));
    text_->setTabChangesFocus(true);
    connect(text_, &QPlainTextEdit::textChanged, this, [this] {
        if (filling_)
            return;
        methods_->setCurrentIndex(0); // whatever it began as
        parameterName_->hide();
        parameter_->hide();
        read();
    });
    layout->addWidget(text_, 1);
    problem_ = new QLabel;
    problem_->setObjectName("methodProblem");
    problem_->setProperty("role", "error");
    problem_->setWordWrap(true);
    layout->addWidget(problem_);
    auto* hint = new QLabel(
        tr("Entries are numbers or expressions in quotes: \"(3 - sqrt(3))/6\". Change one and watch which conditions break."));
    hint->setProperty("role", "secondary");
    hint->setWordWrap(true);
    layout->addWidget(hint);
    use_ = new QPushButton(tr("Integrate the selected run with it"));
    use_->setObjectName("methodUse");
    use_->setAutoDefault(false);
    connect(use_, &QPushButton::clicked, this, &MethodWindow::want);
    layout->addWidget(use_);
    return left;
}

QWidget* MethodWindow::makeRight()
{
    auto* right = new QWidget;
    right->setProperty("role", "window");
    auto* layout = new QVBoxLayout(right);
    layout->setContentsMargins(8, 10, 12, 10);
    layout->setSpacing(6);
    verdict_ = new QLabel;
    verdict_->setObjectName("methodVerdict");
    verdict_->setProperty("role", "heading");
    verdict_->setWordWrap(true);
    layout->addWidget(verdict_);
    view_ = new StabilityView(theme_);
    layout->addWidget(view_, 3);
    page_ = new QTextBrowser;
    page_->setObjectName("methodPage");
    page_->setAccessibleName(tr("Stability and order conditions"));
    page_->setFrameShape(QFrame::NoFrame);
    page_->setOpenLinks(false);
    layout->addWidget(page_, 2);
    return right;
}

void MethodWindow::setTheme(const Theme& theme)
{
    theme_ = theme;
    view_->setTheme(theme);
    if (tableau_)
        describe();
}

void MethodWindow::chosen()
{
    const QString id = methods_->currentData().toString();
    if (!id.isEmpty())
        showMethod(id);
}

void MethodWindow::showMethod(const QString& id, double parameter)
{
    if (const auto own = integrate::findOwnMethod(id.toStdString()))
        return setText(QString::fromStdString(run::writeTableau(own->tableau)));
    const int row = methods_->findData(id);
    const auto* info = integrate::findIntegrator(id.toStdString());
    if (row <= 0 || !info)
        return;
    methods_->setCurrentIndex(row);
    const auto& family = info->parameter;
    const bool hasParameter = !family.name.empty() && bdfOrder(id) == 0;
    parameterName_->setText(words(family.name));
    parameterName_->setVisible(hasParameter);
    parameter_->setVisible(hasParameter);
    filling_ = true;
    if (const int order = bdfOrder(id)) {
        text_->setPlainText(tr("# %1 is a multistep method and has no tableau.").arg(words(info->title)));
        showBdf(order);
    } else if (const auto* exact = integrate::findExactTableau(info->id)) {
        text_->setPlainText(QString::fromStdString(run::writeTableau(*exact)));
        read();
    } else {
        const double value = parameter == 0 ? family.usual : parameter;
        if (!(value >= family.least && value <= family.most)
            || (family.excluded != 0 && std::abs(value - family.excluded) < 1e-6)) {
            complain(tr("There is no method of %1 at %2 = %3: it goes from %4 to %5.")
                         .arg(id, words(family.name), number(value))
                         .arg(family.least)
                         .arg(family.most)
                     + (family.excluded != 0 ? tr(" Without %1.").arg(number(family.excluded)) : QString()));
            filling_ = false;
            return; // what was there stays on display
        }
        parameter_->setValue(value);
        parameter_->setToolTip(tr("%1 to %2").arg(family.least).arg(family.most));
        text_->setPlainText(QString::fromStdString(run::writeTableau(integrate::familyMember(*info, value))));
        read();
    }
    filling_ = false;
}

void MethodWindow::setText(const QString& newText) { text_->setPlainText(newText); }

void MethodWindow::typeText(const QString& text)
{
    QTextCursor all(text_->document());
    all.select(QTextCursor::Document);
    all.insertText(text);
}

QString MethodWindow::text() const { return text_->toPlainText(); }

bool MethodWindow::isEdited() const { return text_->document()->isModified(); }

void MethodWindow::read()
{
    const auto found = run::readTableau(text_->toPlainText().toStdString(), "tableau");
    complain(found ? nullptr : &found.error());
    if (!found)
        return showNothing();          // what stood there belongs to another text
    if (methods_->currentIndex() == 0) // one of the catalogue is a method even where its rows do not add up to c
        if (const auto method = integrate::methodFrom(*found); !method)
            complain(&method.error());
    tableau_ = *found;
    const auto r = integrate::stabilityFunction(*tableau_);
    view_->setMethod([r](std::complex<double> z) { return std::abs(r(z)); }, tableau_->stages > 7 ? 2 : 1);
    describe();
}

void MethodWindow::want()
{
    const QString id = methods_->currentData().toString();
    if (!id.isEmpty()) {
        emit wanted(id, parameter_->isVisibleTo(this) ? parameter_->value() : 0);
        return;
    }
    const auto own = run::addTableau(text_->toPlainText().toStdString(), "tableau");
    if (own)
        emit wanted(QString::fromStdString(*own), 0);
    else
        complain(&own.error());
}

void MethodWindow::complain(const QString& problem)
{
    problem_->setText(problem);
    problem_->setVisible(!problem.isEmpty());
    markLine(*text_, 0, theme_.error);
}

/// What is wrong with the text, with its line marked; nothing is integrated with it.
void MethodWindow::complain(const Diagnostic* problem)
{
    complain(problem ? QString::fromStdString(problem->text()) : QString());
    if (problem)
        markLine(*text_, problem->position.line, theme_.error);
    use_->setEnabled(!problem);
    use_->setToolTip(problem ? tr("This tableau is no method: it says above why") : QString());
}

void MethodWindow::showNothing()
{
    tableau_.reset();
    view_->setMethod({}, 1);
    verdict_->setText(QStringLiteral("–"));
    page_->clear();
}

void MethodWindow::describe()
{
    const auto conditions = integrate::orderConditions(*tableau_, kHighestOrder);
    const int order = integrate::orderOf(conditions, kHighestOrder);
    const auto r = integrate::stabilityFunction(*tableau_);
    const auto stability = integrate::stabilityOf(r);
    integrate::RungeKuttaTableau known = *tableau_;
    known.order = order;
    QStringList parts{order == kHighestOrder ? tr("Order %1 or more").arg(order) : tr("Order %1").arg(order),
                      tr("stage order %1").arg(integrate::stageOrderOf(*tableau_, order))};
    if (!tableau_->embedded.empty())
        parts << tr("embedded order %1")
                     .arg(integrate::orderOf(integrate::orderConditions(*tableau_, kHighestOrder, true), kHighestOrder));
    const QString implicit = tableau_->isDiagonallyImplicit() ? tr("diagonally implicit") : tr("fully implicit");
    parts << (tableau_->isExplicit() ? tr("explicit") : implicit);
    parts << words(integrate::stabilityName(stability.kind));
    if (order > 0)
        parts << tr("up to index %1").arg(integrate::highestIndex(known));
    verdict_->setText(parts.join(QStringLiteral("  ·  ")));

    QString html = QStringLiteral("<p>R(z) = (%1)").arg(polynomial(r.numerator));
    html +=
        r.denominator.size() > 1 ? QStringLiteral(" / (%1)</p><p>").arg(polynomial(r.denominator)) : QStringLiteral("</p><p>");
    QStringList limits;
    if (std::isfinite(stability.atInfinity))
        limits << tr("R(∞) = %1").arg(number(stability.atInfinity));
    limits << (std::isfinite(stability.realLimit) ? tr("stable on the real axis down to %1").arg(number(-stability.realLimit))
                                                  : tr("stable on the whole negative real axis"));
    limits << (std::isfinite(stability.imaginaryLimit)
                   ? tr("on the imaginary axis up to ±%1 i").arg(number(stability.imaginaryLimit))
                   : tr("on the whole imaginary axis"));
    html += limits.join(QStringLiteral(", ")) + QStringLiteral(".</p><table cellspacing='0'>");
    for (const auto& c : conditions)
        if (c.order <= order + 1)
            html +=
                QStringLiteral("<tr><td style='padding:1px 10px 1px 0; color:%1'>%2</td><td style='padding:1px 10px'>%3</td>"
                               "<td style='padding:1px 10px'>%4</td><td style='padding:1px 10px; color:%5'>%6</td></tr>")
                    .arg(c.holds() ? theme_.accent.name() : theme_.error.name(), c.holds() ? tr("holds") : tr("fails"),
                         tr("order %1").arg(c.order), QString::fromStdString(c.tree).toHtmlEscaped(), theme_.secondary.name(),
                         tr("%1, wanted %2")
                             .arg(fraction(c.holds() ? c.wanted : c.value, c.roundoff), fraction(c.wanted, c.roundoff)));
    page_->setHtml(html + QStringLiteral("</table>"));
}

void MethodWindow::showBdf(int order)
{
    tableau_.reset();
    complain(nullptr);
    view_->setMethod([order](std::complex<double> z) { return integrate::bdfAmplification(order, z); }, kBdfCell);
    verdict_->setText(tr("Order %1  ·  multistep  ·  %2").arg(order).arg(order <= 2 ? tr("A-stable") : tr("not A-stable")));
    page_->setHtml(
        tr("<p>Shaded by the largest root of the difference equation at z; the line, where it is 1, is the root locus "
           "z = Σ (1 − e<sup>−iθ</sup>)<sup>j</sup>/j. From order 3 on it enters the left half plane: fast oscillations that "
           "are hardly "
           "damped grow.</p>"));
}

void MethodWindow::setEigenvalues(const std::vector<std::complex<double>>& eigenvalues, double step, const QString& whose)
{
    std::vector<std::complex<double>> points;
    for (const auto& lambda : eigenvalues)
        points.push_back(step * lambda);
    view_->setPoints(std::move(points), eigenvalues.empty() ? QString() : tr("h λ of %1, h = %2 s").arg(whose, number(step)));
}

} // namespace driftless::ui
