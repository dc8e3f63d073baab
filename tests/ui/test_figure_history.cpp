// What a figure says of the past of its runs: a curve is of every step, tolerance, gain and form that held in the time shown,
// and of what was moved by hand in it. A caption that tells the last of them alone blames the wrong one.
#include <QtTest>

#include <QTemporaryDir>

#include "tests/ui/WindowFixture.h"
#include "ui/figures/MathText.h"
#include "ui/panels/Exports.h"
#include "ui/views/FigureHistory.h"

using namespace driftless;
using namespace driftless::ui;
using driftless::ui::test::Fixture;

namespace {

run::Regime regime(double from, const char* form, const char* method, double step = 0.01)
{
    run::Regime out{.from = from};
    out.settings.formulation = form;
    out.settings.integrator = method;
    out.settings.options.step = step;
    out.settings.options.relativeTolerance = out.settings.options.absoluteTolerance = 1e-8;
    return out;
}

/// A run whose state jumps at 5 s, and comes back to what it was at 7 s: two rows at each of these times.
ExportRun historyRun(std::vector<run::Regime> regimes)
{
    run::Recording recording(1, 0, {{"bob.x", "m", run::ColumnKind::Position}, {"bob.x'", "m/s", run::ColumnKind::Velocity}});
    for (const auto& [t, x] : {std::pair{0.0, 1.0}, {5.0, 1.0}, {5.0, 0.5}, {7.0, 0.5}, {7.0, 0.5}, {50.0, 0.4}}) {
        const double row[] = {x, 0};
        recording.append(t, row);
    }
    ExportRun out;
    out.plot = {0, "Run 1", recording.view()};
    out.settings = regimes.back().settings;
    out.regimes = std::move(regimes);
    return out;
}

QString captionOver(const ExportRequest& request, double t0, double t1)
{
    ExportRequest over = request;
    over.t0 = t0;
    over.t1 = t1;
    over.plots = {PlotSpec{}};
    return figures::toPlainText(composeFigure(over).caption);
}

QString captionOf(std::vector<run::Regime> regimes, double t0 = 0, double t1 = 50)
{
    ExportRequest request;
    request.model = "Pendulum";
    request.runs = {historyRun(std::move(regimes))};
    return captionOver(request, t0, t1);
}

} // namespace

class TestFigureHistory : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    /// The caption of what is on screen, as a file has it.
    QString written(Fixture& f)
    {
        const QString kept = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES");
        const auto base = f.window.exports().now(kept.isEmpty() ? folder_.path() : kept);
        QFile file(base ? *base + ".txt" : QString());
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }

private slots:
    void anEarlierStepIsSaidWithItsTime()
    {
        const std::vector<run::Regime> changed{regime(0, "index-1", "rk4", 0.2), regime(4.6, "index-1", "rk4", 0.01)};
        const QString whole = captionOf(changed);
        QVERIFY2(whole.contains("Run 1: index-1 · rk4, h = 0.01 s (0.2 s until 4.6 s)"), qPrintable(whole));
        // Before and behind the change one step alone held.
        const QString before = captionOf(changed, 0, 4), behind = captionOf(changed, 5, 6);
        QVERIFY2(before.contains("rk4, h = 0.2 s") && !before.contains("until"), qPrintable(before));
        QVERIFY2(behind.contains("rk4, h = 0.01 s") && !behind.contains("until"), qPrintable(behind));
    }

    void earlierTolerancesAreSaidOverAChangeOfForm()
    {
        auto looser = regime(12.1, "index-1", "ida");
        looser.settings.options.relativeTolerance = 1e-3;
        const QString caption =
            captionOf({regime(0, "dummy-derivatives", "ida"), regime(9.678, "index-1", "ida"), std::move(looser)});
        QVERIFY2(caption.contains("dummy-derivatives · ida until 9.678 s, then index-1 · ida, rtol 0.001 (10⁻⁸ until 12.1 s), "
                                  "atol 10⁻⁸"),
                 qPrintable(caption));
        // Numbers that do not go on are said with their form.
        const QString other = captionOf({regime(0, "index-1", "rk4", 0.2), regime(9, "index-1", "ida")});
        QVERIFY2(other.contains("index-1 · rk4, h = 0.2 s until 9 s, then index-1 · ida, rtol 10⁻⁸"), qPrintable(other));
    }

    void earlierGainsChoicesPivotsAndParametersOfAMethodAreSaid()
    {
        auto gain = regime(0, "baumgarte", "ida"), other = regime(3.5, "baumgarte", "ida");
        gain.settings.gains["omega"] = 5;
        other.settings.gains["omega"] = 15;
        QVERIFY(captionOf({gain, other}).contains("baumgarte, omega = 15 (5 until 3.5 s) · ida"));

        auto basis = regime(3.5, "tangent-plane", "ida");
        const auto* form = formulation::findFormulation("tangent-plane");
        QVERIFY(form && !form->info().options.empty());
        const auto& option = form->info().options.front();
        basis.settings.choices[option.name] = option.choices.back();
        const QString chosen = captionOf({regime(0, "tangent-plane", "ida"), basis});
        const QString said = QString("%1 %2 (%3 until 3.5 s)")
                                 .arg(QString::fromStdString(option.name), QString::fromStdString(option.choices.back()),
                                      QString::fromStdString(option.choices.front()));
        QVERIFY2(chosen.contains(said), qPrintable(chosen));

        auto pinned = regime(3.5, "dummy-derivatives", "ida");
        pinned.settings.pivot = {.automatic = false, .dummies = {"bob.x"}};
        QVERIFY(captionOf({regime(0, "dummy-derivatives", "ida"), pinned}).contains("pivot bob.x (automatic until 3.5 s)"));

        auto own = regime(3.5, "index-1", "ida");
        own.settings.options.tolerances["bob.x"] = 1e-4;
        own.settings.options.maxStep = 0.1;
        const QString caption = captionOf({regime(0, "index-1", "ida"), own});
        QVERIFY2(caption.contains("atol of bob.x 0.0001 (as usual until 3.5 s)"), qPrintable(caption));
        QVERIFY2(caption.contains("longest step 0.1 s (without limit until 3.5 s)"), qPrintable(caption));
        // What was never otherwise has no word.
        const QString plain = captionOf({regime(0, "dummy-derivatives", "ida")});
        QVERIFY2(plain.contains("Run 1: dummy-derivatives · ida, rtol 10⁻⁸, atol 10⁻⁸"), qPrintable(plain));
        QVERIFY(!plain.contains("pivot") && !plain.contains("longest"));
    }

    void manyValuesAreCounted()
    {
        std::vector<run::Regime> dragged;
        for (int i = 0; i < 40; ++i)
            dragged.push_back(regime(0.1 * i, "index-1", "rk4", 0.01 + 0.001 * i));
        const QString caption = captionOf(dragged);
        QVERIFY2(caption.contains("h = 0.049 s (0.01 s until 0.1 s, 38 others until 3.9 s)"), qPrintable(caption));
    }

    void parametersAreThoseOfTheTimeShown()
    {
        auto first = regime(0, "index-1", "rk4"), second = regime(40.2, "index-1", "rk4");
        first.parameters = {1.0};
        second.parameters = {1.5};
        ExportRequest request;
        request.model = "Pendulum";
        request.quantities = {{.name = "L", .unit = "m", .value = 1.5, .usual = 1}};
        request.runs = {historyRun({first, second})};
        QVERIFY(captionOver(request, 0, 50).contains("(L = 1.5 m (1 m until 40.2 s))"));
        QVERIFY(captionOver(request, 0, 20).contains("(L = 1 m)"));
        QVERIFY(captionOver(request, 41, 50).contains("(L = 1.5 m)"));
        request.changedAlone = true;
        QVERIFY(captionOver(request, 0, 50).contains("(L = 1.5 m (1 m until 40.2 s, model: 1 m))"));
        QVERIFY(!captionOver(request, 0, 20).contains("L ="));
        // A run that joined later had one value throughout.
        request.changedAlone = false;
        request.runs.push_back(historyRun({second}));
        request.runs.back().regimes.front().from = 0;
        QVERIFY(captionOver(request, 0, 50).contains("steps · L = 1.5 m"));
    }

    void movesByHandAreSaidWithTheirTime()
    {
        ExportRequest request;
        request.model = "Pendulum";
        request.runs = {historyRun({regime(0, "index-1", "rk4")})};
        request.runs.front().events = {{5, run::CommandDone{run::SetState{{{"bob.x", 0.5}}, false}}},
                                       {7, run::CommandDone{run::SetState{{{"bob.x", 0.7}}, false}}},
                                       {7, run::CommandDone{run::SetState{{{"bob.x", 0.5}}, true}}}};
        const QString caption = captionOver(request, 0, 50);
        QVERIFY2(caption.contains("bob moved by hand at 5 s"), qPrintable(caption));
        QVERIFY2(!caption.contains("7 s"), qPrintable(caption)); // taken back where it was done
        QVERIFY(!captionOver(request, 0, 4).contains("by hand"));
        std::map<std::string, double> all;
        for (const char* name : {"a.x", "b.x", "c.x", "d.x"})
            all[name] = 0;
        request.runs.front().events = {{5, run::CommandDone{run::SetState{all, false}}}};
        QVERIFY(captionOver(request, 0, 50).contains("state set by hand at 5 s"));
    }

    void whatWasChangedInTheWindowIsInTheCaption()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        RunControl& control = f.document.control();
        QVERIFY(control.setFormulation(f.key(0), "baumgarte"));
        QVERIFY(control.setFormulation(f.key(1), "index-1") && control.setIntegrator(f.key(1), "rk4"));
        auto options = f.status(1).settings.options;
        options.step = 0.05;
        QVERIFY(control.setOptions(f.key(1), options));
        f.document.playback().play();
        QVERIFY(f.playUntil(0.5));
        f.document.playback().pause();
        QVERIFY(!written(f).contains("until"));
        const double usual = f.status(0).gains.at("omega");
        options.step = 0.01;
        QVERIFY(control.setOptions(f.key(1), options));
        QVERIFY(control.setGain(f.key(0), "omega", 3 * usual));
        f.document.playback().play();
        QVERIFY(f.playUntil(1));
        f.document.playback().pause();
        const std::string x = f.document.system().coordinates.front().name;
        QVERIFY(control.setState({{x, 0.3}}, "moved"));
        f.document.playback().play();
        QVERIFY(f.playUntil(1.2));
        f.document.playback().pause();
        const QString caption = written(f);
        QVERIFY2(caption.contains("rk4, h = 0.01 s (0.05 s until 0."), qPrintable(caption));
        QVERIFY2(caption.contains(QString("omega = %1 (%2 until 0.").arg(3 * usual).arg(usual)), qPrintable(caption));
        QCOMPARE(caption.count("bob moved by hand at 1"), 2); // in both runs
    }
};

QTEST_MAIN(TestFigureHistory)
#include "test_figure_history.moc"
