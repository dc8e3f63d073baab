// One impact with friction in the plane: closed forms without coupling, the differential equation along the impulse, and what
// each law does to the energy of drawn impacts.
#include <QtTest>

#include <cmath>

#include "core/consistency/PlanarImpact.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::test;
using consistency::impulseOf;
using consistency::PlanarImpact;
using consistency::PlanarImpulse;
using model::ImpactLaw;

namespace {

constexpr double kRoundoff = 1e-12; ///< a few thousand operations on numbers of size one

/// [N C; C T] of a body with mass 1 that is hit at (x, y) from its centre, its squared radius of gyration k.
PlanarImpact drawnImpact(Draw& draw)
{
    const double angle = draw.between(0, 6.283), arm = draw.between(0, 2), k = draw.between(0.1, 1);
    const double x = arm * std::cos(angle), y = arm * std::sin(angle);
    return {.normal = 1 + x * x / k,
            .mixed = -x * y / k,
            .tangential = 1 + y * y / k,
            .approach = -draw.between(0.05, 2),
            .slip = draw.chance(0.1) ? 0 : draw.between(-2, 2),
            .friction = draw.between(0, 2),
            .restitution = draw.between(0, 1)};
}

double workOf(const PlanarImpact& c, const PlanarImpulse& p)
{
    const double u = c.approach + 0.5 * (c.normal * p.normal + c.mixed * p.tangential),
                 s = c.slip + 0.5 * (c.mixed * p.normal + c.tangential * p.tangential);
    return p.normal * u + p.tangential * s;
}

/// The energetic law by small pieces of impulse, with friction against the slip of each piece: an error of the size of a piece.
PlanarImpulse byPieces(const PlanarImpact& c, double piece)
{
    PlanarImpulse out;
    double u = c.approach, s = c.slip, work = 0, spent = 0;
    bool restores = false;
    while (out.normal < 1e3) {
        const double stop = -(s + c.mixed * piece) / c.tangential; // what takes all slip within this piece
        const double f = std::clamp(stop, -c.friction * piece, c.friction * piece);
        const double before = u;
        u += c.normal * piece + c.mixed * f;
        s += c.mixed * piece + c.tangential * f;
        out.normal += piece;
        out.tangential += f;
        work += 0.5 * piece * (before + u);
        if (!restores && u >= 0) {
            restores = true;
            spent = work;
            work = 0;
        }
        if (restores && work >= -c.restitution * c.restitution * spent)
            break;
    }
    return out;
}

} // namespace

class TestPlanarImpact : public QObject {
    Q_OBJECT

private slots:
    /// C = 0: the normal impulse is (1 + e) |u| / N; the rim of a disc stops where mu times that does: |s| / T.
    void withoutCoupling_slipsOrSticks_byClosedForms()
    {
        for (const ImpactLaw law : {ImpactLaw::Energetic, ImpactLaw::Newton, ImpactLaw::Poisson})
            for (const double slip : {-3.0, 0.5, 7.0}) {
                const PlanarImpact c{.normal = 1,
                                     .tangential = 3,
                                     .approach = -2,
                                     .slip = slip,
                                     .friction = 0.4,
                                     .restitution = 0.8,
                                     .law = law};
                const PlanarImpulse p = impulseOf(c);
                const double normal = 1.8 * 2, needed = std::abs(slip) / 3;
                QVERIFY(p.ended);
                QVERIFY(std::abs(p.normal - normal) <= kRoundoff);
                QVERIFY(std::abs(std::abs(p.tangential) - std::min(0.4 * normal, needed)) <= kRoundoff);
                QVERIFY(p.tangential * slip < 0);
                QCOMPARE(p.stuck, needed < 0.4 * normal);
            }
    }

    void coulombsLaw_holdsInEachImpact()
    {
        Draw draw(seedOr(31'001));
        for (int k = 0; k < countOr(1000); ++k) {
            const PlanarImpact c = drawnImpact(draw);
            const PlanarImpulse p = impulseOf(c);
            QVERIFY(p.ended);
            QVERIFY(p.normal > 0);
            QVERIFY(std::abs(p.tangential) <= c.friction * p.normal + kRoundoff);
            const double s = c.slip + c.mixed * p.normal + c.tangential * p.tangential;
            QVERIFY(!p.stuck || std::abs(s) <= kRoundoff * (1 + std::abs(c.slip)) * p.normal * c.tangential);
        }
    }

    void energeticLaw_agreesWithSmallPieces()
    {
        Draw draw(seedOr(31'101));
        int turned = 0, stuck = 0;
        for (int k = 0; k < countOr(100); ++k) {
            const PlanarImpact c = drawnImpact(draw);
            const PlanarImpulse p = impulseOf(c), small = byPieces(c, 1e-5);
            turned += p.reversed;
            stuck += p.stuck;
            // The pieces end one piece late at most twice; where the end is flat the root of a piece counts: u is small there.
            const double allowed = 1e-2 * (1 + c.friction);
            QVERIFY2(std::abs(p.normal - small.normal) <= allowed && std::abs(p.tangential - small.tangential) <= allowed,
                     qPrintable(QString("%1: %2 %3, %4 %5")
                                    .arg(k)
                                    .arg(p.normal)
                                    .arg(small.normal)
                                    .arg(p.tangential)
                                    .arg(small.tangential)));
        }
        QVERIFY(turned > 0 && stuck > 0);
    }

    /// A body on a rail hits a wall: the slip ends where compression does, to the last bit or not. While the wall takes, its
    /// force along the rail is n + mu t for each newton of the normal's, and n - mu t while it gives back: the speed behind it
    /// is e sqrt(q) v, e q v or e v with q = (n - mu t) / (n + mu t), by Stronge, Poisson and Newton.
    void oneFreedom_slipsBackWhileTheWallGivesBack()
    {
        Draw draw(seedOr(31'301));
        for (int k = 0; k < countOr(1000); ++k) {
            const double angle = draw.between(0.3, 1.2), n = std::sin(angle), t = std::cos(angle), mass = draw.between(0.1, 10),
                         v = draw.between(0.5, 3);
            const double mu = draw.between(0.05, 0.9) * n / t, e = draw.between(0.2, 0.95), q = (n - mu * t) / (n + mu * t);
            for (const auto& [law, share] :
                 {std::pair{ImpactLaw::Energetic, e * std::sqrt(q)}, {ImpactLaw::Poisson, e * q}, {ImpactLaw::Newton, e}}) {
                const PlanarImpulse p = impulseOf({.normal = n * n / mass,
                                                   .mixed = n * t / mass,
                                                   .tangential = t * t / mass,
                                                   .approach = -v * n,
                                                   .slip = -v * t,
                                                   .friction = mu,
                                                   .restitution = e,
                                                   .law = law});
                const double after = -v + (n * p.normal + t * p.tangential) / mass;
                QVERIFY2(p.ended && std::abs(after - share * v) <= 1e-9 * v, qPrintable(QString::number(after - share * v)));
            }
        }
    }

    /// Stronge: W = -(1 - e^2) of the work of compression, and friction takes besides. Newton's law gives energy to some.
    void energeticLaw_andPoissons_neverGain_andNewtonsDoes()
    {
        Draw draw(seedOr(31'201));
        int gained = 0;
        const int count = countOr(1000);
        for (int k = 0; k < count; ++k) {
            PlanarImpact c = drawnImpact(draw);
            const double size = 0.5 * (c.approach * c.approach + c.slip * c.slip);
            QVERIFY(workOf(c, impulseOf(c)) <= kRoundoff * (1 + size));
            c.law = ImpactLaw::Poisson;
            QVERIFY(workOf(c, impulseOf(c)) <= kRoundoff * (1 + size));
            c.law = ImpactLaw::Newton;
            const PlanarImpulse p = impulseOf(c);
            QVERIFY(p.ended);
            QVERIFY(std::abs(c.approach + c.normal * p.normal + c.mixed * p.tangential + c.restitution * c.approach)
                    <= kRoundoff * (1 + p.normal * c.normal));
            gained += workOf(c, p) > 1e-9 * size; // far above round-off
        }
        qInfo("Newton's law gives energy to %d of %d impacts", gained, count);
        QVERIFY(gained > 0 && gained < count / 2);
    }

    /// Where the slip neither stops nor turns the three laws say the same.
    void laws_agreeWhileItSlips()
    {
        PlanarImpact c{
            .normal = 1.5, .mixed = 0.4, .tangential = 2, .approach = -1, .slip = 50, .friction = 0.3, .restitution = 0.7};
        const PlanarImpulse energetic = impulseOf(c);
        for (const ImpactLaw law : {ImpactLaw::Newton, ImpactLaw::Poisson}) {
            c.law = law;
            QVERIFY(std::abs(impulseOf(c).normal - energetic.normal) <= kRoundoff);
        }
    }

    /// Painleve: N - mu C < 0 while it slips, no speed of approach: the impulse first presses on, then ends the slip and throws
    /// off.
    void withoutCollision_endsTheSlip()
    {
        const PlanarImpact c{
            .normal = 1, .mixed = 0.8, .tangential = 2, .approach = 0, .slip = 3, .friction = 2, .restitution = 0.5};
        const PlanarImpulse p = impulseOf(c);
        QVERIFY(p.ended && p.stuck);
        // Slip ends at p1 = s / (mu T - C), with u1 = (N - mu C) p1; then N - C^2/T brings u back.
        const double p1 = 3 / (2 * 2 - 0.8), u1 = (1 - 2 * 0.8) * p1, stick = 1 - 0.64 / 2;
        const double spent = 0.5 * u1 * p1 + 0.5 * u1 * u1 / -stick, thrown = std::sqrt(2 * stick * 0.25 * -spent);
        QVERIFY(std::abs(p.normal - (p1 + (thrown - u1) / stick)) <= kRoundoff);
    }
};

QTEST_GUILESS_MAIN(TestPlanarImpact)
#include "test_planar_impact.moc"
