// Every whole model that docs/events.md shows, run to the times that it names, with what comes out there; and no construct
// without an example.
#include <QtTest>

#include <cmath>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "core/reduction/Reduced.h"
#include "core/run/Run.h"

using namespace driftless;

namespace {

struct Example {
    std::string text;
    bool equations = false;
};

/// Those that state what comes out.
std::vector<Example> examples()
{
    std::ifstream file(DRIFTLESS_SOURCE_DIR "/docs/events.md");
    std::stringstream page;
    page << file.rdbuf();
    const std::string text = page.str();
    std::vector<Example> out;
    const std::regex block("```(toml|modelica)\n([^`]*)```");
    for (std::sregex_iterator it(text.begin(), text.end(), block), end; it != end; ++it)
        if ((*it)[2].str().find(" s: ") != std::string::npos)
            out.push_back({.text = (*it)[2], .equations = (*it)[1] == "modelica"});
    return out;
}

/// NAME = VALUE, as many as the line has.
struct Promised {
    double t = 0;
    std::vector<std::pair<std::string, std::string>> values{};
};

std::vector<Promised> promisesOf(const std::string& text)
{
    std::vector<Promised> out;
    const std::regex line("(?:#|//) at (\\S+) s: ([^\n]*)"), value("(\\S+) = (-?[0-9.]+)");
    for (std::sregex_iterator it(text.begin(), text.end(), line), end; it != end; ++it) {
        out.push_back({.t = std::stod((*it)[1])});
        const std::string all = (*it)[2];
        for (std::sregex_iterator v(all.begin(), all.end(), value); v != end; ++v)
            out.back().values.emplace_back((*v)[1], (*v)[2]);
    }
    return out;
}

/// Half of the last digit, and what a thousand steps err by.
double allowed(const std::string& digits)
{
    const std::size_t point = digits.find('.');
    const double places = point == std::string::npos ? 5 : static_cast<double>(digits.size() - point - 1);
    return 0.5 * std::pow(10, -std::max(5.0, places)) + 1e-6;
}

} // namespace

class TestEventsPage : public QObject {
    Q_OBJECT
private slots:
    void everyExample_comesOutAsItSays_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("equations");
        const auto all = examples();
        QVERIFY(all.size() >= 20);
        for (std::size_t k = 0; k < all.size(); ++k)
            QTest::addRow("%zu", k) << QString::fromStdString(all[k].text) << all[k].equations;
    }
    void everyExample_comesOutAsItSays()
    {
        QFETCH(QString, text);
        QFETCH(bool, equations);
        const auto model = reduction::readModel(text.toStdString(), equations ? "example.mo" : "example.toml");
        QVERIFY2(model, model ? "" : model.error().text().c_str());
        const auto system = model::CompiledSystem::compile(*model);
        QVERIFY2(system, system ? "" : system.error().text().c_str());
        run::RunSettings settings;
        settings.formulation = "dummy-derivatives";
        settings.integrator = "radau";
        settings.options.step = 0;
        settings.options.relativeTolerance = settings.options.absoluteTolerance = 1e-9;
        settings.options.maxStep = (*model)->run.maxStep.value_or(0);
        auto run = run::Run::create(*system, {}, settings);
        QVERIFY2(run, run ? "" : run.error().text().c_str());
        for (const Promised& promised : promisesOf(text.toStdString())) {
            QVERIFY(!promised.values.empty());
            (void)(*run)->advanceTo(promised.t); // the model may end it
            const bool ends = text.contains("terminate(") && (*run)->t() > 0;
            QVERIFY2(ends || !(*run)->failed(), ends || !(*run)->failed() ? "" : (*run)->status().diagnostic->text().c_str());
            const run::RecordingView rows = (*run)->recording();
            for (const auto& [name, digits] : promised.values) {
                const int column = rows.findColumn(name);
                QVERIFY2(column >= 0, name.c_str());
                const double value = rows.value(rows.rowCount() - 1, column);
                QVERIFY2(std::abs(value - std::stod(digits)) <= allowed(digits),
                         (name + " = " + std::to_string(value) + " in place of " + digits).c_str());
            }
        }
    }

    void everyConstruct_hasAnExample()
    {
        std::string all;
        for (const Example& one : examples())
            all += one.text;
        for (const char* word : {"\"string\"",       "\"strut\"",        "\"wall\"",   "\"curved-wall\"", "\"stop\"",
                                 "\"breaking-rod\"", "\"dry-friction\"", "\"clutch\"", "\"ratchet\"",     "friction = ",
                                 "restitution = ",   "impact_law",       "impacts",    "painleve",        "when ",
                                 "elsewhen ",        "reinit(",          "pre(",       "edge(",           "change(",
                                 "initial()",        "sample(",          "= if ",      "  if ",           "noEvent(",
                                 "smooth(",          "Boolean ",         "Integer ",   "discrete Real ",  "assert(",
                                 "terminate("})
            QVERIFY2(all.find(word) != std::string::npos, word);
    }
};

QTEST_GUILESS_MAIN(TestEventsPage)
#include "test_events_page.moc"
