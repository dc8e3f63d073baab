// Results and diagnostics: what they hold, and how a diagnostic is rendered as text and as JSON.
#include <QtTest>

#include <memory>
#include <string>

#include "core/base/Diagnostic.h"
#include "core/base/DiagnosticJson.h"
#include "core/base/Result.h"

using namespace driftless;

namespace {

Diagnostic full()
{
    return {
        .what = "The rod has no length",
        .where = "joint rod",
        .why = "its ends coincide",
        .remedy = "place them apart",
        .position = {.file = "pendulum.toml", .line = 12, .column = 3},
    };
}

} // namespace

class TestResults : public QObject {
    Q_OBJECT
private slots:
    void aResultHoldsItsValueOrItsReason()
    {
        const Result<int> seven(7);
        QVERIFY(seven.ok() && seven);
        QCOMPARE(*seven, 7);
        const Result<int> none(full());
        QVERIFY(!none.ok() && !none);
        QCOMPARE(none.error().what, full().what);
    }

    void whatCannotBeCopiedMovesOut()
    {
        Result<std::unique_ptr<int>> made(std::make_unique<int>(3));
        const std::unique_ptr<int> taken = std::move(made).value();
        QCOMPARE(*taken, 3);
    }

    void aRequestSucceedsUnlessItHasAReason()
    {
        QVERIFY(Result<void>().ok());
        const Result<void> refused(full());
        QVERIFY(!refused);
        QCOMPARE(refused.error().remedy, full().remedy);
    }

    void aPlaceIsWrittenAsFarAsItIsKnown()
    {
        const auto text = [](SourcePosition place) { return QString::fromStdString(place.text()); };
        QCOMPARE(text({.file = "a.toml", .line = 2, .column = 5}), QString("a.toml:2:5"));
        QCOMPARE(text({.file = "a.toml", .line = 2, .column = 0}), QString("a.toml:2"));
        QCOMPARE(text({.file = "a.toml", .line = 0, .column = 5}), QString("a.toml"));
        QCOMPARE(text({.file = "", .line = 2, .column = 5}), QString("2:5"));
        QCOMPARE(text({}), QString());
        QVERIFY(!SourcePosition{}.known());
        QVERIFY((SourcePosition{.file = "a.toml"}.known()) && (SourcePosition{.line = 1}.known()));
    }

    void textLeavesOutWhatIsEmpty()
    {
        Diagnostic d = full();
        QCOMPARE(QString::fromStdString(d.text()),
                 QString("pendulum.toml:12:3: The rod has no length (joint rod): its ends coincide. Try: place them apart"));
        d.position = {};
        QCOMPARE(QString::fromStdString(d.text()),
                 QString("The rod has no length (joint rod): its ends coincide. Try: place them apart"));
        d.where.clear();
        QCOMPARE(QString::fromStdString(d.text()), QString("The rod has no length: its ends coincide. Try: place them apart"));
        d.why.clear();
        QCOMPARE(QString::fromStdString(d.text()), QString("The rod has no length. Try: place them apart"));
        d.remedy.clear();
        QCOMPARE(QString::fromStdString(d.text()), QString("The rod has no length"));
    }

    void jsonHasFourKeysAndThePlaceBeforeWhere()
    {
        Diagnostic d = full();
        d.what = "a \"quoted\" name";
        QCOMPARE(QString::fromStdString(diagnosticJson(d)), QString("{\n"
                                                                    "  \"what\": \"a \\\"quoted\\\" name\",\n"
                                                                    "  \"where\": \"pendulum.toml:12:3: joint rod\",\n"
                                                                    "  \"why\": \"its ends coincide\",\n"
                                                                    "  \"try\": \"place them apart\"\n"
                                                                    "}"));
        d.where.clear();
        QVERIFY(diagnosticJson(d).find("\"where\": \"pendulum.toml:12:3\"") != std::string::npos);
        d.what = "\xff"; // no UTF-8: replaced, never thrown at
        QVERIFY(diagnosticJson(d).find("\xEF\xBF\xBD") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestResults)
#include "test_results.moc"
