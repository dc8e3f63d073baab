#include "ui/document/TextCheck.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <sstream>

#include "core/equations/EquationModel.h"
#include "core/expr/FunctionNames.h"
#include "core/expr/Parse.h"
#include "core/expr/Print.h"
#include "core/mechanism/JointEntry.h"
#include "core/mechanism/ReadModel.h"
#include "core/system/EquationSystem.h"
#include "core/system/Model.h"
#include "core/text/Budget.h"

namespace driftless::ui {

namespace {

bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool isNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool isBlank(char c) { return std::isspace(static_cast<unsigned char>(c)); }

void blank(std::string& text, std::size_t from, std::size_t to)
{
    for (std::size_t k = from; k < std::min(to, text.size()); ++k)
        if (text[k] != '\n')
            text[k] = ' ';
}

/// Comments, and where asked for strings, as blanks: places stay what they are.
std::string masked(std::string_view given, TextKind kind, bool strings)
{
    std::string text(given);
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i + 1;
        if (kind == TextKind::Mechanism ? text[i] == '#' : text.compare(i, 2, "//") == 0) {
            end = std::min(text.find('\n', i), text.size());
            blank(text, i, end);
        } else if (kind == TextKind::Equations && text.compare(i, 2, "/*") == 0) {
            end = text.find("*/", i + 2);
            end = end == std::string::npos ? text.size() : end + 2;
            blank(text, i, end);
        } else if (text[i] == '"') {
            const std::string quote = kind == TextKind::Mechanism && text.compare(i, 3, "\"\"\"") == 0 ? "\"\"\"" : "\"";
            end = text.find(quote, i + quote.size());
            end = end == std::string::npos ? text.size() : end + quote.size();
            if (strings)
                blank(text, i, end);
        }
        i = end;
    }
    return text;
}

/// Any name stands for a variable.
Result<expr::Expr> readFreely(std::string_view text)
{
    const auto lookup = [](std::string_view name, int primes) -> std::optional<expr::Expr> {
        if (name == "time" || name == "t")
            return primes == 0 ? std::optional(expr::time()) : std::nullopt;
        return expr::variable(std::string(name), primes);
    };
    expr::ParseLimits limits;
    limits.maxLength = 4000; // a preview, not a model
    return expr::parse(text, lookup, {}, {}, limits);
}

/// der(x) and der(x, k) as primes.
std::string withPrimes(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const bool word = text.substr(i, 3) == "der" && (i == 0 || !isNameCharacter(text[i - 1]));
        std::size_t at = i + 3;
        const auto skip = [&] {
            while (at < text.size() && isBlank(text[at]))
                ++at;
        };
        if (word)
            skip();
        if (!word || at >= text.size() || text[at] != '(') {
            out += text[i++];
            continue;
        }
        ++at;
        skip();
        const std::size_t name = at;
        while (at < text.size() && isNameCharacter(text[at]))
            ++at;
        const std::string_view of = text.substr(name, at - name);
        int order = 1;
        skip();
        if (at < text.size() && text[at] == ',') {
            ++at;
            skip();
            order = at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) ? text[at++] - '0' : 1;
            skip();
        }
        if (of.empty() || at >= text.size() || text[at] != ')') {
            out += text[i++];
            continue;
        }
        out += std::string(of) + std::string(static_cast<std::size_t>(order), '\'');
        i = at + 1;
    }
    return out;
}

std::string latexOfStatement(std::string_view statement)
{
    std::size_t equals = std::string_view::npos;
    for (std::size_t k = 0; k < statement.size(); ++k) {
        const char before = k > 0 ? statement[k - 1] : ' ', behind = k + 1 < statement.size() ? statement[k + 1] : ' ';
        if (statement[k] == '=' && before != '<' && before != '>' && before != '=' && behind != '=') {
            equals = k;
            break;
        }
    }
    if (equals == std::string_view::npos) {
        const auto alone = readFreely(withPrimes(statement));
        return alone ? expr::print(*alone, expr::Format::Latex) : std::string();
    }
    const auto left = readFreely(withPrimes(statement.substr(0, equals))),
               right = readFreely(withPrimes(statement.substr(equals + 1)));
    return left && right ? expr::print(*left, expr::Format::Latex) + " = " + expr::print(*right, expr::Format::Latex)
                         : std::string();
}

std::string latexOfEquation(std::string_view given, std::size_t at)
{
    const std::string text = masked(given, TextKind::Equations, true);
    std::size_t begin = at > 0 ? text.find_last_of(';', at - 1) : std::string::npos;
    begin = begin == std::string::npos ? 0 : begin + 1;
    const std::size_t section = text.rfind("equation", std::min(at, text.size()));
    if (section != std::string::npos && section >= begin)
        begin = section + 8;
    const std::size_t end = std::min(text.find(';', std::max(at, begin)), text.size());
    if (begin >= end)
        return {};
    std::string statement = text.substr(begin, end - begin);
    while (!statement.empty() && isBlank(statement.front()))
        statement.erase(0, 1);
    for (const char* word : {"Real", "parameter", "constant", "model", "end", "annotation"})
        if (statement.rfind(word, 0) == 0)
            return {};
    return statement.empty() ? std::string() : latexOfStatement(statement);
}

/// The string in quotes at the place, else the first one of its line, with its key.
/// Whether a text behind these characters of a line is a name or words, and no formula: unit = "N/m".
bool isNamed(std::string_view before)
{
    constexpr std::string_view kWords[] = {"unit", "name",  "title",  "description", "label",       "source",    "kind",
                                           "from", "to",    "body",   "joint",       "carrier",     "of",        "style",
                                           "text", "model", "format", "id",          "formulation", "integrator"};
    while (!before.empty() && (isBlank(before.back()) || before.back() == '='))
        before.remove_suffix(1);
    std::size_t start = before.size();
    while (start > 0 && isNameCharacter(before[start - 1]))
        --start;
    return std::ranges::find(kWords, before.substr(start)) != std::end(kWords);
}

std::string latexOfValue(std::string_view given, std::size_t at)
{
    const std::string text = masked(given, TextKind::Mechanism, false);
    const std::size_t before = at > 0 ? text.rfind('\n', at - 1) : std::string::npos;
    const std::size_t begin = before == std::string::npos ? 0 : before + 1, end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    std::string best;
    for (std::size_t open = line.find('"'); open != std::string_view::npos;) {
        const std::size_t close = line.find('"', open + 1);
        if (close == std::string_view::npos)
            break;
        const std::string_view inner = line.substr(open + 1, close - open - 1);
        const bool formula = inner.find_first_of("+-*/^(") != std::string_view::npos && !isNamed(line.substr(0, open));
        const auto value = formula ? readFreely(inner) : Result<expr::Expr>(Diagnostic{});
        if (value) {
            std::size_t stop = line.rfind('=', open), start = stop;
            while (stop != std::string_view::npos && stop > 0 && isBlank(line[stop - 1]))
                --stop;
            start = stop;
            while (start != std::string_view::npos && start > 0 && (isNameCharacter(line[start - 1]) || line[start - 1] == '.'))
                --start;
            std::string key = start == std::string_view::npos ? std::string() : std::string(line.substr(start, stop - start));
            const auto name = key.empty() ? Result<expr::Expr>(Diagnostic{}) : readFreely(key);
            const std::string latex = (name ? expr::print(*name, expr::Format::Latex) + " = " : std::string())
                                      + expr::print(*value, expr::Format::Latex);
            const bool here = at >= begin + open && at <= begin + close + 1;
            if (here)
                return latex;
            if (best.empty())
                best = latex;
        }
        open = line.find('"', close + 1);
    }
    return best;
}

} // namespace

TextKind kindOfText(std::string_view text)
{
    const std::string plain = masked(text.substr(0, 20'000), TextKind::Equations, false);
    std::size_t at = 0;
    while (at < plain.size() && isBlank(plain[at]))
        ++at;
    return plain.compare(at, 5, "model") == 0 && (at + 5 >= plain.size() || isBlank(plain[at + 5])) ? TextKind::Equations
                                                                                                    : TextKind::Mechanism;
}

const std::vector<std::string>& functionWords() { return expr::functionNames(); }

namespace {

/// What mechanism files say besides the kinds and keys of joints, which come from the joints' entries.
constexpr const char* kMechanismWords =
    "a1 a2 a3 acceleration actuator along angle angular-velocity angular_velocity at atol atol_multipliers atol_turn axis "
    "axis_to bar belt between block bodies body carrier center chart coefficient column command constraint coordinate "
    "coordinates "
    "coulomb count curve cylindrical damper damping description dimensions direction disc displacement distance drawn "
    "dynamic effort else end energy equation expression extent false file first fixed force format formulation frame "
    "friction from functions gear generalized gravitation gravity ground height held holonomic if impact_law impacts inertia "
    "input integrator inverse joint keep kind kinetic kinetic-energy lagrangian lead length length_unit linear map mass "
    "max_step motion "
    "name names nominal nonholonomic normal of offset orientation output painleve parameters path phase pi pin planar point "
    "points "
    "position positive potential potential-energy prismatic quantity quaternion rack radius rail rate rates ratio reaction "
    "redundant revolute rigid rod rolling rtol run scale scene screw segments shape size slider source speed sphere "
    "spherical spline spring start step stiffness structure support surface table then title to torque true turn turns "
    "unit units universal value velocity velocity_atol velocity_fixed view visual weld when width xyz";

std::vector<std::string> mechanismWords()
{
    std::istringstream words(kMechanismWords);
    std::set<std::string> out{std::istream_iterator<std::string>(words), {}};
    for (const auto* list : {&model::jointWords(2), &model::jointWords(3), &model::jointKeys()})
        out.insert(list->begin(), list->end());
    return {out.begin(), out.end()}; // sorted: they are searched by halves
}

} // namespace

const std::vector<std::string>& languageWords(TextKind kind)
{
    static const std::vector<std::string> equations{
        "AssertionLevel", "Boolean",    "Integer",   "Real",     "StopTime",  "Tolerance", "and",    "annotation", "assert",
        "change",         "constant",   "der",       "discrete", "edge",      "else",      "elseif", "elsewhen",   "end",
        "equation",       "experiment", "false",     "fixed",    "if",        "initial",   "input",  "model",      "noEvent",
        "nominal",        "not",        "or",        "output",   "parameter", "pi",        "pre",    "reinit",     "sample",
        "smooth",         "start",      "terminate", "then",     "time",      "true",      "unit",   "when"};
    static const std::vector<std::string> mechanism = mechanismWords();
    return kind == TextKind::Equations ? equations : mechanism;
}

std::optional<Diagnostic> checkText(const std::string& text, const std::string& file)
{
    if (kindOfText(text) == TextKind::Equations) {
        const auto read = model::readEquationModel(text, file);
        return read ? std::nullopt : std::optional(read.error());
    }
    const auto read = model::readModel(text, file);
    return read ? std::nullopt : std::optional(read.error());
}

std::optional<Diagnostic> unitWarning(const std::string& text, const std::string& file)
{
    std::vector<Diagnostic> warnings;
    if (kindOfText(text) == TextKind::Equations) {
        if (const auto read = model::readEquationModel(text, file))
            warnings = model::unitWarnings((*read)->system);
    } else if (const auto read = model::readModel(text, file)) {
        warnings = (*read)->unitWarnings;
    }
    return warnings.empty() ? std::nullopt : std::optional(std::move(warnings.front()));
}

std::vector<std::string> namesInText(std::string_view text, TextKind kind)
{
    constexpr std::size_t kMostNames = 5000;
    const std::string plain = masked(text, kind, kind == TextKind::Equations); // expressions of a mechanism stand in quotes
    const auto& words = languageWords(kind);
    std::set<std::string> names;
    for (std::size_t i = 0; i < plain.size() && names.size() < kMostNames;) {
        if (!isLetter(plain[i])) {
            const bool number = std::isdigit(static_cast<unsigned char>(plain[i]));
            ++i;
            while (number && i < plain.size() && isNameCharacter(plain[i])) // 1e5 holds no name
                ++i;
            continue;
        }
        std::size_t end = i;
        while (end < plain.size()
               && (isNameCharacter(plain[end])
                   || (kind == TextKind::Mechanism && plain[end] == '.' && end + 1 < plain.size() && isLetter(plain[end + 1]))))
            ++end;
        std::string name = plain.substr(i, end - i);
        if (!std::binary_search(words.begin(), words.end(), name)
            && !std::binary_search(functionWords().begin(), functionWords().end(), name))
            names.insert(std::move(name));
        i = end;
    }
    return {names.begin(), names.end()};
}

std::string latexAt(std::string_view text, std::size_t at, TextKind kind)
{
    if (text.size() > budget::kModelBytes)
        return {};
    at = std::min(at, text.size());
    return kind == TextKind::Equations ? latexOfEquation(text, at) : latexOfValue(text, at);
}

} // namespace driftless::ui
