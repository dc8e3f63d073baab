// Named numbers of a model with everything a panel, a file or a message needs to know about them.
#pragma once

#include <limits>
#include <string>

#include "core/base/Diagnostic.h"

namespace driftless::model {

struct Quantity {
    std::string name; ///< full name: "L", "bob.x", "bob.x'"
    std::string unit; ///< SI, "" when dimensionless
    std::string description;
    double value = 0; ///< as the file states it
    double minimum = -std::numeric_limits<double>::infinity();
    double maximum = std::numeric_limits<double>::infinity();
    bool positive = false; ///< must stay above zero (masses, lengths)
    double nominal = 0;    ///< its usual size, as the file states it; 0: from the model (NominalScales.h)
    double tolerance = 0;  ///< absolute tolerance that the file states for it; 0: that of the run
    SourcePosition position;
};

/// The unit of a derivative; none where the quantity has none.
inline std::string rateUnit(const std::string& unit, int order = 1)
{
    if (unit.empty() || order < 1)
        return unit;
    return unit + (order == 1 ? "/s" : "/s^" + std::to_string(order));
}

/// A parameter that stands for an expression over others, and is no number of its own.
struct DerivedParameter {
    std::string name;
    std::string from; ///< names of those: "L, w"
};

/// How an initial value enters the consistency solver: kept, or moved as little as possible.
enum class InitialStatus { Guess, Fixed };

} // namespace driftless::model
