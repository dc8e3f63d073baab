#include "ui/panels/Laboratories.h"

#include <QElapsedTimer>
#include <QTimer>

#include "core/integrate/Integrator.h"
#include "core/pencil/Pencil.h"
#include "core/run/Linearise.h"
#include "ui/panels/MethodWindow.h"
#include "ui/panels/PencilWindow.h"
#include "ui/panels/WorkPrecisionWindow.h"

namespace driftless::ui {

namespace {

constexpr QLatin1String kPencilText("linear"), kMethodText("methods"); ///< names of what is typed there

void bringForward(QWidget& shown)
{
    shown.show();
    shown.raise();
    shown.activateWindow();
}

} // namespace

Laboratories::Laboratories(Document& document, QWidget& window) : QObject(&window), document_(document), window_(window) {}

void Laboratories::setTheme(const Theme& theme)
{
    theme_ = theme;
    if (pencil_)
        pencil_->setTheme(theme);
    if (methods_)
        methods_->setTheme(theme);
    if (precision_)
        precision_->setTheme(theme);
}

PencilWindow& Laboratories::pencil()
{
    if (!pencil_) {
        pencil_ = new PencilWindow(theme_, &window_);
        pencil_->hide();
    }
    return *pencil_;
}

void Laboratories::lineariseHere()
{
    const RunEntry* entry = document_.hasModel() ? document_.find(document_.bench().selected()) : nullptr;
    if (!entry) {
        emit refused({.what = "There is nothing to linearise", .why = "there is no run", .remedy = "add a run first"});
        return;
    }
    const auto& laboratory = document_.laboratory();
    const double t = laboratory.clock().t;
    const auto linear =
        run::linearise(document_.bench().compiledHandle(), document_.shown(entry->key), laboratory.recording(entry->id), t);
    if (!linear) {
        emit refused(linear.error());
        return;
    }
    if (linear->n() > PencilWindow::kMostUnknowns) {
        emit refused({.what = "The run has too many unknowns to linearise in the window",
                      .why = std::to_string(linear->n()) + ", at most " + std::to_string(PencilWindow::kMostUnknowns)
                             + " are analysed while one types",
                      .remedy = "driftless pencil MODEL --time T"});
        return;
    }
    const auto& model = document_.compiled().model();
    pencil().setText(PencilWindow::textOf(*linear, QString::fromStdString(model.title.empty() ? model.name : model.title)));
    emit pencilAsked();
}

MethodWindow& Laboratories::methods()
{
    if (!methods_)
        makeMethods();
    return *methods_;
}

void Laboratories::makeMethods()
{
    constexpr int kInterval = 300;  // [ms] between looks at the run
    constexpr int kMostEffort = 30; // [ms] that a look may take to be repeated
    methods_ = new MethodWindow(theme_, &window_);
    methods_->hide();
    if (const RunEntry* entry = document_.hasModel() ? document_.find(document_.bench().selected()) : nullptr) {
        const auto settings = document_.shown(entry->key).settings;
        methods_->showMethod(QString::fromStdString(settings.integrator), settings.options.parameter);
    }
    connect(methods_, &MethodWindow::wanted, this, [this](const QString& id, double parameter) {
        const int key = document_.hasModel() ? document_.bench().selected() : -1;
        if (!document_.find(key) || !document_.control().setIntegrator(key, id) || parameter == 0)
            return;
        auto options = document_.shown(key).settings.options;
        options.parameter = parameter;
        document_.control().setOptions(key, options);
    });
    auto* timer = new QTimer(methods_);
    connect(timer, &QTimer::timeout, this, [this, timer] {
        if (!methods_->isVisible())
            return;
        QElapsedTimer effort;
        effort.start();
        showEigenvalues();
        if (effort.elapsed() > kMostEffort)
            timer->stop();
    });
    showEigenvalues();
    timer->start(kInterval);
}

/// It stays when it is closed, so that a computation that is on its way out need not be waited for.
QStringList Laboratories::typed() const
{
    QStringList out;
    if (pencil_ && pencil_->isEdited())
        out << tr("the text of the linear laboratory");
    if (methods_ && methods_->isEdited())
        out << tr("the tableau under Methods");
    return out;
}

QJsonObject Laboratories::typedTexts() const
{
    QJsonObject out;
    if (pencil_ && pencil_->isEdited())
        out[kPencilText] = pencil_->text();
    if (methods_ && methods_->isEdited())
        out[kMethodText] = methods_->text();
    return out;
}

void Laboratories::typeTexts(const QJsonObject& texts)
{
    if (const QJsonValue text = texts.value(kPencilText); text.isString())
        pencil().typeText(text.toString());
    if (const QJsonValue text = texts.value(kMethodText); text.isString())
        methods().typeText(text.toString());
}

void Laboratories::openPrecision()
{
    if (!precision_) {
        precision_ = new WorkPrecisionWindow(document_, theme_, &window_);
        connect(precision_, &WorkPrecisionWindow::problem, this, &Laboratories::refused);
    }
    bringForward(*precision_);
}

/// Those of the selected run where the clock stands, times the step that it takes.
void Laboratories::showEigenvalues()
{
    std::vector<std::complex<double>> values;
    double step = 0;
    QString whose;
    if (const RunEntry* entry = document_.hasModel() ? document_.find(document_.bench().selected()) : nullptr) {
        const auto& laboratory = document_.laboratory();
        const auto status = document_.shown(entry->key);
        const auto linear =
            run::linearise(document_.bench().compiledHandle(), status, laboratory.recording(entry->id), laboratory.clock().t);
        const auto* method = integrate::findIntegrator(status.settings.integrator);
        step = method && !method->adaptive ? status.settings.options.step : status.stepSize;
        whose = entry->name;
        if (linear && linear->n() <= PencilWindow::kMostUnknowns && step > 0) {
            pencil::LinearDae system;
            system.n = linear->n();
            system.E = system.A = pencil::Matrix(system.n, system.n);
            system.E.values = linear->E;
            system.A.values = linear->A;
            system.f.assign(static_cast<std::size_t>(system.n), expr::Expr(0));
            if (const auto analysis = pencil::analyse(system); analysis && analysis->regular)
                for (const auto& [re, im] : analysis->eigenvalues)
                    values.emplace_back(re, im);
        }
    }
    methods_->setEigenvalues(values, step, whose);
}

} // namespace driftless::ui
