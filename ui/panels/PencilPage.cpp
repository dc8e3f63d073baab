#include "ui/panels/PencilPage.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

#include "core/expr/Print.h"
#include "ui/panels/Controls.h"

namespace driftless::ui {

namespace {

constexpr int kMostShown = 12;                ///< rows and columns of a matrix on the page
constexpr double kLowest = -18, kHighest = 4; ///< decades of the axis of singular values
constexpr int kRowHeight = 24;

QString tr(const char* text) { return QCoreApplication::translate("driftless::ui::PencilPage", text); }

/// One place of a bracket beside a row of a matrix: a stroke, with a tick at its ends.
QString bracket(const char* side, bool top, bool bottom, const Theme& theme)
{
    const QString stroke = QStringLiteral("1px solid %1; ").arg(theme.secondary.name());
    QString style = QStringLiteral("padding:0 2px; border-%1:%2").arg(QLatin1String(side), stroke);
    if (top)
        style += QStringLiteral("border-top:") + stroke;
    if (bottom)
        style += QStringLiteral("border-bottom:") + stroke;
    return QStringLiteral("<td style='%1'></td>").arg(style);
}

/// cell(i, j) of a rows x columns matrix as a table between brackets.
template <typename Cell>
QString matrixHtml(const QString& name, int rows, int columns, const Theme& theme, const Cell& cell)
{
    if (rows == 0 || columns == 0)
        return QStringLiteral("<td><i>%1</i>: –&nbsp;&nbsp;&nbsp;&nbsp;</td>").arg(name);
    const int shownRows = std::min(rows, kMostShown), shownColumns = std::min(columns, kMostShown);
    QString body;
    for (int i = 0; i < shownRows; ++i) {
        body += QStringLiteral("<tr>") + bracket("left", i == 0, i + 1 == rows, theme);
        for (int j = 0; j < shownColumns; ++j) {
            const QString value = cell(i, j);
            body +=
                QStringLiteral(
                    "<td style='padding:1px 7px; color:%1'><p align='right' style='margin:0; white-space:nowrap'>%2</p></td>")
                    .arg((value == "0" ? theme.secondary : theme.text).name(), value);
        }
        const bool last = i + 1 == rows;
        body += shownColumns < columns ? QStringLiteral("<td>…</td></tr>")
                                       : bracket("right", i == 0, last, theme) + QStringLiteral("</tr>");
    }
    if (shownRows < rows)
        body += QStringLiteral("<tr><td></td><td align='center'>⋮</td></tr>");
    return QStringLiteral("<td valign='middle' style='padding:0 4px 0 0'><i>%1</i> =</td><td valign='middle'><table "
                          "cellspacing='0'>%2</table></td>"
                          "<td>&nbsp;&nbsp;&nbsp;&nbsp;</td>")
        .arg(name, body);
}

QString fractions(const QString& name, const std::vector<std::string>& values, int n, const Theme& theme)
{
    if (values.empty())
        return {};
    return matrixHtml(name, n, n, theme, [&](int i, int j) {
        return QString::fromStdString(values[static_cast<std::size_t>(i * n + j)]).replace('-', QStringLiteral("−"));
    });
}

QString numbers(const QString& name, const pencil::Matrix& m, const Theme& theme)
{
    constexpr double kNothing = 1e-14; // round-off of the transformations
    return matrixHtml(name, m.rows, m.columns, theme,
                      [&](int i, int j) { return std::abs(m(i, j)) < kNothing ? QStringLiteral("0") : figure(m(i, j), 4); });
}

QString row(const QString& cells)
{
    return QStringLiteral(
               "<table cellspacing='0' cellpadding='0'><tr>%1</tr></table><p style='margin:0; font-size:4px'>&nbsp;</p>")
        .arg(cells);
}

QString heading(const QString& text, const Theme& theme)
{
    return QStringLiteral("<p style='margin:10px 0 3px 0; color:%1; font-size:%2px'>%3</p>")
        .arg(theme.secondary.name())
        .arg(kTickPixels)
        .arg(text);
}

QString eigenvaluesText(const pencil::Analysis& a)
{
    QStringList out;
    for (const auto& [re, im] : a.eigenvalues) {
        if (im < 0)
            continue;                      // shown with its partner
        constexpr double kNothing = 1e-12; // of the modulus: round-off of the transformations
        const bool imaginary = std::abs(re) < kNothing * std::hypot(re, im);
        const QString real = imaginary ? QString() : figure(re, 4) + ' ';
        out << (im > 0 ? real + QStringLiteral("± %1 i").arg(figure(im, 4)) : figure(re, 4));
    }
    return out.isEmpty() ? tr("none") : out.join(QStringLiteral(",&nbsp; "));
}

QString constraintsHtml(const pencil::Analysis& a)
{
    QString out;
    for (int i = 0; i < a.constraintRows.rows && i < static_cast<int>(a.constraints.size()) && i < kMostShown; ++i) {
        QString left;
        for (int j = 0; j < a.constraintRows.columns; ++j) {
            const double c = a.constraintRows(i, j);
            constexpr double kNothing = 1e-13;
            if (std::abs(c) < kNothing)
                continue;
            const double size = std::abs(c);
            if (left.isEmpty())
                left = c < 0 ? QStringLiteral("−") : QString();
            else
                left += c < 0 ? QStringLiteral(" − ") : QStringLiteral(" + ");
            left += (std::abs(size - 1) < kNothing ? QString() : figure(size, 4) + ' ')
                    + QStringLiteral("<i>x</i><sub>%1</sub>").arg(j + 1);
        }
        const std::string value = expr::print(a.constraints[static_cast<std::size_t>(i)], expr::Format::Html);
        out += QStringLiteral("<div style='margin-left:8px'>%1 = %2</div>")
                   .arg(left.isEmpty() ? QStringLiteral("0") : left, QString::fromStdString(value.size() > 200 ? "…" : value));
    }
    return out;
}

} // namespace

QString pencilVerdict(const pencil::Analysis& a)
{
    QString text = a.regular ? tr("Regular, Kronecker index %1").arg(a.index) : tr("Singular");
    if (a.uncertain)
        text += tr(", uncertain");
    return text;
}

QString pencilFacts(const pencil::Analysis& a, const Theme& theme)
{
    QString out = QStringLiteral("<p style='margin:0 0 4px 0; color:%1'>%2</p>")
                      .arg(theme.secondary.name(),
                           a.exact ? tr("Decided in rational arithmetic.")
                                   : tr("Decided from singular values, tolerance %1.").arg(figure(a.tolerance, 2)));
    if (!a.why.empty())
        out += QStringLiteral("<p style='margin:0 0 4px 0'>%1</p>").arg(QString::fromStdString(a.why).toHtmlEscaped());
    const auto line = [&](const QString& name, const QString& value) {
        out += QStringLiteral("<tr><td style='color:%1; padding:1px 16px 1px 0'>%2</td><td>%3</td></tr>")
                   .arg(theme.secondary.name(), name, value);
    };
    out += QStringLiteral("<table cellspacing='0'>");
    line(tr("unknowns, rank of E"), QStringLiteral("%1, %2").arg(a.n).arg(a.rankE));
    if (a.regular) {
        QStringList blocks;
        for (const int size : a.nilpotentBlocks)
            blocks << QString::number(size);
        line(tr("algebraic part n<sub>1</sub>, differential part n<sub>2</sub>"), QStringLiteral("%1, %2").arg(a.n1).arg(a.n2));
        line(tr("nilpotent blocks"), blocks.isEmpty() ? tr("none") : blocks.join(QStringLiteral(", ")));
        line(tr("finite eigenvalues"), eigenvaluesText(a));
    }
    out += QStringLiteral("</table>");
    if (a.regular && a.n1 > 0 && !a.start.empty()) { // without a form there are no conditions to tell
        out += heading(tr("Consistent initial values must satisfy, [DN] (2.32)"), theme) + constraintsHtml(a);
        QStringList start;
        for (std::size_t i = 0; i < a.start.size() && i < static_cast<std::size_t>(kMostShown); ++i)
            start << figure(a.start[i], 4);
        out += QStringLiteral("<div style='margin:4px 0 0 8px; color:%1'>%2</div>")
                   .arg(theme.secondary.name(),
                        (a.startWasConsistent ? tr("The given x(0) does: (%1)") : tr("The nearest consistent x(0): (%1)"))
                            .arg(start.join(QStringLiteral(", "))));
    }
    if (!a.solutionNote.empty() && a.why.find(a.solutionNote) == std::string::npos)
        out += QStringLiteral("<p style='margin:4px 0 0 0'>%1</p>")
                   .arg(tr("Solution: %1.").arg(QString::fromStdString(a.solutionNote).toHtmlEscaped()));
    return out;
}

QString pencilStep(const pencil::Analysis& a, std::size_t step, const Theme& theme)
{
    if (step >= a.steps.size())
        return {};
    const pencil::ReductionStep& s = a.steps[step];
    QString out = heading(
        step == 0 ? tr("E ẋ + A x = f after elimination: E = diag(Λ, 0) of rank %1").arg(s.rank)
                  : tr("The algebraic rows differentiated, then elimination again: E = diag(Λ, 0) of rank %1").arg(s.rank),
        theme);
    if (s.E.empty())
        return out + tr("The matrices are too long to show.");
    out += row(fractions(QStringLiteral("E"), s.E, a.n, theme) + fractions(QStringLiteral("A"), s.A, a.n, theme));
    out += row(fractions(QStringLiteral("L"), s.L, a.n, theme) + fractions(QStringLiteral("U"), s.U, a.n, theme));
    if (!s.constraints.empty()) {
        out += heading(tr("Constraints that this step uncovers"), theme);
        for (const std::string& c : s.constraints)
            out += QStringLiteral("<div style='margin-left:8px'>%1</div>")
                       .arg(QString::fromStdString(c).toHtmlEscaped().replace('-', QStringLiteral("−")));
    } else if (s.rank == a.n) {
        out += heading(tr("E is regular: the system is an ordinary differential equation now"), theme);
    }
    return out;
}

QString pencilForm(const pencil::Analysis& a, const Theme& theme)
{
    if (!a.regular)
        return {};
    QString out = heading(tr("P E Q = diag(N, I), P A Q = diag(I, J), [DN] (2.10)"), theme);
    if (a.P.values.empty())
        return out + tr("No form is given, for the reason above.");
    out += row(numbers(QStringLiteral("N"), a.N, theme) + numbers(QStringLiteral("J"), a.J, theme));
    out += row(numbers(QStringLiteral("P"), a.P, theme) + numbers(QStringLiteral("Q"), a.Q, theme));
    return out
           + QStringLiteral("<p style='color:%1'>%2</p>")
                 .arg(theme.secondary.name(),
                      a.formResidual > 0 ? tr("They hold up to %1.").arg(figure(a.formResidual, 2)) : tr("They hold exactly."));
}

GapView::GapView(QWidget* parent) : QWidget(parent)
{
    setObjectName("pencilGaps");
    setAccessibleName(tr("Singular values and the tolerance"));
}

void GapView::show(const std::vector<pencil::RankDecision>& decisions, const Theme& theme)
{
    decisions_ = decisions;
    theme_ = theme;
    setFixedHeight(sizeHint().height());
    QStringList words;
    for (const auto& d : decisions)
        words << tr("%1: rank %2 of %3, gap %4")
                     .arg(QString::fromStdString(d.matrix))
                     .arg(d.rank)
                     .arg(d.full)
                     .arg(figure(d.gap, 2));
    setToolTip(words.join('\n'));
    update();
}

QSize GapView::sizeHint() const
{
    return {400, decisions_.empty() ? 0 : static_cast<int>(decisions_.size()) * kRowHeight + 22};
}

void GapView::paintEvent(QPaintEvent*)
{
    if (decisions_.empty())
        return;
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    p.setFont(uiFont(kTickPixels));
    const double left = std::min(300.0, width() * 0.45), right = width() - 14;
    const auto at = [&](double value) {
        const double decade = value > 0 ? std::clamp(std::log10(value), kLowest, kHighest) : kLowest;
        return left + (decade - kLowest) / (kHighest - kLowest) * (right - left);
    };
    const int bottom = static_cast<int>(decisions_.size()) * kRowHeight;
    for (int decade = static_cast<int>(kLowest) + 2; decade <= static_cast<int>(kHighest); decade += 4) {
        const double x = at(std::pow(10.0, decade));
        p.setPen(theme_.line);
        p.drawLine(QPointF(x, 0), QPointF(x, bottom));
        p.setPen(theme_.secondary);
        p.drawText(QRectF(x - 30, bottom + 2, 60, 18), Qt::AlignHCenter,
                   QStringLiteral("1e%1").arg(decade).replace('-', QStringLiteral("−")));
    }
    for (std::size_t i = 0; i < decisions_.size(); ++i) {
        const pencil::RankDecision& d = decisions_[i];
        const double y = (static_cast<double>(i) + 0.5) * kRowHeight;
        p.setPen(theme_.text);
        const QString words =
            tr("rank %1 of %2").arg(d.rank).arg(d.full) + QStringLiteral("  ") + QString::fromStdString(d.matrix);
        p.drawText(QRectF(0, y - 10, left - 10, 20), Qt::AlignLeft | Qt::AlignVCenter,
                   p.fontMetrics().elidedText(words, Qt::ElideRight, static_cast<int>(left) - 10));
        const bool certain = d.gap >= pencil::kCertainGap;
        const QColor ink = certain ? theme_.accent : theme_.error;
        if (d.kept > 0) {
            p.setPen(QPen(ink, 3));
            p.drawLine(QPointF(at(d.dropped), y), QPointF(at(d.kept), y));
            p.setPen(QPen(ink, 1.5));
            p.setBrush(ink);
            p.drawEllipse(QPointF(at(d.kept), y), 5, 5);
        }
        p.setPen(QPen(ink, 1.5));
        p.setBrush(theme_.surface);
        p.drawEllipse(QPointF(at(d.dropped), y), 5, 5);
        if (d.tolerance > 0) {
            p.setPen(QPen(theme_.text, 1.5, Qt::DashLine));
            p.drawLine(QPointF(at(d.tolerance), y - 11), QPointF(at(d.tolerance), y + 11));
        }
    }
}

SolutionView::SolutionView(QWidget* parent) : QWidget(parent)
{
    setObjectName("pencilSolution");
    setAccessibleName(tr("Solution"));
}

void SolutionView::show(const std::optional<pencil::Solution>& solution, const Theme& theme)
{
    solution_ = solution;
    theme_ = theme;
    const auto moves = [](const std::vector<double>& x) {
        return std::any_of(x.begin(), x.end(), [](double v) { return v != 0; });
    };
    setVisible(solution_ && solution_->t.size() > 1 && std::any_of(solution_->closed.begin(), solution_->closed.end(), moves));
    update();
}

void SolutionView::paintEvent(QPaintEvent*)
{
    if (!solution_ || solution_->t.size() < 2)
        return;
    const pencil::Solution& c = *solution_;
    double low = 0, high = 0;
    for (const auto& values : {c.closed, c.numerical})
        for (const auto& x : values)
            for (const double v : x)
                if (std::isfinite(v)) {
                    low = std::min(low, v);
                    high = std::max(high, v);
                }
    if (!(high > low))
        high = low + 1;
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    p.setFont(uiFont(kTickPixels));
    const QRectF box(62, 8, width() - 150, height() - 32);
    const auto at = [&](double t, double v) {
        return QPointF(box.left() + t / c.end * box.width(), box.bottom() - (v - low) / (high - low) * box.height());
    };
    p.setPen(theme_.line);
    p.drawRect(box);
    p.drawLine(at(0, 0), at(c.end, 0));
    p.setPen(theme_.secondary);
    p.drawText(QRectF(0, box.top() - 6, 56, 16), Qt::AlignRight, figure(high, 3));
    p.drawText(QRectF(0, box.bottom() - 10, 56, 16), Qt::AlignRight, figure(low, 3));
    p.drawText(QRectF(box.left(), box.bottom() + 4, box.width(), 18), Qt::AlignRight,
               QStringLiteral("t = %1").arg(figure(c.end, 3)));
    p.drawText(QRectF(box.left(), box.bottom() + 4, box.width(), 18), Qt::AlignLeft,
               c.numerical.empty() ? tr("closed form (2.31)") : tr("lines: closed form (2.31), dots: Radau IIA"));
    const std::size_t shown = std::min<std::size_t>(c.closed.front().size(), theme_.runs.size());
    for (std::size_t k = 0; k < shown; ++k) {
        const QColor ink = theme_.run(static_cast<int>(k));
        QPainterPath path;
        for (std::size_t i = 0; i < c.t.size(); ++i)
            i == 0 ? path.moveTo(at(c.t[i], c.closed[i][k])) : path.lineTo(at(c.t[i], c.closed[i][k]));
        p.setBrush(Qt::NoBrush);
        p.setPen(QPen(ink, 2));
        p.drawPath(path);
        p.setPen(Qt::NoPen);
        p.setBrush(ink);
        const std::size_t every = std::max<std::size_t>(1, c.t.size() / 12);
        for (std::size_t i = 0; i < c.numerical.size(); i += every)
            p.drawEllipse(at(c.t[i], c.numerical[i][k]), 3.5, 3.5);
        p.setPen(ink);
        p.drawText(QRectF(box.right() + 8, box.top() + 17.0 * static_cast<double>(k), 76, 17), Qt::AlignLeft,
                   QStringLiteral("x%1").arg(k + 1));
    }
}

} // namespace driftless::ui
