// Lesson files: what is read, what is refused and where, and that every shipped lesson fits the program.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "core/formulation/Formulation.h"
#include "core/lesson/Lesson.h"
#include "core/lesson/Proof.h"
#include "core/reduction/Reduced.h"
#include "core/run/Run.h"
#include "core/system/Model.h"
#include "core/system/ShippedModels.h"

using namespace driftless;
using namespace driftless::lesson;

namespace {

const std::string kHead = "format = 1\nid = \"one\"\ntitle = \"One\"\n";
const std::string kStep = "[[step]]\ntitle = \"Watch\"\ntext = \"Watch.\"\n";
const std::string kSetup =
    "[step.setup]\nmodel = \"pendulum\"\n[[step.setup.run]]\nformulation = \"index-1\"\nintegrator = \"rk4\"\n";

Result<Lesson> read(const std::string& text) { return readLesson(text, "one.toml"); }

} // namespace

class TestLesson : public QObject {
    Q_OBJECT

private slots:
    void theSmallestLessonIsRead()
    {
        const auto lesson = read(kHead + kStep + kSetup);
        QVERIFY2(lesson.ok(), lesson ? "" : lesson.error().text().c_str());
        QCOMPARE(lesson->steps.size(), std::size_t(1));
        QCOMPARE(lesson->steps[0].setup->runs[0].formulation, std::string("index-1"));
        QVERIFY(!lesson->steps[0].question);
    }

    void defectsAreRefusedAtTheirPlace_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const std::string& text, int line, const char* says) {
            QTest::newRow(name) << QByteArray::fromStdString(text) << line << QByteArray(says);
        };
        const std::string question = "[step.question]\n";
        row("unknown key", "format = 1\nid = \"one\"\ntitel = \"One\"\n" + kStep + kSetup, 3, "did you mean \"title\"");
        row("unknown key of a step", kHead + "[[step]]\ntitle = \"W\"\ntaks = \"Look\"\n" + kSetup, 6, "did you mean \"task\"");
        row("after itself", kHead + "after = [\"one\"]\n" + kStep + kSetup, 4, "after itself");
        row("after no name", kHead + "after = [\"a b\"]\n" + kStep + kSetup, 4, "lesson");
        row("after a number", kHead + "after = [1]\n" + kStep + kSetup, 4, "list of texts");
        row("no step", kHead, 1, "has no step");
        row("first step without a bench", kHead + kStep, 4, "sets nothing up");
        row("no run", kHead + kStep + "[step.setup]\nmodel = \"pendulum\"\n", 7, "Nothing runs");
        row("unknown formulation",
            kHead + kStep
                + "[step.setup]\nmodel = \"pendulum\"\n[[step.setup.run]]\nformulation = \"indx-1\"\nintegrator = \"rk4\"\n",
            10, "did you mean \"index-");
        row("unknown integrator",
            kHead + kStep
                + "[step.setup]\nmodel = \"pendulum\"\n[[step.setup.run]]\nformulation = \"index-1\"\nintegrator = \"rk5\"\n",
            11, "integrator \"rk5\"");
        row("unknown plot",
            kHead + kStep
                + "[step.setup]\nmodel = \"pendulum\"\nplots = [\"residual\"]\n[[step.setup.run]]\nformulation = "
                  "\"index-1\"\nintegrator = \"rk4\"\n",
            9, "did you mean \"residuals\"");
        row("two right options",
            kHead + kStep + kSetup + question
                + "kind = \"choice\"\ntext = \"?\"\noptions = [{ text = \"a\", right = true }, { text = \"b\", right = true "
                  "}]\n",
            12, "one of them right");
        row("wrong option without a hint",
            kHead + kStep + kSetup + question
                + "kind = \"choice\"\ntext = \"?\"\noptions = [{ text = \"a\", right = true }, { text = \"b\" }]\n",
            15, "has no hint");
        row("number without a tolerance",
            kHead + kStep + kSetup + question
                + "kind = \"number\"\ntext = \"?\"\nmeasure = \"energy\"\nhints = [\"a\", \"b\"]\n",
            12, "cannot be judged");
        row("measure misspelt",
            kHead + kStep + kSetup + question
                + "kind = \"number\"\ntext = \"?\"\nmeasure = \"residual.positon\"\nrelative = 0.1\n",
            15, "did you mean \"residual.position\"");
        row("one hint only",
            kHead + kStep + kSetup + question
                + "kind = \"number\"\ntext = \"?\"\nmeasure = \"energy\"\nrelative = 0.1\nhints = [\"a\"]\n",
            12, "too few hints");
        row("text measure with a bound",
            kHead + kStep + kSetup + question
                + "kind = \"action\"\nhints = [\"a\", \"b\"]\n[[step.question.check]]\nmeasure = \"formulation\"\nbelow = 1\n",
            15, "cannot be decided");
        row("action that cannot be shown",
            kHead + kStep + kSetup + question
                + "kind = \"action\"\nhints = [\"a\", \"b\"]\n[[step.question.check]]\nmeasure = \"time\"\nabove = 1\n",
            4, "Nothing can be shown");
        row("run nine", kHead + kStep + kSetup + question + "kind = \"number\"\ntext = \"?\"\nmeasure = \"energy\"\nrun = 9\n",
            16, "counted from 1 to 8");
        row("endless step",
            kHead + kStep
                + "[step.setup]\nmodel = \"pendulum\"\nuntil = 1e9\n[[step.setup.run]]\nformulation = \"index-1\"\nintegrator "
                  "= \"rk4\"\n",
            9, "no time of a lesson");
        row("a step that does not move time", kHead + kStep + kSetup + "step = 1e-18\n", 7, "too short");
        row("a step that nobody waits for", kHead + kStep + kSetup + "step = 1e-8\n", 7, "ten million steps");
        row("a subnormal step", kHead + kStep + kSetup + "step = 1e-320\n", 12, "out of the range");
        row("a tolerance of one", kHead + kStep + kSetup + "rtol = 1\n", 7, "relative tolerance");
        const std::string claim = "[[step.claim]]\nsentence = \"Watch\"\nmeasure = \"steps\"\nbelow = 1\n"; // lines 12 to 15
        row("a sentence of no text",
            kHead + kStep + kSetup + "[[step.claim]]\nsentence = \"nowhere\"\nmeasure = \"steps\"\nbelow = 1\n", 12,
            "has the sentence");
        row("a sentence of blanks",
            kHead + kStep + kSetup + "[[step.claim]]\nsentence = \" \\t\"\nmeasure = \"steps\"\nbelow = 1\n", 12,
            "has the sentence");
        row("a citation of no text",
            kHead + kStep + kSetup
                + "[[step.citation]]\nsentence = \"nowhere\"\nauthor = \"A\"\nyear = 1990\nnumber = \"1\"\nchecked = "
                  "\"read\"\n",
            12, "has the sentence");
        row("an exemption of no text", kHead + kStep + kSetup + "[[step.exempt]]\nsentence = \"nowhere\"\nreason = \"r\"\n", 12,
            "has the sentence");
        row("a measure with an open bracket",
            kHead + kStep + kSetup + "[[step.claim]]\nsentence = \"Watch\"\nmeasure = \"last(bob.x\"\nbelow = 1\n", 14,
            "cannot be taken");
        row("a run that the bench has not", kHead + kStep + kSetup + claim + "run = 3\n", 12, "has no run 3");
        row("a claim's formulation", kHead + kStep + kSetup + claim + "with = { formulation = \"indx-1\" }\n", 16,
            "did you mean");
        row("a claim's integrator", kHead + kStep + kSetup + claim + "with = { integrator = \"rk5\" }\n", 16, "no integrator");
        row("a claim's event", kHead + kStep + kSetup + claim + "event = [{ t = 0.1, formulation = \"zz\" }]\n", 16,
            "no formulation");
        row("a claim that varies an endless step", kHead + kStep + kSetup + claim + "vary = { step = [0.1, 1e-18] }\n", 12,
            "too short");
        row("not TOML", kHead + "[[step\n", 4, "");
    }
    void defectsAreRefusedAtTheirPlace()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, line);
        QFETCH(QByteArray, says);
        const auto lesson = read(text.toStdString());
        QVERIFY(!lesson.ok());
        const auto& error = lesson.error();
        QVERIFY2(error.text().find(says.toStdString()) != std::string::npos, error.text().c_str());
        QVERIFY2(error.position.line == line, error.text().c_str());
        QCOMPARE(error.position.file, std::string("one.toml"));
    }

    void hostileFilesAreBounded()
    {
        QVERIFY(!read(std::string(2u << 20, ' ')).ok());
        QVERIFY(!read(kHead + "text = " + std::string(1000, '[')).ok());
        std::string many = kHead;
        for (int i = 0; i < 100; ++i)
            many += kStep;
        QVERIFY(!read(many).ok());
        QVERIFY(!read(kHead + "[[step]]\ntitle = \"W\"\ntext = \"" + std::string(50'000, 'x') + "\"\n" + kSetup).ok());
        QVERIFY(!openLesson("/").ok());
        QVERIFY(!openLesson("/dev/zero").ok());
        QVERIFY(!openLesson("no-such-lesson").ok());
        QVERIFY(openLesson("drift-of").error().remedy.find("drift-off") != std::string::npos);
    }

    void theExampleOfTheDocumentationIsALesson()
    {
        QFile page(QStringLiteral(DRIFTLESS_SOURCE_DIR) + "/docs/lessons.md");
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(page.readAll()).section("```toml\n", 1, 1).section("```", 0, 0);
        const auto lesson = read(text.toStdString());
        QVERIFY2(lesson.ok(), lesson ? "" : lesson.error().text().c_str());
        QCOMPARE(lesson->steps[0].question->measure.what.text, std::string("residual.position"));
        QVERIFY(reviewLesson(*lesson).empty()); // who begins with it begins without findings
    }

    /// The page that the window shows is the one that the documentation shows.
    void thePageOfNotationIsOne()
    {
        QFile page(QStringLiteral(DRIFTLESS_SOURCE_DIR) + "/docs/notation.md"),
            source(QString::fromStdString(model::resourceFolder()) + "/notation.md");
        QVERIFY(page.open(QIODevice::ReadOnly) && source.open(QIODevice::ReadOnly));
        const QByteArray text = source.readAll();
        QCOMPARE(page.readAll(), text);
        QVERIFY(!text.contains("\u2032") && !text.contains("\u2033")); // no prime stands for a derivative
        for (const QByteArray& line : text.split('\n'))                // every letter has a meaning
            QVERIFY2(!line.startsWith("| ") || !line.split('|').at(line.count('|') - 1).trimmed().isEmpty(), line.constData());
    }

    void lessonsAreKnownByTheirSteps()
    {
        const std::string folder = model::resourceFolder();
        QVERIFY(isLesson(folder + "/lessons/drift-off.toml"));
        QVERIFY(!isLesson(folder + "/models/pendulum.toml"));
        QVERIFY(!isLesson(folder));
        QVERIFY(!isLesson("/dev/zero"));
        QVERIFY(!isLesson("drift-off"));
    }

    void aModelBesideTheLessonIsFound()
    {
        const auto lesson = read(
            kHead + kStep
            + "[step.setup]\nmodel = \"mine.toml\"\n[[step.setup.run]]\nformulation = \"index-1\"\nintegrator = \"rk4\"\n");
        QVERIFY(lesson.ok());
        QCOMPARE(lesson->steps[0].setup->model, std::string("mine.toml")); // placed by openLesson only, which knows the folder
    }

    void whatAnAuthorHasToMendIsFound_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<QByteArray>("says"); ///< nothing: there is no finding
        const auto row = [](const char* name, const std::string& text, int line, const char* says) {
            QTest::newRow(name) << QByteArray::fromStdString(text) << line << QByteArray(says);
        };
        const std::string first = kHead + kStep + kSetup;                                       // lines 1 to 11
        const std::string last = "[[step]]\ntitle = \"Do\"\ntext = \"Do.\"\nexercise = true\n"; // 12 to 15
        const std::string number =
            "[step.question]\nkind = \"number\"\ntext = \"?\"\nmeasure = \"energy\"\nhints = [\"a\", \"b\"]\n";
        const std::string action = "[[step.show]]\nuntil = 5\n[step.question]\nkind = \"action\"\nhints = [\"a\", \"b\"]\n";
        const std::string time = "[[step.question.check]]\nmeasure = \"time\"\nabove = 5\n";
        const std::string setting = "[[step.question.check]]\nmeasure = \"formulation\"\nis = \"index-1\"\n";
        const std::string result = "[[step.question.check]]\nmeasure = \"residual.position\"\nbelow = 1\n";
        const std::string choice =
            "[step.question]\nkind = \"choice\"\ntext = \"?\"\noptions = [{ text = \"It drifts.\", right = true }, "
            "{ text = \"b\", hint = \"Look: It drifts.\" }]\nhints = [\"a\"]\n";
        row("a number is a result", first + last + number + "relative = 0.1\n", 0, "");
        row("a measure beside the clock is a result", first + last + action + time + result, 0, "");
        row("no exercise", first + "[[step]]\ntitle = \"Do\"\ntext = \"Do.\"\n" + number + "relative = 0.1\n", 12,
            "is not an exercise");
        row("no question", first + last, 12, "is not checked");
        row("only the clock", first + last + action + time, 18, "fulfilled by waiting");
        row("only a setting", first + last + action + time + setting, 18, "is not checked");
        row("a choice at the end",
            first + last
                + "[step.question]\nkind = \"choice\"\ntext = \"?\"\noptions = [{ text = \"a\", right = true }, "
                  "{ text = \"b\", hint = \"c\" }]\nhints = [\"d\"]\n",
            16, "is not checked");
        row("waiting in the middle", first + action + time + last + number + "relative = 0.1\n", 14, "fulfilled by waiting");
        row("a wide tolerance", first + last + number + "relative = 0.3\n", 16, "wider than a plot");
        row("a wide tolerance with a reason", first + last + number + "relative = 0.3\nreason = \"The curve swings.\"\n", 0,
            "");
        row("a hint that tells", first + choice + last + number + "relative = 0.1\n", 12, "repeats the right option");
    }
    void whatAnAuthorHasToMendIsFound()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, line);
        QFETCH(QByteArray, says);
        const auto lesson = read(text.toStdString());
        QVERIFY2(lesson.ok(), lesson ? "" : lesson.error().text().c_str());
        const auto findings = reviewLesson(*lesson);
        QCOMPARE(findings.empty(), says.isEmpty());
        if (says.isEmpty())
            return;
        QVERIFY2(findings[0].what.find(says.toStdString()) != std::string::npos, findings[0].what.c_str());
        QCOMPARE(findings[0].position.line, line);
        QVERIFY(!findings[0].remedy.empty());
    }

    /// Every order of three options comes up equally often over the seeds: 6 cells with 1000 expected in each; a cell is off by
    /// more than 5 standard deviations (5 sqrt(1000)) once in a million draws, and the draws are always the same.
    void ordersOfOptionsAreEvenAndReproducible()
    {
        const auto lesson =
            read(kHead + kStep + kSetup
                 + "[step.question]\nkind = \"choice\"\ntext = \"?\"\nhints = [\"h\"]\noptions = ["
                   "{ text = \"a\", right = true }, { text = \"b\", hint = \"c\" }, { text = \"d\", hint = \"e\" }]\n");
        QVERIFY2(lesson.ok(), lesson ? "" : lesson.error().text().c_str());
        std::map<std::vector<std::size_t>, int> seen;
        for (std::uint64_t seed = 1; seed <= 6000; ++seed) {
            const auto order = optionOrder(*lesson, 0, seed);
            QCOMPARE(order, optionOrder(*lesson, 0, seed));
            ++seen[order];
        }
        QCOMPARE(seen.size(), std::size_t(6));
        for (const auto& [order, count] : seen)
            QVERIFY2(std::abs(count - 1000) < 5 * std::sqrt(1000.0), std::to_string(count).c_str());
        // Another machine draws the same: a hand-out and its solution may be printed on two.
        QCOMPARE(optionOrder(*lesson, 0, 1), (std::vector<std::size_t>{1, 0, 2}));
    }

    void shippedLessonsNeedNoMending()
    {
        std::string all;
        for (const auto& entry : shippedLessons()) {
            const auto lesson = openLesson(entry.id);
            for (const Diagnostic& finding : reviewLesson(*lesson))
                all += "\n" + finding.position.text() + ": " + finding.what + " (" + finding.where + ")";
        }
        QVERIFY2(all.empty(), all.c_str());
    }

    void shippedLessonsAreInOrderAndComplete()
    {
        const auto shipped = shippedLessons();
        QVERIFY(shipped.size() >= 12);
        std::size_t files = 0;
        for (const auto& entry : std::filesystem::directory_iterator(model::resourceFolder() + "/lessons")) {
            const auto lesson = openLesson(entry.path().string());
            QVERIFY2(lesson.ok(), lesson ? "" : lesson.error().text().c_str());
            QCOMPARE(lesson->id, entry.path().stem().string());
            ++files;
        }
        QCOMPARE(files, shipped.size());
        QVERIFY(std::ranges::is_sorted(shipped, {}, &ShippedLesson::order));
        for (const auto& entry : shipped) {
            const auto lesson = openLesson(entry.id);
            QVERIFY(lesson->steps.size() >= 4);
            QVERIFY2(lesson->steps.back().exercise, entry.id.c_str());
            QVERIFY2(lesson->source.find('[') != std::string::npos, entry.id.c_str());
            QVERIFY(!lesson->summary.empty());
        }
    }

    /// What a lesson builds on comes before it in the list, and the afternoon can be walked without any other lesson.
    void shippedLessonsFollowWhatTheyBuildOn()
    {
        const auto shipped = shippedLessons();
        std::map<std::string, const ShippedLesson*> before;
        int afternoon = 0;
        for (const auto& entry : shipped) {
            for (const std::string& id : entry.place.after) {
                QVERIFY2(before.contains(id), (entry.id + " comes after " + id).c_str());
                QVERIFY2(entry.place.afternoon == 0 || before[id]->place.afternoon > 0, (entry.id + " needs " + id).c_str());
            }
            if (entry.place.afternoon > 0)
                QVERIFY2(entry.place.afternoon == ++afternoon, entry.id.c_str());
            before[entry.id] = &entry;
        }
        QCOMPARE(afternoon, 8);
    }

    void shippedLessonsAskTheirBenchesForWhatTheyHave()
    {
        std::string all;
        for (const auto& entry : shippedLessons()) {
            const auto lesson = openLesson(entry.id);
            for (const auto& findings : {reviewBenches(*lesson), renamedMeasures(*lesson)})
                for (const Diagnostic& finding : findings)
                    all += '\n' + finding.text();
        }
        QVERIFY2(all.empty(), all.c_str());
    }

    void whatABenchDoesNotHave_isFound_data()
    {
        QTest::addColumn<QByteArray>("more"); ///< behind the setup of the first step
        QTest::addColumn<QByteArray>("says"); ///< nothing: there is no finding
        const auto row = [](const char* name, const std::string& more, const char* says) {
            QTest::newRow(name) << QByteArray::fromStdString(more) << QByteArray(says);
        };
        const std::string run = "[[step.setup.run]]\nformulation = \"baumgarte\"\nintegrator = \"rk4\"\nstep = 0.1\n";
        const std::string hints = "hints = [\"a\", \"b\"]\n";
        const auto number = [&](const std::string& measure) {
            return "[step.question]\nkind = \"number\"\ntext = \"?\"\nrelative = 0.1\n" + hints + measure;
        };
        const auto check = [&](const std::string& what) {
            return "[[step.show]]\nformulation = \"projection\"\n[step.question]\nkind = \"action\"\n" + hints
                   + "[[step.question.check]]\n" + what;
        };
        const auto plots = [](const std::string& list) { return "[step.setup]\nplots = " + list + "\n"; };
        row("a column of a plot", plots("[{ kind = \"phase\", of = \"bob.x\", against = \"bob.y\" }]"), "");
        row("no column of a plot", plots("[{ kind = \"quantity\", of = \"bob.q\" }]"), "no column \"bob.q\"");
        row("a state", number("measure = \"bob.x\"\n"), "");
        row("a short name", number("measure = \"x\"\n"), "");
        row("no state", number("measure = \"bob.q\"\n"), "bob.q");
        row("an expression", number("measure = \"max(abs(bob.x - L))\"\n"), "");
        row("an expression of no column", number("measure = \"max(abs(bob.q))\"\n"), "bob.q");
        row("no parameter", number("measure = \"parameter.zz\"\n"), "zz");
        row("no run", number("measure = \"steps\"\nrun = 4\n"), "no run 4");
        row("no run inside", number("measure = \"ratio(steps, of(run-4, steps))\"\n"), "run-4");
        row("no denominator", number("measure = \"steps\"\nover = { measure = \"bob.q\" }\n"), "bob.q");
        row("a gain", run + check("measure = \"gain.xi\"\nabove = 1\n"), "");
        row("no gain", run + check("measure = \"gain.zeta\"\nabove = 1\n"), "zeta");
        row("an option of the form that is shown", run + check("measure = \"option.metric\"\nis = \"identity\"\n"), "");
        row("no option", run + check("measure = \"option.zz\"\nis = \"a\"\n"), "zz");
        row("no choice", run + "options = { metric = \"zz\" }\n", "no option \"metric\"");
        row("a run that is refused", "[[step.setup.run]]\nformulation = \"index-3\"\nintegrator = \"rk4\"\nstep = 0.1\n",
            "rk4");
        row("a check that nothing fulfils", check("measure = \"residual.position\"\nabove = 5\nbelow = 1\n"),
            "never be fulfilled");
        row("another run shown", "[[step.show]]\nrun = 7\nreset = true\n", "no run 7");
        row("a parameter shown", "[[step.show]]\nparameters = { Zz = 1 }\n", "parameter \"Zz\"");
        row("an option twice",
            "[step.question]\nkind = \"choice\"\ntext = \"?\"\n" + hints
                + "options = [{ text = \"ja\", right = true }, { text = \"ja\", hint = \"no\" }]\n",
            "say the same");
    }
    void whatABenchDoesNotHave_isFound()
    {
        QFETCH(QByteArray, more);
        QFETCH(QByteArray, says);
        std::string text = kHead + kStep + kSetup + more.toStdString();
        // A second head of the setup adds to the first one.
        if (const auto twice = text.find("[step.setup]\nplots"); twice != std::string::npos) {
            const std::string plots = text.substr(twice + 13);
            text = text.substr(0, twice);
            text.insert(text.find("[[step.setup.run]]"), plots);
        }
        const auto lesson = read(text);
        QVERIFY2(lesson.ok(), lesson ? "" : lesson.error().text().c_str());
        const auto findings = reviewBenches(*lesson);
        QCOMPARE(findings.empty(), says.isEmpty());
        if (!says.isEmpty())
            QVERIFY2(findings[0].text().find(says.toStdString()) != std::string::npos, findings[0].text().c_str());
    }

    /// What only the models can tell: columns, parameters, settings of forms. --check says it.
    void claimsThatCannotBeProved_areFound()
    {
        const auto findings = [](const std::string& measure, const std::string& more) {
            const auto lesson = read(kHead + kStep + kSetup + "[[step.claim]]\nsentence = \"Watch\"\nmeasure = \"" + measure
                                     + "\"\nbelow = 1\n" + more);
            return lesson ? reviewClaims(*lesson) : std::vector<Diagnostic>{lesson.error(), lesson.error()};
        };
        QVERIFY(findings("last(bob.x)", "").empty());
        for (const auto& [measure, more] : {std::pair("last(bob.zz)", ""),
                                            {"zzz", ""},
                                            {"slope(step, steps)", ""},
                                            {"status", ""},
                                            {"of(run-2, steps)", ""},
                                            {"steps", "with = { set = { zz = 1 } }\n"},
                                            {"steps", "with = { gains = { zz = 1 } }\n"},
                                            {"steps", "with = { atol_for = { L = 1 } }\n"},
                                            {"steps", "with = { model = \"pendulm\" }\n"}}) {
            const auto found = findings(measure, more);
            QVERIFY2(found.size() == 1 && found.front().where.find("step 1") == 0, (std::string(measure) + ' ' + more).c_str());
        }
        const auto unknown =
            read(kHead + kStep
                 + "[step.setup]\nmodel = \"pendulm\"\n[[step.setup.run]]\nformulation = \"index-1\"\nintegrator = \"rk4\"\n");
        QVERIFY(unknown.ok());
        QCOMPARE(reviewClaims(*unknown).size(), std::size_t(1));
    }

    void shippedClaims_canBeProved()
    {
        for (const auto& entry : shippedLessons()) {
            const auto lesson = openLesson(entry.id);
            QVERIFY2(lesson.ok(), lesson ? "" : lesson.error().text().c_str());
            const auto found = reviewClaims(*lesson);
            QVERIFY2(found.empty(), found.empty() ? "" : (entry.id + ": " + found.front().text()).c_str());
        }
    }

    /// Every bench can be made: the forms and methods carry the models, the names exist.
    void everyBenchRuns()
    {
        for (const auto& entry : shippedLessons()) {
            const auto lesson = openLesson(entry.id);
            for (const auto& step : lesson->steps) {
                if (!step.setup)
                    continue;
                const auto model = reduction::openModel(step.setup->model);
                QVERIFY2(model.ok(), entry.id.c_str());
                const auto system = model::CompiledSystem::compile(*model);
                QVERIFY(system.ok());
                run::StartSettings start;
                start.allowInconsistent = step.setup->start.allowInconsistent;
                for (const auto& [name, value] : step.setup->start.values) {
                    const auto target = model::resolveName((*model)->system, name);
                    QVERIFY2(target.ok(), name.c_str());
                    (target->kind == model::TargetKind::Parameter ? start.parameters : start.values)[target->fullName] = value;
                }
                for (const auto& settings : step.setup->runs) {
                    const auto run = run::Run::create(*system, start, settings);
                    QVERIFY2(run.ok(), run ? "" : (entry.id + ": " + run.error().text()).c_str());
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestLesson)
#include "test_lesson.moc"
