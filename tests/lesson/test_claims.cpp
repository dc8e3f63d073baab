// Every number and every law in the texts of lessons and studies: measured by the program, cited, or exempt with a reason.
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "core/formulation/Formulation.h"
#include "core/integrate/Integrator.h"
#include "core/lesson/Proof.h"
#include "core/reduction/Reduced.h"
#include "core/study/Study.h"
#include "core/system/Model.h"
#include "core/system/ShippedModels.h"
#include "tests/lesson/Sentences.h"

using namespace driftless;
using driftless::test::plain;

namespace {

const std::string kSmall = "format = 1\nid = \"one\"\ntitle = \"One\"\n[[step]]\ntitle = \"Watch\"\ntext = \"It swings by 0.7 "
                           "m. The error has order two.\"\n"
                           "[step.setup]\nmodel = \"pendulum\"\nuntil = 0.5\n[[step.setup.run]]\nformulation = "
                           "\"index-1\"\nintegrator = \"rk4\"\nstep = 0.1\n";
constexpr int kSmallLines = 13;

/// What supports the sentences of one text: parts of sentences with the numbers that they prove, or with all of them.
struct Support {
    QString part;
    std::vector<double> numbers;
    bool everything = false; ///< a citation or an exemption
    mutable bool used = false;
};

void addNumber(std::vector<double>& to, const std::optional<double>& value)
{
    if (value)
        to.insert(to.end(), {*value, -*value});
}

void addNumbers(std::vector<double>& to, const run::RunRequest& request)
{
    for (const auto& value :
         {request.step, request.relativeTolerance, request.absoluteTolerance, request.multiplierTolerance, request.end})
        addNumber(to, value);
    for (const auto* list : {&request.set, &request.gains})
        for (const std::string& assignment : *list)
            addNumber(to, run::parseNumber(assignment.substr(assignment.find('=') + 1)).value());
}

std::vector<double> numbersOf(const study::Claim& claim)
{
    std::vector<double> out;
    for (const auto& value : {claim.below, claim.above, claim.near})
        addNumber(out, value);
    return out;
}

/// Numbers that a person sees on the bench or is asked to set: a sentence may name them without a proof.
std::vector<double> benchNumbers(const lesson::Lesson& lesson, std::size_t place)
{
    std::vector<double> out;
    const lesson::Step& step = lesson.steps[place];
    const lesson::Setup& setup = lesson.setupOf(place);
    addNumber(out, setup.until);
    const auto values = [&out](const std::map<std::string, double>& map) {
        for (const auto& [name, value] : map)
            addNumber(out, value);
    };
    const auto settings = [&](const run::RunSettings& run) {
        for (const double value : {run.options.step, run.options.relativeTolerance, run.options.absoluteTolerance})
            addNumber(out, value);
        values(run.gains);
    };
    values(setup.start.values);
    std::ranges::for_each(setup.runs, settings);
    for (const lesson::Action& action : step.show) {
        values(action.start);
        values(action.parameters);
        values(action.gains);
        for (const auto& value : {action.step, action.tolerance, action.until})
            addNumber(out, value);
        if (action.add)
            settings(*action.add);
    }
    if (step.question)
        for (const lesson::Check& check : step.question->checks) {
            addNumber(out, check.below);
            addNumber(out, check.above);
        }
    return out;
}

std::vector<std::string> textsOf(const lesson::Step& step)
{
    std::vector<std::string> out{step.text, step.task};
    if (!step.question)
        return out;
    const auto& question = *step.question;
    out.push_back(question.text);
    for (const auto& option : question.options) {
        if (option.right)
            out.push_back(option.text); // what a wrong option says is wrong
        out.push_back(option.hint);
    }
    out.insert(out.end(), question.hints.begin(), question.hints.end());
    out.push_back(question.explanation);
    return out;
}

template <class Owner>
void addReasons(std::vector<Support>& to, const Owner& owner)
{
    for (const auto& citation : owner.citations)
        to.push_back({plain(citation.sentence), {}, true});
    for (const auto& exemption : owner.exemptions)
        to.push_back({plain(exemption.sentence), {}, true});
}

std::vector<Support> supportOf(const lesson::Step& step)
{
    std::vector<Support> out;
    for (const auto& claim : step.claims) {
        out.push_back({plain(claim.claim.sentence), numbersOf(claim.claim)});
        addNumbers(out.back().numbers, claim.change);
        addNumber(out.back().numbers, claim.at);
        for (const auto& variation : claim.variations)
            addNumbers(out.back().numbers, variation.change);
        for (const auto& event : claim.events)
            addNumbers(out.back().numbers, event.change);
    }
    addReasons(out, step);
    return out;
}

std::vector<std::string> textsOf(const study::Study& study)
{
    std::vector<std::string> out{study.title, study.summary};
    for (const auto& table : study.tables)
        out.push_back(table.title);
    for (const auto& claim : study.claims)
        out.push_back(claim.text);
    for (const auto& figure : study.figures)
        out.insert(out.end(), {figure.title, figure.caption});
    return out;
}

std::vector<Support> supportOf(const study::Study& study)
{
    std::vector<Support> out;
    for (const auto& claim : study.claims) {
        out.push_back({plain(claim.text), numbersOf(claim)});
        // A number may stand in the measure itself: max(abs(x - 0.0022)).
        const auto written = test::numbersIn(QString::fromStdString(claim.measure.text));
        out.back().numbers.insert(out.back().numbers.end(), written.begin(), written.end());
        if (!claim.sentence.empty()) {
            auto numbers = out.back().numbers;
            out.push_back({plain(claim.sentence), std::move(numbers)});
        }
        // The text of a claim is a sentence that the claim itself decides.
        for (const QString& sentence : test::sentencesOf(claim.text))
            out.push_back({sentence, out.back().numbers});
    }
    addReasons(out, study);
    return out;
}

/// What the runs are given: a caption may name it without a proof.
std::vector<double> runNumbers(const study::Study& study)
{
    std::vector<double> out;
    for (const auto& run : study.runs) {
        addNumbers(out, run.request);
        for (const auto& [name, value] : run.variables)
            addNumber(out, value);
        for (const auto& event : run.events)
            addNumbers(out, event.change);
    }
    return out;
}

/// The texts inside tr("...") of a source of the window, adjacent literals as one.
std::vector<std::string> translatedTexts(const QString& source)
{
    static const QRegularExpression call(QStringLiteral("\\btr\\(\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*)+)"));
    static const QRegularExpression joint(QStringLiteral("\"\\s*\""));
    std::vector<std::string> out;
    for (auto found = call.globalMatch(source); found.hasNext();) {
        QString text = found.next().captured(1).trimmed();
        text = text.mid(1, text.size() - 2);
        out.push_back(text.remove(joint).toStdString());
    }
    return out;
}

/// The sentences that nothing supports, with what is missing; and the supports that belong to no sentence.
QStringList gapsOf(const std::vector<std::string>& texts, const std::vector<Support>& support, const std::vector<double>& known)
{
    QStringList out;
    for (const std::string& text : texts)
        for (const QString& sentence : test::sentencesOf(text)) {
            std::vector<double> proved = known;
            bool everything = false, some = false;
            for (const Support& item : support)
                if (sentence.contains(item.part)) {
                    item.used = some = true;
                    everything = everything || item.everything;
                    proved.insert(proved.end(), item.numbers.begin(), item.numbers.end());
                }
            if (everything)
                continue;
            QStringList missing;
            for (const double number : test::numbersIn(sentence))
                if (std::ranges::none_of(proved, [number](double p) { return test::sameNumber(p, number); }))
                    missing << QString::number(number);
            if (!some && !sentence.endsWith('?') && test::statesLaw(sentence))
                missing << QStringLiteral("a law");
            if (!missing.isEmpty())
                out << QStringLiteral("%1 in \"%2\"").arg(missing.join(", "), sentence);
        }
    for (const Support& item : support)
        if (!item.used)
            out << QStringLiteral("no sentence has \"%1\"").arg(item.part);
    return out;
}

/// What descriptions of models say of numbers that do not stand in the model itself: where each is measured.
std::vector<Support> modelSupport()
{
    static const char* const parts[]{
        "The small crank turns 15.8 rad in 0.03 s", // tests/problems compares it with the reference of the test set
        "a perturbation of 1e-9 has grown out of bounds by t = 42", // measured when the model was made; studies end at t = 5
        "Each flight lasts e times as long as the one before", // tests/problems/test_mechanism_events: the geometric series
        "period 8.63 and energy 1.5 above rest", // claims of the lessons what-is-a-dae and symplectic; [MS91] section 5
    };
    std::vector<Support> out;
    for (const char* part : parts)
        out.push_back({QString::fromUtf8(part), {}, true});
    return out;
}

/// The text without "order 4" and "order four".
std::string withoutOrders(const std::string& text)
{
    static const QRegularExpression order(
        QStringLiteral("\\b[Oo]rder (?:\\d+|zero|one|two|three|four|five|six|seven|eight|nine|thirteen)"));
    return QString::fromStdString(text).remove(order).toStdString();
}

/// What a tooltip says of numbers and laws besides the orders of the methods has its reason here.
std::vector<Support> tooltipSupport()
{
    struct Reason {
        const char *part, *why;
    };
    static const Reason reasons[]{
        {"Write it as 0.25 or 3e-4", "an example of how a number is written"},
        {"a number, such as 0.25 or 3e-4", "an example of how a number is written"},
        {"the positions drift with the errors of the method, at most linearly",
         "errors of q' = v add up; the lesson ggl shows it"},
        {"the positions drift linearly or faster", "the lesson drift-off measures it"},
        {"Computed first at 1e-12, and again at 1e-11", "the tolerances of the reference, as the tooltip names them"},
        {"From order 3 on it enters the left half plane",
         "BDF of order two is A-stable, of three not (Dahlquist 1963); the window draws the region"},
        {"κ of the basis = 1.00", "a basis that follows is orthonormal: its condition number is one"},
    };
    std::vector<Support> out;
    for (const Reason& reason : reasons)
        out.push_back({QString::fromUtf8(reason.part), {}, true});
    return out;
}

} // namespace

class TestClaims : public QObject {
    Q_OBJECT

private slots:
    void aNumberOrLawIsSeen_data()
    {
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QList<double>>("numbers");
        QTest::addColumn<bool>("law");
        QTest::newRow("decimal") << "About 5.6 over 0.05." << QList<double>{5.6, 0.05} << false;
        QTest::newRow("power") << "It is 1.7·10⁻⁵, above 10⁻¹²." << QList<double>{1.7e-5, 1e-12} << false;
        QTest::newRow("places") << "[DN] 4.1, Figure 4.1 and (4.12), Tables 2.3 and 6.1 and Example 3." << QList<double>{}
                                << false;
        QTest::newRow("thousands") << "It takes 10,000.5 s." << QList<double>{10000.5} << false;
        QTest::newRow("code") << "Type `0.25` or `3e-4`." << QList<double>{} << false;
        QTest::newRow("drift") << "A form that keeps only g″ drifts quadratically." << QList<double>{} << true;
        QTest::newRow("order") << "The method has order two." << QList<double>{} << true;
        QTest::newRow("plain") << "Let it play to the end in order to see." << QList<double>{} << false;
    }
    void aNumberOrLawIsSeen()
    {
        QFETCH(QString, sentence);
        QFETCH(QList<double>, numbers);
        QFETCH(bool, law);
        const auto found = test::numbersIn(sentence);
        QVERIFY2(std::ranges::equal(found, numbers, test::sameNumber), qPrintable(sentence));
        QCOMPARE(test::statesLaw(sentence), law);
    }

    void sentencesEndWhereTheyEnd()
    {
        const auto sentences =
            test::sentencesOf("It is 0.5 m. So\nit is [DN] 4.1: Good.\n\n> x = 2.5\n> y = 3\n\nAnd then? Nothing.");
        QCOMPARE(sentences,
                 (QStringList{"It is 0.5 m.", "So it is [DN] 4.1: Good.", "> x = 2.5", "> y = 3", "And then?", "Nothing."}));
    }

    void malformedClaimsAreRefusedAtTheirPlace_data()
    {
        QTest::addColumn<QByteArray>("block");
        QTest::addColumn<int>("line"); ///< of the block, from 1
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const char* block, int line, const char* says) {
            QTest::newRow(name) << QByteArray(block) << line << QByteArray(says);
        };
        row("no sentence", "[[step.claim]]\nmeasure = \"t\"\nis = 1\n", 1, "belongs to no sentence");
        row("no measure", "[[step.claim]]\nsentence = \"Watch\"\nis = 1\n", 1, "measures nothing");
        row("no relation", "[[step.claim]]\nsentence = \"Watch\"\nmeasure = \"t\"\n", 1, "one relation");
        row("two relations", "[[step.claim]]\nsentence = \"Watch\"\nmeasure = \"t\"\nis = 1\nbelow = 2\n", 1, "one relation");
        row("a value without digits", "[[step.claim]]\nsentence = \"Watch\"\nmeasure = \"t\"\nvalue = 1\n", 1,
            "goes with \"digits\"");
        row("half a digit", "[[step.claim]]\nsentence = \"Watch\"\nmeasure = \"t\"\nvalue = 1\ndigits = 0.5\n", 5,
            "whole number");
        row("unknown key", "[[step.claim]]\nsentence = \"Watch\"\nmesure = \"t\"\nis = 1\n", 3, "did you mean \"measure\"");
        row("unknown setting", "[[step.claim]]\nsentence = \"Watch\"\nmeasure = \"t\"\nis = 1\nwith = { stpe = 1 }\n", 5,
            "A run has no \"stpe\"");
        row("nothing varies", "[[step.claim]]\nsentence = \"Watch\"\nmeasure = \"t\"\nis = 1\nvary = { step = [] }\n", 5,
            "list of numbers");
        row("a text varies", "[[step.claim]]\nsentence = \"Watch\"\nmeasure = \"t\"\nis = 1\nvary = { step = [\"a\"] }\n", 5,
            "cannot be varied");
        row("an unknown table varies",
            "[[step.claim]]\nsentence = \"Watch\"\nmeasure = \"t\"\nis = 1\nvary = { \"sets.L\" = [1] }\n", 5,
            "cannot be varied");
        row("run nine", "[[step.claim]]\nsentence = \"Watch\"\nmeasure = \"t\"\nis = 1\nrun = 9\n", 5, "counted from 1 to 8");
        row("a citation without a year",
            "[[step.citation]]\nsentence = \"Watch\"\nauthor = \"A\"\nnumber = \"1\"\nchecked = \"read\"\n", 1,
            "needs the year");
        row("a citation that nobody checked",
            "[[step.citation]]\nsentence = \"Watch\"\nauthor = \"A\"\nyear = 1990\nnumber = \"1\"\n", 1, "checked");
        row("an exemption without a reason", "[[step.exempt]]\nsentence = \"Watch\"\n", 1, "reason");
        row("an empty reason", "[[step.exempt]]\nsentence = \"Watch\"\nreason = \"\"\n", 3, "is empty");
    }
    void malformedClaimsAreRefusedAtTheirPlace()
    {
        QFETCH(QByteArray, block);
        QFETCH(int, line);
        QFETCH(QByteArray, says);
        const auto lesson = lesson::readLesson(kSmall + block.toStdString(), "one.toml");
        QVERIFY(!lesson.ok());
        QVERIFY2(lesson.error().text().find(says.toStdString()) != std::string::npos, lesson.error().text().c_str());
        QVERIFY2(lesson.error().position.line == kSmallLines + line, lesson.error().text().c_str());
    }

    /// The check itself: a number and a law without support are found; a support without a sentence is refused when it is read.
    void whatIsNotSupportedIsFound()
    {
        const auto elsewhere =
            lesson::readLesson(kSmall + "[[step.exempt]]\nsentence = \"Elsewhere\"\nreason = \"a\"\n", "one.toml");
        QVERIFY(!elsewhere.ok() && elsewhere.error().text().find("Elsewhere") != std::string::npos);
        const auto lesson = lesson::readLesson(kSmall, "one.toml");
        QVERIFY2(lesson.ok(), lesson ? "" : lesson.error().text().c_str());
        const QStringList gaps = gapsOf(textsOf(lesson->steps[0]), supportOf(lesson->steps[0]), benchNumbers(*lesson, 0));
        QCOMPARE(gaps.size(), 2);
        QVERIFY(gaps[0].startsWith("0.7 in") && gaps[1].startsWith("a law in"));
    }

    void aParameterVariesByItsName()
    {
        const auto lesson = lesson::readLesson(kSmall
                                                   + "[[step.claim]]\nsentence = \"0.7 m\"\nmeasure = \"parameter.L\"\n"
                                                     "below = 3\nvary = { \"set.L\" = [1, 2] }\n",
                                               "one.toml");
        QVERIFY2(lesson.ok(), lesson ? "" : lesson.error().text().c_str());
        std::vector<double> lengths;
        for (const study::Study& proof : lesson::proofsOf(*lesson, 0))
            for (const study::PlannedRun& run : proof.runs)
                if (const auto length = run.variables.find("L"); length != run.variables.end())
                    lengths.push_back(length->second);
        QVERIFY(lengths == (std::vector<double>{1, 2}));
    }

    void aClaimThatDoesNotHoldIsSaid()
    {
        const auto lesson = lesson::readLesson(
            kSmall + "[[step.claim]]\nsentence = \"0.7 m\"\nmeasure = \"max(bob.x)\"\nvalue = 0.7\ndigits = 1\n", "one.toml");
        QVERIFY2(lesson.ok(), lesson ? "" : lesson.error().text().c_str());
        const auto proofs = lesson::proofsOf(*lesson, 0);
        QCOMPARE(proofs.size(), std::size_t(1));
        const auto results = lesson::prove(proofs[0]);
        QVERIFY2(results.ok(), results ? "" : results.error().text().c_str());
        QCOMPARE(results->size(), std::size_t(1));
        QVERIFY(!results->front().holds && results->front().measured == "1"); // it starts at x = L = 1
    }

    void everyNumberOfALessonIsSupported_data()
    {
        QTest::addColumn<QString>("id");
        for (const auto& entry : lesson::shippedLessons())
            QTest::newRow(entry.id.c_str()) << QString::fromStdString(entry.id);
        for (const auto& entry : lesson::shippedTries())
            QTest::newRow(entry.lesson.c_str()) << QString::fromStdString(entry.lesson);
    }
    void everyNumberOfALessonIsSupported()
    {
        QFETCH(QString, id);
        const auto lesson = lesson::openLesson(id.toStdString());
        QVERIFY2(lesson.ok(), lesson ? "" : lesson.error().text().c_str());
        QStringList gaps;
        for (std::size_t i = 0; i < lesson->steps.size(); ++i) {
            std::vector<std::string> texts = textsOf(lesson->steps[i]);
            if (i == 0)
                texts.push_back(lesson->summary);
            for (const QString& gap : gapsOf(texts, supportOf(lesson->steps[i]), benchNumbers(*lesson, i)))
                gaps << QStringLiteral("step %1: %2").arg(i + 1).arg(gap);
        }
        QVERIFY2(gaps.isEmpty(), qPrintable("\n" + gaps.join('\n')));
    }

    /// Those of what is to be tried with a model: tests/lesson/test_try_claims.
    void everyClaimOfALessonHolds_data()
    {
        QTest::addColumn<QString>("id");
        for (const auto& entry : lesson::shippedLessons())
            QTest::newRow(entry.id.c_str()) << QString::fromStdString(entry.id);
    }
    void everyClaimOfALessonHolds()
    {
        QFETCH(QString, id);
        const auto lesson = lesson::openLesson(id.toStdString());
        QVERIFY(lesson.ok());
        QStringList wrong;
        for (std::size_t i = 0; i < lesson->steps.size(); ++i)
            for (const auto& proof : lesson::proofsOf(*lesson, i)) {
                const auto results = lesson::prove(proof);
                QVERIFY2(results.ok(), results ? "" : results.error().text().c_str());
                for (const auto& result : *results)
                    if (!result.holds)
                        wrong << QStringLiteral("step %1: %2 is %3 of %4 and not %5 %6")
                                     .arg(i + 1)
                                     .arg(QString::fromStdString(result.text), QString::fromStdString(result.measured),
                                          QString::fromStdString(result.run), QString::fromStdString(result.relation),
                                          QString::fromStdString(result.why));
            }
        QVERIFY2(wrong.isEmpty(), qPrintable("\n" + wrong.join('\n')));
    }

    void everyNumberOfAStudyIsSupported_data()
    {
        QTest::addColumn<QString>("id");
        for (const auto& entry : study::shippedStudies())
            QTest::newRow(entry.id.c_str()) << QString::fromStdString(entry.id);
    }
    /// That the claims hold is the study's own test (tests/problems/test_shipped_studies).
    void everyNumberOfAStudyIsSupported()
    {
        QFETCH(QString, id);
        const auto study = study::openStudy(id.toStdString());
        QVERIFY2(study.ok(), study ? "" : study.error().text().c_str());
        const QStringList gaps = gapsOf(textsOf(*study), supportOf(*study), runNumbers(*study));
        QVERIFY2(gaps.isEmpty(), qPrintable("\n" + gaps.join('\n')));
    }

    /// The texts of the gallery. Numbers of the model's own file stand there without a proof.
    void everyNumberOfAModelIsSupported()
    {
        const std::vector<Support> support = modelSupport();
        QStringList gaps;
        for (const auto& shipped : model::shippedModels()) {
            const auto model = reduction::openModel(shipped.path);
            QVERIFY2(model.ok(), model ? "" : model.error().text().c_str());
            const std::string& description = (*model)->description;
            std::string rest = (*model)->text;
            if (const auto place = rest.find(description); !description.empty() && place != std::string::npos)
                rest.erase(place, description.size());
            const auto known = test::numbersIn(QString::fromStdString(rest));
            gaps << gapsOf({shipped.title, description}, support, known).filter(" in \"");
        }
        for (const Support& item : support)
            if (!item.used)
                gaps << "no model says: " + item.part;
        QVERIFY2(gaps.isEmpty(), qPrintable("\n" + gaps.join('\n')));
    }

    /// Tooltips and lists: what formulations and integrators say of themselves, and every text of the window.
    void everyNumberOfATooltipIsSupported()
    {
        std::vector<std::string> texts;
        for (const auto& form : formulation::formulations()) {
            const auto& info = form->info();
            texts.insert(texts.end(), {info.title, info.requirements, info.keeps});
            for (const auto& option : info.options)
                texts.push_back(option.description);
        }
        for (const auto& method :
             integrate::integratorCatalogue()) // their orders are observed for every method in tests/conformance
            texts.push_back(withoutOrders(method.title) + ". " + withoutOrders(method.summary));
        for (const char* room : {"ui", "app"})
            for (const auto& entry :
                 std::filesystem::recursive_directory_iterator(std::filesystem::path(DRIFTLESS_SOURCE_DIR) / room)) {
                QFile file(QString::fromStdString(entry.path().string()));
                if (entry.path().extension() != ".cpp" || !file.open(QIODevice::ReadOnly))
                    continue;
                const auto more = translatedTexts(QString::fromUtf8(file.readAll()));
                texts.insert(texts.end(), more.begin(), more.end());
            }
        QVERIFY(texts.size() > 600);
        const QStringList gaps = gapsOf(texts, tooltipSupport(), {});
        QVERIFY2(gaps.isEmpty(), qPrintable("\n" + gaps.join('\n')));
    }
};

QTEST_APPLESS_MAIN(TestClaims)
#include "test_claims.moc"
