// General systems whose mass matrix or velocity basis may be singular, drawn: every form and method answers with a motion or
// with a reason, and where nothing can be computed no command falls over.
#include <QtTest>

#include <string>

#include "core/consistency/Doctor.h"
#include "core/formulation/Formulation.h"
#include "core/integrate/Integrator.h"
#include "core/mechanism/ReadModel.h"
#include "core/run/Run.h"
#include "core/text/Numbers.h"
#include "tests/support/Draw.h"

using namespace driftless;

namespace {

std::string drawn(test::Draw& draw)
{
    const int n = draw.upTo(1, 3);
    const char* const names[] = {"a", "b", "c"};
    std::string text = "format = 1\n", rates, starts, velocities;
    for (int i = 0; i < n; ++i) {
        const std::string name = names[i];
        text += "[[coordinate]]\nname = \"" + name
                + "\"\nunit = \"m\"\nstart = " + text::exact(draw.chance(0.3) ? 0 : draw.decimal(-1, 1)) + "\n";
        if (!draw.chance(0.4))
            text += "mass = " + text::exact(draw.decimal(0.1, 2)) + "\n";
    }
    if (draw.chance(0.5))
        text +=
            "[[potential]]\nname = \"u\"\nenergy = \"a^2/2" + std::string(n > 1 && draw.chance(0.5) ? " + a*b" : "") + "\"\n";
    for (int k = draw.upTo(0, 2); k > 0; --k)
        text += "[[constraint]]\nname = \"r" + std::to_string(k) + "\"\n"
                + (draw.chance(0.7) ? "holonomic = \"a^2 - " + text::exact(draw.decimal(0.1, 1))
                                          + (n > 1 && draw.chance(0.6) ? " + b" : "") + "\"\n"
                                    : "nonholonomic = \"a' - " + std::string(n > 1 ? "b'*a" : "0.3") + "\"\n");
    if (draw.chance(0.3)) {
        const char* const speeds[] = {"u1", "u2", "u3"};
        text += "[velocity]\nnames = [";
        std::string units;
        for (int i = 0; i < n; ++i) {
            text += std::string(i ? ", \"" : "\"") + speeds[i] + "\"";
            units += std::string(i ? ", " : "") + "\"m/s\"";
        }
        text += "]\nunits = [" + units + "]\n[velocity.rates]\n";
        for (int i = 0; i < n; ++i)
            text += std::string(names[i]) + " = \"" + (draw.chance(0.4) ? std::string(names[draw.upTo(0, n - 1)]) + "*" : "")
                    + speeds[draw.chance(0.7) ? i : draw.upTo(0, n - 1)] + "\"\n";
    }
    return text;
}

} // namespace

class TestSingularMasses : public QObject {
    Q_OBJECT

private slots:
    void everyFormAnswers()
    {
        const std::uint64_t seed = test::seedOr(1);
        int moved = 0, refused = 0, unread = 0;
        for (int i = 0, count = test::countOr(40); i < count; ++i) {
            test::Draw draw(seed + static_cast<std::uint64_t>(i));
            const std::string text = drawn(draw),
                              told = "seed " + std::to_string(seed + static_cast<std::uint64_t>(i)) + "\n" + text;
            const auto model = model::readModel(text, "drawn.toml");
            if (!model) {
                ++unread;
                QVERIFY2(!model.error().what.empty(), told.c_str());
                continue;
            }
            const auto system = model::CompiledSystem::compile(*model);
            if (!system) {
                ++unread;
                QVERIFY2(!system.error().what.empty(), told.c_str());
                continue;
            }
            std::vector<double> parameters;
            consistency::Request request;
            request.q.assign(static_cast<std::size_t>((*system)->n()), 0.3);
            request.v.assign(request.q.size(), 0);
            request.qFixed.assign(request.q.size(), false);
            request.vFixed = request.qFixed;
            request.lambda.assign(static_cast<std::size_t>((*system)->w()), 0);
            (void)consistency::diagnose(*system, parameters, request);
            for (const auto& form : formulation::formulations())
                for (const char* method : {"rk4", "radau", "ida"}) {
                    run::RunSettings s;
                    s.formulation = form->info().id;
                    s.integrator = method;
                    s.options.step = integrate::findIntegrator(method)->adaptive ? 1e-4 : 1e-2;
                    auto made = run::Run::create(*system, {}, s);
                    if (!made) {
                        ++refused;
                        QVERIFY2(!made.error().what.empty(), (told + form->info().id + " " + method).c_str());
                        continue;
                    }
                    (*made)->advanceTo(0.1);
                    ++moved;
                    QVERIFY2(!(*made)->failed() || (*made)->status().diagnostic,
                             (told + form->info().id + " " + method).c_str());
                }
        }
        qInfo("%d moved, %d refused; %d texts refused", moved, refused, unread);
        QVERIFY(moved > 0);
    }
};

QTEST_APPLESS_MAIN(TestSingularMasses)
#include "test_singular_masses.moc"
