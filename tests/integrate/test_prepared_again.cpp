// An integrator that was prepared for one system and is prepared for another one does there what a new one does, bit for bit:
// nothing that it allocated, factorised or remembered for the first is left.
#include <QtTest>

#include <cmath>
#include <limits>

#include "core/integrate/Integrator.h"
#include "tests/problems/Generic.h"
#include "tests/problems/Pendulum.h"

using namespace driftless;
using namespace driftless::problems;
using integrate::IntegratorInfo;

namespace {

/// Decays side by side, each at a rate of its own and driven by its neighbour; more than the dense limit where there are 70.
template <std::size_t Size>
struct Decays {
    static constexpr std::size_t kSize = Size;
    static constexpr int kIndex = 0;
    std::vector<solve::UnknownRole> roles() const { return std::vector<solve::UnknownRole>(kSize); }
    template <class S>
    void residual(S, const S* y, const S* yp, S* F) const
    {
        for (std::size_t i = 0; i < kSize; ++i)
            F[i] = yp[i] + S(0.1 * static_cast<double>(i + 1)) * y[i] - (i > 0 ? y[i - 1] * y[i - 1] : S(0));
    }
};

using Values = std::vector<double>;

template <class System>
Values carried(integrate::Integrator& method, System system, const Values& y, const Values& yp)
{
    integrate::IntegratorOptions o;
    o.step = method.info().adaptive ? 0 : 0.05;
    o.relativeTolerance = o.absoluteTolerance = 1e-6;
    if (!method.prepare(system, o) || !method.restart(0, y, yp))
        return {};
    for (int k = 0; k < 6; ++k)
        if (method.step(std::numeric_limits<double>::infinity()).status != integrate::StepStatus::Accepted)
            return {};
    Values out(method.y().begin(), method.y().end());
    out.push_back(method.t());
    out.push_back(method.nextStep());
    return out;
}

template <std::size_t Size>
Values decayed(integrate::Integrator& method)
{
    Values y(Size, 1.0), yp(Size);
    for (std::size_t i = 0; i < Size; ++i)
        yp[i] = -0.1 * static_cast<double>(i + 1) + (i > 0 ? 1 : 0);
    return carried(method, HandCoded<Decays<Size>>(), y, yp);
}

Values swung(integrate::Integrator& method)
{
    const auto start = PendulumLambda<1>::start(kCase2Start);
    return carried(method, HandCoded<PendulumLambda<1>>(), start.y, start.yp);
}

std::unique_ptr<integrate::Integrator> make(const IntegratorInfo& info)
{
    return std::move(integrate::makeIntegrator(info.id)).value();
}

} // namespace

class TestPreparedAgain : public QObject {
    Q_OBJECT
private slots:
    void anotherSystem_isCarriedAsByANewIntegrator()
    {
        for (const IntegratorInfo& info : integrate::integratorCatalogue()) {
            if (info.mechanics != solve::Mechanics::None)
                continue;
            const Values small = decayed<3>(*make(info)), large = decayed<70>(*make(info)), swing = swung(*make(info));
            QVERIFY2(!small.empty() && !large.empty() && !swing.empty(), info.id.c_str());
            const auto method = make(info);
            for (int round = 0; round < 2; ++round) { // larger, smaller, of another structure and of the same one
                QVERIFY2(decayed<3>(*method) == small, info.id.c_str());
                QVERIFY2(decayed<70>(*method) == large, info.id.c_str());
                QVERIFY2(swung(*method) == swing, info.id.c_str());
                QVERIFY2(swung(*method) == swing, info.id.c_str());
                QVERIFY2(decayed<70>(*method) == large, info.id.c_str());
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestPreparedAgain)
#include "test_prepared_again.moc"
