// The order conditions of Dormand and Prince's method of order 8 (core/integrate/TableauDop853.h): of the step, of both rules
// that it is compared with, and of its continuous extension, which must hold up to their orders and fail beyond.
#include <QtTest>

#include <cmath>

#include "core/integrate/RootedTrees.h"
#include "core/integrate/Tableau.h"
#include "core/integrate/TableauDop853.h"

using namespace driftless::integrate;

namespace {

using Weights = std::vector<double>;

Weights weightsOf(const dop853::Row& row)
{
    Weights out(dop853::kAll, 0.0);
    for (const StageTerm& term : termsOf(row))
        out[static_cast<std::size_t>(term.stage)] = term.weight;
    return out;
}

Weights stepWeights() { return weightsOf(dop853::kRows[dop853::kEnd]); }

/// All stages with other weights at the end.
RungeKuttaTableau withWeights(Weights weights)
{
    RungeKuttaTableau t;
    t.stages = dop853::kAll;
    t.c.assign(dop853::kNodes.begin(), dop853::kNodes.end());
    for (const dop853::Row& row : dop853::kRows)
        for (const double a : weightsOf(row))
            t.a.push_back(a);
    t.b = std::move(weights);
    return t;
}

int orderOfWeights(Weights weights, int highest)
{
    return orderOf(orderConditions(withWeights(std::move(weights)), highest), highest);
}

/// Of the continuous extension at the share s of the step.
Weights extensionAt(double s)
{
    const Weights b = stepWeights();
    const double z = 1 - s;
    Weights out(dop853::kAll);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const double first = i == 0, end = i == dop853::kEnd;
        const double D = b[i], B = first - D, C = D - end - B;
        double r[4];
        for (std::size_t m = 0; m < 4; ++m)
            r[m] = weightsOf(dop853::kDense[m])[i];
        out[i] = s * (D + z * (B + s * (C + z * (r[0] + s * (r[1] + z * (r[2] + s * r[3]))))));
    }
    return out;
}

} // namespace

class TestDop853 : public QObject {
    Q_OBJECT
private slots:
    void rows_addUpToTheirNodes()
    {
        const auto t = withWeights(stepWeights());
        QVERIFY(t.isExplicit());
        for (std::size_t i = 0; i < t.stages; ++i) {
            double sum = 0, size = 1;
            for (std::size_t j = 0; j < t.stages; ++j) {
                sum += t.at(i, j);
                size += std::abs(t.at(i, j));
            }
            QVERIFY2(std::abs(sum - t.c[i]) < 16 * 2.3e-16 * size, qPrintable(QString::number(i))); // as many terms
        }
    }

    void step_hasOrderEight() { QCOMPARE(orderOfWeights(stepWeights(), 9), 8); }

    void estimates_compareWithOrdersFiveAndThree()
    {
        Weights fifth = stepWeights();
        const Weights error = weightsOf(dop853::kFifth);
        for (std::size_t i = 0; i < fifth.size(); ++i)
            fifth[i] -= error[i];
        QCOMPARE(orderOfWeights(fifth, 7), 5);
        QCOMPARE(orderOfWeights(weightsOf(dop853::kThird), 5), 3);
    }

    void aWrongDigit_isNoticed()
    {
        Weights b = stepWeights();
        b[6] += 1e-11;
        QVERIFY(orderOfWeights(b, 8) < 8);
    }

    void extension_hasOrderSeven_atAnyTimeOfTheStep()
    {
        bool failsBeyond = false;
        for (const double s : {0.05, 0.3, 0.5, 0.77, 0.98})
            for (const OrderCondition& c : orderConditions(withWeights(extensionAt(s)), 8)) {
                const double off = std::abs(c.value - std::pow(s, c.order) * c.wanted);
                if (c.order <= 7)
                    QVERIFY2(off <= c.roundoff, qPrintable(QString("%1 at %2: %3").arg(c.tree.c_str()).arg(s).arg(off)));
                else
                    failsBeyond = failsBeyond || off > c.roundoff;
            }
        QVERIFY(failsBeyond);
        const Weights end = extensionAt(1), b = stepWeights();
        for (std::size_t i = 0; i < b.size(); ++i)
            QVERIFY(std::abs(end[i] - b[i]) < 1e-15);
    }
};

QTEST_APPLESS_MAIN(TestDop853)
#include "test_dop853.moc"
