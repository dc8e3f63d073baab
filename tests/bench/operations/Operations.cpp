#include "tests/bench/operations/Operations.h"

#include <dlfcn.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <functional>

#include <benchmark/benchmark.h>

#include "core/expr/Tape.h"
#include "tests/bench/Drive.h"

namespace driftless::bench {
namespace {

// --- the residuals by hand, as a user of a solver library writes them, what is used twice in variables ---

/// A number that counts what is done with it.
struct Counted {
    double value = 0;
    static inline long operations = 0;
    Counted() = default;
    Counted(double v) : value(v) {}
};
Counted one(double v)
{
    ++Counted::operations;
    return {v};
}
Counted operator+(Counted a, Counted b) { return one(a.value + b.value); }
Counted operator-(Counted a, Counted b) { return one(a.value - b.value); }
Counted operator*(Counted a, Counted b) { return one(a.value * b.value); }
Counted operator/(Counted a, Counted b) { return one(a.value / b.value); }
Counted operator-(Counted a) { return one(-a.value); }
Counted sin(Counted a) { return one(std::sin(a.value)); }
Counted cos(Counted a) { return one(std::cos(a.value)); }
Counted sqrt(Counted a) { return one(std::sqrt(a.value)); }

/// y: x, y, x', y', lambda; p: m, g, L. Index 3.
template <class R>
void pendulum(const R* y, const R* yp, const R* p, R* F)
{
    const R m = p[0], g = p[1], L = p[2], twice = R(2.0) * y[4];
    F[0] = yp[0] - y[2];
    F[1] = yp[1] - y[3];
    F[2] = m * yp[2] + twice * y[0];
    F[3] = m * yp[3] + twice * y[1] + m * g;
    F[4] = y[0] * y[0] + y[1] * y[1] - L * L;
}

/// y: q, x, p, their rates, two multipliers; p: a, b, J1, m2, J2, k, c, l0, F. Index 3, forces as in SUNDIALS' example
/// idaSlCrank_dns.
template <class R>
void sliderCrank(const R* y, const R* yp, const R* p, R* F)
{
    using std::cos, std::sin, std::sqrt;
    const R a = p[0], b = p[1], J1 = p[2], m2 = p[3], J2 = p[4], k = p[5], c = p[6], l0 = p[7], force = p[8];
    const R x = y[1], qd = y[3], xd = y[4], pd = y[5], l1 = y[6], l2 = y[7];
    const R as1 = a * sin(y[0]), ac1 = a * cos(y[0]), bs2 = b * sin(y[2]), bc2 = b * cos(y[2]);
    const R between = y[2] - y[0], abs21 = a * b * sin(between), ab = a * b, reach = bc2 + ac1;
    const R l = sqrt(x * x - x * reach + (a * a + b * b) / R(4.0) + ab * cos(between) / R(2.0));
    const R rate = (R(2.0) * x * xd - xd * reach + x * (bs2 * pd + as1 * qd) - abs21 * (pd - qd) / R(2.0)) / (R(2.0) * l);
    const R f = (k * (l - l0) + c * rate) / l;
    F[0] = yp[0] - qd;
    F[1] = yp[1] - xd;
    F[2] = yp[2] - pd;
    F[3] = J1 * yp[3] + f * (abs21 / R(2.0) + x * as1) / R(2.0) + as1 * l1 - ac1 * l2;
    F[4] = m2 * yp[4] - f * (reach / R(2.0) - x) - force + l1;
    F[5] = J2 * yp[5] + f * (x * bs2 - abs21 / R(2.0)) / R(2.0) + bs2 * (force + l1) - bc2 * l2;
    F[6] = x - reach;
    F[7] = -bs2 - as1;
}

// --- instructions ---

struct Instructions {
    long all = 0, inLibm = 0;
};

/// Of a child that does the work so many times; its beginning and end are in the count.
bool stepThrough(const std::function<void()>& work, int times, Instructions& out)
{
    const pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
        raise(SIGSTOP);
        for (int k = 0; k < times; ++k)
            work();
        _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
        return false;
    while (ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) == 0 && waitpid(child, &status, 0) == child
           && WIFSTOPPED(status)) {
        ++out.all;
#if defined(__x86_64__)
        user_regs_struct registers{};
        Dl_info where{};
        if (ptrace(PTRACE_GETREGS, child, nullptr, &registers) == 0 && dladdr(reinterpret_cast<void*>(registers.rip), &where)
            && where.dli_fname && std::strstr(where.dli_fname, "libm."))
            ++out.inLibm;
#endif
    }
    return WIFEXITED(status);
}

/// One evaluation: the difference of two and one, after a first one here that resolves all symbols.
bool count(const std::function<void()>& work, Instructions& out)
{
    work();
    Instructions once, twice;
    if (!stepThrough(work, 1, once) || !stepThrough(work, 2, twice))
        return false;
    out = {twice.all - once.all, twice.inLibm - once.inLibm};
    return true;
}

std::string cell(double value, const char* format = "%.0f")
{
    char text[32];
    std::snprintf(text, sizeof text, format, value);
    return std::string(" ") + text + " |";
}

template <class Hand, class Counting>
std::string row(const char* title, const char* model, const std::vector<const char*>& names, const Hand& hand,
                const Counting& counting)
{
    const Driven driven(compiledModel(model), "index-3", "radau-iia-5", {});
    const formulation::Dae& dae = driven.instance->dae();
    std::vector<expr::Expr> rows;
    for (const auto& r : dae.rows)
        rows.push_back(r.residual);
    std::vector<expr::Symbol> unknowns, rates, parameters;
    for (const auto& u : dae.unknowns) {
        unknowns.push_back(u.symbol);
        rates.push_back(*expr::rate(u.symbol).symbol());
    }
    const auto& all = driven.system->system().parameters;
    const auto values = driven.system->defaultParameters();
    for (const auto& p : all)
        parameters.push_back(p.symbol);
    const auto tape = require(expr::Tape::compile(rows, {unknowns, rates, parameters}));
    const auto interpreted = tape.interpreted();

    // Somewhere off the start, where nothing vanishes by chance.
    std::vector<double> y = driven.y, yp = driven.yp, p, F(rows.size()), byHand(rows.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
        y[i] += 0.1 + 0.01 * static_cast<double>(i);
        yp[i] += 0.2 - 0.01 * static_cast<double>(i);
    }
    for (const char* name : names)
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].quantity.name == name)
                p.push_back(values[i]);
    std::vector<Counted> cy(y.begin(), y.end()), cyp(yp.begin(), yp.end()), cp(p.begin(), p.end()), cF(rows.size());
    Counted::operations = 0;
    counting(cy.data(), cyp.data(), cp.data(), cF.data());
    const auto ours = static_cast<double>(tape.operationCount()), theirs = static_cast<double>(Counted::operations);

    auto workspace = tape.workspace(), other = interpreted.workspace();
    const double* const banks[] = {y.data(), yp.data(), values.data()};
    Instructions native, slow, straight;
    const bool counted = count([&] { (void)interpreted.evaluate(banks, F.data(), other); }, slow)
                         && count([&] { (void)tape.evaluate(banks, F.data(), workspace); }, native)
                         && count(
                             [&] {
                                 hand(y.data(), yp.data(), p.data(), byHand.data());
                                 benchmark::DoNotOptimize(byHand.data());
                             },
                             straight);
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (!(std::abs(F[i] - byHand[i]) < 1e-12 * (1 + std::abs(F[i])))) {
            std::fprintf(stderr, "%s: row %zu is %.17g, by hand %.17g\n", title, i, F[i], byHand[i]);
            std::abort();
        }
    std::string line = std::string("| ") + title + " |" + cell(theirs) + cell(ours) + cell(ours / theirs, "%.2f");
    if (!counted)
        return line + " not counted: this process may not trace a child | | | |\n";
    const auto own = static_cast<double>(slow.all - slow.inLibm);
    return line + cell(static_cast<double>(slow.all)) + cell(own / ours, "%.1f") + cell(static_cast<double>(native.all))
           + cell(static_cast<double>(straight.all)) + '\n';
}

} // namespace

std::string operationTable()
{
    std::string page = "| residual, index 3 | operations by hand | of the tape | ratio | instructions, interpreted | a tape "
                       "operation, without libm | machine code | by hand, "
                       "compiled |\n|---|---|---|---|---|---|---|---|\n";
    page += row("Pendulum", "pendulum", {"m", "g", "L"}, pendulum<double>, pendulum<Counted>);
    page += row("Slider-crank of SUNDIALS", "lagrangian-slider-crank", {"a", "b", "J1", "m2", "J2", "k", "c", "l0", "F"},
                sliderCrank<double>, sliderCrank<Counted>);
    return page;
}

} // namespace driftless::bench
