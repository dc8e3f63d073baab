#include "ui/document/EditGeometry.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/expr/Parse.h"

namespace driftless::ui {

using model::TomlKind;
using model::TomlValue;

namespace {

constexpr int kDeepestParameters = 16; ///< derived from derived ones

QPointF turned(QPointF p, double angle)
{
    const double c = std::cos(angle), s = std::sin(angle);
    return {c * p.x() - s * p.y(), s * p.x() + c * p.y()};
}

double toSegment(QPointF p, QPointF a, QPointF b)
{
    const QPointF d = b - a;
    const double span = QPointF::dotProduct(d, d);
    const double s = span > 0 ? std::clamp(QPointF::dotProduct(p - a, d) / span, 0.0, 1.0) : 0.0;
    return length(p - (a + s * d));
}

const TomlValue* child(const TomlValue* table, std::string_view key)
{
    const model::TomlEntry* entry = table && table->kind == TomlKind::Table ? table->find(key) : nullptr;
    return entry ? &entry->value : nullptr;
}

std::string textOf(const TomlValue* value) { return value && value->kind == TomlKind::String ? value->text : std::string(); }

std::optional<double> evaluated(const std::string& text, const std::function<std::optional<double>(std::string_view)>& valueOf)
{
    const auto lookup = [&](std::string_view name, int primes) -> std::optional<expr::Expr> {
        if (primes > 0)
            return std::nullopt;
        if (name == "t" || name == "time")
            return expr::Expr(0);
        const auto value = valueOf(name);
        return value ? std::optional(expr::Expr(*value)) : std::nullopt;
    };
    const auto parsed = expr::parse(text, lookup);
    if (!parsed)
        return std::nullopt;
    const auto value = expr::evaluate(*parsed, [](const expr::Symbol&) { return std::nullopt; });
    return value && std::isfinite(*value) ? value : std::nullopt;
}

EditEnd readEnd(const EditGeometry& geometry, const TomlValue* value)
{
    EditEnd end;
    if (!value)
        return end;
    end.body = value->kind == TomlKind::String ? value->text : textOf(child(value, "body"));
    if (const TomlValue* at = child(value, "at"); at && at->kind == TomlKind::Array && at->items.size() >= 2)
        end.at = {geometry.value(at->items[0]).value_or(0), geometry.value(at->items[1]).value_or(0)};
    return end;
}

bool allNumbers(const TomlValue& value)
{
    if (value.kind == TomlKind::Array)
        return std::all_of(value.items.begin(), value.items.end(), allNumbers);
    return value.isNumber();
}

void readShape(const EditGeometry& geometry, const TomlValue* table, EditBody& body)
{
    const TomlValue* shape = child(table, "shape");
    const std::string kind = textOf(child(shape, "kind"));
    const auto number = [&](const char* key, double otherwise) {
        const TomlValue* value = child(shape, key);
        body.literal = body.literal && value && allNumbers(*value);
        return value ? geometry.value(*value).value_or(otherwise) : otherwise;
    };
    if (kind == "bar") {
        body.shape = EditShape::Bar;
        const char* const keys[] = {"from", "to"};
        for (int k = 0; k < 2; ++k)
            if (const TomlValue* end = child(shape, keys[k]); end && end->kind == TomlKind::Array && end->items.size() >= 2) {
                body.ends[k] = {geometry.value(end->items[0]).value_or(0), geometry.value(end->items[1]).value_or(0)};
                body.literal = body.literal && allNumbers(*end);
            }
    } else if (kind == "block") {
        body.shape = EditShape::Block;
        body.size = {number("width", 0.2), number("height", 0.2)};
        body.radius = 0.5 * length(body.size);
    } else if (kind == "disc") {
        body.shape = EditShape::Disc;
        body.radius = number("radius", 0.1);
    }
}

/// A body without a shape: a bar between the points where it is joined, else the uniform disc of its mass and inertia (as it is
/// drawn).
void guessShape(const EditGeometry& geometry, const TomlValue* table, EditBody& body)
{
    std::vector<QPointF> ends;
    for (const EditLink& link : geometry.links)
        for (const EditEnd* end : {&link.from, &link.to})
            if (!link.isForce() && end->body == body.name && ends.size() < 2 && (ends.empty() || ends.front() != end->at))
                ends.push_back(end->at);
    body.literal = false;
    if (ends.size() == 1 && !ends.front().isNull())
        ends.push_back(-ends.front());
    if (ends.size() == 2) {
        body.shape = EditShape::Bar;
        std::copy(ends.begin(), ends.end(), body.ends);
        return;
    }
    const TomlValue *mass = child(table, "mass"), *inertia = child(table, "inertia");
    const double m = mass ? geometry.value(*mass).value_or(1) : 1, J = inertia ? geometry.value(*inertia).value_or(0.01) : 0.01;
    body.shape = EditShape::Disc;
    body.radius = std::sqrt(2 * J / m);
}

} // namespace

QPointF EditBody::toPlane(QPointF local) const { return rigid ? centre + turned(local, angle) : centre; }
QPointF EditBody::toLocal(QPointF place) const { return rigid ? turned(place - centre, -angle) : QPointF(); }

double EditBody::distance(QPointF place) const
{
    switch (shape) {
    case EditShape::Point:
        return length(place - centre);
    case EditShape::Bar:
        return toSegment(place, toPlane(ends[0]), toPlane(ends[1]));
    case EditShape::Disc:
        return std::max(0.0, length(place - centre) - radius);
    case EditShape::Block: {
        const QPointF local = toLocal(place);
        return std::hypot(std::max(0.0, std::abs(local.x()) - size.x() / 2), std::max(0.0, std::abs(local.y()) - size.y() / 2));
    }
    }
    return std::numeric_limits<double>::infinity();
}

std::optional<double> EditGeometry::value(const TomlValue& written) const
{
    if (written.isNumber())
        return written.number;
    if (written.kind != TomlKind::String)
        return std::nullopt;
    return evaluated(written.text, [this](std::string_view name) -> std::optional<double> {
        const auto known = parameters.find(std::string(name));
        return known == parameters.end() ? std::nullopt : std::optional(known->second);
    });
}

EditGeometry EditGeometry::of(const model::ModelText& text, const model::CompiledSystem& system, const model::ModelState& state,
                              const std::vector<double>& values)
{
    EditGeometry out;
    const auto& s = system.system();
    for (std::size_t i = 0; i < s.parameters.size() && i < values.size(); ++i)
        out.parameters[s.parameters[i].quantity.name] = values[i];
    if (const TomlValue* stated = child(&text.root(), "parameters"))
        for (int round = 0; round < kDeepestParameters; ++round) {
            bool more = false;
            for (const auto& entry : stated->entries) {
                const TomlValue* value = entry.value.kind == TomlKind::Table ? child(&entry.value, "value") : &entry.value;
                if (!value || out.parameters.contains(entry.key))
                    continue;
                if (const auto number = out.value(*value)) {
                    out.parameters[entry.key] = *number;
                    more = true;
                }
            }
            if (!more)
                break;
        }
    for (const auto& place : text.places()) {
        if (place.kind != "joint" && place.kind != "force")
            continue;
        const TomlValue* table = text.table(place.kind, place.number);
        EditLink link;
        link.place = place;
        link.kind = textOf(child(table, "kind"));
        if (const model::JointEntry* entry = model::jointEntry(link.kind, 2); entry && !link.isForce())
            link.mark = entry->mark;
        if (!child(table, "from") || !child(table, "to"))
            continue;
        link.from = readEnd(out, child(table, "from"));
        link.to = readEnd(out, child(table, "to"));
        if (const TomlValue* angle = child(table, "angle"))
            link.angle = out.value(*angle).value_or(0);
        if (const TomlValue* drawn = child(table, "drawn"); drawn && drawn->items.size() == 2)
            for (std::size_t k = 0; k < 2; ++k)
                link.rail[k] = drawn->items[k].number;
        out.links.push_back(std::move(link));
    }
    std::map<std::string, double> coordinates;
    for (std::size_t i = 0; i < s.coordinates.size() && i < state.q.size(); ++i)
        coordinates[s.coordinates[i].name] = state.q[i];
    for (const auto& place : text.places()) {
        if (place.kind != "body" || !coordinates.contains(place.name + ".x") || !coordinates.contains(place.name + ".y"))
            continue;
        const TomlValue* table = text.table("body", place.number);
        EditBody body;
        body.name = place.name;
        body.table = place.number;
        body.rigid = textOf(child(table, "kind")) == "rigid";
        body.centre = {coordinates[place.name + ".x"], coordinates[place.name + ".y"]};
        if (const auto angle = coordinates.find(place.name + ".angle"); angle != coordinates.end())
            body.angle = angle->second;
        if (body.rigid) {
            readShape(out, table, body);
            if (body.shape == EditShape::Point)
                guessShape(out, table, body);
        }
        out.index[body.name] = out.bodies.size();
        out.bodies.push_back(std::move(body));
    }
    return out;
}

const EditBody* EditGeometry::body(const std::string& name) const
{
    const auto found = index.find(name);
    return found == index.end() ? nullptr : &bodies[found->second];
}

const EditLink* EditGeometry::link(const std::string& name) const
{
    const auto found = std::find_if(links.begin(), links.end(), [&](const EditLink& l) { return l.place.name == name; });
    return found == links.end() ? nullptr : &*found;
}

QPointF EditGeometry::place(const EditEnd& end) const
{
    const EditBody* b = end.onGround() ? nullptr : body(end.body);
    return b ? b->toPlane(end.at) : end.at;
}

std::vector<EditGeometry::Spot> EditGeometry::spots() const
{
    std::vector<Spot> out;
    std::set<std::tuple<std::string, long long, long long>> known;
    const auto add = [&](const EditEnd& end) {
        constexpr double kSame = 1e8; // per metre
        if (std::abs(end.at.x()) < 1e9 && std::abs(end.at.y()) < 1e9
            && known.emplace(end.body, std::llround(end.at.x() * kSame), std::llround(end.at.y() * kSame)).second)
            out.push_back({end, place(end)});
    };
    for (const EditBody& b : bodies) {
        if (b.shape == EditShape::Bar)
            for (const QPointF& end : b.ends)
                add({b.name, end});
        add({b.name, {}});
    }
    for (const EditLink& link : links)
        for (const EditEnd* end : {&link.from, &link.to})
            if (end->onGround() || body(end->body))
                add(*end);
    return out;
}

std::vector<EditEnd> EditGeometry::endsAt(QPointF at, double reach) const
{
    std::vector<Spot> near;
    for (const Spot& spot : spots())
        if (!spot.end.onGround() && length(spot.at - at) <= reach)
            near.push_back(spot);
    std::stable_sort(near.begin(), near.end(),
                     [&](const Spot& a, const Spot& b) { return length(a.at - at) < length(b.at - at); });
    std::vector<EditEnd> out;
    for (const Spot& spot : near)
        if (std::none_of(out.begin(), out.end(), [&](const EditEnd& e) { return e.body == spot.end.body; }))
            out.push_back(spot.end);
    return out;
}

EditEnd EditGeometry::endAt(QPointF at, double reach) const
{
    const auto near = endsAt(at, reach);
    if (!near.empty())
        return near.front();
    for (const Spot& spot : spots())
        if (spot.end.onGround() && length(spot.at - at) <= reach)
            return spot.end;
    if (const EditBody* b = bodyAt(at, reach / 2)) {
        EditEnd end{b->name, b->toLocal(at)};
        if (b->shape == EditShape::Bar) { // onto its line
            const QPointF d = b->ends[1] - b->ends[0];
            const double span = QPointF::dotProduct(d, d);
            if (span > 0)
                end.at = b->ends[0] + std::clamp(QPointF::dotProduct(end.at - b->ends[0], d) / span, 0.0, 1.0) * d;
        }
        return end;
    }
    return {"ground", at};
}

const EditBody* EditGeometry::bodyAt(QPointF at, double reach) const
{
    const EditBody* best = nullptr;
    double least = reach;
    for (const EditBody& b : bodies)
        if (const double d = b.distance(at); d <= least && !(best && d == least && best->shape == EditShape::Point)) {
            least = d;
            best = &b;
        }
    return best;
}

namespace {
/// A clutch acts on turns alone: it is nowhere, though its ends are centres of bodies.
bool hasPlace(const EditLink& link) { return link.kind != "clutch"; }
} // namespace

const EditLink* EditGeometry::linkAt(QPointF at, double reach, bool forces) const
{
    const EditLink* best = nullptr;
    double least = reach;
    for (const EditLink& link : links) {
        if (!hasPlace(link) || (link.isForce() && !forces))
            continue;
        const QPointF a = place(link.from), b = place(link.to);
        double d = toSegment(at, a, b);
        if (link.isRail()) {
            const EditBody* base = body(link.from.body);
            const double angle = link.angle + (base ? base->angle : 0);
            const QPointF along(std::cos(angle), std::sin(angle));
            d = std::min(d, toSegment(at, a + link.rail[0] * along, a + link.rail[1] * along));
        }
        if (d <= least) {
            least = d;
            best = &link;
        }
    }
    return best;
}

const EditLink* EditGeometry::jointBetween(const EditEnd& a, const EditEnd& b) const
{
    constexpr double kOnePlace = 1e-5; ///< [m] several roundings to the six digits that are written
    const auto meets = [&](const EditEnd& mine, const EditEnd& other) {
        return mine.body == other.body && length(place(mine) - place(other)) < kOnePlace;
    };
    const auto found = std::ranges::find_if(links, [&](const EditLink& link) {
        return !link.isForce() && hasPlace(link)
               && ((meets(link.from, a) && meets(link.to, b)) || (meets(link.from, b) && meets(link.to, a)));
    });
    return found == links.end() ? nullptr : &*found;
}

bool EditGeometry::joined(const std::string& a, const std::string& b) const
{
    return std::any_of(links.begin(), links.end(), [&](const EditLink& link) {
        return !link.isForce() && ((link.from.body == a && link.to.body == b) || (link.from.body == b && link.to.body == a));
    });
}

} // namespace driftless::ui
