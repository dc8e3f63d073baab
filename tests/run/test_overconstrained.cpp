// label: long
// The motion of overconstrained linkages with all their rows, in every formulation that carries them, against the motion of the
// same linkage with joints that state independent rows only: a spherical joint for a hinge states two rows less, a universal
// joint one.
#include <QtTest>

#include <cmath>

#include "core/formulation/Formulation.h"
#include "core/mechanism/ReadModel.h"
#include "tests/mechanism/Linkages.h"
#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::test;

namespace {

constexpr unsigned kSeed = 20260716;
constexpr double kEnd = 0.3;
/// At rtol = atol = 1e-9 a one-step method leaves about that in each of some tens of steps, in coordinates of size one.
constexpr double kAllowed = 1e-7;

std::shared_ptr<const model::CompiledSystem> systemOf(const std::string& text)
{
    auto model = model::readModel(text, "linkage.toml");
    if (!model)
        qFatal("%s", model.error().text().c_str());
    auto system = model::CompiledSystem::compile(*model);
    if (!system)
        qFatal("%s", system.error().text().c_str());
    return *system;
}

/// Weaker joints in one loop: of four hinges three rows are too many, of five two, of six one.
Linkage weakened(Linkage linkage)
{
    const std::size_t n = linkage.hinges.size();
    if (n < 6)
        linkage.hinges[2].kind = "spherical";
    if (n != 5) {
        linkage.hinges[n / 2 + 1].kind = "universal";
        // What Sarrus' linkage has too much is about the vertical: the second axis must not be level.
        linkage.hinges[n / 2 + 1].skew = linkage.name == "sarrus" ? 0.7 : 0;
    }
    return linkage;
}

std::string whyStopped(const run::Run& run)
{
    const auto diagnostic = run.status().diagnostic;
    return diagnostic ? diagnostic->text() : "";
}

struct Deviation {
    double position = 0, velocity = 0;
};
Deviation deviation(const run::Run& run, const run::Run& reference)
{
    Deviation out;
    const auto is = run.namedState(), was = reference.namedState();
    const auto n = static_cast<std::size_t>(run.system().n());
    for (std::size_t i = 0; i < n; ++i) {
        out.position = std::max(out.position, std::abs(is[i].second - was[i].second));
        out.velocity = std::max(out.velocity, std::abs(is[n + i].second - was[n + i].second));
    }
    return out;
}

} // namespace

class TestOverconstrained : public QObject {
    Q_OBJECT

private slots:
    void everyFormThatCarriesThem_movesAsWithoutTheSurplusRows()
    {
        qInfo("seed %u", kSeed);
        std::mt19937 dice(kSeed);
        const Linkage all[] = {sarrus(M_PI / 2),
                               sarrus(1.1),
                               bennett(),
                               goldberg(),
                               myard(),
                               bricardLine(dice),
                               bricardPlane(dice),
                               bricardBox("bricard-orthogonal", 0.6, 0.6, 0.6),
                               bricardBox("bricard-trihedral", 0.6, 0.8, 0.5),
                               parallelLoop(dice),
                               sphericalLoop(dice)};
        for (const Linkage& linkage : all) {
            const auto system = systemOf(linkageText(linkage)), without = systemOf(linkageText(weakened(linkage)));
            QVERIFY2(without->system().dependent.empty() && without->n() - without->m() == 1, linkage.name.c_str());
            auto reference = run::Run::create(without, {}, settings("index-1", "dormand-prince", 0.001, 1e-11));
            QVERIFY2(reference && (*reference)->advanceTo(kEnd), linkage.name.c_str());
            QCOMPARE(system->n() - system->m(), linkage.freedom);
            QVERIFY2(!system->system().dependent.empty(), linkage.name.c_str());
            QString line;
            int ran = 0;
            for (const auto& form : formulation::formulations()) {
                const std::string& id = form->info().id;
                auto made = run::Run::create(system, {}, settings(id, "radau", 0.001));
                if (!made) {
                    // Reasons that have nothing to do with surplus rows, as space-four-bar has them.
                    const std::string why = made.error().text();
                    bool known = false;
                    for (const char* reason : {"mass matrix", "chart", "2 n_lambda <= n_p"})
                        known = known || why.find(reason) != std::string::npos;
                    QVERIFY2(known, (linkage.name + " " + id + ": " + why).c_str());
                    continue;
                }
                ++ran;
                const bool arrived = (*made)->advanceTo(kEnd);
                QVERIFY2(arrived, (linkage.name + " " + id + ": " + whyStopped(**made)).c_str());
                const Deviation off = deviation(**made, **reference);
                line += QString(" %1 %2 %3").arg(id.c_str()).arg(off.position, 0, 'e', 1).arg(off.velocity, 0, 'e', 1);
                // augmented-lagrangian holds its constraints by penalties; velocities of index 3 are of order 3 with this
                // method, positions of order 5.
                const bool penalised = id == "augmented-lagrangian" || id == "penalty";
                QVERIFY2(off.position < (penalised ? 100 : 1) * kAllowed, qPrintable(line));
                QVERIFY2(off.velocity < (penalised || id == "index-3" ? 1000 : 1) * kAllowed, qPrintable(line));
            }
            qInfo("%-20s%s", linkage.name.c_str(), qPrintable(line));
            QVERIFY2(ran >= 12,
                     qPrintable(QString("only %1 forms carry %2").arg(ran).arg(linkage.name.c_str()))); // of the catalogue's 16
        }
    }

    void loopsOfLoops_keepAllRowsAndTheEnergy()
    {
        for (const Linkage& linkage : {nestedBennetts(), parallelograms(1, 3), parallelograms(2, 2), parallelograms(2, 3)}) {
            auto run = run::Run::create(systemOf(linkageText(linkage)), {}, settings("dummy-derivatives", "radau", 0.001));
            QVERIFY(run);
            const model::CompiledSystem& carried = (*run)->system();
            QCOMPARE(carried.n() - carried.m(), linkage.freedom);                // as many rows are kept as it has to have,
            QVERIFY2(!carried.system().dependent.empty(), linkage.name.c_str()); // of more
            const bool arrived = (*run)->advanceTo(kEnd);
            QVERIFY2(arrived, (linkage.name + ": " + whyStopped(**run)).c_str());
            const auto status = (*run)->status();
            qInfo("%-20s set aside %zu, residual %.1e of the rows kept, %.1e of those set aside, energy error %.1e J",
                  linkage.name.c_str(), (*run)->system().system().dependent.size(), status.maxResidual.position,
                  status.maxResidual.setAside, status.energyError);
            QVERIFY(status.maxResidual.setAside < 1e-8 && status.maxResidual.position < 1e-8); // Newton's tolerance
            QVERIFY(std::abs(status.energyError) < 1e-6);                                      // of some 10 J
        }
    }
};

QTEST_GUILESS_MAIN(TestOverconstrained)
#include "test_overconstrained.moc"
