// Tableaus of one's own: what their files may say, what is refused and where, and that they integrate as the shipped ones do.
#include <QtTest>

#include <cmath>

#include "core/integrate/RungeKutta.h"
#include "core/run/TableauFile.h"
#include "tests/problems/Generic.h"

using namespace driftless;
using integrate::RungeKuttaTableau;

namespace {

const char* const kRk4 = R"(name = "mine"
A = [[0, 0, 0, 0], ["1/2", 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 1, 0]]
b = ["1/6", "2/6", "2/6", "1/6"]
)";

/// y at t = 1 on the generic problem of the index, by 16 steps.
template <class Form>
std::vector<double> walk(integrate::Integrator& method)
{
    problems::HandCoded<Form> dae;
    integrate::IntegratorOptions options;
    options.step = method.info().adaptive ? 0 : 1.0 / 16;
    if (!method.prepare(dae, options) || !method.restart(0, Form::at(0), Form::ratesAt(0)))
        return {};
    while (method.t() < 1)
        if (method.step(1).status != integrate::StepStatus::Accepted)
            return {};
    return {method.y().begin(), method.y().end()};
}

std::shared_ptr<const integrate::RungeKuttaMethod> methodOf(const std::string& text)
{
    auto tableau = run::readTableau(text, "mine.toml");
    if (!tableau)
        return nullptr;
    auto method = integrate::methodFrom(*tableau);
    return method ? std::make_shared<const integrate::RungeKuttaMethod>(std::move(*method)) : nullptr;
}

} // namespace

class TableauFileTest : public QObject {
    Q_OBJECT
private slots:
    void aShippedMethodTypedIn_isTheSameBitForBit()
    {
        const auto method = methodOf(kRk4);
        QVERIFY(method);
        QCOMPARE(method->tableau.c, (std::vector<double>{0, 0.5, 0.5, 1}));
        QCOMPARE(method->info.order, 4);
        auto mine = integrate::makeRungeKutta(method), shipped = std::move(integrate::makeIntegrator("rk4")).value();
        const auto y = walk<problems::GenericHessenberg<1>>(*mine);
        QVERIFY(y.size() == 3 && y == walk<problems::GenericHessenberg<1>>(*shipped));
    }

    void anAddedMethodIsKnownByItsNumbers()
    {
        const auto id = run::addTableau(kRk4, "mine.toml");
        QVERIFY(id.ok());
        QVERIFY2(QString::fromStdString(*id).startsWith("own-mine-"), id->c_str());
        QCOMPARE(*run::addTableau(kRk4, "again.toml"), *id);
        const auto* info = integrate::findIntegrator(*id);
        QVERIFY(info && info->id == *id && info->order == 4);
        auto mine = std::move(integrate::makeIntegrator(*id)).value(),
             shipped = std::move(integrate::makeIntegrator("rk4")).value();
        const auto y = walk<problems::GenericHessenberg<1>>(*mine);
        QVERIFY(y.size() == 3 && y == walk<problems::GenericHessenberg<1>>(*shipped));
        // The last bit of an entry makes another method of the same name; the first stays what it is.
        auto other = *run::readTableau(kRk4, "mine.toml");
        other.b[0] = std::nextafter(other.b[0], 1);
        const auto otherId = run::addTableau(run::writeTableau(other), "mine.toml");
        QVERIFY(otherId.ok() && *otherId != *id && integrate::findIntegrator(*id) == info);
        QVERIFY(integrate::findOwnMethod(*otherId)->tableau.b == other.b);
        QVERIFY(!run::addTableau("A = [[0]]\nb = [0.5]\n", "none.toml").ok());
        for (const auto& shippedInfo : integrate::integratorCatalogue())
            QVERIFY(!QString::fromStdString(shippedInfo.id).startsWith("own-"));
    }

    void aWrittenTableauComesBackToTheLastBit()
    {
        for (const auto& exact : integrate::exactTableaus()) {
            const auto t = integrate::inDoubles(exact);
            const auto back = run::readTableau(run::writeTableau(t), "written.toml");
            QVERIFY2(back.ok(), exact.id.data());
            QVERIFY2(back->a == t.a && back->b == t.b && back->c == t.c && back->embedded == t.embedded && back->name == t.name,
                     exact.id.data());
            // Exact entries are expressions, evaluated anew: round-off of a few operations on numbers that may be a hundred
            // times as large.
            const auto same = run::readTableau(run::writeTableau(exact), "exact.toml");
            QVERIFY2(same.ok() && same->stages == t.stages && same->embedded.size() == t.embedded.size(), exact.id.data());
            for (std::size_t i = 0; i < t.a.size(); ++i)
                QVERIFY2(std::abs(same->a[i] - t.a[i]) < 1e-13, exact.id.data());
            for (std::size_t i = 0; i < t.b.size(); ++i)
                QVERIFY2(std::abs(same->b[i] - t.b[i]) < 1e-13 && std::abs(same->c[i] - t.c[i]) < 1e-13, exact.id.data());
        }
        auto odd = integrate::inDoubles(*integrate::findExactTableau("rk4"));
        odd.name = "a \"quoted\" \\ name\n";
        QVERIFY(run::readTableau(run::writeTableau(odd), "written.toml").ok());
    }

    void expressions_areValues_andTheEmbeddedRuleChoosesTheStep()
    {
        const auto implicit =
            methodOf("A = [[\"1/2 + sqrt(3)/6\", 0], [\"-sqrt(3)/3\", \"1/2 + sqrt(3)/6\"]]\nb = [\"1/2\", \"1/2\"]\n");
        QVERIFY(implicit && implicit->info.implicitMethod);
        QCOMPARE(implicit->info.id, std::string("mine"));
        QCOMPARE(implicit->info.order, 3);
        QCOMPARE(implicit->info.maxIndex, 2);
        const auto pair = methodOf("A = [[0, 0], [1, 0]]\nb = [0.5, 0.5]\nb_embedded = [1, 0]\n");
        QVERIFY(pair && pair->info.adaptive && pair->tableau.embeddedOrder == 1);
        auto method = integrate::makeRungeKutta(pair);
        const auto y = walk<problems::GenericOde>(*method);
        // Tolerances of 1e-6 on a problem that grows by e: errors add up over a thousand steps.
        QVERIFY(y.size() == 3 && std::abs(y[0] - std::exp(1.0)) < 1e-3);
    }

    void capabilities_areThoseOfTheCatalogue()
    {
        for (const auto& t : integrate::exactTableaus()) {
            const auto* info = integrate::findIntegrator(t.id);
            QVERIFY2(info, t.id.data());
            // The trapezoidal rule has a stepper of its own, which goes to index 3 for the experiment of [St02].
            if (t.id != "implicit-trapezoidal")
                QVERIFY2(integrate::highestIndex(integrate::inDoubles(t)) == info->maxIndex, t.id.data());
        }
    }

    void mistakes_areNamedWithTheirPlace_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("no A") << QByteArray("b = [1]\n") << QByteArray("A = ");
        QTest::newRow("unknown key") << QByteArray("A = [[0]]\nb = [1]\nd = 3\n") << QByteArray("mine.toml:3");
        QTest::newRow("ragged") << QByteArray("A = [[0, 0], [1]]\nb = [1, 0]\n") << QByteArray("mine.toml:1:14");
        QTest::newRow("a name") << QByteArray("A = [[0]]\nb = [\"x\"]\n") << QByteArray("mine.toml:2");
        QTest::newRow("no value") << QByteArray("A = [[0]]\nb = [\"1/0\"]\n") << QByteArray("mine.toml:2");
        QTest::newRow("no TOML") << QByteArray("A = [[0]\n") << QByteArray("mine.toml:");
        QTest::newRow("a word") << QByteArray("A = \"no\"\nb = [1]\n") << QByteArray("list of rows");
        QTest::newRow("a flag") << QByteArray("A = [[true]]\nb = [1]\n") << QByteArray("number or a text");
        QTest::newRow("row sum") << QByteArray("A = [[0, 0], [1, 0]]\nb = [0.5, 0.5]\nc = [0, 0.5]\n") << QByteArray("row 2");
        QTest::newRow("no weights") << QByteArray("A = [[0]]\nb = [0.9]\n") << QByteArray("add up to one");
        QTest::newRow("embedded") << QByteArray("A = [[0]]\nb = [1]\nb_embedded = [2]\n") << QByteArray("embedded");
        QTest::newRow("large entry") << QByteArray("A = [[1e9]]\nb = [1]\n") << QByteArray("1e+09");
        QByteArray rows;
        for (int i = 0; i < 17; ++i)
            rows += "[0],";
        QTest::newRow("too many stages") << QByteArray("A = [" + rows + "]\nb = [1]\n") << QByteArray("1 to 16");
        QTest::newRow("too large") << QByteArray(100'000, '#') << QByteArray("too large");
    }
    void mistakes_areNamedWithTheirPlace()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, message);
        const auto tableau = run::readTableau(text.toStdString(), "mine.toml");
        std::string said = tableau ? "" : tableau.error().text();
        if (tableau) {
            const auto method = integrate::methodFrom(*tableau);
            said = method ? "accepted" : method.error().text();
        }
        QVERIFY2(said.find(message.toStdString()) != std::string::npos, said.c_str());
    }

    void aFileThatIsNone_isRefused()
    {
        QVERIFY(!run::openTableau("/dev/zero").ok());
        QVERIFY(!run::openTableau("there-is-no-such-file.toml").ok());
    }
};

QTEST_APPLESS_MAIN(TableauFileTest)
#include "test_tableau_file.moc"
