// Values of the leading Jacobian at random points, and what they say about rank; private to this room.
#pragma once

#include <functional>
#include <map>
#include <random>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/expr/Expr.h"
#include "core/expr/Tape.h"
#include "core/structure/Report.h"
#include "core/system/EquationSystem.h"

namespace driftless::reduction {

struct LeadingEntry {
    int row, column;
    expr::Expr value;
};

class LeadingJacobian {
public:
    /// near: values by name in place of those of the text.
    LeadingJacobian(const model::EquationSystem& system, const std::map<std::string, double>& near,
                    const structure::Signature& signature, const std::vector<int>& c, const std::vector<int>& d);

    /// False when no random point lies in the domain of the equations; why says where it was left.
    bool evaluate(std::string& why);
    /// Adds points with positive unknowns of sizes one to a thousand times those at the start.
    void lookFurther();
    int points() const { return static_cast<int>(values_.size()); }
    /// Makes this point the first one.
    void promote(int point) { std::swap(values_.front(), values_[static_cast<std::size_t>(point)]); }
    const std::vector<LeadingEntry>& entries() const { return entries_; }
    /// Rows x columns at one point.
    std::vector<double> dense(std::span<const int> rows, std::span<const int> columns, int point) const;

private:
    using Draw = std::function<double(double noise, double size, double start)>; ///< of an unknown, from a number in [-1, 1]
    bool take(double span, const Draw& position, const Draw& rate, std::string& why);

    const model::EquationSystem& system_;
    std::unordered_map<std::string, double> start_, size_;
    std::mt19937 generator_{20}; ///< the same points in every run
    std::vector<expr::Symbol> symbols_;
    expr::Tape tape_;
    expr::TapeWorkspace workspace_;
    std::vector<LeadingEntry> entries_;
    std::vector<std::size_t> rowStarts_;
    std::vector<std::vector<double>> values_; ///< per point, on entries()
};

/// Elimination with complete pivoting after equilibration: the rank, the pivot rows and columns in order. A choice among
/// columns must not scale them: their size is what tells them apart.
struct RankResult {
    int rank = 0;
    std::vector<int> pivotRows, pivotColumns;
};
RankResult rankOf(std::vector<double> matrix, int rows, int columns, bool scaleColumns = true);
/// Left null vectors of a dense n x n matrix, one per row that is not a pivot (which has coefficient 1).
std::vector<std::vector<double>> leftNullVectors(const std::vector<double>& matrix, int n);

} // namespace driftless::reduction
