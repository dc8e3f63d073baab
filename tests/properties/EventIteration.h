// Texts of several `when`, `pre`, `edge`, `change`, Booleans and Integers that feed each other, drawn at random, and Modelica's
// event iteration (Modelica Language Specification 3.6, appendix B) as an oracle:
//
//   between events   der(x_i) is one of two numbers, by a discrete value: x_i is linear, and conditions change at exact times
//   at an event      all discrete equations in their order, with pre() as it was; then what is reinitialised; then pre() := the
//                    values; again until nothing changes
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QString>

#include "tests/support/Draw.h"

namespace driftless::test {

/// A condition: of a real (x_i > c or x_i < c), of an Integer (n_i > c), of the time since one (time - pre(n_i) > c), a
/// Boolean, or made of such.
struct Logic {
    enum class Kind { Real, Whole, Since, Value, Before, Edge, Change, Not, And, Or } kind = Kind::Value;
    int index = 0;    ///< of the variable; of Real: of the crossing
    double limit = 0; ///< of Whole and Since
    std::vector<Logic> parts{};
};

struct Crossed {
    int x = 0;
    double limit = 0;
    bool above = true; ///< x > limit, else x < limit
};

/// What an Integer becomes: pre(own) + step, pre of another one, or a number.
struct Whole {
    enum class Kind { Step, Other, Number } kind = Kind::Step;
    int other = 0, step = 1;
};

struct Branch {
    Logic condition;
    Whole value;
    int jumps = -1; ///< the real that is reinitialised; -1: none
    double to = 0;
};

/// In their order: Booleans first, an Integer of a `when` behind them; what stands before may be used as it is now.
struct DrawnEvents {
    struct Real {
        double start = 0, rates[2] = {};
        int by = 0; ///< Boolean that chooses
    };
    std::vector<Real> reals;
    std::vector<Crossed> crossings;
    std::vector<Logic> sinces;
    std::vector<Logic> booleans;
    std::vector<char> startsTrue;
    std::vector<std::vector<Branch>> whens; ///< the k-th sets the k-th Integer

    explicit DrawnEvents(Draw& draw)
    {
        const int n = draw.upTo(1, 3), b = draw.upTo(2, 4), w = draw.upTo(1, 3);
        for (int i = 0; i < n; ++i)
            reals.push_back(
                {.start = number(draw, -1, 1), .rates = {number(draw, -2, 2), number(draw, -2, 2)}, .by = draw.upTo(0, b - 1)});
        for (int i = 0; i < b; ++i) {
            booleans.push_back(logic(draw, i, 0, w, b, 2));
            startsTrue.push_back(draw.chance(0.5));
        }
        for (int k = 0; k < w; ++k) {
            whens.emplace_back();
            for (int i = draw.upTo(1, 2); i > 0; --i) {
                Branch branch{.condition = logic(draw, b, k, w, b, 1), .value = {}};
                branch.value.kind =
                    draw.chance(0.6) ? Whole::Kind::Step : (draw.chance(0.5) ? Whole::Kind::Other : Whole::Kind::Number);
                branch.value.other = draw.upTo(0, w - 1);
                branch.value.step = draw.upTo(-2, 3);
                whens.back().push_back(branch);
            }
        }
        // Each real is reinitialised by one `when` at most.
        for (int i = 0; i < n; ++i)
            if (draw.chance(0.5)) {
                Branch& branch = whens[static_cast<std::size_t>(draw.upTo(0, w - 1))].front();
                branch.jumps = i;
                branch.to = number(draw, -1, 1);
            }
    }

    std::string text() const
    {
        std::string out = "model drawn\n", equations;
        for (std::size_t i = 0; i < reals.size(); ++i) {
            const std::string x = "x" + std::to_string(i);
            out += "  Real " + x + "(start = " + said(reals[i].start) + ", fixed = true);\n";
            equations += "  der(" + x + ") = if b" + std::to_string(reals[i].by) + " then " + said(reals[i].rates[0]) + " else "
                         + said(reals[i].rates[1]) + ";\n";
        }
        for (std::size_t i = 0; i < booleans.size(); ++i) {
            out += "  Boolean b" + std::to_string(i) + "(start = " + (startsTrue[i] ? "true" : "false") + ");\n";
            equations += "  b" + std::to_string(i) + " = " + said(booleans[i]) + ";\n";
        }
        for (std::size_t k = 0; k < whens.size(); ++k) {
            out += "  Integer n" + std::to_string(k) + ";\n";
            for (std::size_t i = 0; i < whens[k].size(); ++i) {
                const Branch& branch = whens[k][i];
                equations += std::string(i == 0 ? "  when " : "  elsewhen ") + said(branch.condition) + " then\n    n"
                             + std::to_string(k) + " = " + said(branch.value, static_cast<int>(k)) + ";\n";
                if (branch.jumps >= 0)
                    equations += "    reinit(x" + std::to_string(branch.jumps) + ", " + said(branch.to) + ");\n";
            }
            equations += "  end when;\n";
        }
        return out + "equation\n" + equations + "  annotation(experiment(StopTime = 5));\nend drawn;\n";
    }

private:
    /// Five decimals: no two crossings at one time but by design.
    static double number(Draw& draw, double low, double high) { return std::round(1e5 * draw.between(low, high)) / 1e5; }
    static std::string said(double x) { return QString::number(x, 'g', 17).toStdString(); }

    /// known: Booleans that may be used as they are now; integers as well; any of all may be used as it was.
    Logic logic(Draw& draw, int known, int integers, int allIntegers, int all, int depth)
    {
        if (depth > 0 && draw.chance(0.5)) {
            Logic out{.kind = draw.chance(0.2) ? Logic::Kind::Not : (draw.chance(0.5) ? Logic::Kind::And : Logic::Kind::Or)};
            for (int k = out.kind == Logic::Kind::Not ? 1 : 2; k > 0; --k)
                out.parts.push_back(logic(draw, known, integers, allIntegers, all, depth - 1));
            return out;
        }
        switch (draw.upTo(0, 7)) {
        case 7:
            sinces.push_back(
                {.kind = Logic::Kind::Since, .index = draw.upTo(0, allIntegers - 1), .limit = number(draw, -1, 4)});
            return sinces.back();
        case 0:
            return {.kind = Logic::Kind::Before, .index = draw.upTo(0, all - 1)};
        case 1:
            if (known > 0)
                return {.kind = Logic::Kind::Value, .index = draw.upTo(0, known - 1)};
            break;
        case 2:
            if (known > 0)
                return {.kind = draw.chance(0.5) ? Logic::Kind::Edge : Logic::Kind::Change, .index = draw.upTo(0, known - 1)};
            break;
        case 3: // pre(n) > limit, or of an Integer that is known: n > limit
            return {.kind = Logic::Kind::Whole,
                    .index = integers > 0 && draw.chance(0.5) ? draw.upTo(0, integers - 1) : -1 - draw.upTo(0, allIntegers - 1),
                    .limit = draw.upTo(-2, 8) / 2.0};
        default:
            break;
        }
        crossings.push_back({.x = draw.upTo(0, static_cast<int>(reals.size()) - 1),
                             .limit = number(draw, -1.5, 1.5),
                             .above = draw.chance(0.5)});
        return {.kind = Logic::Kind::Real, .index = static_cast<int>(crossings.size()) - 1};
    }

    std::string said(const Logic& c) const
    {
        const std::string i = std::to_string(c.index);
        switch (c.kind) {
        case Logic::Kind::Real: {
            const Crossed& crossing = crossings[static_cast<std::size_t>(c.index)];
            return "x" + std::to_string(crossing.x) + (crossing.above ? " > " : " < ") + said(crossing.limit);
        }
        case Logic::Kind::Whole:
            return (c.index < 0 ? "pre(n" + std::to_string(-1 - c.index) + ")" : "n" + i) + " > " + said(c.limit);
        case Logic::Kind::Since:
            return "time - pre(n" + i + ") > " + said(c.limit);
        case Logic::Kind::Value:
            return "b" + i;
        case Logic::Kind::Before:
            return "pre(b" + i + ")";
        case Logic::Kind::Edge:
            return "edge(b" + i + ")";
        case Logic::Kind::Change:
            return "change(b" + i + ")";
        case Logic::Kind::Not:
            return "not (" + said(c.parts[0]) + ")";
        case Logic::Kind::And:
        case Logic::Kind::Or:
            break;
        }
        return "(" + said(c.parts[0]) + (c.kind == Logic::Kind::And ? " and " : " or ") + said(c.parts[1]) + ")";
    }
    static std::string said(const Whole& value, int own)
    {
        switch (value.kind) {
        case Whole::Kind::Step:
            return "pre(n" + std::to_string(own) + ") + " + std::to_string(value.step);
        case Whole::Kind::Other:
            return "pre(n" + std::to_string(value.other) + ") + " + std::to_string(value.step);
        case Whole::Kind::Number:
            break;
        }
        return std::to_string(value.step);
    }
};

/// Modelica's meaning of such a text.
class EventOracle {
public:
    explicit EventOracle(const DrawnEvents& drawn) : drawn_(drawn)
    {
        for (const auto& real : drawn.reals)
            x.push_back(real.start);
        for (const char b : drawn.startsTrue)
            booleans.push_back(b);
        integers.assign(drawn.whens.size(), 0);
        sides_.assign(drawn.crossings.size(), 0);
        for (std::size_t r = 0; r < sides_.size(); ++r)
            sides_[r] = literal(r);
    }

    /// Start values of the Booleans with which nothing changes at the start: what a `when` makes of a change there is not
    /// the same in all tools. False where there are none.
    bool rest()
    {
        for (int k = 0; k < 20; ++k) {
            keep();
            for (std::size_t i = 0; i < booleans.size(); ++i)
                booleans[i] = holds(drawn_.booleans[i]);
            if (before_.first == booleans)
                return true;
        }
        return false;
    }

    std::vector<double> x;
    std::vector<char> booleans;
    std::vector<int> integers;
    double t = 0;
    int events = 0;

    /// False where an event comes to no end, or events come without progress.
    bool advance(double end)
    {
        // At the start nothing of a `when` is done: its conditions are as they are. pre() are the start values.
        keep();
        if (!iterate(true))
            return false;
        for (int idle = 0; idle < 50;) {
            double next = end;
            int which = -1;
            for (std::size_t r = 0; r < sides_.size(); ++r) {
                const Crossed& c = drawn_.crossings[r];
                const double rate = rateOf(c.x), ahead = (c.limit - x[static_cast<std::size_t>(c.x)]) / rate;
                const bool leaves = (rate > 0) == c.above ? !sides_[r] : static_cast<bool>(sides_[r]);
                if (leaves && rate != 0 && t + ahead < next) {
                    next = t + std::max(0.0, ahead);
                    which = static_cast<int>(r);
                }
            }
            bool since = false;
            for (const Logic& c : drawn_.sinces)
                if (const double due = dueOf(c, integers); due > t && due < next) {
                    next = due;
                    which = -1;
                    since = true;
                }
            idle = next - t < 1e-9 ? idle + 1 : 0;
            for (std::size_t i = 0; i < x.size(); ++i)
                x[i] += rateOf(static_cast<int>(i)) * (next - t);
            t = next;
            if (which < 0 && !since)
                return true;
            if (which >= 0)
                sides_[static_cast<std::size_t>(which)] = !sides_[static_cast<std::size_t>(which)];
            ++events;
            keep();
            if (!iterate(false))
                return false;
        }
        return false;
    }

private:
    double rateOf(int i) const
    {
        const auto& real = drawn_.reals[static_cast<std::size_t>(i)];
        return real.rates[booleans[static_cast<std::size_t>(real.by)] ? 0 : 1];
    }
    char literal(std::size_t r) const
    {
        const Crossed& c = drawn_.crossings[r];
        const double value = x[static_cast<std::size_t>(c.x)];
        return c.above ? value > c.limit : value < c.limit;
    }
    bool holds(const Logic& c) const
    {
        const auto i = static_cast<std::size_t>(c.index < 0 ? -1 - c.index : c.index);
        switch (c.kind) {
        case Logic::Kind::Real:
            return sides_[i];
        case Logic::Kind::Whole:
            return (c.index < 0 ? before_.second[i] : integers[i]) > c.limit;
        case Logic::Kind::Since:
            return t >= dueOf(c, before_.second);
        case Logic::Kind::Value:
            return booleans[i];
        case Logic::Kind::Before:
            return before_.first[i];
        case Logic::Kind::Edge:
            return booleans[i] && !before_.first[i];
        case Logic::Kind::Change:
            return booleans[i] != before_.first[i];
        case Logic::Kind::Not:
            return !holds(c.parts[0]);
        case Logic::Kind::And:
            return holds(c.parts[0]) && holds(c.parts[1]);
        case Logic::Kind::Or:
            break;
        }
        return holds(c.parts[0]) || holds(c.parts[1]);
    }
    static double dueOf(const Logic& c, const std::vector<int>& values)
    {
        return values[static_cast<std::size_t>(c.index)] + c.limit;
    }
    void keep() { before_ = {booleans, integers}; }

    bool iterate(bool starts)
    {
        for (int pass = 0; pass < 100; ++pass) {
            for (std::size_t i = 0; i < booleans.size(); ++i)
                booleans[i] = holds(drawn_.booleans[i]);
            std::vector<const Branch*> done;
            std::size_t number = 0;
            std::vector<char> now;
            for (std::size_t k = 0; k < drawn_.whens.size(); ++k) {
                const Branch* fires = nullptr;
                integers[k] = before_.second[k];
                for (const Branch& branch : drawn_.whens[k]) {
                    now.push_back(holds(branch.condition));
                    if (!fires && now.back() && number < held_.size() && !held_[number] && !(starts && pass == 0))
                        fires = &branch;
                    ++number;
                }
                if (!fires)
                    continue;
                done.push_back(fires);
                const Whole& value = fires->value;
                integers[k] = value.kind == Whole::Kind::Number
                                  ? value.step
                                  : before_.second[value.kind == Whole::Kind::Step ? k : static_cast<std::size_t>(value.other)]
                                        + value.step;
            }
            held_ = now;
            bool jumped = false;
            for (const Branch* branch : done)
                if (branch->jumps >= 0) {
                    x[static_cast<std::size_t>(branch->jumps)] = branch->to;
                    jumped = true;
                    for (std::size_t r = 0; r < sides_.size(); ++r)
                        if (drawn_.crossings[r].x == branch->jumps)
                            sides_[r] = literal(r);
                }
            const bool same = before_.first == booleans && before_.second == integers && !jumped;
            keep();
            if (same)
                return true;
        }
        return false;
    }

    const DrawnEvents& drawn_;
    std::vector<char> sides_; ///< of crossings, which have fired: as they are behind that instant
    std::vector<char> held_;  ///< conditions of branches at the end of the pass before
    std::pair<std::vector<char>, std::vector<int>> before_;
};

} // namespace driftless::test
