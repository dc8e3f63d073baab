// Bodies dragged at random among walls, struts, strings and stops: what is dragged comes to rest on the surface of a contact
// that is in its way, or the drag is refused and names it. Nothing ever lies behind a contact, what is held can be lifted off,
// and the motion goes on from there.
#include <QtTest>

#include <algorithm>

#include "core/system/Modes.h"
#include "core/system/NominalScales.h"
#include "tests/properties/OneSidedWalk.h"
#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::test;

namespace {

/// The least gap of all contacts, of the usual length; and where it is.
struct LeastGap {
    double share = 0;
    std::string contact;
};

LeastGap leastGap(const run::Run& run)
{
    const auto& system = run.system();
    model::OneSidedEvaluator evaluator(*model::CompiledOneSided::compile(system.modelHandle()));
    evaluator.setParameters(run.status().parameters);
    const auto n = static_cast<std::size_t>(system.n());
    const auto named = run.namedState();
    std::vector<double> q(n), v(n), lambda(static_cast<std::size_t>(system.w()));
    for (std::size_t i = 0; i < n; ++i) {
        q[i] = named[i].second;
        v[i] = named[n + i].second;
    }
    model::SystemEvaluator values(std::shared_ptr<const model::CompiledSystem>(std::shared_ptr<void>(), &system));
    values.setParameters(run.status().parameters);
    const double length = model::nominalScales(values).length;
    LeastGap out{.share = 1, .contact = {}};
    if (!evaluator.numbers(run.t(), q.data(), v.data(), lambda.data()))
        return {.share = -1, .contact = evaluator.message()};
    for (std::size_t i = 0; i < system.system().oneSided.size(); ++i) {
        const model::OneSided& row = system.system().oneSided[i];
        if (row.kind != model::OneSidedKind::Contact || !row.row.holonomic)
            continue;
        const double share = evaluator.of(i).value / evaluator.of(i).scale / length;
        if (share < out.share)
            out = {.share = share, .contact = row.row.name};
    }
    return out;
}

bool namesSomething(const std::string& text, const model::ConstrainedSystem& system)
{
    return std::ranges::any_of(system.oneSided, [&](const auto& one) { return text.find(one.row.name) != std::string::npos; })
           || std::ranges::any_of(system.constraints, [&](const auto& c) { return text.find(c.joint) != std::string::npos; });
}

/// A ball of 1 kg above a floor, its centre at y.
std::unique_ptr<run::Run> ball(const char* form, const char* method, const char* friction = "")
{
    const std::string text =
        "format = 1\n[[body]]\nname = \"ball\"\nkind = \"rigid\"\nmass = 1\ninertia = 0.1\ny = 1\n[[joint]]\n"
        "name = \"floor\"\nkind = \"wall\"\nfrom = \"ground\"\nto = \"ball\"\nradius = 0.2\n"
        + std::string(friction) + "[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n";
    const auto model = model::readModel(text, "ball.toml");
    if (!model)
        qFatal("%s", model.error().text().c_str());
    auto made = run::Run::create(*model::CompiledSystem::compile(*model), {}, settings(form, method, 0, 1e-8));
    if (!made)
        qFatal("%s", made.error().text().c_str());
    return std::move(*made);
}

constexpr double kOnSurface = 1e-9; ///< of a length: what the issue asks of a drag

} // namespace

class TestDrags : public QObject {
    Q_OBJECT

private slots:
    void aBallRestsOnTheFloor_andIsLiftedOff_data()
    {
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("method");
        QTest::addColumn<QString>("friction");
        for (const char* form : {"index-1", "dummy-derivatives", "index-3", "ggl"})
            for (const char* method : {"ida", "radau"}) {
                QTest::addRow("%s with %s", form, method) << form << method << QString();
                QTest::addRow("%s with %s, rubbing", form, method) << form << method << QStringLiteral("friction = 0.3\n");
            }
    }
    void aBallRestsOnTheFloor_andIsLiftedOff()
    {
        QFETCH(QString, form);
        QFETCH(QString, method);
        QFETCH(QString, friction);
        const auto run = ball(qPrintable(form), qPrintable(method), qPrintable(friction));
        QVERIFY(run->advanceTo(0.1));
        const auto drag = [&](double x, double y) {
            return run->apply(run->t(), run::SetState{{{"ball.x", x}, {"ball.y", y}, {"ball.x'", 0}, {"ball.y'", 0}}});
        };
        // Straight down and far below: it lies on the floor under the pointer, and stays there.
        const auto down = drag(0.7, -3);
        QVERIFY2(down.ok(), down ? "" : down.error().text().c_str());
        QVERIFY(std::abs(valueOf(*run, "ball.y") - 0.2) <= kOnSurface && std::abs(valueOf(*run, "ball.x") - 0.7) <= kOnSurface);
        QVERIFY(run->status().mode.starts_with("floor"));
        QVERIFY(run->advanceTo(0.3));
        QVERIFY(std::abs(valueOf(*run, "ball.y") - 0.2) <= 1e-6); // a hundred tolerances
        // Along the floor, still below it; then up: nothing holds it.
        QVERIFY(drag(-0.4, 0));
        QVERIFY(std::abs(valueOf(*run, "ball.x") + 0.4) <= kOnSurface && std::abs(valueOf(*run, "ball.y") - 0.2) <= kOnSurface);
        QVERIFY(drag(-0.4, 0.7));
        QVERIFY(std::abs(valueOf(*run, "ball.y") - 0.7) <= kOnSurface);
        QCOMPARE(run->status().mode, std::string("free"));
        const double t = run->t();
        QVERIFY(run->advanceTo(t + 0.2));
        QVERIFY(std::abs(valueOf(*run, "ball.y") - (0.7 - 9.81 * 0.02)) <= 1e-6); // it falls
        QVERIFY(run->advanceTo(t + 1));
        QVERIFY(leastGap(*run).share >= -1e-6);
    }

    /// The mode of a time behind a drag is that into which it led, also where the past is looked at or gone back to.
    void theModeBehindADrag_isKnown()
    {
        const auto run = ball("index-1", "radau");
        QVERIFY(run->advanceTo(0.1));
        QVERIFY(run->apply(0.1, run::SetState{{{"ball.y", 0}, {"ball.y'", 0}}}));
        QVERIFY(run->advanceTo(0.3));
        QVERIFY(run->apply(0.3, run::SetState{{{"ball.y", 1}}}));
        QVERIFY(run->advanceTo(0.5));
        QVERIFY(run->apply(0.5, run::Branch{0.2}));
        QVERIFY(run->status().mode.starts_with("floor"));
        QVERIFY(run->advanceTo(0.4));
        QVERIFY(std::abs(valueOf(*run, "ball.y") - 0.2) <= 1e-6); // a hundred tolerances
    }

    /// A rod that is too short to reach over the wall: the drag ends where both hold.
    void aJointAndAContact_bothHold()
    {
        const auto model =
            model::readModel("format = 1\n[[body]]\nname = \"bob\"\nkind = \"point\"\nmass = 1\nx = 0\ny = -1\n[[joint]]\n"
                             "name = \"rod\"\nkind = \"rod\"\nfrom = \"ground\"\nto = \"bob\"\nlength = 1\n[[joint]]\n"
                             "name = \"side\"\nkind = \"wall\"\nfrom = { body = \"ground\", at = [0.6, 0] }\nto = \"bob\"\n"
                             "angle = \"pi/2\"\n",
                             "bob.toml");
        QVERIFY2(model.ok(), model ? "" : model.error().text().c_str());
        auto made = run::Run::create(*model::CompiledSystem::compile(*model), {}, settings("index-1", "radau", 0, 1e-8));
        QVERIFY2(made.ok(), made ? "" : made.error().text().c_str());
        const auto done = (*made)->apply(0, run::SetState{{{"bob.x", 3}, {"bob.y", -1}}});
        QVERIFY2(done.ok(), done ? "" : done.error().text().c_str());
        QVERIFY(std::abs(valueOf(**made, "bob.x") - 0.6) <= kOnSurface);
        QVERIFY(std::abs(valueOf(**made, "bob.y") + 0.8) <= kOnSurface);
    }

    void randomDrags_neverPassAContact()
    {
        static constexpr const char* kForms[] = {"index-1", "dummy-derivatives", "projection", "index-3"};
        const std::uint64_t seed = seedOr(23'501);
        int drags = 0, refused = 0, touched = 0;
        std::string missed;
        for (int k = 0; k < countOr(30); ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            const OneSidedCase drawn = drawnOneSided(draw);
            std::string failure;
            const auto run = begunOneSided(drawn, draw.among(kForms), "radau", failure);
            QVERIFY2(run, failure.c_str());
            for (int d = 0; d < 6 && !run->failed(); ++d) {
                const std::string body = "b" + std::to_string(draw.upTo(0, drawn.points - 1));
                const auto done = run->apply(
                    run->t(), run::SetState{{{body + ".x", draw.decimal(-4, 4)}, {body + ".y", draw.decimal(-2, 5)}}});
                ++drags;
                const std::string where =
                    "seed " + std::to_string(seed + static_cast<std::uint64_t>(k)) + ", drag " + std::to_string(d) + ": ";
                if (!done && !namesSomething(done.error().text(), run->system().system()))
                    missed += where + done.error().text() + "\n";
                refused += !done;
                const LeastGap least = leastGap(*run);
                touched += done.ok() && std::abs(least.share) <= kOnSurface;
                if (done && least.share < -kOnSurface)
                    missed += where + least.contact + " is passed by " + QString::number(-least.share).toStdString() + "\n";
                if (!run->advanceTo(run->t() + 0.05) && run->status().diagnostic)
                    missed += where + run->status().diagnostic->text() + "\n";
            }
        }
        std::printf("%d drags, %d on a surface, %d refused\n", drags, touched, refused);
        QVERIFY2(missed.empty(), missed.c_str());
        QVERIFY2(touched >= drags / 10 && refused <= drags / 10, "too few drags end on a surface, or too many are refused");
    }
};

QTEST_GUILESS_MAIN(TestDrags)
#include "test_drags.moc"
