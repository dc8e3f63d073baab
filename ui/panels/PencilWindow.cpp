#include "ui/panels/PencilWindow.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QScrollBar>
#include <QSlider>
#include <QSplitter>
#include <QTextBrowser>
#include <QTextCursor>
#include <QVBoxLayout>

#include <cmath>

#include "core/pencil/LinearDaeFile.h"
#include "ui/document/NumberText.h"
#include "ui/panels/Controls.h"
#include "ui/panels/PencilPage.h"
#include "ui/views/StyleSheet.h"

namespace driftless::ui {

namespace {

constexpr int kTypingDelay = 120; ///< [ms] after the last key stroke
constexpr int kPerDecade = 10;    ///< positions of the slider
constexpr int kLowestDecade = -16, kHighestDecade = -1;

struct Example {
    const char* title;
    const char* text;
};
const Example kExamples[] = {
    {"Chain of index 3", "# x1' = x2, x2' = x3, and x1 is prescribed: x3 is its second derivative.\n"
                         "E = [[1, 0, 0],\n     [0, 1, 0],\n     [0, 0, 0]]\n"
                         "A = [[0, 1, 0],\n     [0, 0, 1],\n     [1, 0, 0]]\n"
                         "f = [\"0\", \"0\", \"-sin(t)\"]\nend = 6\n"},
    {"Index 2, no freedom", "# Three unknowns, and all of them follow from f and f'.\n"
                            "E = [[1, 1, 1],\n     [1, 1, 1],\n     [0, 0, 0]]\n"
                            "A = [[2, 0, 1],\n     [1, 1, 0],\n     [1, 1, 1]]\n"
                            "f = [\"t\", \"t^3\", \"sin(t)\"]\n"},
    {"Oscillator with an algebraic force", "# A mass on a spring; its force is an unknown of its own: index 1.\n"
                                           "E = [[1, 0, 0],\n     [0, 1, 0],\n     [0, 0, 0]]\n"
                                           "A = [[0, 1, 0],\n     [0, 0, 1],\n     [1, 0, 1]]\n"
                                           "x0 = [1, 0, -1]\nend = 6\n"},
    {"A nearly singular matrix", "# Is 1e-7 zero? Move the tolerance: below it the index is 0, above it 2.\n"
                                 "E = [[1.0, 0.0],\n     [0.0, 1e-7]]\n"
                                 "A = [[0.0, 1.0],\n     [1.0, 0.0]]\n"
                                 "x0 = [0, 0]\nend = 0.001\n"},
    {"A singular pencil", "# The second equation says nothing: x2 is free.\n"
                          "E = [[1, 0],\n     [0, 0]]\n"
                          "A = [[0, 1],\n     [0, 0]]\n"}};

pencil::LinearDae systemOf(const model::LinearDaeFile& file)
{
    pencil::LinearDae out;
    out.n = file.n;
    out.E = out.A = pencil::Matrix(file.n, file.n);
    const bool exact = file.exact() && file.n <= PencilWindow::kMostExact;
    for (std::size_t i = 0; i < file.E.size(); ++i) {
        out.E.values[i] = file.E[i].value;
        out.A.values[i] = file.A[i].value;
        if (exact) {
            out.exactE.push_back(file.E[i].fraction);
            out.exactA.push_back(file.A[i].fraction);
        }
    }
    out.f = file.f;
    out.x0 = file.x0;
    out.end = file.end;
    return out;
}

QString matrixText(const std::vector<double>& values, int n)
{
    QString out = QStringLiteral("[");
    for (int i = 0; i < n; ++i) {
        QStringList row;
        for (int j = 0; j < n; ++j) {
            QString number = numberText(values[static_cast<std::size_t>(i * n + j)] + 0.0, 17);
            if (!number.contains('.') && !number.contains('e'))
                number += QStringLiteral(".0");
            row << number;
        }
        out += (i ? QStringLiteral(",\n     [") : QStringLiteral("[")) + row.join(QStringLiteral(", ")) + ']';
    }
    return out + ']';
}

} // namespace

PencilWindow::PencilWindow(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme)
{
    setObjectName("pencilWindow");
    setWindowTitle(tr("Linear DAE laboratory"));
    resize(1120, 660);
    worker_.setMaxThreadCount(1);
    auto* split = new QSplitter(Qt::Horizontal);
    split->addWidget(makeLeft());
    split->addWidget(makeRight());
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 3);
    split->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(split);
    soon_.setSingleShot(true);
    soon_.setInterval(kTypingDelay);
    connect(&soon_, &QTimer::timeout, this, &PencilWindow::begin);
    setText(QString::fromUtf8(kExamples[0].text));
    text_->document()->clearUndoRedoStacks(); // there is nothing before it
}

PencilWindow::~PencilWindow()
{
    worker_.waitForDone(); // bounded by kMostUnknowns
}

QWidget* PencilWindow::makeLeft()
{
    auto* left = new QWidget;
    left->setProperty("role", "window");
    auto* layout = new QVBoxLayout(left);
    layout->setContentsMargins(12, 10, 8, 10);
    layout->setSpacing(6);
    auto* title = new QLabel(QStringLiteral("E ẋ = A x + f(t)"));
    title->setProperty("role", "heading");
    examples_ = new CalmCombo;
    examples_->setObjectName("pencilExamples");
    examples_->setAccessibleName(tr("Examples"));
    examples_->addItem(tr("Examples"));
    for (const Example& example : kExamples)
        examples_->addItem(QString::fromUtf8(example.title));
    connect(examples_, &QComboBox::activated, this, [this](int index) {
        if (index > 0)
            setText(QString::fromUtf8(kExamples[index - 1].text));
    });
    auto* top = new QHBoxLayout;
    top->addWidget(title);
    top->addStretch(1);
    top->addWidget(examples_);
    layout->addLayout(top);
    text_ = new QPlainTextEdit;
    text_->setObjectName("pencilText");
    text_->setAccessibleName(tr("E, A and f"));
    text_->setStyleSheet(QStringLiteral("font-family: \"%1\";").arg(fixedFamily()));
    text_->setTabChangesFocus(true);
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    connect(text_, &QPlainTextEdit::textChanged, this, &PencilWindow::ask);
    layout->addWidget(text_, 1);
    problem_ = new QLabel;
    problem_->setObjectName("pencilProblem");
    problem_->setProperty("role", "error");
    problem_->setWordWrap(true);
    layout->addWidget(problem_);
    auto* hint =
        new QLabel(tr("Integers and fractions in quotes (\"1/3\") are decided exactly, decimal numbers from singular values."));
    hint->setProperty("role", "secondary");
    hint->setWordWrap(true);
    layout->addWidget(hint);
    return left;
}

QWidget* PencilWindow::makeRight()
{
    auto* right = new QWidget;
    right->setProperty("role", "window");
    auto* layout = new QVBoxLayout(right);
    layout->setContentsMargins(8, 10, 12, 10);
    layout->setSpacing(6);
    verdict_ = new QLabel;
    verdict_->setObjectName("pencilVerdict");
    verdict_->setProperty("role", "heading");
    layout->addWidget(verdict_);
    auto* row = new QHBoxLayout;
    auto* name = new QLabel(tr("Rank tolerance"));
    slider_ = new QSlider(Qt::Horizontal);
    slider_->setObjectName("pencilTolerance");
    slider_->setAccessibleName(tr("Rank tolerance"));
    slider_->setToolTip(tr("Singular values below this, relative to the norm, count as zero; at the left end it is chosen, or "
                           "everything is decided exactly"));
    slider_->setRange(0, (kHighestDecade - kLowestDecade) * kPerDecade + 1);
    toleranceText_ = new QLabel;
    toleranceText_->setObjectName("pencilToleranceText");
    toleranceText_->setMinimumWidth(100);
    connect(slider_, &QSlider::valueChanged, this, &PencilWindow::ask);
    row->addWidget(name);
    row->addWidget(slider_, 1);
    row->addWidget(toleranceText_);
    layout->addLayout(row);
    gaps_ = new GapView;
    layout->addWidget(gaps_);
    page_ = new QTextBrowser;
    page_->setObjectName("pencilPage");
    page_->setAccessibleName(tr("What the system is"));
    page_->setFrameShape(QFrame::NoFrame);
    page_->setOpenLinks(false);
    layout->addWidget(page_, 1);
    auto* steps = new QHBoxLayout;
    back_ = new QPushButton(tr("Back"));
    back_->setObjectName("pencilBack");
    forward_ = new QPushButton(tr("Next step"));
    forward_->setObjectName("pencilForward");
    stepText_ = new QLabel;
    stepText_->setObjectName("pencilStepText");
    stepText_->setProperty("role", "secondary");
    connect(back_, &QPushButton::clicked, this, [this] { moveStep(-1); });
    connect(forward_, &QPushButton::clicked, this, [this] { moveStep(1); });
    for (QPushButton* button : {back_, forward_})
        button->setAutoDefault(false);
    steps->addWidget(stepText_, 1);
    steps->addWidget(back_);
    steps->addWidget(forward_);
    layout->addLayout(steps);
    solution_ = new SolutionView;
    solution_->setFixedHeight(solution_->sizeHint().height());
    layout->addWidget(solution_);
    return right;
}

void PencilWindow::setText(const QString& text)
{
    typeText(text);
    given_ = this->text();
}

void PencilWindow::typeText(const QString& text)
{
    step_ = 0;
    QTextCursor all(text_->document());
    all.select(QTextCursor::Document);
    all.insertText(text);
}

QString PencilWindow::text() const { return text_->toPlainText(); }

void PencilWindow::setTheme(const Theme& theme)
{
    theme_ = theme;
    rewrite();
}

double PencilWindow::tolerance() const
{
    const int position = slider_->value();
    return position == 0 ? 0 : std::pow(10.0, kLowestDecade + static_cast<double>(position - 1) / kPerDecade);
}

void PencilWindow::ask()
{
    ++asked_;
    toleranceText_->setText(slider_->value() == 0 ? tr("automatic") : figure(tolerance(), 2));
    soon_.start();
}

void PencilWindow::begin()
{
    if (busy_)
        return; // take() asks again
    model::LinearDaeLimits limits;
    limits.maxUnknowns = kMostUnknowns;
    const auto file = model::readLinearDae(text().toStdString(), "text", limits);
    if (!file) {
        say(&file.error());
        shown_ = asked_;
        emit analysed();
        return;
    }
    busy_ = true;
    const QPointer<PencilWindow> self(this);
    worker_.start([self, system = systemOf(*file), options = pencil::Options{tolerance()}, generation = asked_] {
        auto result = std::make_shared<Result<pencil::Analysis>>(pencil::analyse(system, options));
        // The window waits for this thread before it goes.
        QMetaObject::invokeMethod(
            self.data(),
            [self, generation, result] {
                if (self)
                    self->take(generation, result);
            },
            Qt::QueuedConnection);
    });
}

void PencilWindow::take(int generation, std::shared_ptr<Result<pencil::Analysis>> result)
{
    busy_ = false;
    if (generation != asked_) {
        begin();
        return;
    }
    shown_ = generation;
    if (*result) {
        analysis_ = std::move(**result);
        step_ = std::clamp(step_, 0, std::max(0, static_cast<int>(analysis_->steps.size())));
        say(nullptr);
    } else {
        say(&result->error());
    }
    emit analysed();
}

void PencilWindow::say(const Diagnostic* problem)
{
    problem_->setText(problem ? QString::fromStdString(problem->text()) : QString());
    markLine(*text_, problem ? problem->position.line : 0, theme_.error);
    if (problem)
        analysis_.reset();
    rewrite();
}

void PencilWindow::moveStep(int by)
{
    step_ += by;
    rewrite();
}

/// Steps are those of the reduction and, last, the Weierstrass form.
void PencilWindow::rewrite()
{
    gaps_->show(analysis_ ? analysis_->decisions : std::vector<pencil::RankDecision>{}, theme_);
    solution_->show(analysis_ ? analysis_->solution : std::nullopt, theme_);
    if (!analysis_) {
        verdict_->setText(tr("–"));
        page_->clear();
        stepText_->clear();
        back_->setEnabled(false);
        forward_->setEnabled(false);
        return;
    }
    const pencil::Analysis& a = *analysis_;
    const int steps = static_cast<int>(a.steps.size());
    const int last = a.regular ? steps : std::max(0, steps - 1);
    step_ = std::clamp(step_, 0, last);
    verdict_->setText(pencilVerdict(a));
    const bool form = a.regular && step_ == steps;
    const QString below = form ? pencilForm(a, theme_) : pencilStep(a, static_cast<std::size_t>(step_), theme_);
    const int down = page_->verticalScrollBar()->value();
    page_->setHtml(pencilFacts(a, theme_) + below);
    page_->verticalScrollBar()->setValue(down);
    const QString reduction = steps > 0 ? tr("Reduction, step %1 of %2").arg(step_).arg(steps - 1) : QString();
    stepText_->setText(form ? tr("Weierstrass form") : reduction);
    back_->setEnabled(step_ > 0);
    forward_->setEnabled(step_ < last);
}

QString PencilWindow::textOf(const run::LinearisedDae& linear, const QString& title)
{
    QString out =
        QStringLiteral("# %1\n# %2, linearised at t = %3: E d' = A d for the deviation d from the motion.\n")
            .arg(QString(title).replace('\n', ' '), QString::fromStdString(linear.formulation), numberText(linear.t, 8));
    if (!linear.note.empty())
        out += "# " + QString::fromStdString(linear.note) + '\n';
    for (int i = 0; i < linear.n(); ++i)
        out += QStringLiteral("# x%1 = %2, row: %3\n")
                   .arg(i + 1)
                   .arg(QString::fromStdString(linear.unknowns[static_cast<std::size_t>(i)]),
                        QString::fromStdString(linear.rows[static_cast<std::size_t>(i)]));
    QStringList deviation(linear.n(), QStringLiteral("0"));
    if (!deviation.isEmpty())
        deviation[0] = QStringLiteral("0.01");
    out += QStringLiteral("x0 = [%1]   # the consistent deviation nearest to this is followed\n")
               .arg(deviation.join(QStringLiteral(", ")));
    return out + QStringLiteral("E = %1\nA = %2\n").arg(matrixText(linear.E, linear.n()), matrixText(linear.A, linear.n()));
}

} // namespace driftless::ui
