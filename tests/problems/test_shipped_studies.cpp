// Every shipped study, whole: every run ends as expected, every claim holds, every cell of every table has its value; and the
// same study twice gives the same bytes, also when it is computed in parts.
#include <QtTest>

#include <memory>
#include <thread>

#include "core/study/Execute.h"
#include "core/study/Report.h"

using namespace driftless;

namespace {

struct Computed {
    study::Study study;
    std::unique_ptr<study::Executor> executor;
    std::vector<std::unique_ptr<study::RunData>> data;
    study::Finished finished;
};

std::unique_ptr<Computed> compute(const QString& id, int threads)
{
    auto out = std::make_unique<Computed>();
    auto study = study::openStudy(id.toStdString());
    if (!study)
        qFatal("%s", study.error().text().c_str());
    out->study = std::move(*study);
    auto executor = study::Executor::create(out->study, "test");
    if (!executor)
        qFatal("%s", executor.error().text().c_str());
    out->executor = std::move(*executor);
    out->data.resize(out->study.runs.size());
    std::vector<std::size_t> all(out->study.runs.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = i;
    const std::atomic<bool> cancel{false};
    const auto done = out->executor->runAll(all, threads, cancel, [&](std::size_t i, study::RunData data) -> Result<void> {
        out->data[i] = std::make_unique<study::RunData>(std::move(data));
        return {};
    });
    if (!done)
        qFatal("%s", done.error().text().c_str());
    out->finished.study = &out->study;
    for (const auto& data : out->data)
        out->finished.runs.push_back(data.get());
    return out;
}

} // namespace

class TestShippedStudies : public QObject {
    Q_OBJECT
private slots:
    void everyClaimHolds_data()
    {
        QTest::addColumn<QString>("id");
        for (const auto& shipped : study::shippedStudies())
            QTest::addRow("%s", shipped.id.c_str()) << QString::fromStdString(shipped.id);
    }
    void everyClaimHolds()
    {
        QFETCH(QString, id);
        const auto computed = compute(id, static_cast<int>(std::thread::hardware_concurrency()));
        QVERIFY2(!computed->study.summary.empty() && !computed->study.source.empty(),
                 "a study says what it shows and where it is from");
        for (const study::ClaimResult& claim : study::judge(computed->finished))
            QVERIFY2(
                claim.holds,
                (claim.text + ": " + claim.measured + ", " + claim.relation + " (" + claim.run + ") " + claim.why).c_str());
        for (const study::TableResult& table : study::tabulate(computed->finished))
            for (std::size_t c = 0; c < table.columns.size(); ++c) {
                // A run that was refused has no time, one that completed no reason: but a column without any value is a
                // mistake.
                bool any = false;
                for (const auto& row : table.exact)
                    any = any || !row[c].empty();
                QVERIFY2(any, (table.name + ": " + table.columns[c]).c_str());
            }
    }

    void twiceTheSameBytes_alsoReadBackFromFiles()
    {
        const auto first = compute("dn-printed-start", 2), second = compute("dn-printed-start", 1);
        QTemporaryDir folder;
        study::Finished readBack{&second->study, {}};
        std::vector<study::RunData> loaded(second->data.size());
        for (std::size_t i = 0; i < loaded.size(); ++i) {
            QCOMPARE(study::csvOf(*first->data[i]), study::csvOf(*second->data[i]));
            QVERIFY(study::saveRun(*second->data[i], folder.path().toStdString()).ok());
            auto back = study::loadRun(folder.path().toStdString(), second->data[i]->name, second->executor->fingerprint(i));
            QVERIFY2(back.ok(), back ? "" : back.error().text().c_str());
            loaded[i] = std::move(*back);
            QCOMPARE(study::csvOf(loaded[i]), study::csvOf(*first->data[i]));
            QVERIFY(!study::loadRun(folder.path().toStdString(), second->data[i]->name, "another").ok());
        }
        for (const auto& data : loaded)
            readBack.runs.push_back(&data);
        const auto json = [](const study::Finished& f) {
            return study::resultJson(f, "test", study::judge(f), study::tabulate(f), {}).dump();
        };
        QCOMPARE(json(first->finished), json(readBack));
    }
};

QTEST_GUILESS_MAIN(TestShippedStudies)
#include "test_shipped_studies.moc"
