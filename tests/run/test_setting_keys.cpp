// One list of settings and one vocabulary of panels: what is written in a file, on a command line or said by a model's file
// ends in the same settings.
#include <QtTest>

#include <fstream>
#include <set>
#include <sstream>

#include "core/run/PanelKind.h"
#include "core/run/Run.h"
#include "core/run/RunRequest.h"
#include "core/run/SettingKeys.h"
#include "core/system/Model.h"
#include "core/system/ShippedModels.h"
#include "core/text/TableReader.h"

using namespace driftless;
using namespace driftless::run;

namespace {

/// The request of one line of TOML; what is refused leaves nothing but a reason.
Result<RunRequest> requestOf(const std::string& line)
{
    const auto root = model::parseToml(line, "x.toml");
    if (!root)
        return root.error();
    RunRequest out;
    try {
        for (const model::TomlEntry& entry : root->entries)
            if (!readSetting(entry.key, entry.value, out, "run"))
                return Diagnostic{.what = "no setting", .where = entry.key, .why = {}, .remedy = {}, .position = {}};
    } catch (const model::ReadError& error) {
        return error.diagnostic;
    }
    return out;
}

std::string whyNot(const std::string& line)
{
    const auto request = requestOf(line);
    return request ? std::string() : request.error().text();
}

} // namespace

class TestSettingKeys : public QObject {
    Q_OBJECT
private slots:
    void everyKeyIsOne()
    {
        std::set<std::string_view> names, options;
        for (const SettingKey& key : settingKeys()) {
            QVERIFY2(names.insert(key.name).second && !key.meaning.empty(), key.name.data());
            QVERIFY2(key.option.empty() || options.insert(key.option).second, key.name.data());
            const bool number = key.kind == SettingKind::Number || key.kind == SettingKind::NominalNumber;
            QVERIFY2(number == (key.number != nullptr), key.name.data());
            QVERIFY2(findSetting(key.name) == &key, key.name.data());
        }
        QVERIFY(!findSetting("zz"));
    }

    void everyKeyIsDocumented()
    {
        std::stringstream text;
        text << std::ifstream(DRIFTLESS_SOURCE_DIR "/docs/studies.md").rdbuf();
        for (const SettingKey& key : settingKeys())
            QVERIFY2(text.str().find('`' + std::string(key.name) + '`') != std::string::npos, key.name.data());
    }

    void numbersAreReadFromFilesAndTexts()
    {
        for (const SettingKey& key : settingKeys()) {
            if (!key.number)
                continue;
            const std::string name(key.name);
            const auto request = requestOf(name + " = 0.25");
            QVERIFY2(request.ok(), name.c_str());
            QCOMPARE((*request).*(key.number), std::optional(0.25));
            QCOMPARE((*requestOf(name + " = \"1/8\"")).*(key.number), std::optional(0.125));
            RunRequest fromText;
            QVERIFY(setFromText(name, "1/8", fromText).ok());
            QCOMPARE(fromText.*(key.number), std::optional(0.125));
            QVERIFY(!setFromText(name, "long", fromText).ok());
            QVERIFY(!whyNot(name + " = -1").empty() && !whyNot(name + " = 1e-320").empty()
                    && !whyNot(name + " = true").empty());
            QCOMPARE(whyNot(name + " = 0").empty(), key.kind == SettingKind::NominalNumber);
        }
        QCOMPARE(requestOf("tol = 1e-5")->relativeTolerance, std::optional(1e-5));
        QCOMPARE(requestOf("tol = 1e-5")->absoluteTolerance, std::optional(1e-5));
        QCOMPARE(requestOf("newton = 3")->minNewtonIterations, std::optional(3));
        RunRequest request;
        QVERIFY(setFromText("newton", "3", request).ok() && request.minNewtonIterations == 3);
        QVERIFY(setFromText("pivot", "x,y", request).ok());
        QCOMPARE(request.pivot, std::optional<std::string>("x,y"));
        for (const char* none : {"zz", "set", "formulation", "pivot"})
            QVERIFY2(!setFromText(none, "", request).ok(), none);
    }

    void namesAndListsAreRead()
    {
        QCOMPARE(requestOf("set = { L = 2, g = \"pi\" }")->set.size(), std::size_t(2));
        QCOMPARE(requestOf("gains = { xi = 0.1 }")->gains.front(), std::string("xi=0.1"));
        QCOMPARE(requestOf("options = { basis = \"frozen\" }")->choices.front(), std::string("basis=frozen"));
        QCOMPARE(requestOf("pivot = [\"x\", \"y\"]")->pivot, std::optional<std::string>("x,y"));
        QVERIFY(requestOf("metric = \"mass\"")->massMetric == true
                && requestOf("allow_inconsistent = true")->allowInconsistent);
        QVERIFY(whyNot("formulation = \"indx-1\"").find("did you mean \"index-1\"") != std::string::npos);
        QVERIFY(whyNot("integrator = \"rk5\"").find("no integrator") != std::string::npos);
        QVERIFY(!whyNot("gains = 3").empty() && !whyNot("pivot = []").empty() && !whyNot("metric = \"zz\"").empty());
        QVERIFY(!whyNot("pivot = \"\"").empty() && !whyNot("pivot = [\"\"]").empty() && !whyNot("pivot = [\"x,y\"]").empty());
        std::string many = "set = { a0 = 1";
        for (int k = 1; k <= 1000; ++k)
            many += ", a" + std::to_string(k) + " = 1";
        QVERIFY(whyNot(many + " }").find("too many names") != std::string::npos);
    }

    /// A run that nobody will switch takes the model's pair for the command, unless something is asked for that belongs to a
    /// form or a method. No shipped pair is refused.
    void aCommandTakesThePairOfTheModel()
    {
        int pairs = 0; // that a file states
        for (const model::ShippedModel& shipped : model::shippedModels()) {
            RunRequest request;
            request.model = shipped.path;
            request.byCommand = true;
            const auto prepared = prepareRun(request);
            QVERIFY2(prepared.ok(), shipped.path.c_str());
            const model::RunDefaults& file = prepared->system->model().run;
            pairs += file.command && file.command->integrator != "radau-9";
            const model::MethodPair taken = file.command.value_or(model::MethodPair{file.formulation, file.integrator});
            QCOMPARE(prepared->settings.formulation, taken.formulation);
            QCOMPARE(prepared->settings.integrator, taken.integrator);
            const auto run = Run::create(prepared->system, prepared->start, prepared->settings);
            QVERIFY2(run.ok(), (shipped.path + ": " + (run ? "" : run.error().text())).c_str());
        }
        QVERIFY(pairs > 50);

        const model::RunDefaults file{.formulation = "ggl", .integrator = "bdf", .command = {{"projection", "dop853"}}};
        // A gain belongs to the form of the file, and a step to its method of fixed steps.
        const auto pairOf = [](RunRequest request) {
            request.byCommand = true;
            const auto prepared = prepareRun(request);
            return prepared ? prepared->settings.formulation + ' ' + prepared->settings.integrator : prepared.error().what;
        };
        QCOMPARE(pairOf({.model = "andrews"}), std::string("projection dormand-prince"));
        QCOMPARE(pairOf({.model = "andrews", .set = {"length=0.1"}}), std::string("ggl radau"));
        QCOMPARE(pairOf({.model = "four-bar-chain", .step = 1e-3}), std::string("projection rk4"));

        const auto taken = [&](auto ask) {
            RunRequest request;
            request.byCommand = true;
            ask(request);
            const RunSettings s = settingsOf(file, request);
            return s.formulation + ' ' + s.integrator;
        };
        QCOMPARE(taken([](RunRequest&) {}), std::string("projection dop853"));
        QCOMPARE(taken([](RunRequest& r) { r.relativeTolerance = 1e-9; }), std::string("projection dop853"));
        QCOMPARE(taken([](RunRequest& r) { r.formulation = "index-1"; }), std::string("index-1 bdf"));
        QCOMPARE(taken([](RunRequest& r) { r.integrator = "ida"; }), std::string("ggl ida"));
        QCOMPARE(taken([](RunRequest& r) { r.pivot = "auto"; }), std::string("ggl bdf"));
        QCOMPARE(taken([](RunRequest& r) { r.choices = {"basis=frozen"}; }), std::string("ggl bdf"));
        QCOMPARE(taken([](RunRequest& r) { r.gains = {"length=1"}; }), std::string("ggl bdf"));
        QCOMPARE(taken([](RunRequest& r) { r.tolerances = {"x=1e-3"}; }), std::string("ggl bdf"));
        QCOMPARE(taken([](RunRequest& r) { r.methodParameter = 0.5; }), std::string("ggl bdf"));
        QCOMPARE(taken([](RunRequest& r) { r.minNewtonIterations = 2; }), std::string("ggl bdf"));
        QCOMPARE(taken([](RunRequest& r) { r.multiplierTolerance = 1e-3; }), std::string("ggl bdf"));
        QCOMPARE(taken([](RunRequest& r) { r.step = 1e-3; }), std::string("projection dop853")); // the first one of either
        QCOMPARE(taken([](RunRequest& r) { r.allowInconsistent = true; }), std::string("ggl bdf"));
        QCOMPARE(taken([](RunRequest& r) { r.byCommand = false; }), std::string("ggl bdf"));
    }

    void scopesAreParts()
    {
        const auto all = settingNames(SettingScope::Run);
        for (const SettingScope scope : {SettingScope::Event, SettingScope::Bench})
            for (const std::string& name : settingNames(scope))
                QVERIFY2(std::ranges::find(all, name) != all.end(), name.c_str());
        const auto bench = settingNames(SettingScope::Bench), event = settingNames(SettingScope::Event);
        for (const char* name : {"model", "end", "set"})
            QVERIFY2(std::ranges::find(bench, name) == bench.end(), name);
        for (const char* name : {"model", "end", "min_step", "fixed"})
            QVERIFY2(std::ranges::find(event, name) == event.end(), name);
    }

    /// What the window makes of a model's file is what a command makes of it.
    void aModelsFileMeansTheSameToAll()
    {
        int models = 0;
        for (const model::ShippedModel& shipped : model::shippedModels()) {
            RunRequest request;
            request.model = shipped.path;
            const auto prepared = prepareRun(request);
            QVERIFY2(prepared.ok(), shipped.path.c_str());
            const RunSettings window = settingsOf(prepared->system->model().run);
            const RunSettings& command = prepared->settings;
            QCOMPARE(window.formulation, command.formulation);
            QCOMPARE(window.integrator, command.integrator);
            QCOMPARE(window.options.step, command.options.step);
            QCOMPARE(window.options.relativeTolerance, command.options.relativeTolerance);
            QCOMPARE(window.options.absoluteTolerance, command.options.absoluteTolerance);
            QCOMPARE(window.options.multiplierTolerance, command.options.multiplierTolerance);
            ++models;
        }
        QVERIFY(models > 10);
    }

    void aBenchTakesWhatARunTakes()
    {
        const auto request =
            requestOf("formulation = \"baumgarte\"\nintegrator = \"rk4\"\nstep = 0.2\nrtol = 1e-4\natol_for = { x = 1e-9 }\n"
                      "gains = { xi = 0.5 }\noptions = { a = \"b\" }\npivot = [\"x\", \"y\"]\nmax_step = 0.5\n");
        QVERIFY2(request.ok(), request ? "" : request.error().text().c_str());
        const auto settings = benchSettings(*request);
        QVERIFY(settings.ok());
        QCOMPARE(settings->options.step, 0.2);
        QCOMPARE(settings->options.maxStep, 0.5);
        QCOMPARE(settings->options.relativeTolerance, 1e-4);
        QCOMPARE(settings->options.absoluteTolerance, 0.0); // by the nominal values
        QCOMPARE(settings->options.tolerances.at("x"), 1e-9);
        QCOMPARE(settings->gains.at("xi"), 0.5);
        QCOMPARE(settings->choices.at("a"), std::string("b"));
        QVERIFY(!settings->pivot.automatic);
        QCOMPARE(settings->pivot.dummies, (std::vector<std::string>{"x", "y"}));
        QCOMPARE(benchSettings(*requestOf("integrator = \"ida\""))->options.step, 0.0); // its own first guess
    }

    void requestsAreLaidOver()
    {
        RunRequest base = *requestOf("model = \"a\"\nstep = 0.1\nset = { L = 1 }\nrtol = 1e-3");
        const RunRequest over = overlaid(base, *requestOf("step = 0.2\nset = { L = 2 }"));
        QCOMPARE(over.step, std::optional(0.2));
        QCOMPARE(over.relativeTolerance, std::optional(1e-3));
        QCOMPARE(over.set.size(), std::size_t(2)); // the later one wins where they are applied
        QVERIFY(overlaid(base, *requestOf("model = \"b\"")).set.empty());
        // Every key that can be written is taken over.
        const char* const all =
            "model = \"a\"\nformulation = \"index-1\"\nintegrator = \"rk4\"\nstep = 1\nrtol = 1\natol = 1\natol_for = { x = 1 "
            "}\n"
            "atol_multipliers = 1\nmax_step = 1\nmin_step = 1\nnewton = 2\nmethod_parameter = 1\nend = 1\nset = { L = 1 }\n"
            "gains = { xi = 1 }\noptions = { a = \"b\" }\npivot = [\"x\"]\nallow_inconsistent = true\nmetric = \"mass\"\nfixed "
            "= [\"x\"]\n";
        for (const SettingKey& key : settingKeys())
            QVERIFY2(key.kind == SettingKind::BothTolerances
                         || std::string(all).find(std::string(key.name) + " = ") != std::string::npos,
                     key.name.data());
        const auto whole = requestOf(all);
        QVERIFY2(whole.ok(), whole ? "" : whole.error().text().c_str());
        const RunRequest taken = overlaid({.model = "a"}, *whole);
        QVERIFY(taken.formulation == whole->formulation && taken.integrator == whole->integrator
                && taken.pivot == whole->pivot);
        for (const SettingKey& key : settingKeys()) {
            QVERIFY2(!key.number || taken.*(key.number) == (*whole).*(key.number), key.name.data());
            QVERIFY2(!key.list || (taken.*(key.list) == (*whole).*(key.list) && !(taken.*(key.list)).empty()), key.name.data());
        }
        QVERIFY(taken.minNewtonIterations == 2 && taken.massMetric == true && taken.allowInconsistent
                && taken.fixed == whole->fixed);
        QVERIFY(hasNumbers(base) && !hasNumbers(*requestOf("formulation = \"index-1\"")));
    }

    /// A study has no command line: diagnostics name the key.
    void diagnosticsNameKeys()
    {
        for (const auto& [line, key] : {std::pair("set = { zz = 1 }", "set"),
                                        {"pivot = \"zz\"", "zz"},
                                        {"atol_for = { zz = 1 }", "tolerance"},
                                        {"integrator = \"rk4\"\nstep = 1e-60", "(step)"},
                                        {"end = 1e60", "(end)"}}) {
            auto request = requestOf(line);
            QVERIFY2(request.ok(), line);
            request->model = "pendulum";
            const auto prepared = prepareRun(*request);
            QVERIFY2(!prepared.ok(), line);
            const std::string text = prepared.error().text();
            QVERIFY2(text.find("--") == std::string::npos && text.find(key) != std::string::npos, text.c_str());
        }
        for (const auto& broken :
             {RunRequest{.model = "pendulum", .set = {"L"}}, RunRequest{.model = "pendulum", .choices = {"=a"}}}) {
            const auto prepared = prepareRun(broken);
            QVERIFY(!prepared.ok());
            QVERIFY2(prepared.error().text().find("--") == std::string::npos, prepared.error().text().c_str());
        }
    }

    void numbersThatCount_areWhole()
    {
        QVERIFY(!requestOf("newton = 2.5").ok());
        QCOMPARE(requestOf("newton = 3")->minNewtonIterations, std::optional(3));
        RunRequest request;
        const auto half = setFromText("newton", "2.5", request);
        QVERIFY(!half.ok() && half.error().what.find("whole") != std::string::npos);
        QVERIFY(setFromText("newton", "3", request).ok() && request.minNewtonIterations == 3);
    }

    void aSettingThatWasMistyped_getsTheNearestName()
    {
        RunRequest request;
        const auto refused = setFromText("setp", "0.1", request);
        QVERIFY(!refused.ok());
        QVERIFY2(refused.error().remedy.find("\"step\"") != std::string::npos, refused.error().remedy.c_str());
        const auto far = setFromText("zzzzzz", "0.1", request);
        QVERIFY(far.error().remedy.find("one of") != std::string::npos);
    }

    void settingsThatTheMethodDoesNotHave_areSaid()
    {
        const auto unused = [](const char* line, const char* method) {
            std::vector<std::string> out;
            for (const UnusedSetting& one : unusedSettings(*requestOf(line), *integrate::findIntegrator(method)))
                out.emplace_back(one.setting);
            return out;
        };
        using Names = std::vector<std::string>;
        QVERIFY(unused("newton = 2", "ida") == Names() && unused("newton = 2", "bdf") == Names());
        QVERIFY(unused("newton = 2", "dop853") == Names{"newton"} && unused("newton = 2", "radau") == Names{"newton"});
        QVERIFY(unused("max_step = 0.1\nmin_step = 0.01", "rk4") == (Names{"max_step", "min_step"}));
        QVERIFY(unused("max_step = 0.1\nmin_step = 0.01", "radau") == Names());
        QVERIFY(unused("method_parameter = 0.5", "rk4") == Names{"method_parameter"});
        QVERIFY(unused("step = 0.1", "rk4") == Names());
    }

    void oneNameOfATable_variesAsTheTableDoes()
    {
        model::TomlValue two;
        two.kind = model::TomlKind::Float;
        two.number = 2;
        RunRequest request;
        QVERIFY(readVariedSetting("set.L", two, request, "here") && request.set == std::vector<std::string>{"L=2"});
        QVERIFY(readVariedSetting("gains.xi", two, request, "here") && request.gains == std::vector<std::string>{"xi=2"});
        QVERIFY(readVariedSetting("step", two, request, "here") && request.step == 2.0);
        QVERIFY(!readVariedSetting("set.", two, request, "here") && !readVariedSetting("zz.L", two, request, "here"));
    }

    void panelsHaveOneWordEach()
    {
        std::set<std::string_view> words;
        for (const PanelKind kind : studyPanels()) {
            QVERIFY(words.insert(panelWord(kind)).second);
            QVERIFY(findPanel(panelWord(kind)) == kind);
        }
        QCOMPARE(words.size(), std::size_t(11));
        for (const auto& [word, kind] : {std::pair("energy", PanelKind::EnergyError),
                                         {"deviation", PanelKind::Difference},
                                         {"error", PanelKind::Difference},
                                         {"quantity", PanelKind::Curve},
                                         {"step-size", PanelKind::Step}}) {
            QVERIFY2(findPanel(word) == kind, word);
            QVERIFY2(!words.contains(word), word);
        }
        QVERIFY(!findPanel("zz"));
        for (const PanelKind kind : livePanels())
            QVERIFY(std::ranges::find(studyPanels(), kind) != studyPanels().end());
    }
};

QTEST_GUILESS_MAIN(TestSettingKeys)
#include "test_setting_keys.moc"
