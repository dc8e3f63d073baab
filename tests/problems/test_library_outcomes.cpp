// The library's rows of the committed table of outcomes: every mechanism in every formulation with a one-step and a multistep
// method does what its row says, to the row's end.
#include "tests/app/Outcomes.h"

using namespace driftless;
using outcomes::Key;

class TestLibraryOutcomes : public QObject {
    Q_OBJECT
    outcomes::Table table_;
    std::size_t walked_ = 0, ran_ = 0; ///< pairs that did what their row says, and those that ran to the end

private slots:
    void initTestCase() { table_.read(); }

    void everyPairStandsInItsRow()
    {
        QVERIFY(table_.libraryEnds.size() >= 20);
        for (const auto& [name, end] : table_.libraryEnds)
            for (const auto& form : formulation::formulations())
                for (const char* method : outcomes::kLibraryMethods) {
                    const Key key{form->info().id, name, method};
                    const auto found = table_.library.find(key);
                    QVERIFY2(found != table_.library.end(), (outcomes::textOf(key) + " is missing in the table").c_str());
                    QVERIFY2(found->second.outcome == "runs" || found->second.reason.size() >= 5,
                             (outcomes::textOf(key) + " gives no reason").c_str());
                }
        for (const auto& [key, expected] : table_.library)
            QVERIFY2(formulation::findFormulation(std::get<0>(key)), outcomes::textOf(key).c_str());
    }

    void outcome_data()
    {
        QTest::addColumn<QString>("model");
        for (const auto& [name, end] : table_.libraryEnds)
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void outcome()
    {
        QFETCH(QString, model);
        for (const auto& [key, expected] : table_.library)
            if (std::get<1>(key) == model.toStdString()) {
                table_.walk(key, expected, table_.libraryEnds.at(std::get<1>(key)));
                QVERIFY2(!QTest::currentTestFailed(), outcomes::textOf(key).c_str());
                ++walked_;
                ran_ += expected.outcome == "runs";
            }
    }

    /// Formulations that hold without a chart carry nearly everything: of the pairs that were walked two of three at least ran.
    void mostPairsRan()
    {
        if (walked_ < table_.library.size())
            QSKIP("not all rows were walked");
        QVERIFY2(3 * ran_ > 2 * walked_, QByteArray::number(static_cast<qulonglong>(ran_)).constData());
    }
};

QTEST_GUILESS_MAIN(TestLibraryOutcomes)
#include "test_library_outcomes.moc"
