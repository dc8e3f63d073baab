// The problems of the races.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace driftless::bench {

/// A method of ours and the form that it solves.
struct Entry {
    std::string method, form;
};

struct Problem {
    const char *title, *model;
    std::string straight; ///< what its straight C is called: the model, or the model and its start
    double end;           ///< [s]
    /// Positions there to twenty digits, the first unknowns of every form; empty: not known to so many.
    std::vector<double> positions;
    std::vector<std::pair<std::string, double>> changed; ///< starting values, where they are not the model's
    std::vector<int> dummies;                            ///< for dummy derivatives
    std::vector<Entry> ours;
    std::vector<std::string> ida; ///< forms that IDA is given as straight C
    bool fewUnknowns = true;      ///< implicit codes with dense matrices are asked for
};

const std::vector<Problem>& problems();

} // namespace driftless::bench
