// Equation models of known index: chains 0 = z_s + h, z_s' = z_(s-1) + h, ... beside differential equations, mixed by constant
// regular matrices, so that structure alone sees neither the chains nor the degrees of freedom.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace driftless::testing {

struct MixedEquations {
    std::string text; ///< a model in the Modelica subset
    int index = 0, freedom = 0;
};

class MixedGenerator {
public:
    explicit MixedGenerator(unsigned seed) : random_(seed) {}

    /// At most `most` unknowns. Nonlinear: each equation holds functions of unknowns that stand later in its chain.
    MixedEquations draw(int most, bool nonlinear)
    {
        std::vector<int> chains;
        int n = 0;
        while (n < 2 || (n < most && upTo(0, 2) > 0)) {
            chains.push_back(upTo(1, std::min(3, most - n)));
            n += chains.back();
        }
        const int states = upTo(0, std::max(0, std::min(2, most - n)));
        n += states;
        std::vector<std::string> rows;
        MixedEquations out;
        int first = 1;
        for (const int size : chains) {
            // z_first ... z_last: the last is given, the one before it is its rate, and so on.
            for (int i = first; i < first + size; ++i) {
                const bool last = i + 1 == first + size;
                rows.push_back((last ? "" : "der(" + z(i + 1) + ") - ") + z(i) + " - "
                               + (nonlinear && !last ? "sin(" + z(i + 1) + ")" : "sin(time)"));
            }
            out.index = std::max(out.index, size);
            first += size;
        }
        for (int i = first; i < first + states; ++i)
            rows.push_back("der(" + z(i) + ") + " + std::to_string(upTo(1, 3)) + "*" + z(i)
                           + (nonlinear ? " - " + z(1) + "^2" : " - " + z(1)));
        out.freedom = states;
        out.text = textOf(mixed(rows), n);
        return out;
    }

private:
    int upTo(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random_); }
    static std::string z(int i) { return "z" + std::to_string(i); }

    /// Rows combined by shears with small integers and thirds: the matrix is regular, and its inverse has larger fractions.
    std::vector<std::string> mixed(const std::vector<std::string>& rows)
    {
        const int n = static_cast<int>(rows.size());
        std::vector<std::vector<int>> L(rows.size(), std::vector<int>(rows.size()));
        for (int i = 0; i < n; ++i)
            L[static_cast<std::size_t>(i)][static_cast<std::size_t>(i)] = upTo(1, 3);
        for (int k = 0; k < 3 * n; ++k) {
            const int i = upTo(0, n - 1), j = upTo(0, n - 1), c = upTo(-2, 2);
            for (int l = 0; l < n && i != j; ++l)
                L[static_cast<std::size_t>(i)][static_cast<std::size_t>(l)] +=
                    c * L[static_cast<std::size_t>(j)][static_cast<std::size_t>(l)];
        }
        std::vector<std::string> out;
        for (const auto& weights : L) {
            std::string sum;
            for (std::size_t j = 0; j < rows.size(); ++j)
                if (weights[j] != 0)
                    sum += (sum.empty() ? "" : " + ") + ("(" + std::to_string(weights[j]) + ")/3*(" + rows[j] + ")");
            out.push_back(sum);
        }
        return out;
    }

    static std::string textOf(const std::vector<std::string>& rows, int n)
    {
        std::string out = "model mixed\n";
        for (int i = 1; i <= n; ++i)
            out += " Real " + z(i) + ";\n";
        out += "equation\n";
        for (const std::string& row : rows)
            out += " " + row + " = 0;\n";
        return out + "end mixed;\n";
    }

    std::mt19937 random_;
};

} // namespace driftless::testing
