#include "ui/views/EquationView.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QLabel>
#include <QScrollBar>
#include <QTextBrowser>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include <array>
#include <map>

#include "ui/views/Theme.h"

namespace driftless::ui {

using formulation::DescribedRow;
using formulation::Provenance;

namespace {

constexpr std::array<Provenance, 14> kProvenances{Provenance::Stated,
                                                  Provenance::Combined,
                                                  Provenance::Constraint,
                                                  Provenance::DifferentiatedOnce,
                                                  Provenance::DifferentiatedTwice,
                                                  Provenance::Stabilised,
                                                  Provenance::DifferentiatedThrice,
                                                  Provenance::Effort,
                                                  Provenance::Dynamic,
                                                  Provenance::DynamicVariable,
                                                  Provenance::Definition,
                                                  Provenance::Reduced,
                                                  Provenance::Kinematic,
                                                  Provenance::Link};

/// Headings of the groups, in the page's order: what the mechanism demands first, bookkeeping last.
QString groupName(Provenance p)
{
    switch (p) {
    case Provenance::Constraint:
        return QStringLiteral("Constraints");
    case Provenance::DifferentiatedOnce:
        return QStringLiteral("Constraints, differentiated once");
    case Provenance::DifferentiatedTwice:
        return QStringLiteral("Constraints, differentiated twice");
    case Provenance::Stabilised:
        return QStringLiteral("Stabilised constraints");
    case Provenance::Dynamic:
        return QStringLiteral("Equations of motion");
    case Provenance::Reduced:
        return QStringLiteral("Motion in minimal coordinates");
    case Provenance::Kinematic:
        return QStringLiteral("Velocities");
    case Provenance::Link:
        return QStringLiteral("Links that are integrated (the others are dummies)");
    case Provenance::DifferentiatedThrice:
        return QStringLiteral("Constraints, differentiated three times");
    case Provenance::Effort:
        return QStringLiteral("Effort constraints");
    case Provenance::DynamicVariable:
        return QStringLiteral("Dynamic variables");
    case Provenance::Definition:
        return QStringLiteral("Definitions of auxiliary unknowns");
    case Provenance::Stated:
        return QStringLiteral("Equations as stated");
    case Provenance::Combined:
        return QStringLiteral("Combinations in place of equations");
    }
    return {};
}

QString shortName(Provenance p)
{
    switch (p) {
    case Provenance::Constraint:
        return QStringLiteral("constraint");
    case Provenance::DifferentiatedOnce:
        return QStringLiteral("differentiated once");
    case Provenance::DifferentiatedTwice:
        return QStringLiteral("differentiated twice");
    case Provenance::Stabilised:
        return QStringLiteral("stabilised");
    case Provenance::Dynamic:
        return QStringLiteral("motion");
    case Provenance::Reduced:
        return QStringLiteral("reduced");
    case Provenance::Kinematic:
        return QStringLiteral("velocity");
    case Provenance::Link:
        return QStringLiteral("link");
    case Provenance::DifferentiatedThrice:
        return QStringLiteral("differentiated three times");
    case Provenance::Effort:
        return QStringLiteral("effort");
    case Provenance::DynamicVariable:
        return QStringLiteral("dynamic variable");
    case Provenance::Definition:
        return QStringLiteral("definition");
    case Provenance::Stated:
        return QStringLiteral("as stated");
    case Provenance::Combined:
        return QStringLiteral("combination");
    }
    return {};
}

bool same(const std::vector<DescribedRow>& a, const std::vector<DescribedRow>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const DescribedRow& x, const DescribedRow& y) {
        return x.equation == y.equation && x.provenance == y.provenance && x.name == y.name && x.note == y.note;
    });
}

QString text(const std::string& s) { return QString::fromStdString(s); }

/// Rich text, or text that can be selected, in several lines. A layout asks many times how high it is, and each answer of a
/// QLabel lays the text out twice.
class LinesLabel : public QLabel {
public:
    using QLabel::QLabel;
    int heightForWidth(int width) const override
    {
        if (text() != of_ || font() != in_) {
            heights_.clear();
            of_ = text();
            in_ = font();
        }
        const auto [place, isNew] = heights_.try_emplace(width, 0);
        if (isNew)
            place->second = QLabel::heightForWidth(width);
        return place->second;
    }

private:
    mutable std::map<int, int> heights_; ///< [px] by width
    mutable QString of_;
    mutable QFont in_;
};

/// Replaces the page's text while its scroll bars stay as they are: each that comes or goes lays the whole text out again.
void setHtmlAtOnce(QTextBrowser& page, const QString& html)
{
    const auto held = [](const QScrollBar& bar) { return bar.isVisible() ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff; };
    page.setVerticalScrollBarPolicy(held(*page.verticalScrollBar()));
    page.setHorizontalScrollBarPolicy(held(*page.horizontalScrollBar()));
    page.setHtml(html);
    page.setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    page.setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
}

/// The name of a run may be longer than the page is wide.
QLabel* wrappedHeading(QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setProperty("role", "heading");
    label->setWordWrap(true);
    label->setMinimumWidth(1);
    return label;
}

} // namespace

QColor EquationView::colourOf(Provenance p, bool dark)
{
    switch (p) {
    case Provenance::Stated:
    case Provenance::Constraint:
        return QColor(dark ? "#8FA8FF" : "#1F55D6");
    case Provenance::DifferentiatedOnce:
        return QColor(dark ? "#1FBA86" : "#1E7A54");
    case Provenance::DifferentiatedTwice:
        return QColor(dark ? "#E79A33" : "#B23A00");
    case Provenance::Combined: // in no view with a stabilised one
    case Provenance::Stabilised:
        return QColor(dark ? "#F7C23A" : "#7A5200");
    case Provenance::Dynamic:
        return QColor(dark ? "#E8ECF1" : "#14181D");
    case Provenance::Reduced:
        return QColor(dark ? "#CC90B2" : "#8C3F68");
    case Provenance::Kinematic:
        return QColor(dark ? "#A3AFBD" : "#4E5866");
    case Provenance::Link:
        return QColor(dark ? "#A898FF" : "#5A2CA0");
    case Provenance::DifferentiatedThrice:
        return QColor(dark ? "#FF8A7A" : "#B42318");
    case Provenance::Effort:
        return QColor(dark ? "#C4F0F8" : "#0B6B7A");
    case Provenance::DynamicVariable:
        return QColor(dark ? "#B7D36B" : "#3F5F00");
    case Provenance::Definition:
        return QColor(dark ? "#D8B8A6" : "#7A4E3A");
    }
    return {};
}

QColor EquationView::dummyGround(bool dark) { return ui::dummyGround(dark ? Theme::darkTheme() : Theme::light()); }

EquationView::EquationView(QWidget* parent) : QWidget(parent)
{
    heading_ = wrappedHeading(this);
    legend_ = new LinesLabel(this);
    legend_->setTextFormat(Qt::RichText);
    legend_->setWordWrap(true);
    details_ = new LinesLabel(this);
    details_->setObjectName("formulationDetails");
    details_->setProperty("role", "secondary");
    details_->setWordWrap(true);
    details_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    details_->hide();
    page_ = new QTextBrowser(this);
    page_->setObjectName("equationPage");
    page_->setAccessibleName(tr("The equations that are integrated"));
    page_->setOpenLinks(false);
    page_->setFrameShape(QFrame::NoFrame);
    page_->setLineWrapMode(QTextEdit::NoWrap);
    page_->viewport()->installEventFilter(this);
    page_->viewport()->setMouseTracking(true);
    copyText_ = new QToolButton(this);
    copyText_->setObjectName("copyText");
    copyText_->setText(tr("Copy text"));
    copyText_->setToolTip(tr("Copy the rows as plain text"));
    copyLatex_ = new QToolButton(this);
    copyLatex_->setObjectName("copyLatex");
    copyLatex_->setText(tr("Copy LaTeX"));
    copyLatex_->setToolTip(tr("Copy the rows as a LaTeX align environment"));
    derive_ = new QToolButton(this);
    derive_->setObjectName("showDerivation");
    derive_->setText(tr("Derivation"));
    derive_->setToolTip(tr("How the equations of motion follow from the kinetic and the potential energy"));
    derive_->setCheckable(true);
    derive_->hide();
    connect(derive_, &QToolButton::toggled, this, &EquationView::rewrite);
    connect(copyText_, &QToolButton::clicked, this, &EquationView::copyText);
    connect(copyLatex_, &QToolButton::clicked, this, &EquationView::copyLatex);

    auto* top = new QHBoxLayout;
    top->addWidget(heading_, 1);
    auto* notation = new QToolButton(this);
    notation->setObjectName("equationNotation");
    notation->setText(tr("Notation"));
    notation->setToolTip(tr("What dots, boxes and letters mean (Shift+F1)"));
    connect(notation, &QToolButton::clicked, this, &EquationView::notationAsked);
    top->addWidget(notation);
    top->addWidget(derive_);
    top->addWidget(copyText_);
    top->addWidget(copyLatex_);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(12, 8, 12, 8);
    all->setSpacing(6);
    all->addLayout(top);
    all->addWidget(legend_);
    all->addWidget(details_);
    all->addWidget(page_, 1);
    applyColours();
    rewrite();
}

void EquationView::setSource(const QString& title, Source source)
{
    title_ = title;
    source_ = std::move(source);
    rows_ = source_ ? source_(expr::Format::Html) : std::vector<DescribedRow>{};
    rewrite();
}

void EquationView::setDetails(const QString& details)
{
    details_->setText(details);
    details_->setVisible(!details.isEmpty());
}

void EquationView::setDerivation(Derivation derivation)
{
    derivation_ = std::move(derivation);
    derive_->setVisible(static_cast<bool>(derivation_));
    rewrite();
}

bool EquationView::showsDerivation() const { return derivation_ && derive_->isChecked(); }

QString EquationView::derivationHtml() const
{
    const Theme& theme = dark_ ? Theme::darkTheme() : Theme::light();
    const auto sections = derivation_(expr::Format::Html);
    if (!sections)
        return QStringLiteral("<p style='color:%1'>%2</p>")
            .arg(theme.secondary.name(), text(sections.error().text()).toHtmlEscaped());
    QString out;
    for (const model::DerivationSection& section : *sections) {
        out += QStringLiteral(
                   "<p style='margin:8px 0 2px 0; color:%1; font-size:%2px'>%3&nbsp;&nbsp; %4</p><table cellspacing='0'>")
                   .arg(theme.secondary.name())
                   .arg(qRound(kTickPixels * scale_))
                   .arg(text(section.title), text(section.source));
        for (const model::DerivationLine& line : section.lines)
            out += QStringLiteral("<tr><td align='right' style='padding:2px 6px 2px 8px'>%1</td><td style='padding:2px 18px "
                                  "2px 0'>= %2</td></tr>")
                       .arg(text(line.left), text(line.right));
        out += QStringLiteral("</table>");
        if (!section.note.empty())
            out += QStringLiteral("<p style='margin:2px 0 0 8px; color:%1; font-size:%2px'>%3</p>")
                       .arg(theme.secondary.name())
                       .arg(qRound(kTickPixels * scale_))
                       .arg(text(section.note).toHtmlEscaped());
    }
    return out;
}

void EquationView::refresh()
{
    if (!source_)
        return;
    auto rows = source_(expr::Format::Html);
    if (same(rows, rows_))
        return;
    rows_ = std::move(rows);
    rewrite();
}

void EquationView::setDark(bool dark)
{
    dark_ = dark;
    applyColours();
    rewrite();
}

void EquationView::setScale(double scale)
{
    scale_ = scale;
    applyColours();
    rewrite();
}

void EquationView::applyColours()
{
    const Theme& theme = dark_ ? Theme::darkTheme() : Theme::light();
    QPalette palette = page_->palette();
    palette.setColor(QPalette::Base, theme.surface);
    palette.setColor(QPalette::Text, theme.text);
    page_->setPalette(palette);
    QPalette own = this->palette();
    own.setColor(QPalette::Window, theme.surface);
    own.setColor(QPalette::WindowText, theme.text);
    setPalette(own);
    setAutoFillBackground(true);
    QPalette labels = heading_->palette();
    labels.setColor(QPalette::WindowText, theme.text);
    heading_->setPalette(labels);
    heading_->setFont(uiFont(qRound(kHeadingPixels * scale_), QFont::DemiBold));
    legend_->setFont(uiFont(qRound(kTickPixels * scale_)));
    page_->document()->setDefaultFont(uiFont(qRound((kTextPixels + 1) * scale_)));
    page_->document()->setDefaultStyleSheet(QStringLiteral(".dummy { background-color: %1; }").arg(dummyGround(dark_).name()));
}

QString EquationView::legendHtml() const
{
    QString out;
    for (const Provenance p : kProvenances) {
        const bool used = std::any_of(rows_.begin(), rows_.end(), [p](const DescribedRow& r) { return r.provenance == p; });
        if (used)
            out += QStringLiteral("<span style='color:%1; white-space:nowrap'>■&nbsp;%2</span>&nbsp;&nbsp; ")
                       .arg(colourOf(p, dark_).name(), shortName(p).replace(' ', QStringLiteral("&nbsp;")));
    }
    if (std::any_of(rows_.begin(), rows_.end(),
                    [](const DescribedRow& r) { return r.equation.find("\"dummy\"") != std::string::npos; }))
        out +=
            QStringLiteral("<span style='background-color:%1'>&nbsp;ẋ&nbsp;</span>&nbsp;dummy").arg(dummyGround(dark_).name());
    return out;
}

QString EquationView::rowsHtml() const
{
    const Theme& theme = dark_ ? Theme::darkTheme() : Theme::light();
    QString out;
    for (const Provenance p : kProvenances) {
        QString group;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const DescribedRow& row = rows_[i];
            if (row.provenance != p)
                continue;
            // The anchor carries the tooltip; an equation is not a link and is not underlined.
            group +=
                QStringLiteral("<tr><td style='padding:2px 18px 2px 8px'><a href='row:%1' style='text-decoration:none; "
                               "color:%2'>%3</a></td><td style='padding:2px 8px 2px 0; color:%4; font-size:%5px'>%6</td></tr>")
                    .arg(i)
                    .arg(colourOf(p, dark_).name(), text(row.equation), theme.secondary.name())
                    .arg(qRound(kTickPixels * scale_))
                    .arg(text(row.note.empty() ? row.name : row.note).toHtmlEscaped());
        }
        if (!group.isEmpty())
            out += QStringLiteral(
                       "<p style='margin:8px 0 2px 0; color:%1; font-size:%2px'>%3</p><table cellspacing='0'>%4</table>")
                       .arg(theme.secondary.name())
                       .arg(qRound(kTickPixels * scale_))
                       .arg(groupName(p), group);
    }
    return out;
}

void EquationView::rewrite()
{
    heading_->setText(title_);
    heading_->setVisible(!title_.isEmpty());
    legend_->setText(showsDerivation() ? QString() : legendHtml());
    copyText_->setEnabled(!rows_.empty());
    copyLatex_->setEnabled(!rows_.empty());
    const Theme& theme = dark_ ? Theme::darkTheme() : Theme::light();
    const QString nothing = title_.isEmpty() || source_ ? tr("Select a run to see the equations that it integrates.")
                                                        : tr("They appear with the first run.");
    if (showsDerivation())
        html_ = derivationHtml();
    else if (rows_.empty())
        html_ = QStringLiteral("<p style='color:%1'>%2</p>").arg(theme.secondary.name(), nothing);
    else
        html_ = rowsHtml();
    const int across = page_->horizontalScrollBar()->value(), down = page_->verticalScrollBar()->value();
    setHtmlAtOnce(*page_, html_);
    page_->horizontalScrollBar()->setValue(across);
    page_->verticalScrollBar()->setValue(down);
}

QString EquationView::asText() const
{
    QString out;
    if (showsDerivation()) {
        if (const auto sections = derivation_(expr::Format::Text))
            for (const model::DerivationSection& section : *sections) {
                out += "# " + text(section.title) + ' ' + text(section.source) + '\n';
                for (const model::DerivationLine& line : section.lines)
                    out += text(line.left) + " = " + text(line.right) + '\n';
            }
    } else if (source_)
        for (const DescribedRow& row : source_(expr::Format::Text))
            out += text(row.equation) + QStringLiteral("    # ") + text(row.note.empty() ? row.name : row.note) + '\n';
    return out;
}

QString EquationView::asLatex() const
{
    if (!source_)
        return {};
    QStringList lines;
    if (showsDerivation()) {
        if (const auto sections = derivation_(expr::Format::Latex))
            for (const model::DerivationSection& section : *sections)
                for (const model::DerivationLine& line : section.lines)
                    lines << QStringLiteral("  %1 &= %2").arg(text(line.left), text(line.right));
        return QStringLiteral("\\begin{align}\n") + lines.join(QStringLiteral(" \\\\\n")) + QStringLiteral("\n\\end{align}\n");
    }
    for (const DescribedRow& row : source_(expr::Format::Latex)) {
        QString equation = text(row.equation);
        // Aligned at the last relation, which is the row's own.
        const auto relation = equation.lastIndexOf('=');
        if (relation >= 0)
            equation.insert(relation, '&');
        lines << QStringLiteral("  ") + equation;
    }
    return QStringLiteral("\\begin{align}\n") + lines.join(QStringLiteral(" \\\\\n")) + QStringLiteral("\n\\end{align}\n");
}

void EquationView::copyText()
{
    QApplication::clipboard()->setText(asText());
    emit copied(tr("equations as text"));
}

void EquationView::copyLatex()
{
    QApplication::clipboard()->setText(asLatex());
    emit copied(tr("equations as LaTeX"));
}

bool EquationView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == page_->viewport() && event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString anchor = page_->anchorAt(help->pos());
        const std::size_t index = anchor.startsWith(QLatin1String("row:")) ? anchor.mid(4).toUInt() : rows_.size();
        if (index >= rows_.size()) {
            QToolTip::hideText();
            return true;
        }
        const DescribedRow& row = rows_[index];
        QStringList lines;
        lines << QStringLiteral("<b>%1</b>").arg(text(row.name).toHtmlEscaped()) << groupName(row.provenance);
        if (!row.origin.empty())
            lines << tr("from %1").arg(text(row.origin).toHtmlEscaped());
        if (!row.note.empty())
            lines << text(row.note).toHtmlEscaped();
        QToolTip::showText(help->globalPos(), lines.join(QStringLiteral("<br>")), page_->viewport());
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace driftless::ui
