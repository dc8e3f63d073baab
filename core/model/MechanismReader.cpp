#include "core/model/MechanismReader.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "core/model/ExpressionReader.h"
#include "core/model/LagrangianReader.h"
#include "core/model/Suggest.h"

namespace driftless::model {

namespace {

using expr::Expr;

const KeyList kBodyKeys{"name", "kind", "mass", "inertia", "x", "y", "angle", "shape"};
const KeyList kJointKeys{"name", "kind", "from", "to", "length", "angle", "turn", "turns", "drawn"};
const KeyList kForceKeys{"name", "kind", "acceleration", "direction", "bodies", "from", "to", "stiffness", "damping", "length",
                         "joint", "coefficient", "body", "at", "x", "y", "torque", "coordinate", "value"};

/// The kind of a table, one of kinds; all keys of the family are checked first so that a slip in a key is named as such.
std::string readKind(const TomlValue& table, const SourcePosition& position, const std::string& where, const KeyList& keys,
                     const KeyList& kinds)
{
    const TableReader reader(table, position, where, keys);
    const std::string kind = reader.needText("kind", "write kind = \"" + kinds.front() + "\"");
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end())
        return kind;
    const std::string near = nearestName(kind, kinds);
    refuse(reader.find("kind")->position, "Unknown kind \"" + shortened(kind) + "\"", where, "known are " + joinNames(kinds),
           near.empty() ? "choose one of these" : "did you mean \"" + near + "\"?");
}

/// Reads a name that must be new.
std::string readName(const TableReader& table, const std::string& words, std::unordered_set<std::string>& taken)
{
    std::string name = table.needText("name", "write name = \"...\"");
    const SourcePosition& position = table.find("name")->position;
    checkName(name, position, words);
    if (name == "ground")
        refuse(position, "\"ground\" cannot name a " + words, "", "it stands for the fixed frame", "choose another name");
    if (!taken.insert(name).second)
        refuse(position, "The name \"" + name + "\" is used twice", words + " " + name,
               "bodies, joints and forces are told apart by their names", "choose another name");
    return name;
}

class MechanismReader {
public:
    MechanismReader(const TomlValue& root, const ReadLimits& limits) : root_(root), limits_(limits) {}

    Mechanism read()
    {
        if (const TomlEntry* entry = root_.find("parameters"))
            readParameters(entry->value, entry->position, static_cast<std::size_t>(limits_.maxParameters), out_.parameters,
                           parameters_);
        readAll("body", limits_.maxBodies, [this](const TomlValue& v, int i) { readBody(v, i); });
        readGeneralNames(root_, limits_, parameters_, names_, [this](const std::string& name) { return bodyIndex_.contains(name); },
                         out_.general);
        fillScopes();
        readLagrangianFunctions(root_, position_, motion_, names_, out_.general);
        readLagrangian(root_, position_, motion_, out_.general);
        if (const TomlEntry* chart = root_.find("chart"))
            readChart(chart->value, chart->position);
        readAll("joint", limits_.maxJoints, [this](const TomlValue& v, int i) { readJoint(v, i); });
        readAll("force", limits_.maxJoints, [this](const TomlValue& v, int i) { readForce(v, i); });
        readGeneralEquations(root_, limits_, {parameters_, position_, motion_}, names_, coordinateNames(out_),
                             out_.chart ? &*out_.chart : nullptr, out_.general);
        checkChartSize();
        return std::move(out_);
    }

private:
    template <typename Read>
    void readAll(const std::string& key, int most, Read read)
    {
        const TomlEntry* entry = root_.find(key);
        const std::vector<TomlValue>& tables = TableReader::tables(entry ? &entry->value : nullptr, key, "");
        if (tables.size() > static_cast<std::size_t>(most))
            refuse(entry->position, "The model has too many tables [[" + key + "]]", "",
                   "at most " + std::to_string(most) + " are read", "");
        int i = 0;
        for (const TomlValue& table : tables)
            read(table, ++i);
    }

    static std::string label(const TomlValue& table, const std::string& words, int number)
    {
        const TomlEntry* name = table.find("name");
        const bool named = name && name->value.kind == TomlKind::String && !name->value.text.empty();
        return words + " " + (named ? shortened(name->value.text) : std::to_string(number));
    }

    void readBody(const TomlValue& value, int number)
    {
        const std::string where = label(value, "body", number);
        const std::string kind = readKind(value, value.position, where, kBodyKeys, {"point", "rigid"});
        KeyList keys{"name", "kind", "mass", "x", "y"};
        if (kind == "rigid")
            keys.insert(keys.end(), {"inertia", "angle", "shape"});
        const TableReader table(value, value.position, where, keys);
        Body body;
        body.name = readName(table, "body", names_);
        body.kind = kind == "rigid" ? BodyKind::Rigid : BodyKind::Point;
        body.position = value.position;
        body.mass = readExpression(table.need("mass", "write mass = 1.0, in kg: a body without mass has no equation of motion"),
                                   parameters_, where, "mass");
        if (body.kind == BodyKind::Rigid) {
            body.inertia = readExpression(table.need("inertia", "write inertia = 1.0, in kg m^2, about the centre of mass"),
                                          parameters_, where, "inertia");
            if (const TomlValue* shape = table.find("shape"))
                body.shape = readShape(*shape, where);
        }
        const char* const coordinates[] = {"x", "y", "angle"};
        for (int k = 0; k < body.coordinateCount(); ++k)
            if (const TomlValue* start = table.find(coordinates[k]))
                body.start[static_cast<std::size_t>(k)] = readStart(*start, where, coordinates[k]);
        body.first = coordinateCount_;
        coordinateCount_ += body.coordinateCount();
        bodyIndex_.emplace(body.name, static_cast<int>(out_.bodies.size()));
        out_.bodies.push_back(std::move(body));
    }

    CoordinateStart readStart(const TomlValue& value, const std::string& where, const std::string& key) const
    {
        CoordinateStart out;
        if (value.kind != TomlKind::Table) {
            out.position = readExpression(value, parameters_, where, key);
            return out;
        }
        const TableReader table(value, value.position, where + ", " + key, {"start", "velocity", "fixed", "velocity_fixed"});
        if (const TomlValue* start = table.find("start"))
            out.position = readExpression(*start, parameters_, table.where(), "start");
        if (const TomlValue* velocity = table.find("velocity"))
            out.velocity = readExpression(*velocity, parameters_, table.where(), "velocity");
        out.positionFixed = table.flag("fixed", false);
        out.velocityFixed = table.flag("velocity_fixed", false);
        return out;
    }

    Shape readShape(const TomlValue& value, const std::string& bodyName) const
    {
        const std::string where = bodyName + ", shape";
        const std::string kind = readKind(value, value.position, where, {"kind", "from", "to", "radius", "width", "height"},
                                          {"bar", "disc", "block"});
        Shape out;
        if (kind == "bar") {
            const TableReader table(value, value.position, where, {"kind", "from", "to"});
            out.kind = ShapeKind::Bar;
            out.numbers = readExpressions(table.need("from", "write from = [-0.5, 0]"), 2, parameters_, where, "from");
            const auto end = readExpressions(table.need("to", "write to = [0.5, 0]"), 2, parameters_, where, "to");
            out.numbers.insert(out.numbers.end(), end.begin(), end.end());
        } else if (kind == "disc") {
            const TableReader table(value, value.position, where, {"kind", "radius"});
            out.kind = ShapeKind::Disc;
            out.numbers = {readExpression(table.need("radius", "write radius = 0.1"), parameters_, where, "radius").value};
        } else {
            const TableReader table(value, value.position, where, {"kind", "width", "height"});
            out.kind = ShapeKind::Block;
            (void)table.need("width", "write width = 0.2");
            (void)table.need("height", "write height = 0.1");
            const double width = *table.positiveNumber("width"), height = *table.positiveNumber("height");
            out.numbers = {Expr(width), Expr(height)};
            out.aspect = height / width;
        }
        return out;
    }

    /// Full names of all coordinates; last parts where only one body has them and no parameter.
    void fillScopes()
    {
        int owners[3] = {0, 0, 0};
        for (const Body& body : out_.bodies)
            for (int k = 0; k < body.coordinateCount(); ++k)
                ++owners[k];
        const char* const shortNames[] = {"x", "y", "angle"};
        for (Scope* scope : {&motion_, &position_}) {
            scope->add("t", 0, expr::time());
            scope->add("time", 0, expr::time());
        }
        for (const Body& body : out_.bodies)
            for (int k = 0; k < body.coordinateCount(); ++k) {
                const std::string name = coordinateName(body, k);
                addCoordinate(name, name);
                if (owners[k] == 1)
                    addCoordinate(shortNames[k], name);
            }
        for (const GeneralCoordinate& c : out_.general.coordinates) {
            addCoordinate(c.name, c.name);
            if (!c.body.empty() && !position_.has(c.name.substr(c.body.size() + 1)))
                addCoordinate(c.name.substr(c.body.size() + 1), c.name);
        }
        for (const DynamicVariable& d : out_.general.dynamics)
            motion_.add(d.name, 0, expr::symbol(d.s));
        for (const Effort& e : out_.general.efforts)
            motion_.add(e.name, 0, expr::symbol(e.e));
        for (const std::string& name : parameters_.known())
            for (Scope* scope : {&motion_, &position_, &chart_, &prescribed_})
                scope->add(name, 0, *parameters_.find(name, 0));
        for (Scope* scope : {&chart_, &prescribed_}) {
            scope->add("t", 0, expr::time());
            scope->add("time", 0, expr::time());
        }
    }

    void addCoordinate(const std::string& alias, const std::string& name)
    {
        motion_.add(alias, 0, expr::variable(name, 0));
        motion_.add(alias, 1, expr::variable(name, 1));
        position_.add(alias, 0, expr::variable(name, 0));
    }

    int findBody(const std::string& name, const SourcePosition& position, const std::string& where) const
    {
        if (name == "ground")
            return kGround;
        if (const auto found = bodyIndex_.find(name); found != bodyIndex_.end())
            return found->second;
        std::vector<std::string> known{"ground"};
        for (const Body& body : out_.bodies)
            known.push_back(body.name);
        const std::string near = nearestName(name, known);
        refuse(position, "There is no body \"" + shortened(name) + "\"", where, "the bodies are " + joinNames(known),
               near.empty() ? "name one of these" : "did you mean \"" + near + "\"?");
    }

    int neededBody(const TomlValue& value, const std::string& where, const std::string& key) const
    {
        if (value.kind != TomlKind::String)
            refuse(value.position, "\"" + key + "\" must be the name of a body", where, "found " + kindInWords(value.kind), "");
        return findBody(value.text, value.position, where);
    }

    /// "bob", or { body = "rod", at = [u, v] }.
    Attachment readAttachment(const TableReader& owner, const std::string& key) const
    {
        const TomlValue& value = owner.need(key, "write " + key + " = { body = \"ground\", at = [0, 0] }");
        Attachment out;
        if (value.kind == TomlKind::String) {
            out.body = findBody(value.text, value.position, owner.where());
            return out;
        }
        if (value.kind != TomlKind::Table)
            owner.wrongKind(value, key, "the name of a body or a table { body, at }");
        const TableReader table(value, value.position, owner.where() + ", " + key, {"body", "at"});
        out.body = neededBody(table.need("body", "write body = \"ground\""), table.where(), "body");
        if (const TomlValue* at = table.find("at"))
            readPoint(*at, table.where(), out);
        return out;
    }

    void readPoint(const TomlValue& at, const std::string& where, Attachment& out) const
    {
        const std::vector<Expr> point = readExpressions(at, 2, out.body == kGround ? prescribed_ : parameters_, where, "at");
        out.u = point[0];
        out.v = point[1];
        const bool isPoint = out.body != kGround && body(out.body).kind == BodyKind::Point;
        if (isPoint && !(out.u.isZero() && out.v.isZero()))
            refuse(at.position, "A point mass has no extent to attach to", where, "only [0, 0] lies on it",
                   "leave \"at\" out, or make the body rigid");
    }

    const Body& body(int index) const { return out_.bodies[static_cast<std::size_t>(index)]; }

    void readEnds(const TableReader& table, Attachment& from, Attachment& to) const
    {
        from = readAttachment(table, "from");
        to = readAttachment(table, "to");
        if (from.body != to.body)
            return;
        const std::string name = from.body == kGround ? "the ground" : body(from.body).name;
        refuse(table.keyPosition("to"), "Both ends are on " + name, table.where(), "a body cannot be joined to itself",
               "name another body in \"from\" or \"to\"");
    }

    void readJoint(const TomlValue& value, int number)
    {
        const std::string where = label(value, "joint", number);
        const std::string kind = readKind(value, value.position, where, kJointKeys, {"pin", "rod", "slider", "weld"});
        KeyList keys{"name", "kind", "from", "to"};
        if (kind == "rod")
            keys.push_back("length");
        if (kind == "slider")
            keys.insert(keys.end(), {"angle", "turns", "drawn"});
        if (kind == "slider" || kind == "weld")
            keys.push_back("turn");
        const TableReader table(value, value.position, where, keys);
        Joint joint;
        joint.name = readName(table, "joint", names_);
        joint.position = value.position;
        joint.kind = kind == "pin" ? JointKind::Pin : kind == "rod" ? JointKind::Rod : kind == "slider" ? JointKind::Slider : JointKind::Weld;
        readEnds(table, joint.from, joint.to);
        if (joint.kind == JointKind::Rod)
            joint.length = readExpression(table.need("length", "write length = 1.0, in m"), prescribed_, where, "length");
        joint.angle = readExpression(table, "angle", prescribed_, Expr(0)).value;
        joint.turn = readExpression(table, "turn", parameters_, Expr(0)).value;
        joint.turns = table.flag("turns", false);
        if (const auto drawn = table.numbers("drawn", 2))
            joint.drawn = {(*drawn)[0], (*drawn)[1]};
        jointIndex_.emplace(joint.name, static_cast<int>(out_.joints.size()));
        out_.joints.push_back(std::move(joint));
    }

    void readForce(const TomlValue& value, int number)
    {
        const std::string where = label(value, "force", number);
        const std::string kind = readKind(value, value.position, where, kForceKeys,
                                          {"gravity", "spring-damper", "joint-friction", "force", "generalized"});
        if (kind == "generalized") {
            const TableReader table(value, value.position, where, {"name", "kind", "coordinate", "value"});
            readGeneralForce(table, motion_, coordinateNames(out_), out_.general);
            return;
        }
        Force force;
        force.position = value.position;
        const auto named = [&](KeyList keys) {
            keys.insert(keys.end(), {"name", "kind"});
            const TableReader table(value, value.position, where, keys);
            force.name = table.find("name") ? readName(table, "force", names_) : kind;
            return table;
        };
        if (kind == "gravity")
            readGravity(named({"acceleration", "direction", "bodies"}), force);
        else if (kind == "spring-damper")
            readSpring(named({"from", "to", "stiffness", "damping", "length"}), force);
        else if (kind == "joint-friction")
            readFriction(named({"joint", "coefficient"}), force);
        else
            readApplied(named({"body", "at", "x", "y", "torque"}), force);
        out_.forces.push_back(std::move(force));
    }

    void readGravity(const TableReader& table, Force& force)
    {
        force.kind = ForceKind::Gravity;
        const Expr g = readExpression(table.need("acceleration", "write acceleration = 9.81, in m/s^2"), parameters_,
                                      table.where(), "acceleration").value;
        force.y = -g;
        if (const auto direction = table.numbers("direction", 2)) {
            const double length = std::hypot((*direction)[0], (*direction)[1]);
            if (!(length > 0) || !std::isfinite(length))
                refuse(table.find("direction")->position, "The direction has no length", table.where(), "",
                       "write direction = [0, -1]");
            const auto component = [&](double c) { return c == 0 ? Expr(0) : c == length ? g : c == -length ? -g : Expr(c / length) * g; };
            force.x = component((*direction)[0]);
            force.y = component((*direction)[1]);
        }
        const TomlValue* bodies = table.find("bodies");
        for (int b = 0; !bodies && b < static_cast<int>(out_.bodies.size()); ++b)
            force.bodies.push_back(b);
        if (!bodies)
            return;
        if (bodies->kind != TomlKind::Array)
            table.wrongKind(*bodies, "bodies", "an array of names");
        for (const TomlValue& item : bodies->items) {
            force.bodies.push_back(neededBody(item, table.where(), "bodies"));
            if (force.bodies.back() == kGround)
                refuse(item.position, "Gravity does not move the ground", table.where(), "", "remove \"ground\"");
            if (std::count(force.bodies.begin(), force.bodies.end(), force.bodies.back()) > 1)
                refuse(item.position, "The body \"" + item.text + "\" is listed twice", table.where(), "", "remove one");
        }
    }

    void readSpring(const TableReader& table, Force& force) const
    {
        force.kind = ForceKind::SpringDamper;
        readEnds(table, force.from, force.to);
        force.stiffness = readExpression(table.need("stiffness", "write stiffness = 10.0, in N/m"), parameters_, table.where(),
                                         "stiffness").value;
        force.damping = readExpression(table, "damping", parameters_, Expr(0)).value;
        force.length = readExpression(table, "length", parameters_, Expr(0)).value;
    }

    void readFriction(const TableReader& table, Force& force) const
    {
        force.kind = ForceKind::JointFriction;
        const std::string name = table.needText("joint", "write joint = \"...\"");
        const SourcePosition& position = table.find("joint")->position;
        const auto found = jointIndex_.find(name);
        if (found == jointIndex_.end()) {
            std::vector<std::string> known;
            for (const Joint& joint : out_.joints)
                known.push_back(joint.name);
            const std::string near = nearestName(name, known);
            refuse(position, "There is no joint \"" + shortened(name) + "\"", table.where(),
                   known.empty() ? "the model has no joints" : "the joints are " + joinNames(known),
                   near.empty() ? "name a joint" : "did you mean \"" + near + "\"?");
        }
        force.joint = found->second;
        const Joint& joint = out_.joints[static_cast<std::size_t>(force.joint)];
        const auto point = [this](const Attachment& a) { return a.body != kGround && body(a.body).kind == BodyKind::Point; };
        if (joint.kind == JointKind::Weld)
            refuse(position, "A weld has no friction", table.where(), "nothing moves in it", "name another joint");
        if (joint.kind == JointKind::Pin && (point(joint.from) || point(joint.to)))
            refuse(position, "The pin \"" + name + "\" holds a point mass", table.where(), "a point mass does not rotate",
                   "make the body rigid");
        force.coefficient = readExpression(table.need("coefficient", "write coefficient = 0.1"), parameters_, table.where(),
                                           "coefficient").value;
    }

    void readApplied(const TableReader& table, Force& force) const
    {
        force.kind = ForceKind::Applied;
        const TomlValue& name = table.need("body", "write body = \"...\"");
        force.to.body = neededBody(name, table.where(), "body");
        if (force.to.body == kGround)
            refuse(name.position, "A force on the ground moves nothing", table.where(), "", "name a body");
        if (const TomlValue* at = table.find("at"))
            readPoint(*at, table.where(), force.to);
        if (!table.find("x") && !table.find("y") && !table.find("torque"))
            refuse(table.position(), "The force has no component", table.where(), "", "write x, y or torque");
        force.x = readExpression(table, "x", motion_, Expr(0)).value;
        force.y = readExpression(table, "y", motion_, Expr(0)).value;
        if (const TomlValue* torque = table.find("torque")) {
            if (body(force.to.body).kind == BodyKind::Point)
                refuse(table.keyPosition("torque"), "A torque needs a rigid body", table.where(), "a point mass does not rotate",
                       "make the body rigid, or leave the torque out");
            force.torque = readExpression(*torque, motion_, table.where(), "torque").value;
        }
    }

    void readChart(const TomlValue& value, const SourcePosition& position)
    {
        const TableReader table(value, position, "chart", {"coordinates", "map"});
        out_.chartPosition = position;
        Chart chart;
        const TomlValue& coordinates = table.need("coordinates", "write coordinates = [{ name = \"phi\", unit = \"rad\", inverse = \"...\" }]");
        std::unordered_set<std::string> taken;
        bool starts = false;
        for (const TomlValue& item : TableReader::tables(&coordinates, "coordinates", "chart"))
            starts = readChartCoordinate(item, chart, taken) || starts;
        if (!starts)
            out_.chartStarts.clear();
        else
            refuseTwoStarts(position);
        const TomlValue& map = table.need("map", "write [chart.map] with one line per coordinate");
        readMap(map, table.keyPosition("map"), chart);
        out_.chart = std::move(chart);
    }

    bool readChartCoordinate(const TomlValue& item, Chart& chart, std::unordered_set<std::string>& taken)
    {
        const TableReader table(item, item.position, label(item, "chart coordinate", static_cast<int>(chart.coordinates.size()) + 1),
                                {"name", "unit", "inverse", "start", "velocity"});
        ChartCoordinate c;
        c.name = readName(table, "chart coordinate", taken);
        if (position_.has(c.name) || parameters_.has(c.name))
            refuse(table.find("name")->position, "The name \"" + c.name + "\" is used twice", table.where(),
                   "a parameter or coordinate has it", "choose another name");
        c.unit = table.text("unit", "", 32);
        c.s = *expr::variable(c.name, 0).symbol();
        c.ds = *expr::variable(c.name, 1).symbol();
        c.dds = *expr::variable(c.name, 2).symbol();
        c.inverse = readExpression(table.need("inverse", "write inverse = \"...\", the coordinate as a function of the positions"),
                                   position_, table.where(), "inverse").value;
        ChartStart start;
        if (const TomlValue* s = table.find("start"))
            start.position = readExpression(*s, parameters_, table.where(), "start");
        if (const TomlValue* v = table.find("velocity"))
            start.velocity = readExpression(*v, parameters_, table.where(), "velocity");
        const bool starts = start.position || start.velocity;
        out_.chartStarts.push_back(std::move(start));
        chart_.add(c.name, 0, expr::variable(c.name, 0));
        chart.coordinates.push_back(std::move(c));
        return starts;
    }

    void refuseTwoStarts(const SourcePosition& position) const
    {
        for (const Body& b : out_.bodies)
            for (const CoordinateStart& s : b.start)
                if (s.position || s.velocity)
                    refuse(s.position ? s.position->position : s.velocity->position, "The start is stated twice", "body " + b.name,
                           "the chart at line " + std::to_string(position.line) + " states start values too",
                           "keep either those of the chart or those of the bodies");
    }

    void readMap(const TomlValue& map, const SourcePosition& position, Chart& chart)
    {
        std::unordered_map<std::string, const TomlEntry*> lines;
        flatten(map, position, "", lines);
        const std::vector<std::string> known = coordinateNames(out_);
        for (const std::string& name : known) {
            const auto found = lines.find(name);
            if (found == lines.end())
                refuse(position, "The chart has no line for \"" + name + "\"", "chart, map", "every coordinate needs one",
                       "add " + name + " = \"...\"");
            chart.map.push_back(readExpression(found->second->value, chart_, "chart, map", name).value);
            lines.erase(found);
        }
        if (lines.empty())
            return;
        const TomlEntry* first = nullptr;
        std::string firstName;
        for (const auto& [name, entry] : lines)
            if (!first || entry->position.line < first->position.line) {
                first = entry;
                firstName = name;
            }
        const std::string near = nearestName(firstName, known);
        refuse(first->position, "There is no coordinate \"" + shortened(firstName) + "\"", "chart, map",
               "the coordinates are " + joinNames(known), near.empty() ? "remove the line" : "did you mean \"" + near + "\"?");
    }

    /// bob.x = "..." and "bob.x" = "..." alike. Recursion is bounded by the depth of the file's tables.
    void flatten(const TomlValue& table, const SourcePosition& position, const std::string& prefix,
                 std::unordered_map<std::string, const TomlEntry*>& out) const
    {
        if (table.kind != TomlKind::Table)
            refuse(position, "\"map\" must be a table", "chart", "found " + kindInWords(table.kind), "write [chart.map]");
        for (const TomlEntry& entry : table.entries) {
            if (entry.value.kind == TomlKind::Table)
                flatten(entry.value, entry.position, prefix + entry.key + '.', out);
            else if (!out.emplace(prefix + entry.key, &entry).second)
                refuse(entry.position, "The coordinate \"" + shortened(prefix + entry.key) + "\" has two lines", "chart, map", "",
                       "remove one");
        }
    }

    void checkChartSize() const
    {
        if (!out_.chart)
            return;
        int rows = 0;
        for (const Joint& joint : out_.joints)
            rows += constraintRows(joint);
        for (const GeneralConstraint& c : out_.general.constraints) {
            if (!c.holonomic)
                refuse(out_.chartPosition, "A chart cannot describe a nonholonomic system", "chart",
                       "the constraint " + c.name + " binds velocities and leaves all positions reachable", "remove the chart");
            ++rows;
        }
        const int coordinates = static_cast<int>(coordinateNames(out_).size());
        const int freedom = coordinates - rows;
        const int size = static_cast<int>(out_.chart->coordinates.size());
        if (size != freedom)
            refuse(out_.chartPosition, "The chart has the wrong size", "chart",
                   std::to_string(size) + " chart coordinates, but " + std::to_string(coordinates) + " coordinates less "
                       + std::to_string(rows) + " constraints leave " + std::to_string(freedom),
                   "state " + std::to_string(std::max(freedom, 0)) + " chart coordinates");
    }

    int constraintRows(const Joint& joint) const
    {
        const auto oriented = [this](const Attachment& a) { return a.body == kGround || body(a.body).kind == BodyKind::Rigid; };
        const bool both = oriented(joint.from) && oriented(joint.to);
        switch (joint.kind) {
        case JointKind::Rod: return 1;
        case JointKind::Pin: return 2;
        case JointKind::Weld: return both ? 3 : 2;
        case JointKind::Slider:
            return both && !joint.turns && joint.to.body != kGround ? 2 : 1;
        }
        return 0;
    }

    const TomlValue& root_;
    const ReadLimits& limits_;
    Mechanism out_;
    Scope parameters_{"parameters and pi"};
    Scope motion_{"coordinates, velocities (with '), parameters, t and pi"};
    Scope position_{"coordinates, parameters, t and pi"};
    Scope chart_{"chart coordinates, parameters, t and pi"};
    Scope prescribed_{"parameters, t and pi"};
    std::unordered_set<std::string> names_;
    std::unordered_map<std::string, int> bodyIndex_, jointIndex_;
    int coordinateCount_ = 0;
};

} // namespace

Mechanism readMechanism(const TomlValue& root, const ReadLimits& limits)
{
    return MechanismReader(root, limits).read();
}

} // namespace driftless::model
