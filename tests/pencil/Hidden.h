// Pencils built from a known Weierstrass form and hidden by known transformations.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "core/pencil/Pencil.h"
#include "core/solve/DenseDecompositions.h"

namespace driftless::testing {

struct KnownForm {
    std::vector<int> nilpotent;                 ///< block sizes, largest first
    std::vector<std::pair<double, int>> finite; ///< real eigenvalue, block size

    int n1() const
    {
        int sum = 0;
        for (const int b : nilpotent)
            sum += b;
        return sum;
    }
    int n2() const
    {
        int sum = 0;
        for (const auto& [value, size] : finite)
            sum += size;
        return sum;
    }
    int n() const { return n1() + n2(); }
    Eigen::MatrixXd E() const
    {
        Eigen::MatrixXd m = Eigen::MatrixXd::Identity(n(), n());
        int at = 0;
        for (const int b : nilpotent)
            for (int i = 0; i < b; ++i, ++at) {
                m(at, at) = 0;
                if (i > 0)
                    m(at - 1, at) = 1;
            }
        return m;
    }
    Eigen::MatrixXd A() const
    {
        Eigen::MatrixXd m = Eigen::MatrixXd::Identity(n(), n());
        int at = n1();
        for (const auto& [value, size] : finite)
            for (int i = 0; i < size; ++i, ++at) {
                m(at, at) = value;
                if (i > 0)
                    m(at - 1, at) = 1;
            }
        return m;
    }
};

inline pencil::Matrix plain(const Eigen::MatrixXd& m)
{
    pencil::Matrix out(static_cast<int>(m.rows()), static_cast<int>(m.cols()));
    for (int i = 0; i < out.rows; ++i)
        for (int j = 0; j < out.columns; ++j)
            out(i, j) = m(i, j);
    return out;
}

inline Eigen::MatrixXd randomOrthogonal(int n, std::mt19937& generator)
{
    std::normal_distribution<double> normal;
    const Eigen::MatrixXd m = Eigen::MatrixXd::NullaryExpr(n, n, [&] { return normal(generator); });
    return Eigen::HouseholderQR<Eigen::MatrixXd>(m).householderQ();
}

/// Singular values from 1 down to 10^-digits.
inline Eigen::MatrixXd conditioned(int n, double digits, std::mt19937& generator)
{
    Eigen::VectorXd sigma(n);
    for (int i = 0; i < n; ++i)
        sigma(i) = std::pow(10.0, -digits * i / std::max(n - 1, 1));
    return randomOrthogonal(n, generator) * sigma.asDiagonal() * randomOrthogonal(n, generator);
}

/// A product of random integer shears: determinant 1, integer entries that grow, condition far beyond 1e6.
inline Eigen::MatrixXd shears(int n, int count, std::mt19937& generator)
{
    std::uniform_int_distribution<int> index(0, n - 1), factor(-2, 2);
    Eigen::MatrixXd m = Eigen::MatrixXd::Identity(n, n);
    for (int k = 0; k < count; ++k) {
        const int i = index(generator), j = index(generator), c = factor(generator);
        if (i != j)
            m.row(i) += c * m.row(j);
    }
    return m;
}

inline pencil::LinearDae floatingSystem(const Eigen::MatrixXd& E, const Eigen::MatrixXd& A)
{
    pencil::LinearDae s;
    s.n = static_cast<int>(E.rows());
    s.E = plain(E);
    s.A = plain(A);
    s.f.resize(static_cast<std::size_t>(s.n));
    return s;
}

/// Entries must be integers below 2^53.
inline pencil::LinearDae exactSystem(const Eigen::MatrixXd& E, const Eigen::MatrixXd& A)
{
    pencil::LinearDae s = floatingSystem(E, A);
    for (std::size_t i = 0; i < s.E.values.size(); ++i) {
        s.exactE.push_back(std::to_string(static_cast<long long>(s.E.values[i])) + "/1");
        s.exactA.push_back(std::to_string(static_cast<long long>(s.A.values[i])) + "/1");
    }
    return s;
}

inline KnownForm randomForm(std::mt19937& generator, int mostBlock, bool jordan)
{
    std::uniform_int_distribution<int> blocks(0, 3), size(1, mostBlock), width(1, jordan ? 2 : 1);
    KnownForm form;
    for (int k = blocks(generator); k > 0; --k)
        form.nilpotent.push_back(size(generator));
    std::sort(form.nilpotent.rbegin(), form.nilpotent.rend());
    for (const double value : {-2.0, -0.5, 1.0}) // far apart from one another
        form.finite.emplace_back(value * 2, width(generator));
    return form;
}

} // namespace driftless::testing
