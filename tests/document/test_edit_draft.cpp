// What an edit of a mechanism's text brings with it, without a document: start values, the chart, the assembly.
#include <QTest>

#include "core/reduction/Reduced.h"
#include "ui/document/EditDraft.h"

using namespace driftless;
using namespace driftless::ui;
using model::ModelText;

namespace {

constexpr const char* kTwoMasses = R"(format = 1
name = "two"

[[body]]
name = "a"
kind = "point"
mass = 1
x = 0
y = 0

[[body]]
name = "b"
kind = "point"
mass = 1
x = 3
y = 0
)";

constexpr const char* kRod = R"(
[[joint]]
name = "rod1"
kind = "rod"
from = "a"
to = "b"
length = 2
)";

struct Read {
    ModelText text;
    std::vector<model::Coordinate> coordinates;
    model::ModelState state;
};

Read read(const std::string& toml)
{
    auto text = ModelText::read(toml, "two.toml");
    const auto model = reduction::readModel(toml, "two.toml");
    if (!text || !model)
        qFatal("%s", (text ? model.error() : text.error()).text().c_str());
    Read out{std::move(text).value(), (*model)->system.coordinates, {}};
    out.state.resize(static_cast<int>(out.coordinates.size()), 0);
    return out;
}

} // namespace

class TestEditDraft : public QObject {
    Q_OBJECT
private slots:
    void onlyWhatMovedIsWritten()
    {
        const Read r = read(kTwoMasses);
        model::ModelState to = r.state;
        QVERIFY(startChanges(r.text, r.coordinates, to, r.state, false).empty());
        to.q.back() = 0.5;
        const auto changes = startChanges(r.text, r.coordinates, to, r.state, false);
        QCOMPARE(changes.size(), std::size_t(1));
        ModelText text = r.text;
        QVERIFY(text.setFields(changes).ok());
        const auto again = reduction::readModel(text.text(), "two.toml");
        QVERIFY(again.ok());
        QVERIFY(text.text() != r.text.text());
        QCOMPARE(startChanges(r.text, r.coordinates, to, r.state, true).size(), r.coordinates.size()); // velocities are zero
    }

    void tablesThatWentAreLeftOut()
    {
        const Read r = read(kTwoMasses);
        ModelText text = r.text;
        QVERIFY(text.remove("a").ok());
        QCOMPARE(startChanges(text, r.coordinates, r.state, r.state, true).size(), r.coordinates.size() / 2);
    }

    void textWithoutAChartIsItsOwnDraft()
    {
        const Read r = read(kTwoMasses);
        QCOMPARE(draftOf(r.text, r.coordinates, r.state).text(), r.text.text());
    }

    void whatIsJoinedIsMovedTogether()
    {
        auto text = ModelText::read(std::string(kTwoMasses) + kRod, "two.toml");
        QVERIFY(text.ok());
        assemble(*text, {});
        const auto model = reduction::readModel(text->text(), "two.toml");
        QVERIFY(model.ok());
        const auto compiled = model::CompiledSystem::compile(*model);
        QVERIFY(compiled.ok());
        model::SystemEvaluator evaluator(*compiled);
        model::ModelState start;
        start.resize((*compiled)->n(), (*compiled)->w());
        evaluator.starts(start.q.data(), start.v.data(), start.lambda.data() + (*compiled)->m());
        const double x = start.q[2] - start.q[0], y = start.q[3] - start.q[1];
        constexpr double kWritten = 1e-6; // [m] as far as numbers are written
        QVERIFY(std::abs(std::hypot(x, y) - 2) < kWritten);
    }

    void endAtTheCentreIsTheNameAlone()
    {
        QCOMPARE(endText({"bar", {}}), std::string("\"bar\""));
        QCOMPARE(endText({"bar", QPointF(1e-8, 0)}), std::string("\"bar\""));
        QVERIFY(endText({"bar", QPointF(0.5, 0)}).find("at = ") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestEditDraft)
#include "test_edit_draft.moc"
