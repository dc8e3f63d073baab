// Inputs made from stored ones without a fuzzer's feedback: bytes and pieces changed, repeated, moved and taken from other
// inputs, words of the target's dictionary put in. It finds less than libFuzzer and needs no compiler of its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace driftless::fuzz {

/// Entries of a dictionary as libFuzzer reads it: "word" a line, \\, \" and \xNN escaped.
inline std::vector<std::string> wordsOf(const std::filesystem::path& dictionary)
{
    std::vector<std::string> out;
    std::ifstream in(dictionary);
    for (std::string line; std::getline(in, line);) {
        if (line.size() < 3 || line.front() != '"')
            continue;
        std::string word;
        for (std::size_t i = 1; i + 1 < line.size(); ++i) {
            if (line[i] == '\\' && line[i + 1] == 'x' && i + 3 < line.size()) {
                word += static_cast<char>(std::stoi(line.substr(i + 2, 2), nullptr, 16));
                i += 3;
            } else {
                word += line[i] == '\\' ? line[++i] : line[i];
            }
        }
        out.push_back(word);
    }
    return out;
}

class Mutator {
public:
    Mutator(std::vector<std::string> stored, std::vector<std::string> words, std::uint64_t seed)
        : stored_(std::move(stored)), words_(std::move(words)), state_(seed)
    {
    }

    std::string next()
    {
        std::string out = among(stored_);
        for (std::size_t k = 1 + bits() % 4; k > 0; --k)
            change(out);
        out.resize(std::min(out.size(), kLongest));
        return out;
    }

private:
    static constexpr std::size_t kLongest = 8192;

    std::uint64_t bits()
    {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(bits() % n); }
    const std::string& among(const std::vector<std::string>& list) { return list[below(list.size())]; }

    /// A stretch, mostly short, often a line.
    std::pair<std::size_t, std::size_t> stretch(const std::string& text)
    {
        const std::size_t from = below(text.size() + 1);
        if (below(3) == 0) {
            const std::size_t begin = from == 0 ? 0 : text.rfind('\n', from - 1) + 1,
                              end = std::min(text.find('\n', from), text.size());
            return {begin, end < text.size() ? end + 1 - begin : end - begin};
        }
        return {from, std::min(text.size() - from, std::size_t(1) + below(std::size_t(1) << below(6)))};
    }
    std::string number()
    {
        static const char* const numbers[] = {
            "0",    "1",     "-1",  "2",   "0.5",   "1e300", "-1e-300", "1e9", "3", "9223372036854775807",
            "-0.0", "1e400", "nan", "255", "65536", "1/3",   "\"L\""};
        return below(3) == 0 ? std::to_string(static_cast<int>(below(2000)) - 1000) : numbers[below(std::size(numbers))];
    }

    void change(std::string& text)
    {
        const auto [from, length] = stretch(text);
        switch (below(9)) {
        case 0:
            text.erase(from, length);
            break;
        case 1:
            text.insert(below(text.size() + 1), text.substr(from, length));
            break;
        case 2:
            text.insert(from, words_.empty() ? number() : among(words_));
            break;
        case 3:
            text.replace(from, length, words_.empty() ? number() : among(words_));
            break;
        case 4: {
            const std::string& other = among(stored_);
            const auto [begin, count] = stretch(other);
            text.replace(from, below(2) == 0 ? length : 0, other.substr(begin, count));
            break;
        }
        case 5:
            if (from < text.size())
                text[from] = static_cast<char>(bits());
            break;
        case 6:
            if (from < text.size())
                text[from] = "()[]{}=.,'\"\\\n #^*/-+0123456789eEx"[below(34)];
            break;
        default: { // another number in place of one
            const std::size_t digit = text.find_first_of("0123456789", from);
            if (digit == std::string::npos)
                break;
            const std::size_t end = std::min(text.find_first_not_of("0123456789.e", digit), text.size());
            text.replace(digit, end - digit, number());
        }
        }
    }

    std::vector<std::string> stored_, words_;
    std::uint64_t state_;
};

} // namespace driftless::fuzz
