// The one writer of files: what it makes is whole or not there, and a good older file survives every failure of the disk.
#include <QtTest>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include <fcntl.h>
#include <grp.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/text/PartFile.h"
#include "core/text/PathText.h"
#include "core/text/WholeFile.h"

using namespace driftless;

namespace {

namespace fs = std::filesystem;

std::string contentOf(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void put(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

int filesIn(const std::string& folder)
{
    return static_cast<int>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

int modeOf(const std::string& path)
{
    struct stat s = {};
    return ::stat(path.c_str(), &s) == 0 ? static_cast<int>(s.st_mode & 07777) : -1;
}

/// No file of this process grows beyond it while this lives.
class Limit {
public:
    explicit Limit(rlim_t bytes)
    {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit now{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &now);
    }
    ~Limit() { ::setrlimit(RLIMIT_FSIZE, &before_); }
    Limit(const Limit&) = delete;
    Limit& operator=(const Limit&) = delete;

private:
    rlimit before_ = {};
};

/// Written in pieces of random sizes.
Result<void> writeInPieces(const std::string& path, const std::string& bytes, std::mt19937_64& random)
{
    auto file = WholeFile::create(path);
    if (!file)
        return file.error();
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t size = std::min<std::size_t>(bytes.size() - at, 1 + random() % 40'000);
        if (auto done = file->write(std::string_view(bytes).substr(at, size)); !done)
            return done;
        at += size;
    }
    return file->commit();
}

std::string noise(std::size_t size, std::mt19937_64& random)
{
    std::string out(size, '\0');
    for (char& c : out)
        c = static_cast<char>(random() & 0xff);
    return out;
}

} // namespace

class TestWholeFile : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::string at(const std::string& name) const { return folder_.path().toStdString() + "/" + name; }

private slots:
    void init()
    {
        fs::remove_all(folder_.path().toStdString()); // Qt does not see every name
        QVERIFY(QDir().mkpath(folder_.path()));
    }
    void cleanupTestCase() { fs::remove_all(folder_.path().toStdString()); }

    void contentArrivesToTheLastByte()
    {
        std::mt19937_64 random(11);
        for (const std::size_t size : {0, 1, 65535, 65536, 65537, 1'000'000}) {
            const std::string bytes = noise(size, random);
            QVERIFY(writeInPieces(at("a.bin"), bytes, random));
            QVERIFY(contentOf(at("a.bin")) == bytes);
        }
        QCOMPARE(filesIn(folder_.path().toStdString()), 1);
    }

    /// Wherever the disk refuses, the older file is as it was, nothing lies beside it, and the message names it.
    void olderFileSurvivesADiskThatStopsAnywhere()
    {
        std::mt19937_64 random(12);
        const std::string old = "a good older file";
        for (int k = 0; k < 100; ++k) {
            const std::string bytes = noise(1 + random() % 300'000, random);
            put(at("a.bin"), old);
            const rlim_t most = random() % bytes.size();
            Result<void> done;
            {
                const Limit limit(most);
                done = writeInPieces(at("a.bin"), bytes, random);
            }
            QVERIFY2(!done, qPrintable(QString("%1 of %2 bytes").arg(most).arg(bytes.size())));
            QVERIFY(done.error().text().find(at("a.bin")) != std::string::npos);
            QVERIFY(contentOf(at("a.bin")) == old);
            QCOMPARE(filesIn(folder_.path().toStdString()), 1);
        }
    }

    void afterTheFirstFailureNothingMoreIsTaken()
    {
        put(at("a.bin"), "old");
        auto file = WholeFile::create(at("a.bin"));
        QVERIFY(file);
        {
            const Limit limit(100'000);
            QVERIFY(file->write(std::string(90'000, 'a')));
            QVERIFY(!file->write(std::string(90'000, 'b')));
        }
        QVERIFY(!file->write("c")); // the disk would take it again: the file would have a hole
        QVERIFY(!file->commit());
        QVERIFY(contentOf(at("a.bin")) == "old");
    }

    void fullDisk()
    {
        QVERIFY(QDir().mkpath(QString::fromStdString(at("disk"))));
        if (::mount("none", at("disk").c_str(), "tmpfs", 0, "size=256k") != 0)
            QSKIP("a small disk can only be made by an administrator");
        const std::string path = at("disk/a.bin");
        put(path, "old");
        const auto full = writeWholeFile(path, std::string(1'000'000, 'x'));
        const std::string left = contentOf(path);
        const int count = filesIn(at("disk"));
        const auto fits = writeWholeFile(path, "new");
        const std::string right = contentOf(path);
        ::umount(at("disk").c_str());
        QVERIFY(!full && full.error().text().find("the disk is full") != std::string::npos);
        QVERIFY(left == "old" && count == 1);
        QVERIFY(fits && right == "new");
    }

    void onlyAKnownFileIsReplaced()
    {
        const std::string path = at("known");
        const auto holding = [](std::string content) {
            return [content](const std::string& p) { return contentOf(p) == content; };
        };
        const auto made = writeWholeFileOver(path, "a", [](const std::string&) { return false; });
        QVERIFY(made && *made); // there was nothing to ask about
        const auto known = writeWholeFileOver(path, "b", holding("a"));
        QVERIFY(known && *known && contentOf(path) == "b");
        const auto anothers = writeWholeFileOver(path, "c", holding("a"));
        QVERIFY(anothers && !*anothers && contentOf(path) == "b");
        QCOMPARE(filesIn(folder_.path().toStdString()), 1);
    }

    /// The look is at the file that gives way, not at the one that stood there before.
    void whatIsWrittenAfterTheLookStays()
    {
        const std::string path = at("known");
        put(path, "old");
        int looks = 0;
        const auto late = [&](const std::string& p) {
            const bool known = contentOf(p) == "old";
            if (p == path && ++looks == 2) // the last look before the replacing
                (void)writeWholeFile(path, "theirs");
            return known;
        };
        const auto done = writeWholeFileOver(path, "mine", late);
        QVERIFY(done && !*done);
        QCOMPARE(looks, 2);
        QVERIFY(contentOf(path) == "theirs");
        QCOMPARE(filesIn(folder_.path().toStdString()), 1);
    }

    /// Where it cannot be put back either, it is kept all the same, and the message says where.
    void whatGaveWayIsNeverRemoved()
    {
        const std::string path = at("shared/known");
        QVERIFY(QDir().mkpath(QString::fromStdString(at("shared"))));
        QVERIFY(::chmod(folder_.path().toUtf8().constData(), 0755) == 0 && ::chmod(at("shared").c_str(), 0777) == 0);
        put(path, "theirs");
        QVERIFY(::chmod(path.c_str(), 0666) == 0);
        if (::geteuid() != 0 || ::seteuid(65534) != 0)
            QSKIP("only an administrator can close another's folder");
        std::string beside;
        const auto closing = [&](const std::string& p) {
            if (p == path)
                return true; // as it was at the look
            beside = p;
            return ::seteuid(0) != 0 || ::chmod(at("shared").c_str(), 0555) != 0 || ::seteuid(65534) != 0;
        };
        const auto done = writeWholeFileOver(path, "mine", closing);
        QVERIFY(::seteuid(0) == 0 && ::chmod(at("shared").c_str(), 0755) == 0);
        QVERIFY(!done);
        QVERIFY2(done.error().text().find(beside) != std::string::npos, done.error().text().c_str());
        QVERIFY(contentOf(beside) == "theirs");
    }

    /// Two who count in one file: each success is counted.
    void noUpdateIsLost()
    {
        constexpr int kTries = 40;
        const std::string path = at("count");
        put(path, "0");
        std::atomic<int> successes{0};
        const auto counting = [&] {
            for (int i = 0; i < kTries; ++i) {
                const std::string now = contentOf(path);
                const auto known = [&now](const std::string& p) { return contentOf(p) == now; };
                const auto done = writeWholeFileOver(path, std::to_string(std::stoi(now) + 1), known);
                successes += done && *done ? 1 : 0;
            }
        };
        std::thread other(counting);
        counting();
        other.join();
        QCOMPARE(std::stoi(contentOf(path)), successes.load());
        QVERIFY(successes > 0);
    }

    void namesUnderWayAreKnown()
    {
        for (const std::string& name :
             {std::string("a"), std::string("a.csv"), std::string("a.tar.gz"), std::string(".hidden"),
              std::string("caf\xe9.part"), std::string(255, 'n'), std::string("a."), std::string("x.12-3.part.csv")})
            QVERIFY2(isPartName(partName(name, 7)), name.c_str());
        for (const char* name :
             {"", ".", "..", ".part", ".a.part", ".a.1-.part", ".a.-1.part", ".1-1.part", "..1-1.part", "a.1-1.part",
              ".a.1-1.parts", ".a.1-1.part.csv.replaced", ".a.x1-1.part", ".a.1-1.PART", "a.csv"})
            QVERIFY2(!isPartName(name), name);
    }

    /// What a killed program had under way goes with the next writing in its folder; and nothing else does.
    void whatWasLeftBehindGoes()
    {
        const auto old = [this](const std::string& name) {
            put(at(name), "half");
            fs::last_write_time(at(name), fs::file_time_type::clock::now() - std::chrono::seconds(2 * kLeftSeconds));
        };
        const std::string left = partName("a.csv", 1'000'000);
        for (const std::string& name : {left, std::string("a.1-1.part.csv"), std::string(".b.csv"), left + ".replaced"})
            old(name);
        put(at(partName("a.csv", 1'000'001)), "another has just made it");
        old(partName("a.csv", 1'000'002));
        const int held = ::open(at(partName("a.csv", 1'000'002)).c_str(), O_RDWR | O_CLOEXEC);
        claimPart(held);
        old("target");
        fs::create_symlink("target", at(partName("a.csv", 1'000'003)));
        fs::create_hard_link(at("target"), at(partName("a.csv", 1'000'004)));
        QVERIFY(QDir().mkpath(QString::fromStdString(at(partName("a.csv", 1'000'005)))));

        const int before = filesIn(folder_.path().toStdString());
        QVERIFY(writeWholeFile(at("b"), "new"));
        QVERIFY(!fs::exists(at(left)));
        QCOMPARE(filesIn(folder_.path().toStdString()), before); // one went, one came
        ::close(held);                                           // its writer died
        QVERIFY(checkWritable(at("b")));
        QVERIFY(!fs::exists(at(partName("a.csv", 1'000'002))));
        QCOMPARE(filesIn(folder_.path().toStdString()), before - 1);
    }

    /// Thousands of files written into one folder do not look through all of it thousands of times.
    void aLargeFolderIsLookedThroughOnceInAWhile()
    {
        QTemporaryDir large;
        const auto in = [&](const std::string& name) { return large.path().toStdString() + "/" + name; };
        for (int i = 0; i < 300; ++i)
            put(in("run-" + std::to_string(i)), "done");
        const auto leave = [&](const std::string& name) {
            put(in(name), "half");
            fs::last_write_time(in(name), fs::file_time_type::clock::now() - std::chrono::seconds(2 * kLeftSeconds));
        };
        const std::string first = partName("a.csv", 2'000'000), second = partName("a.csv", 2'000'001);
        leave(first);
        QVERIFY(writeWholeFile(in("b"), "new"));
        QVERIFY(!fs::exists(in(first)));
        leave(second);
        QVERIFY(writeWholeFile(in("c"), "new"));
        QVERIFY(fs::exists(in(second)));
        // A small folder is looked through each time.
        leave("../" + QFileInfo(folder_.path()).fileName().toStdString() + "/" + second);
        QVERIFY(writeWholeFile(at("c"), "new"));
        QVERIFY(!fs::exists(at(second)));
    }

    /// A writer that has written nothing for long keeps its file while others write there.
    void whoIsSlowKeepsItsFile()
    {
        auto slow = WholeFile::create(at("slow"));
        QVERIFY(slow && slow->write("a"));
        for (const auto& entry : fs::directory_iterator(folder_.path().toStdString()))
            fs::last_write_time(entry.path(), fs::file_time_type::clock::now() - std::chrono::seconds(2 * kLeftSeconds));
        QVERIFY(writeWholeFile(at("other"), "b"));
        QVERIFY(slow->commit());
        QVERIFY(contentOf(at("slow")) == "a");
    }

    void permissionsAreKept()
    {
        const mode_t before = ::umask(022);
        QVERIFY(writeWholeFile(at("new"), "a"));
        QCOMPARE(modeOf(at("new")), 0644);
        for (const mode_t mode : {0600, 0640, 0666, 0755}) {
            QVERIFY(::chmod(at("new").c_str(), mode) == 0);
            QVERIFY(writeWholeFile(at("new"), "b"));
            QCOMPARE(modeOf(at("new")), static_cast<int>(mode));
        }
        ::umask(before);
    }

    /// The group and its rights stay together; another group is not given them.
    void groupIsKeptWithItsRightsOrNeither()
    {
        constexpr gid_t kMember = 4242, kStranger = 4343;
        constexpr uid_t kNobody = 65534;
        if (::geteuid() != 0)
            QSKIP("only an administrator can make files of other groups");
        const std::string path = at("of a group");
        QVERIFY(::chown(folder_.path().toUtf8().constData(), kNobody, static_cast<gid_t>(-1)) == 0);
        struct Case {
            gid_t group;
            uid_t owner;
            mode_t mode, after;
        };
        for (const Case c : {Case{kMember, kNobody, 0660, 0660}, Case{kMember, 0, 0666, 0666},
                             Case{kStranger, kNobody, 0660, 0600}, Case{kStranger, kNobody, 0664, 0644},
                             Case{kStranger, kNobody, 0675, 0655}, Case{kStranger, kNobody, 0604, 0604}}) {
            fs::remove(path);
            put(path, "old");
            QVERIFY(::chown(path.c_str(), c.owner, c.group) == 0 && ::chmod(path.c_str(), c.mode) == 0);
            QVERIFY(::setgroups(1, &kMember) == 0 && ::seteuid(kNobody) == 0);
            const auto done = writeWholeFile(path, "new");
            QVERIFY(::seteuid(0) == 0 && ::setgroups(0, nullptr) == 0);
            QVERIFY2(done, done ? "" : done.error().text().c_str());
            struct stat now = {};
            QVERIFY(::stat(path.c_str(), &now) == 0);
            QCOMPARE(now.st_gid == c.group, c.group == kMember);
            QCOMPARE(modeOf(path), static_cast<int>(c.after));
        }
    }

    void linksAreWrittenThrough()
    {
        QVERIFY(QDir().mkpath(QString::fromStdString(at("elsewhere"))));
        put(at("elsewhere/target"), "old");
        fs::create_symlink("elsewhere/target", at("first"));
        fs::create_symlink(at("first"), at("second"));
        QVERIFY(writeWholeFile(at("second"), "new"));
        QVERIFY(fs::is_symlink(at("first")) && fs::is_symlink(at("second")));
        QVERIFY(contentOf(at("elsewhere/target")) == "new");
        fs::create_symlink("elsewhere/not-yet", at("dangling"));
        QVERIFY(writeWholeFile(at("dangling"), "made"));
        QVERIFY(fs::is_symlink(at("dangling")) && contentOf(at("elsewhere/not-yet")) == "made");
        fs::create_symlink("loop-b", at("loop-a"));
        fs::create_symlink("loop-a", at("loop-b"));
        QVERIFY(!writeWholeFile(at("loop-a"), "x"));
        fs::create_symlink("/dev/full", at("device"));
        QVERIFY(!writeWholeFile(at("device"), "x"));
    }

    void whatIsNoPlaceForAFileIsRefused()
    {
        QVERIFY(::mkfifo(at("pipe").c_str(), 0600) == 0);
        put(at("file"), "a");
        for (const std::string& path :
             {std::string(), std::string("/"), folder_.path().toStdString(), std::string("/dev/full"), std::string("/dev/null"),
              at("pipe"), at("no/such/folder/a"), at("file/a"), std::string("/proc/a"), at("file/")}) {
            QVERIFY2(!checkWritable(path), path.c_str());
            QVERIFY2(!writeWholeFile(path, "x"), path.c_str());
        }
        QCOMPARE(filesIn(folder_.path().toStdString()), 2);
    }

    void aNameThatIsTooLongIsSaidToBe()
    {
        const auto done = writeWholeFile(at(std::string(300, 'n')), "x");
        QVERIFY(!done && done.error().text().find("a shorter name") != std::string::npos);
    }

    void folderThatMayNotBeWritten()
    {
        QVERIFY(QDir().mkpath(QString::fromStdString(at("closed"))));
        put(at("closed/a"), "old");
        QVERIFY(::chmod(at("closed").c_str(), 0555) == 0 && ::chmod(folder_.path().toUtf8().constData(), 0755) == 0);
        const bool administrator = ::geteuid() == 0;
        if (administrator && ::seteuid(65534) != 0)
            QSKIP("an administrator writes everywhere");
        const auto done = writeWholeFile(at("closed/a"), "new");
        if (administrator)
            QVERIFY(::seteuid(0) == 0);
        QVERIFY(!done);
        QVERIFY(contentOf(at("closed/a")) == "old");
        QVERIFY(::chmod(at("closed").c_str(), 0755) == 0);
    }

    void namesOfAnyBytes()
    {
        for (const std::string& name :
             {std::string("caf\xe9.csv"), std::string("\xff\xfe"), std::string(255, 'n'), std::string("line\nbreak")}) {
            QVERIFY2(writeWholeFile(at(name), name), name.c_str());
            QVERIFY(contentOf(at(name)) == name);
        }
        QCOMPARE(filesIn(folder_.path().toStdString()), 4);
    }

    void everyNameComesBackFromText()
    {
        std::mt19937_64 random(13);
        const auto longer = [&](std::string& name) {
            const char* const pieces[] = {"a",        "\xc3\xa9",        "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xed\xa0\x80",
                                          "\xc0\xaf", "\xf4\x90\x80\x80"};
            name +=
                random() % 3 == 0 ? std::string(1, static_cast<char>(1 + random() % 255)) : std::string(pieces[random() % 7]);
        };
        for (int k = 0; k < 20'000; ++k) {
            std::string name;
            for (std::uint64_t n = random() % 12; n > 0; --n)
                longer(name);
            const std::u16string text = pathToText(name);
            QVERIFY2(textToPath(text) == name, QByteArray::fromStdString(name).toHex().constData());
            const QString qt = QString::fromStdString(name);
            if (qt.toStdString() == name) // what is UTF-8 reads as it does everywhere
                QVERIFY(QString::fromStdU16String(text) == qt);
        }
    }
};

QTEST_APPLESS_MAIN(TestWholeFile)
#include "test_whole_file.moc"
