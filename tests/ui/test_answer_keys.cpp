// The number that a question asks for, measured as a student does, is the one that stands in its explanation.
#include <QtTest>

#include <map>

#include "tests/lesson/Sentences.h"
#include "ui/document/LessonBench.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::test;

namespace {

/// All that can be read as a number, whole ones and words as well.
std::vector<double> allNumbersIn(const QString& text)
{
    std::vector<double> out = numbersIn(text);
    static const QRegularExpression whole(QStringLiteral("(?<![\\w.,])\\d[\\d,]*(?![\\w.])"));
    for (auto found = whole.globalMatch(text); found.hasNext();)
        out.push_back(found.next().captured(0).remove(',').toDouble());
    static const std::map<QString, double> words{
        {"zero", 0},    {"none", 0},    {"one", 1},      {"once", 1},        {"two", 2},    {"twice", 2}, {"three", 3},
        {"four", 4},    {"five", 5},    {"six", 6},      {"seven", 7},       {"eight", 8},  {"nine", 9},  {"ten", 10},
        {"eleven", 11}, {"twelve", 12}, {"sixteen", 16}, {"thirty-two", 32}, {"half", 0.5}, {"never", 0}, {"no", 0}};
    for (const QString& word : text.toLower().split(QRegularExpression("[^a-z-]+")))
        if (const auto found = words.find(word); found != words.end())
            out.push_back(found->second);
    static const QRegularExpression quotient(QStringLiteral("(\\S+)(?: [smNrad²/]+)? (?:over|and) (\\S+)"));
    for (auto found = quotient.globalMatch(text); found.hasNext();) {
        const auto match = found.next();
        for (const double x : allNumbersIn(match.captured(1)))
            for (const double y : allNumbersIn(match.captured(2)))
                if (y != 0)
                    out.push_back(x / y);
    }
    return out;
}

} // namespace

class TestAnswerKeys : public QObject {
    Q_OBJECT

private slots:
    /// What the exercise of the lesson rotation-in-space says: the top is steady for every spin, and nods under another weight.
    void anotherWeightLetsTheTopNod()
    {
        const auto swing = [](const char* parameter, double value, bool moving) { // of the height over three seconds [m]
            Document document;
            const auto lesson = lesson::openLesson("rotation-in-space");
            if (!lesson.ok() || !document.opener().setUp(lesson->setupOf(lesson->steps.size() - 1), "top").ok())
                return std::nan("");
            auto& laboratory = document.laboratory();
            if (moving)
                laboratory.waitUntil(2);
            if (!document.control().setParameter(parameter, value))
                return std::nan("");
            laboratory.waitUntil(5);
            const auto recording = laboratory.recording(document.runs().front().id);
            const auto height = recording.range(recording.findColumn("top.z"), 2, 5);
            return height.maximum - height.minimum;
        };
        QVERIFY(swing("w", 90, false) < 1e-3);
        QVERIFY(swing("g", 15, true) > 0.02); // a twentieth of its height
    }

    void theKeyIsTheNumberOfTheExplanation()
    {
        constexpr double kDefaultEnd = 10; // as where a lesson states none
        Document document;
        QStringList wrong;
        int asked = 0;
        for (const auto& shipped : lesson::shippedLessons()) {
            const auto lesson = lesson::openLesson(shipped.id);
            QVERIFY(lesson.ok());
            for (std::size_t i = 0; i < lesson->steps.size(); ++i) {
                const auto& question = lesson->steps[i].question;
                if (!question || question->kind != lesson::Question::Kind::Number)
                    continue;
                const auto& setup = lesson->setupOf(i);
                const double end = setup.until > 0 ? setup.until : kDefaultEnd;
                QVERIFY(document.opener().setUp(setup, "key").ok());
                document.laboratory().waitUntil(end);
                document.playback().scrub(end);
                document.playback().tick(0);
                const auto key = rightAnswer(document, *question, end);
                const QString where = QStringLiteral("%1, step %2: ").arg(QString::fromStdString(shipped.id)).arg(i + 1);
                if (!key.number) { // what "Show me" does comes first
                    for (const auto& action : lesson->steps[i].show) {
                        perform(document, action);
                        document.laboratory().waitUntil(action.until.value_or(end));
                        document.playback().scrub(action.until.value_or(end));
                        document.playback().tick(0);
                    }
                }
                const auto after = key.number ? key : rightAnswer(document, *question, end);
                if (!after.number) {
                    wrong << where + after.problem;
                    continue;
                }
                ++asked;
                // Half of what a student is allowed to be off is left to those who read the text.
                const double allowed = std::max(question->absolute, question->relative * std::abs(*after.number)) / 2;
                const QString text = QString::fromStdString(question->explanation);
                const std::vector<double> stated = allNumbersIn(text);
                if (!stated.empty() && std::ranges::none_of(stated, [&](double x) {
                        return std::abs(std::abs(x) - std::abs(*after.number)) <= allowed;
                    }))
                    wrong << where + QStringLiteral("%1, and the text says: %2").arg(*after.number, 0, 'g', 4).arg(text);
            }
        }
        QVERIFY(asked > 60);
        for (const QString& one : wrong)
            qWarning("%s", qPrintable(one));
        QVERIFY(wrong.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestAnswerKeys)
#include "test_answer_keys.moc"
