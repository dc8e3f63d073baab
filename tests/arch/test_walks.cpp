// The drawings of docs/architecture.md: every class, function and room that they name is there.
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

const fs::path kTop = DRIFTLESS_SOURCE_DIR;

std::string wholeText(const fs::path& path)
{
    std::stringstream out;
    out << std::ifstream(path, std::ios::binary).rdbuf();
    return out.str();
}

/// What stands between ``` and ```.
std::vector<std::string> drawings(const std::string& page)
{
    std::vector<std::string> out;
    std::istringstream lines(page);
    bool within = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind("```", 0) == 0) {
            within = !within;
            if (within)
                out.emplace_back();
        } else if (within)
            out.back() += line + '\n';
    }
    return out;
}

std::set<std::string> matches(const std::string& text, const char* pattern)
{
    const std::regex expression(pattern);
    std::set<std::string> out;
    for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it)
        out.insert(it->str());
    return out;
}

bool hasWord(const std::string& text, const std::string& word)
{
    const auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        if ((at == 0 || !part(text[at - 1])) && (at + word.size() == text.size() || !part(text[at + word.size()])))
            return true;
    return false;
}

class Sources {
public:
    Sources()
    {
        for (const char* top : {"core", "ui", "app"})
            for (const auto& entry : fs::recursive_directory_iterator(kTop / top))
                if (entry.path().extension() == ".h" || entry.path().extension() == ".cpp")
                    texts_.push_back(wholeText(entry.path()));
    }

    std::size_t count() const { return texts_.size(); }
    /// "Newton", "Run::Impl::intend": the member stands beside its class, or is defined with its name.
    bool know(const std::string& name) const
    {
        const auto split = name.rfind("::");
        if (split == std::string::npos)
            return any([&](const std::string& text) { return hasWord(text, name); });
        const std::string member = name.substr(split + 2), rest = name.substr(0, split);
        const auto before = rest.rfind("::");
        const std::string owner = before == std::string::npos ? rest : rest.substr(before + 2);
        return any([&](const std::string& text) {
            if (hasWord(text, owner + "::" + member))
                return true;
            for (const char* kind : {"class ", "struct ", "namespace "})
                if (hasWord(text, kind + owner) && hasWord(text, member))
                    return true;
            return false;
        });
    }

private:
    template <class Is>
    bool any(Is is) const
    {
        for (const std::string& text : texts_)
            if (is(text))
                return true;
        return false;
    }

    std::vector<std::string> texts_;
};

/// Names with two humps or with ::, and rooms.
QStringList unknownOf(const Sources& sources, const std::string& drawing)
{
    QStringList out;
    for (const std::string& name :
         matches(drawing, R"(\b[A-Za-z_]\w*(::[A-Za-z_]\w*)+|\b[A-Z][a-z]+([A-Z][a-z]*)+\b|\b[a-z]+[A-Z]\w*)"))
        if (!sources.know(name))
            out << QString::fromStdString(name);
    for (const std::string& path : matches(drawing, R"(\b(core|ui|app|tests)/[\w/.]*\w)"))
        if (!fs::exists(kTop / path))
            out << QString::fromStdString(path);
    return out;
}

} // namespace

class TestWalks : public QObject {
    Q_OBJECT
private slots:
    void drawings_nameWhatIsThere()
    {
        const Sources sources;
        QVERIFY2(sources.count() > 50, "the tree was not found");
        const auto all = drawings(wholeText(kTop / "docs" / "architecture.md"));
        QVERIFY2(all.size() >= 4, "the way from a text to a step, and three walks");
        for (const std::string& drawing : all) {
            const QStringList unknown = unknownOf(sources, drawing);
            QVERIFY2(unknown.isEmpty(), ("docs/architecture.md names " + unknown.join(", ")).toUtf8().constData());
            QVERIFY2(matches(drawing, R"(\w+::\w+)").size() >= 3, "the names are found");
        }
    }

    void namesThatAreGone_areTold()
    {
        const Sources sources;
        const QStringList told =
            unknownOf(sources, "Run::Impl::conjure  RunControl::setPivot  PivotHouse core/nowhere core/run conjureAll()");
        QCOMPARE(told, (QStringList{"PivotHouse", "Run::Impl::conjure", "conjureAll", "core/nowhere"}));
    }
};

QTEST_GUILESS_MAIN(TestWalks)
#include "test_walks.moc"
