#include "core/equations/EquationWriter.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "core/expr/FunctionNames.h"
#include "core/expr/Parse.h"
#include "core/expr/Print.h"
#include "core/text/Escapes.h"
#include "core/text/Numbers.h"

namespace driftless::model {

namespace {

bool beginsName(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool continuesName(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Whether the text declares it: neither a condition nor pre() of another one.
bool isDeclared(const HeldVariable& x) { return x.kind != HeldVariable::Kind::Condition && x.of < 0; }

std::set<std::string> wordsOfTheLanguage()
{
    std::set<std::string> words{"time",    "der",     "model",    "end",     "equation", "parameter",  "constant", "Real",
                                "if",      "then",    "else",     "pi",      "t",        "annotation", "input",    "output",
                                "and",     "or",      "not",      "true",    "false",    "when",       "elsewhen", "elseif",
                                "Boolean", "Integer", "discrete", "assert",  "reinit",   "terminate",  "pre",      "edge",
                                "change",  "initial", "sample",   "noEvent", "smooth"};
    words.insert(expr::functionNames().begin(), expr::functionNames().end());
    return words;
}

/// Identifiers for names with dots and whatever else; no two alike and none a word of the language.
class Identifiers {
public:
    std::string of(const std::string& name)
    {
        if (const auto found = names_.find(name); found != names_.end())
            return found->second;
        std::string plain;
        for (const char c : name)
            plain += continuesName(c) ? c : '_';
        if (plain.empty() || !beginsName(plain.front()))
            plain.insert(plain.begin(), '_');
        while (!taken_.insert(plain).second)
            plain += '_';
        return names_[name] = plain;
    }

private:
    std::map<std::string, std::string> names_;
    std::set<std::string> taken_ = wordsOfTheLanguage();
};

/// Expressions as text with identifiers for names and der() for primes.
class EquationsAsText {
public:
    explicit EquationsAsText(const EquationSystem& system) : system_(system)
    {
        for (const auto& p : system.parameters)
            identifiers_.of(p.quantity.name);
        for (const auto& x : system.unknowns)
            identifiers_.of(x.quantity.name);
        for (const auto& x : system.held)
            if (isDeclared(x))
                identifiers_.of(x.quantity.name);
        nameEvents();
    }

    std::string name(const std::string& given) { return identifiers_.of(given); }

    std::string expression(const expr::Expr& given)
    {
        const expr::Expr e = expr::replaceRelations(given, [this](const expr::Expr& a, const expr::Expr& b, bool strict) {
            const expr::Expr plain = strict ? expr::less(a, b) : expr::lessEqual(a, b);
            const auto symbols = expr::symbolsOf(plain);
            if (std::ranges::all_of(symbols, [](const expr::Symbol& s) { return s.kind == expr::SymbolKind::Parameter; }))
                return plain;
            return placeholder("noEvent(" + expression(a) + (strict ? " < " : " <= ") + expression(b) + ")");
        });
        expr::Substitution map;
        for (const expr::Symbol& s : expr::symbolsOf(e)) {
            if (s.kind == expr::SymbolKind::Time)
                map.emplace(s, expr::parameter("time"));
            else if (const auto event = events_.find(s); event != events_.end())
                map.emplace(s, placeholder(event->second));
            else if (!placeholders_.contains(s.name))
                map.emplace(s, expr::symbol({s.kind, identifiers_.of(s.name), s.order}));
        }
        return withDerivatives(expr::print(expr::substitute(e, map)));
    }

    std::string modifiers(const Quantity& q, const std::string& start) const
    {
        std::string out = start;
        const auto add = [&out](const std::string& modifier) { out += (out.empty() ? "" : ", ") + modifier; };
        if (!q.unit.empty())
            add("unit = " + text::plainString(q.unit));
        if (std::isfinite(q.minimum))
            add("min = " + text::exact(q.minimum));
        if (std::isfinite(q.maximum))
            add("max = " + text::exact(q.maximum));
        return out.empty() ? out : "(" + out + ")";
    }

private:
    /// A name that becomes this text where the expression is written.
    expr::Expr placeholder(const std::string& text)
    {
        const std::string name = identifiers_.of("written " + text);
        placeholders_.emplace(name, text);
        return expr::parameter(name);
    }

    /// pre(x) of every name, conditions as they are stated, and the functions of events.
    void nameEvents()
    {
        const auto addPre = [this](const expr::Symbol& s) {
            events_.emplace(preSymbol(s), "pre(" + identifiers_.of(s.name) + ")");
        };
        if (!system_.hasEvents())
            return;
        for (const auto& x : system_.unknowns)
            addPre({.kind = expr::SymbolKind::Variable, .name = x.quantity.name});
        for (const HeldVariable& x : system_.held)
            if (isDeclared(x))
                addPre(heldSymbol(x));
        events_.emplace(initialSymbol(), "initial()");
        for (std::size_t k = 0; k < system_.samples.size(); ++k)
            events_.emplace(sampleSymbol(k), "sample(" + expression(system_.samples[k].start) + ", "
                                                 + expression(system_.samples[k].interval) + ")");
        for (const HeldVariable& x : system_.held)
            if (x.kind == HeldVariable::Kind::Condition)
                events_.emplace(heldSymbol(x),
                                "(0 " + std::string(x.strict ? "<" : "<=") + " " + expression(x.difference) + ")");
    }

    std::string withDerivatives(const std::string& text) const
    {
        std::string out;
        for (std::size_t i = 0; i < text.size();) {
            if (!beginsName(text[i])) {
                const bool digit = std::isdigit(static_cast<unsigned char>(text[i]));
                out += text[i++];
                while (digit && i < text.size() && continuesName(text[i])) // 1e5
                    out += text[i++];
                continue;
            }
            std::size_t end = i;
            while (end < text.size() && continuesName(text[end]))
                ++end;
            std::size_t primes = 0;
            while (end + primes < text.size() && text[end + primes] == '\'')
                ++primes;
            const std::string word = text.substr(i, end - i);
            const std::string order = primes > 1 ? ", " + std::to_string(primes) : "";
            if (const auto written = placeholders_.find(word); written != placeholders_.end())
                out += written->second;
            else
                out += primes == 0 ? word : "der(" + word + order + ")";
            i = end + primes;
        }
        return out;
    }

    const EquationSystem& system_;
    Identifiers identifiers_;
    std::map<std::string, std::string> placeholders_;
    std::unordered_map<expr::Symbol, std::string, expr::SymbolHash> events_; ///< what is written for them
};

class EventsAsText {
public:
    EventsAsText(const EquationSystem& system, EquationsAsText& writer) : system_(system), writer_(writer) {}

    std::string declarations() const
    {
        std::string out;
        for (const HeldVariable& x : system_.held) {
            if (!isDeclared(x))
                continue;
            const bool output = std::ranges::find(system_.outputs, x.quantity.name) != system_.outputs.end();
            std::string start = x.started || x.quantity.value != 0 ? "start = " + text::exact(x.quantity.value) : std::string();
            if (!expr::symbolsOf(x.startFrom).empty())
                start = "start = " + writer_.expression(x.startFrom);
            else if (!start.empty() && x.kind == HeldVariable::Kind::Boolean)
                start = x.quantity.value > 0.5 ? "start = true" : "start = false";
            out += std::string("  ") + (output ? "output " : "") + typeOf(x.kind) + " " + writer_.name(x.quantity.name)
                   + writer_.modifiers(x.quantity, start)
                   + (x.quantity.description.empty() ? "" : " " + text::plainString(x.quantity.description)) + ";\n";
        }
        return out;
    }

    std::string statements() const
    {
        std::string out;
        for (const EventStatement& statement : system_.statements) {
            if (statement.branches.empty())
                out += "  " + action(statement.always);
            for (std::size_t k = 0; k < statement.branches.size(); ++k) {
                const WhenBranch& branch = statement.branches[k];
                std::string conditions;
                for (const expr::Expr& c : branch.conditions)
                    conditions += (conditions.empty() ? "(" : ", (") + writer_.expression(c) + ")";
                out += std::string(k == 0 ? "  when {" : "  elsewhen {") + conditions + "} then\n";
                for (const EventAction& each : branch.actions)
                    out += "    " + action(each);
            }
            out += statement.branches.empty() ? "" : "  end when;\n";
        }
        return out;
    }

private:
    static const char* typeOf(HeldVariable::Kind kind)
    {
        if (kind == HeldVariable::Kind::Boolean)
            return "Boolean";
        return kind == HeldVariable::Kind::Integer ? "Integer" : "discrete Real";
    }

    std::string action(const EventAction& a) const
    {
        switch (a.kind) {
        case EventAction::Kind::Set:
            return writer_.name(system_.held[static_cast<std::size_t>(a.target)].quantity.name) + " = "
                   + writer_.expression(a.value) + ";\n";
        case EventAction::Kind::Reinit:
            return "reinit(" + writer_.name(a.variable) + ", " + writer_.expression(a.value) + ");\n";
        case EventAction::Kind::Assert:
            return "assert(" + writer_.expression(a.value) + ", " + text::plainString(a.message)
                   + (a.warns ? ", AssertionLevel.warning" : "") + ");\n";
        case EventAction::Kind::Terminate:
            break;
        }
        return "terminate(" + text::plainString(a.message) + ");\n";
    }

    const EquationSystem& system_;
    EquationsAsText& writer_;
};

} // namespace

std::string modelicaText(const EquationSystem& system, const std::string& name, const std::string& description, double end)
{
    EquationsAsText writer(system);
    Identifiers own;
    const std::string title = own.of(name);
    std::string out = "model " + title + (description.empty() ? "" : " " + text::plainString(description)) + "\n";
    const auto described = [](const std::string& text) { return text.empty() ? std::string() : " " + text::plainString(text); };
    for (const auto& p : system.parameters) {
        std::string bounds;
        if (!expr::symbolsOf(p.minimumFrom).empty())
            bounds = "min = " + writer.expression(p.minimumFrom);
        if (!expr::symbolsOf(p.maximumFrom).empty())
            bounds += (bounds.empty() ? "max = " : ", max = ") + writer.expression(p.maximumFrom);
        const char* type = p.logical ? "Boolean " : p.whole ? "Integer " : "Real ";
        out += std::string("  parameter ") + type + writer.name(p.quantity.name) + writer.modifiers(p.quantity, bounds) + " = "
               + writer.expression(p.binding) + described(p.quantity.description) + ";\n";
    }
    for (const auto& x : system.unknowns) {
        const bool given = x.started || x.quantity.value != 0 || x.status == InitialStatus::Fixed;
        std::string start = given ? "start = " + text::exact(x.quantity.value) : std::string();
        if (!expr::symbolsOf(x.startFrom).empty())
            start = "start = " + writer.expression(x.startFrom);
        if (x.status == InitialStatus::Fixed)
            start += ", fixed = true";
        const bool output = std::ranges::find(system.outputs, x.quantity.name) != system.outputs.end();
        out += (output ? "  output Real " : "  Real ") + writer.name(x.quantity.name) + writer.modifiers(x.quantity, start)
               + described(x.quantity.description) + ";\n";
    }
    const EventsAsText events(system, writer);
    out += events.declarations();
    out += "equation\n";
    for (const auto& e : system.equations) {
        const std::string left = writer.expression(e.residual);
        out += "  " + (left.starts_with("if ") ? "(" + left + ")" : left) + " = 0"
               + described(e.description.empty() ? e.name : e.description) + ";\n";
    }
    out += events.statements();
    if (!system.initial.empty())
        out += "initial equation\n";
    for (const auto& e : system.initial)
        out += "  " + writer.expression(e.residual) + " = 0;\n";
    return out + "  annotation(experiment(StopTime = " + text::exact(end) + "));\nend " + title + ";\n";
}

} // namespace driftless::model
