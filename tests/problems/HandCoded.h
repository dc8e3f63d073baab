// Reference DAEs written by hand, independent of the expression kernel: the integrators' tests stand on these alone.
//
// A form is a residual written once for any number type; its Jacobians come from forward differentiation with dual
// numbers, its pattern from the entries that are not zero at a generic point.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/solve/DaeSystem.h"

namespace driftless::problems {

/// a + b eps with eps^2 = 0: value and one directional derivative.
struct Dual {
    double value = 0, slope = 0;
    Dual() = default;
    Dual(double v, double s = 0) : value(v), slope(s) {}
};
inline Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.slope + b.slope}; }
inline Dual operator-(Dual a, Dual b) { return {a.value - b.value, a.slope - b.slope}; }
inline Dual operator-(Dual a) { return {-a.value, -a.slope}; }
inline Dual operator*(Dual a, Dual b) { return {a.value * b.value, a.slope * b.value + a.value * b.slope}; }
inline Dual operator/(Dual a, Dual b)
{
    return {a.value / b.value, (a.slope * b.value - a.value * b.slope) / (b.value * b.value)};
}
inline Dual sin(Dual a) { return {std::sin(a.value), std::cos(a.value) * a.slope}; }
inline Dual cos(Dual a) { return {std::cos(a.value), -std::sin(a.value) * a.slope}; }

/// Form: kSize, kIndex, roles() and residual(t, y, y', F).
template <class Form>
class HandCoded final : public solve::DaeSystem {
public:
    explicit HandCoded(Form f = {}) : form(std::move(f)) { structureChanged(); }

    Form form;
    int residuals = 0, jacobians = 0; ///< calls, to check the counters of integrators

    /// After the form's rows or roles changed.
    void structureChanged()
    {
        roles_ = form.roles();
        findPattern();
        ++revision_;
    }

    int size() const override { return static_cast<int>(kSize); }
    std::span<const solve::UnknownRole> roles() const override { return roles_; }
    int index() const override { return Form::kIndex; }
    std::uint64_t rolesRevision() const override { return revision_; }
    const solve::SparsePattern& pattern() const override { return pattern_; }

    bool residual(double t, const double* y, const double* yp, double* F) override
    {
        ++residuals;
        form.template residual<double>(t, y, yp, F);
        for (std::size_t i = 0; i < kSize; ++i)
            if (!std::isfinite(F[i]))
                return false;
        return true;
    }

    bool jacobian(double t, const double* y, const double* yp, double* dFdy, double* dFdyp) override
    {
        ++jacobians;
        Column column;
        for (std::size_t j = 0; j < kSize; ++j) {
            differentiate(t, y, yp, j, false, column);
            gather(j, column, dFdy);
            differentiate(t, y, yp, j, true, column);
            gather(j, column, dFdyp);
        }
        return true;
    }

    std::string domainMessage() const override { return "a residual is not a number"; }
    std::string unknownName(int i) const override { return "y" + std::to_string(i); }
    std::string rowName(int i) const override { return "row " + std::to_string(i); }

private:
    static constexpr std::size_t kSize = Form::kSize;
    using Column = std::array<double, kSize>;

    void differentiate(double t, const double* y, const double* yp, std::size_t j, bool ofRate, Column& column) const
    {
        std::array<Dual, kSize> a, b, F;
        for (std::size_t i = 0; i < kSize; ++i) {
            a[i] = Dual(y[i], !ofRate && i == j ? 1 : 0);
            b[i] = Dual(yp[i], ofRate && i == j ? 1 : 0);
        }
        form.template residual<Dual>(Dual(t), a.data(), b.data(), F.data());
        for (std::size_t i = 0; i < kSize; ++i)
            column[i] = F[i].slope;
    }

    void gather(std::size_t j, const Column& column, double* values) const
    {
        for (auto k = static_cast<std::size_t>(pattern_.columnStarts[j]);
             k < static_cast<std::size_t>(pattern_.columnStarts[j + 1]); ++k)
            values[k] = column[static_cast<std::size_t>(pattern_.rowIndices[k])];
    }

    void findPattern()
    {
        Column y, yp, ofValue, ofRate;
        for (std::size_t i = 0; i < kSize; ++i) {
            y[i] = 0.37 + 0.113 * static_cast<double>(i + 1);
            yp[i] = 0.71 - 0.091 * static_cast<double>(i + 1);
        }
        pattern_.rows = pattern_.columns = static_cast<int>(kSize);
        pattern_.columnStarts.assign(1, 0);
        pattern_.rowIndices.clear();
        for (std::size_t j = 0; j < kSize; ++j) {
            differentiate(0.3, y.data(), yp.data(), j, false, ofValue);
            differentiate(0.3, y.data(), yp.data(), j, true, ofRate);
            for (std::size_t i = 0; i < kSize; ++i)
                if (ofValue[i] != 0 || ofRate[i] != 0)
                    pattern_.rowIndices.push_back(static_cast<int>(i));
            pattern_.columnStarts.push_back(static_cast<int>(pattern_.rowIndices.size()));
        }
    }

    std::vector<solve::UnknownRole> roles_;
    solve::SparsePattern pattern_;
    std::uint64_t revision_ = 0;
};

} // namespace driftless::problems
