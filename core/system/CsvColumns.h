// Numbers in columns from a CSV file that a person hands over: tables of inputs, and measured data.
//
//   t [s], bob.x [m]     names, with units in brackets; the first column is the time
//   0,     1.5           finite numbers with a point; empty lines and lines that begin with # are passed over
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"

namespace driftless::model {

struct CsvColumn {
    std::string name, unit;      ///< as the header states them
    SourcePosition position;     ///< of the name
    std::vector<double> numbers; ///< one per time; empty where the column was not asked for
};

struct CsvColumns {
    std::vector<double> t;              ///< [s], as they stand
    std::vector<SourcePosition> places; ///< of the rows
    std::vector<CsvColumn> columns;     ///< all of the header behind the time's
};

/// What is read, for bounds and for the words of messages.
struct CsvPurpose {
    std::size_t rows;      ///< at most
    std::string_view what; ///< the columns behind the time, as in "the others are inputs"
    std::string column;    ///< the one that is read; empty: all
    std::string example;   ///< a heading behind "t [s], "
};

/// Refused with line and column: what is no number, a line that is not as wide as the header, two columns of one name.
Result<CsvColumns> readCsvColumns(std::string_view text, const std::string& file, const CsvPurpose& purpose);

} // namespace driftless::model
