// Motions linearised into pencils, and the pendulum stated in three ways: a mechanism, a Lagrangian, a text of equations.
#include <QtTest>

#include <algorithm>
#include <cmath>

#include "core/formulation/Formulation.h"
#include "core/mechanism/ReadModel.h"
#include "core/pencil/Pencil.h"
#include "core/run/Linearise.h"
#include "core/run/RunRequest.h"
#include "core/system/ShippedModels.h"
#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::run;
using namespace driftless::test;

namespace {

pencil::LinearDae pencilOf(const LinearisedDae& linear)
{
    pencil::LinearDae out;
    out.n = linear.n();
    out.E = out.A = pencil::Matrix(out.n, out.n);
    out.E.values = linear.E;
    out.A.values = linear.A;
    out.f.assign(static_cast<std::size_t>(out.n), expr::Expr(0));
    return out;
}

/// t = 1 is no special point of any of these motions.
LinearisedDae linearised(const std::string& model, const std::string& formulation, double t = 1)
{
    const auto system = compiled(model);
    auto made = Run::create(system, {}, settings(formulation, "radau-iia-5", 0.01));
    if (!made)
        qFatal("%s", made.error().text().c_str());
    if (t > 0 && !(*made)->advanceTo(t))
        qFatal("%s", (*made)->status().diagnostic->text().c_str());
    auto out = linearise(system, (*made)->status(), (*made)->recording(), t);
    if (!out)
        qFatal("%s", out.error().text().c_str());
    return *std::move(out);
}

} // namespace

class TestLinearise : public QObject {
    Q_OBJECT
private slots:
    void theKroneckerIndexIsThatOfTheFormulation_data()
    {
        QTest::addColumn<QString>("form");
        QTest::addColumn<int>("index");
        for (const auto& [form, index] : std::vector<std::pair<const char*, int>>{{"index-3", 3},
                                                                                  {"index-2", 2},
                                                                                  {"index-1", 1},
                                                                                  {"underlying-ode", 0},
                                                                                  {"dummy-derivatives", 1},
                                                                                  {"baumgarte", 1},
                                                                                  {"ggl", 2},
                                                                                  {"state-space", 0},
                                                                                  {"projection", 1},
                                                                                  {"coordinate-partitioning", 1}})
            QTest::newRow(form) << QString(form) << index;
    }
    void theKroneckerIndexIsThatOfTheFormulation()
    {
        QFETCH(QString, form);
        QFETCH(int, index);
        for (const char* model : {"pendulum", "lagrangian-pendulum-redundant"}) {
            const LinearisedDae linear = linearised(model, form.toStdString());
            QCOMPARE(linear.t, 1.0);
            QCOMPARE(linear.rows.size(), linear.unknowns.size());
            QVERIFY2(linear.residual < 1e-6,
                     qPrintable(QString::number(linear.residual))); // q and v come from the run: its tolerance
            const auto analysis = pencil::analyse(pencilOf(linear));
            QVERIFY2(analysis.ok(), analysis ? "" : analysis.error().text().c_str());
            QVERIFY(analysis->regular && !analysis->uncertain);
            // An ordinary differential equation written with an algebraic definition of a rate has index one.
            QVERIFY2(analysis->index == index || (index == 0 && analysis->index == 1), QByteArray::number(analysis->index));
            if (form == "index-3") { // one degree of freedom: two finite eigenvalues
                QCOMPARE(analysis->n2, 2);
                QCOMPARE(analysis->nilpotentBlocks, (std::vector<int>{3}));
            }
        }
    }

    void eigenvaluesAtRestAreTheFrequencyOfTheSmallOscillation()
    {
        const auto system = compiled("pendulum");
        auto made = Run::create(system, {{}, {{"phi", 0.0}, {"phi'", 0.0}}, false}, settings("index-3", "radau-iia-5", 0.01));
        QVERIFY2(made.ok(), made ? "" : made.error().text().c_str());
        const auto linear = linearise(system, (*made)->status(), (*made)->recording(), 0);
        QVERIFY2(linear.ok(), linear ? "" : linear.error().text().c_str());
        const auto analysis = pencil::analyse(pencilOf(*linear));
        QVERIFY(analysis.ok() && analysis->regular);
        QCOMPARE(analysis->eigenvalues.size(), std::size_t(2));
        for (const auto& [re, im] : analysis->eigenvalues) { // +- i sqrt(g / L) = +- i
            QVERIFY(std::abs(re) < 1e-10);                   // conditioning of the reduction of a 5 x 5 pencil
            QVERIFY(std::abs(std::abs(im) - 1) < 1e-10);
        }
    }

    void theMatricesAreDifferencesOfTheResidual()
    {
        const auto system = compiled("double-pendulum");
        auto made = Run::create(system, {}, settings("index-3", "radau-iia-5", 0.01));
        QVERIFY(made.ok() && (*made)->advanceTo(0.5));
        const auto linear = linearise(system, (*made)->status(), (*made)->recording(), 0.5);
        QVERIFY(linear.ok());
        const int n = linear->n();
        // The kinematic rows read der(q) - v, the constraint rows - dg/dq: one at the unknown's own place, -(-1) at its
        // velocity's.
        int kinematic = 0;
        for (int i = 0; i < n; ++i) {
            double rates = 0;
            int places = 0;
            for (int j = 0; j < n; ++j) {
                rates += std::abs(linear->E[static_cast<std::size_t>(i * n + j)]);
                places += linear->A[static_cast<std::size_t>(i * n + j)] != 0;
            }
            kinematic += rates == 1 && places == 1;
        }
        QVERIFY(kinematic >= 4);
    }

    void aTimeBeyondTheRecordingIsItsEnd()
    {
        QCOMPARE(linearised("pendulum", "index-1", 0).t, 0.0);
        const auto system = compiled("pendulum");
        auto made = Run::create(system, {}, settings("index-1", "radau-iia-5", 0.01));
        QVERIFY(made.ok() && (*made)->advanceTo(0.3));
        QCOMPARE(linearise(system, (*made)->status(), (*made)->recording(), 5)->t, 0.3);
        QVERIFY(!linearise(system, (*made)->status(), RecordingView(), 0).ok());
    }

    void thePendulumMovesTheSameWhateverStatesIt_data()
    {
        QTest::addColumn<QString>("form");
        for (const auto& form : formulation::formulations())
            QTest::newRow(form->info().id.c_str()) << QString::fromStdString(form->info().id);
    }
    /// Mechanism and redundant Lagrangian have the same equations: only the solver's tolerance may differ. The angle and the
    /// text of equations are other equations for the same motion: the methods' errors remain.
    void thePendulumMovesTheSameWhateverStatesIt()
    {
        QFETCH(QString, form);
        constexpr double kEnd = 2, kStep = 0.005, kSameEquations = 1e-9;
        // Radau IIA's error at this step is below 1e-9; formulas of index three and two lose orders in v, but not in q. Springs
        // give way.
        double sameMotion = 1e-6;
        if (form == "penalty")
            sameMotion = 2e-2;
        else if (form == "augmented-lagrangian")
            sameMotion = 1e-4;
        const auto s = settings(form.toStdString(), "radau-iia-5", kStep, 1e-10);
        auto mechanism = started("pendulum", {}, s), redundant = started("lagrangian-pendulum-redundant", {}, s),
             minimal = started("lagrangian-pendulum", {}, s);
        for (Run* run : {mechanism.get(), redundant.get(), minimal.get()})
            QVERIFY2(run->advanceTo(kEnd), run->status().diagnostic ? run->status().diagnostic->text().c_str() : "");
        const double x = valueOf(*mechanism, "bob.x"), y = valueOf(*mechanism, "bob.y");
        QVERIFY2(std::hypot(x - valueOf(*redundant, "x"), y - valueOf(*redundant, "y")) < kSameEquations,
                 QByteArray::number(std::hypot(x - valueOf(*redundant, "x"), y - valueOf(*redundant, "y"))));
        const double phi = valueOf(*minimal, "phi");
        const double off = std::hypot(x - std::sin(phi), y + std::cos(phi));
        QVERIFY2(off < sameMotion, QByteArray::number(off));
    }

    void theTextOfEquationsMovesLikeTheLagrangian()
    {
        const auto system = openSystem("pendulum-equations");
        QVERIFY2(system.ok(), system ? "" : system.error().text().c_str());
        auto text = Run::create(*system, {}, settings("dummy-derivatives", "radau-iia-5", 0.005, 1e-10)); // from x = 1 at rest
        QVERIFY2(text.ok(), text ? "" : text.error().text().c_str());
        QVERIFY((*text)->advanceTo(2));
        auto minimal = started("lagrangian-pendulum", {{}, {{"phi", std::acos(-1.0) / 2}, {"phi'", 0.0}}, false},
                               settings("state-space", "radau-iia-5", 0.005, 1e-10));
        QVERIFY(minimal->advanceTo(2));
        const double phi = valueOf(*minimal, "phi");
        const double off = std::hypot(valueOf(**text, "x") - std::sin(phi), valueOf(**text, "y") + std::cos(phi));
        QVERIFY2(off < 1e-7,
                 QByteArray::number(off)); // order five at this step leaves 1e-9, dummies changed on the way another digit
        const auto linear = linearise(*system, (*text)->status(), (*text)->recording(), 2);
        QVERIFY2(linear.ok(), linear ? "" : linear.error().text().c_str());
        QVERIFY2(linear->residual < 1e-5, QByteArray::number(linear->residual)); // Newton's tolerance in rows that hold rates
        const auto analysis = pencil::analyse(pencilOf(*linear));
        QVERIFY(analysis.ok() && analysis->regular && !analysis->uncertain);
        QVERIFY2(analysis->index == 1 && analysis->n2 == 2, QByteArray::number(analysis->index)); // one degree of freedom
    }

    /// A bead on a dome has one degree of freedom until it leaves it, and two behind that.
    void theRowsInForceAreLinearised()
    {
        for (const auto& [t, freedom] : {std::pair(0.1, 1), std::pair(1.5, 2)}) {
            const LinearisedDae linear = linearised("dome", "dummy-derivatives", t);
            const auto analysis = pencil::analyse(pencilOf(linear));
            QVERIFY(analysis.ok() && analysis->regular);
            QCOMPARE(analysis->n2, 2 * freedom);
            QVERIFY2(linear.residual < 1e-6, QByteArray::number(linear.residual));
        }
        const LinearisedDae slides = linearised("block-on-incline", "index-1", 0.1);
        QVERIFY(std::ranges::find(slides.unknowns, "incline.lambda") != slides.unknowns.end());
    }

    /// Every shipped model with modes, in whatever mode it is: the unknowns are those of the run, and the motion solves them.
    void everyModelWithModesIsLinearisedWhereItIs()
    {
        int judged = 0;
        for (const model::ShippedModel& shipped : model::shippedModels()) {
            const auto system = openSystem(shipped.id);
            if (!system || (*system)->system().oneSided.empty())
                continue;
            for (const char* form : {"index-1", "dummy-derivatives", "coordinate-partitioning", "ggl"})
                for (const double t : {0.0, 0.3}) {
                    auto made = Run::create(*system, {}, settings(form, "radau-9", 0, 1e-8));
                    if (!made || (t > 0 && !(*made)->advanceTo(t)))
                        continue;
                    const auto linear = linearise(*system, (*made)->status(), (*made)->recording(), t);
                    QVERIFY2(linear.ok(), linear ? "" : (shipped.id + ": " + linear.error().text()).c_str());
                    const std::string where = shipped.id + " " + form + " " + (*made)->status().mode;
                    QCOMPARE(linear->rows.size(), (*made)->equations(expr::Format::Text).size());
                    double size = 1;
                    for (const double y : linear->y)
                        size = std::max(size, std::abs(y));
                    QVERIFY2(linear->residual < 1e-4 * size,
                             (where + ": " + std::to_string(linear->residual) + " of " + std::to_string(size)).c_str());
                    ++judged;
                }
        }
        QVERIFY2(judged > 60, QByteArray::number(judged));
    }

    void jacobisEnergyBalancesInARunOfMovingCoordinates()
    {
        const auto model = model::readModel(
            "format = 1\n[parameters]\nw = 1.5\nk = 20.0\n[[coordinate]]\nname = \"r\"\nstart = 0.7\n[lagrangian]\n"
            "kinetic = \"(x'^2 + y'^2)/2\"\npotential = \"9.81*y + k/2*(r - 0.5)^2\"\n[lagrangian.functions]\n"
            "x = \"0.3*cos(t) + r*cos(w*t)\"\ny = \"r*sin(w*t)\"\n",
            "moving.toml");
        QVERIFY2(model.ok(), model ? "" : model.error().text().c_str());
        auto made = Run::create(*model::CompiledSystem::compile(*model), {}, settings("index-1", "dormand-prince", 0, 1e-10));
        QVERIFY2(made.ok(), made ? "" : made.error().text().c_str());
        QVERIFY((*made)->advanceTo(5));
        // Work is a quadrature over the steps of the run; the energy itself changes by several joules.
        QVERIFY2(std::abs((*made)->status().energyError) < 1e-5, QByteArray::number((*made)->status().energyError));
        QVERIFY(std::abs((*made)->status().energy) > 1e-2);
    }
};

QTEST_APPLESS_MAIN(TestLinearise)
#include "test_linearise.moc"
