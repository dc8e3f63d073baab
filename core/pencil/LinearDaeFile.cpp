#include "core/pencil/LinearDaeFile.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <new>

#include "core/expr/Parse.h"
#include "core/text/Names.h"
#include "core/text/Numbers.h"
#include "core/text/RegularFile.h"
#include "core/text/TableReader.h"

namespace driftless::model {

namespace {

constexpr double kExactIntegers = 9007199254740992.0; // 2^53, which 2^53 + 1 is rounded to

/// A number within a text: digits, one point; advances at. Its digits without the point and how many stood behind it.
bool readDigits(std::string_view text, std::size_t& at, std::string& digits, std::size_t& behind)
{
    bool point = false;
    for (; at < text.size(); ++at) {
        if (text[at] == '.' && !point)
            point = true;
        else if (std::isdigit(static_cast<unsigned char>(text[at]))) {
            digits += text[at];
            behind += point;
        } else
            break;
    }
    return !digits.empty();
}

std::string withoutLeadingZeros(const std::string& digits)
{
    const auto first = digits.find_first_not_of('0');
    return first == std::string::npos ? "0" : digits.substr(first);
}

LinearEntry readFraction(const TomlValue& value, const std::string& where, const LinearDaeLimits& limits)
{
    const std::string_view text = value.text;
    const auto bad = [&](const std::string& why) {
        refuse(value.position, "'" + text::shortened(text) + "' is no rational number", where, why,
               "write an integer, a decimal or a fraction such as \"-339/890\"");
    };
    std::size_t at = 0;
    std::string numerator, denominator;
    std::size_t behindN = 0, behindD = 0;
    const bool negative = !text.empty() && text[0] == '-';
    if (!text.empty() && (text[0] == '-' || text[0] == '+'))
        ++at;
    if (!readDigits(text, at, numerator, behindN))
        bad("it has no digits");
    if (at < text.size() && text[at] == '/') {
        ++at;
        if (!readDigits(text, at, denominator, behindD))
            bad("nothing stands behind the bar");
    } else
        denominator = "1";
    if (at != text.size())
        bad("column " + std::to_string(at + 1) + " of the text is neither digit, point nor bar");
    numerator = withoutLeadingZeros(numerator + std::string(behindD > behindN ? behindD - behindN : 0, '0'));
    denominator = withoutLeadingZeros(denominator + std::string(behindN > behindD ? behindN - behindD : 0, '0'));
    if (numerator.size() > limits.maxDigits || denominator.size() > limits.maxDigits)
        bad("at most " + std::to_string(limits.maxDigits) + " digits are read");
    if (denominator == "0")
        bad("its denominator is zero");
    LinearEntry entry;
    entry.value = (negative ? -1 : 1) * *text::readNumber(numerator) / *text::readNumber(denominator);
    entry.fraction = (negative && numerator != "0" ? "-" : "") + numerator + "/" + denominator;
    return entry;
}

LinearEntry readEntry(const TomlValue& value, const std::string& where, const LinearDaeLimits& limits)
{
    if (value.kind == TomlKind::String)
        return readFraction(value, where, limits);
    if (!value.isNumber())
        refuse(value.position, "An entry must be a number or a text", where, "found " + kindInWords(value.kind), "");
    LinearEntry entry;
    entry.value = finiteNumber(value, where);
    const bool integral = std::trunc(entry.value) == entry.value && std::abs(entry.value) < kExactIntegers;
    if (value.kind == TomlKind::Integer && !integral)
        refuse(value.position, "The integer is too large to be kept exactly", where, "from 2^53 on a number loses digits",
               "write it as a text: \"12345678901234567890\"");
    if (integral)
        entry.fraction = std::to_string(static_cast<long long>(entry.value)) + "/1";
    return entry;
}

const std::vector<TomlValue>& needList(const TomlValue& value, const std::string& where, std::size_t count,
                                       const std::string& of)
{
    if (value.kind != TomlKind::Array)
        refuse(value.position, where + " must be a list", "", "found " + kindInWords(value.kind), "");
    if (value.items.size() != count)
        refuse(value.position, where + " has " + std::to_string(value.items.size()) + " " + of, "",
               "the system has " + std::to_string(count) + " unknowns, and E and A are square", "");
    return value.items;
}

std::vector<LinearEntry> readMatrix(const TomlValue& value, const std::string& name, int n, const LinearDaeLimits& limits)
{
    std::vector<LinearEntry> out;
    const auto size = static_cast<std::size_t>(n);
    int row = 0;
    for (const TomlValue& line : needList(value, name, size, "rows")) {
        const std::string where = "row " + std::to_string(++row) + " of " + name;
        for (const TomlValue& entry : needList(line, where, size, "entries"))
            out.push_back(readEntry(entry, where, limits));
    }
    return out;
}

std::vector<expr::Expr> readSide(const TomlValue* value, int n)
{
    std::vector<expr::Expr> out(static_cast<std::size_t>(n));
    if (!value)
        return out;
    const auto lookup = [](std::string_view name, int primes) -> std::optional<expr::Expr> {
        return primes == 0 && (name == "t" || name == "time") ? std::optional<expr::Expr>(expr::time()) : std::nullopt;
    };
    std::size_t i = 0;
    for (const TomlValue& entry : needList(*value, "f", out.size(), "entries")) {
        if (entry.isNumber()) {
            out[i++] = expr::Expr(finiteNumber(entry, "f"));
            continue;
        }
        if (entry.kind != TomlKind::String)
            refuse(entry.position, "An entry of f must be a text or a number", "", "found " + kindInWords(entry.kind),
                   "an expression in t such as \"sin(t)\"");
        const auto parsed = expr::parse(entry.text, lookup, entry.textPosition, {"t"});
        if (!parsed) {
            ReadError error{parsed.error()};
            if (error.diagnostic.remedy.empty())
                error.diagnostic.remedy = "an expression in t, such as \"sin(t)\" or \"if t < 1 then t else 1\"";
            throw error;
        }
        out[i++] = *parsed;
    }
    return out;
}

LinearDaeFile read(std::string_view text, const std::string& file, const LinearDaeLimits& limits)
{
    const auto root = parseToml(text, file);
    if (!root)
        throw ReadError{root.error()};
    const TableReader table(*root, {file, 1, 1}, "linear DAE",
                            {"E", "A", "f", "x0", "end", "name", "title", "source", "description"});
    LinearDaeFile out;
    out.name = table.text("name", std::filesystem::path(file).stem().string());
    const TomlValue& E = table.need("E", "E = [[1.0, 0.0], [0.0, 0.0]]");
    const TomlValue& A = table.need("A", "A = [[0.0, 1.0], [1.0, 0.0]]");
    if (E.kind != TomlKind::Array)
        refuse(E.position, "E must be a list of rows", "", "found " + kindInWords(E.kind), "E = [[1.0, 0.0], [0.0, 0.0]]");
    if (E.items.empty() || E.items.size() > static_cast<std::size_t>(limits.maxUnknowns))
        refuse(E.position, "E has " + std::to_string(E.items.size()) + " rows", "",
               "systems of 1 to " + std::to_string(limits.maxUnknowns) + " unknowns are read", "");
    out.n = static_cast<int>(E.items.size());
    out.E = readMatrix(E, "E", out.n, limits);
    out.A = readMatrix(A, "A", out.n, limits);
    out.f = readSide(table.find("f"), out.n);
    if (const auto x0 = table.numbers("x0", static_cast<std::size_t>(out.n)))
        out.x0 = *x0;
    out.end = table.positiveNumber("end").value_or(out.end);
    return out;
}

} // namespace

bool LinearDaeFile::exact() const
{
    const auto rational = [](const LinearEntry& e) { return !e.fraction.empty(); };
    return std::all_of(E.begin(), E.end(), rational) && std::all_of(A.begin(), A.end(), rational);
}

Result<LinearDaeFile> readLinearDae(std::string_view text, const std::string& file, const LinearDaeLimits& limits)
{
    if (text.size() > limits.maxBytes)
        return Diagnostic{.what = "The file is too large",
                          .why = "at most " + std::to_string(limits.maxBytes) + " bytes are read",
                          .position = {.file = file}};
    try {
        return read(text, file, limits);
    } catch (ReadError& error) {
        if (error.diagnostic.position.file.empty())
            error.diagnostic.position.file = file;
        return std::move(error.diagnostic);
    } catch (const std::bad_alloc&) {
        return Diagnostic{.what = "The system needs too much memory", .remedy = "make it smaller", .position = {.file = file}};
    }
}

Result<LinearDaeFile> openLinearDae(const std::string& path, const LinearDaeLimits& limits)
{
    const auto text = readRegularFile(path, limits.maxBytes);
    if (!text)
        return text.error();
    return readLinearDae(*text, path, limits);
}

} // namespace driftless::model
