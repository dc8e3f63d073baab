// What structural analysis sees of a system: which unknown occurs in which equation, and differentiated how often.
//
// n equations F_i = 0, unknowns x_j. sigma_ij is the order of the highest derivative of x_j in F_i; absent where x_j does not
// occur. Equations and unknowns are numbers here; expressions never come into this room.
#pragma once

#include <vector>

namespace driftless::structure {

/// rows[i] lists the columns that occur in row i.
struct Incidence {
    int columns = 0;
    std::vector<std::vector<int>> rows;
};

struct SignatureEntry {
    int column = 0;
    int order = 0;
};

struct Signature {
    int columns = 0;
    std::vector<std::vector<SignatureEntry>> rows; ///< at most one entry per column

    int size() const { return static_cast<int>(rows.size()); }
    Incidence incidence() const;
    /// Occurrences of the highest derivatives after c_i differentiations: sigma_ij + c_i = d_j ([MS91]: incidence of G x = 0).
    Incidence leading(const std::vector<int>& c, const std::vector<int>& d) const;
    /// d_j = max_i sigma_ij + c_i; -1 for an unknown that occurs nowhere.
    std::vector<int> highestOrders(const std::vector<int>& c) const;
};

/// A maximum matching; -1 is unmatched.
struct Matching {
    std::vector<int> columnOfRow, rowOfColumn;
    int size = 0;
};
/// Hopcroft and Karp 1973, iterative: O(m sqrt n).
Matching maximumMatching(const Incidence& incidence);

/// Coarse decomposition of Dulmage and Mendelsohn 1958. Over-determined: rows reachable from an unmatched row (more equations
/// than unknowns); under-determined: columns from which an unmatched column is reached (more unknowns than equations).
struct DulmageMendelsohn {
    std::vector<int> overRows, overColumns;
    std::vector<int> underRows, underColumns;
    std::vector<int> squareRows, squareColumns;
};
DulmageMendelsohn dulmageMendelsohn(const Incidence& incidence, const Matching& matching);

/// One block of the block lower triangular form; equations[k] is matched with unknowns[k].
struct Block {
    std::vector<int> equations, unknowns;
};
/// Strong components (Tarjan 1972, iterative) of a perfect matching, in the order in which they can be solved.
std::vector<Block> blockTriangular(const Incidence& incidence, const Matching& matching);

} // namespace driftless::structure
