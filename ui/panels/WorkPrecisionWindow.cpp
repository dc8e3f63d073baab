#include "ui/panels/WorkPrecisionWindow.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

#include "core/integrate/RungeKutta.h"
#include "core/study/RunData.h"
#include "core/system/Model.h"
#include "ui/document/NumberText.h"
#include "ui/panels/Controls.h"
#include "ui/panels/FormulationList.h"
#include "ui/panels/IntegratorList.h"

namespace driftless::ui {

namespace {

constexpr int kSoon = 250;          // [ms] from a change to the computation
constexpr double kLongestSpan = 10; // [s] that a window begins with; a reference of more takes long
constexpr int kLeftWidth = 296;
constexpr int kLeastMethods = 140; // [px] height of the list

QString words(const std::string& s) { return QString::fromStdString(s); }

const integrate::IntegratorInfo* methodOf(const run::RunSettings& settings)
{
    return integrate::findIntegrator(settings.integrator);
}

bool adaptive(const run::RunSettings& settings)
{
    const auto* method = methodOf(settings);
    return method && method->adaptive;
}

void add(std::string& text, const std::string& part) { text += part + '|'; }
void add(std::string& text, double value) { add(text, std::to_string(value) + '/' + numberText(value, 17).toStdString()); }

/// The settings without tolerance and step, which the points set.
std::string idOf(const run::RunSettings& s)
{
    std::string id;
    add(id, s.formulation);
    add(id, s.integrator);
    const auto& o = s.options;
    const auto ratio = [&](double t) {
        return o.relativeTolerance > 0 ? numberText(t / o.relativeTolerance).toStdString() : std::string("-");
    };
    if (adaptive(s)) {
        add(id, ratio(o.absoluteTolerance));
        add(id, ratio(o.multiplierTolerance));
    }
    for (const double x : {o.maxStep, o.minStep, o.parameter, double(o.minNewtonIterations)})
        add(id, x);
    for (const auto& [name, value] : s.gains) {
        add(id, name);
        add(id, value);
    }
    for (const auto& [name, value] : s.choices)
        add(id, name + '=' + value);
    for (const auto& name : s.pivot.dummies)
        add(id, s.pivot.automatic ? std::string() : name);
    return id;
}

QString settingText(const run::RunSettings& s)
{
    return adaptive(s) ? QObject::tr("tolerance %1").arg(figure(s.options.relativeTolerance))
                       : QObject::tr("h = %1 s").arg(figure(s.options.step));
}

} // namespace

WorkPrecisionWindow::WorkPrecisionWindow(Document& document, const Theme& theme, QWidget* parent)
    : QDialog(parent), document_(document), theme_(theme)
{
    setObjectName("workPrecisionWindow");
    setWindowTitle(tr("Work and precision"));
    setWindowFlag(Qt::WindowMaximizeButtonHint);
    resizeOnScreen(*this, {1120, 660});
    view_ = new WorkPrecisionView(theme_);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeLeft());
    layout->addWidget(view_, 1);
    soon_.setSingleShot(true);
    soon_.setInterval(kSoon);
    connect(&soon_, &QTimer::timeout, this, &WorkPrecisionWindow::refresh);
    const auto changed = [this] {
        if (isVisible())
            soon_.start();
    };
    connect(&document_, &Document::benchChanged, this, changed);
    connect(&document_, &Document::runsChanged, this, changed);
    connect(&document_, &Document::settingsChanged, this, changed);
    connect(&document_, &Document::parametersChanged, this, changed);
    connect(references_, &QComboBox::activated, this, changed);
    connect(forms_, &QComboBox::activated, this, changed);
    connect(span_, &NumberField::entered, this, [this, changed](double value) {
        notTaken_ = value > 0 ? QString() : tr("The span has to be above zero.");
        changed();
    });
    connect(span_, &NumberField::notANumber, this, [this](const QString& typed) {
        notTaken_ = words(noNumber(typed, "span").text());
        showAll();
    });
    connect(methods_, &QListWidget::itemChanged, this, changed);
    for (CalmCombo* combo : {groups_, measures_})
        connect(combo, &QComboBox::currentIndexChanged, this, &WorkPrecisionWindow::showAll);
    connect(view_, &WorkPrecisionView::clicked, this, &WorkPrecisionWindow::use);
}

WorkPrecisionWindow::~WorkPrecisionWindow() = default;

QWidget* WorkPrecisionWindow::makeLeft()
{
    auto* content = new QWidget;
    content->setProperty("role", "window");
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(12, 10, 12, 0);
    layout->setSpacing(8);
    auto* form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->setSpacing(6);
    const auto combo = [](const char* name, const QString& accessible) {
        auto* made = new CalmCombo;
        made->setObjectName(name);
        made->setAccessibleName(accessible);
        made->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        made->setMinimumContentsLength(8);
        return made;
    };
    measures_ = combo("workMeasure", tr("Work"));
    for (const auto measure :
         {study::WorkMeasure::Residuals, study::WorkMeasure::Jacobians, study::WorkMeasure::Steps, study::WorkMeasure::Seconds})
        measures_->addItem(words(study::workMeasureName(measure)), static_cast<int>(measure));
    measures_->setItemData(3, tr("Processor time of the run, its recording and monitors included; it is not the same twice."),
                           Qt::ToolTipRole);
    groups_ = combo("errorGroup", tr("Error"));
    groups_->addItem(tr("positions"), static_cast<int>(study::ErrorGroup::Positions));
    groups_->addItem(tr("velocities"), static_cast<int>(study::ErrorGroup::Velocities));
    groups_->addItem(tr("multipliers, algebraic"), static_cast<int>(study::ErrorGroup::Others));
    groups_->setToolTip(tr("Largest |x − r| / (1 + |r|) of these components at the end of the span"));
    span_ = new NumberField;
    span_->setObjectName("workSpan");
    span_->setAccessibleName(tr("Span in seconds"));
    span_->setToolTip(tr("From the start of the runs, in seconds; the error is that at its end"));
    references_ = combo("workReference", tr("Reference"));
    references_->setToolTip(tr("Computed first at 1e-12, and again at 1e-11: the difference says how certain it is"));
    forms_ = combo("workForm", tr("Formulation of the methods below"));
    listFormulations(*forms_);
    form->addRow(tr("Work"), measures_);
    form->addRow(tr("Error of"), groups_);
    form->addRow(tr("Span [s]"), span_);
    form->addRow(tr("Reference"), references_);
    layout->addLayout(form);
    auto* more = new QLabel(tr("Beside the runs, in this formulation:"));
    more->setProperty("role", "secondary");
    more->setWordWrap(true);
    layout->addWidget(more);
    layout->addWidget(forms_);
    methods_ = new QListWidget;
    methods_->setObjectName("workMethods");
    methods_->setProperty("part", "checks");
    methods_->setAccessibleName(tr("Methods to compare"));
    methods_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    methods_->setMinimumHeight(kLeastMethods);
    listMethods();
    layout->addWidget(methods_, 1);
    refusals_ = new QLabel;
    refusals_->setObjectName("workRefusals");
    refusals_->setProperty("role", "secondary");
    refusals_->setWordWrap(true);
    refusals_->hide();
    layout->addWidget(refusals_);
    state_ = new QLabel;
    state_->setObjectName("workState");
    state_->setWordWrap(true);
    layout->addWidget(state_);
    auto* scroll = new QScrollArea; // in a low window and in large type
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(content);
    auto* left = new QWidget;
    left->setProperty("role", "window");
    left->setFixedWidth(kLeftWidth);
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(scroll, 1);
    column->addWidget(makeButtons());
    return left;
}

/// In sight however low the window is.
QWidget* WorkPrecisionWindow::makeButtons()
{
    cancel_ = new QPushButton(tr("Cancel"));
    cancel_->setObjectName("workCancel");
    connect(cancel_, &QPushButton::clicked, this, [this] {
        if (!worker_)
            return again();
        cancel();
        showAll();
    });
    export_ = new QPushButton(tr("Export…"));
    export_->setObjectName("workExport");
    connect(export_, &QPushButton::clicked, this, &WorkPrecisionWindow::askExport);
    auto* row = new QWidget;
    auto* buttons = new QHBoxLayout(row);
    buttons->setContentsMargins(12, 8, 12, 10);
    buttons->addWidget(cancel_);
    buttons->addWidget(export_);
    for (QPushButton* button : {cancel_, export_})
        button->setAutoDefault(false); // Return belongs to the field
    return row;
}

void WorkPrecisionWindow::listMethods()
{
    const QSignalBlocker quiet(methods_);
    QString group;
    const auto add = [&](const integrate::IntegratorInfo& info, const QString& of) {
        if (!methods_->findItems(words(info.id), Qt::MatchExactly).isEmpty())
            return;
        if (group != of && methods_->findItems(of, Qt::MatchExactly).isEmpty())
            (new QListWidgetItem(of, methods_))->setFlags(Qt::NoItemFlags);
        group = of;
        auto* item = new QListWidgetItem(words(info.id), methods_);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable | Qt::ItemIsSelectable);
        item->setCheckState(Qt::Unchecked);
        item->setToolTip(integratorTip(info));
    };
    for (const auto& info : integrate::integratorCatalogue())
        add(info, words(std::string(integrate::familyName(info.family))));
    for (const auto& method : integrate::ownMethods())
        add(method->info, tr("your own"));
}

void WorkPrecisionWindow::setTheme(const Theme& theme)
{
    theme_ = theme;
    view_->setTheme(theme);
}

void WorkPrecisionWindow::setPicked(const QString& method, bool picked)
{
    for (auto* item : methods_->findItems(method, Qt::MatchExactly))
        if (item->flags() & Qt::ItemIsUserCheckable)
            item->setCheckState(picked ? Qt::Checked : Qt::Unchecked);
}

study::ErrorGroup WorkPrecisionWindow::group() const { return static_cast<study::ErrorGroup>(groups_->currentData().toInt()); }
study::WorkMeasure WorkPrecisionWindow::measure() const
{
    return static_cast<study::WorkMeasure>(measures_->currentData().toInt());
}

// --- what is computed ---

/// Run cards first, in their colours; picked methods take the styles that are left.
std::vector<WorkPrecisionWindow::Wanted> WorkPrecisionWindow::wanted() const
{
    std::vector<Wanted> all;
    std::vector<int> styles;
    const auto known = [&](const std::string& id) {
        return std::any_of(all.begin(), all.end(), [&](const Wanted& w) { return w.id == id; });
    };
    for (const RunEntry& run : document_.runs()) {
        const auto settings = document_.status(run.key).settings;
        const std::string id = idOf(settings);
        if (known(id))
            continue;
        all.push_back({id, tr("%1: %2, %3").arg(run.name, words(settings.formulation), words(settings.integrator)), run.colour,
                       run.key, settings});
        styles.push_back(run.colour);
    }
    const auto& defaults = document_.compiled().model().run;
    int style = 0;
    for (int row = 0; row < methods_->count(); ++row) {
        const auto* item = methods_->item(row);
        if (!(item->flags() & Qt::ItemIsUserCheckable) || item->checkState() != Qt::Checked)
            continue;
        run::RunSettings settings;
        settings.formulation = forms_->currentData().toString().toStdString();
        settings.integrator = item->text().toStdString();
        settings.options.step = adaptive(settings) ? defaults.firstStep.value_or(0) : settings.options.step;
        settings.options.maxStep = defaults.maxStep.value_or(0);
        settings.options.relativeTolerance = defaults.relativeTolerance.value_or(settings.options.relativeTolerance);
        settings.options.absoluteTolerance = defaults.absoluteTolerance.value_or(0); // by the nominal sizes
        const std::string id = idOf(settings);
        if (known(id))
            continue;
        while (std::find(styles.begin(), styles.end(), style) != styles.end())
            ++style;
        all.push_back({id, tr("%1, %2").arg(words(settings.formulation), item->text()), style, -1, settings});
        styles.push_back(style);
    }
    return all;
}

std::string WorkPrecisionWindow::context() const
{
    std::string text;
    add(text, QString::number(reinterpret_cast<quintptr>(document_.bench().compiledHandle().get()), 16).toStdString());
    const run::StartSettings start = document_.bench().startSettings();
    for (const auto* values : {&start.parameters, &start.values})
        for (const auto& [name, value] : *values) {
            add(text, name);
            add(text, value);
        }
    const char* metric = start.massMetric ? "mass" : "";
    add(text, start.allowInconsistent ? "as it stands" : metric);
    if (start.fixed)
        for (const auto& name : *start.fixed)
            add(text, "fixed " + name);
    add(text, span_->value());
    add(text, std::to_string(references_->currentIndex()));
    return text;
}

study::WorkPrecisionRequest WorkPrecisionWindow::request() const
{
    study::WorkPrecisionRequest request;
    request.system = document_.bench().compiledHandle();
    request.start = document_.bench().startSettings();
    request.span = span_->value();
    const auto candidates = study::referenceCandidates(*request.system);
    if (const auto chosen = static_cast<std::size_t>(references_->currentIndex()); chosen > 0 && chosen <= candidates.size())
        request.references = {candidates[chosen - 1]};
    return request;
}

void WorkPrecisionWindow::refresh()
{
    retire();
    if (!document_.hasModel() || !isVisible())
        return;
    const auto candidates = study::referenceCandidates(document_.compiled());
    QStringList names{tr("chosen for the model")};
    for (const auto& c : candidates)
        names << tr("%1, %2").arg(words(c.formulation), words(c.integrator));
    QStringList present;
    for (int i = 0; i < references_->count(); ++i)
        present << references_->itemText(i);
    if (names != present) { // another model, or the first one
        references_->clear();
        references_->addItems(names);
        span_->setValue(std::min(kLongestSpan, document_.compiled().model().run.end));
        if (const RunEntry* selected = document_.find(document_.bench().selected()))
            forms_->setCurrentIndex(std::max(0, forms_->findData(words(document_.status(selected->key).settings.formulation))));
    }
    if (!(span_->value() > 0) || !std::isfinite(span_->value()))
        span_->setValue(kLongestSpan);
    shown_ = wanted();
    const std::string context = this->context();
    std::string asked = context;
    for (const Wanted& w : shown_)
        asked += w.id + '\n';
    if (asked == asked_) {
        showAll(); // names and colours may have changed
        return;
    }
    asked_ = asked;
    cancel();
    cancelled_ = false;
    if (context != context_) {
        context_ = context;
        points_.clear();
        reference_.reset();
    }
    std::vector<Wanted> missing;
    for (const Wanted& w : shown_)
        if (Points& have = points_[w.id]; !have.complete) {
            have.points.clear();
            missing.push_back(w);
        }
    if (!missing.empty())
        start(missing);
    showAll();
}

void WorkPrecisionWindow::start(const std::vector<Wanted>& missing)
{
    study::WorkPrecisionRequest request = this->request();
    request.known = reference_;
    std::vector<std::string> ids;
    for (const Wanted& w : missing) {
        request.methods.push_back(w.settings);
        ids.push_back(w.id);
    }
    noReference_.reset();
    const quint64 generation = ++generation_;
    const auto post = [this, generation](auto act) {
        QMetaObject::invokeMethod(
            this,
            [this, generation, act = std::move(act)] {
                if (generation == generation_) // else it has been overtaken
                    act();
            },
            Qt::QueuedConnection);
    };
    study::WorkPrecisionSink sink;
    sink.reference = [this, post](const Result<study::ReferenceSolution>& reference) {
        post([this, reference] { took(reference); });
    };
    sink.point = [this, post, ids](const study::WorkPrecisionPoint& point) {
        post([this, id = ids[point.method], point] { took(id, point); });
    };
    worker_ = std::make_unique<study::WorkPrecisionWorker>(std::move(request), std::move(sink),
                                                           [this, post] { post([this] { done(); }); });
}

/// At once: what is under way is left within a step and nobody waits for it.
void WorkPrecisionWindow::cancel()
{
    if (!worker_)
        return;
    ++generation_;
    worker_->cancel();
    retired_.push_back(std::move(worker_));
    retire();
    cancelled_ = true;
}

void WorkPrecisionWindow::retire()
{
    std::erase_if(retired_, [](const auto& worker) { return worker->finished(); });
}

void WorkPrecisionWindow::again()
{
    asked_.clear();
    context_.clear();
    refresh();
}

void WorkPrecisionWindow::took(const Result<study::ReferenceSolution>& reference)
{
    if (reference)
        reference_ = *reference;
    else
        noReference_ = reference.error();
    showAll();
}

void WorkPrecisionWindow::took(const std::string& id, study::WorkPrecisionPoint point)
{
    points_[id].points.push_back(std::move(point));
    showAll();
}

void WorkPrecisionWindow::done()
{
    for (const Wanted& w : shown_)
        points_[w.id].complete = reference_.has_value();
    retired_.push_back(std::move(worker_));
    retire();
    showAll();
}

void WorkPrecisionWindow::showEvent(QShowEvent* event)
{
    QDialog::showEvent(event);
    soon_.start(0);
}

void WorkPrecisionWindow::hideEvent(QHideEvent* event)
{
    cancel();
    asked_.clear(); // what is missing is computed when it is shown again
    QDialog::hideEvent(event);
}

void WorkPrecisionWindow::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::ActivationChange && isActiveWindow())
        listMethods(); // some of one's own may have been added
    QDialog::changeEvent(event);
}

// --- what is shown ---

WorkPrecisionMark WorkPrecisionWindow::markOf(const Wanted& curve, const study::WorkPrecisionPoint& point) const
{
    WorkPrecisionMark mark{point.amount(measure()),
                           point.failure ? std::numeric_limits<double>::quiet_NaN()
                                         : point.error[static_cast<std::size_t>(group())],
                           {}};
    QStringList lines{QStringLiteral("<b>%1</b>").arg(curve.name.toHtmlEscaped()), settingText(point.settings)};
    if (point.failure) {
        lines << tr("failed at t = %1 s").arg(figure(point.reached)) << words(point.failure->what).toHtmlEscaped();
        if (!point.failure->why.empty())
            lines << words(point.failure->why).toHtmlEscaped();
    } else {
        lines << tr("error: positions %1, velocities %2, others %3")
                     .arg(figure(point.error[0]), figure(point.error[1]), figure(point.error[2]));
    }
    lines << tr("%1 residual evaluations, %2 Jacobians").arg(point.work.residualEvaluations).arg(point.work.jacobianEvaluations)
          << tr("%1 steps, %2 rejected, %3 s").arg(point.work.steps).arg(point.work.rejected).arg(figure(point.seconds));
    if (!point.failure)
        lines << tr("<i>Click: %1</i>").arg(curve.run >= 0 ? tr("the run takes this setting") : tr("adds this as a run"));
    mark.tip = QStringLiteral("<p>") + lines.join(QStringLiteral("<br>")) + QStringLiteral("</p>");
    return mark;
}

void WorkPrecisionWindow::showAll()
{
    WorkPrecisionData diagram;
    diagram.work = measures_->currentText();
    diagram.error = tr("error of %1 at t = %2 s").arg(groups_->currentText(), figure(span_->value()));
    places_.clear();
    QStringList refused, reasons;
    for (std::size_t shown = 0; shown < shown_.size(); ++shown) {
        const Wanted& w = shown_[shown];
        WorkPrecisionCurve curve{w.name, w.style, 0, {}};
        const auto* method = methodOf(w.settings);
        curve.order = method ? method->order : 0;
        Places places{shown, {}};
        const auto found = points_.find(w.id);
        const std::size_t refusedBefore = static_cast<std::size_t>(refused.size());
        for (std::size_t i = 0; found != points_.end() && i < found->second.points.size(); ++i) {
            const auto& point = found->second.points[i];
            if (point.refused()) {
                refused << words(point.failure->what);
                reasons << w.name + QStringLiteral(": ") + words(point.failure->text());
            } else if (point.failure || !std::isnan(point.error[static_cast<std::size_t>(group())])) {
                curve.marks.push_back(markOf(w, point));
                places.points.push_back(i);
            }
        }
        if (static_cast<std::size_t>(refused.size()) > refusedBefore)
            continue; // said below the list, not drawn
        diagram.curves.push_back(std::move(curve));
        places_.push_back(std::move(places));
    }
    if (reference_)
        diagram.uncertainty = reference_->uncertainty[static_cast<std::size_t>(group())];
    if (std::isnan(diagram.uncertainty))
        diagram.uncertainty = 0;
    const bool any = std::any_of(diagram.curves.begin(), diagram.curves.end(), [](const auto& c) { return !c.marks.empty(); });
    if (!any)
        diagram.empty = whyEmpty();
    view_->setData(std::move(diagram));
    if (!notTaken_.isEmpty())
        refused.prepend(notTaken_);
    refusals_->setText(refused.join('\n'));
    refusals_->setToolTip(reasons.join('\n'));
    refusals_->setVisible(!refused.isEmpty());
    say();
}

QString WorkPrecisionWindow::whyEmpty() const
{
    if (noReference_)
        return words(noReference_->text());
    if (shown_.empty())
        return tr("Add a run, or pick a method from the list.");
    if (worker_ && reference_)
        return tr("The first points are on their way.");
    if (worker_)
        return tr("The reference solution is computed first.");
    return cancelled_ ? tr("Cancelled.") : tr("The model has no such component, or every run failed.");
}

void WorkPrecisionWindow::say()
{
    std::size_t points = 0;
    for (const Wanted& w : shown_)
        if (const auto found = points_.find(w.id); found != points_.end())
            points += found->second.points.size();
    QString text;
    if (reference_)
        text = tr("Reference: %1, %2 at %3, certain to %4. ")
                   .arg(words(reference_->settings.formulation), words(reference_->settings.integrator),
                        figure(reference_->tolerance),
                        figure(*std::max_element(reference_->uncertainty.begin(), reference_->uncertainty.end(),
                                                 [](double a, double b) { return !(a >= b) && !std::isnan(b); })));
    const QString count = points == 1 ? tr("One point") : tr("%1 points").arg(points);
    const QString ended = cancelled_ ? tr("Cancelled; %1.").arg(count.toLower()) : count + '.';
    text += worker_ ? tr("%1, computing…").arg(count) : ended;
    state_->setText(text);
    cancel_->setText(worker_ ? tr("Cancel") : tr("Compute again"));
    export_->setEnabled(points > 0);
}

/// The setting of a point becomes that of its run, or a run of its own.
void WorkPrecisionWindow::use(int curve, int mark)
{
    if (curve < 0 || curve >= static_cast<int>(places_.size()))
        return;
    const Wanted& w = shown_[places_[static_cast<std::size_t>(curve)].shown];
    const auto& places = places_[static_cast<std::size_t>(curve)].points;
    const auto found = points_.find(w.id);
    if (mark < 0 || mark >= static_cast<int>(places.size()) || found == points_.end())
        return;
    const auto& point = found->second.points[places[static_cast<std::size_t>(mark)]];
    if (point.failure)
        return;
    if (w.run >= 0 && document_.find(w.run))
        document_.control().setOptions(w.run, point.settings.options);
    else
        document_.control().addRun(point.settings);
}

} // namespace driftless::ui
