// Lesson files: what is read, what is refused and where, and that every shipped lesson fits the program.
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/formulation/Formulation.h"
#include "core/lesson/Lesson.h"
#include "core/model/Model.h"
#include "core/reduction/Reduced.h"
#include "core/run/Run.h"

using namespace driftless;
using namespace driftless::lesson;

namespace {

const std::string kHead = "format = 1\nid = \"one\"\ntitle = \"One\"\n";
const std::string kStep = "[[step]]\ntitle = \"Watch\"\ntext = \"Watch.\"\n";
const std::string kSetup = "[step.setup]\nmodel = \"pendulum\"\n[[step.setup.run]]\nformulation = \"index-1\"\nintegrator = \"rk4\"\n";

Result<Lesson> read(const std::string& text)
{
    return readLesson(text, "one.toml");
}

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
        row("no step", kHead, 1, "has no step");
        row("first step without a bench", kHead + kStep, 4, "sets nothing up");
        row("no run", kHead + kStep + "[step.setup]\nmodel = \"pendulum\"\n", 7, "Nothing runs");
        row("unknown formulation", kHead + kStep + "[step.setup]\nmodel = \"pendulum\"\n[[step.setup.run]]\nformulation = \"indx-1\"\nintegrator = \"rk4\"\n", 10,
            "did you mean \"index-");
        row("unknown integrator", kHead + kStep + "[step.setup]\nmodel = \"pendulum\"\n[[step.setup.run]]\nformulation = \"index-1\"\nintegrator = \"rk5\"\n", 11,
            "integrator \"rk5\"");
        row("unknown plot", kHead + kStep + "[step.setup]\nmodel = \"pendulum\"\nplots = [\"residual\"]\n[[step.setup.run]]\nformulation = \"index-1\"\nintegrator = \"rk4\"\n",
            9, "did you mean \"residuals\"");
        row("two right options", kHead + kStep + kSetup + question + "kind = \"choice\"\ntext = \"?\"\noptions = [{ text = \"a\", right = true }, { text = \"b\", right = true }]\n", 12,
            "one of them right");
        row("wrong option without a hint", kHead + kStep + kSetup + question + "kind = \"choice\"\ntext = \"?\"\noptions = [{ text = \"a\", right = true }, { text = \"b\" }]\n", 15,
            "has no hint");
        row("number without a tolerance", kHead + kStep + kSetup + question + "kind = \"number\"\ntext = \"?\"\nmeasure = \"energy\"\nhints = [\"a\", \"b\"]\n", 12,
            "cannot be judged");
        row("measure misspelt", kHead + kStep + kSetup + question + "kind = \"number\"\ntext = \"?\"\nmeasure = \"residual.positon\"\nrelative = 0.1\n", 15,
            "did you mean \"residual.position\"");
        row("one hint only", kHead + kStep + kSetup + question + "kind = \"number\"\ntext = \"?\"\nmeasure = \"energy\"\nrelative = 0.1\nhints = [\"a\"]\n", 12,
            "too few hints");
        row("text measure with a bound", kHead + kStep + kSetup + question + "kind = \"action\"\nhints = [\"a\", \"b\"]\n[[step.question.check]]\nmeasure = \"formulation\"\nbelow = 1\n", 15,
            "cannot be decided");
        row("action that cannot be shown", kHead + kStep + kSetup + question + "kind = \"action\"\nhints = [\"a\", \"b\"]\n[[step.question.check]]\nmeasure = \"time\"\nabove = 1\n", 4,
            "Nothing can be shown");
        row("run nine", kHead + kStep + kSetup + question + "kind = \"number\"\ntext = \"?\"\nmeasure = \"energy\"\nrun = 9\n", 16, "counted from 1 to 8");
        row("endless step", kHead + kStep + "[step.setup]\nmodel = \"pendulum\"\nuntil = 1e9\n[[step.setup.run]]\nformulation = \"index-1\"\nintegrator = \"rk4\"\n", 9,
            "no time of a lesson");
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
        QCOMPARE(lesson->steps[0].question->measure.name, std::string("residual.position"));
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
        const auto lesson = read(kHead + kStep + "[step.setup]\nmodel = \"mine.toml\"\n[[step.setup.run]]\nformulation = \"index-1\"\nintegrator = \"rk4\"\n");
        QVERIFY(lesson.ok());
        QCOMPARE(lesson->steps[0].setup->model, std::string("mine.toml")); // placed by openLesson only, which knows the folder
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
