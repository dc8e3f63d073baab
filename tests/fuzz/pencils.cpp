// Files of linear DAEs. A form that is given reproduces E and A, exactly where it is exact; its parts fit together; eigenvalues
// are those of J.
#include <algorithm>
#include <complex>

#include "core/pencil/ExactForm.h"
#include "core/pencil/LinearDaeFile.h"
#include "core/pencil/Pencil.h"
#include "tests/fuzz/Fuzz.h"

using namespace driftless;
using namespace driftless::fuzz;

namespace {

pencil::LinearDae systemOf(const model::LinearDaeFile& file)
{
    pencil::LinearDae out;
    out.n = file.n;
    out.E = out.A = pencil::Matrix(file.n, file.n);
    for (std::size_t i = 0; i < file.E.size(); ++i) {
        out.E.values[i] = file.E[i].value;
        out.A.values[i] = file.A[i].value;
        if (file.exact()) {
            out.exactE.push_back(file.E[i].fraction);
            out.exactA.push_back(file.A[i].fraction);
        }
    }
    out.f = file.f;
    out.x0 = file.x0;
    out.end = file.end;
    return out;
}

double norm(const pencil::Matrix& m)
{
    double sum = 0;
    for (const double v : m.values)
        sum = std::hypot(sum, v);
    return sum;
}

pencil::Matrix times(const pencil::Matrix& a, const pencil::Matrix& b)
{
    pencil::Matrix out(a.rows, b.columns);
    for (int i = 0; i < a.rows; ++i)
        for (int k = 0; k < a.columns; ++k)
            for (int j = 0; j < b.columns; ++j)
                out(i, j) += a(i, k) * b(k, j);
    return out;
}

/// |P M Q - wanted| / (|P| |M| |Q|), in this order and in doubles.
double misfit(const pencil::Analysis& a, const pencil::Matrix& M, const pencil::Matrix& first, const pencil::Matrix& second)
{
    pencil::Matrix left = times(times(a.P, M), a.Q);
    for (int i = 0; i < a.n1; ++i)
        for (int j = 0; j < a.n1; ++j)
            left(i, j) -= first(i, j);
    for (int i = 0; i < a.n2; ++i)
        for (int j = 0; j < a.n2; ++j)
            left(a.n1 + i, a.n1 + j) -= second(i, j);
    return norm(left) / std::max(norm(a.P) * norm(M) * norm(a.Q), 1e-300);
}

pencil::Matrix identity(int n)
{
    pencil::Matrix out(n, n);
    for (int i = 0; i < n; ++i)
        out(i, i) = 1;
    return out;
}

void checkExact(const pencil::LinearDae& s, const pencil::Analysis& a, const std::string& told)
{
    using pencil::RationalMatrix;
    const auto E = RationalMatrix::read(s.n, s.exactE), A = RationalMatrix::read(s.n, s.exactA);
    const auto P = RationalMatrix::read(s.n, a.exactP), Q = RationalMatrix::read(s.n, a.exactQ);
    RationalMatrix left = RationalMatrix::identity(s.n), right = left, J(a.n2, a.n2);
    for (std::size_t i = 0; i < a.exactJ.size(); ++i)
        J.values[i] = mpq_class(a.exactJ[i]);
    right.setBlock(a.n1, a.n1, J);
    for (int i = 0; i < a.n1; ++i)
        for (int j = 0; j < a.n1; ++j)
            left(i, j) = a.N(i, j);
    check((P * E * Q + pencil::scaled(left, -1)).isZero() && (P * A * Q + pencil::scaled(right, -1)).isZero(),
          "an exact form reproduces E and A", told);
}

void checkRegular(const pencil::LinearDae& s, const pencil::Analysis& a, const std::string& told)
{
    check(a.n1 + a.n2 == s.n && static_cast<int>(a.eigenvalues.size()) == a.n2, "sizes of the two parts sum to n", told);
    int sum = 0;
    for (const int b : a.nilpotentBlocks)
        sum += b;
    check(sum == a.n1 && std::is_sorted(a.nilpotentBlocks.rbegin(), a.nilpotentBlocks.rend()),
          "nilpotent blocks fill the nilpotent part", told);
    check(a.index == (a.nilpotentBlocks.empty() ? 0 : a.nilpotentBlocks.front()),
          "the index is the size of the largest nilpotent block", told);
    if (a.P.values.empty()) {
        check(!a.why.empty(), "a form that is withheld has a reason", told);
        return;
    }
    if (!a.exactP.empty())
        checkExact(s, a, told);
    const double sizes = norm(s.E) * norm(s.A) * norm(a.P) * norm(a.Q);
    if (!std::isfinite(sizes) || sizes == 0)
        return; // beyond the range of doubles a product says nothing
    check(misfit(a, s.E, a.N, identity(a.n2)) <= pencil::kReproduced, "P E Q is diag(N, I)", told);
    check(misfit(a, s.A, identity(a.n1), a.J) <= pencil::kReproduced, "P A Q is diag(I, J)", told);
    double trace = 0, values = 0, size = 0;
    for (int i = 0; i < a.n2; ++i)
        trace += a.J(i, i);
    for (const auto& [re, im] : a.eigenvalues) {
        values += re;
        size += std::hypot(re, im);
    }
    check(!std::isfinite(size) || std::abs(trace - values) <= 1e-6 * size + 1e-300, "eigenvalues sum to the trace of J", told);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text = textOf(data, size);
    model::LinearDaeLimits limits;
    limits.maxUnknowns = Budget::kUnknowns;
    limits.maxDigits = 12; // the numbers of exact arithmetic grow with their product
    const auto file = model::readLinearDae(text, "input.toml", limits);
    if (!file)
        return 0;
    const pencil::LinearDae system = systemOf(*file);
    const auto a = pencil::analyse(system);
    if (!a)
        return 0;
    const std::string told = std::string(text) + "\nindex " + std::to_string(a->index) + ", n1 " + std::to_string(a->n1)
                             + ", residual " + std::to_string(a->formResidual) + ", " + a->why;
    check(a->regular || !a->why.empty(), "a singular pencil has a reason", told);
    check(a->exact == file->exact(), "rational entries are analysed exactly", told);
    if (a->regular)
        checkRegular(system, *a, told);
    return 0;
}
