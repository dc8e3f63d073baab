// One rule for values of parameters, and units that are not stated.
#include <QtTest>

#include "core/expr/Size.h"
#include "core/mechanism/ReadModel.h"
#include "core/system/Model.h"
#include "core/system/ShippedModels.h"

using namespace driftless;
using namespace driftless::model;

namespace {

std::shared_ptr<const Model> opened(const std::string& name)
{
    const auto m = openModel(name);
    return m.ok() ? *m : nullptr;
}

std::vector<double> valuesOf(const Model& m)
{
    std::vector<double> out;
    for (const Parameter& p : m.system.parameters)
        out.push_back(p.quantity.value);
    return out;
}

const char* const kFree = "format = 1\nname = \"free\"\n[parameters]\nm = 1.0\nJ = 2.0\n"
                          "[[coordinate]]\nname = \"phi\"\nmass = \"J\"\nstart = 0.3\n"
                          "[[coordinate]]\nname = \"s\"\nmass = \"m\"\n"
                          "[[constraint]]\nname = \"c\"\nholonomic = \"s - sin(2*phi + 1) + sin(0.3*2 + 1)\"\n";

} // namespace

class TestParameters : public QObject {
    Q_OBJECT

private slots:
    void everyShippedModelTakesItsOwnValuesAndNoOthersBeyondItsRange()
    {
        for (const ShippedModel& shipped : shippedModels()) {
            const auto m = opened(shipped.id);
            QVERIFY2(m, shipped.id.c_str());
            std::vector<double> values = valuesOf(*m);
            QVERIFY2(!checkParameters(*m, values), shipped.id.c_str());
            for (std::size_t i = 0; i < values.size(); ++i) {
                const Quantity& q = m->system.parameters[i].quantity;
                const double kept = values[i];
                for (const double bad : {q.maximum + 1, q.minimum - 1, std::numeric_limits<double>::quiet_NaN()})
                    if (!std::isinf(bad)) {
                        values[i] = bad;
                        const auto refused = checkParameters(*m, values);
                        QVERIFY2(refused, (shipped.id + " " + q.name).c_str());
                        QVERIFY2(refused->what.find(q.name) != std::string::npos, refused->text().c_str());
                    }
                values[i] = kept;
            }
        }
    }

    void aMassBelowZeroIsRefusedWhereverItComesFrom()
    {
        // The file states no range: what is wrong is the mass of the coordinate, as when the file itself says m = -1.
        const auto m = readModel(kFree, "free.toml");
        QVERIFY2(m.ok(), m.ok() ? "" : m.error().text().c_str());
        QVERIFY(!checkParameters(**m, std::vector{1.0, 2.0}));
        QVERIFY(!checkParameters(**m, std::vector{0.0, 2.0})); // a constraint determines s
        const auto refused = checkParameters(**m, std::vector{-1.0, 2.0});
        QVERIFY(refused);
        QVERIFY2(refused->what.find("mass is negative") != std::string::npos, refused->text().c_str());
        std::string text = kFree;
        text.replace(text.find("m = 1.0"), 7, "m = -1.0");
        const auto file = readModel(text, "free.toml");
        QVERIFY(!file.ok());
        QCOMPARE(file.error().what, refused->what);
    }

    void coordinatesWithoutAUnitAreAnglesOrHaveNone()
    {
        const auto m = readModel(kFree, "free.toml");
        QVERIFY(m.ok());
        QCOMPARE((*m)->system.coordinates[0].unit, std::string("rad"));
        QCOMPARE((*m)->system.coordinates[0].velocity.unit, std::string("rad/s"));
        QCOMPARE((*m)->system.coordinates[1].unit, std::string());
        QCOMPARE((*m)->system.coordinates[1].velocity.unit, std::string());
        QCOMPARE(rateUnit("1"), std::string("1/s"));
        QCOMPARE(rateUnit("m", 2), std::string("m/s^2"));
    }

    void derivativesOfLongProductsAreRefusedBeforeTheyAreMade()
    {
        std::string product = "a1";
        for (int i = 2; i <= 300; ++i)
            product += "*a" + std::to_string(i);
        const auto m = readModel("format = 1\n[[coordinate]]\ncount = 300\nname = \"a[i]\"\nmass = 1\nstart = "
                                 "1\n[[constraint]]\nname = \"g\"\nholonomic = \""
                                     + product + " - 1\"\n",
                                 "product.toml");
        QVERIFY(!m.ok());
        QVERIFY2(m.error().what.find("derivatives are too long") != std::string::npos && m.error().position.line == 9,
                 m.error().text().c_str());
        // (2 + 3 - 1 over 2) = 6 second derivatives of x y z, of three factors each.
        const auto x = expr::variable("x"), y = expr::variable("y"), z = expr::variable("z");
        QCOMPARE(expr::derivativeSize(x * y * z, 2), 3.0 * 1 + 1 + 3 * 6);
    }
};

QTEST_GUILESS_MAIN(TestParameters)
#include "test_parameters.moc"
