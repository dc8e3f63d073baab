// Reads the Modelica subset. The text is brought into a form of the same length that the parser of expressions understands:
// comments become blanks, der(x, k) becomes x with k primes and blanks. So every message points into the file as it is.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <new>
#include <set>
#include <utility>

#include "core/base/SettingRange.h"
#include "core/equations/EquationModel.h"
#include "core/equations/EventStarts.h"
#include "core/equations/EventText.h"
#include "core/equations/InputAnnotation.h"
#include "core/expr/Bindings.h"
#include "core/expr/Parse.h"
#include "core/system/InputTable.h"
#include "core/text/Names.h"
#include "core/text/Numbers.h"
#include "core/text/TableReader.h"

namespace driftless::model {

namespace {

using std::string_view;

class Reader final : private EventText {
public:
    Reader(string_view text, const std::string& file, const EquationLimits& limits) : EventText(text, file, limits) {}

    std::shared_ptr<const EquationModel> run()
    {
        model_->text = std::string(original());
        readHeader();
        readDeclarations();
        refuseFunctions(names_);
        nameAll();
        const std::map<std::string, expr::Expr> bindings = resolveParameters();
        readEquations();
        resolve(bindings);
        orderStatements();
        startConditions(system(), values_);
        return model_;
    }

private:
    void readHeader()
    {
        at_ = skipBlanks(0);
        if (!wordAt(at_, "model"))
            fail(at_, "An equation model begins with 'model NAME'");
        at_ += 5;
        model_->name = readName(at_, "the model");
        model_->description = readString(at_, text_.size());
    }

    void readDeclarations()
    {
        for (;;) {
            at_ = skipBlanks(at_);
            if (const std::size_t behind = sectionEnd(at_); behind > at_) {
                atStart_ = wordAt(at_, "initial");
                at_ = behind;
                return;
            }
            if (at_ >= text_.size() || wordAt(at_, "end"))
                fail(at_, "The model has no 'equation' section");
            Span s = statement();
            if (wordAt(s.begin, "annotation")) {
                readAnnotation(s);
                continue;
            }
            Role role = Role::Variable;
            bool discrete = false;
            for (const auto& [word, of] :
                 {std::pair<string_view, Role>("parameter", Role::Parameter),
                  std::pair<string_view, Role>("constant", Role::Parameter), std::pair<string_view, Role>("input", Role::Input),
                  std::pair<string_view, Role>("output", Role::Output)})
                if (wordAt(s.begin, word)) {
                    role = of;
                    s.begin = skipBlanks(s.begin + word.size());
                }
            if (discrete = wordAt(s.begin, "discrete"); discrete)
                s.begin = skipBlanks(s.begin + 8);
            const auto held = typeAt(s, discrete);
            if (held && role == Role::Input)
                fail(s.begin, "An input is a Real", "what changes at events alone is a table with between = \"held\"",
                     "declare it as input Real");
            readComponents(s, role, held);
        }
    }

    /// Reads the type; what kind of discrete variable it means, nothing for one of a continuous one.
    std::optional<HeldVariable::Kind> typeAt(Span& s, bool discrete)
    {
        using Type = HeldVariable::Kind;
        for (const auto& [word, type] :
             {std::pair<string_view, Type>("Real", Type::Real), std::pair<string_view, Type>("Boolean", Type::Boolean),
              std::pair<string_view, Type>("Integer", Type::Integer)})
            if (wordAt(s.begin, word)) {
                s.begin += word.size();
                return type == Type::Real && !discrete ? std::nullopt : std::optional(type);
            }
        fail(s.begin,
             "Expected 'Real', 'parameter Real', 'input Real', 'output Real' or 'equation' instead of '"
                 + text::shortened(text_.substr(s.begin, std::min<std::size_t>(s.end - s.begin, 30))) + "'",
             "other types, arrays and classes are not part of the language",
             "declare every quantity as Real, discrete Real, Boolean or Integer");
    }

    enum class Role { Variable, Parameter, Input, Output };
    struct Component {
        std::string name;
        std::size_t at = 0;
        Role role = Role::Variable;
        bool parameter = false;                 ///< an input without a function of time is one, too
        std::optional<HeldVariable::Kind> held; ///< a discrete variable, or a parameter of this type
        std::map<std::string, Span> modifiers;
        Span binding, annotation;
        std::string description;
    };

    void readComponents(Span s, Role role, std::optional<HeldVariable::Kind> held)
    {
        for (std::size_t at = s.begin;;) {
            Component c;
            c.role = role;
            c.parameter = role == Role::Parameter || role == Role::Input;
            c.held = held;
            at = c.at = skipBlanks(at);
            c.name = readName(at, "a variable");
            static const std::set<std::string> kReserved{
                "time", "der",  "model",      "end",  "equation", "parameter", "constant", "Real",   "if",
                "then", "else", "pi",         "t",    "input",    "output",    "true",     "false",  "and",
                "or",   "not",  "annotation", "when", "elsewhen", "elseif",    "Boolean",  "Integer"};
            if (kReserved.count(c.name))
                fail(c.at, "'" + c.name + "' is a word of the language", "", "choose another name");
            if (!names_.insert(c.name).second)
                fail(c.at, "'" + c.name + "' is declared twice");
            const std::size_t end = pieceEnd(at, s.end);
            at = skipBlanks(at);
            if (at < end && text_[at] == '[')
                fail(at, "Arrays are not part of the language", "", "declare one variable per element");
            if (at < end && text_[at] == '(')
                readModifiers(at, end, c);
            at = skipBlanks(at);
            if (at < end && text_[at] == '=') {
                c.binding = {++at, end};
                while (at < end && !quoted_[at] && !wordAt(at, "annotation"))
                    ++at;
                c.binding.end = at;
            }
            c.description = readString(at, end);
            at = skipBlanks(at);
            if (role == Role::Input && wordAt(at, "annotation")) {
                c.annotation = {at, end};
                at = end;
            }
            if (skipBlanks(at) < end)
                fail(skipBlanks(at), "Expected a comma or a semicolon here");
            components_.push_back(std::move(c));
            if (end >= s.end)
                return;
            at = end + 1;
        }
    }

    void readModifiers(std::size_t& at, std::size_t end, Component& c)
    {
        for (++at;;) {
            const std::size_t begin = skipBlanks(at);
            at = begin;
            const std::string key = readName(at, "an attribute");
            static const std::set<std::string> kKnown{"start", "fixed",       "unit",    "min",
                                                      "max",   "displayUnit", "nominal", "quantity"};
            if (!kKnown.count(key))
                fail(begin, "There is no attribute '" + key + "'", "", "start, fixed, unit, min, max or nominal");
            at = skipBlanks(at);
            if (at >= end || text_[at] != '=')
                fail(at, "Expected '=' behind '" + key + "'");
            const std::size_t stop = pieceEnd(at + 1, end);
            if (!c.modifiers.emplace(key, Span{at + 1, stop}).second)
                fail(begin, "'" + key + "' is given twice");
            at = stop;
            if (at >= end)
                fail(at, "This list of attributes is not closed");
            if (text_[at++] == ')')
                return;
        }
    }

    void readAnnotation(Span s)
    {
        for (const auto& [word, target] :
             {std::pair<string_view, int>("StopTime", 0), std::pair<string_view, int>("Tolerance", 1)}) {
            const std::size_t at = text_.find(word, s.begin);
            if (at == std::string::npos || at >= s.end)
                continue;
            const std::size_t equals = text_.find('=', at);
            const std::size_t stop = pieceEnd(equals + 1, s.end);
            if (equals >= s.end)
                fail(at, "Expected a value behind '" + std::string(word) + "'");
            const auto value = parse({equals + 1, stop}, Context::Constant).constantValue();
            if (!value || !std::isfinite(*value) || *value <= 0)
                fail(equals, "'" + std::string(word) + "' must be a positive number");
            if (target == 0) {
                model_->end = *value;
                model_->endStated = true;
            } else
                model_->tolerance = *value;
        }
        if (const std::size_t at = text_.find("__Driftless", s.begin); at < s.end)
            readShapes(at, s.end);
    }

    /// __Driftless(scene(kind(...), ...)): each piece a kind of shape with the coordinates of its points.
    void readShapes(std::size_t at, std::size_t end)
    {
        const auto open = [&](std::size_t from) {
            const std::size_t bracket = skipBlanks(from);
            if (bracket >= end || text_[bracket] != '(')
                fail(from, "Expected '(' here", "", "write annotation(__Driftless(scene(rod(0, 0, x, y), point(x, y))));");
            return bracket + 1;
        };
        at = skipBlanks(open(at + string_view("__Driftless").size()));
        if (!wordAt(at, "scene"))
            fail(at, "Expected 'scene(...)' here");
        at = open(at + 5);
        constexpr std::size_t kMostShapes = 5'000;
        for (;; ++at) {
            const std::size_t kind = at = skipBlanks(at);
            EquationShape shape;
            shape.kind = text_.substr(kind, nameEnd(kind) - kind);
            const bool line = shape.kind == "rod" || shape.kind == "spring";
            if (!line && shape.kind != "point" && shape.kind != "pin")
                fail(kind, "There is no shape '" + text::shortened(shape.kind) + "'", "", "point, pin, rod or spring");
            for (at = open(nameEnd(kind)); at < end; ++at) {
                const std::size_t stop = pieceEnd(at, end);
                shape.coordinates.push_back(parseDrawn({at, stop}));
                at = stop;
                if (at >= end || text_[at] != ',')
                    break;
            }
            const std::size_t points = line ? 2 : 1;
            shape.space = shape.coordinates.size() == 3 * points;
            if (!shape.space && shape.coordinates.size() != 2 * points)
                fail(kind, "'" + shape.kind + "' needs " + std::to_string(2 * points) + " coordinates, or "
                               + std::to_string(3 * points) + " in space");
            model_->shapes.push_back(std::move(shape));
            if (model_->shapes.size() > kMostShapes)
                fail(kind, "The scene has more than " + std::to_string(kMostShapes) + " shapes");
            at = skipBlanks(std::min(at + 1, end));
            if (at >= end || text_[at] != ',')
                break;
        }
    }

    expr::Expr parse(Span s, Context context) override { return parseAs(s, context, context != Context::Constant); }
    /// Over variables, and nothing in it is an event.
    expr::Expr parseDrawn(Span s) { return parseAs(s, Context::Constant, true); }

    expr::Expr parseAs(Span s, Context context, bool variables)
    {
        s.begin = std::min(skipBlanks(s.begin), s.end);
        const auto lookup = [this, variables](string_view name, int primes) -> std::optional<expr::Expr> {
            if (name == "time" && primes == 0)
                return expr::time();
            if (name == "Modelica.Constants.pi" && primes == 0)
                return expr::parse("pi", [](string_view, int) { return std::nullopt; }).value();
            const auto found = kinds_.find(name);
            if (const auto input = functions_.find(name); input != functions_.end())
                return expr::timeDerivative(input->second, primes);
            const bool named = found != kinds_.end();
            if (!named || (found->second != Kind::Variable && primes > 0) || (found->second != Kind::Parameter && !variables))
                return std::nullopt;
            return found->second == Kind::Variable ? expr::variable(std::string(name), primes)
                                                   : expr::parameter(std::string(name));
        };
        std::vector<std::string> known;
        constexpr std::size_t kMostSuggested = 2'000;
        if (names_.size() <= kMostSuggested)
            known.assign(names_.begin(), names_.end());
        dialect_.begin(context);
        const std::size_t sampled = system().samples.size();
        auto parsed =
            expr::parse(string_view(text_).substr(s.begin, s.end - s.begin), lookup, position(s.begin), known, {}, &dialect_);
        if (!parsed)
            throw ReadError{parsed.error()};
        for (std::size_t k = sampled; k < system().samples.size(); ++k)
            system().samples[k].position = position(s.begin);
        if (system().held.size() > budget::kHeldVariables)
            fail(s.begin,
                 "The model has more than " + std::to_string(budget::kHeldVariables) + " conditions and discrete variables", "",
                 "write noEvent(...) where no event is needed");
        return *parsed;
    }

    /// A function of time stands for itself, as if it had been written there; any other input is a parameter.
    void readInput(Component& c)
    {
        const bool bound = c.binding.end > c.binding.begin;
        if (bound && c.annotation.end > c.annotation.begin)
            fail(c.annotation.begin, "The input '" + c.name + "' is stated twice", "", "keep the value or the table");
        if (c.annotation.end > c.annotation.begin) {
            const Span s = c.annotation;
            auto read = readInputAnnotation(
                string_view(text_).substr(s.begin, s.end - s.begin), [&](std::size_t at) { return position(s.begin + at); },
                c.name, file_);
            if (!read)
                throw ReadError{read.error()};
            functions_.emplace(c.name, read->value);
            addCorners(read->corners, model_->system.corners);
            addCorners(read->knots, model_->system.knots);
            if (!read->file.empty())
                model_->system.inputFiles.push_back({read->file, read->text});
            if (const std::string unit = textOf(c, "unit"); !unit.empty() && !read->unit.empty() && unit != read->unit)
                fail(s.begin, "The input '" + c.name + "' is in " + unit + ", its file in " + read->unit,
                     "numbers are taken as they stand", "write the same unit in both");
            return;
        }
        if (bound)
            if (expr::dependsOn(parse(c.binding, Context::Constant), *expr::time().symbol())) {
                functions_.emplace(c.name, parseAs(c.binding, Context::Equation, false));
                return;
            }
        kinds_.emplace(c.name, Kind::Parameter);
    }

    /// What has a name: inputs come last, as they may be functions of time.
    void nameAll()
    {
        for (const Component& c : components_)
            if (c.held && !c.parameter) {
                kinds_.emplace(c.name, Kind::Held);
                declareHeld(c.name, *c.held, c.at);
            } else if (c.role != Role::Input && c.held == HeldVariable::Kind::Boolean) {
                kinds_.emplace(c.name, Kind::Parameter);
                dialect_.addLogical(c.name);
            } else if (c.role != Role::Input)
                kinds_.emplace(c.name, c.parameter ? Kind::Parameter : Kind::Variable);
        for (Component& c : components_)
            if (c.role == Role::Input)
                readInput(c);
    }

    void readEquations()
    {
        const bool first = std::exchange(atStart_, false); // what a declaration states holds at all times
        for (const Component& c : components_)
            if (const Sides bound{.left = {c.at, nameEnd(c.at)}, .right = c.binding, .description = c.description};
                !c.parameter && c.binding.end > c.binding.begin && !readHeldEquation(bound))
                addEquation(expr::variable(c.name) - asNumber(parse(c.binding, Context::Equation), c.binding), c.at,
                            c.description);
        atStart_ = first;
        for (;;) {
            at_ = skipBlanks(at_);
            if (wordAt(at_, "end"))
                break;
            if (const std::size_t behind = sectionEnd(at_); behind > at_) {
                atStart_ = wordAt(at_, "initial");
                at_ = behind;
                continue;
            }
            if (!atStart_ && wordAt(at_, "if")) {
                for (auto& [residual, place] : readIfEquation(at_))
                    addEquation(std::move(residual), place, {});
                continue;
            }
            if (!atStart_ && readEvents(at_))
                continue;
            const Span s = statement();
            if (s.begin == s.end)
                continue;
            refuseStatement(s.begin, names_);
            if (wordAt(s.begin, "annotation")) {
                readAnnotation(s);
                continue;
            }
            readEquation(s);
        }
        at_ = skipBlanks(at_ + 3);
        const std::size_t place = at_;
        const Span last = statement();
        if (const std::string name = text_.substr(last.begin, nameEnd(last.begin) - last.begin); name != model_->name)
            fail(place, "'end " + name + "' does not end 'model " + model_->name + "'", "", "write end " + model_->name + ";");
        if (skipBlanks(at_) != text_.size())
            fail(skipBlanks(at_), "Nothing may stand behind the model", "", "one file holds one model");
    }

    /// Behind "equation" or "initial equation"; at itself where no section begins.
    std::size_t sectionEnd(std::size_t at) const
    {
        const std::size_t word = wordAt(at, "initial") ? skipBlanks(at + 7) : at;
        return wordAt(word, "equation") ? word + 8 : at;
    }

    void readEquation(Span s)
    {
        if (atStart_ && (wordAt(s.begin, "when") || wordAt(s.begin, "if") || wordAt(s.begin, "assert")))
            fail(s.begin, "Initial equations are of the form a = b", "",
                 "write the statement in the section `equation`, with 'when initial() then'");
        const Sides sides = sidesOf(s);
        const std::size_t at = skipBlanks(sides.left.begin);
        if (atStart_ && heldNamed(string_view(text_).substr(at, nameEnd(at) - at)) >= 0)
            fail(at, "A discrete variable starts with its attribute 'start'", "", "write Integer n(start = 1)");
        if (!atStart_ && readHeldEquation(sides))
            return;
        const Context context = atStart_ ? Context::Constant : Context::Equation;
        const auto side = [&](Span each) { return asNumber(parseAs(each, context, true), each); };
        addEquation(side(sides.left) - side(sides.right), s.begin, sides.description);
    }

    void addEquation(expr::Expr residual, std::size_t at, std::string description)
    {
        auto& list = atStart_ ? model_->system.initial : model_->system.equations;
        Equation e;
        e.name = (atStart_ ? "initial" : "eq") + std::to_string(list.size() + 1);
        e.description = std::move(description);
        e.residual = std::move(residual);
        e.position = position(at);
        list.push_back(std::move(e));
    }

    std::string textOf(const Component& c, const char* key) const
    {
        const auto found = c.modifiers.find(key);
        if (found == c.modifiers.end())
            return {};
        std::size_t at = found->second.begin;
        const std::string value = readString(at, found->second.end);
        if (at == found->second.begin)
            fail(skipBlanks(at), "'" + std::string(key) + "' must be a string in quotation marks");
        return value;
    }

    /// Values of parameters and start values.
    void resolve(const std::map<std::string, expr::Expr>& bindings)
    {
        for (const Component& c : components_) {
            if (functions_.contains(c.name))
                continue;
            Quantity q = quantityOf(c);
            if (c.role == Role::Output)
                model_->system.outputs.push_back(c.name);
            if (c.held && !c.parameter)
                startHeld(c, std::move(q));
            else if (c.parameter) {
                q.value = values_.at(c.name);
                model_->system.parameters.push_back(parameterOf(c, std::move(q), bindings.at(c.name)));
            } else
                addUnknown(c, std::move(q));
        }
        if (model_->system.unknowns.empty())
            fail(0, "The model has no Real variable", "discrete ones change where continuous ones do",
                 "Real x; and an equation for it");
    }

    std::optional<double> valueOf(const expr::Expr& e) const
    {
        return expr::evaluate(e, [this](const expr::Symbol& s) -> std::optional<double> {
            const auto found = values_.find(s.name);
            return found == values_.end() ? std::nullopt : std::optional<double>(found->second);
        });
    }

    /// Fills values_; the bindings as they are written.
    std::map<std::string, expr::Expr> resolveParameters()
    {
        std::vector<const Component*> open;
        std::map<std::string, expr::Expr> bindings;
        for (const Component& c : components_)
            if (c.parameter && !functions_.contains(c.name)) {
                const bool bound = c.binding.end > c.binding.begin;
                const auto start = c.modifiers.find("start");
                if (c.role == Role::Input && !bound)
                    bindings.emplace(c.name,
                                     start == c.modifiers.end() ? expr::Expr(0) : parse(start->second, Context::Constant));
                else if (!bound)
                    fail(c.at, "The parameter '" + c.name + "' has no value", "", "write parameter Real " + c.name + " = 1;");
                open.push_back(&c);
            }
        for (const Component* c : open)
            if (!bindings.contains(c->name)) {
                const expr::Expr read = parse(c->binding, Context::Constant);
                bindings.emplace(c->name, c->held == HeldVariable::Kind::Boolean ? read : asNumber(read, c->binding));
            }
        std::vector<std::string> names;
        std::vector<expr::Expr> all;
        for (const Component* c : open) {
            names.push_back(c->name);
            all.push_back(bindings.at(c->name));
        }
        const std::vector<std::size_t> order = expr::orderOf(names, all);
        std::vector<char> known(open.size(), false);
        for (const std::size_t i : order) {
            const Component* c = open[i];
            const auto value = valueOf(all[i]);
            if (!value)
                continue;
            known[i] = true;
            if (!std::isfinite(*value))
                fail(c->at, "The value of '" + c->name + "' is not a finite number");
            if (c->held == HeldVariable::Kind::Integer && *value != std::trunc(*value))
                fail(c->at, "The value of '" + c->name + "' is " + text::rounded(*value, 8) + ", and it is an Integer", "",
                     "a whole number, or declare it as Real");
            values_[c->name] = *value;
        }
        if (const auto left = std::ranges::find(known, char(false)); left != known.end()) {
            const Component* c = open[static_cast<std::size_t>(left - known.begin())];
            fail(c->at, "The value of '" + c->name + "' depends on itself, on time or on a variable",
                 "parameters are constants");
        }
        return bindings;
    }

    /// Bounds that the text's own value keeps follow with what they are computed from.
    EquationParameter parameterOf(const Component& c, Quantity q, expr::Expr binding)
    {
        EquationParameter out{.quantity = std::move(q),
                              .binding = std::move(binding),
                              .logical = c.held == HeldVariable::Kind::Boolean,
                              .whole = c.held && *c.held != HeldVariable::Kind::Real};
        number(c, "min", &out.minimumFrom);
        number(c, "max", &out.maximumFrom);
        const auto follow = [](expr::Expr& from, double& bound, bool kept, double none) {
            if (kept && !expr::symbolsOf(from).empty())
                bound = none;
            else
                from = expr::Expr();
        };
        constexpr double kNone = std::numeric_limits<double>::infinity();
        Quantity& own = out.quantity;
        follow(out.minimumFrom, own.minimum, own.value >= own.minimum, -kNone);
        follow(out.maximumFrom, own.maximum, own.value <= own.maximum, kNone);
        return out;
    }

    void startHeld(const Component& c, Quantity q)
    {
        HeldVariable& held = system().held[static_cast<std::size_t>(heldNamed(c.name))];
        const auto start = number(c, "start", &held.startFrom);
        held.started = start.has_value();
        q.value = start.value_or(0);
        if (held.kind != HeldVariable::Kind::Real && q.value != std::trunc(q.value))
            fail(c.modifiers.at("start").begin, "'start' of '" + c.name + "' must be a whole number");
        if (std::abs(q.value) >= kLargestWhole && held.kind == HeldVariable::Kind::Integer)
            fail(c.modifiers.at("start").begin, "'start' of '" + c.name + "' is beyond 2^53",
                 "from there on a whole number is not told apart from its neighbours", "declare it as discrete Real");
        if (held.kind == HeldVariable::Kind::Boolean && q.value != 0 && q.value != 1)
            fail(c.modifiers.at("start").begin, "'start' of '" + c.name + "' is true or false");
        if (start && (q.value < q.minimum || q.value > q.maximum))
            fail(c.modifiers.at("start").begin, "'start' of '" + c.name + "' is beyond its 'min' or 'max'");
        held.quantity = std::move(q);
    }

    /// as: the number as it is written.
    std::optional<double> number(const Component& c, const char* key, expr::Expr* as = nullptr)
    {
        const auto found = c.modifiers.find(key);
        if (found == c.modifiers.end())
            return std::nullopt;
        const auto read = parse(found->second, Context::Constant);
        const expr::Expr written = c.held == HeldVariable::Kind::Boolean ? read : asNumber(read, found->second);
        const auto value = valueOf(written);
        if (as && !expr::symbolsOf(written).empty())
            *as = written;
        if (!value || !std::isfinite(*value))
            fail(found->second.begin, "'" + std::string(key) + "' of '" + c.name + "' must be a constant");
        return value;
    }

    Quantity quantityOf(const Component& c)
    {
        Quantity q;
        q.name = c.name;
        q.unit = textOf(c, "unit");
        q.description = c.description;
        q.position = position(c.at);
        q.minimum = number(c, "min").value_or(q.minimum);
        q.maximum = number(c, "max").value_or(q.maximum);
        q.nominal = number(c, "nominal").value_or(0);
        if (const auto stated = c.modifiers.find("nominal"); stated != c.modifiers.end() && !isSetting(q.nominal))
            fail(stated->second.begin, "'nominal' of '" + c.name + "' must be above zero, and between 1e-100 and 1e100", "",
                 "the usual size of its values, such as nominal = 1e5");
        return q;
    }

    void addUnknown(const Component& c, Quantity q)
    {
        EquationUnknown x;
        const auto start = number(c, "start", &x.startFrom);
        x.started = start.has_value();
        q.value = start.value_or(0);
        x.quantity = std::move(q);
        if (const auto fixed = c.modifiers.find("fixed"); fixed != c.modifiers.end()) {
            const std::size_t at = skipBlanks(fixed->second.begin);
            if (!wordAt(at, "true") && !wordAt(at, "false"))
                fail(at, "'fixed' is true or false");
            x.status = wordAt(at, "true") ? InitialStatus::Fixed : InitialStatus::Guess;
        }
        model_->system.unknowns.push_back(std::move(x));
    }

    enum class Kind { Variable, Parameter, Held };
    std::map<std::string, double, std::less<>> values_; ///< of parameters
    bool atStart_ = false;                              ///< in a section `initial equation`
    std::map<std::string, Kind, std::less<>> kinds_;
    std::map<std::string, expr::Expr, std::less<>> functions_; ///< inputs that are functions of time
    std::vector<Component> components_;
};

} // namespace

Result<std::shared_ptr<const EquationModel>> readEquationModel(std::string_view text, const std::string& file,
                                                               const EquationLimits& limits)
{
    if (text.size() > limits.maxBytes)
        return Diagnostic{.what = "The file is too large",
                          .why = "at most " + std::to_string(limits.maxBytes) + " bytes are read",
                          .remedy = "open a smaller file",
                          .position = {.file = file}};
    try {
        return Reader(text, file, limits).run();
    } catch (ReadError& error) {
        if (error.diagnostic.position.file.empty())
            error.diagnostic.position.file = file;
        return std::move(error.diagnostic);
    } catch (const std::bad_alloc&) {
        return Diagnostic{
            .what = "The model needs too much memory", .remedy = "make the model smaller", .position = {.file = file}};
    }
}

} // namespace driftless::model
