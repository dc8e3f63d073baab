#include "tests/bench/race/Radau5.h"

#include <algorithm>

namespace driftless::bench {

namespace {

constexpr int kMostSteps = 1'000'000;

#ifdef DRIFTLESS_RADAU5
Radau5* current = nullptr; ///< a Fortran code hands nothing over to its callbacks but numbers
const StepWatch* stepWatch = nullptr;

using Rates = void (*)(const int*, const double*, const double*, double*, double*, int*);
using Jacobian = void (*)(const int*, const double*, const double*, double*, const int*, double*, int*);
using Mass = void (*)(const int*, double*, const int*, double*, int*);
/// The step's number, its start and its end, and y there; what follows is not read.
using Output = void (*)(const int*, const double*, const double*, const double*);
using Code = void(const int* n, Rates f, double* x, double* y, const double* end, double* h, const double* rtol,
                  const double* atol, const int* itol, Jacobian jac, const int* ijac, int* mljac, int* mujac, Mass mas,
                  const int* imas, int* mlmas, int* mumas, Output output, const int* iout, double* work, const int* lwork,
                  int* iwork, const int* liwork, double* rpar, int* ipar, int* idid);
extern "C" {
Code radau5_;
#ifdef DRIFTLESS_RADAU
Code radau_;
#endif
void radauStep(const int*, const double*, const double* x, const double* y) { (*stepWatch)(*x, y); }
void ratesThere(const int*, const double* x, const double* y, double* f, double*, int*) { current->rates(*x, y, f); }
void jacobianThere(const int*, const double* x, const double* y, double* dfdy, const int* rows, double*, int*)
{
    current->jacobian(*x, y, dfdy, *rows);
}
/// Diagonal: ones of the differential unknowns it is asked about.
void massThere(const int* size, double* am, const int* rows, double* differential, int*)
{
    for (int i = 0; i < *size; ++i)
        am[i * *rows] = i < static_cast<int>(*differential) ? 1 : 0;
}
}

Code* codeOf([[maybe_unused]] bool varied)
{
#ifdef DRIFTLESS_RADAU
    if (varied)
        return radau_;
#endif
    return radau5_;
}
#endif

/// Room for either code: a matrix and one for each of up to seven stages, and what they work in.
std::size_t roomOf(std::size_t n) { return n * (9 * n + 40) + 40; }

} // namespace

bool hasRadau()
{
#ifdef DRIFTLESS_RADAU
    return true;
#else
    return false;
#endif
}

bool hasRadau5()
{
#ifdef DRIFTLESS_RADAU5
    return true;
#else
    return false;
#endif
}

Radau5::Radau5(formulation::DaeInstance& instance, const model::ModelState& start, bool varied)
    : instance_(instance), varied_(varied), n_(start.q.size()), m_(start.lambda.size()),
      nu_(static_cast<std::size_t>(instance.size()) - 2 * n_ - m_), size_(3 * n_ + m_ + nu_)
{
    for (const auto* part : {&start.q, &start.v, &start.a, &start.lambda})
        start_.insert(start_.end(), part->begin(), part->end());
    start_.resize(size_, 0.0);
    form_.assign(static_cast<std::size_t>(instance.size()), 0.0);
    rate_ = rows_ = form_;
    ofValues_.assign(instance.pattern().rowIndices.size(), 0.0);
    ofRates_ = ofValues_;
    y_ = start_;
    work_.assign(roomOf(size_), 0.0);
    iwork_.assign(6 * size_ + 40, 0);
}

/// The unknowns of the form and their rates; those of q are what the form makes of them.
void Radau5::spread(const double* y)
{
    std::copy_n(y, 2 * n_, form_.begin());
    std::copy_n(y + 3 * n_, m_ + nu_, form_.begin() + static_cast<std::ptrdiff_t>(2 * n_));
    std::fill_n(rate_.begin(), n_, 0.0);
    std::copy_n(y + 2 * n_, n_, rate_.begin() + static_cast<std::ptrdiff_t>(n_));
}

void Radau5::rates(double t, const double* y, double* f)
{
    spread(y);
    instance_.residual(t, form_.data(), rate_.data(), rows_.data());
    for (std::size_t i = 0; i < n_; ++i) {
        f[i] = -rows_[i];
        f[n_ + i] = y[2 * n_ + i];
    }
    for (std::size_t i = n_; i < rows_.size(); ++i)
        f[n_ + i] = -rows_[i];
}

/// rows: of the array; all of them, or those behind the first 2 n.
void Radau5::jacobian(double t, const double* y, double* dfdy, int rows)
{
    spread(y);
    instance_.jacobian(t, form_.data(), rate_.data(), ofValues_.data(), ofRates_.data());
    const auto height = static_cast<std::size_t>(rows), skipped = size_ - height;
    std::fill_n(dfdy, height * size_, 0.0);
    const solve::SparsePattern& p = instance_.pattern();
    const auto put = [&](std::size_t row, std::size_t column, double value) {
        if (row >= skipped)
            dfdy[column * height + row - skipped] = value;
    };
    for (std::size_t j = 0; j < form_.size(); ++j)
        for (auto k = static_cast<std::size_t>(p.columnStarts[j]); k < static_cast<std::size_t>(p.columnStarts[j + 1]); ++k) {
            const auto i = static_cast<std::size_t>(p.rowIndices[k]), row = i < n_ ? i : n_ + i;
            put(row, j < 2 * n_ ? j : n_ + j, -ofValues_[k]);
            if (i >= n_ && j >= n_ && j < 2 * n_)
                put(row, n_ + j, -ofRates_[k]);
        }
    for (std::size_t i = 0; i < n_; ++i)
        put(n_ + i, 2 * n_ + i, 1);
}

bool Radau5::solve([[maybe_unused]] double end, [[maybe_unused]] double tolerance, [[maybe_unused]] const StepWatch* watch)
{
#ifdef DRIFTLESS_RADAU5
    current = this;
    stepWatch = watch;
    const int n = static_cast<int>(size_), lwork = static_cast<int>(work_.size()), liwork = static_cast<int>(iwork_.size());
    const int one = 1, zero = 0, output = watch ? 1 : 0;
    const bool plain = nu_ == 0;
    double t = 0, h = 0, differential = plain ? 0 : static_cast<double>(2 * n_);
    int mljac = plain ? n - 2 * static_cast<int>(n_) : n, mujac = 0, mlmas = 0, mumas = 0, ipar = 0, done = 0;
    std::copy(start_.begin(), start_.end(), y_.begin());
    std::fill_n(work_.begin(), 20, 0.0);
    std::fill_n(iwork_.begin(), 20, 0);
    iwork_[1] = kMostSteps;
    // By their index: positions, velocities, accelerations and multipliers; both of the former are of index 1 with nu.
    iwork_[4] = static_cast<int>(plain ? n_ : 2 * n_);
    iwork_[5] = static_cast<int>(plain ? n_ : n_ + m_ + nu_);
    iwork_[6] = static_cast<int>(plain ? n_ + m_ : 0);
    iwork_[8] = plain ? static_cast<int>(2 * n_) : 0;
    iwork_[9] = plain ? static_cast<int>(n_) : 0;
    codeOf(varied_)(&n, ratesThere, &t, y_.data(), &end, &h, &tolerance, &tolerance, &zero, jacobianThere, &one, &mljac, &mujac,
                    massThere, &one, &mlmas, &mumas, radauStep, &output, work_.data(), &lwork, iwork_.data(), &liwork,
                    &differential, &ipar, &done);
    return done == 1;
#else
    return false;
#endif
}

RadauOde::RadauOde(const StraightOde& ode, bool varied) : ode_(ode), varied_(varied)
{
    const auto n = static_cast<std::size_t>(ode.n);
    y_.resize(n);
    work_.resize(roomOf(n));
    iwork_.resize(6 * n + 40);
}

bool RadauOde::solve([[maybe_unused]] double end, [[maybe_unused]] double tolerance, [[maybe_unused]] const StepWatch* watch)
{
#ifdef DRIFTLESS_RADAU5
    stepWatch = watch;
    const int lwork = static_cast<int>(work_.size()), liwork = static_cast<int>(iwork_.size());
    const int zero = 0, output = watch ? 1 : 0;
    double t = 0, h = 0, real = 0;
    int ipar = 0, done = 0, mljac = ode_.n, mujac = ode_.n, mlmas = 0, mumas = 0; // they are written to
    std::copy_n(ode_.y0, ode_.n, y_.begin());
    std::fill_n(work_.begin(), 20, 0.0);
    std::fill_n(iwork_.begin(), 20, 0);
    iwork_[1] = kMostSteps;
    codeOf(varied_)(&ode_.n, ode_.rates, &t, y_.data(), &end, &h, &tolerance, &tolerance, &zero, nullptr, &zero, &mljac, &mujac,
                    nullptr, &zero, &mlmas, &mumas, radauStep, &output, work_.data(), &lwork, iwork_.data(), &liwork, &real,
                    &ipar, &done);
    return done == 1;
#else
    return false;
#endif
}

} // namespace driftless::bench
