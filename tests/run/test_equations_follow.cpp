// What equation models state with other parameters: what follows from a parameter follows it, wherever it stands; and an event
// comes to its end, whatever it jumps over.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/equations/EquationModel.h"
#include "core/equations/EquationWriter.h"
#include "core/reduction/Reduced.h"
#include "core/run/Laboratory.h"
#include "core/run/Past.h"
#include "core/run/Run.h"
#include "core/run/RunRequest.h"
#include "core/system/ParameterValues.h"
#include "core/text/Numbers.h"
#include "tests/run/RunFixture.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::test;

namespace {

std::shared_ptr<const model::CompiledSystem> compiledEquations(const std::string& text)
{
    const auto model = reduction::readModel(text, "stated.mo");
    if (!model)
        qFatal("%s\n%s", model.error().text().c_str(), text.c_str());
    auto system = model::CompiledSystem::compile(*model);
    if (!system)
        qFatal("%s\n%s", system.error().text().c_str(), text.c_str());
    return *system;
}

/// Numbers for the parameters of a model whose derived parameters, starts, discrete variables and equations follow them.
struct Numbers {
    double k = 1, w = 1;
    int n = 1;
};

std::string modelWith(const Numbers& x, Draw draw)
{
    const auto number = [&](double low, double high) { return text::exact(draw.decimal(low, high)); };
    const std::string derived = draw.chance(0.5) ? "  parameter Real m = a*k;\n  parameter Real a = " + number(0.5, 2) + "*w;\n"
                                                 : "  parameter Real a = w^2;\n  parameter Real m = k + a;\n";
    return "model follows\n  parameter Real k = " + text::exact(x.k) + ";\n  parameter Real w = " + text::exact(x.w)
           + ";\n  parameter Integer n0 = " + std::to_string(x.n) + ";\n" + derived + "  parameter Boolean fast = m > "
           + number(1, 4) + ";\n  Real x(start = w, fixed = true), v(start = " + number(-1, 1)
           + "*m, fixed = true);\n  discrete Real d(start = k + " + number(0, 1)
           + ");\n  Integer n(start = n0 + 1);\nequation\n  der(x) = v;\n  der(v) = -m*x - d*v/10 + (if fast then 1 else 0);\n"
           + "  when x < " + number(-0.5, 0.5)
           + "*w then\n    d = pre(d) + a;\n    n = pre(n) + n0;\n  end when;\nend follows;\n";
}

/// Values and what is held at the last row.
std::vector<double> valuesOf(const run::Run& run)
{
    const run::RecordingView rows = run.recording();
    std::vector<double> out;
    for (int i = 0; i < rows.m(); ++i)
        out.push_back(rows.value(rows.rowCount() - 1, i));
    return out;
}

} // namespace

class TestEquationsFollow : public QObject {
    Q_OBJECT

private slots:
    /// A parameter that is set has the motion of a text in which it stands.
    void aSetParameterIsThatOfTheText()
    {
        const std::uint64_t seed = seedOr(7);
        for (int k = 0, count = countOr(12); k < count; ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            const auto drawn = [&] {
                return Numbers{.k = draw.decimal(0.3, 3), .w = draw.decimal(0.3, 2), .n = draw.upTo(1, 5)};
            };
            const Numbers first = drawn(), other = drawn();
            const Draw rest = draw;
            const std::string text = modelWith(first, rest), meant = modelWith(other, rest);
            const auto asked = settings("dummy-derivatives", "radau", 0, 1e-9);
            run::StartSettings start;
            start.parameters = {{"k", other.k}, {"w", other.w}, {"n0", other.n}};
            const auto made = run::Run::create(compiledEquations(text), start, asked);
            const auto expected = run::Run::create(compiledEquations(meant), {}, asked);
            QVERIFY2(made.ok() && expected.ok(), text.c_str());
            for (const double t : {0.0, 3.0}) {
                QVERIFY2((*made)->advanceTo(t) && (*expected)->advanceTo(t), text.c_str());
                const auto a = valuesOf(**made), b = valuesOf(**expected);
                QCOMPARE(a.size(), b.size());
                for (std::size_t i = 0; i < a.size(); ++i) // the same operations on the same numbers
                    QVERIFY2(std::abs(a[i] - b[i]) <= 1e-12 * std::max(1.0, std::abs(b[i])),
                             (text + meant + (*made)->system().system().values[0].name + " " + std::to_string(i)).c_str());
            }
        }
    }

    /// A parameter that is changed on the way takes what follows from it along.
    void aChangeReachesWhatFollows()
    {
        const auto made = run::Run::create(
            compiledEquations("model m\n  parameter Real k = 2;\n  parameter Real m = 3*k;\n  Real x(start = 0, fixed = "
                              "true);\nequation\n  der(x) = m;\nend m;\n"),
            {}, settings("dummy-derivatives", "radau", 0, 1e-9));
        QVERIFY(made.ok());
        QVERIFY((*made)->advanceTo(1));
        QVERIFY((*made)->apply(1, run::SetParameter{"k", 5}));
        QVERIFY((*made)->advanceTo(2));
        QVERIFY(std::abs(valuesOf(**made)[0] - 21) < 1e-9); // 6 + 15
        // Set itself it is a number of its own from then on.
        QVERIFY((*made)->apply(2, run::SetParameter{"m", 4}));
        QVERIFY((*made)->apply(2, run::SetParameter{"k", 7}));
        QVERIFY((*made)->advanceTo(3));
        QVERIFY(std::abs(valuesOf(**made)[0] - 25) < 1e-9);
        QCOMPARE((*made)->status().parameters, (std::vector<double>{7, 4}));
    }

    /// What follows may be set instead.
    void whatFollowsMayBeSet()
    {
        run::StartSettings start;
        start.parameters["omega"] = 3;
        const auto made = run::Run::create(
            compiledEquations("model m\n  constant Real two = 2;\n  parameter Real omega = 5*two;\n  Real x(start = 0, fixed = "
                              "true);\nequation\n  der(x) = omega;\nend m;\n"),
            start, settings("dummy-derivatives", "radau", 0, 1e-9));
        QVERIFY2(made.ok(), made ? "" : made.error().text().c_str());
        QVERIFY((*made)->advanceTo(1));
        QVERIFY(std::abs(valuesOf(**made)[0] - 3) < 1e-9);
    }

    /// A Laboratory and what is shown of its past have one account of what followed.
    void theLogTellsWhatFollowed()
    {
        run::Laboratory lab(
            compiledEquations("model m\n  parameter Real k = 2;\n  parameter Real b = 2*m;\n  parameter Real m = "
                              "3*k;\n  Real x(start = 0, fixed = true);\nequation\n  der(x) = b;\nend m;\n"),
            {}, 1);
        const auto id = lab.addRun(settings("dummy-derivatives", "radau-iia-5", 0.01));
        QVERIFY(id);
        std::vector<std::pair<double, std::vector<double>>> stood;
        double t = 0;
        for (const auto& [name, value] :
             {std::pair("k", 5.0), std::pair("m", 1.0), std::pair("k", 3.0), std::pair("b", 9.0), std::pair("m", 2.0)}) {
            lab.waitUntil(t += 0.5);
            const auto done = lab.command({*id}, run::SetParameter{name, value});
            QVERIFY(done);
            stood.emplace_back(*done, lab.status(*id).parameters);
        }
        QCOMPARE(stood[0].second, (std::vector<double>{5, 30, 15}));
        QCOMPARE(stood[1].second, (std::vector<double>{5, 2, 1}));
        QCOMPARE(stood[2].second, (std::vector<double>{3, 2, 1}));
        QCOMPARE(stood[4].second, (std::vector<double>{3, 9, 2}));
        const auto regimes = run::regimesOf(lab, *id);
        for (const auto& [at, values] : stood)
            QCOMPARE(run::regimeAt(regimes, at).parameters, values);
        const auto again = run::replaySession(lab.sessionJson(), "followed");
        QVERIFY2(again.ok(), again ? "" : again.error().text().c_str());
        QCOMPARE(again->runs.front()->status().parameters, stood.back().second);
        // Back to a time at which a parameter had been set itself: all values of then, whatever they would follow to.
        lab.scrub(stood[2].first);
        QVERIFY(lab.branchAt(stood[2].first, run::branchesAsThen(lab, stood[2].first, *id)).ok());
        QCOMPARE(lab.status(*id).parameters, stood[2].second);
    }

    /// Whatever was set in whatever order: the values that are stated give all of them back.
    void whatIsStatedGivesAllValues()
    {
        const std::uint64_t seed = seedOr(11);
        for (int k = 0, count = countOr(50); k < count; ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            constexpr int kChain = 12;
            std::string text = "model m\n";
            for (int i = kChain; i-- > 0;) { // each follows one that is declared behind it, or none
                const std::string from = i > 0 && draw.chance(0.7) ? "p" + std::to_string(draw.upTo(0, i - 1)) : "";
                const std::string more = from.empty() || draw.chance(0.6) ? "" : " + p" + std::to_string(draw.upTo(0, i - 1));
                text += "  parameter Real p" + std::to_string(i) + " = " + text::exact(draw.decimal(0.5, 2))
                        + (from.empty() ? "" : "*" + from) + more + ";\n";
            }
            const auto compiled =
                compiledEquations(text + "  Real x(start = 0, fixed = true);\nequation\n  der(x) = p0;\nend m;\n");
            const model::ConstrainedSystem& system = compiled->system();
            std::vector<double> values = compiled->defaultParameters();
            QVERIFY(model::statedValues(system, values).empty());
            QCOMPARE(model::parameterValues(system, {}), values);
            for (int act = draw.upTo(1, 8); act-- > 0;) {
                const auto i = static_cast<std::size_t>(draw.upTo(0, kChain - 1));
                const double value = draw.chance(0.3) ? system.parameters[i].quantity.value : draw.decimal(0.5, 3);
                model::setParameter(system, values, i, value);
                QCOMPARE(values[i], value);
                QCOMPARE(model::parameterValues(system, model::statedValues(system, values)), values);
            }
            // Several at one time are as if stated beside what is stated already; one by one leads there, too.
            auto stated = model::statedValues(system, values);
            std::vector<model::ParameterSetting> settings;
            for (std::size_t i = 0; i < values.size(); ++i)
                if (draw.chance(0.4)) {
                    settings.emplace_back(i, draw.chance(0.3) ? values[i] : draw.decimal(0.5, 3));
                    stated[system.parameters[i].quantity.name] = settings.back().second;
                }
            std::ranges::shuffle(settings, std::mt19937(static_cast<unsigned>(draw.upTo(0, 1 << 20))));
            const auto wanted = model::parameterValues(system, stated);
            auto now = values;
            for (const auto& [i, value] :
                 model::inOrderToSet(system, values, settings, [](std::span<const double>) { return true; }))
                model::setParameter(system, now, i, value);
            QCOMPARE(now, wanted);
        }
    }

    /// k = 5 would take m to 15, which is too much; m = 7 comes first then.
    void whatIsNotAllowedInBetweenIsPassedByTheOtherWay()
    {
        const auto system = compiledEquations("model m\n  parameter Real k = 2;\n  parameter Real m(max = 10) = 3*k;\n  Real "
                                              "x(start = 0, fixed = true);\nequation\n  der(x) = m;\nend m;\n");
        const auto allowed = [&system](std::span<const double> values) {
            return !model::checkParameters(system->model(), values);
        };
        using Settings = std::vector<model::ParameterSetting>;
        const Settings backwards{{1, 7}, {0, 5}}, forwards{{0, 3}, {1, 6}};
        for (const Settings& given : {backwards, Settings{{0, 5}, {1, 7}}})
            QCOMPARE(model::inOrderToSet(system->system(), {2, 6}, given, allowed), backwards);
        for (const Settings& given : {forwards, Settings{{1, 6}, {0, 3}}}) // m is 6 already, and would follow
            QCOMPARE(model::inOrderToSet(system->system(), {2, 6}, given, allowed), forwards);
        // Two pairs, of which one asks for this way and one for the other.
        const auto two =
            compiledEquations("model m\n  parameter Real a = 2;\n  parameter Real b = 3*a;\n  parameter Real d = 2;\n"
                              "  parameter Real c(max = 10) = 3*d;\n  Real x(start = 0, fixed = true);\nequation\n  "
                              "der(x) = b + c;\nend m;\n");
        const auto fine = [&two](std::span<const double> values) { return !model::checkParameters(two->model(), values); };
        const Settings both{{0, 3}, {1, 6}, {3, 7}, {2, 5}};
        QCOMPARE(model::inOrderToSet(two->system(), {2, 6, 2, 6}, both, fine), both);
    }

    /// Where the equations are judged near the start, a start that follows a parameter has followed it.
    void equationsAreJudgedWhereTheyStart()
    {
        const std::string inside = "model start\n  parameter Real k = K;\n  Real x(start = k, fixed = true);\nequation\n  "
                                   "log(x - 3)*der(x) = 1;\nend start;\n",
                          branch =
                              "model held\n  parameter Real k = K;\n  Boolean b(start = k > 2);\n  Real x, y, z(start = 0, "
                              "fixed = true);\nequation\n  der(z) = 1;\n  x + (if b then 2 else 1)*y = 1;\n  x + y = "
                              "sin(time);\n  when z > 100 then\n    b = not pre(b);\n  end when;\nend held;\n";
        for (const std::string& text : {inside, branch}) {
            const auto with = [&text](const std::string& k, const reduction::Values& stated) {
                std::string own = text;
                own.replace(own.find("= K"), 3, "= " + k);
                return reduction::readModel(own, "judged.mo", stated);
            };
            QVERIFY(!with("1", {}).ok());
            QVERIFY2(with("5", {}).ok(), text.c_str());
            const auto followed = with("1", {{"k", 5}});
            QVERIFY2(followed.ok(), followed.ok() ? "" : followed.error().text().c_str());
            QCOMPARE((*followed)->reduced->stated, (reduction::Values{{"k", 5}}));
            QVERIFY(!with("5", {{"k", 1}}).ok());
        }
    }

    void whatParametersCannotBeIsSaidBeforeEquationsAreJudged()
    {
        const std::string text =
            "model m\n  parameter Real k = 2;\n  parameter Real root = sqrt(k);\n  parameter Integer n = "
            "2*k;\n  parameter Boolean on = true;\n  parameter Real low(min = k - 1, max = 4*k) = 3*k/2;\n  "
            "Real x(start = 1, fixed = true);\nequation\n  root*der(x) = low*x + n + (if on then 1 else "
            "0);\nend m;\n";
        const auto equations = model::readEquationModel(text, "m.mo");
        QVERIFY(equations.ok());
        struct Case {
            reduction::Values stated;
            std::string says;
        };
        const Case cases[] = {{{{"k", -1}}, "root is not a number"},
                              {{{"k", 0.3}}, "0.6 of n"},
                              {{{"n", 1e17}}, "below 2^53"},
                              {{{"on", 2}}, "1 (true) or 0 (false)"},
                              {{{"on", 0.5}}, "1 (true) or 0 (false)"},
                              {{{"low", 0.5}}, "at least k - 1"},
                              {{{"low", 9}}, "at most 4*k"},
                              {{{"k", 1}, {"low", 5}}, "at most 4*k"}};
        for (const Case& c : cases) {
            const auto model = reduction::readModel(text, "m.mo", c.stated);
            QVERIFY2(!model.ok() && model.error().text().find(c.says) != std::string::npos, c.says.c_str());
            const auto analysis = reduction::analyseEquations((*equations)->system, c.stated);
            QVERIFY(!analysis.jacobianKnown && !analysis.jacobianSingular && analysis.diagnostic);
            QCOMPARE(analysis.diagnostic->text(), model.error().text());
        }
        for (const reduction::Values& fine : {reduction::Values{{"k", 8}}, {{"k", 3}, {"low", 12}}, {{"on", 0}}, {{"n", 7}}})
            QVERIFY(reduction::readModel(text, "m.mo", fine).ok());
        const std::string again = model::modelicaText((*equations)->system, "m", "", 1);
        const auto read = model::readEquationModel(again, "again.mo");
        QVERIFY2(read.ok(), again.c_str());
        QCOMPARE(model::modelicaText((*read)->system, "m", "", 1), again);
        QVERIFY2(!reduction::readModel(again, "again.mo", {{"k", 1}, {"low", 5}}).ok(), again.c_str());
        QVERIFY2(again.find("parameter Integer n") != std::string::npos, again.c_str());
    }

    void aBooleanIsSetInWords()
    {
        const auto system =
            compiledEquations("model m\n  parameter Boolean on = true;\n  parameter Real k = 2;\n  Real x(start = 0, fixed = "
                              "true);\nequation\n  der(x) = if on then k else -k;\nend m;\n");
        const auto at = [&](std::string_view text, const char* name) {
            return run::parseValue(text, model::resolveName(system->model().system, name), system->model().system);
        };
        QCOMPARE(at("true", "on").value(), 1.0);
        QCOMPARE(at("false", "on").value(), 0.0);
        QCOMPARE(at("0", "on").value(), 0.0);
        for (const auto& [text, name] : {std::pair("true", "k"), {"true", "x"}, {"true", "nobody"}, {"True", "on"}, {"", "on"}})
            QVERIFY2(!at(text, name).ok(), text);
        QCOMPARE(run::numbersOf({"on=false", "k=3", "x=no"}), (reduction::Values{{"k", 3}, {"on", 0}}));
    }

    void wholeNumbersStayWhole()
    {
        const auto system =
            compiledEquations("model m\n  parameter Real h = 2;\n  parameter Integer n = 3*h;\n  Real x(start = 0, "
                              "fixed = true);\nequation\n  der(x) = n;\nend m;\n");
        run::StartSettings start;
        start.parameters["h"] = 0.5;
        const auto made = run::Run::create(system, start, settings("dummy-derivatives", "radau", 0, 1e-9));
        QVERIFY(!made.ok());
        QVERIFY2(made.error().text().find("whole number") != std::string::npos, made.error().text().c_str());
    }

    void startsThatAreNoneAreNamed()
    {
        const auto system = compiledEquations("model m\n  parameter Real k = 2;\n  Real x(start = sqrt(k), fixed = true);\n"
                                              "  Integer n(start = 2*k);\nequation\n  der(x) = 1;\n  when x > 9 then\n    n = "
                                              "pre(n) + 1;\n  end when;\nend m;\n");
        for (const auto& [k, name] : {std::pair(-1.0, "x"), std::pair(0.3, "n")}) { // sqrt(-1), and 0.6 for an Integer
            run::StartSettings start;
            start.parameters["k"] = k;
            const auto made = run::Run::create(system, start, settings("dummy-derivatives", "radau", 0, 1e-9));
            QVERIFY(!made.ok());
            QVERIFY2(made.error().text().find(std::string("start value of ") + name) != std::string::npos,
                     made.error().text().c_str());
        }
    }

    /// Two conditions of one `when`, what the one does makes the other one true, and a branch of a rate changes on the way and
    /// back: it is done for each of them once. An event that finds its end a hair too early comes twice.
    void anEventThatJumpsOverABranch_comesOnce()
    {
        const std::uint64_t seed = seedOr(0);
        int events = 0;
        for (int k = 0, count = countOr(24); k < count; ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            const auto number = [&](double low, double high) { return text::exact(draw.decimal(low, high)); };
            const std::string text =
                "model jumps\n  Real x0(start = " + number(-0.5, 2) + ", fixed = true), x1(start = " + number(-0.2, 0.45)
                + ", fixed = true);\n  Integer n;\nequation\n  der(x0) = 0.3*x0 + " + "0.5*x1;\n  der(x1) = -" + number(0.3, 1)
                + "*x1 - " + number(0.2, 0.5) + "*x0 + " + number(1, 2) + "*sin(" + number(2, 4) + "*time + " + number(0, 3)
                + ") + (if x0 < -0.716 then -0.389*x0 else 1.058);\n  when {x1 > " + number(0.5, 1.1)
                + ", x0 <= 0.16} then\n    n = pre(n) + 1;\n    reinit(x0, -" + number(0.4, 0.8)
                + "*pre(x0));\n  end when;\nend jumps;\n";
            const auto made = run::Run::create(compiledEquations(text), {}, settings("dummy-derivatives", "radau-9", 0, 1e-8));
            QVERIFY2(made.ok(), text.c_str());
            QVERIFY2((*made)->advanceTo(4), text.c_str());
            double last = -1;
            for (const run::Event& event : (*made)->events(run::EventKind::Mode, 0, 4)) {
                ++events;
                QVERIFY2(event.t - last > 1e-7, (text + text::exact(event.t)).c_str()); // the motion takes longer between two
                last = event.t;
            }
        }
        QVERIFY(events > 0);
    }

    /// A Boolean that holds at the start has not become true there.
    void whatHoldsAtTheStartHasNotBegun()
    {
        const auto made = run::Run::create(
            compiledEquations("model m\n  Real x(start = 0.15, fixed = true);\n  discrete Real d(start = -1);\n  Integer n;\n"
                              "  Boolean b;\nequation\n  der(x) = 0.1;\n  b = x >= 0.2 + 0.1*d;\n  when b then\n    d = 0;\n"
                              "    n = pre(n) + 1;\n  end when;\nend m;\n"),
            {}, settings("dummy-derivatives", "radau", 0, 1e-9));
        QVERIFY2(made.ok(), made ? "" : made.error().text().c_str());
        QVERIFY((*made)->advanceTo(1));
        QCOMPARE((*made)->events(run::EventKind::Mode, -1, 2).size(), std::size_t(0));
    }
};

QTEST_GUILESS_MAIN(TestEquationsFollow)
#include "test_equations_follow.moc"
