// Finished runs in a folder may be damaged, or a stranger's: they are computed again, and what is taken over breaks nothing.
#include <QtTest>

#include <QDir>
#include <QTemporaryDir>

#include <fstream>
#include <limits>
#include <random>

#include <nlohmann/json.hpp>

#include "core/run/EventWords.h"
#include "core/run/RunJson.h"
#include "core/study/Execute.h"
#include "core/study/Fingerprint.h"
#include "core/study/Measure.h"
#include "core/study/Report.h"
#include "core/text/RegularFile.h"

using namespace driftless;
using Json = nlohmann::ordered_json;

namespace {

const char* const kStudy = R"toml(
title = "Two pendulums"
summary = "What a measure can read."
[default]
model = "pendulum"
formulation = "index-1"
integrator = "rk4"
step = 0.05
end = 1
[[run]]
name = "a"
[[run]]
name = "b"
step = 0.025
[[table]]
name = "t1"
column = [
  { title = "s", measure = "state.bob.x" }, { title = "p", measure = "parameter.L" }, { title = "n", measure = "steps" },
  { title = "c", measure = "count(command)" }, { title = "m", measure = "at(0.51, bob.x)" }, { title = "d", measure = "difference(a)" },
  { title = "e", measure = "error(a, bob.x)" }, { title = "g", measure = "growth(bob.x*L)" }, { title = "f", measure = "drift(energy_error)" },
  { title = "r", measure = "max_residual.position" }, { title = "u", measure = "status" },
]
)toml";

/// Every place in a JSON, as a path of keys.
void places(const Json& j, const Json::json_pointer& here, std::vector<Json::json_pointer>& out)
{
    out.push_back(here);
    if (j.is_object())
        for (const auto& [key, value] : j.items())
            places(value, here / key, out);
    if (j.is_array() && !j.empty())
        places(j[0], here / std::size_t(0), out);
}

const std::vector<Json> kWrong{
    nullptr, true, -1, 9223372036854775808ULL, 1e300, "x", Json::array(), Json{{"x", Json::array()}}};

} // namespace

class TestDamagedResults : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    study::Study study_;
    std::unique_ptr<study::Executor> executor_;
    std::vector<study::RunData> good_;
    std::string path_;

    /// Whatever is measured gives a value or words, and never anything else.
    void measureAll(const study::RunData& data)
    {
        study::Finished finished{&study_, {&data, &good_[1]}};
        (void)study::tabulate(finished);
        (void)study::judge(finished);
        (void)study::resultJson(finished, "test", {}, {}, {});
    }

    /// The file with one place changed and the checksum that fits.
    void forge(const Json::json_pointer& place, const Json& wrong) const
    {
        const auto text = readRegularFile(path_ + "/a.json", 1 << 30), csv = readRegularFile(path_ + "/a.csv", 1 << 30);
        QVERIFY(text && csv);
        Json json = Json::parse(*text);
        json.erase("checksum");
        json[place] = wrong;
        const std::string whole = json.dump(-1, ' ', false, Json::error_handler_t::replace);
        json["checksum"] = study::Fingerprint().add(whole).add(*csv).text();
        std::ofstream(path_ + "/a.json", std::ios::binary) << json.dump(1);
    }

private slots:
    void initTestCase()
    {
        auto read = study::readStudy(kStudy, "two.toml");
        QVERIFY2(read, read ? "" : read.error().text().c_str());
        study_ = std::move(*read);
        auto made = study::Executor::create(study_, "test");
        QVERIFY2(made, made ? "" : made.error().text().c_str());
        executor_ = std::move(*made);
        const std::atomic<bool> cancel{false};
        for (std::size_t i = 0; i < 2; ++i) {
            auto data = executor_->run(i, cancel);
            QVERIFY(data);
            good_.push_back(std::move(*data));
        }
        path_ = folder_.path().toStdString();
    }

    void whatIsWholeIsTakenOver()
    {
        study::RunData data = good_[0];
        data.selections = {{.t = 0.25, .from = {"bob.x"}, .to = {"bob.y", "bob.x'"}}, {.t = 0.5, .from = {}, .to = {"a, b"}}};
        QVERIFY(study::saveRun(data, path_));
        const auto back = study::loadRun(path_, "a", data.fingerprint);
        QVERIFY2(back, back ? "" : back.error().text().c_str());
        QVERIFY(back->values == data.values);
        QCOMPARE(run::toJson(back->report).dump(), run::toJson(data.report).dump());
        QVERIFY(back->selections == data.selections);
    }

    void changesOfTheDummies_areKeptByName_whateverTheWordsOfEvents()
    {
        auto study =
            study::readStudy("title = \"Pivots\"\nsummary = \"Which.\"\n[default]\nmodel = \"pendulum\"\n"
                             "formulation = \"dummy-derivatives\"\nintegrator = \"radau-iia-5\"\nstep = 0.02\nend = 6\n"
                             "[[run]]\nname = \"a\"\nset = { phi = 2 }\n",
                             "pivots.toml");
        QVERIFY2(study, study ? "" : study.error().text().c_str());
        const auto executor = study::Executor::create(*study, "test");
        QVERIFY2(executor, executor ? "" : executor.error().text().c_str());
        const std::atomic<bool> cancel{false};
        const auto told = (*executor)->run(0, cancel);
        QVERIFY(told && told->selections.size() >= 2);
        for (std::size_t k = 1; k < told->selections.size(); ++k) {
            QCOMPARE(told->selections[k].from, told->selections[k - 1].to);
            QVERIFY(told->selections[k].t > told->selections[k - 1].t);
        }
        const run::WordsReplaced replaced;
        const auto untold = (*executor)->run(0, cancel);
        QVERIFY(untold && untold->selections == told->selections && untold->values == told->values);
        QCOMPARE(untold->report.events.back().text, std::string("X"));
    }

    /// One bit or one end anywhere in either file: never taken over.
    void everyAccidentIsFound()
    {
        std::mt19937_64 random(21);
        QVERIFY(study::saveRun(good_[0], path_));
        for (const char* ending : {".json", ".csv"}) {
            const std::string file = path_ + "/a" + ending;
            const auto whole = readRegularFile(file, 1 << 30);
            QVERIFY(whole);
            for (int k = 0; k < 80; ++k) {
                std::string bytes = *whole;
                const std::size_t at = random() % bytes.size();
                if (k % 3 == 0)
                    bytes.resize(at);
                else
                    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 7));
                std::ofstream(file, std::ios::binary) << bytes;
                const auto loaded = study::loadRun(path_, "a", good_[0].fingerprint);
                // White space between the parts of a JSON says nothing.
                if (loaded)
                    QVERIFY2(loaded->values == good_[0].values && run::toJson(loaded->report) == run::toJson(good_[0].report)
                                 && loaded->positions == good_[0].positions,
                             qPrintable(QString("byte %1 of a%2").arg(at).arg(ending)));
            }
            std::ofstream(file, std::ios::binary) << *whole;
        }
        QVERIFY(study::loadRun(path_, "a", good_[0].fingerprint));
    }

    /// A stranger's file has the right checksum: what is wrong in it is refused, or does no harm.
    void aForgedReportDoesNoHarm()
    {
        std::vector<Json::json_pointer> all;
        places(run::toJson(good_[0].report), Json::json_pointer("/report"), all);
        QVERIFY(all.size() > 40);
        int taken = 0, refused = 0;
        std::mt19937_64 random(23);
        for (const auto& place : all)
            for (const Json& wrong : kWrong) {
                if (random() % 3 != 0)
                    continue; // each file is brought to the disk, which takes its time
                QVERIFY(study::saveRun(good_[0], path_));
                forge(place, wrong);
                const auto loaded = study::loadRun(path_, "a", good_[0].fingerprint);
                ++(loaded ? taken : refused);
                if (loaded)
                    measureAll(*loaded);
            }
        QVERIFY2(taken > 30 && refused > 30, qPrintable(QString("%1 taken, %2 refused").arg(taken).arg(refused)));
    }

    void forgedSizesAndTimesAreRefused()
    {
        const auto refused = [&](const study::RunData& data) {
            return study::saveRun(data, path_) && !study::loadRun(path_, "a", data.fingerprint);
        };
        const std::size_t columns = good_[0].columns.size();
        for (const std::size_t positions :
             {columns / 2 + 1, columns, std::size_t(1) << 62, std::size_t(1) << 63, ~std::size_t(0)}) {
            study::RunData data = good_[0];
            data.positions = positions;
            QVERIFY2(refused(data), qPrintable(QString::number(positions)));
        }
        study::RunData data = good_[0];
        data.columns.pop_back(); // the rows are too long now
        QVERIFY(refused(data));
        data = good_[0];
        data.values[data.width()] = 1e9; // time goes back after it
        QVERIFY(refused(data));
        data = good_[0];
        data.values[0] = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(refused(data));
    }

    /// As many rows as there are, none included.
    void forgedRowsDoNoHarm()
    {
        std::mt19937_64 random(22);
        for (int k = 0; k < 60; ++k) {
            study::RunData data = good_[0];
            data.values.resize(data.width() * (random() % (data.rowCount() + 1)));
            for (double& x : data.values)
                if (random() % 50 == 0)
                    x = std::ldexp(1.0, static_cast<int>(random() % 2040) - 1000);
            for (std::size_t r = 0; r < data.rowCount(); ++r)
                data.values[r * data.width()] =
                    k % 2 == 0 ? good_[0].time(r) : 1.7e308 - static_cast<double>(data.rowCount() - r) * 1e300;
            data.positions = random() % (data.columns.size() / 2 + 1);
            QVERIFY(study::saveRun(data, path_));
            if (const auto loaded = study::loadRun(path_, "a", data.fingerprint))
                measureAll(*loaded);
        }
    }
};

QTEST_APPLESS_MAIN(TestDamagedResults)
#include "test_damaged_results.moc"
