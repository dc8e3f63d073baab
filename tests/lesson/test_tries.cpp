// What is to be tried with each shipped model: that there is one, that it is one step that a person can do, and that no two say
// the same. That its sentences are true is proved in test_claims; that its buttons do it, in tests/ui/test_tries.
#include <QtTest>

#include <algorithm>
#include <map>
#include <set>

#include "core/lesson/Lesson.h"
#include "core/lesson/Proof.h"
#include "core/reduction/Reduced.h"
#include "core/system/ShippedModels.h"

using namespace driftless;

namespace {

/// Models on which nothing can be done, each for a reason that is looked at below.
const std::map<std::string, std::string> kRefused{{"modified-pendulum", "is singular although its pattern is not"}};

QStringList shapeOf(const lesson::Lesson& one, const std::string& model)
{
    QStringList out;
    const auto need = [&out](bool holds, const char* what) {
        if (!holds)
            out << what;
    };
    need(one.id == "try-" + model, "its id is not try- and the name of the model");
    need(one.steps.size() == 1, "it has more than one step");
    const lesson::Step& step = one.steps.front();
    need(step.setup && step.setup->model == model, "its bench is another model");
    need(step.setup && step.setup->until > 0, "its clock does not stop");
    need(!one.summary.empty() && !step.task.empty(), "it says neither what is shown nor what to do");
    need(step.question && step.question->kind == lesson::Question::Kind::Action, "it asks for nothing to be done");
    need(step.question && !step.question->explanation.empty(), "it does not say what is seen");
    // One check of what was set, and one of what came out.
    need(step.question && step.question->checks.size() >= 2, "it does not check what came out");
    need(!step.show.empty(), "the program cannot do it");
    const bool changed = std::ranges::any_of(step.claims, [](const lesson::StepClaim& claim) { return claim.changes; });
    need(changed || !step.setup->start.values.empty() || step.setup->runs.size() > 1, "it claims nothing of what is done");
    return out;
}

} // namespace

class TestTries : public QObject {
    Q_OBJECT

private slots:
    void eachModelHasOne()
    {
        std::set<std::string> models, tries;
        for (const auto& list : {model::shippedModels(), reduction::shippedEquations()})
            for (const auto& shipped : list)
                if (!kRefused.contains(shipped.id))
                    models.insert(shipped.id);
        for (const auto& one : lesson::shippedTries())
            tries.insert(one.model);
        std::vector<std::string> missing, strange;
        std::ranges::set_difference(models, tries, std::back_inserter(missing));
        std::ranges::set_difference(tries, models, std::back_inserter(strange));
        QVERIFY2(missing.empty(), missing.empty() ? "" : missing.front().c_str());
        QVERIFY2(strange.empty(), strange.empty() ? "" : strange.front().c_str());
        QVERIFY(models.size() > 90);
    }

    void aModelWithoutOneIsRefusedForItsReason()
    {
        for (const auto& [model, reason] : kRefused) {
            const auto opened = reduction::openModel(model);
            QVERIFY2(!opened.ok(), model.c_str());
            QVERIFY2(opened.error().what.find(reason) != std::string::npos, opened.error().what.c_str());
        }
    }

    void itIsOneStepThatCanBeDone()
    {
        QStringList wrong;
        for (const auto& one : lesson::shippedTries()) {
            const auto lesson = lesson::openLesson(one.lesson);
            QVERIFY2(lesson.ok(), one.lesson.c_str());
            for (const QString& what : shapeOf(*lesson, one.model))
                wrong << QString::fromStdString(one.model + ": ") + what;
        }
        QVERIFY2(wrong.isEmpty(), qPrintable("\n" + wrong.join('\n')));
    }

    void noTwoShowTheSame()
    {
        std::set<std::string> shows, sees;
        for (const auto& one : lesson::shippedTries()) {
            QVERIFY2(shows.insert(one.shows).second, one.model.c_str());
            QVERIFY2(sees.insert(one.sees).second, one.model.c_str());
        }
    }

    void anUnknownOneNamesTheNearest()
    {
        const auto lesson = lesson::openLesson("try-pendulun");
        QVERIFY(!lesson.ok());
        QVERIFY2(lesson.error().remedy.find("try-pendulum") != std::string::npos, lesson.error().remedy.c_str());
        // They stand in no list of lessons.
        for (const auto& shipped : lesson::shippedLessons())
            QVERIFY2(!shipped.id.starts_with("try-"), shipped.id.c_str());
    }
};

QTEST_APPLESS_MAIN(TestTries)
#include "test_tries.moc"
