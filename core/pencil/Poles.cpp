#include "core/pencil/Poles.h"

#include <algorithm>
#include <cmath>

#include "core/expr/Divisors.h"
#include "core/expr/Print.h"
#include "core/expr/Tape.h"

namespace driftless::pencil {

namespace {

constexpr int kSamples = 2048;
constexpr int kHalvings = 100;      ///< of one sample's distance: down to neighbouring numbers
constexpr double kIsZero = 1e-14;   ///< of a divisor that only touches zero, against its largest value: round-off of its terms
constexpr double kLeastPower = 0.3; ///< of the distance; the weakest pole that is looked for grows with 1/3
constexpr double kSamePower = 0.15; ///< three powers in a row agree to this
constexpr double kFiner = 3;        ///< distances to a zero, one against the next
constexpr double kFactor = 1e-8;    ///< of the growth, against the size elsewhere: above what round-off makes
constexpr int kMostDivisors = 400;  ///< that are looked at: 0.1 s
constexpr double kGoldenSection = 0.6180339887498949;

class Divisor {
public:
    explicit Divisor(const expr::Expr& e)
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

/// Zeros of a divisor in [0, end], as far as the samples isolate them.
std::vector<double> zerosOf(Divisor& divisor, double end)
{
    std::vector<double> values, out;
    const auto at = [&](int k) { return end * k / kSamples; };
    double largest = 0;
    for (int k = 0; k <= kSamples; ++k) {
        values.push_back(divisor(at(k)));
        if (std::isfinite(values.back()))
            largest = std::max(largest, std::abs(values.back()));
    }
    for (std::size_t k = 0; k < values.size(); ++k) {
        const double own = values[k];
        if (own == 0)
            out.push_back(at(static_cast<int>(k)));
        if (k == 0 || own == 0 || values[k - 1] == 0)
            continue;
        if ((own < 0) != (values[k - 1] < 0))
            out.push_back(divisor.zeroBetween(at(static_cast<int>(k) - 1), at(static_cast<int>(k))));
        else if (k + 1 < values.size() && std::abs(own) <= std::abs(values[k - 1])
                 && std::abs(own) <= std::abs(values[k + 1])) {
            const double t = divisor.smallestBetween(at(static_cast<int>(k) - 1), at(static_cast<int>(k) + 1));
            if (std::abs(divisor(t)) <= kIsZero * largest)
                out.push_back(t);
        }
    }
    return out;
}

/// Whether size grows like (distance / end)^-p towards t, from one side at least. Terms of a zero that cancels leave round-off
/// that grows as well, from some distance on; its factor is round-off's, which a pole's is not.
bool grows(const std::function<double(double)>& size, double t, double end, double usual)
{
    for (const double side : {-1.0, 1.0}) {
        double sizeBefore = NAN, powerBefore = NAN;
        int alike = 0;
        for (double distance = 1e-2; distance > 1e-8; distance /= kFiner) {
            const double place = t + side * distance * end;
            const double now = place < 0 || place > end ? NAN : size(place);
            const double power = std::log(now / sizeBefore) / std::log(kFiner);
            const bool pole = std::isfinite(now) && power > kLeastPower && now * std::pow(distance, power) > kFactor * usual;
            alike = pole && std::abs(power - powerBefore) < kSamePower * power ? alike + 1 : 0;
            if (alike == 2)
                return true;
            sizeBefore = now;
            powerBefore = power;
        }
    }
    return false;
}

/// The smallest at nine points in time.
double usualSize(const std::function<double(double)>& size, double end)
{
    double out = INFINITY;
    for (int k = 0; k <= 8; ++k)
        out = std::min(out, size(end * k / 8));
    return out;
}

} // namespace

std::optional<Pole> firstPole(const std::vector<std::vector<expr::Expr>>& f, double end,
                              const std::function<double(double)>& size)
{
    std::optional<Pole> first;
    int looked = 0;
    const double usual = usualSize(size, end);
    for (const auto& expressions : f)
        for (const expr::Expr& d : expr::divisorsOf(expressions)) {
            if (++looked > kMostDivisors)
                return first;
            Divisor divisor(d);
            for (const double t : zerosOf(divisor, end))
                if ((!first || t < first->t) && grows(size, t, end, usual))
                    first = Pole{t, expr::print(d)};
        }
    return first;
}

} // namespace driftless::pencil
