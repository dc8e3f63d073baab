// Overconstrained linkages of the classical kinds: as many rows are set aside as follow from others, never the norm of a
// quaternion, and what is left is far from dependent, wherever the linkage stands and however large it is.
#include <QtTest>

#include <cmath>

#include "core/mechanism/ReadModel.h"
#include "core/solve/DenseDecompositions.h"
#include "core/system/ConstraintRows.h"
#include "core/system/DependentRows.h"
#include "core/system/Model.h"
#include "tests/mechanism/Linkages.h"

using namespace driftless;
using namespace driftless::test;

namespace {

constexpr unsigned kSeed = 20260716;

std::vector<Linkage> linkages(std::mt19937& dice)
{
    return {bennett(),
            goldberg(),
            nestedBennetts(),
            myard(),
            bricardLine(dice),
            bricardPlane(dice),
            bricardBox("bricard-orthogonal", 0.6, 0.6, 0.6),
            bricardBox("bricard-trihedral", 0.6, 0.8, 0.5),
            sarrus(M_PI / 2),
            sarrus(1.1),
            parallelLoop(dice),
            sphericalLoop(dice),
            parallelograms(1, 3),
            parallelograms(2, 2),
            parallelograms(2, 3)};
}

Frame randomPose(std::mt19937& dice)
{
    const Line a = randomLine(dice), b = randomLine(dice);
    return Eigen::Translation3d(a.at) * Eigen::AngleAxisd(b.at.x() * 3, a.along);
}

std::vector<const model::Constraint*> rowsOf(const model::ConstrainedSystem& s, bool aside)
{
    std::vector<const model::Constraint*> out;
    for (const model::Constraint& c : s.constraints)
        out.push_back(&c);
    for (const model::Dependent& d : s.dependent)
        if (aside)
            out.push_back(&d.constraint);
    return out;
}

/// Singular values of the scaled rows at the start, descending.
Eigen::VectorXd singularValues(const model::ConstrainedSystem& s, bool aside)
{
    std::vector<double> q;
    for (const auto& c : s.coordinates)
        q.push_back(c.position.value);
    const auto rows = rowsOf(s, aside);
    auto numbers = model::ConstraintRows::make(s, rows, 0, q, {});
    Eigen::VectorXd g;
    Eigen::MatrixXd G;
    if (!numbers || !numbers->evaluate(numbers->place(0, q), g, G))
        qFatal("the rows have no value");
    return Eigen::JacobiSVD<Eigen::MatrixXd>(G).singularValues();
}

std::shared_ptr<const model::Model> read(const std::string& text)
{
    auto model = model::readModel(text, "linkage.toml");
    if (!model)
        qFatal("%s", model.error().text().c_str());
    return *model;
}

} // namespace

class TestOverconstrained : public QObject {
    Q_OBJECT

private slots:
    void asManyRowsAreSetAsideAsFollow_andTheRestIsIndependent()
    {
        qInfo("seed %u", kSeed);
        std::mt19937 dice(kSeed);
        for (const Linkage& linkage : linkages(dice)) {
            const auto model = read(linkageText(linkage, randomPose(dice)));
            const model::ConstrainedSystem& s = model->system;
            const auto all = singularValues(s, true), kept = singularValues(s, false);
            Eigen::Index rank = 0;
            while (rank < all.size() && all(rank) > 1e-9 * all(0)) // round-off of files with 17 digits
                ++rank;
            const double weakest = kept(kept.size() - 1) / kept(0), whole = all(rank - 1) / all(0);
            qInfo("%-20s n %2d  rows %2zu  rank %2d  set aside %zu  smallest singular value %.1e of all, %.1e of the rows kept",
                  linkage.name.c_str(), s.n(), s.constraints.size() + s.dependent.size(), int(rank), s.dependent.size(), whole,
                  weakest);
            QCOMPARE(s.n() - s.m(), linkage.freedom);
            QCOMPARE(int(rank), s.m());
            // The best choice of rows loses no more than sigma_min(N_I), for a few rows of some tens a tenth; a wrong one (a
            // norm) leaves 1e-16.
            QVERIFY2(weakest > 0.02 * whole, linkage.name.c_str());
            for (const model::Dependent& d : s.dependent)
                QVERIFY2(!d.constraint.name.ends_with(".norm") && !d.follows.empty(), d.constraint.name.c_str());
        }
    }

    void anotherSizeOrPlace_setsTheSameRowsAside()
    {
        std::mt19937 dice(kSeed + 1);
        for (const Linkage& linkage : {bennett(), sarrus(M_PI / 2), goldberg()}) {
            const Frame pose = randomPose(dice);
            std::string first;
            for (const double size : {1.0, 1024.0, 1.0 / 1048576}) { // powers of two: the same digits
                std::string names;
                const auto model = read(linkageText(linkage, pose, size));
                for (const model::Dependent& d : model->system.dependent)
                    names += d.constraint.name + " ";
                first = first.empty() ? names : first;
                QCOMPARE(QString::fromStdString(names), QString::fromStdString(first));
            }
        }
    }

    void theWalkSaysWhereRowsKeptDoNotImplyThoseSetAside()
    {
        const auto model = read(linkageText(bennett()));
        std::vector<double> q;
        for (const auto& c : model->system.coordinates)
            q.push_back(c.position.value);
        const model::SetAsideWalk good = model::walkSetAside(model->system, 0, q, {});
        QVERIFY(good.holds && good.independent && good.places > 20);
        QVERIFY(good.weakest > 1e-3);
        // Fewer rows kept than are independent: the motion has a freedom more, and what was set aside is left.
        model::ConstrainedSystem less = model->system;
        less.dependent.push_back({less.constraints.back(), {}});
        less.constraints.pop_back();
        QVERIFY(!model::walkSetAside(less, 0, q, {}).holds);
    }

    void generalLinkages_keepAllRows()
    {
        // Six hinges in no special position do not move: 30 + 5 rows for 35 coordinates, all independent. Seven move.
        std::mt19937 dice(kSeed + 2);
        for (const int hinges : {6, 7, 8})
            for (int k = 0; k < 5; ++k) {
                std::vector<Line> axes;
                for (int i = 0; i < hinges; ++i)
                    axes.push_back(randomLine(dice));
                QVERIFY(read(linkageText(loop("general", axes)))->system.dependent.empty());
            }
    }
};

QTEST_GUILESS_MAIN(TestOverconstrained)
#include "test_overconstrained.moc"
