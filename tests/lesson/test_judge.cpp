// What a lesson says where the time of a check has not come: to play on, where playing leads there, and else what is wrong.
#include <QtTest>

#include <string>

#include "core/lesson/Judge.h"
#include "core/lesson/Lesson.h"
#include "core/measure/Syntax.h"
#include "core/reduction/Reduced.h"
#include "core/run/Laboratory.h"
#include "core/run/Run.h"
#include "core/system/CompiledSystem.h"

using namespace driftless;

class TestJudge : public QObject {
    Q_OBJECT

private slots:
    /// A run that the model ends at 1 s has reached 0.5 s, and will not reach 2 s.
    void whatEndsIsPlayedToItsEndAlone()
    {
        const auto model = reduction::readModel(
            "model ends\n  Real x(start = 0, fixed = true);\nequation\n  der(x) = 1;\n  when x > 1 then\n    "
            "terminate(\"that is all\");\n  end when;\nend ends;\n",
            "ends.mo");
        QVERIFY(model.ok());
        const auto system = model::CompiledSystem::compile(*model);
        QVERIFY(system.ok());
        run::Laboratory laboratory(*system, {}, 1);
        run::RunSettings settings;
        settings.formulation = "dummy-derivatives";
        settings.integrator = "radau";
        const auto id = laboratory.addRun(settings);
        QVERIFY(id.ok());
        laboratory.waitUntil(2);
        QVERIFY(laboratory.status(*id).state == run::RunState::Failed);
        const measure::LiveBench bench{
            .laboratory = laboratory, .runs = {{*id, "Run 1"}}, .parameters = (*system)->defaultParameters(), .reference = {}};
        const auto problemAt = [&](double at) {
            lesson::Question question;
            question.kind = lesson::Question::Kind::Action;
            question.checks.push_back({.measure = {.what = {.text = "x", .position = {}}, .run = 1, .at = at},
                                       .over = {},
                                       .is = {},
                                       .below = -1,
                                       .above = {}});
            return lesson::judgeAction(bench, question, 0.2);
        };
        const auto before = problemAt(0.5), behind = problemAt(2);
        QVERIFY2(!before.right && before.early && before.problem.find("let it play to 0.5 s") != std::string::npos,
                 before.problem.c_str());
        QVERIFY2(!behind.right && !behind.early && behind.problem.find("let it play") == std::string::npos,
                 behind.problem.c_str());
    }
};

QTEST_GUILESS_MAIN(TestJudge)
#include "test_judge.moc"
