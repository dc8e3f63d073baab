#include "tests/bench/race/Hairer.h"

#include <algorithm>
#include <utility>

#ifdef DRIFTLESS_HAIRER
using FortranRates = void (*)(const int*, const double*, const double*, double*, double*, int*);
/// The step's number, its start and its end, y there and its length; what follows differs from code to code and is not read.
using FortranWatch = void (*)(const int*, const double*, const double*, const double*, const int*);
extern "C" {
void dopri5_(const int* n, FortranRates f, double* x, double* y, const double* end, const double* rtol, const double* atol,
             const int* itol, FortranWatch output, const int* iout, double* work, const int* lwork, int* iwork,
             const int* liwork, double* rpar, int* ipar, int* idid);
void dop853_(const int* n, FortranRates f, double* x, double* y, const double* end, const double* rtol, const double* atol,
             const int* itol, FortranWatch output, const int* iout, double* work, const int* lwork, int* iwork,
             const int* liwork, double* rpar, int* ipar, int* idid);
void odex_(const int* n, FortranRates f, double* x, double* y, const double* end, double* h, const double* rtol,
           const double* atol, const int* itol, FortranWatch output, const int* iout, double* work, const int* lwork,
           int* iwork, const int* liwork, double* rpar, int* ipar, int* idid);
}
#endif

namespace driftless::bench {

#ifdef DRIFTLESS_HAIRER
namespace {

const StepWatch* watching = nullptr; ///< a Fortran code hands nothing over to its callbacks but numbers

extern "C" void odeStep(const int*, const double*, const double* x, const double* y, const int*) { (*watching)(*x, y); }

} // namespace
#endif

bool hasHairer()
{
#ifdef DRIFTLESS_HAIRER
    return true;
#else
    return false;
#endif
}

HairerOde::HairerOde(const StraightOde& ode, std::string method) : ode_(ode), method_(std::move(method))
{
    const auto n = static_cast<std::size_t>(ode.n);
    y_.resize(n);
    work_.resize(40 * n + 400); // more than any of them asks for
    iwork_.resize(100);
}

bool HairerOde::solve([[maybe_unused]] double end, [[maybe_unused]] double tolerance, [[maybe_unused]] const StepWatch* watch)
{
#ifdef DRIFTLESS_HAIRER
    constexpr int kMostSteps = 200'000;
    double x = 0, real = 0, h = 0;
    int zero = 0, done = 0;
    const int output = watch ? 1 : 0;
    watching = watch;
    std::copy_n(ode_.y0, ode_.n, y_.begin());
    std::fill_n(work_.begin(), 20, 0.0);
    std::fill_n(iwork_.begin(), 20, 0);
    iwork_[0] = kMostSteps;
    if (method_ != "ODEX") // no messages and no end where the problem is found to be stiff
        iwork_[2] = iwork_[3] = -1;
    const int lwork = static_cast<int>(work_.size()), liwork = static_cast<int>(iwork_.size());
    if (method_ == "ODEX")
        odex_(&ode_.n, ode_.rates, &x, y_.data(), &end, &h, &tolerance, &tolerance, &zero, odeStep, &output, work_.data(),
              &lwork, iwork_.data(), &liwork, &real, &zero, &done);
    else
        (method_ == "DOP853" ? dop853_ : dopri5_)(&ode_.n, ode_.rates, &x, y_.data(), &end, &tolerance, &tolerance, &zero,
                                                  odeStep, &output, work_.data(), &lwork, iwork_.data(), &liwork, &real, &zero,
                                                  &done);
    return done == 1;
#else
    return false;
#endif
}

} // namespace driftless::bench
