// label: release
// Advice after a failure fits the run; times and steps that no run could reach or make are refused at every door.
#include <QtTest>

#include <cmath>
#include <limits>
#include <random>

#include "core/formulation/Formulation.h"
#include "core/mechanism/ReadModel.h"
#include "core/run/Advice.h"
#include "core/run/Laboratory.h"
#include "core/run/RunRequest.h"
#include "core/run/SessionCodec.h"
#include "core/run/Times.h"
#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::test;
using run::Proposal;
using run::Situation;
using run::Trouble;

namespace {

constexpr std::array kTroubles{Trouble::NotFinite,       Trouble::Stuck,          Trouble::EnergyLost,
                               Trouble::ConstraintsLost, Trouble::VelocitiesLost, Trouble::NotSolved,
                               Trouble::SingularMatrix,  Trouble::Tolerances,     Trouble::SingularConfiguration,
                               Trouble::OutsideDomain,   Trouble::NotProjected,   Trouble::Other};

/// Every form with every method that carries it, at tolerances from 1e-13 to 0.1 and steps from 1e-15 s to 1 s; of mechanisms
/// with and without a chart and of texts of equations.
template <class Check>
void forEverySituation(Check check)
{
    for (const auto& form : formulation::formulations())
        for (const auto& method : integrate::integratorCatalogue())
            for (const bool equations : {false, true})
                for (const bool chart : {false, true}) {
                    const auto& info = form->info();
                    if ((equations && !info.general) || (info.needsChart && !chart)
                        || !integrate::canCarry(method, info.index, info.id == "projection"))
                        continue;
                    for (const double size : {1e-15, 1e-10, 1e-3, 0.1}) {
                        Situation s{
                            .form = &info, .method = &method, .equations = equations, .chart = chart, .index = info.index};
                        s.projects = info.id == "projection";
                        s.holdsPositions = s.projects || info.id == "ggl" || info.id == "index-3";
                        s.holdsVelocities = s.projects || info.id == "ggl" || info.id == "index-2";
                        s.pinned = info.pivots && size < 1e-6;
                        s.t = 1;
                        s.step = method.adaptive ? 1e-15 : size;
                        s.tolerance = method.adaptive ? std::min(size, 0.1) : 1e-6;
                        check(s);
                    }
                }
}

QString told(const Situation& s, const std::string& advice)
{
    return QString("%1 with %2, h %3, tolerance %4: %5")
        .arg(QString::fromStdString(s.form->id), QString::fromStdString(s.method->id))
        .arg(s.step)
        .arg(s.tolerance)
        .arg(QString::fromStdString(advice));
}

void judge(const Situation& s, Trouble trouble)
{
    const auto proposals = run::proposalsFor(trouble, s);
    const std::string text = run::advise(trouble, s);
    QVERIFY(!proposals.empty() && !text.empty());
    for (const Proposal& p : proposals) {
        switch (p.kind) {
        case Proposal::Kind::ShorterStep:
            QVERIFY2(!s.method->adaptive && p.value < s.step && s.step > 1e-8, qPrintable(told(s, text)));
            break;
        case Proposal::Kind::LooserTolerances:
            QVERIFY2(s.method->adaptive && p.value > s.tolerance && p.value <= 1e-2, qPrintable(told(s, text)));
            break;
        case Proposal::Kind::TighterTolerances:
            QVERIFY2(s.method->adaptive && p.value < s.tolerance, qPrintable(told(s, text)));
            break;
        case Proposal::Kind::Integrator:
            QVERIFY(!p.ids.empty());
            for (const std::string& id : p.ids) {
                const auto* other = integrate::findIntegrator(id);
                QVERIFY2(other && id != s.method->id && integrate::canCarry(*other, s.index, s.projects, s.semiExplicit),
                         qPrintable(told(s, text)));
                QVERIFY2(p.text.find("implicit method") == std::string::npos
                             || (other->implicitMethod && !s.method->implicitMethod),
                         qPrintable(told(s, text)));
            }
            break;
        case Proposal::Kind::Formulation:
            QVERIFY(!p.ids.empty());
            for (const std::string& id : p.ids) {
                const auto* other = formulation::findFormulation(id);
                QVERIFY2(other && id != s.form->id && (!s.equations || other->info().general), qPrintable(told(s, text)));
                QVERIFY2(!other->info().needsChart || s.chart, qPrintable(told(s, text)));
                QVERIFY2(integrate::canCarry(*s.method, other->info().index, id == "projection"), qPrintable(told(s, text)));
                QVERIFY2(p.text.find("lower index") == std::string::npos || other->info().index < s.index,
                         qPrintable(told(s, text)));
                QVERIFY2(p.text.find("enforces the positions") == std::string::npos || !s.holdsPositions,
                         qPrintable(told(s, text)));
            }
            break;
        case Proposal::Kind::AutomaticPivot:
            QVERIFY(s.pinned);
            break;
        case Proposal::Kind::Start:
        case Proposal::Kind::Model:
            break;
        }
    }
}

/// A run of `steps` steps with a command after the first, at time t.
std::string session(double t, int steps)
{
    const auto model = model::openModel("pendulum");
    run::LogEntry add, command;
    add.runs = command.runs = {run::RunId{0}};
    add.kind = run::LogEntry::Kind::AddRun;
    add.settings = settings("index-1", "rk4", 0.05);
    command.kind = run::LogEntry::Kind::Command;
    command.t = t;
    command.commands = {{t, 1, run::Restart{}}};
    using run::codec::toJson;
    return run::codec::Json{{"driftless_session", 1},
                            {"model", {{"name", (*model)->name}, {"text", (*model)->text}}},
                            {"start", toJson(run::StartSettings{})},
                            {"log", {toJson(add), toJson(command)}},
                            {"end", {{"t", t}, {"runs", {{{"id", 0}, {"steps", steps}, {"t", t}}}}}}}
        .dump();
}

std::string refusal(const run::RunRequest& request)
{
    const auto prepared = run::prepareRun(request);
    return prepared ? std::string() : prepared.error().text();
}

} // namespace

class TestAdvice : public QObject {
    Q_OBJECT
private slots:
    void adviceNamesNothingThatTheRunIsOrCannotHave()
    {
        int seen = 0;
        forEverySituation([&](const Situation& s) {
            for (const Trouble trouble : kTroubles)
                judge(s, trouble);
            ++seen;
        });
        QVERIFY(seen > 1000); // 16 forms, 40 methods, 4 sizes, less what does not go together
    }

    /// Runs that fail, not situations that are made up: no step of 0 s, no limit in round-offs, no form for a text of
    /// equations.
    void failuresOfRunsSayWhatIsTrueOfThem_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("method");
        QTest::addColumn<double>("step");
        const auto row = [](const char* model, const char* form, const char* method, double step) {
            QTest::addRow("%s %s %g", model, method, step) << model << form << method << step;
        };
        for (const double step : {0.3, 3.0}) {
            for (const char* method : {"implicit-trapezoidal", "bdf3", "radau-iia-3", "rk4"})
                row("andrews", "index-1", method, step);
            for (const char* method : {"bdf3", "rk4"})
                row("ring-modulator", "dummy-derivatives", method, step * 1e-3);
            row("robertson", "dummy-derivatives", "rk4", step);
        }
        row("robertson", "dummy-derivatives", "implicit-trapezoidal", 1e3);
    }
    void failuresOfRunsSayWhatIsTrueOfThem()
    {
        QFETCH(QString, model);
        QFETCH(QString, form);
        QFETCH(QString, method);
        QFETCH(double, step);
        auto s = settings(form.toStdString(), method.toStdString(), step);
        const auto system = run::openSystem(model.toStdString());
        QVERIFY(system.ok());
        auto made = run::Run::create(*system, {}, s);
        QVERIFY2(made, made ? "" : made.error().text().c_str());
        QVERIFY2(!(*made)->advanceTo(40 * step), "a row for a run that does not fail proves nothing");
        const auto status = (*made)->status();
        QVERIFY(status.diagnostic);
        const std::string text = status.diagnostic->text();
        QVERIFY2(text.find("step of 0 s") == std::string::npos && text.find("h = 0,") == std::string::npos, text.c_str());
        QVERIFY2(text.find("limit is 8.") == std::string::npos, text.c_str());
        QVERIFY(!status.diagnostic->remedy.empty());
        if (method == "rk4") // what an explicit method leaves its region of stability by is the step, whatever it ran into then
            QVERIFY2(status.diagnostic->remedy.find("a step below") != std::string::npos
                         && status.diagnostic->remedy.find("an implicit method") != std::string::npos,
                     text.c_str());
        if ((*made)->system().model().reduced)
            QVERIFY2(status.diagnostic->remedy.find("form") == std::string::npos, text.c_str());
    }

    void stepsThatDoNotMoveTimeAreRefused()
    {
        std::mt19937_64 random(11);
        std::uniform_real_distribution<double> exponent(-323, -17), ends(-3, 3);
        for (int k = 0; k < 200; ++k) {
            run::RunRequest request;
            request.model = "pendulum";
            request.formulation = "index-1";
            request.integrator = k % 2 ? "rk4" : "dormand-prince";
            request.end = std::pow(10, ends(random));
            const double step =
                std::max(std::numeric_limits<double>::denorm_min(), *request.end * std::pow(10, exponent(random)));
            (k % 2 ? request.step : request.maxStep) = step;
            const std::string text = refusal(request);
            QVERIFY2(text.find("too short") != std::string::npos && text.find("(step)") != std::string::npos, text.c_str());
            (k % 2 ? request.step : request.maxStep) = *request.end * 1e-15; // four times the round-off
            QVERIFY(refusal(request).empty());
        }
    }

    void timesAreBoundedInOnePlace()
    {
        QVERIFY(run::checkTime(0, "") && run::checkTime(1e11, "")
                && run::checkTime(run::kLatestTime, "")); // Robertson's to 1e11 s
        for (const double t :
             {-1e-300, 1.1e15, 1e308, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
            const auto refused = run::checkTime(t, "--time");
            QVERIFY(!refused && refused.error().text().find("--time") != std::string::npos);
        }
        run::RunRequest request;
        request.model = "pendulum";
        request.end = 1e308;
        QVERIFY(refusal(request).find("(end)") != std::string::npos);
    }

    /// A log cannot ask for more steps than its runs have made.
    void aSessionEndsWhereItSaysItDoes()
    {
        for (const auto& [t, steps] : {std::pair{0.1, 2}, {0.12, 4}}) { // 0.05, 0.1, 0.12, and one more
            const auto repeated = run::replaySession(session(t, steps), "s");
            QVERIFY2(repeated, repeated ? "" : repeated.error().text().c_str());
        }
        for (const double t : {1e3, 1e14, 1e16, 1.7e308}) {
            const auto refused = run::replaySession(session(t, 4), "s");
            QVERIFY(!refused);
            QVERIFY2(refused.error().text().find(t > run::kLatestTime ? "no time of a run" : "beyond its last step")
                         != std::string::npos,
                     refused.error().text().c_str());
        }
    }

    void aStepThatIsTooShortIsNoCommand()
    {
        const auto run = started("pendulum", {}, settings("index-1", "rk4", 0.01));
        auto options = run->status().settings.options;
        options.step = 1e-320;
        QVERIFY(!run->apply(0.1, run::SetOptions{options}));
        QVERIFY(run->advanceTo(0.2));
    }
};

QTEST_APPLESS_MAIN(TestAdvice)
#include "test_advice.moc"
