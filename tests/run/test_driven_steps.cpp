// Constraints that move in time bound the steps of every method that chooses its own: what they prescribe is right between the
// ends of steps as well, and events there are not passed over.
#include <QtTest>

#include <cmath>
#include <numbers>
#include <string>

#include "core/mechanism/ReadModel.h"
#include "core/run/Run.h"
#include "core/run/RunJson.h"
#include "core/run/RunRequest.h"
#include "core/text/Numbers.h"
#include "tests/support/Draw.h"

#include <nlohmann/json.hpp>

using namespace driftless;
using namespace driftless::test;

namespace {

constexpr double kGravity = 9.81;

struct Way {
    const char* form;
    const char* method;
};
constexpr Way kWays[] = {{"dummy-derivatives", "bdf"},
                         {"dummy-derivatives", "ida"},
                         {"dummy-derivatives", "radau"},
                         {"ggl", "bdf"},
                         {"ggl", "ida"},
                         {"index-1", "bdf"},
                         {"index-1", "dop853"},
                         {"baumgarte", "bdf"},
                         {"dummy-derivatives", "dormand-prince"},
                         {"dummy-derivatives", "esdirk-43"},
                         {"projection", "bogacki-shampine"}};
constexpr double kTolerances[] = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};

/// The report of a run of the text to `end`, with so many samples.
nlohmann::ordered_json ran(const std::string& text, const Way& way, double tolerance, double end, int samples)
{
    auto model = model::readModel(text, "drawn.toml");
    if (!model)
        qFatal("%s", model.error().text().c_str());
    auto system = model::CompiledSystem::compile(*model);
    if (!system)
        qFatal("%s", system.error().text().c_str());
    run::RunRequest request;
    request.formulation = way.form;
    request.integrator = way.method;
    request.relativeTolerance = request.absoluteTolerance = tolerance;
    const auto prepared = run::prepareRun(*system, request);
    if (!prepared)
        qFatal("%s", prepared.error().text().c_str());
    auto made = run::Run::create(prepared->system, prepared->start, prepared->settings);
    if (!made)
        qFatal("%s", made.error().text().c_str());
    run::Run& run = **made;
    run.sampleAt(run::sampleTimes(run.t(), end, samples));
    run.advanceTo(end);
    return run::toJson(run, samples);
}

QString named(std::uint64_t seed, const Way& way, double tolerance, const std::string& text)
{
    return QString("seed %1, %2 with %3 at %4\n%5\n")
        .arg(seed)
        .arg(way.form, way.method)
        .arg(tolerance)
        .arg(QString::fromStdString(text));
}

} // namespace

class TestDrivenSteps : public QObject {
    Q_OBJECT

private slots:
    /// A crank whose angle is told, and nothing else to integrate: samples between the ends of steps follow it.
    void whatIsPrescribedIsFollowed()
    {
        const std::uint64_t seed = seedOr(700);
        for (int k = 0, count = countOr(80); k < count; ++k) {
            const std::uint64_t own = seed + static_cast<std::uint64_t>(k);
            Draw draw(own);
            const double a = draw.decimal(0.1, 2), w = draw.decimal(0.5, 20), phase = draw.decimal(0, 6);
            const Way& way = draw.among(kWays);
            const double tolerance = draw.among(kTolerances), end = draw.decimal(10, 30) / w * 2;
            enum class Motion { Sine, Quartic, Ramp };
            constexpr Motion kMotions[] = {Motion::Sine, Motion::Sine, Motion::Quartic, Motion::Ramp};
            const Motion motion = draw.among(kMotions); // a method of order four holds a quartic in steps of any length
            const std::string A = text::exact(a), W = text::exact(w), P = text::exact(phase);
            const std::string angle =
                motion == Motion::Quartic ? A + "*(" + W + "*t)*(" + W + "*t - 12)*(" + W + "*t - 24)*(" + W + "*t - 36)/10000"
                : motion == Motion::Ramp  ? A + "*tanh(" + W + "*t - 10) + 0.1*t" // half-way of the run at the earliest
                                          : A + "*sin(" + W + "*t + " + P + ")";
            const auto exact = [&](double t) {
                const double x = w * t;
                return motion == Motion::Quartic ? a * x * (x - 12) * (x - 24) * (x - 36) / 10000
                       : motion == Motion::Ramp  ? a * std::tanh(x - 10) + 0.1 * t
                                                 : a * std::sin(x + phase);
            };
            double largest = 1;
            for (int i = 0; i <= 100; ++i)
                largest = std::max(largest, std::abs(exact(end * i / 100)));
            const std::string beside = draw.chance(0.5) ? "" : ",\n{name = \"p\", kind = \"point\", mass = 1, x = 5, y = 0}";
            const std::string text = "format = 1\nbody = [{name = \"crank\", kind = \"rigid\", mass = 1, inertia = 0.1, x = "
                                     "{start = 0.3}, y = 0, angle = {start = "
                                     + text::exact(exact(0)) + "}}" + beside
                                     + "]\n"
                                       "joint = [{name = \"pivot\", kind = \"pin\", from = \"ground\", to = {body = \"crank\", "
                                       "at = [-0.3, 0]}},\n{name = \"drive\", kind = \"motion\", joint = \"pivot\", value = \""
                                     + angle + "\"}]\nforce = [{kind = \"gravity\", acceleration = 9.81}]\n";
            const auto report = ran(text, way, tolerance, end, 499);
            const QString name = named(own, way, tolerance, text);
            QVERIFY2(report.at("status") == "completed", qPrintable(name));
            double worst = 0;
            for (const auto& sample : report.at("samples")) {
                const double t = sample.at("t").get<double>();
                worst = std::max(worst, std::abs(sample.at("crank.angle").get<double>() - exact(t)));
            }
            // Ten tolerances where the motion stays as lively as it is; a step is at most twice the last one, and cubics err by
            // its fourth power.
            QVERIFY2(worst <= 160 * std::max(tolerance, 1e-9) * largest, qPrintable(name + QString::number(worst)));
            // Behind its start `bdf` has no reason to try a step in vain.
            const auto& stats = report.at("stats");
            const int steps = stats.at("steps").get<int>(), rejected = stats.at("rejected").get<int>();
            QVERIFY2(std::string(way.method) != "bdf" || rejected <= 12 + steps / 20,
                     qPrintable(name + QString("%1 of %2").arg(rejected).arg(steps)));
        }
    }

    /// A point on a floor that is shaken leaves it where the floor falls faster than the point, and comes down on a parabola.
    void aShakenFloorIsLeftInTime()
    {
        const std::uint64_t seed = seedOr(80);
        for (int k = 0, count = countOr(80); k < count; ++k) {
            const std::uint64_t own = seed + static_cast<std::uint64_t>(k);
            Draw draw(own);
            const double w = draw.decimal(2, 40), size = draw.decimal(1.05, 3), a = size * kGravity / (w * w);
            const Way& way = draw.among(kWays);
            const double tolerance = draw.among(kTolerances);
            // The error test of a method counts in places; one of several steps errs by it as soon as it begins anew.
            const bool oneStep = way.method != std::string("bdf") && way.method != std::string("ida");
            constexpr double kPlaces[] = {0, 0, 100, -20000};
            const std::string place = text::exact(oneStep ? draw.among(kPlaces) : 0);
            const std::string text = "format = 1\nbody = [{name = \"b\", kind = \"point\", mass = 1, x = 0, y = " + place
                                     + "}]\njoint = [{name = \"f\", kind = \"wall\", from = {body = \"ground\", at = [0, \""
                                     + place + " + " + text::exact(a) + "*sin(" + text::exact(w) + "*t)\"]}, to = \"b\"}]\n"
                                     + "force = [{kind = \"gravity\", acceleration = 9.81}]\n";
            const double leaves = std::asin(1 / size) / w;
            const auto gap = [&](double t) {
                const double s = t - leaves;
                return kGravity / (w * w) + a * w * std::cos(w * leaves) * s - kGravity * s * s / 2 - a * std::sin(w * t);
            };
            double early = leaves + 0.05 / w, late = early; // above the floor; where it is below it again
            while (gap(late) > 0)
                late += 0.01 / w;
            while (late - early > 1e-14 * late)
                (gap((early + late) / 2) > 0 ? early : late) = (early + late) / 2;
            const double end = late + 0.2 / w;
            const auto report = ran(text, way, tolerance, end, 0);
            const QString name = named(own, way, tolerance, text);
            double left = NAN, landed = NAN;
            for (const auto& event : report.at("events")) {
                const double t = event.at("t").get<double>();
                if (event.at("text") == "mode: f -> free" && std::isnan(left))
                    left = t;
                if (event.at("kind") == "impact" && t > leaves * 1.01 && std::isnan(landed))
                    landed = t;
            }
            if (std::isnan(landed))
                landed = end; // it has never been higher than a step may err, and is not deeper
            // Start, contact, lift-off, impact and its mode; nothing crosses within the error of a step.
            QVERIFY2(report.at("events").size() <= 7, qPrintable(name + QString::number(report.at("events").size())));
            // What is prescribed has no error at the end of a step; a flight adds up that of some ten steps, of methods of one
            // step the round-off of its place.
            QVERIFY2(std::abs(left - leaves) * w <= 1e-3 * tolerance + 1e-8, qPrintable(name + QString::number(left - leaves)));
            QVERIFY2(std::abs(gap(landed)) <= (oneStep ? tolerance : 100 * tolerance) + 1e-8,
                     qPrintable(name + QString::number(gap(landed))));
        }
    }

    /// A rod on a pin over such a floor, held at its middle: whole turns and the error that a large angle is allowed change
    /// nothing that is told, against radau at a tolerance of 1e-10.
    void aRodIsLiftedOffTheSameAfterWholeTurns()
    {
        const std::uint64_t seed = seedOr(90);
        for (int k = 0, count = countOr(40); k < count; ++k) {
            const std::uint64_t own = seed + static_cast<std::uint64_t>(k);
            Draw draw(own);
            const std::string a = text::exact(draw.decimal(0.02, 0.04)), w = text::exact(draw.decimal(18, 26));
            const auto rod = [&](int turns) {
                return "format = 1\nbody = [{name = \"b\", kind = \"rigid\", mass = 1, inertia = 0.01, x = 0.3, y = 0, angle = "
                       "\"2*pi*"
                       + std::to_string(turns)
                       + "\"}]\njoint = [{name = \"p\", kind = \"pin\", from = \"ground\", to = {body = \"b\", at = [-0.3, "
                         "0]}},\n"
                         "{name = \"f\", kind = \"wall\", from = {body = \"ground\", at = [0, \""
                       + a + "*sin(" + w
                       + "*t)\"]}, to = {body = \"b\", at = [0.05, 0]}}]\nforce = [{kind = \"gravity\", acceleration = "
                         "9.81}]\n";
            };
            constexpr int kTurns[] = {0, 3, -1000};
            constexpr Way kOneStep[] = {
                {"dummy-derivatives", "radau"},          {"dummy-derivatives", "dop853"}, {"dummy-derivatives", "esdirk-43"},
                {"dummy-derivatives", "dormand-prince"}, {"index-1", "dop853"},           {"projection", "bogacki-shampine"}};
            const int turns = draw.among(kTurns);
            const Way& way = draw.among(kOneStep);
            const double tolerance = draw.among(kTolerances);
            const auto exact = ran(rod(0), {"projection", "radau"}, 1e-10, 0.25, 0).at("events");
            const auto found = ran(rod(turns), way, tolerance, 0.25, 0).at("events");
            const QString name = named(own, way, tolerance, rod(turns));
            QVERIFY2(found.size() == exact.size(), qPrintable(name + QString("%1 and %2").arg(found.size()).arg(exact.size())));
            for (std::size_t i = 1; i < exact.size(); ++i) { // the first one names the way
                const double t = exact[i].at("t").get<double>(), at = found[i].at("t").get<double>();
                QVERIFY2(found[i].at("kind") == exact[i].at("kind"), qPrintable(name));
                // It lands at a tenth of its speed at the least.
                QVERIFY2(std::abs(at - t) <= 1000 * tolerance + 1e-7, qPrintable(name + QString("%1 and %2").arg(at).arg(t)));
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestDrivenSteps)
#include "test_driven_steps.moc"
