#include "core/system/OneSidedSizes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "core/expr/Units.h"

namespace driftless::model {

namespace {

using expr::Symbol;
using std::size_t;

constexpr double kNoLength = 1e-10; ///< of what else there is: what is shorter is round-off of a start on a surface
constexpr double kOfRun = 0.1;      ///< of the time of the file's run: where nothing else tells a time
constexpr double kPlaceDigits = 64; ///< of the last digits of a place: differences of places that are smaller are none
constexpr double kPlacesDiffer = 8; ///< of these digits: what gaps are known to
constexpr double kPiSquared = std::numbers::pi * std::numbers::pi;
constexpr double kUlp = std::numeric_limits<double>::epsilon();

bool isFree(const std::string& unit) { return unit.empty() || unit == "1" || unit == "rad"; }

/// x, y or z of a body: 0 to 2; -1: no place.
int axisOf(const Coordinate& x)
{
    if (x.body.empty() || x.name.size() != x.body.size() + 2 || x.name[x.body.size()] != '.')
        return -1;
    const char last = x.name.back();
    return last >= 'x' && last <= 'z' ? last - 'x' : -1;
}

/// Which coordinates the equations connect: bodies, rows of constraints, one-sided rows and forces that hold both.
class Connected {
public:
    explicit Connected(const ConstrainedSystem& s) : parent_(s.coordinates.size() + s.dynamics.size() + s.efforts.size())
    {
        std::iota(parent_.begin(), parent_.end(), size_t{0});
        std::map<std::string, size_t> bodies;
        for (size_t i = 0; i < s.coordinates.size(); ++i) {
            const Coordinate& x = s.coordinates[i];
            for (const Symbol* symbol : {&x.q, &x.v})
                places_.emplace(*symbol, i);
            if (!x.body.empty())
                join(bodies.try_emplace(x.body, i).first->second, i);
        }
        size_t next = s.coordinates.size();
        for (const DynamicVariable& d : s.dynamics)
            places_.emplace(d.s, next++);
        for (const Effort& f : s.efforts)
            places_.emplace(f.e, next++);
        next = s.coordinates.size();
        for (const DynamicVariable& d : s.dynamics)
            joinAll(d.rate, next++);
        for (const Effort& f : s.efforts)
            joinAll(f.equation, next++);
        for (size_t i = 0; i < s.force.size(); ++i)
            joinAll(s.force[i], i);
        for (const MassEntry& m : s.mass)
            join(static_cast<size_t>(m.row), static_cast<size_t>(m.column));
        for (const Constraint& c : s.constraints)
            joinAll(c.g);
        for (const OneSided& row : s.oneSided)
            joinAll(row.row.g);
    }
    size_t partOf(size_t i)
    {
        while (parent_[i] != i)
            i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    /// A coordinate in the row; none: it moves nothing.
    std::optional<size_t> anyOf(const expr::Expr& row) const
    {
        for (const Symbol& symbol : expr::symbolsOf(row))
            if (const auto found = places_.find(symbol); found != places_.end())
                return found->second;
        return {};
    }

private:
    void join(size_t a, size_t b) { parent_[partOf(a)] = partOf(b); }
    void joinAll(const expr::Expr& row, std::optional<size_t> with = {})
    {
        for (const Symbol& symbol : expr::symbolsOf(row))
            if (const auto found = places_.find(symbol); found != places_.end()) {
                join(with.value_or(found->second), found->second);
                with = found->second;
            }
    }

    std::map<Symbol, size_t> places_;
    std::vector<size_t> parent_;
};

} // namespace

OneSidedParts::OneSidedParts(const CompiledSystem& compiled)
{
    const ConstrainedSystem& s = compiled.system();
    Connected connected(s);
    std::map<size_t, size_t> parts;
    std::map<std::string, size_t> bodies;
    const auto partOf = [&](size_t i) { return parts.try_emplace(connected.partOf(i), parts.size()).first->second; };
    for (size_t i = 0; i < s.coordinates.size(); ++i) {
        const Coordinate& x = s.coordinates[i];
        const size_t group = x.body.empty() ? groups_ : bodies.try_emplace(x.body, groups_).first->second;
        groups_ += group == groups_;
        const bool length = expr::isLength(x.unit);
        places_.push_back(
            {.part = partOf(i), .group = group, .length = length, .free = isFree(x.unit), .axis = length ? axisOf(x) : -1});
    }
    for (const OneSided& row : s.oneSided) {
        const std::optional<size_t> some = connected.anyOf(row.row.g);
        rows_.push_back(some ? std::optional(partOf(*some)) : std::nullopt);
    }
    parts_ = parts.size();
    if (!compiled.plainRates())
        colourVelocities(compiled);
}

/// Velocities of which no two are in one rate q'.
void OneSidedParts::colourVelocities(const CompiledSystem& compiled)
{
    const ConstrainedSystem& s = compiled.system();
    std::map<Symbol, size_t> columns;
    for (size_t j = 0; j < places_.size(); ++j)
        columns.emplace(s.coordinates[j].v, j);
    std::vector<std::vector<size_t>> rowsOf(places_.size()), columnsOf(places_.size());
    for (size_t i = 0; i < places_.size(); ++i)
        for (const Symbol& symbol : expr::symbolsOf(s.coordinates[i].rate))
            if (const auto found = columns.find(symbol); found != columns.end()) {
                moves_.emplace_back(i, found->second);
                rowsOf[found->second].push_back(i);
                columnsOf[i].push_back(found->second);
            }
    for (size_t j = 0; j < places_.size(); ++j) {
        std::vector<char> taken;
        for (const size_t i : rowsOf[j])
            for (const size_t other : columnsOf[i])
                if (other < j) {
                    taken.resize(std::max(taken.size(), places_[other].colour + 1));
                    taken[places_[other].colour] = 1;
                }
        places_[j].colour = static_cast<size_t>(std::find(taken.begin(), taken.end(), 0) - taken.begin());
        colours_ = std::max(colours_, places_[j].colour + 1);
    }
}

/// What the start says of each part.
struct OneSidedParts::Measured {
    struct Part {
        double stated = 0;   ///< nominal length
        double farthest = 0; ///< |q| of lengths: no size, but what round-off is of
        double distance = 0, arm = 0, gyration = 0;
        double gap = 0;                               ///< the smallest one, 0: none
        double speed = 0, acceleration = 0, rate = 0; ///< of lengths; of the rest, 1/T
        double mass = 0, inertia = 0;                 ///< of a length; M S^2 of the rest
        double extent = 0, length = 1;                ///< E, 0: none; S of a row without a gap of its own
    };
    const OneSidedParts& all;
    SystemEvaluator& e;
    const ConstrainedSystem& s;
    size_t n;
    double still; ///< [s]
    double longest = std::numeric_limits<double>::infinity();
    std::vector<double> q, v, lambda, diagonal, force;
    std::vector<double> ways, turns; ///< of each velocity: [m] that it moves for each unit, and in sizes of what has none
    std::vector<double> gaps;        ///< of each one-sided row, 0: none
    std::vector<Part> parts;

    Measured(const OneSidedParts& from, SystemEvaluator& evaluator)
        : all(from), e(evaluator), s(e.compiled().system()), n(from.places_.size()),
          still(kOfRun * e.compiled().model().run.end), q(n), v(n), lambda(static_cast<size_t>(e.compiled().w())), diagonal(n),
          force(n), ways(n), turns(n), gaps(s.oneSided.size()), parts(from.parts_)
    {
        if (e.compiled().model().run.endStated)
            longest = e.compiled().model().run.end;
        if (!e.starts(q.data(), v.data(), lambda.data() + e.compiled().m()))
            std::fill(q.begin(), q.end(), 0.0);
        const auto& massPlaces = e.compiled().massPlaces();
        if (std::vector<double> mass(massPlaces.size()); e.mass(0, q.data(), mass.data()))
            for (size_t k = 0; k < mass.size(); ++k)
                if (massPlaces[k].row == massPlaces[k].column && std::isfinite(mass[k]))
                    diagonal[static_cast<size_t>(massPlaces[k].row)] = std::abs(mass[k]);
        if (!e.force(0, q.data(), v.data(), lambda.data(), force.data()))
            std::fill(force.begin(), force.end(), 0.0);
        for (double& f : force)
            f = std::isfinite(f) ? std::abs(f) : 0;
    }

    Part& partOf(size_t i) { return parts[all.places_[i].part]; }
    double nothing(const Part& part) const { return kPlaceDigits * kUlp * part.farthest; }

    void measurePlaces()
    {
        struct Middle {
            double first = 0, sum = 0;
            size_t count = 0;
        };
        std::vector<std::array<Middle, 3>> middles(parts.size());
        for (size_t i = 0; i < n; ++i) {
            const Place& place = all.places_[i];
            Part& part = partOf(i);
            if (place.length) {
                part.stated = std::max(part.stated, s.coordinates[i].position.nominal);
                part.farthest = std::max(part.farthest, std::abs(q[i]));
            }
            if (place.axis < 0)
                continue;
            Middle& middle = middles[place.part][static_cast<size_t>(place.axis)];
            if (middle.count++ == 0)
                middle.first = q[i];
            middle.sum += q[i] - middle.first;
        }
        std::vector<double> squared(all.groups_);
        for (size_t i = 0; i < n; ++i) {
            const Place& place = all.places_[i];
            if (place.axis < 0)
                continue;
            const Middle& middle = middles[place.part][static_cast<size_t>(place.axis)];
            const double away = q[i] - middle.first - middle.sum / static_cast<double>(middle.count);
            squared[place.group] += away * away;
            partOf(i).distance = std::max(partOf(i).distance, 2 * std::sqrt(squared[place.group]));
        }
    }

    /// An arm: entries of a joint in an angle, for each metre that its rows move in places of one body.
    void measureArms()
    {
        const auto at = e.compiled().jacobianPlaces();
        std::vector<double> slopes(at.size());
        if (!e.compiled().plainRates() || !e.jacobian(0, q.data(), slopes.data()))
            return;
        std::vector<size_t> order(at.size());
        std::iota(order.begin(), order.end(), size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return at[a].row < at[b].row; });
        std::vector<double> moved(all.groups_), turned(n);
        std::vector<size_t> touched;
        const auto flush = [&] {
            for (const size_t j : touched)
                if (const double arm = std::sqrt(std::exchange(turned[j], 0.0)); std::isfinite(arm))
                    partOf(j).arm = std::max(partOf(j).arm, arm);
            touched.clear();
        };
        const std::string* joint = nullptr;
        for (size_t first = 0, last = 0; first < order.size(); first = last) {
            const auto row = static_cast<size_t>(at[order[first]].row);
            while (last < order.size() && static_cast<size_t>(at[order[last]].row) == row)
                ++last;
            const auto entries = std::span(order).subspan(first, last - first);
            if (joint && *joint != s.constraints[row].joint)
                flush();
            joint = &s.constraints[row].joint;
            addArms(entries, at, slopes, moved, turned, touched);
        }
        flush();
    }

    /// Of one row.
    void addArms(std::span<const size_t> entries, std::span<const solve::MatrixPlace> at, const std::vector<double>& slopes,
                 std::vector<double>& moved, std::vector<double>& turned, std::vector<size_t>& touched) const
    {
        double across = 0;
        const auto column = [&](size_t k) { return static_cast<size_t>(at[k].column); };
        for (const size_t k : entries)
            if (const Place& place = all.places_[column(k)]; place.length)
                across = std::max(across, moved[place.group] += slopes[k] * slopes[k]);
        for (const size_t k : entries) {
            moved[all.places_[column(k)].group] = 0;
            if (!all.places_[column(k)].free || !(across > 0))
                continue;
            turned[column(k)] += slopes[k] * slopes[k] / across;
            touched.push_back(column(k));
        }
    }

    /// Of what has neither a length nor an angle: a charge.
    std::vector<double> sizesOfOthers() const
    {
        std::map<std::pair<size_t, std::string>, double> common;
        std::vector<double> out(n, 1.0);
        const auto other = [this](size_t i) { return !all.places_[i].length && !all.places_[i].free; };
        for (size_t i = 0; i < n; ++i)
            if (other(i)) {
                double& size = common[{all.places_[i].part, s.coordinates[i].unit}];
                size = std::max({size, std::abs(q[i]), s.coordinates[i].position.nominal});
            }
        for (auto& [unit, size] : common)
            if (size == 0)
                size = largestParameter([&of = unit.second](const std::string& u) { return u == of; });
        for (size_t i = 0; i < n; ++i)
            if (other(i))
                if (const double size = common[{all.places_[i].part, s.coordinates[i].unit}]; std::isfinite(size) && size > 0)
                    out[i] = size;
        for (size_t i = 0; i < n; ++i)
            if (!all.places_[i].length && s.coordinates[i].position.nominal > 0)
                out[i] = s.coordinates[i].position.nominal;
        return out;
    }

    template <class Fits>
    double largestParameter(const Fits& fits) const
    {
        double size = 0;
        for (size_t k = 0; k < s.parameters.size(); ++k)
            if (fits(s.parameters[k].quantity.unit))
                size = std::max(size, std::abs(e.parameters()[k]));
        return size;
    }

    void measureWays()
    {
        const std::vector<double> sizes = sizesOfOthers();
        const auto moves = [&](size_t i, size_t j, double by) {
            if (!std::isfinite(by))
                return;
            double& way = all.places_[i].length ? ways[j] : turns[j];
            way = std::max(way, std::abs(by) / (all.places_[i].length ? 1 : sizes[i]));
        };
        if (e.compiled().plainRates())
            for (size_t i = 0; i < n; ++i)
                moves(i, i, 1);
        std::vector<double> unit(n), moved(n);
        for (size_t colour = 0; !e.compiled().plainRates() && colour < all.colours_; ++colour) {
            for (size_t j = 0; j < n; ++j)
                unit[j] = all.places_[j].colour == colour ? 1 : 0;
            if (!e.coordinateRates(0, q.data(), unit.data(), moved.data()))
                continue;
            for (const auto& [i, j] : all.moves_)
                if (all.places_[j].colour == colour)
                    moves(i, j, moved[i]);
        }
        for (size_t j = 0; j < n; ++j)
            if (ways[j] == 0 && turns[j] == 0)
                turns[j] = 1;
    }

    /// Speeds and accelerations of bodies, whatever the directions of the axes, and what is turned.
    void measureMotion()
    {
        std::vector<double> speeds(all.groups_), pulls(all.groups_);
        struct Radius {
            double heavy = 0, light = std::numeric_limits<double>::infinity();
        };
        std::map<std::pair<size_t, size_t>, Radius> radii; // of a body; of all that has none in a part
        for (size_t j = 0; j < n; ++j) {
            const Place& place = all.places_[j];
            Part& part = partOf(j);
            const double mass = diagonal[j], pull = mass > 0 ? force[j] / mass : 0, way = ways[j], turn = turns[j];
            Radius& radius = radii[{place.part, s.coordinates[j].body.empty() ? all.groups_ : place.group}];
            if (way > 0) {
                part.speed = std::max(part.speed, std::sqrt(speeds[place.group] += v[j] * v[j] * way * way));
                part.acceleration = std::max(part.acceleration, std::sqrt(pulls[place.group] += pull * pull * way * way));
                part.mass = std::max(part.mass, mass / (way * way));
                if (mass > 0)
                    radius.light = std::min(radius.light, mass / (way * way));
            }
            if (turn > 0) {
                part.rate = std::max({part.rate, std::abs(v[j]) * turn, std::sqrt(pull * turn / kPiSquared)});
                part.inertia = std::max(part.inertia, way > 0 ? 0 : mass / (turn * turn));
                if (place.free)
                    radius.heavy = std::max(radius.heavy, mass);
            }
        }
        for (const auto& [of, radius] : radii)
            parts[of.first].gyration = std::max(parts[of.first].gyration, std::sqrt(radius.heavy / radius.light));
    }

    void measureGaps(OneSidedEvaluator& rows)
    {
        if (!rows.numbers(0, q.data(), v.data(), lambda.data()))
            return;
        for (size_t i = 0; i < gaps.size(); ++i) {
            const OneSided& row = s.oneSided[i];
            const bool contact = row.kind == OneSidedKind::Contact && row.row.holonomic && !row.angular;
            const double gap = contact ? std::abs(rows.of(i).value / rows.of(i).scale) : 0;
            if (!all.rows_[i] || !std::isfinite(gap))
                continue;
            Part& part = parts[*all.rows_[i]];
            gaps[i] = row.contact >= 0 ? gaps[static_cast<size_t>(row.contact)] : gap;
            if (gap <= nothing(part))
                continue;
            part.gap = part.gap > 0 ? std::min(part.gap, gap) : gap;
        }
        for (size_t i = 0; i < gaps.size(); ++i)
            if (all.rows_[i] && gaps[i] <= nothing(parts[*all.rows_[i]]))
                gaps[i] = 0;
    }

    /// How far it goes where nothing tells a length: no place of the scene counts while anything moves or pulls.
    double byMotion(const Part& part) const
    {
        const double falls = part.acceleration * still * still / kPiSquared;
        if (!(part.acceleration > 0))
            return part.speed * still;
        const double flies = part.speed * part.speed / part.acceleration;
        return flies > kNoLength * falls ? flies : falls;
    }

    void setLengths()
    {
        const double parameter = largestParameter([](const std::string& unit) { return expr::isLength(unit); });
        for (Part& part : parts) {
            const double seen = std::max(part.distance > nothing(part) ? part.distance : 0, part.arm);
            part.extent = seen > kNoLength * part.gyration ? seen : part.gyration;
            if (part.stated > 0)
                part.extent = part.stated;
            if (!(part.extent > 0 && std::isfinite(part.extent)))
                part.extent = 0;
            const double motion = byMotion(part);
            double length = part.extent;
            if (length == 0 && part.gap > kNoLength * motion)
                length = part.gap;
            for (const double next : {motion, parameter, part.farthest, 1.0})
                if (!(length > 0 && std::isfinite(length)))
                    length = next;
            part.length = length;
        }
    }

    double sizeOfRow(size_t i, const Part& part) const
    {
        const double own = gaps[i];
        if (part.stated > 0 || (part.extent == 0 && own <= kNoLength * byMotion(part)))
            return part.length;
        return part.extent > 0 || own > 0 ? std::max(part.extent, own) : part.length;
    }

    /// Time, speed and force of a row with such a gap.
    OneSidedSize sized(const Part& part, double gap) const
    {
        const double turning = part.rate * (part.extent > 0 ? part.extent : gap);
        const double speed = std::max({part.speed, std::sqrt(part.acceleration * gap / kPiSquared), turning});
        OneSidedSize out{.gap = gap, .roundoff = kPlacesDiffer * kUlp * part.farthest};
        out.time = speed > 0 && std::isfinite(speed) ? std::min(gap / speed, longest) : still;
        out.speed = gap / out.time;
        double energy = std::max(part.mass * gap * gap, part.inertia) / (out.time * out.time);
        if (!(energy > 0 && std::isfinite(energy)))
            energy = 1;
        out.force = energy / gap;
        return out;
    }

    OneSidedSize sizeOf(size_t i) const
    {
        if (!all.rows_[i])
            return {.speed = 1 / still, .time = still};
        const Part& part = parts[*all.rows_[i]];
        if (!s.oneSided[i].angular)
            return sized(part, sizeOfRow(i, part));
        const OneSidedSize of = sized(part, part.length);
        return {.gap = 1, .speed = 1 / of.time, .force = of.force * of.gap, .time = of.time};
    }
};

OneSidedSizes OneSidedParts::sizes(SystemEvaluator& evaluator, OneSidedEvaluator& rows) const
{
    Measured start(*this, evaluator);
    start.measurePlaces();
    start.measureArms();
    start.measureWays();
    start.measureMotion();
    start.measureGaps(rows);
    start.setLengths();
    OneSidedSizes out{.rows = {}, .velocities = {}, .time = std::numeric_limits<double>::infinity()};
    for (size_t i = 0; i < rows_.size(); ++i) {
        out.rows.push_back(start.sizeOf(i));
        out.time = std::min(out.time, out.rows.back().time);
    }
    for (size_t j = 0; j < places_.size(); ++j) {
        const OneSidedSize of = start.sized(start.partOf(j), start.partOf(j).length);
        out.velocities.push_back(1 / std::max(start.ways[j] / of.gap, start.turns[j]) / of.time);
    }
    return out;
}

} // namespace driftless::model
