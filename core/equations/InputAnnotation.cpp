#include "core/equations/InputAnnotation.h"

#include <cctype>
#include <cmath>
#include <map>

#include "core/system/InputTable.h"
#include "core/text/Budget.h"
#include "core/text/Names.h"
#include "core/text/Numbers.h"
#include "core/text/TableReader.h"

namespace driftless::model {

namespace {

constexpr const char* kShown = "write annotation(__Driftless(table = {{0, 0}, {1, 2}}, between = \"held\"))";

class AnnotationReader {
public:
    AnnotationReader(std::string_view text, const std::function<SourcePosition(std::size_t)>& at) : text_(text), place_(at) {}

    /// Throws ReadError.
    TableInput read(const std::string& name, const std::string& model)
    {
        expect("annotation");
        expect("(");
        expect("__Driftless");
        expect("(");
        do
            readKey();
        while (taken(","));
        expect(")");
        expect(")");
        skip();
        if (at_ < text_.size())
            fail(at_, "Expected a comma or a semicolon here", "");
        return made(name, model);
    }

private:
    [[noreturn]] void fail(std::size_t at, std::string what, std::string why) const
    {
        refuse(place_(at), std::move(what), {}, std::move(why), kShown);
    }
    void skip()
    {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])))
            ++at_;
    }
    bool taken(std::string_view word)
    {
        skip();
        if (text_.substr(at_, word.size()) != word)
            return false;
        at_ += word.size();
        return true;
    }
    void expect(std::string_view word)
    {
        if (!taken(word))
            fail(at_, "Expected \"" + std::string(word) + "\" here", "");
    }

    void readKey()
    {
        skip();
        const std::size_t begin = at_;
        while (at_ < text_.size() && (std::isalpha(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
            ++at_;
        const std::string key(text_.substr(begin, at_ - begin));
        if (!keys_.emplace(key, begin).second)
            fail(begin, "'" + key + "' is given twice", "");
        expect("=");
        if (key == "table")
            readRows();
        else if (key == "file" || key == "column" || key == "between")
            texts_[key] = readString();
        else
            fail(begin, "An input has no '" + text::shortened(key) + "'", "known are table, file, column and between");
    }

    std::string readString()
    {
        expect("\"");
        const std::size_t begin = at_;
        while (at_ < text_.size() && text_[at_] != '"')
            ++at_;
        if (at_ == text_.size())
            fail(begin, "This string is not closed", "");
        return std::string(text_.substr(begin, at_++ - begin));
    }

    double readNumber()
    {
        skip();
        const std::size_t begin = at_;
        while (at_ < text_.size()
               && (std::isalnum(static_cast<unsigned char>(text_[at_]))
                   || std::string_view("+-.").find(text_[at_]) != std::string_view::npos))
            ++at_;
        const auto number = text::readNumber(text_.substr(begin, at_ - begin));
        if (!number || !std::isfinite(*number))
            fail(begin, "Expected a finite number here", "a table holds numbers alone");
        return *number;
    }

    void readRows()
    {
        expect("{");
        do {
            expect("{");
            rows_.push_back(at_);
            if (rows_.size() > budget::kInputRows)
                fail(at_, "The table is too long", "at most " + std::to_string(budget::kInputRows) + " rows are read");
            table_.t.push_back(readNumber());
            expect(",");
            table_.u.push_back(readNumber());
            expect("}");
        } while (taken(","));
        expect("}");
        const auto at = [this](std::size_t k) { return place_(k < rows_.size() ? rows_[k] : keys_.at("table")); };
        if (auto sound = checkTable(table_, at); !sound)
            throw ReadError{sound.error()};
    }

    TableInput made(const std::string& name, const std::string& model)
    {
        const bool stated = keys_.contains("table");
        if (stated == keys_.contains("file"))
            fail(0, stated ? "The input is stated twice" : "The input has no table", "either table or file says what it is");
        const std::string word = keys_.contains("between") ? texts_["between"] : "linear";
        const auto between = findBetween(word);
        if (!between)
            fail(keys_.at("between"), "Unknown choice \"" + text::shortened(word) + "\" between the rows",
                 "known are held, linear and spline");
        if (!stated) {
            auto read = openInputCsv(texts_["file"], model, keys_.contains("column") ? texts_["column"] : name,
                                     place_(keys_.at("file")));
            if (!read)
                throw ReadError{read.error()};
            table_ = *std::move(read);
        }
        return {inputExpression(table_, *between),
                cornersOf(table_, *between),
                knotsOf(table_, *between),
                table_.unit,
                texts_["file"],
                table_.text};
    }

    std::string_view text_;
    const std::function<SourcePosition(std::size_t)>& place_;
    std::size_t at_ = 0;
    std::map<std::string, std::size_t> keys_;
    std::map<std::string, std::string> texts_;
    std::vector<std::size_t> rows_;
    InputTable table_;
};

} // namespace

Result<TableInput> readInputAnnotation(std::string_view text, const std::function<SourcePosition(std::size_t)>& at,
                                       const std::string& name, const std::string& model)
{
    try {
        return AnnotationReader(text, at).read(name, model);
    } catch (ReadError& error) {
        return std::move(error.diagnostic);
    }
}

} // namespace driftless::model
