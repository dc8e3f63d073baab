#include "core/mechanism/MechanismReader.h"

#include <algorithm>

#include "core/mechanism/GeneralReader.h"
#include "core/mechanism/InputReader.h"
#include "core/mechanism/LagrangianReader.h"
#include "core/mechanism/MechanismContext.h"
#include "core/mechanism/OutputReader.h"
#include "core/mechanism/StartReader.h"
#include "core/text/Names.h"

namespace driftless::model {

namespace {

using expr::Expr;

class MechanismReader {
public:
    MechanismReader(const TomlValue& root, const ReadLimits& limits) : root_(root), limits_(limits) {}

    Mechanism read()
    {
        readDimensions();
        if (const TomlEntry* entry = root_.find("parameters"))
            out_.derived = readParameters(entry->value, entry->position, static_cast<std::size_t>(limits_.maxParameters),
                                          out_.parameters, parameters_);
        readAll("input", limits_.maxJoints, [this](const TomlValue& v, int i) { readInput(context_, v, i); });
        readAll("body", limits_.maxBodies, [this](const TomlValue& v, int i) { readBody(context_, v, i); });
        readGeneralNames(
            root_, limits_, parameters_, names_, [this](const std::string& name) { return context_.bodyIndex.contains(name); },
            out_.general);
        fillScopes();
        readLagrangianFunctions(root_, position_, motion_, names_, out_.general);
        readLagrangian(root_, position_, motion_, out_.general);
        if (const TomlEntry* chart = root_.find("chart"))
            readChart(chart->value, chart->position);
        readJoints();
        readAll("force", limits_.maxJoints, [this](const TomlValue& v, int i) { readForce(context_, v, i); });
        readGeneralEquations(root_, limits_, {parameters_, position_, motion_}, names_, coordinateNames(out_),
                             out_.chart ? &*out_.chart : nullptr, out_.general);
        readAll("start", limits_.maxJoints, [this](const TomlValue& v, int i) { readStart(context_, v, i); });
        readAll("output", limits_.maxJoints, [this](const TomlValue& v, int i) { readOutput(context_, v, i); });
        keepMotionNames();
        checkChartSize();
        return std::move(out_);
    }

private:
    void readDimensions()
    {
        const TomlEntry* entry = root_.find("dimensions");
        if (!entry)
            return;
        if (entry->value.kind != TomlKind::Integer || (entry->value.number != 2 && entry->value.number != 3))
            refuse(entry->value.position, "\"dimensions\" must be 2 or 3", "", "a mechanism moves in the plane or in space",
                   "write dimensions = 3");
        out_.space = entry->value.number == 3;
    }

    /// What acts in other joints behind those, and each at the place where it stands.
    void readJoints()
    {
        std::vector<std::pair<const TomlValue*, int>> acting;
        readAll("joint", limits_.maxJoints, [&](const TomlValue& v, int i) {
            out_.joints.emplace_back();
            if (!actsInJoint(context_, v)) {
                readJoint(context_, v, i);
                return;
            }
            acting.emplace_back(&v, i);
            if (const TomlEntry* name = v.find("name"); name && name->value.kind == TomlKind::String)
                context_.actingJoints.insert(name->value.text);
        });
        for (const auto& [table, number] : acting)
            readJoint(context_, *table, number);
    }

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

    /// Full names of all coordinates; last parts where only one body has them and no parameter.
    void fillScopes()
    {
        std::unordered_map<std::string, int> owners;
        const auto shortName = [](const Body& body, int k) { return coordinateName(body, k).substr(body.name.size() + 1); };
        for (const Body& body : out_.bodies)
            for (int k = 0; k < body.coordinateCount(); ++k)
                ++owners[shortName(body, k)];
        for (Scope* scope : {&motion_, &position_}) {
            scope->add("t", 0, expr::time());
            scope->add("time", 0, expr::time());
        }
        for (const Body& body : out_.bodies)
            for (int k = 0; k < body.coordinateCount(); ++k) {
                const std::string name = coordinateName(body, k);
                addCoordinate(name, name);
                if (const std::string last = shortName(body, k); owners[last] == 1)
                    addCoordinate(last, name);
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
        for (const auto& [name, value] : out_.inputs)
            for (Scope* scope : {&motion_, &position_, &chart_, &prescribed_}) {
                scope->add(name, 0, value);
                scope->add(name, 1, expr::timeDerivative(value));
            }
    }

    void keepMotionNames()
    {
        for (const std::string& known : out_.outputs.empty() ? std::vector<std::string>() : motion_.known()) {
            const std::string name = known.substr(0, known.find('\''));
            const int primes = static_cast<int>(known.size() - name.size());
            out_.motionNames.push_back({name, primes, *motion_.find(name, primes)});
        }
    }

    void addCoordinate(const std::string& alias, const std::string& name)
    {
        motion_.add(alias, 0, expr::variable(name, 0));
        motion_.add(alias, 1, expr::variable(name, 1));
        position_.add(alias, 0, expr::variable(name, 0));
    }

    void readChart(const TomlValue& value, const SourcePosition& position)
    {
        const TableReader table(value, position, "chart", {"coordinates", "map"});
        out_.chartPosition = position;
        Chart chart;
        const TomlValue& coordinates =
            table.need("coordinates", "write coordinates = [{ name = \"phi\", unit = \"rad\", inverse = \"...\" }]");
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
        const TableReader table(
            item, item.position,
            MechanismContext::label(item, "chart coordinate", static_cast<int>(chart.coordinates.size()) + 1),
            {"name", "unit", "inverse", "start", "velocity"});
        ChartCoordinate c;
        c.name = MechanismContext::readName(table, "chart coordinate", taken);
        if (position_.has(c.name) || parameters_.has(c.name))
            refuse(table.find("name")->position, "The name \"" + c.name + "\" is used twice", table.where(),
                   "a parameter or coordinate has it", "choose another name");
        c.unit = table.text("unit", "", 32);
        c.s = *expr::variable(c.name, 0).symbol();
        c.ds = *expr::variable(c.name, 1).symbol();
        c.dds = *expr::variable(c.name, 2).symbol();
        c.inverse =
            readExpression(table.need("inverse", "write inverse = \"...\", the coordinate as a function of the positions"),
                           position_, table.where(), "inverse")
                .value;
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
        const auto stated = [](const std::optional<PlacedExpr>& start) {
            return start && start->position.known();
        }; // a quaternion starts untwisted
        for (const Body& b : out_.bodies)
            for (const CoordinateStart& s : b.start)
                if (stated(s.position) || stated(s.velocity))
                    refuse(stated(s.position) ? s.position->position : s.velocity->position, "The start is stated twice",
                           "body " + b.name, "the chart at line " + std::to_string(position.line) + " states start values too",
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
        const std::string near = text::nearestName(firstName, known);
        refuse(first->position, "There is no coordinate \"" + text::shortened(firstName) + "\"", "chart, map",
               "the coordinates are " + text::firstOf(known),
               near.empty() ? "remove the line" : "did you mean \"" + near + "\"?");
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
                refuse(entry.position, "The coordinate \"" + text::shortened(prefix + entry.key) + "\" has two lines",
                       "chart, map", "", "remove one");
        }
    }

    void checkChartSize() const
    {
        if (!out_.chart)
            return;
        int rows = 0;
        for (const Joint& joint : out_.joints) {
            const JointRows added = joint.form->rows(out_, joint);
            if (added.nonholonomic > 0)
                refuse(out_.chartPosition, "A chart cannot describe a nonholonomic system", "chart",
                       "the joint " + joint.name + " binds velocities and leaves all positions reachable", "remove the chart");
            rows += added.holonomic;
        }
        for (const Body& body : out_.bodies)
            rows += body.orientation == Orientation::Quaternion ? 1 : 0;
        for (const GeneralConstraint& c : out_.general.constraints) {
            if (!c.holonomic)
                refuse(out_.chartPosition, "A chart cannot describe a nonholonomic system", "chart",
                       "the constraint " + c.name + " binds velocities and leaves all positions reachable", "remove the chart");
            ++rows;
        }
        const int coordinates = static_cast<int>(coordinateNames(out_).size());
        if (static_cast<int>(out_.chart->coordinates.size()) < coordinates - rows)
            refuseChartSize(out_, coordinates, rows); // more than that may be right, where rows follow from others
    }

    const TomlValue& root_;
    const ReadLimits& limits_;
    MechanismContext context_{limits_};
    Mechanism& out_ = context_.out;
    Scope& parameters_ = context_.parameters;
    Scope& motion_ = context_.motion;
    Scope& position_ = context_.position;
    Scope& prescribed_ = context_.prescribed;
    Scope chart_{"chart coordinates, parameters, t and pi"};
    std::unordered_set<std::string>& names_ = context_.names;
};

} // namespace

void refuseChartSize(const Mechanism& mechanism, int coordinates, int rows)
{
    const int freedom = std::max(coordinates - rows, 0);
    refuse(mechanism.chartPosition, "The chart has the wrong size", "chart",
           std::to_string(mechanism.chart->coordinates.size()) + " chart coordinates, but " + std::to_string(coordinates)
               + " coordinates less " + std::to_string(rows) + " independent constraints leave " + std::to_string(freedom),
           "state " + std::to_string(freedom) + " chart coordinates");
}

Mechanism readMechanism(const TomlValue& root, const ReadLimits& limits) { return MechanismReader(root, limits).read(); }

} // namespace driftless::model
