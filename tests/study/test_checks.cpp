// What a study says is judged before anything runs: measures, names, times, steps, numbers. What can be measured of a run
// passes.
#include <QtTest>

#include <atomic>
#include <map>
#include <tuple>

#include <nlohmann/json.hpp>

#include "core/run/RunJson.h"
#include "core/run/SettingKeys.h"
#include "core/study/Execute.h"
#include "core/study/Measure.h"

using namespace driftless;
using namespace driftless::study;
using Json = nlohmann::ordered_json;

namespace {

const std::string kHead = "title = \"t\"\n[default]\nmodel = \"pendulum\"\nformulation = \"index-1\"\nintegrator = "
                          "\"rk4\"\nstep = 0.05\nend = 1\n[[run]]\nname = \"a\"\n"
                          "[[run]]\nname = \"b\"\nvary = { step = [0.1, 0.05] }\n";

const std::string kCitation = "[[citation]]\nauthor = \"A\"\nyear = 1990\nnumber = \"1\"\nchecked = \"read\"\nsentence = ";

/// Why the study is refused before it runs; empty where it is not.
std::string refusal(const std::string& text)
{
    const auto study = readStudy(text, "s.toml");
    if (!study)
        return study.error().text();
    const auto executor = Executor::create(*study, "test");
    return executor ? std::string() : executor.error().text();
}

std::string claim(const std::string& measure, const std::string& relation = "below = 1", const std::string& runs = "\"a\"")
{
    return kHead + "[[claim]]\ntext = \"c\"\nruns = " + runs + "\nmeasure = \"" + measure + "\"\n" + relation + "\n";
}

/// Numbers and words of a report, as measures name them.
void leaves(const Json& j, const std::string& path, std::vector<std::string>& out)
{
    if (j.is_number() || j.is_string())
        out.push_back(path);
    if (j.is_object())
        for (const auto& [key, value] : j.items())
            leaves(value, path.empty() ? key : path + '.' + key, out);
}

/// All that a run of a study is, but for its place in the file.
auto partsOf(const PlannedRun& run)
{
    std::vector<std::pair<double, run::RunRequest>> events;
    for (const StudyEvent& event : run.events)
        events.emplace_back(event.t, event.change);
    return std::tuple(run.name, run.family, run.label, run.variables, run.request, run.data, run.endsExactly, run.steps,
                      run.expected, events);
}

/// The runs of a study with these lines in [default], and these under its one [[run]]; none where it is refused.
auto runsOf(const std::string& ofAll, const std::string& ofOne)
{
    std::vector<decltype(partsOf({}))> out;
    if (const auto study = readStudy(
            "title = \"t\"\n[default]\nmodel = \"pendulum\"\n" + ofAll + "\n[[run]]\nname = \"a\"\n" + ofOne, "s.toml"))
        for (const PlannedRun& run : study->runs)
            out.push_back(partsOf(run));
    return out;
}

} // namespace

class TestChecks : public QObject {
    Q_OBJECT
private slots:
    void whatCannotBeMeasured_isRefusedBeforeAnythingRuns_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const std::string& text, const char* says) {
            QTest::newRow(name) << QString::fromStdString(text) << QString(says);
        };
        row("open bracket", claim("last(bob.x"), "cannot be taken");
        row("no such measure", claim("lst(bob.x)"), "no measure");
        row("too many parts", claim("last(bob.x, 2)"), "no measure");
        row("no such column", claim("last(bob.q)"), "bob.q");
        row("no such counter", claim("step"), "a run has no");
        row("near a counter", claim("stps"), "did you mean \"steps\"");
        row("no such state", claim("state.bob.q"), "a run has no");
        row("no such parameter", claim("parameter.l"), "a run has no");
        row("no such run", claim("of(zz, steps)"), "no run \"zz\"");
        row("no such reference", claim("error(zz)"), "no run \"zz\"");
        row("unknown column of a distance", claim("difference(a, bob.q)"), "bob.q");
        row("no such kind of event", claim("count(warnings)"), "no events");
        row("a time that is none", claim("at(x, bob.x)"), "no number");
        row("a slope of one run", claim("slope(step, steps)"), "two runs");
        row("a slope against nothing", claim("slope(tol, steps)", "below = 1", "\"b\""), "two runs");
        row("a word as a number", claim("ratio(status, 2)"), "a word");
        row("a word below a number", claim("drift.position"), "a word");
        row("too deep", claim("log10(log10(log10(log10(log10(log10(log10(log10(log10(log10(steps))))))))))"), "too deeply");
        row("a table's column", kHead + "[[table]]\ncolumn = [{ measure = \"last(bob.q)\" }]\n", "bob.q");
        row("a curve", kHead + "[[figure]]\npanel = [{ kind = \"curve\", y = \"1/bob.q\" }]\n", "bob.q");
        row("a phase", kHead + "[[figure]]\npanel = [{ kind = \"phase\", x = \"bob.x\", y = \"bob.(\" }]\n", "bob.(");
        row("a scatter",
            kHead + "[[figure]]\nruns = \"b\"\npanel = [{ kind = \"scatter\", x = \"step\", y = \"error(zz)\" }]\n",
            "no run \"zz\"");
        row("no runs of a claim", claim("steps", "below = 1", "[]"), "\"runs\" is empty");
        row("no runs of a table", kHead + "[[table]]\nruns = []\ncolumn = [{ measure = \"steps\" }]\n", "\"runs\" is empty");
        row("no runs of a figure", kHead + "[[figure]]\nruns = []\npanel = [{ kind = \"residuals\" }]\n", "\"runs\" is empty");
        row("many pictures", kHead + "[[figure]]\npanel = [{ kind = \"strobe\", count = 100000000 }]\n", "from 2 to 60");
        row("half a picture", kHead + "[[figure]]\npanel = [{ kind = \"strobe\", count = 2.5 }]\n", "from 2 to 60");
        row("no such formulation", kHead + "[[run]]\nname = \"c\"\nformulation = \"indx-1\"\n", "did you mean");
        row("no such integrator", kHead + "[[run]]\nname = \"c\"\nvary = { integrator = [\"rk4\", \"rk5\"] }\n",
            "no integrator");
        row("an event's formulation", kHead + "[[run]]\nname = \"c\"\nevent = [{ t = 0.5, formulation = \"zz\" }]\n",
            "no formulation");
        row("an endless step", kHead + "[[run]]\nname = \"c\"\nvary = { step = [0.1, 1e-18] }\n", "too short");
        row("a subnormal step", kHead + "[[run]]\nname = \"c\"\nstep = 1e-320\n", "out of the range");
        row("an endless run", kHead + "[[run]]\nname = \"c\"\nend = 1e99\n", "no time of a run");
        row("a claim that states its own sentence", claim("steps") + "sentence = \"c\"\n", "has the sentence \"c\"");
        row("a claim of blanks", claim("steps") + "sentence = \" \\t \"\n", "has the sentence");
        row("a citation of no text", kHead + kCitation + "\"nowhere\"\n", "has the sentence");
        row("a citation of blanks", kHead + kCitation + "\"  \"\n", "has the sentence");
        row("an exemption of blanks", kHead + "[[exempt]]\nreason = \"r\"\nsentence = \"\\n\"\n", "has the sentence");
        row("a tolerance of a parameter", kHead + "[[run]]\nname = \"c\"\natol_for = { L = 1e-3 }\n", "has no tolerance");
    }
    void whatCannotBeMeasured_isRefusedBeforeAnythingRuns()
    {
        QFETCH(QString, text);
        QFETCH(QString, says);
        const QString why = QString::fromStdString(refusal(text.toStdString()));
        QVERIFY2(why.contains(says), qPrintable(why.isEmpty() ? QStringLiteral("not refused") : why));
    }

    /// Each number and word in a run's report is a measure, as are the forms that docs/studies.md lists.
    void whatCanBeMeasured_isNot()
    {
        const auto study = readStudy(kHead, "s.toml");
        QVERIFY(study.ok());
        const auto executor = Executor::create(*study, "test");
        QVERIFY2(executor.ok(), executor ? "" : executor.error().text().c_str());
        const std::atomic<bool> cancel{false};
        const auto data = (*executor)->run(0, cancel);
        QVERIFY(data.ok());
        std::vector<std::string> measures;
        leaves(run::toJson(data->report), {}, measures);
        QVERIFY(measures.size() > 20);
        for (const char* more :
             {"first(bob.x)", "at(0.5, x)", "max(abs(energy_error))", "alternations(bob.y')", "growth(residual.position)",
              "drift(energy_error)", "count(warning)", "time(start)", "difference(b-step=0.1)", "error(b-step=0.1, bob.x - L)",
              "of(b-step=0.05, ratio(steps, 2))", "log10(steps)", "1e-3", "wall_seconds",
              "ratio(log10(of(b-step=0.1, error(a))), 2)", "last(h)", "max(kappa)", "mean(t)", "rms(x*L)"})
            measures.emplace_back(more);
        for (const std::string& text : measures) {
            const std::string why = refusal(claim(text, "is = \"x\""));
            QVERIFY2(why.empty(), (text + ": " + why).c_str());
        }
        QCOMPARE(refusal(claim("slope(step, error(a))", "below = 1", "\"b\"")), std::string());
        QCOMPARE(refusal(claim("step", "below = 1", "\"b\"")), std::string());    // a number of `vary`
        QCOMPARE(refusal(claim("steps") + "sentence = \"t\"\n"), std::string());  // the title
        QCOMPARE(refusal(claim("steps") + kCitation + "\"c\"\n"), std::string()); // the claim's text has a source
    }

    void timesThatNoRunComesTo_areFound()
    {
        const auto found = [](const std::string& text) {
            const auto study = readStudy(text, "s.toml");
            const auto executor = study ? Executor::create(*study, "test") : Result<std::unique_ptr<Executor>>(study.error());
            if (!executor)
                return QString::fromStdString(executor.error().text());
            QStringList out;
            for (const Diagnostic& d : beyondTheEnd(*study, [&](std::size_t run) { return (*executor)->prepared(run).end; }))
                out << QString::fromStdString(d.text());
            return out.join('\n');
        };
        QVERIFY(found(claim("at(50, bob.x)")).contains("its runs end at t = 1 s"));
        QVERIFY(found(claim("ratio(of(b-step=0.1, at(2, bob.x)), 2)")).contains("its runs end"));
        QCOMPARE(found(claim("at(1, bob.x)")), QString()); // the end itself
        const std::string event = kHead + "[[run]]\nname = \"c\"\nevent = [{ t = ";
        QVERIFY(found(event + "1.5, set = { L = 2 } }]\n").contains("after the end of its run"));
        QCOMPARE(found(event + "0.5, set = { L = 2 } }]\n"), QString());
        // Back to the start, a run goes on from there: its clock says nothing of its end.
        QCOMPARE(found(event + "1.5, reset = true }]\n"), QString());
    }

    void shippedStudies_areNotRefused()
    {
        for (const ShippedStudy& shipped : shippedStudies()) {
            const auto study = openStudy(shipped.path);
            QVERIFY2(study.ok(), study ? "" : study.error().text().c_str());
            const auto executor = Executor::create(*study, "test");
            QVERIFY2(executor.ok(), executor ? "" : executor.error().text().c_str());
            const auto late = beyondTheEnd(*study, [&](std::size_t run) { return (*executor)->prepared(run).end; });
            QVERIFY2(late.empty(), late.empty() ? "" : (shipped.path + ": " + late.front().text()).c_str());
        }
    }

    /// The second equation is empty at a = 0, as the text states it, and determines y where a run sets a.
    void equationsAreReducedNearWhatARunSets()
    {
        const std::string text = "title = \"t\"\nmodel_text = \"\"\"model near\n parameter Real a = 0; Real x(start = 1, fixed "
                                 "= true); Real y;\nequation\n der(x) = y;\n"
                                 " a*y + (a - 1)^2*der(y)*a = -a*x;\nend near;\n\"\"\"\n[default]\nmodel = "
                                 "\"near\"\nformulation = \"dummy-derivatives\"\nintegrator = \"ida\"\n"
                                 "rtol = 1e-8\natol = 1e-8\nend = 1\n[[run]]\nname = \"a\"\nset = { a = 2 }\n[[run]]\nname = "
                                 "\"b\"\nset = { a = 3 }\n";
        const auto study = readStudy(text, "s.toml");
        QVERIFY2(study.ok(), study ? "" : study.error().text().c_str());
        run::RunRequest request = study->runs.front().request;
        const auto near = modelOf(*study, request);
        QVERIFY2(near.ok(), near ? "" : near.error().text().c_str());
        request.set.clear();
        QVERIFY(!modelOf(*study, request).ok());
        const auto executor = Executor::create(*study, "test");
        QVERIFY2(executor.ok(), executor ? "" : executor.error().text().c_str());
        QVERIFY(&(*executor)->system(0) != &(*executor)->system(1));
    }

    /// A run that sets nothing leaves its reduction to those that set nothing, wherever it stands; a mechanism is compiled
    /// once.
    void aRunWithoutSettingsKeepsItsReduction()
    {
        const std::string equations = "model_text = \"\"\"model near\n parameter Real a = 1; Real x(start = 1, fixed = true); "
                                      "Real y;\nequation\n der(x) = y;\n"
                                      " a*y = -x;\nend near;\n\"\"\"\n[default]\nmodel = \"near\"\nformulation = "
                                      "\"dummy-derivatives\"\nintegrator = \"ida\"\n"
                                      "rtol = 1e-8\natol = 1e-8\nend = 1\n";
        const std::string mechanism =
            "[default]\nmodel = \"pendulum\"\nformulation = \"index-1\"\nintegrator = \"rk4\"\nstep = 0.05\nend = 1\n";
        for (const bool reduced : {true, false}) {
            const auto study = readStudy("title = \"t\"\n" + (reduced ? equations : mechanism)
                                             + "[[run]]\nname = \"first\"\n[[run]]\nname = \"other\"\nset = { "
                                             + (reduced ? "a" : "L") + " = 2 }\n[[run]]\nname = \"last\"\n",
                                         "s.toml");
            QVERIFY2(study.ok(), study ? "" : study.error().text().c_str());
            const auto executor = Executor::create(*study, "test");
            QVERIFY2(executor.ok(), executor ? "" : executor.error().text().c_str());
            QCOMPARE(&(*executor)->system(0) != &(*executor)->system(1), reduced);
            QCOMPARE(&(*executor)->system(0), &(*executor)->system(2));
        }
    }

    /// [default] takes what a run takes, and the run's own wins.
    void aKeyCountsInTheDefaultsAsUnderARun()
    {
        const std::map<std::string, std::pair<std::string, std::string>> values{
            {"model", {"\"furuta\"", "\"car-axis\""}},
            {"formulation", {"\"ggl\"", "\"index-1\""}},
            {"integrator", {"\"ida\"", "\"radau\""}},
            {"step", {"0.1", "0.2"}},
            {"tol", {"1e-5", "1e-6"}},
            {"rtol", {"1e-5", "1e-6"}},
            {"atol", {"1e-5", "1e-6"}},
            {"atol_for", {"{ \"bob.x\" = 1e-9 }", "{ \"bob.x\" = 1e-7 }"}},
            {"atol_multipliers", {"1e-3", "1e-2"}},
            {"max_step", {"0.1", "0.2"}},
            {"min_step", {"1e-9", "1e-8"}},
            {"newton", {"2", "3"}},
            {"method_parameter", {"0.5", "0.6"}},
            {"end", {"3", "4"}},
            {"set", {"{ L = 2 }", "{ L = 3 }"}},
            {"gains", {"{ alpha = 2 }", "{ alpha = 3 }"}},
            {"options", {"{ basis = \"frozen\" }", "{ basis = \"fresh\" }"}},
            {"pivot", {"[\"bob.x\"]", "[\"bob.y\"]"}},
            {"allow_inconsistent", {"true", "false"}},
            {"metric", {"\"mass\"", "\"identity\""}},
            {"fixed", {"[\"bob.x\"]", "[\"bob.y\"]"}},
            {"label", {"\"one\"", "\"two\""}},
            {"family", {"\"one\"", "\"two\""}},
            {"vary", {"{ step = [0.1, 0.2] }", "{ step = [0.3] }"}},
            {"event", {"[{ t = 1, formulation = \"ggl\" }]", "[{ t = 2, set = { L = 2 } }]"}},
            {"expect", {"\"failed\"", "\"refused\""}},
            {"ends_exactly", {"false", "true"}},
            {"steps", {"7", "8"}},
            {"variables", {"{ k = 2 }", "{ k = 3 }"}}};
        std::vector<std::string> keys = run::settingNames(run::SettingScope::Run);
        keys.insert(keys.end(), {"label", "family", "vary", "event", "expect", "ends_exactly", "steps", "variables"});
        for (const std::string& key : keys) {
            QVERIFY2(values.contains(key), key.c_str());
            const auto [one, other] = values.at(key);
            const auto line = [&key](const std::string& value) { return key + " = " + value + "\n"; };
            const bool model = key == "model"; // the defaults of every study here have one
            const auto shared = model ? runsOf("", "") : runsOf(line(one), ""),
                       own = runsOf("", model ? line("\"pendulum\"") : line(one));
            QVERIFY2(!own.empty() && shared == own, key.c_str());
            QVERIFY2(!runsOf("", line(other)).empty() && runsOf("", line(other)) != own, key.c_str());
            const bool listed = key == "set" || key == "gains" || key == "options" || key == "atol_for"; // the last one counts
            QVERIFY2(model || listed || runsOf(line(one), line(other)) == runsOf("", line(other)), key.c_str());
        }
        QVERIFY(runsOf("set = { L = 2 }\nvariables = { k = 1 }", "set = { m = 3 }\nvariables = { j = 2 }")
                == runsOf("", "set = { L = 2, m = 3 }\nvariables = { k = 1, j = 2 }"));
        QVERIFY(runsOf("steps = 7", "end = 3") == runsOf("", "end = 3"));
        for (const char* ofOneRun : {"name = \"b\"", "data = \"b.csv\""})
            QVERIFY(runsOf(ofOneRun, "").empty());
        QVERIFY(runsOf("vary = { step = [0.1, 0.2] }\nexpect = \"failed\"\nlabel = \"one\"", "data = \"b.csv\"")
                == runsOf("", "label = \"one\"\ndata = \"b.csv\""));
    }
};

QTEST_GUILESS_MAIN(TestChecks)
#include "test_checks.moc"
