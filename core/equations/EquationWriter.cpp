#include "core/equations/EquationWriter.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include "core/expr/FunctionNames.h"
#include "core/expr/Print.h"
#include "core/text/Escapes.h"
#include "core/text/Numbers.h"

namespace driftless::model {

namespace {

bool beginsName(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool continuesName(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::set<std::string> wordsOfTheLanguage()
{
    std::set<std::string> words{"time", "der",  "model", "end", "equation", "parameter",  "constant", "Real",
                                "if",   "then", "else",  "pi",  "t",        "annotation", "input",    "output"};
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

class EquationsAsText {
public:
    explicit EquationsAsText(const EquationSystem& system) : system_(system)
    {
        for (const auto& p : system.parameters)
            identifiers_.of(p.quantity.name);
        for (const auto& x : system.unknowns)
            identifiers_.of(x.quantity.name);
    }

    std::string name(const std::string& given) { return identifiers_.of(given); }

    /// As text with identifiers for names and der() for primes.
    std::string expression(const expr::Expr& e)
    {
        expr::Substitution map;
        for (const expr::Symbol& s : expr::symbolsOf(e)) {
            if (s.kind == expr::SymbolKind::Time)
                map.emplace(s, expr::parameter("time"));
            else
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
    static std::string withDerivatives(const std::string& text)
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
            out += primes == 0 ? word : "der(" + word + order + ")";
            i = end + primes;
        }
        return out;
    }

    const EquationSystem& system_;
    Identifiers identifiers_;
};

} // namespace

std::string modelicaText(const EquationSystem& system, const std::string& name, const std::string& description, double end)
{
    EquationsAsText writer(system);
    Identifiers own;
    const std::string title = own.of(name);
    std::string out = "model " + title + (description.empty() ? "" : " " + text::plainString(description)) + "\n";
    const auto described = [](const std::string& text) { return text.empty() ? std::string() : " " + text::plainString(text); };
    for (const auto& p : system.parameters)
        out += "  parameter Real " + writer.name(p.quantity.name) + writer.modifiers(p.quantity, {}) + " = "
               + writer.expression(p.binding) + described(p.quantity.description) + ";\n";
    for (const auto& x : system.unknowns) {
        const bool given = x.started || x.quantity.value != 0 || x.status == InitialStatus::Fixed;
        std::string start = given ? "start = " + text::exact(x.quantity.value) : std::string();
        if (x.status == InitialStatus::Fixed)
            start += ", fixed = true";
        const bool output = std::ranges::find(system.outputs, x.quantity.name) != system.outputs.end();
        out += (output ? "  output Real " : "  Real ") + writer.name(x.quantity.name) + writer.modifiers(x.quantity, start)
               + described(x.quantity.description) + ";\n";
    }
    out += "equation\n";
    for (const auto& e : system.equations)
        out +=
            "  " + writer.expression(e.residual) + " = 0" + described(e.description.empty() ? e.name : e.description) + ";\n";
    return out + "  annotation(experiment(StopTime = " + text::exact(end) + "));\nend " + title + ";\n";
}

} // namespace driftless::model
