// The rooms' order: reads every #include of core, ui and app and compares it with the table in CONTRIBUTING.md.
//
// The table is the rule and this test its only reader, so that what a newcomer is told and what is enforced are one.
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

struct Include {
    std::string file; ///< from the root, with forward slashes
    int line;
    std::string target;
    bool system; ///< <...> instead of "..."
};

struct Source {
    std::string file;
    std::string room; ///< "core/expr", "ui/views", "app"
    int lines = 0;
    std::vector<Include> includes;
};

const fs::path kRoot = DRIFTLESS_SOURCE_DIR;

std::string roomOf(const std::string& path)
{
    const auto first = path.find('/');
    if (first == std::string::npos)
        return {};
    const std::string top = path.substr(0, first);
    if (top == "app")
        return top;
    const auto second = path.find('/', first + 1);
    return second == std::string::npos ? std::string() : path.substr(0, second);
}

Source readSource(const fs::path& path)
{
    static const std::regex pattern("^\\s*#\\s*include\\s*([<\"])([^>\"]+)[>\"]");
    Source source;
    source.file = fs::relative(path, kRoot).generic_string();
    source.room = roomOf(source.file);
    std::ifstream stream(path);
    for (std::string line; std::getline(stream, line);) {
        ++source.lines;
        std::smatch match;
        if (line.find("include") != std::string::npos && std::regex_search(line, match, pattern))
            source.includes.push_back({source.file, source.lines, match[2], match[1] == "<"});
    }
    return source;
}

std::vector<Source> readTree()
{
    std::vector<Source> sources;
    for (const char* top : {"core", "ui", "app"})
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / top)) {
            const auto extension = entry.path().extension();
            if (extension == ".cpp" || extension == ".h")
                sources.push_back(readSource(entry.path()));
        }
    return sources;
}

/// Rows "| `room` | `allowed`, `allowed` | ... |" of CONTRIBUTING.md.
std::map<std::string, std::set<std::string>> readTable()
{
    static const std::regex row(R"(^\|\s*`((?:core|ui)/\w+|app)`\s*\|([^|]*)\|)");
    static const std::regex name(R"(`([\w/]+)`)");
    std::map<std::string, std::set<std::string>> table;
    std::ifstream stream(kRoot / "CONTRIBUTING.md");
    for (std::string line; std::getline(stream, line);) {
        std::smatch match;
        if (!std::regex_search(line, match, row))
            continue;
        auto& allowed = table[match[1]];
        const std::string cell = match[2];
        for (std::sregex_iterator it(cell.begin(), cell.end(), name), end; it != end; ++it)
            allowed.insert((*it)[1]);
    }
    return table;
}

bool startsWith(const std::string& text, const std::string& prefix) { return text.rfind(prefix, 0) == 0; }

bool isQt(const Include& include)
{
    static const std::regex pattern(R"(^(Q[A-Z]\w*|Qt\w*/.*|q[a-z]+\.h)$)");
    return std::regex_search(include.target, pattern);
}

bool isVtk(const Include& include) { return startsWith(include.target, "vtk"); }

QByteArray describe(const Include& include)
{
    return QByteArray::fromStdString(include.file + ":" + std::to_string(include.line) + " includes " + include.target);
}

} // namespace

class TestIncludes : public QObject {
    Q_OBJECT
    std::vector<Source> sources_;
    std::map<std::string, std::set<std::string>> table_;

    template <typename Rule>
    void forbid(const std::string& where, Rule broken)
    {
        QByteArrayList found;
        for (const Source& source : sources_)
            if (startsWith(source.file, where))
                for (const Include& include : source.includes)
                    if (broken(include))
                        found << describe(include);
        QVERIFY2(found.isEmpty(), found.join('\n').constData());
    }

private slots:
    void initTestCase()
    {
        sources_ = readTree();
        table_ = readTable();
        QVERIFY2(sources_.size() > 50, "the tree was not found");
        QVERIFY2(table_.size() >= 15, "the table of rooms was not found in CONTRIBUTING.md");
    }

    void everyRoomIsInTheTable()
    {
        for (const Source& source : sources_)
            QVERIFY2(table_.count(source.room), (source.file + " lies in no room of CONTRIBUTING.md's table").c_str());
    }

    void tableHasNoCycle()
    {
        // Kahn's algorithm: rooms whose allowed rooms are all done; nothing left over means an order exists.
        auto open = table_;
        for (bool progress = true; progress && !open.empty();) {
            progress = false;
            for (auto it = open.begin(); it != open.end();) {
                bool free = true;
                for (const auto& room : it->second)
                    free = free && !open.count(room);
                it = free ? (progress = true, open.erase(it)) : std::next(it);
            }
        }
        QVERIFY2(open.empty(), open.empty() ? "" : ("a cycle through " + open.begin()->first).c_str());
    }

    void everyEdgeIsAllowed()
    {
        QByteArrayList found;
        int edges = 0;
        for (const Source& source : sources_)
            for (const Include& include : source.includes) {
                const std::string room = roomOf(include.target);
                if (include.system || !table_.count(room) || room == source.room)
                    continue;
                ++edges;
                if (!table_[source.room].count(room))
                    found << describe(include);
            }
        QVERIFY2(edges > 50, "hardly any edge was seen: the reader of includes is broken");
        QVERIFY2(found.isEmpty(), found.join('\n').constData());
    }

    void projectIncludesStartAtTheRoot()
    {
        forbid("", [](const Include& include) {
            return !include.system && roomOf(include.target).empty() && !include.target.ends_with(".moc");
        });
    }

    void coreKnowsNeitherQtNorVtk()
    {
        forbid("core/", [](const Include& include) { return isQt(include) || isVtk(include); });
    }
    void sceneKnowsNoQt() { forbid("ui/scene/", isQt); }
    void panelsAndDocumentKnowNoVtk()
    {
        forbid("ui/panels/", isVtk);
        forbid("ui/document/", isVtk);
    }
    void documentKnowsNoWidgets()
    {
        forbid("ui/document/", [](const Include& include) {
            return include.target == "QWidget" || include.target == "QApplication" || startsWith(include.target, "QtWidgets");
        });
    }
    void plotLibraryStaysBehindOneHeader()
    {
        // Only the sources of PlotView include its insides, so the library is known behind PlotView.h alone.
        forbid("", [](const Include& include) {
            return include.target == "qcustomplot.h" && include.file != "ui/views/PlotViewImpl.h";
        });
        forbid("", [](const Include& include) {
            static const std::set<std::string> own{"ui/views/PlotView.cpp", "ui/views/PlotPens.cpp", "ui/views/PlotDrawing.cpp",
                                                   "ui/views/PlotCorners.cpp"};
            return include.target == "ui/views/PlotViewImpl.h" && !own.contains(include.file);
        });
    }

    /// The parts of a run are classes whose data are private; none knows the run that owns it, and each only parts before it.
    /// So a part can be made, tested and replaced alone.
    void partsOfARunKnowNoRunAndOnlyPartsBeforeThem()
    {
        const std::vector<std::string> parts = {"Recorder", "Published",      "Refusals",           "Gesture", "Monitors",
                                                "Stepper",  "Selector",       "CoordinateSelector", "States",  "CoreMaker",
                                                "RowProbe", "FailureReasons", "StartRemarks",       "Planner"};
        const std::string room = "core/run/";
        const auto stem = [](const std::string& path) { return fs::path(path).stem().string(); };
        std::map<std::string, std::set<std::string>> includes; // header and source are one
        QByteArrayList found;
        for (const Source& source : sources_)
            if (startsWith(source.file, room))
                for (const Include& include : source.includes)
                    if (startsWith(include.target, room) && stem(include.target) != stem(source.file))
                        includes[stem(source.file)].insert(stem(include.target));
        for (std::size_t i = 0; i < parts.size(); ++i) {
            QVERIFY2(includes.count(parts[i]), (parts[i] + ": this part was not found").c_str());
            std::set<std::string> reached;
            for (std::vector<std::string> next = {parts[i]}; !next.empty();) {
                const std::string at = next.back();
                next.pop_back();
                for (const std::string& other : includes[at])
                    if (reached.insert(other).second)
                        next.push_back(other);
            }
            for (const char* whole : {"Run", "RunImpl", "Laboratory"})
                if (reached.count(whole))
                    found << QByteArray::fromStdString(parts[i] + " reaches " + whole);
            for (std::size_t later = i + 1; later < parts.size(); ++later)
                if (reached.count(parts[later]))
                    found << QByteArray::fromStdString(parts[i] + " reaches " + parts[later]);
            std::ifstream header(kRoot / room / (parts[i] + ".h"));
            for (std::string line; std::getline(header, line);)
                if (line.find("friend ") != std::string::npos)
                    found << QByteArray::fromStdString(parts[i] + " shows its private data to a friend");
        }
        QVERIFY2(found.isEmpty(), found.join('\n').constData());
    }

    /// A writer of its own forgets something: that a disk is full, that a good older file stands there, that it is a link.
    void filesAreWrittenInOnePlace()
    {
        static const std::regex writing(
            R"(\bofstream\b|\bfopen\b|\bQSaveFile\b|\bQTemporaryFile\b|QFile::WriteOnly|\.save\(\s*[^&)\s])");
        QByteArrayList found;
        bool writer = false;
        for (const Source& source : sources_) {
            std::ifstream stream(kRoot / source.file);
            int number = 0;
            for (std::string line; std::getline(stream, line);) {
                ++number;
                writer = writer || (source.file == "core/text/WholeFile.cpp" && line.find("::rename(") != std::string::npos);
                const bool candidate = line.find("fstream") != std::string::npos || line.find("File") != std::string::npos
                                       || line.find("fopen") != std::string::npos || line.find(".save(") != std::string::npos;
                if (candidate && std::regex_search(line, writing))
                    found << QByteArray::fromStdString(source.file + ":" + std::to_string(number)
                                                       + " writes a file: core/text/WholeFile does that");
            }
        }
        QVERIFY2(writer, "the one writer was not found");
        QVERIFY2(found.isEmpty(), found.join('\n').constData());
    }

    /// Clang 14 does not compile those of the library of GCC 12 that return a subrange, and the fuzzers are built with it.
    void algorithmsAreThoseThatBothCompilersKnow()
    {
        static const std::regex returning(
            R"(ranges::(unique|remove|remove_if|partition|stable_partition|rotate|search|equal_range|find_end)\b|\bviews::)");
        QByteArrayList found;
        for (const Source& source : sources_) {
            if (startsWith(source.file, "ui/"))
                continue;
            std::ifstream stream(kRoot / source.file);
            int number = 0;
            for (std::string line; std::getline(stream, line);)
                if (++number; line.find("::") != std::string::npos && std::regex_search(line, returning))
                    found << QByteArray::fromStdString(source.file + ":" + std::to_string(number)
                                                       + " does not compile with clang 14: write the algorithm of std::");
        }
        QVERIFY2(found.isEmpty(), found.join('\n').constData());
    }

    void filesStayReadable()
    {
        // Advice: headers 250 lines, sources 600. Formatting by machine added up to a tenth; functions and classes are what
        // counts.
        constexpr int kHeaderLines = 265, kSourceLines = 640;
        QByteArrayList found;
        for (const Source& source : sources_) {
            const bool header = source.file.ends_with(".h");
            if (source.lines > (header ? kHeaderLines : kSourceLines))
                found << QByteArray::fromStdString(source.file + ": " + std::to_string(source.lines) + " lines");
            const std::string stem = fs::path(source.file).stem().string();
            if (stem.find("Util") != std::string::npos || stem.find("Helper") != std::string::npos)
                found << QByteArray::fromStdString(source.file + ": the name does not say what is in it");
        }
        QVERIFY2(found.isEmpty(), found.join('\n').constData());
    }

    void headersAreGuardedOnce()
    {
        for (const Source& source : sources_) {
            if (!source.file.ends_with(".h"))
                continue;
            std::ifstream stream(kRoot / source.file);
            const std::string text((std::istreambuf_iterator<char>(stream)), {});
            QVERIFY2(text.find("#pragma once") != std::string::npos, source.file.c_str());
        }
    }
};

QTEST_APPLESS_MAIN(TestIncludes)
#include "test_includes.moc"
