#include "ui/figures/ColumnBand.h"

#include <algorithm>
#include <cmath>

namespace driftless::figures {

std::vector<double> centreLine(const std::vector<ColumnSpan>& columns, bool logarithmic)
{
    constexpr std::size_t beside = kCalmColumns;
    std::vector<double> middles, out;
    middles.reserve(columns.size());
    for (const ColumnSpan& c : columns)
        middles.push_back(logarithmic ? (std::log(c.low) + std::log(c.high)) / 2 : (c.low + c.high) / 2);
    out.reserve(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::size_t from = i > beside ? i - beside : 0, to = std::min(i + beside + 1, columns.size());
        double sum = 0;
        for (std::size_t k = from; k < to; ++k)
            sum += middles[k];
        const double mean = sum / static_cast<double>(to - from);
        out.push_back(std::clamp(logarithmic ? std::exp(mean) : mean, columns[i].low, columns[i].high));
    }
    return out;
}

} // namespace driftless::figures
