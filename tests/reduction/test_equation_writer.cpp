// Equations written as text and read again are the same equations.
#include <QtTest>

#include "core/equations/EquationWriter.h"
#include "core/expr/Expr.h"
#include "core/mechanism/ReadModel.h"
#include "core/reduction/EquationAnalysis.h"
#include "core/system/EquationSystem.h"
#include "core/system/Model.h"
#include "core/system/ShippedModels.h"

using namespace driftless;

namespace {

bool sameSignature(const structure::Signature& a, const structure::Signature& b)
{
    if (a.columns != b.columns || a.rows.size() != b.rows.size())
        return false;
    for (std::size_t i = 0; i < a.rows.size(); ++i) {
        if (a.rows[i].size() != b.rows[i].size())
            return false;
        for (std::size_t k = 0; k < a.rows[i].size(); ++k)
            if (a.rows[i][k].column != b.rows[i][k].column || a.rows[i][k].order != b.rows[i][k].order)
                return false;
    }
    return true;
}

/// Any numbers, the same for symbol k of both; the writer renames symbols and keeps their order among the unknowns.
double residualAt(const model::EquationSystem& system, std::size_t equation)
{
    const auto valueOf = [&system](const expr::Symbol& s) -> std::optional<double> {
        if (s.kind == expr::SymbolKind::Time)
            return 0.37;
        for (std::size_t k = 0; k < system.parameters.size(); ++k)
            if (system.parameters[k].quantity.name == s.name)
                return system.parameters[k].quantity.value;
        for (std::size_t k = 0; k < system.unknowns.size(); ++k)
            if (system.unknowns[k].quantity.name == s.name)
                return 0.3 + 0.1 * static_cast<double>(k % 7) + 0.05 * s.order;
        return std::nullopt;
    };
    return expr::evaluate(system.equations[equation].residual, valueOf).value_or(std::nan(""));
}

void checkRoundTrip(const model::EquationSystem& system)
{
    const std::string text = model::modelicaText(system, "round-trip", "with a \"quote\"");
    const auto read = model::readEquationModel(text, "written");
    QVERIFY2(read.ok(), read ? "" : (read.error().text() + "\n" + text).c_str());
    const auto& again = (*read)->system;
    QCOMPARE(again.parameters.size(), system.parameters.size());
    QCOMPARE(again.unknowns.size(), system.unknowns.size());
    QCOMPARE(again.equations.size(), system.equations.size());
    for (std::size_t k = 0; k < system.parameters.size(); ++k) {
        QCOMPARE(again.parameters[k].quantity.value, system.parameters[k].quantity.value); // shortest digits read back exactly
        QCOMPARE(again.parameters[k].quantity.unit, system.parameters[k].quantity.unit);
    }
    for (std::size_t k = 0; k < system.unknowns.size(); ++k) {
        QCOMPARE(again.unknowns[k].quantity.value, system.unknowns[k].quantity.value);
        QCOMPARE(again.unknowns[k].status, system.unknowns[k].status);
    }
    for (std::size_t i = 0; i < system.equations.size(); ++i) {
        const double a = residualAt(system, i), b = residualAt(again, i);
        // Another order of terms: round-off of some hundred operations on numbers of order 1 to 100.
        QVERIFY2((std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-11 * std::max(1.0, std::abs(a)),
                 qPrintable(QString::number(i)));
    }
    const auto before = reduction::analyseEquations(system), after = reduction::analyseEquations(again);
    QVERIFY(sameSignature(before.signature, after.signature));
    QCOMPARE(after.structure.pantelides.c, before.structure.pantelides.c);
    QCOMPARE(after.structure.structuralIndex, before.structure.structuralIndex);
    // Written once more it is the same text, but for the descriptions that equations have got.
    QCOMPARE(model::modelicaText((*model::readEquationModel(model::modelicaText(again, "a"), "b"))->system, "a"),
             model::modelicaText(again, "a"));
}

} // namespace

class TestEquationWriter : public QObject {
    Q_OBJECT

private slots:
    void equationModelsComeBack_data()
    {
        QTest::addColumn<QString>("id");
        for (const char* id :
             {"example-1", "example-5", "pendulum-equations", "transistor-amplifier", "robertson", "reactor", "rlc-circuit"})
            QTest::newRow(id) << QString(id);
    }
    void equationModelsComeBack()
    {
        QFETCH(QString, id);
        const auto model = model::openEquationModel(id.toStdString());
        QVERIFY(model.ok());
        checkRoundTrip((*model)->system);
    }

    void mechanismsBecomeEquations_data()
    {
        QTest::addColumn<QString>("id");
        for (const auto& shipped : model::shippedModels())
            QTest::newRow(shipped.id.c_str()) << QString::fromStdString(shipped.id);
    }
    void mechanismsBecomeEquations()
    {
        QFETCH(QString, id);
        const auto model = model::openModel(id.toStdString());
        QVERIFY(model.ok());
        checkRoundTrip(reduction::equationsOf((*model)->system));
    }

    void namesBecomeIdentifiersOfTheirOwn()
    {
        model::EquationSystem system;
        for (const char* name : {"a.b", "a_b", "end", "2nd"}) {
            model::EquationUnknown x;
            x.quantity.name = name;
            system.unknowns.push_back(x);
            system.equations.push_back({name, "", expr::variable(name, 1) - expr::time(), {}});
        }
        const auto read = model::readEquationModel(model::modelicaText(system, "m"), "written");
        QVERIFY2(read.ok(), read ? "" : read.error().text().c_str());
        QCOMPARE((*read)->system.unknowns.size(), std::size_t(4));
    }
};

QTEST_MAIN(TestEquationWriter)
#include "test_equation_writer.moc"
