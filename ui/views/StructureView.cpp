#include "ui/views/StructureView.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

#include "ui/document/NumberText.h"
#include "ui/figures/BlendColours.h"
#include "ui/views/FlowLayout.h"
#include "ui/views/LadderView.h"
#include "ui/views/SignatureMatrix.h"

namespace driftless::ui {

using structure::DerivativeRef;

namespace {

QLabel* secondary(const char* name)
{
    auto* label = new QLabel;
    label->setObjectName(QLatin1String(name));
    label->setProperty("role", "secondary");
    return label;
}

QString kappaText(double kappa) { return kappa < 1e15 ? numberText(kappa, 3) : QStringLiteral("∞"); }

QScrollArea* scrolled(QWidget* content)
{
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(content);
    scroll->setFocusPolicy(Qt::NoFocus);
    return scroll;
}

} // namespace

StructureView::StructureView(QWidget* parent) : QWidget(parent)
{
    setObjectName("structureView");
    setAttribute(Qt::WA_StyledBackground);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(12, 6, 12, 6);
    all->setSpacing(4);
    auto* top = new QHBoxLayout;
    summary_ = new QLabel;
    summary_->setObjectName("structureSummary");
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    summary_->setWordWrap(true);
    sort_ = new QToolButton;
    sort_->setObjectName("structureSort");
    sort_->setText(tr("Block order"));
    sort_->setToolTip(tr("Rows and columns in the order of the blocks, else as the model states them"));
    sort_->setCheckable(true);
    sort_->setChecked(true);
    top->addWidget(summary_, 1);
    top->addWidget(sort_);
    all->addLayout(top);
    note_ = secondary("structureNote");
    note_->setWordWrap(true);
    note_->setAlignment(Qt::AlignCenter);
    all->addWidget(note_, 1);
    parts_ = new QSplitter;
    parts_->setChildrenCollapsible(false);
    parts_->addWidget(makeMatrix());
    parts_->addWidget(makeLadder());
    parts_->addWidget(makeSteps());
    parts_->setStretchFactor(0, 27);
    parts_->setStretchFactor(1, 41);
    parts_->setStretchFactor(2, 32);
    parts_->setSizes({270, 410, 320});
    all->addWidget(parts_, 1);
    connect(sort_, &QToolButton::toggled, matrix_, &SignatureMatrix::setSorted);
    connect(parts_, &QSplitter::splitterMoved, this, &StructureView::fitMatrix);
    setModel(nullptr);
}

QWidget* StructureView::makeMatrix()
{
    matrix_ = new SignatureMatrix;
    matrixScroll_ = scrolled(matrix_);
    matrixScroll_->setMinimumWidth(140);
    matrixScroll_->viewport()->installEventFilter(this);
    connect(matrix_, &SignatureMatrix::equationClicked, this, &StructureView::selectEquation);
    connect(matrix_, &SignatureMatrix::unknownClicked, this, &StructureView::selectUnknown);
    return matrixScroll_;
}

QWidget* StructureView::makeLadder()
{
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(8, 0, 8, 0);
    layout->setSpacing(4);
    choices_ = new QWidget;
    choices_->setObjectName("structureChoices");
    flow_ = new FlowLayout(choices_, 4);
    choices_->installEventFilter(this);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    policy.setHeightForWidth(true);
    choices_->setSizePolicy(policy);
    auto* choiceScroll = scrolled(choices_);
    choiceScroll->setObjectName("structureChoiceScroll");
    choiceScroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    ladder_ = new LadderView;
    ladderScroll_ = scrolled(ladder_);
    ladderScroll_->setMinimumWidth(200);
    free_ = secondary("structureFree");
    free_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    choiceNote_ = secondary("structureChoiceNote");
    choiceNote_->setWordWrap(true);
    layout->addWidget(choiceScroll);
    layout->addWidget(choiceNote_);
    layout->addWidget(ladderScroll_, 1);
    layout->addWidget(free_);
    connect(ladder_, &LadderView::equationClicked, this, &StructureView::selectEquation);
    return page;
}

QWidget* StructureView::makeSteps()
{
    auto* page = new QSplitter(Qt::Vertical);
    page->setChildrenCollapsible(false);
    list_ = new QListWidget;
    list_->setObjectName("structureSteps");
    list_->setAccessibleName(tr("Steps of the analysis"));
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setTextElideMode(Qt::ElideRight);
    list_->setMinimumHeight(48);
    text_ = new QTextBrowser;
    text_->setObjectName("structureText");
    text_->setAccessibleName(tr("What this step does"));
    text_->setFrameShape(QFrame::NoFrame);
    text_->setOpenLinks(false);
    text_->setMinimumHeight(48);
    page->addWidget(list_);
    page->addWidget(text_);
    page->setSizes({76, 124});
    connect(list_, &QListWidget::currentRowChanged, this, [this] { applyStep(); });
    return page;
}

void StructureView::setModel(std::shared_ptr<const StructureModel> model, const QString& note)
{
    model_ = std::move(model);
    present_ = {};
    stages_ = model_ ? model_->stages(present_) : std::vector<LadderStage>{};
    const bool hadSelection = equation_ >= 0 || unknown_ >= 0;
    equation_ = unknown_ = -1;
    shown_.clear();
    matrix_->setModel(model_);
    ladder_->setModel(model_);
    list_->clear();
    if (model_)
        for (const StructureStep& step : model_->steps())
            list_->addItem(step.title);
    summary_->setText(model_ ? model_->summary() : QString());
    summary_->setToolTip(summary_->text());
    note_->setText(note);
    note_->setVisible(!model_);
    parts_->setVisible(model_ != nullptr);
    sort_->setVisible(model_ != nullptr);
    rebuildChips();
    ladder_->setDummies(StructureModel::dummies(stages_));
    if (model_)
        list_->setCurrentRow(0);
    applyStep();
    fitMatrix();
    if (hadSelection)
        emit equationSelected(-1);
}

void StructureView::setSelection(const PresentSelection& present)
{
    if (!model_)
        return;
    const bool same = present.run == present_.run && present.pivots == present_.pivots
                      && present.automatic == present_.automatic && present.known == present_.known
                      && present.dummies == present_.dummies;
    present_ = present;
    if (!same) {
        stages_ = model_->stages(present_);
        rebuildChips();
        ladder_->setDummies(StructureModel::dummies(stages_));
        writeExplanation();
    }
    writeChips();
}

void StructureView::setTheme(const Theme& theme, double scale)
{
    theme_ = &theme;
    scale_ = scale;
    const auto px = [scale](int n) { return QString::number(std::lround(n * scale)) + "px"; };
    setStyleSheet(QStringLiteral("#structureView, #structureChoices, #structureChoiceScroll, #structureView QSplitter, "
                                 "#structureView QScrollArea > QWidget { background: %1; }"
                                 "#structureView QSplitter::handle { background: %2; }"
                                 "#structureSteps::item { padding: %3 %4; }"
                                 "#structureSteps::item:selected { background: %5; color: %6; }"
                                 "QLabel[part=\"chipLabel\"] { padding: %3 0; border: 1px solid transparent; }"
                                 "QPushButton[part=\"chip\"] { padding: %3 %7; border-radius: %8; }"
                                 "QPushButton[part=\"chip\"]:checked { background: %9; border-color: %9; color: %10; }"
                                 "QPushButton[part=\"chip\"]:checked:focus { border-color: %6; }")
                      .arg(theme.surface.name(), theme.line.name(), px(2), px(4),
                           figures::blended(theme.surface, theme.accent, theme.dark ? 0.28 : 0.14).name(), theme.text.name(),
                           px(8), px(9))
                      .arg(theme.accent.name(), theme.dark ? theme.window.name() : QStringLiteral("#FFFFFF")));
    matrix_->setLook(theme, scale);
    ladder_->setLook(theme, scale);
    writeExplanation();
    fitMatrix();
}

// --- steps ---

int StructureView::step() const { return list_->currentRow(); }

void StructureView::showStep(int step) { list_->setCurrentRow(step); }

void StructureView::applyStep()
{
    const int row = list_->currentRow();
    if (!model_ || row < 0 || row >= static_cast<int>(model_->steps().size())) {
        text_->clear();
        return;
    }
    const StructureStep& step = model_->steps()[static_cast<std::size_t>(row)];
    const bool wrong = step.kind == StepKind::OverDetermined || step.kind == StepKind::UnderDetermined;
    matrix_->setHighlight(step.equations, step.unknowns, wrong);
    ladder_->setHighlight(step.rungs);
    if (!step.rungs.empty())
        if (const QRect rung = ladder_->rungRect(step.rungs.front()); !rung.isNull())
            ladderScroll_->ensureVisible(0, rung.center().y(), 0, rung.height());
    writeExplanation();
}

/// The words of a step; for a stage with its matrix, as the run has chosen.
void StructureView::writeExplanation()
{
    const int row = list_->currentRow();
    if (!model_ || row < 0 || row >= static_cast<int>(model_->steps().size()))
        return;
    const StructureStep& step = model_->steps()[static_cast<std::size_t>(row)];
    QString html;
    if (step.stage >= 0 && step.stage < static_cast<int>(stages_.size())) {
        const QColor mark = figures::blended(theme_->surface, theme_->accent, theme_->dark ? 0.42 : 0.22),
                     shade = figures::blended(theme_->surface, theme_->secondary, 0.16);
        const QString table = model_->matrixOfStage(stages_[static_cast<std::size_t>(step.stage)], mark.name(), shade.name());
        if (!table.isEmpty())
            html = QStringLiteral("<span style='color:%1'>G with H in grey and M in colour:</span>%2")
                       .arg(theme_->secondary.name(), table);
    }
    html += QStringLiteral("<div style='color:%1'>%2</div>").arg(theme_->text.name(), step.text);
    const int down = text_->verticalScrollBar()->value();
    text_->setHtml(html);
    text_->verticalScrollBar()->setValue(down);
    const auto free = model_->freeValues(StructureModel::dummies(stages_));
    QStringList names;
    for (const auto& value : free)
        names << model_->derivativeName(value);
    QString all = names.join(QStringLiteral(", "));
    free_->setText(names.isEmpty() ? QString() : tr("Free initial values with these dummies: %1").arg(all));
    free_->setToolTip(free_->text());
    free_->setVisible(!names.isEmpty());
}

// --- candidates ---

QPushButton* StructureView::chip(const DerivativeRef& of, int stage, int place)
{
    auto* button = new QPushButton(model_->derivativeName(of));
    button->setObjectName(
        QStringLiteral("chip_%1_%2").arg(stages_[static_cast<std::size_t>(stage)].stage).arg(model_->derivativeName(of)));
    button->setCheckable(true);
    button->setProperty("part", "chip");
    button->setAccessibleName(tr("Dummy %1").arg(model_->derivativeName(of)));
    connect(button, &QPushButton::clicked, this, [this, of, stage, place] {
        const LadderStage& now = stages_[static_cast<std::size_t>(stage)];
        if (!now.selected[static_cast<std::size_t>(place)])
            emit candidateClicked(of);
        else if (present_.automatic && present_.pivots)
            emit candidateClicked(of); // the present choice is kept
        writeChips();
    });
    return button;
}

void StructureView::rebuildChips()
{
    std::vector<std::vector<DerivativeRef>> wanted;
    for (const LadderStage& stage : stages_)
        if (stage.isChoice())
            wanted.push_back(stage.z);
    if (wanted == shown_ && automatic_ && !wanted.empty()) { // without choices, chips of another model may be left
        writeChips();
        return;
    }
    shown_ = std::move(wanted);
    while (QLayoutItem* item = flow_->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater(); // a click on one of them may be what brought us here
        }
        delete item;
    }
    chips_.clear();
    constexpr std::size_t kMostChips = 200;
    for (std::size_t s = 0; s < stages_.size() && chips_.size() < kMostChips; ++s) {
        const LadderStage& stage = stages_[s];
        if (!stage.isChoice())
            continue;
        auto* label = secondary("");
        label->setText(tr("Block %1, stage %2: %3 of").arg(stage.block + 1).arg(stage.stage).arg(stage.m));
        label->setProperty("part", "chipLabel");
        flow_->addWidget(label);
        for (std::size_t k = 0; k < stage.z.size(); ++k)
            if (stage.z[k].order > 0) { // only derivatives become dummies
                chips_.push_back(
                    {chip(stage.z[k], static_cast<int>(s), static_cast<int>(k)), static_cast<int>(s), static_cast<int>(k)});
                flow_->addWidget(chips_.back().button);
            }
    }
    automatic_ = new QPushButton(tr("Automatic"));
    automatic_->setObjectName("structureAutomatic");
    automatic_->setCheckable(true);
    automatic_->setProperty("part", "chip");
    automatic_->setToolTip(tr("Let the run choose its dummies while it goes on"));
    connect(automatic_, &QPushButton::clicked, this, [this] {
        emit automaticClicked();
        writeChips();
    });
    flow_->addWidget(automatic_);
    writeChips();
    choices_->updateGeometry();
    QMetaObject::invokeMethod(
        this, [this] { fitMatrix(); }, Qt::QueuedConnection); // when the chips have their style, and so their size
}

void StructureView::writeChips()
{
    for (const Chip& chip : chips_) {
        const LadderStage& stage = stages_[static_cast<std::size_t>(chip.stage)];
        const auto place = static_cast<std::size_t>(chip.place);
        chip.button->setChecked(stage.selected[place]);
        chip.button->setEnabled(stage.choosable[place]);
        double kappa = 0;
        for (const auto& exchange : present_.exchanges)
            if (exchange.enters == stage.z[place] && (kappa == 0 || exchange.kappa < kappa))
                kappa = exchange.kappa;
        const QString name = model_->derivativeName(stage.z[place]);
        QString about = tr("A candidate of this stage");
        if (stage.choosable[place] && stage.selected[place])
            about = tr("%1 is a dummy: an algebraic unknown, not integrated").arg(name);
        else if (stage.choosable[place] && kappa == 0)
            about = tr("Pin %1 as a dummy in %2").arg(name, present_.run);
        else if (stage.choosable[place])
            about = tr("Pin %1 as a dummy in %2; κ would be %3").arg(name, present_.run, kappaText(kappa));
        chip.button->setToolTip(about);
    }
    const bool choice = present_.pivots && !chips_.empty();
    automatic_->setVisible(choice);
    automatic_->setChecked(present_.automatic);
    QString note;
    if (chips_.empty())
        note = model_ && model_->c().empty() ? QString() : tr("No stage has a choice.");
    else if (!choice)
        note = present_.run.isEmpty() ? tr("no run is selected")
                                      : tr("%1 chooses no dummies: what the analysis would choose is filled").arg(present_.run);
    choiceNote_->setText(note);
    choiceNote_->setVisible(!note.isEmpty());
}

// --- selection ---

void StructureView::selectEquation(int equation)
{
    equation_ = equation == equation_ ? -1 : equation;
    unknown_ = -1;
    matrix_->setSelected(equation_, -1);
    ladder_->setSelected(equation_);
    if (equation_ >= 0)
        if (const QRect rung = ladder_->rungRect({equation_, 0}); !rung.isNull())
            ladderScroll_->ensureVisible(0, rung.center().y(), 0, rung.height());
    emit equationSelected(equation_);
}

void StructureView::selectUnknown(int unknown)
{
    unknown_ = unknown == unknown_ ? -1 : unknown;
    equation_ = -1;
    matrix_->setSelected(-1, unknown_);
    ladder_->setSelected(-1);
    emit unknownSelected(unknown_);
}

// --- room ---

void StructureView::fitMatrix()
{
    matrix_->setRoom(matrixScroll_->viewport()->size());
    auto* scroll = choices_->parentWidget() ? choices_->parentWidget()->parentWidget() : nullptr;
    if (!scroll || !choices_->layout())
        return;
    const int wanted = choices_->layout()->heightForWidth(std::max(100, scroll->width() - 12));
    scroll->setFixedHeight(std::clamp(wanted + 2, static_cast<int>(std::lround(22 * scale_)),
                                      std::max(static_cast<int>(std::lround(24 * scale_)), height() / 3)));
}

void StructureView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitMatrix();
}

bool StructureView::eventFilter(QObject* watched, QEvent* event)
{
    if ((event->type() == QEvent::Resize && watched == matrixScroll_->viewport())
        || (event->type() == QEvent::LayoutRequest && watched == choices_))
        fitMatrix();
    return QWidget::eventFilter(watched, event);
}

} // namespace driftless::ui
