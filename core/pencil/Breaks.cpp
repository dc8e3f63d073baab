#include "core/pencil/Breaks.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/expr/Divisors.h"
#include "core/expr/Print.h"
#include "core/expr/Tape.h"

namespace driftless::pencil {

namespace {

constexpr int kSamples = 2048;
constexpr int kHalvings = 100;    ///< of one sample's distance: down to neighbouring numbers
constexpr double kIsZero = 1e-14; ///< of a divisor that only touches zero, against its largest value: round-off of its terms
constexpr double kFiner = 3;      ///< distances to a zero, one against the next
constexpr double kLeastPower = 0.3,
                 kNoIntegral = 0.95;            ///< of the distance: a pole grows with 1/3 at least; with 1 its integral does
constexpr double kSamePower = 0.15;             ///< three powers in a row agree to this
constexpr double kFactor = 1e-8;                ///< of the growth, against the size elsewhere: above what round-off makes
constexpr double kBeside = 1e-9, kNearer = 0.1; ///< distances to what may jump, of the interval
constexpr double kOneCorner = 1e-12;            ///< of the interval: found twice
constexpr double kJumps = 1e-6;                 ///< is no round-off
constexpr double kMostWork = 5e7;               ///< nodes of expressions that are evaluated, and products: 0.3 s
constexpr double kGoldenSection = 0.6180339887498949;

/// An expression in t.
class Function {
public:
    explicit Function(const expr::Expr& e)
        : tape_(expr::Tape::compile({&e, 1}, {{expr::Symbol{expr::SymbolKind::Time, "t", 0}}}))
    {
        if (tape_)
            work_ = tape_->workspace();
    }
    double operator()(double t)
    {
        double out = NAN;
        return tape_ && tape_->evaluate({&t}, &out, *work_) ? out : NAN;
    }
    double zeroBetween(double a, double b)
    {
        const bool negative = (*this)(a) < 0;
        for (int k = 0; k < kHalvings; ++k) {
            const double middle = a + (b - a) / 2;
            ((*this)(middle) < 0) == negative ? a = middle : b = middle;
        }
        return b;
    }
    double smallestBetween(double a, double b)
    {
        for (int k = 0; k < kHalvings; ++k) {
            const double left = b - kGoldenSection * (b - a), right = a + kGoldenSection * (b - a);
            std::abs((*this)(left)) < std::abs((*this)(right)) ? b = right : a = left;
        }
        return a + (b - a) / 2;
    }

private:
    Result<expr::Tape> tape_;
    std::optional<expr::TapeWorkspace> work_;
};

class Search {
public:
    Search(const std::vector<std::vector<expr::Expr>>& f, double end, const PartsOfSolution& parts) : end_(end), parts_(parts)
    {
        std::vector<expr::Expr> all;
        for (const auto& expressions : f)
            for (const expr::Expr& e : expressions) {
                all.push_back(e);
                nodes_ += static_cast<double>(expr::nodeCount(e));
            }
        partsCost_ = nodes_ + parts.cost;
        divisors_ = expr::divisorsOf(all);
        switches_ = expr::switchesOf(all);
    }

    Breaks first()
    {
        usualAlgebraic_ = usual(parts_.algebraic);
        usualIntegrated_ = usual(parts_.integrated);
        for (const expr::Expr& d : divisors_)
            for (const double t : zerosOf(d))
                if (before(t)
                    && (grows(parts_.algebraic, t, usualAlgebraic_, kLeastPower)
                        || grows(parts_.integrated, t, usualIntegrated_, kNoIntegral)))
                    first_ = Break{.t = t, .pole = true, .divisor = expr::printShort(d)};
        for (const expr::Expr& s : switches_)
            for (const double t : zerosOf(s))
                if (corners_.push_back(t); parts_.differentiated && before(t) && jumps(t))
                    first_ = Break{.t = t, .pole = false, .divisor = {}};
        std::ranges::sort(corners_);
        const auto found = [this](double a, double b) { return b - a < kOneCorner * end_; };
        corners_.erase(std::unique(corners_.begin(), corners_.end(), found), corners_.end());
        std::erase_if(corners_, [this](double t) { return !(t > 0 && t < end_); });
        return {.first = first_, .complete = work_ < kMostWork, .corners = std::move(corners_)};
    }

private:
    bool before(double t) const { return !first_ || t < first_->t; }
    bool mayGoOn(double work) { return (work_ += work) < kMostWork; }

    /// Zeros in [0, end], as far as the samples isolate them.
    std::vector<double> zerosOf(const expr::Expr& e)
    {
        const double nodes = static_cast<double>(expr::nodeCount(e));
        if (!mayGoOn(kSamples * nodes))
            return {};
        Function f(e);
        std::vector<double> values, out;
        const auto at = [&](std::size_t k) { return end_ * static_cast<double>(k) / kSamples; };
        double largest = 0;
        for (std::size_t k = 0; k <= kSamples; ++k) {
            values.push_back(f(at(k)));
            if (std::isfinite(values.back()))
                largest = std::max(largest, std::abs(values.back()));
        }
        const auto size = [&](std::size_t k) { return k < values.size() ? std::abs(values[k]) : INFINITY; };
        for (std::size_t k = 0; k < values.size(); ++k) {
            if (values[k] == 0)
                out.push_back(at(k));
            else if (k > 0 && values[k - 1] != 0 && (values[k] < 0) != (values[k - 1] < 0)) {
                if (mayGoOn(kHalvings * nodes))
                    out.push_back(f.zeroBetween(at(k - 1), at(k)));
            } else if (size(k) <= size(k - 1) && size(k) <= size(k + 1) && mayGoOn(2 * kHalvings * nodes)) {
                const double t = f.smallestBetween(k > 0 ? at(k - 1) : 0, std::min(at(k + 1), end_));
                if (std::abs(f(t)) <= kIsZero * largest)
                    out.push_back(t);
            }
        }
        return out;
    }

    /// Whether size grows like (distance / end)^-p towards t, from one side at least, p no less than given. Terms of a zero
    /// that cancels leave round-off that grows as well, from some distance on; its factor is round-off's, which a pole's is
    /// not.
    bool grows(const std::function<double(double)>& size, double t, double usual, double leastPower)
    {
        for (const double side : {-1.0, 1.0}) {
            double sizeBefore = NAN, powerBefore = NAN;
            int alike = 0;
            for (double distance = 1e-2; distance > 1e-8 && mayGoOn(partsCost_); distance /= kFiner) {
                const double place = t + side * distance * end_;
                const double now = place < 0 || place > end_ ? NAN : size(place);
                const double power = std::log(now / sizeBefore) / std::log(kFiner);
                const bool pole = std::isfinite(now) && power > leastPower && now * std::pow(distance, power) > kFactor * usual;
                alike = pole && std::abs(power - powerBefore) < kSamePower * power ? alike + 1 : 0;
                if (alike == 2)
                    return true;
                sizeBefore = now;
                powerBefore = power;
            }
        }
        return false;
    }

    /// Whether what is differentiated is another one behind t than before: nearer to t no less so, as a slope would be.
    bool jumps(double t)
    {
        const std::vector<double> far = across(t, kBeside * end_), near = across(t, kNearer * kBeside * end_);
        for (std::size_t i = 0; i < std::min(far.size(), near.size()); ++i)
            if (near[i] > kJumps && near[i] > 0.5 * far[i])
                return true;
        return false;
    }
    /// Changes over t, relative to 1 + the values; empty where there are none.
    std::vector<double> across(double t, double step)
    {
        std::vector<double> early, late;
        if (t - step < 0 || t + step > end_ || !mayGoOn(2 * partsCost_) || !parts_.differentiated(t - step, early)
            || !parts_.differentiated(t + step, late))
            return {};
        for (std::size_t i = 0; i < early.size(); ++i)
            early[i] = std::abs(late[i] - early[i]) / (1 + std::abs(early[i]) + std::abs(late[i]));
        return early;
    }

    /// The median at nine points in time; where that is zero the largest.
    double usual(const std::function<double(double)>& size)
    {
        std::array<double, 9> sizes{};
        for (std::size_t k = 0; k < sizes.size(); ++k)
            if (const double s = size(end_ * static_cast<double>(k) / (sizes.size() - 1)); std::isfinite(s))
                sizes[k] = s;
        std::ranges::sort(sizes);
        return sizes[4] > 0 ? sizes[4] : sizes.back();
    }

    double end_, nodes_ = 0, partsCost_ = 0, work_ = 0, usualAlgebraic_ = 0, usualIntegrated_ = 0;
    const PartsOfSolution& parts_;
    std::vector<expr::Expr> divisors_, switches_;
    std::vector<double> corners_;
    std::optional<Break> first_;
};

} // namespace

Breaks firstBreak(const std::vector<std::vector<expr::Expr>>& f, double end, const PartsOfSolution& parts)
{
    return Search(f, end, parts).first();
}

} // namespace driftless::pencil
