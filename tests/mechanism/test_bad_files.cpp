// Broken and hostile model files: each gets one clear message with its place, none crashes or hangs.
//
// The files in tests/mechanism/bad state what to expect in their first line: "# expect: FRAGMENT @ LINE:COLUMN". Those too
// large or too odd for a repository are made here.
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <sys/stat.h>
#include <unistd.h>

#include "core/mechanism/ReadModel.h"
#include "core/system/Model.h"

using namespace driftless;
using namespace driftless::model;
namespace fs = std::filesystem;

namespace {

const fs::path kFolder = fs::path(DRIFTLESS_SOURCE_DIR) / "tests/mechanism/bad";

std::string firstLine(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    std::string line;
    std::getline(in, line);
    return line;
}

const std::string kHead = "format = 1\n[[body]]\nname = \"bob\"\nkind = \"point\"\nmass = 1.0\n";

std::string repeat(const std::string& part, std::size_t count)
{
    std::string out;
    out.reserve(part.size() * count);
    for (std::size_t i = 0; i < count; ++i)
        out += part;
    return out;
}

bool contains(const std::string& text, const char* fragment) { return text.find(fragment) != std::string::npos; }

} // namespace

class TestBadFiles : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void corpusIsLarge();
    void fileIsRefusedWithItsPlace_data();
    void fileIsRefusedWithItsPlace();
    void generatedTextIsRefused_data();
    void generatedTextIsRefused();
    void longChainsOfParametersAreRead();
    void truncationsNeverCrash();
    void flippedBytesNeverCrash();
    void pathIsRefused_data();
    void pathIsRefused();
    void hugeSparseFileIsRefusedBySize();

private:
    fs::path scratch_;
};

void TestBadFiles::initTestCase()
{
    scratch_ = fs::path(DRIFTLESS_SCRATCH_DIR) / "bad-models";
    fs::remove_all(scratch_);
    fs::create_directories(scratch_);
}

void TestBadFiles::corpusIsLarge()
{
    const auto count = std::distance(fs::directory_iterator(kFolder), fs::directory_iterator());
    QVERIFY(count >= 100);
}

void TestBadFiles::fileIsRefusedWithItsPlace_data()
{
    QTest::addColumn<QString>("path");
    for (const fs::directory_entry& entry : fs::directory_iterator(kFolder))
        QTest::newRow(entry.path().stem().c_str()) << QString::fromStdString(entry.path().string());
}

void TestBadFiles::fileIsRefusedWithItsPlace()
{
    QFETCH(QString, path);
    const std::string line = firstLine(path.toStdString());
    std::smatch expected;
    QVERIFY2(std::regex_match(line, expected, std::regex("# expect: (.+) @ (\\d+):(\\d+)")), line.c_str());
    const auto model = openModel(path.toStdString());
    QVERIFY(!model.ok());
    const Diagnostic& d = model.error();
    const std::string text = d.text();
    QVERIFY2(contains(text, expected[1].str().c_str()), text.c_str());
    QVERIFY2(!d.what.empty() && (!d.why.empty() || !d.remedy.empty()), text.c_str());
    QCOMPARE(d.position.file, path.toStdString());
    QVERIFY2(d.position.line == std::stoi(expected[2]) && d.position.column == std::stoi(expected[3]), text.c_str());
    constexpr std::size_t kReadable = 1200;
    QVERIFY2(text.size() < kReadable + path.size(), text.c_str());
    QVERIFY(text.find('\n') == std::string::npos || contains(line, "not valid TOML"));
}

void TestBadFiles::generatedTextIsRefused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("fragment");
    const auto row = [](const char* name, const std::string& text, const char* fragment) {
        QTest::newRow(name) << QByteArray::fromStdString(text) << QString(fragment);
    };
    constexpr std::size_t kMillion = 1'000'000;
    row("a million parentheses", kHead + "x = \"" + repeat("(", kMillion) + "1" + repeat(")", kMillion) + "\"\n",
        "more than the 100000 allowed");
    row("many parentheses", kHead + "x = \"" + repeat("(", 40'000) + "1" + repeat(")", 40'000) + "\"\n", "nested");
    row("many signs", kHead + "x = \"" + repeat("-", 90'000) + "1\"\n", "nested");
    row("many powers", kHead + "x = \"" + repeat("2^", 40'000) + "1\"\n", "x");
    row("a million brackets", kHead + "x = " + repeat("[", kMillion) + "\n", "nested too deeply");
    row("a million braces", kHead + "x = " + repeat("{a=", kMillion) + "\n", "nested too deeply");
    row("a million dots", kHead + "x" + repeat(".x", kMillion) + " = 1\n", "too many parts");
    row("a header of a million dots", kHead + "[x" + repeat(".x", kMillion) + "]\n", "too many parts");
    row("a million zeros", kHead + "x = [" + repeat("0,", kMillion - 10) + "0]\n", "too long");
    row("two million zeros", kHead + "x = [" + repeat("0,", 2 * kMillion - 100) + "0]\n", "too many values");
    row("a number of a million digits", kHead + "x = " + repeat("9", kMillion) + "\n", "not valid TOML");
    row("a fraction of a million digits", kHead + "x = 0." + repeat("9", kMillion) + "\n", "not valid TOML");
    row("a name of a million letters", kHead + repeat("x", kMillion) + " = 1\n", "Unknown key");
    row("a text of a million letters", kHead + "x = \"" + repeat("x", kMillion) + "\"\n", "more than the 100000 allowed");
    row("quotes only", repeat("\"", kMillion), "not valid TOML");
    row("newlines only", repeat("\n", kMillion - 1), "\"format\" is missing");
    row("a comment only", "#" + repeat("x", kMillion), "\"format\" is missing");
    row("NUL bytes only", std::string(kMillion, '\0'), "NUL byte");
    row("noise", repeat("\xff\xfe\x80", kMillion / 3), "not UTF-8");
    row("too large", repeat("#xxxxxxxx\n", 500'000), "too large");
    std::ostringstream tables, bodies, parameters, circle;
    for (int i = 0; i < 100'000; ++i) {
        tables << "[a" << i << ".b]\n";
        if (i <= 20'000)
            bodies << "[[body]]\n";
        if (i <= 10'000)
            parameters << "p" << i << " = 1\n";
        if (i < 9'000)
            circle << "p" << i << " = \"p" << (i + 1) % 9'000 << "\"\n";
    }
    row("many tables", "format = 1\n" + tables.str(), "Unknown key \"a0\"");
    row("too many bodies", "format = 1\n" + bodies.str(), "too many tables [[body]]");
    row("too many parameters", "format = 1\n[parameters]\n" + parameters.str(), "too many parameters");
    row("a circle of 9000 parameters", "format = 1\n[parameters]\n" + circle.str(), "in a circle");
}

void TestBadFiles::generatedTextIsRefused()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, fragment);
    const auto model = readModel(std::string_view(text.constData(), static_cast<std::size_t>(text.size())), "generated.toml");
    QVERIFY(!model.ok());
    const std::string message = model.error().text();
    constexpr std::size_t kReadable = 1200;
    QVERIFY2(contains(message, fragment.toUtf8().constData()), message.substr(0, kReadable).c_str());
    QVERIFY2(message.size() < kReadable, message.substr(0, kReadable).c_str());
    QCOMPARE(model.error().position.file, std::string("generated.toml"));
}

void TestBadFiles::longChainsOfParametersAreRead()
{
    std::ostringstream text;
    text << "format = 1\n[parameters]\np0 = 0.5\n";
    constexpr int kLength = 5'000;
    for (int i = 1; i < kLength; ++i)
        text << 'p' << i << " = \"p" << i - 1 << " + 1\"\n";
    text << "[[body]]\nname = \"bob\"\nkind = \"point\"\nmass = 1\nx = \"p" << kLength - 1 << "\"\n";
    const auto model = readModel(text.str(), "chain.toml");
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().text().c_str());
    QCOMPARE((*model)->system.parameters.size(), std::size_t(1));
    QCOMPARE((*model)->system.coordinates[0].position.value, kLength - 0.5);
}

void TestBadFiles::truncationsNeverCrash()
{
    const auto whole = openModel("slider-crank");
    QVERIFY(whole.ok());
    const std::string& text = (*whole)->text;
    // Every cut leaves a refusal or a model: whatever comes back, it has to come back.
    int refused = 0;
    for (std::size_t length = 0; length < text.size(); length += 7)
        refused += readModel(text.substr(0, length), "cut.toml").ok() ? 0 : 1;
    QVERIFY(refused > 100);
}

void TestBadFiles::flippedBytesNeverCrash()
{
    const auto whole = openModel("cart-pendulum");
    QVERIFY(whole.ok());
    int refused = 0;
    for (std::size_t i = 0; i < (*whole)->text.size(); i += 5) {
        std::string text = (*whole)->text;
        text[i] = static_cast<char>(text[i] ^ (1 << (i % 8)));
        const auto model = readModel(text, "flipped.toml");
        if (model.ok())
            continue;
        ++refused;
        QVERIFY2(!model.error().what.empty() && model.error().position.line > 0, model.error().text().c_str());
    }
    QVERIFY(refused > 100);
}

void TestBadFiles::pathIsRefused_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("fragment");
    const std::string pipe = (scratch_ / "pipe.toml").string();
    QVERIFY(::mkfifo(pipe.c_str(), 0600) == 0 || errno == EEXIST);
    const fs::path loop = scratch_ / "loop.toml";
    std::error_code error;
    fs::create_symlink(loop, loop, error);
    fs::create_directories(scratch_ / "folder.toml");
    const auto row = [](const char* name, const std::string& path, const char* fragment) {
        QTest::newRow(name) << QString::fromStdString(path) << QString(fragment);
    };
    row("nothing", "", "No model is named");
    row("unknown name", "pendulm", "did you mean \"pendulum\"");
    row("far from any name", "qqqqqqqq", "shipped are");
    row("missing file", (scratch_ / "missing.toml").string(), "no such file");
    row("directory", (scratch_ / "folder.toml").string(), "directory");
    row("pipe", pipe, "not a regular file");
    row("endless device", "/dev/zero", "not a regular file");
    row("loop of links", loop.string(), "no such file");
    row("equation model", "ring.mo", "is not a mechanism");
    row("endless path", std::string(100'000, 'a') + ".toml", "no such file");
}

void TestBadFiles::pathIsRefused()
{
    QFETCH(QString, path);
    QFETCH(QString, fragment);
    const auto model = openModel(path.toStdString());
    QVERIFY(!model.ok());
    QVERIFY2(contains(model.error().text(), fragment.toUtf8().constData()), model.error().text().substr(0, 500).c_str());
}

void TestBadFiles::hugeSparseFileIsRefusedBySize()
{
    const std::string path = (scratch_ / "huge.toml").string();
    {
        std::ofstream out(path, std::ios::binary);
        out << "format = 1\nx = 1";
    }
    constexpr std::uintmax_t kGigabyte = 1u << 30;
    fs::resize_file(path, kGigabyte);
    const auto model = openModel(path);
    fs::remove(path);
    QVERIFY(!model.ok());
    QVERIFY2(contains(model.error().text(), "1073741824 bytes"), model.error().text().c_str());
}

QTEST_APPLESS_MAIN(TestBadFiles)
#include "test_bad_files.moc"
