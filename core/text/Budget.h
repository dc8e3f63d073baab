// What a file from a stranger may ask for: the bounds that cost memory, depth or time, and those that several readers share, so
// that one kind of thing has one bound wherever it enters: a session is as large for the command line as for the window. Beyond
// a bound a reader refuses with a message that names it. How many entries one list of a lesson or study may have stands with
// its reader.
#pragma once

#include <cstddef>
#include <cstdint>

namespace driftless::budget {

// Bytes of a file that are read at all.
inline constexpr std::size_t kModelBytes = 4u
                                           << 20; ///< a mechanism, equations, or a matrix pencil; 20,000 bodies written by hand
inline constexpr std::size_t kTableauBytes = 64u << 10; ///< sixteen stages of exact numbers
inline constexpr std::size_t kLessonBytes = 1u << 20;
inline constexpr std::size_t kSessionBytes = 64u << 20;           ///< a session, and a study, which can be made from one
inline constexpr std::size_t kInputBytes = 1u << 20;              ///< of a CSV file with tables of inputs
inline constexpr std::size_t kMeasuredBytes = 4u << 20;           ///< of a CSV file with measured data
inline constexpr std::size_t kResultBytes = std::size_t(4) << 30; ///< rows of one run of a study, as this program wrote them

// Depth. Recursive readers and what walks their trees use a stack that grows with it.
inline constexpr int kSessionDepth = 32;     ///< brackets in each other; sessions of ours have nine
inline constexpr int kExpressionDepth = 200; ///< parentheses, calls and signs in each other
inline constexpr int kTableDepth = 32;       ///< lists and tables in each other

// Counts.
inline constexpr std::size_t kTableItems = 40'000,
                             kTableValues = 1'000'000;    ///< of one list, and separators in the text of one file
inline constexpr std::size_t kExpressionLength = 100'000; ///< characters
inline constexpr int kBodies = 20'000, kJoints = 40'000, kParameters = 10'000;
inline constexpr int kCopies = 20'000;                  ///< of one repeated table, and the largest number of [structure]
inline constexpr std::size_t kCopiedValues = 2'000'000; ///< in all copies together
inline constexpr std::size_t kStatements = 50'000;      ///< of a model of equations
inline constexpr std::size_t kHeldVariables = 2'000;    ///< discrete ones and conditions: each is looked at along a step
inline constexpr std::size_t kSamplers = 200;           ///< sample() in one model
inline constexpr int kIfDepth = 20;                     ///< if-equations in each other
inline constexpr int kDerivativeOrder = 6;              ///< that a text may name
inline constexpr std::size_t kInputRows = 2'000, kInputColumns = 100; ///< of a table: every row is a piece of its expression
inline constexpr std::size_t kMeasuredRows = 20'000; ///< of measured data: a camera of 240 pictures a second for 80 s
inline constexpr std::size_t kLagrangianCoordinates = 100, kLagrangianFunctions = 1'000;
inline constexpr int kPencilUnknowns = 120;            ///< a step of the staircase costs n^3
inline constexpr std::size_t kExactDigits = 40;        ///< of one rational number
inline constexpr std::size_t kTableauEntry = 200;      ///< characters
inline constexpr std::size_t kSessionEvents = 200'000; ///< of one recorded session, or of a study
inline constexpr std::size_t kSessionRuns = 64;
inline constexpr std::size_t kStudyRuns = 20'000;    ///< after sweeps are spread
inline constexpr std::size_t kStudyEntries = 500;    ///< tables, figures, claims, panels each
inline constexpr std::size_t kTextBytes = 20'000;    ///< of one text that a person reads
inline constexpr std::size_t kMeasureLength = 2'000; ///< characters of one measure
inline constexpr std::size_t kLessonSteps = 40;

// Work that a text can ask for in a few bytes.
inline constexpr std::uint64_t kSteps = 1'000'000'000; ///< of one run, or in one wait
inline constexpr double kLessonRunSteps = 1e7; ///< of fixed length in a lesson's run: minutes, and more than anybody waits for
inline constexpr double kLessonTime = 1e4;     ///< [s]
inline constexpr std::size_t kDerivedNodes =
    2'000'000; ///< of all differentiated rows: beyond, differentiating would not end in useful time
inline constexpr double kDerivedFactors =
    2'000'000; ///< that the derivatives of one equation, or all of a mechanism's long ones, may be written with
inline constexpr long kReducedValues = 200'000;  ///< unknowns of a reduced system
inline constexpr double kEnergyNodes = 100'000;  ///< of a kinetic or potential energy, written out
inline constexpr double kFunctionNodes = 10'000; ///< of one function of a Lagrangian model or its rate, written out
inline constexpr int kSamples = 1'000'000;       ///< rows of one table

} // namespace driftless::budget
