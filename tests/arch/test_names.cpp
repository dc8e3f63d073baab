// What a source names from another room, one of its includes declares.
//
// Builds with precompiled headers and joined sources compile a file that leaves an include out, and the plain build of the
// `dev` preset does not. This test reads words alone: for each `room::Name` it looks for the word in the project's headers that
// are reached.
#include <QtTest>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

const fs::path kRoot = DRIFTLESS_SOURCE_DIR;

struct Text {
    std::vector<std::string> words; ///< identifiers, and "::" between them; comments and what stands in quotes are left out
    std::set<std::string> known;    ///< the same without order
    std::vector<std::string> includes;
};

using Tree = std::map<std::string, Text>;

/// Where the literal or the comment that begins at `at` ends; `at` where none begins.
std::size_t skipped(const std::string& s, std::size_t at)
{
    const auto behind = [&](const std::string& end, std::size_t from) {
        const std::size_t found = s.find(end, from);
        return found == std::string::npos ? s.size() : found + end.size();
    };
    if (s.compare(at, 2, "//") == 0)
        return behind("\n", at);
    if (s.compare(at, 2, "/*") == 0)
        return behind("*/", at + 2);
    if (s.compare(at, 2, "R\"") == 0)
        return behind(")" + s.substr(at + 2, s.find('(', at) - at - 2) + "\"", at + 2);
    if (s[at] != '"' && s[at] != '\'')
        return at;
    std::size_t end = at + 1;
    while (end < s.size() && s[end] != s[at] && s[end] != '\n')
        end += s[end] == '\\' ? 2 : 1;
    return end + 1;
}

Text readText(const std::string& s)
{
    Text text;
    const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (std::size_t at = 0; at < s.size();) {
        if (const std::size_t end = skipped(s, at); end != at)
            at = end;
        else if (isWord(s[at])) {
            std::size_t stop = at; // digits may be grouped by quotes: 10'000
            while (stop < s.size() && (isWord(s[stop]) || (s[stop] == '\'' && std::isdigit(static_cast<unsigned char>(s[at])))))
                ++stop;
            text.words.push_back(s.substr(at, stop - at));
            at = stop;
        } else {
            if (s.compare(at, 2, "::") == 0)
                text.words.push_back("::");
            else if (!std::isspace(static_cast<unsigned char>(s[at])) && s[at] != ':')
                text.words.push_back({});
            ++at;
        }
    }
    text.known.insert(text.words.begin(), text.words.end());
    static const std::regex include("^\\s*#\\s*include\\s*\"([^\"]+)\"");
    std::istringstream lines(s);
    for (std::string line; std::getline(lines, line);)
        if (std::smatch match; line.find('#') != std::string::npos && std::regex_search(line, match, include))
            text.includes.push_back(match[1]);
    return text;
}

Tree readTree()
{
    Tree tree;
    for (const char* top : {"core", "ui", "app", "tests"})
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / top)) {
            const auto extension = entry.path().extension();
            if (extension != ".cpp" && extension != ".h")
                continue;
            std::ifstream stream(entry.path());
            const std::string content((std::istreambuf_iterator<char>(stream)), {});
            tree[fs::relative(entry.path(), kRoot).generic_string()] = readText(content);
        }
    return tree;
}

/// All files of the tree that `file` includes, directly or through others.
std::set<std::string> reachedFrom(const Tree& tree, const std::string& file)
{
    std::set<std::string> reached;
    for (std::vector<std::string> next = {file}; !next.empty();) {
        const std::string at = next.back();
        next.pop_back();
        for (const std::string& target : tree.at(at).includes) {
            const std::string beside = (fs::path(at).parent_path() / target).generic_string();
            for (const std::string& name : {target, beside})
                if (tree.count(name) && reached.insert(name).second)
                    next.push_back(name);
        }
    }
    return reached;
}

/// The namespaces below driftless:: that headers of core and ui open.
std::set<std::string> namespacesOf(const Tree& tree)
{
    std::set<std::string> out;
    for (const auto& [file, text] : tree)
        for (std::size_t i = 0; file.ends_with(".h") && i + 3 < text.words.size(); ++i)
            if (text.words[i] == "namespace" && text.words[i + 1] == "driftless" && text.words[i + 2] == "::")
                out.insert(text.words[i + 3]);
    return out;
}

/// "space::Name" of the sources that no file declares that they reach.
QByteArrayList undeclared(const Tree& tree)
{
    static const std::set<std::string> declaring{"class", "struct", "enum", "using", "namespace"};
    const std::set<std::string> spaces = namespacesOf(tree);
    QByteArrayList found;
    for (const auto& [file, text] : tree) {
        if (!file.ends_with(".cpp") || file.starts_with("tests/recipes/"))
            continue;
        const std::set<std::string> reached = reachedFrom(tree, file);
        std::set<std::string> own;
        for (std::size_t i = 0; i + 1 < text.words.size(); ++i)
            if (declaring.count(text.words[i]))
                own.insert(text.words[i + 1]);
        for (std::size_t i = 0; i + 2 < text.words.size(); ++i) {
            const std::string& name = text.words[i + 2];
            if (text.words[i + 1] != "::" || !spaces.count(text.words[i]) || name.empty() || own.count(name))
                continue;
            if (std::none_of(reached.begin(), reached.end(),
                             [&](const std::string& r) { return tree.at(r).known.count(name); })) {
                own.insert(name); // said once
                found << QByteArray::fromStdString(file + " names " + text.words[i] + "::" + name
                                                   + ", and no include of it does");
            }
        }
    }
    return found;
}

} // namespace

class TestNames : public QObject {
    Q_OBJECT

private slots:
    void everyNameComesWithAnInclude()
    {
        const Tree tree = readTree();
        QVERIFY2(tree.size() > 400 && namespacesOf(tree).size() > 10, "the tree was not found");
        const QByteArrayList found = undeclared(tree);
        QVERIFY2(found.isEmpty(), found.join('\n').constData());
    }

    void aMissingIncludeIsSeen()
    {
        Tree tree;
        tree["core/solve/Lu.h"] = readText("#pragma once\nnamespace driftless::solve {\nclass Lu {};\n}\n");
        tree["core/run/Part.h"] = readText("#include \"core/solve/Lu.h\"\n");
        tree["core/run/Good.cpp"] =
            readText("#include \"core/run/Part.h\"\nsolve::Lu lu; // solve::Other\nauto s = \"solve::Text\";\n");
        QVERIFY(undeclared(tree).isEmpty());
        tree["core/run/Bad.cpp"] = readText("const long big = 10'000;\nsolve::Lu lu;\n");
        QCOMPARE(undeclared(tree), QByteArrayList{"core/run/Bad.cpp names solve::Lu, and no include of it does"});
    }
};

QTEST_APPLESS_MAIN(TestNames)
#include "test_names.moc"
