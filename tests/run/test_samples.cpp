// Samples between the rows of a run: states, multipliers, values of equations and outputs as at the end of a run that ends
// there, whatever the method, and without a bit of difference to the motion.
#include <QtTest>

#include <array>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

#include "core/mechanism/ReadModel.h"
#include "core/run/Run.h"
#include "core/run/RunJson.h"
#include "core/run/RunRequest.h"
#include "core/text/Numbers.h"
#include "tests/support/Draw.h"

#include <nlohmann/json.hpp>

using namespace driftless;

namespace {

using Values = std::map<std::string, double>;

std::unique_ptr<run::Run> begun(const run::PreparedRun& prepared)
{
    auto made = run::Run::create(prepared.system, prepared.start, prepared.settings);
    if (!made)
        qFatal("%s", made.error().text().c_str());
    return std::move(*made);
}

run::PreparedRun preparedOf(const run::RunRequest& request)
{
    auto prepared = run::prepareRun(request);
    if (!prepared)
        qFatal("%s", prepared.error().text().c_str());
    return std::move(*prepared);
}

run::RunRequest asked(const std::string& model, const std::string& form, const std::string& method, double tolerance)
{
    run::RunRequest request;
    request.model = model;
    request.formulation = form;
    request.integrator = method;
    request.relativeTolerance = request.absoluteTolerance = tolerance;
    return request;
}

/// Samples of a run to `end` by their names.
std::vector<Values> sampled(const run::PreparedRun& prepared, double end, int count)
{
    const auto run = begun(prepared);
    run->sampleAt(run::sampleTimes(run->t(), end, count));
    if (!run->advanceTo(end))
        qFatal("the run fails at %g", run->t());
    std::vector<Values> out;
    const auto report = run::toJson(*run, count);
    for (const auto& sample : report.at("samples")) {
        Values& values = out.emplace_back();
        for (const auto& [name, value] : sample.items())
            values[name] = value.is_number() ? value.get<double>() : std::nan("");
    }
    if (out.size() != static_cast<std::size_t>(count))
        qFatal("%zu samples", out.size());
    return out;
}

/// A crank that is driven, and a block on a rail with dry friction that it pulls by a spring: events cut long steps.
constexpr const char* kDriven = R"toml(format = 1
[[body]]
name = "crank"
kind = "rigid"
mass = 1
inertia = 0.1
x = { start = 0.3 }
y = 0
[[body]]
name = "block"
kind = "point"
mass = 0.5
x = { start = 0.9 }
y = 0
[[joint]]
name = "pivot"
kind = "pin"
from = "ground"
to = { body = "crank", at = [-0.3, 0] }
[[joint]]
name = "drive"
kind = "motion"
joint = "pivot"
value = "1.175*sin(3.35*t)"
[[joint]]
name = "rail"
kind = "slider"
from = "ground"
to = "block"
[[joint]]
name = "dry"
kind = "dry-friction"
joint = "rail"
sticking = 1.25
sliding = 0.95
[[force]]
kind = "spring-damper"
from = { body = "crank", at = [0.3, 0] }
to = "block"
stiffness = 200
length = 0.3
damping = 0.2
)toml";

} // namespace

class TestSamples : public QObject {
    Q_OBJECT
private slots:
    void multipliersAreThoseOfTheirTime_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("method");
        for (const char* model : {"pendulum", "watt-linkage", "motor-pendulum"})
            for (const auto& [form, method] :
                 {std::pair("projection", "dop853"), std::pair("index-1", "dop853"), std::pair("index-1", "odex"),
                  std::pair("dummy-derivatives", "radau-9"), std::pair("ggl", "radau"),
                  std::pair("projection", "dormand-prince"), std::pair("projection", "radau-13")})
                QTest::addRow("%s %s %s", model, form, method) << model << form << method;
    }
    /// Against a run that ends at the time of the sample: the error is that of the method inside of its steps, and of what the
    /// multipliers make of it. A line between rows is off by a hundredth to the whole.
    void multipliersAreThoseOfTheirTime()
    {
        QFETCH(QString, model);
        QFETCH(QString, form);
        QFETCH(QString, method);
        const auto prepared = preparedOf(asked(model.toStdString(), form.toStdString(), method.toStdString(), 1e-9));
        const auto exact = preparedOf(asked(model.toStdString(), "index-1", "dop853", 1e-11));
        constexpr int kCount = 41;
        constexpr double kEnd = 2;
        const auto samples = sampled(prepared, kEnd, kCount);
        Values largest;
        for (const Values& sample : samples)
            for (const auto& [name, value] : sample)
                largest[name] = std::max(largest[name], std::abs(value));
        const auto ended = begun(exact);
        for (const Values& sample : samples) {
            if (sample.at("t") > 0)
                QVERIFY(ended->advanceTo(sample.at("t")));
            for (const auto& [name, value] : ended->namedState()) {
                if (!sample.contains(name))
                    continue;
                const double off = std::abs(sample.at(name) - value);
                QVERIFY2(off < 2e-5 * (1 + largest[name]), qPrintable(QString("%1 at %2: %3 and not %4")
                                                                          .arg(QString::fromStdString(name))
                                                                          .arg(sample.at("t"))
                                                                          .arg(sample.at(name), 0, 'g', 10)
                                                                          .arg(value, 0, 'g', 10)));
            }
        }
    }

    /// A body that stands still under a force over t: steps are long, and what holds it is the force at each time.
    void whatHoldsABodyIsTheForceOfTheTime()
    {
        const std::uint64_t seed = test::seedOr(1);
        int judged = 0;
        for (int i = 0, count = test::countOr(40); i < count; ++i) {
            test::Draw draw(seed + static_cast<std::uint64_t>(i));
            const double size = draw.decimal(0.2, 9), rate = draw.decimal(0.5, 8), steady = draw.decimal(-3, 3);
            const char* form = draw.among(std::array<const char*, 7>{"index-1", "index-2", "index-3", "ggl", "baumgarte",
                                                                     "dummy-derivatives", "overdetermined"});
            const bool stiff = std::string(form) != "overdetermined";
            const char* method =
                stiff
                    ? draw.among(std::array<const char*, 6>{"ida", "bdf", "radau", "radau-9", "radau-13", "generalized-alpha"})
                    : "radau";
            const std::string text = "format = 1\nbody = [{ name = \"b\", kind = \"point\", mass = 2 }]\n"
                                     "joint = [{ name = \"j\", kind = \"pin\", from = \"ground\", to = \"b\" }]\n"
                                     "force = [{ kind = \"force\", body = \"b\", x = \""
                                     + text::exact(size) + "*sin(" + text::exact(rate) + "*t) + (" + text::exact(steady)
                                     + ")\" }]\noutput = [{ name = \"R\", kind = \"reaction\", joint = \"j\" }]\n";
            auto model = model::readModel(text, "held.toml");
            QVERIFY2(model.ok(), text.c_str());
            const auto system = model::CompiledSystem::compile(*model);
            QVERIFY(system.ok());
            auto prepared = run::prepareRun(*system, asked({}, form, method, 1e-8));
            if (!prepared.ok())
                continue; // a pair that is refused
            ++judged;
            for (const Values& sample : sampled(*prepared, 2, draw.upTo(3, 60))) {
                const double held = -size * std::sin(rate * sample.at("t")) - steady;
                QVERIFY2(std::abs(sample.at("R.x") - held) < 1e-6 * (1 + size + std::abs(steady)),
                         (std::string(form) + " " + method + ", seed " + std::to_string(seed + static_cast<std::uint64_t>(i))
                          + "\n" + text + "at " + text::exact(sample.at("t")) + ": " + text::exact(sample.at("R.x"))
                          + " and not " + text::exact(held))
                             .c_str());
            }
        }
        QVERIFY(test::countOr(40) < 20 || judged > test::countOr(40) / 2);
    }

    /// A start that violates its constraint: stabilised forms pull it back, and that force is theirs, inside of steps as at
    /// rows.
    void aFormsOwnForceIsInItsSamples()
    {
        auto model =
            model::readModel("format = 1\nbody = [{ name = \"b\", kind = \"point\", mass = 1, x = 0.6, y = -0.85 }]\n"
                             "joint = [{ name = \"rod\", kind = \"rod\", from = \"ground\", to = \"b\", length = 1 }]\n"
                             "force = [{ kind = \"gravity\", acceleration = 9.81 }]\n",
                             "off.toml");
        QVERIFY(model.ok());
        const auto system = model::CompiledSystem::compile(*model);
        QVERIFY(system.ok());
        for (const auto& [form, method] :
             {std::pair("baumgarte", "dop853"), std::pair("baumgarte", "ida"), std::pair("baumgarte", "radau"),
              std::pair("baumgarte", "bdf"), std::pair("penalty", "dop853"), std::pair("penalty", "radau-9")}) {
            auto request = asked({}, form, method, 1e-9);
            request.allowInconsistent = true;
            const auto prepared = run::prepareRun(*system, request);
            QVERIFY2(prepared.ok(), form);
            const auto ended = begun(*prepared);
            for (const Values& sample : sampled(*prepared, 1, 31)) {
                if (sample.at("t") > 0)
                    QVERIFY(ended->advanceTo(sample.at("t"))); // where it ends there is a row
                for (const auto& [name, value] : ended->namedState())
                    if (name == "rod.lambda")
                        QVERIFY2(std::abs(sample.at(name) - value) < 1e-4 * (1 + std::abs(value)),
                                 qPrintable(QString("%1 %2 at %3: %4 and not %5")
                                                .arg(form, method)
                                                .arg(sample.at("t"))
                                                .arg(sample.at(name), 0, 'g', 10)
                                                .arg(value, 0, 'g', 10)));
            }
        }
    }

    /// Samples are the method's own wherever rows are: passing over steps between them changes no bit.
    void rowsDoNotChangeSamples()
    {
        test::Draw draw(test::seedOr(1));
        const std::array<const char*, 8> models{"lagrangian-bead-on-wire", "box-pendulum", "slider-crank",   "ratchet-winch",
                                                "slack-pendulum",          "pendulum",     "motor-pendulum", "diode-rectifier"};
        const std::array<std::pair<const char*, const char*>, 6> pairs{{{"index-2", "radau"},
                                                                        {"index-1", "dormand-prince"},
                                                                        {"index-3", "bdf"},
                                                                        {"projection", "dop853"},
                                                                        {"ggl", "ida"},
                                                                        {"index-1", "odex"}}};
        for (int i = 0, count = test::countOr(24); i < count; ++i) {
            const std::string model = draw.among(models);
            auto [form, method] = draw.among(pairs);
            if (model == "diode-rectifier")
                std::tie(form, method) = std::pair("dummy-derivatives", draw.chance(0.5) ? "radau-9" : "ida");
            run::PreparedRun prepared = preparedOf(asked(model, form, method, std::pow(10, -draw.upTo(4, 9))));
            const int samples = draw.upTo(2, 60);
            const double end = draw.decimal(0.05, model == "diode-rectifier" ? 0.2 : 4);
            prepared.settings.rows = run::Rows::EveryStep;
            const auto all = sampled(prepared, end, samples);
            prepared.settings.rows = run::Rows::AsCurvesNeed;
            const auto few = sampled(prepared, end, samples);
            QCOMPARE(few.size(), all.size());
            for (std::size_t k = 0; k < all.size(); ++k)
                for (const auto& [name, value] : all[k])
                    QVERIFY2(few[k].at(name) == value || (std::isnan(value) && std::isnan(few[k].at(name))),
                             qPrintable(QString("%1 %2 %3, %4 at %5: %6 and not %7")
                                            .arg(model.c_str(), form, method, name.c_str())
                                            .arg(all[k].at("t"))
                                            .arg(few[k].at(name), 0, 'g', 17)
                                            .arg(value, 0, 'g', 17)));
        }
    }

    /// A sine that nothing depends on while the diode is off: radau-9 passes over a quarter of its period in a step, and its
    /// polynomial of degree 5 is off by up to 1.4e-4 there.
    void valuesOfEquationsAreThoseOfTheirTime()
    {
        const auto prepared = preparedOf(asked("diode-rectifier", "dummy-derivatives", "radau-9", 1e-6));
        const auto& parameters = prepared.system->system().parameters;
        Values p;
        for (const auto& parameter : parameters)
            p[parameter.quantity.name] = parameter.quantity.value;
        for (const Values& sample : sampled(prepared, 0.1, 501)) {
            const double exact = p.at("A") * std::sin(2 * M_PI * p.at("f") * sample.at("t"));
            QVERIFY2(std::abs(sample.at("source") - exact) < 5e-4 * p.at("A"), qPrintable(QString::number(sample.at("t"))));
        }
    }

    /// Where nothing is integrated no error bounds a step: what a method knows between its rows is no account of the unknowns,
    /// and they are solved for.
    void unknownsThatFollowFromTimeAreSolved()
    {
        const auto judge = [](const char* model, const char* method, const char* name, auto&& exact) {
            for (const Values& sample : sampled(preparedOf(asked(model, "dummy-derivatives", method, 1e-8)), 1, 7)) {
                const double t = sample.at("t"), off = std::abs(sample.at(name) - exact(t));
                QVERIFY2(off < 1e-9, qPrintable(QString("%1 %2 at %3: %4").arg(model).arg(method).arg(t).arg(off)));
            }
        };
        for (const char* method : {"esdirk-43", "sdirk-43", "radau", "radau-9", "radau-13", "bdf", "dop853"}) {
            judge("derivative-chain", method, "y", [](double t) { return std::cos(t); });
            judge("hidden-constraint", method, "x", [](double t) { return t + std::sin(t); });
            judge("perturbed-chain", method, "z", [](double t) { return -std::sin(t) - 0.9 * std::sin(30 * t); });
        }
    }

    /// While a clutch slips, its torque is a function of time that no row of the form has.
    void slidingFrictionHasItsForceAtTheTime()
    {
        for (const auto& [form, method] : {std::pair("index-1", "radau-13"), std::pair("index-1", "dop853"),
                                           std::pair("dummy-derivatives", "bdf"), std::pair("baumgarte", "sdirk-43")}) {
            const auto prepared = preparedOf(asked("clutch-flywheels", form, method, 1e-8));
            const auto ended = begun(prepared);
            for (const Values& sample : sampled(prepared, 2, 11)) { // it takes hold at 1.345 s
                if (sample.at("t") > 0)
                    QVERIFY(ended->advanceTo(sample.at("t")));
                for (const auto& [name, value] : ended->namedState())
                    if (name == "grip.mu")
                        QVERIFY2(std::abs(sample.at(name) - value) < 1e-5, // of up to 21 N m
                                 qPrintable(QString("%1 %2 at %3").arg(form).arg(method).arg(sample.at("t"))));
            }
        }
    }

    /// A step that an event cuts may become several: each of them has its own polynomial.
    void stepsThatAnEventCutsAreFollowed()
    {
        auto model = model::readModel(kDriven, "driven.toml");
        QVERIFY2(model.ok(), model ? "" : model.error().text().c_str());
        const auto system = model::CompiledSystem::compile(*model);
        QVERIFY(system.ok());
        const auto samplesOf = [&](const char* form, const char* method, double tolerance) {
            return sampled(*run::prepareRun(*system, asked({}, form, method, tolerance)), 4, 997);
        };
        const auto exact = samplesOf("index-1", "dop853", 1e-12);
        for (const auto& [form, method] :
             {std::pair("index-1", "odex"), std::pair("projection", "odex"), std::pair("index-1", "dop853")})
            for (const double tolerance : {1e-6, 1e-8, 1e-9, 1e-10}) {
                const auto samples = samplesOf(form, method, tolerance);
                double worst = 0;
                for (std::size_t k = 0; k < samples.size(); ++k)
                    for (const char* name : {"block.x", "block.x'", "crank.angle", "crank.angle'"})
                        worst = std::max(worst, std::abs(samples[k].at(name) - exact[k].at(name)));
                // Friction passes errors on from event to event: some hundred tolerances.
                QVERIFY2(worst < 1e3 * tolerance,
                         qPrintable(QString("%1 %2 %3: %4").arg(form).arg(method).arg(tolerance).arg(worst)));
            }
    }

    /// A string that is slack pulls at nothing.
    void whatIsIdleIsZero()
    {
        const auto prepared = preparedOf(asked("slack-pendulum", "index-1", "dop853", 1e-8));
        int slack = 0;
        for (const Values& sample : sampled(prepared, 2, 201))
            if (sample.at("t") > 0.49 && sample.at("t") < 1.27) {
                QCOMPARE(sample.at("string.lambda"), 0.0);
                ++slack;
            }
        QVERIFY(slack > 70);
    }

    void theMotionIsTheSameToTheLastBit()
    {
        for (const char* model : {"pendulum", "slack-pendulum", "car-axis", "motor-pendulum"}) {
            const auto prepared = preparedOf(asked(model, "projection", "dop853", 1e-6));
            const auto plain = begun(prepared), asked = begun(prepared);
            asked->sampleAt(run::sampleTimes(0, 2, 77));
            QVERIFY(plain->advanceTo(2) && asked->advanceTo(2));
            QCOMPARE(asked->namedState(), plain->namedState());
            QCOMPARE(asked->acceptedSteps(), plain->acceptedSteps());
            QCOMPARE(asked->recording().rowCount(), plain->recording().rowCount());
        }
        for (const char* model : {"diode-rectifier", "perturbed-chain", "two-pendula"}) {
            const auto prepared = preparedOf(asked(model, "dummy-derivatives", "radau-9", 1e-6));
            const auto plain = begun(prepared), asked = begun(prepared);
            asked->sampleAt(run::sampleTimes(0, 0.1, 77));
            QVERIFY(plain->advanceTo(0.1) && asked->advanceTo(0.1));
            QCOMPARE(asked->namedState(), plain->namedState());
        }
    }

    /// What solved for the samples before belongs to a form that is gone.
    void samplesGoOnBehindACommand()
    {
        const auto run = begun(preparedOf(asked("perturbed-chain", "dummy-derivatives", "radau-9", 1e-8)));
        const std::vector<double> times = run::sampleTimes(0, 1, 15);
        run->sampleAt(times);
        for (const double t : {0.2, 0.4, 0.6, 0.8})
            QVERIFY(run->apply(t, run::SetIntegrator{.id = t < 0.5 ? "radau-13" : "radau-9"}).ok());
        QVERIFY(run->advanceTo(1));
        int kept = 0;
        for (const double t : times)
            kept += run->sampled(t) != nullptr;
        QVERIFY2(kept > 8, qPrintable(QString::number(kept)));
    }
};

QTEST_APPLESS_MAIN(TestSamples)
#include "test_samples.moc"
