#include "core/run/TableauFile.h"

#include <cmath>
#include <filesystem>
#include <new>

#include "core/expr/Parse.h"
#include "core/integrate/RungeKutta.h"
#include "core/text/Escapes.h"
#include "core/text/Names.h"
#include "core/text/Numbers.h"
#include "core/text/RegularFile.h"
#include "core/text/TableReader.h"

namespace driftless::run {
namespace {

using model::refuse;
using model::TomlKind;
using model::TomlValue;

double readEntry(const TomlValue& value, const std::string& where, const TableauLimits& limits)
{
    if (value.isNumber())
        return model::finiteNumber(value, where) + 0.0; // -0 is 0: as text it is a whole number, which has no such sign
    if (value.kind != TomlKind::String)
        refuse(value.position, "An entry must be a number or a text", where, "found " + model::kindInWords(value.kind),
               "a number, or \"1/3\"");
    const auto nothing = [](std::string_view, int) { return std::optional<expr::Expr>(); };
    const auto parsed = expr::parse(value.text, nothing, value.textPosition, {}, {limits.maxEntry, 20});
    if (!parsed)
        throw model::ReadError{parsed.error()};
    const auto number = expr::evaluate(*parsed, [](const expr::Symbol&) { return std::optional<double>(); });
    if (!number || !std::isfinite(*number))
        refuse(value.position, "'" + text::shortened(value.text) + "' has no value", where, "",
               "a constant such as \"(3 - sqrt(3))/6\"");
    return *number + 0.0;
}

std::vector<double> readList(const TomlValue& value, const std::string& where, std::size_t count, const TableauLimits& limits)
{
    if (value.kind != TomlKind::Array)
        refuse(value.position, where + " must be a list", "", "found " + model::kindInWords(value.kind), "");
    if (value.items.size() != count)
        refuse(value.position, where + " has " + std::to_string(value.items.size()) + " entries", "",
               "the tableau has " + std::to_string(count) + " stages", "");
    std::vector<double> out;
    for (const TomlValue& entry : value.items)
        out.push_back(readEntry(entry, where, limits));
    return out;
}

integrate::RungeKuttaTableau read(std::string_view text, const std::string& file, const TableauLimits& limits)
{
    const auto root = model::parseToml(text, file);
    if (!root)
        throw model::ReadError{root.error()};
    const model::TableReader table(*root, {file, 1, 1}, "tableau", {"name", "source", "c", "A", "b", "b_embedded"});
    integrate::RungeKuttaTableau out;
    out.name = table.text("name", std::filesystem::path(file).stem().string());
    out.source = table.text("source");
    const TomlValue& A = table.need("A", "A = [[0, 0], [\"2/3\", 0]]");
    const TomlValue& b = table.need("b", "b = [\"1/4\", \"3/4\"]");
    if (A.kind != TomlKind::Array)
        refuse(A.position, "A must be a list of rows", "", "found " + model::kindInWords(A.kind), "A = [[0, 0], [\"2/3\", 0]]");
    constexpr std::size_t kMost = integrate::RungeKuttaTableau::kMostStages;
    if (A.items.empty() || A.items.size() > kMost)
        refuse(A.position, "A has " + std::to_string(A.items.size()) + " rows", "",
               "methods of 1 to " + std::to_string(kMost) + " stages are read", "");
    out.stages = A.items.size();
    for (std::size_t i = 0; i < out.stages; ++i) {
        const auto row = readList(A.items[i], "row " + std::to_string(i + 1) + " of A", out.stages, limits);
        out.a.insert(out.a.end(), row.begin(), row.end());
    }
    out.b = readList(b, "b", out.stages, limits);
    if (const TomlValue* embedded = table.find("b_embedded"))
        out.embedded = readList(*embedded, "b_embedded", out.stages, limits);
    if (const TomlValue* c = table.find("c")) {
        out.c = readList(*c, "c", out.stages, limits);
        return out;
    }
    for (std::size_t i = 0; i < out.stages; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < out.stages; ++j)
            sum += out.at(i, j);
        out.c.push_back(sum);
    }
    return out;
}

} // namespace

Result<integrate::RungeKuttaTableau> readTableau(std::string_view text, const std::string& file, const TableauLimits& limits)
{
    if (text.size() > limits.maxBytes)
        return Diagnostic{
            "The file is too large", "", "at most " + std::to_string(limits.maxBytes) + " bytes are read", "", {file, 0, 0}};
    try {
        return read(text, file, limits);
    } catch (model::ReadError& error) {
        if (error.diagnostic.position.file.empty())
            error.diagnostic.position.file = file;
        return std::move(error.diagnostic);
    } catch (const std::bad_alloc&) {
        return Diagnostic{"The tableau needs too much memory", "", "", "make it smaller", {file, 0, 0}};
    }
}

Result<integrate::RungeKuttaTableau> openTableau(const std::string& path, const TableauLimits& limits)
{
    const auto text = readRegularFile(path, limits.maxBytes);
    if (!text)
        return text.error();
    return readTableau(*text, path, limits);
}

namespace {

/// entry(i) is what stands at place i.
template <class Entry>
std::string listed(std::size_t count, const Entry& entry)
{
    std::string out = "[";
    for (std::size_t i = 0; i < count; ++i)
        out += (i ? ", " : "") + entry(i);
    return out + ']';
}

/// c, a(i, j), b and embedded give the entries as text.
template <class C, class A, class B, class Embedded>
std::string written(const std::string& name, const std::string& source, std::size_t stages, const C& c, const A& a, const B& b,
                    bool hasEmbedded, const Embedded& embedded)
{
    std::string out = "name = " + text::plainString(name) + '\n';
    if (!source.empty())
        out += "source = " + text::plainString(source) + '\n';
    out += "c = " + listed(stages, c) + "\nA = [";
    for (std::size_t i = 0; i < stages; ++i)
        out += (i ? ",\n     " : "") + listed(stages, [&](std::size_t j) { return a(i, j); });
    out += "]\nb = " + listed(stages, b) + '\n';
    return hasEmbedded ? out + "b_embedded = " + listed(stages, embedded) + '\n' : out;
}

Result<std::string> added(const Result<integrate::RungeKuttaTableau>& tableau)
{
    if (!tableau)
        return tableau.error();
    auto method = integrate::methodFrom(*tableau);
    if (!method)
        return method.error();
    return integrate::addOwnMethod(std::move(*method))->info.id;
}

} // namespace

std::string writeTableau(const integrate::RungeKuttaTableau& t)
{
    const auto of = [](const double* values) { return [values](std::size_t i) { return text::rounded(values[i], 17); }; };
    const auto row = [&](std::size_t i, std::size_t j) { return of(t.a.data() + i * t.stages)(j); };
    return written(t.name, t.source, t.stages, of(t.c.data()), row, of(t.b.data()), !t.embedded.empty(), of(t.embedded.data()));
}

std::string writeTableau(const integrate::ExactTableau& t)
{
    const auto of = [&t](const integrate::Surd* numbers) {
        return [&t, numbers](std::size_t i) {
            const std::string text = integrate::textOf(numbers[i], t.radicand);
            return text.find_first_not_of("-0123456789") == std::string::npos ? text : '"' + text + '"';
        };
    };
    const auto row = [&](std::size_t i, std::size_t j) { return of(t.a[i])(j); };
    return written(std::string(t.id), std::string(t.source), static_cast<std::size_t>(t.stages), of(t.c), row, of(t.b),
                   t.embeddedOrder > 0, of(t.embedded));
}

Result<std::string> addTableau(std::string_view text, const std::string& file) { return added(readTableau(text, file)); }

Result<std::string> addTableauFile(const std::string& path) { return added(openTableau(path)); }

} // namespace driftless::run
