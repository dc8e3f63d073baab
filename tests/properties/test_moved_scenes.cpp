// What touches, bounces and rests does not depend on where the origin of a scene lies, on how its axes stand, or on what is far
// away: scenes are drawn, shifted by up to a million of their lengths and turned, and have the events that they had.
//
// Motions are free flights, of which methods of order four have no error: what is left is the round-off of places. After fifty
// rebounds with a speed v each, it has moved an instant by fifty times eps |q| / v.
#include <QtTest>

#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "core/system/OneSidedSizes.h"
#include "tests/properties/OneSidedWalk.h"

using namespace driftless;
using namespace driftless::test;

namespace {

std::string written(double value)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
}

/// The same scene elsewhere: p becomes R(turn) p + by.
struct Moved {
    double turn = 0, x = 0, y = 0;
    std::string place(double a, double b) const
    {
        return written(std::cos(turn) * a - std::sin(turn) * b + x) + ", "
               + written(std::sin(turn) * a + std::cos(turn) * b + y);
    }
    std::string at(double a, double b) const { return "{ body = \"ground\", at = [" + place(a, b) + "] }"; }
    std::string coordinates(double a, double b, double u, double w) const
    {
        const std::string p = place(a, b), speed = Moved{.turn = turn}.place(u, w);
        const auto first = [](const std::string& two) { return two.substr(0, two.find(',')); };
        const auto second = [](const std::string& two) { return two.substr(two.find(',') + 2); };
        return "x = { start = " + first(p) + ", velocity = " + first(speed) + " }\ny = { start = " + second(p)
               + ", velocity = " + second(speed) + " }\n";
    }
};

/// Points above a floor, one beside the other, each in a part of its own or with a strut to the one before.
struct DroppedScene {
    struct Ball {
        double height = 1, along = 0, rise = 0, mass = 1, restitution = 0.8;
    };
    std::vector<Ball> balls;
    double length = 1, gravity = 9.81;
    bool struts = false, pinned = false;

    std::string text(const Moved& moved) const
    {
        const double L = length;
        const std::string down = Moved{.turn = moved.turn}.place(0, -1);
        std::string out = "format = 1\n[[force]]\nkind = \"gravity\"\nacceleration = " + written(gravity * L)
                          + "\ndirection = [" + down + "]\n";
        for (std::size_t i = 0; i < balls.size(); ++i) {
            const Ball& ball = balls[i];
            const std::string name = "b" + std::to_string(i);
            const double at = 3 * static_cast<double>(i) * L;
            out += "[[body]]\nname = \"" + name + "\"\nkind = \"point\"\nmass = " + written(ball.mass) + '\n'
                   + moved.coordinates(at, ball.height * L, ball.along * L, ball.rise * L) + "[[joint]]\nname = \"floor" + name
                   + "\"\nkind = \"wall\"\nfrom = " + moved.at(at, 0) + "\nto = \"" + name
                   + "\"\nangle = " + written(moved.turn) + "\nrestitution = " + written(ball.restitution) + '\n';
            if (struts && i > 0)
                out += "[[joint]]\nname = \"strut" + name + "\"\nkind = \"strut\"\nfrom = \"b" + std::to_string(i - 1)
                       + "\"\nto = \"" + name + "\"\nlength = " + written(0.5 * L) + "\nrestitution = 0.5\n";
        }
        if (pinned)
            out += bar(moved);
        return out;
    }
    /// Hangs from a pin beside a wall.
    std::string bar(const Moved& moved) const
    {
        const double L = length;
        return "[[body]]\nname = \"bar\"\nkind = \"rigid\"\nmass = 2\ninertia = " + written(0.1 * L * L) + '\n'
               + moved.coordinates(-5 * L, 0, 0, 0) + "angle = " + written(moved.turn)
               + "\n[[joint]]\nname = \"pin\"\nkind = \"pin\"\nfrom = " + moved.at(-5 * L, L)
               + "\nto = { body = \"bar\", at = [0, " + written(L) + "] }\n[[joint]]\nname = \"side\"\nkind = \"wall\"\nfrom = "
               + moved.at(-4.5 * L, 0) + "\nto = \"bar\"\nangle = " + written(moved.turn + std::numbers::pi / 2) + "\n";
    }
};

DroppedScene drawnScene(Draw& draw)
{
    DroppedScene out;
    out.length = std::pow(10, draw.decimal(-3, 3));
    out.gravity = draw.decimal(1, 20);
    out.struts = draw.chance(0.3);
    out.pinned = draw.chance(0.5);
    const int count = draw.upTo(1, 3);
    for (int i = 0; i < count; ++i) {
        const bool thrown = draw.chance(0.3); // from the floor
        out.balls.push_back({.height = thrown ? 0 : draw.decimal(0.2, 2),
                             .along = out.struts || draw.chance(0.5) ? 0 : draw.decimal(-0.5, 0.5),
                             .rise = thrown ? draw.decimal(2, 5) : draw.decimal(-1, 1),
                             .mass = draw.decimal(0.5, 3),
                             .restitution = draw.decimal(0.3, 0.8)});
    }
    return out;
}

Moved drawnMove(Draw& draw, double length)
{
    const auto off = [&] { return std::pow(10, draw.decimal(0, 6)) * length * (draw.chance(0.5) ? 1 : -1); };
    Moved out{.turn = draw.chance(0.5) ? draw.decimal(0, 6) : 0};
    out.x = off();
    out.y = draw.chance(0.5) ? off() : 0;
    return out;
}

/// Kinds, contacts and instants; told: why nothing came of it.
struct Happened {
    struct Event {
        double t = 0;
        std::string what;
        double speed = 0; ///< of approach, of an impact
    };
    std::vector<Event> events;
    std::string failure;
};

Happened happened(const std::string& text, double end)
{
    Happened out;
    const auto run = begunOneSided({.text = text}, "index-1", "dop853", out.failure);
    if (!run)
        return out;
    if (!run->advanceTo(end))
        out.failure = run->status().diagnostic ? run->status().diagnostic->text() : "it did not get on";
    for (const run::Event& e : run->events()) {
        std::string what;
        const auto* hit = e.as<run::ImpactEvent>();
        for (const std::string& contact : hit ? hit->contacts : std::vector<std::string>())
            what += "impact at " + contact + ' ';
        if (const auto* change = e.as<run::ModeChange>())
            what = change->from + " to " + change->to;
        if (!what.empty())
            out.events.push_back({.t = e.t, .what = what, .speed = hit ? hit->speed : 0});
    }
    return out;
}

/// Instants of different bodies may change places: each contact has its own list, of impacts that are not slower than that.
std::string differenceOf(const Happened& one, const Happened& other, double allowed, double slowest = 0)
{
    if (!one.failure.empty() || !other.failure.empty())
        return "\"" + one.failure + "\" and \"" + other.failure + "\"";
    const auto impacts = [slowest](const Happened& of) {
        std::map<std::string, std::vector<double>> out;
        for (const auto& [t, what, speed] : of.events)
            if (what.starts_with("impact") && speed >= slowest)
                out[what].push_back(t);
        return out;
    };
    const auto a = impacts(one), b = impacts(other);
    if (a.size() != b.size())
        return "other contacts are hit";
    for (const auto& [what, times] : a) {
        const auto found = b.find(what);
        if (found == b.end() || found->second.size() != times.size())
            return what + "happens " + std::to_string(times.size()) + " times, and "
                   + std::to_string(found == b.end() ? 0 : found->second.size()) + " times there";
        for (std::size_t i = 0; i < times.size(); ++i)
            if (!(std::abs(times[i] - found->second[i]) <= allowed))
                return what + "number " + std::to_string(i) + " is at " + written(times[i]) + " s, there at "
                       + written(found->second[i]) + " s";
    }
    return {};
}

std::optional<model::OneSidedSizes> sizesOf(const std::string& text)
{
    const auto read = model::readModel(text, "drawn.toml");
    const auto system = read ? model::CompiledSystem::compile(*read) : read.error();
    const auto rows = system ? model::CompiledOneSided::compile((*system)->modelHandle()) : system.error();
    if (!rows)
        return std::nullopt;
    model::SystemEvaluator evaluator(*system);
    model::OneSidedEvaluator numbers(*rows);
    return model::OneSidedParts(**system).sizes(evaluator, numbers);
}

bool alike(double a, double b) { return std::abs(a - b) <= 1e-8 * std::abs(a); } // a million lengths have lost six digits

bool alike(const model::OneSidedSizes& a, const model::OneSidedSizes& b)
{
    bool out = a.rows.size() == b.rows.size() && alike(a.time, b.time);
    for (std::size_t i = 0; out && i < a.rows.size(); ++i)
        out = alike(a.rows[i].gap, b.rows[i].gap) && alike(a.rows[i].speed, b.rows[i].speed)
              && alike(a.rows[i].force, b.rows[i].force);
    for (std::size_t i = 0; out && i < a.velocities.size(); ++i)
        out = alike(a.velocities[i], b.velocities[i]);
    return out;
}

} // namespace

class TestMovedScenes : public QObject {
    Q_OBJECT
private slots:
    void shiftedAndTurned_itHasTheEventsThatItHad()
    {
        const std::uint64_t seed = seedOr(62'001);
        std::string missed;
        std::size_t events = 0;
        for (int k = 0; k < countOr(60); ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            DroppedScene scene = drawnScene(draw);
            scene.pinned = false; // a pendulum far away errs by what its tolerance allows there
            const Moved moved = drawnMove(draw, scene.length);
            const Happened here = happened(scene.text({}), 3), there = happened(scene.text(moved), 3);
            events += here.events.size();
            // Rests are at 1e-4 of sqrt(g h) / pi, 3e-5 of sqrt(g h) here: 1e6 eps / 3e-5 for each rebound.
            // A rebound that rises by no more than a few digits of the places may be lost there.
            const double digits = 64 * std::numeric_limits<double>::epsilon() * std::hypot(moved.x, moved.y);
            const double slowest = std::sqrt(2 * scene.gravity * scene.length * digits);
            const std::string failure = differenceOf(here, there, 1e-3, slowest);
            if (failure.empty())
                continue;
            missed += "seed " + std::to_string(seed + static_cast<std::uint64_t>(k)) + ": " + failure + "\n";
            std::fprintf(stderr, "%s\n%s\n", missed.c_str(), scene.text(moved).c_str());
        }
        QVERIFY2(missed.empty(), missed.c_str());
        if (countOr(60) >= 60)
            QVERIFY(events > 500);
    }

    void shiftedAndTurned_itHasTheSizesThatItHad()
    {
        const std::uint64_t seed = seedOr(62'501);
        std::string missed;
        for (int k = 0; k < countOr(200); ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            const DroppedScene scene = drawnScene(draw);
            const auto here = sizesOf(scene.text({})), there = sizesOf(scene.text(drawnMove(draw, scene.length)));
            if (!here || !there || !alike(*here, *there))
                missed += std::to_string(seed + static_cast<std::uint64_t>(k)) + ' ';
        }
        QVERIFY2(missed.empty(), missed.c_str());
    }

    /// A ball that bounces a thousand times, and one that touches nothing: it makes no flight of the other a short one.
    void besideWhatIsFarAway_aLastingBounceIsNoChatter()
    {
        const std::uint64_t seed = seedOr(62'801);
        for (int k = 0; k < countOr(10); ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            DroppedScene scene{.length = 1e-3, .gravity = 9810};
            scene.balls.push_back({.height = draw.decimal(0.5, 2), .restitution = draw.decimal(0.97, 0.985)});
            const double far = std::pow(10, draw.decimal(13, 15));
            const std::string alone = scene.text({}) + "rest = 1e-8\n";
            const std::string beside =
                alone + "[[body]]\nname = \"far\"\nkind = \"point\"\nmass = 1\nx = { start = " + written(far) + " }\n";
            const Happened one = happened(alone, 3), other = happened(beside, 3);
            const std::string failure = differenceOf(one, other, 1e-6);
            QVERIFY2(failure.empty(), (std::to_string(seed + static_cast<std::uint64_t>(k)) + ": " + failure).c_str());
            QVERIFY(one.events.size() > 300);
        }
    }
};

QTEST_GUILESS_MAIN(TestMovedScenes)
#include "test_moved_scenes.moc"
