// The linear DAE laboratory, that of methods and the work-precision diagram beside the window, and the selected run linearised
// into them.
#include <QAction>
#include <QElapsedTimer>
#include <QTimer>

#include "core/integrate/Integrator.h"
#include "core/pencil/Pencil.h"
#include "core/run/Linearise.h"
#include "ui/panels/MainWindow.h"
#include "ui/panels/MessageCard.h"
#include "ui/panels/MethodWindow.h"
#include "ui/panels/PencilWindow.h"
#include "ui/panels/WorkPrecisionWindow.h"

namespace driftless::ui {

void MainWindow::makePencilActions()
{
    actions_.lineariseHere = action(tr("Linearise the selected run here"), Qt::CTRL | Qt::SHIFT | Qt::Key_L, "lineariseHere",
                                    [this] { lineariseHere(); });
    actions_.methods = action(tr("Method laboratory…"), Qt::CTRL | Qt::Key_M, "methods", [this] { openMethods(); });
    actions_.precision = action(tr("Work and precision…"), Qt::CTRL | Qt::Key_P, "precision", [this] { openPrecision(); });
    actions_.pencil = action(tr("Linear DAE laboratory…"), Qt::CTRL | Qt::Key_L, "pencil", [this] { openPencil(); });
}

PencilWindow& MainWindow::openPencil()
{
    if (!pencil_) {
        pencil_ = new PencilWindow(dark_ ? Theme::darkTheme() : Theme::light(), this);
        pencil_->setAttribute(Qt::WA_DeleteOnClose);
    }
    pencil_->show();
    pencil_->raise();
    pencil_->activateWindow();
    return *pencil_;
}

void MainWindow::lineariseHere()
{
    const RunEntry* entry = document_.hasModel() ? document_.find(document_.bench().selected()) : nullptr;
    if (!entry) {
        card_->say({.what = "There is nothing to linearise", .why = "there is no run", .remedy = "add a run first"});
        return;
    }
    const auto& laboratory = document_.laboratory();
    const double t = laboratory.clock().t;
    const auto linear =
        run::linearise(document_.bench().compiledHandle(), document_.status(entry->key), laboratory.recording(entry->id), t);
    if (!linear) {
        card_->say(linear.error());
        return;
    }
    if (linear->n() > PencilWindow::kMostUnknowns) {
        card_->say({.what = "The run has too many unknowns to linearise in the window",
                    .why = std::to_string(linear->n()) + ", at most " + std::to_string(PencilWindow::kMostUnknowns)
                           + " are analysed while one types",
                    .remedy = "driftless pencil MODEL --time T"});
        return;
    }
    const auto& model = document_.compiled().model();
    openPencil().setText(PencilWindow::textOf(*linear, QString::fromStdString(model.title.empty() ? model.name : model.title)));
}

MethodWindow& MainWindow::openMethods()
{
    constexpr int kInterval = 300;  // [ms] between looks at the run
    constexpr int kMostEffort = 30; // [ms] that a look may take to be repeated
    if (!methods_) {
        methods_ = new MethodWindow(dark_ ? Theme::darkTheme() : Theme::light(), this);
        methods_->setAttribute(Qt::WA_DeleteOnClose);
        if (const RunEntry* entry = document_.hasModel() ? document_.find(document_.bench().selected()) : nullptr) {
            const auto settings = document_.status(entry->key).settings;
            methods_->showMethod(QString::fromStdString(settings.integrator), settings.options.parameter);
        }
        connect(methods_, &MethodWindow::wanted, this, [this](const QString& id, double parameter) {
            const int key = document_.hasModel() ? document_.bench().selected() : -1;
            if (!document_.find(key) || !document_.control().setIntegrator(key, id) || parameter == 0)
                return;
            auto options = document_.status(key).settings.options;
            options.parameter = parameter;
            document_.control().setOptions(key, options);
        });
        auto* timer = new QTimer(methods_);
        connect(timer, &QTimer::timeout, this, [this, timer] {
            QElapsedTimer effort;
            effort.start();
            showEigenvalues();
            if (effort.elapsed() > kMostEffort)
                timer->stop();
        });
        showEigenvalues();
        timer->start(kInterval);
    }
    methods_->show();
    methods_->raise();
    methods_->activateWindow();
    return *methods_;
}

/// It stays when it is closed, so that a computation that is on its way out need not be waited for.
WorkPrecisionWindow& MainWindow::openPrecision()
{
    if (!precision_) {
        precision_ = new WorkPrecisionWindow(document_, dark_ ? Theme::darkTheme() : Theme::light(), this);
        connect(precision_, &WorkPrecisionWindow::problem, this,
                [this](const Diagnostic& diagnostic) { card_->say(diagnostic); });
    }
    precision_->show();
    precision_->raise();
    precision_->activateWindow();
    return *precision_;
}

/// Those of the selected run where the clock stands, times the step that it takes.
void MainWindow::showEigenvalues()
{
    std::vector<std::complex<double>> values;
    double step = 0;
    QString whose;
    if (const RunEntry* entry = document_.hasModel() ? document_.find(document_.bench().selected()) : nullptr) {
        const auto& laboratory = document_.laboratory();
        const auto status = document_.status(entry->key);
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
