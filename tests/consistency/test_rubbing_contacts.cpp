// Which contacts stick, slide and let go: blocks on a floor by closed forms, and Painleve's rod.
#include <QtTest>

#include <cmath>

#include "core/consistency/RubbingContacts.h"

using namespace driftless::consistency;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double kRoundoff = 1e-12; ///< small systems of numbers of size one to a hundred

/// A point of mass 1 on a floor: w = z + (pull down, pull along).
RubbingForces pointOn(double down, double along, const RubbingContact& contact)
{
    return solveRubbing(MatrixXd::Identity(2, 2), Eigen::Vector2d(-down, along), {contact}, 1e-12);
}

/// A rod of mass 1 and half length 1 at the angle phi above the floor, its centre behind the end that slides.
RubbingForces rodOn(double phi, double mu, double spin)
{
    const double c = std::cos(phi), s = std::sin(phi);
    MatrixXd A(2, 2);
    A << 1 + 3 * c * c, 3 * s * c, 3 * s * c, 1 + 3 * s * s;
    const VectorXd b = Eigen::Vector2d(spin * spin * s - 9.81, -spin * spin * c);
    return solveRubbing(A, b, {{.tangent = 1, .slip = 1, .friction = mu, .grip = mu}}, 1e-9);
}

} // namespace

class TestRubbingContacts : public QObject {
    Q_OBJECT

private slots:
    void point_sticksSlidesAndLifts()
    {
        const RubbingContact rest{.tangent = 1, .friction = 0.3, .grip = 0.5};
        const RubbingForces sticks = pointOn(10, 4, rest), slides = pointOn(10, 6, rest), lifts = pointOn(-1, 6, rest);
        QVERIFY(sticks.end == RubbingForces::End::Found && sticks.touch.front() == Touch::Sticks);
        QVERIFY(std::abs(sticks.z(1) + 4) <= kRoundoff);
        QVERIFY(slides.touch.front() == Touch::Forwards && std::abs(slides.z(1) + 3) <= kRoundoff);
        QVERIFY(lifts.touch.front() == Touch::Open && lifts.z.norm() == 0);
        QVERIFY(pointOn(10, -6, rest).touch.front() == Touch::Backwards);
    }

    /// Between both coefficients what sticks goes on sticking, and what has been let go slides.
    void betweenBothCoefficients_itDependsOnWhatWas()
    {
        QVERIFY(pointOn(10, 4, {.tangent = 1, .friction = 0.3, .grip = 0.5}).touch.front() == Touch::Sticks);
        QVERIFY(pointOn(10, 4, {.tangent = 1, .friction = 0.3, .grip = 0.5, .letGo = true}).touch.front() == Touch::Forwards);
        QVERIFY(pointOn(10, 4, {.tangent = 1, .slip = -1, .friction = 0.3, .grip = 0.5}).touch.front() == Touch::Backwards);
    }

    /// Two feet of one block: one row holds both, up to the sum of their limits.
    void twoFeet_shareOneRow()
    {
        // Half width 1, height of the centre 0.2, mass and moment of inertia 1: normals (1, -+1), tangents (1, 0.2).
        MatrixXd w(4, 3);
        w << 0, 1, -1, 0, 1, 1, 1, 0, 0.2, 1, 0, 0.2;
        const MatrixXd A = w * w.transpose();
        const std::vector<RubbingContact> feet{{.tangent = 2, .friction = 0.5, .grip = 0.5},
                                               {.tangent = 3, .friction = 0.5, .grip = 0.5}};
        const auto pulled = [&](double force) { return solveRubbing(A, w * Eigen::Vector3d(force, -10, 0), feet, 1e-12); };
        const RubbingForces held = pulled(4.9), slides = pulled(5.1);
        QVERIFY(held.end == RubbingForces::End::Found);
        QVERIFY(held.touch[0] == Touch::Sticks && held.touch[1] == Touch::Shares);
        QVERIFY(std::abs(held.z(0) + held.z(1) - 10) <= kRoundoff && std::abs(held.z(2) + 4.9) <= kRoundoff);
        QVERIFY(slides.touch[0] == Touch::Forwards && slides.touch[1] == Touch::Forwards);
    }

    /// The first contact would be as odd as the second one, were it not pulled off: it has a place without a push. Both act on
    /// each other a little.
    void paradox_isThatOfTheContactThatHasNoForceByItself()
    {
        MatrixXd A(4, 4);
        A << 1, 1e-3, 1.5, 0, 1e-3, 1, 0, 1.1, 1.5, 0, 4, 0, 0, 1.1, 0, 4;
        const RubbingContact slides{.tangent = 2, .slip = 1, .friction = 1, .grip = 1, .pair = 0};
        const RubbingContact second{.tangent = 3, .slip = 1, .friction = 1, .grip = 1, .pair = 1};
        const RubbingForces none = solveRubbing(A, Eigen::Vector4d(1, -1, 0, 0), {slides, second}, 1e-12);
        QVERIFY(none.end == RubbingForces::End::None);
        QCOMPARE(none.named, 1);
        QCOMPARE(none.jammed, std::vector<int>{1});
        QVERIFY(std::abs(none.response - (1 - 1.1)) <= kRoundoff);
    }

    /// Twenty points, each for itself, and one rod: no more than the choices of one at a time, and the rod is named.
    void contactsThatDoNotActOnEachOther_areSolvedApart()
    {
        constexpr int n = 20;
        for (const double mu : {0.5, 3.0}) { // the rod of 1.1 rad has an answer below 1.33
            MatrixXd A = MatrixXd::Identity(2 * n + 2, 2 * n + 2);
            VectorXd b(2 * n + 2);
            std::vector<RubbingContact> contacts;
            for (int i = 0; i < n; ++i) {
                b(i) = -10;
                b(n + 1 + i) = i % 2 == 0 ? 4 : 6;
                contacts.push_back({.tangent = n + 1 + i, .friction = 0.3, .grip = 0.5, .pair = i});
            }
            const double c = std::cos(1.1), s = std::sin(1.1);
            A(n, n) = 1 + 3 * c * c;
            A(n, 2 * n + 1) = A(2 * n + 1, n) = 3 * s * c;
            A(2 * n + 1, 2 * n + 1) = 1 + 3 * s * s;
            b(n) = -9.81;
            b(2 * n + 1) = 0;
            contacts.push_back({.tangent = 2 * n + 1, .slip = 1, .friction = mu, .grip = mu, .pair = n});
            const RubbingForces found = solveRubbing(A, b, contacts, 1e-12);
            QVERIFY(found.end == (mu < 1 ? RubbingForces::End::Found : RubbingForces::End::None));
            QCOMPARE(found.named, mu < 1 ? -1 : n);
            for (int i = 0; i < n; ++i) {
                QVERIFY(found.touch[static_cast<std::size_t>(i)] == (i % 2 == 0 ? Touch::Sticks : Touch::Forwards));
                QVERIFY(std::abs(found.z(n + 1 + i) + (i % 2 == 0 ? 4 : 3)) <= kRoundoff);
            }
            QVERIFY(mu > 1 || found.touch[n] == Touch::Forwards);
        }
    }

    /// N - mu C = 1 + 3 cos^2 - 3 mu sin cos is below zero for mu beyond its critical value: none, or two forces.
    void rod_hasNoForce_orTwo_beyondTheCriticalFriction()
    {
        const double phi = 1.1, c = std::cos(phi), s = std::sin(phi), critical = (1 + 3 * c * c) / (3 * s * c);
        QVERIFY(rodOn(phi, 0.99 * critical, 0).end == RubbingForces::End::Found);
        const RubbingForces none = rodOn(phi, 1.01 * critical, 0);
        QVERIFY(none.end == RubbingForces::End::None);
        QCOMPARE(none.named, 0);
        QVERIFY(std::abs(none.response - (1 + 3 * c * c - 3 * 1.01 * critical * s * c)) <= kRoundoff);
        // The centre goes up with spin^2 sin phi: beyond g the rod may lift, or push.
        const RubbingForces two = rodOn(phi, 1.01 * critical, 4);
        QVERIFY(two.end == RubbingForces::End::Several);
        QCOMPARE(two.named, 0);
        QVERIFY(rodOn(phi, 0.99 * critical, 4).touch.front() == Touch::Open);
    }

    /// More contacts at rest that act on each other than can be tried are refused, not guessed.
    void tooMany_areSaid()
    {
        std::vector<RubbingContact> many;
        for (int i = 0; i < 8; ++i)
            many.push_back({.tangent = 8 + i, .friction = 0.5, .grip = 0.5, .pair = i});
        const MatrixXd A = MatrixXd::Identity(16, 16) + MatrixXd::Constant(16, 16, 0.01);
        const RubbingForces out = solveRubbing(A, VectorXd::Constant(16, -1), many, 1e-12);
        QVERIFY(out.end == RubbingForces::End::TooMany);
    }
};

QTEST_GUILESS_MAIN(TestRubbingContacts)
#include "test_rubbing_contacts.moc"
