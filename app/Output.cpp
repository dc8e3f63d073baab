#include "app/Output.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <iostream>
#include <system_error>

#include "app/Commands.h"
#include "core/text/PathText.h"
#include "core/text/WholeFile.h"

namespace fs = std::filesystem;

namespace driftless::app {

nlohmann::ordered_json finiteJson(double x) { return std::isfinite(x) ? nlohmann::ordered_json(x) : nlohmann::ordered_json(); }

bool printJson(const nlohmann::ordered_json& value)
{
    // Names from a stranger's file may hold bytes that are no UTF-8: replaced, never thrown at.
    std::cout << value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n' << std::flush;
    if (!std::cout)
        std::cerr << "driftless: standard output could not be written\n";
    return static_cast<bool>(std::cout);
}

namespace {

/// Controls of both sets, and the marks that turn the direction of what follows.
bool isControl(char16_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 || (c >= 0x202a && c <= 0x202e)
           || (c >= 0x2066 && c <= 0x2069);
}

} // namespace

// Names may come from a stranger's file.
std::string printable(const std::string& text)
{
    constexpr std::size_t kLongest = 1500;
    std::u16string line = pathToText(std::string_view(text).substr(0, 4 * kLongest));
    if (line.size() > kLongest)
        line = line.substr(0, kLongest) + u" ...";
    for (char16_t& c : line) {
        if (isControl(c))
            c = u' ';
        else if (c >= 0xdc80 && c <= 0xdcff)
            c = u'?'; // a byte that is no UTF-8
    }
    return textToPath(line);
}

Result<void> checkOutput(const std::string& path, const std::vector<std::string>& inputs)
{
    if (path == "-")
        return Diagnostic{.what = "A file needs a name",
                          .where = path,
                          .why = "standard output is for the JSON",
                          .remedy = "a name, or ./- for a file that is called so"};
    for (const std::string& input : inputs) {
        std::error_code none;
        if (!input.empty() && fs::is_regular_file(input, none) && fs::equivalent(path, input, none))
            return Diagnostic{.what = "The file would be written over what the command reads",
                              .where = path,
                              .why = "both are " + input,
                              .remedy = "another name for what is written"};
    }
    return checkWritable(path);
}

nlohmann::json findingsJson(const std::vector<Diagnostic>& findings)
{
    nlohmann::json out = nlohmann::json::array();
    for (const Diagnostic& finding : findings) {
        nlohmann::json one{{"where", finding.where}, {"what", finding.what}, {"why", finding.why}, {"remedy", finding.remedy}};
        if (finding.position.line > 0) // what is wrong with a model that the file names may have no place in it
            one["line"] = finding.position.line;
        out.push_back(std::move(one));
    }
    return out;
}

int complain(const Diagnostic& diagnostic)
{
    std::string text = printable(diagnostic.text());
    if (text.empty() || (text.back() != '.' && text.back() != '?'))
        text += '.';
    std::cerr << "driftless: " << text << '\n';
    return kExitBadInput;
}

} // namespace driftless::app
