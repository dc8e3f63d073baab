#include "app/LatexSheet.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "app/LatexEvents.h"
#include "app/LatexScene.h"
#include "app/LatexText.h"
#include "core/equations/EquationModel.h"
#include "core/mechanism/Lagrangian.h"
#include "core/system/EquationSystem.h"

namespace driftless::app {

namespace {

using expr::Format;

/// A longer row is no longer read; TeX's memory ends at about fifty times this.
constexpr std::size_t kMostLetters = 20'000;
/// Rows of all sections together: some thirty pages.
constexpr std::size_t kMostFormulas = 600;
/// Brackets that grow do not break over lines: a row that is longer than about a line gets plain ones.
constexpr std::size_t kOneLine = 160;
/// A fraction or a root that is longer than about two thirds of a line, with room for what stands before it.
constexpr std::size_t kUnbroken = 120;
/// Lines of a table: some five pages.
constexpr int kMostEntries = 200;
/// A derivation of more coordinates fills pages with matrices.
constexpr int kMostDerived = 12;

void replaceAll(std::string& text, std::string_view from, std::string_view to)
{
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

/// Behind the group that opens at `open`; npos where it does not close.
std::size_t groupEnd(std::string_view text, std::size_t open)
{
    int depth = 0;
    for (std::size_t at = open; at < text.size(); ++at) {
        if (text[at] == '\\')
            ++at; // an escaped brace is none
        else if (text[at] == '{')
            ++depth;
        else if (text[at] == '}' && --depth == 0)
            return at + 1;
    }
    return std::string_view::npos;
}

/// Fractions do not break over lines: one that is longer than a line is written with a stroke.
std::string withStrokes(std::string latex)
{
    constexpr std::string_view kFraction = "\\frac{";
    for (std::size_t at = latex.find(kFraction); at != std::string::npos; at = latex.find(kFraction, at + 1)) {
        const std::size_t above = at + kFraction.size() - 1, middle = groupEnd(latex, above);
        if (middle == std::string::npos || middle >= latex.size() || latex[middle] != '{')
            break;
        const std::size_t end = groupEnd(latex, middle);
        if (end == std::string::npos)
            break;
        if (end - at <= kUnbroken)
            continue;
        const std::string upper = latex.substr(above + 1, middle - above - 2),
                          lower = latex.substr(middle + 1, end - middle - 2);
        latex.replace(at, end - at, "(" + upper + ") / (" + lower + ")");
    }
    return latex;
}

/// Neither do roots: a long one is written as a power.
std::string withPowers(std::string latex)
{
    constexpr std::string_view kRoot = "\\sqrt{";
    for (std::size_t at = latex.find(kRoot); at != std::string::npos; at = latex.find(kRoot, at + 1)) {
        const std::size_t open = at + kRoot.size() - 1, end = groupEnd(latex, open);
        if (end == std::string::npos)
            break;
        if (end - at <= kUnbroken)
            continue;
        std::string power = "(" + latex.substr(open + 1, end - open - 2) + ")^{1/2}";
        if (end < latex.size() && latex[end] == '^')
            power = "(" + power + ")";
        latex.replace(at, end - at, power);
    }
    return latex;
}

std::string formula(std::string latex)
{
    if (latex.size() > kMostLetters)
        return "\\textit{(an expression of " + std::to_string(latex.size()) + " letters, left out)}";
    if (latex.size() > kOneLine) {
        latex = withStrokes(withPowers(std::move(latex)));
        replaceAll(latex, "\\left(", "(");
        replaceAll(latex, "\\right)", ")");
        replaceAll(latex, ") / (", ") / \\allowbreak (");
        replaceAll(latex, ") (", ") \\allowbreak (");
    }
    return "$\\displaystyle " + latex + "$";
}

std::string capitalised(std::string words)
{
    if (!words.empty() && words[0] >= 'a' && words[0] <= 'z')
        words[0] = static_cast<char>(words[0] - 'a' + 'A');
    return words;
}

class Writer {
public:
    explicit Writer(const LatexSheet& sheet) : sheet_(sheet), system_(sheet.model.system)
    {
        if (sheet.model.equations)
            events_.emplace(*sheet.model.equations);
    }

    std::string write()
    {
        head();
        scene();
        notation();
        start();
        if (sheet_.model.equations)
            stated();
        else
            mechanism();
        atEvents();
        outputs();
        integrated();
        out_ += "\\par}\n"; // the end of what is ragged
        if (!sheet_.fragment)
            out_ += "\\end{document}\n";
        return std::move(out_);
    }

private:
    void head()
    {
        std::string command = sheet_.command; // one line, whatever the arguments were
        std::ranges::replace_if(
            command, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
        out_ += "% Written by Driftless: " + command + "\n";
        const std::string_view packages = "\\usepackage[utf8]{inputenc}\n\\usepackage{amsmath,longtable,tikz}\n";
        const std::string_view counter = "\\newcounter{dlrow}\n";
        if (sheet_.fragment) {
            out_ += "% The preamble needs:\n";
            for (const std::string_view lines : {packages, counter}) {
                std::string commented(lines.substr(0, lines.size() - 1));
                replaceAll(commented, "\n", "\n%   ");
                out_ += "%   " + commented + "\n";
            }
        } else {
            out_ += "\\documentclass[11pt,a4paper]{article}\n" + std::string(packages)
                    + "\\usepackage[margin=2.4cm]{geometry}\n" + std::string(counter) + "\\begin{document}\n";
        }
        const std::string& title = sheet_.model.title.empty() ? sheet_.model.name : sheet_.model.title;
        out_ += "\\section*{" + latexWords(title) + "}\n{\\raggedright\n";
        paragraph(sheet_.model.description);
        if (!sheet_.model.source.empty())
            paragraph("Source: " + sheet_.model.source);
    }

    void paragraph(const std::string& words) { out_ += words.empty() ? "" : latexWords(words) + "\\par\n"; }
    void heading(const std::string& words) { out_ += "\n\\subsection*{" + latexWords(words) + "}\n"; }

    void scene()
    {
        if (const std::string picture = tikzScene(sheet_.model, sheet_.points); !picture.empty())
            out_ += "\\begin{center}\n" + picture + "\\end{center}\n";
    }

    void notation()
    {
        heading("Notation");
        out_ += "\\begin{longtable}{@{}llll@{}}\nSymbol & Name & Meaning & Value \\\\ \\hline\n";
        for (const auto& c : system_.coordinates)
            entry(c.q, c.name, "coordinate of " + c.body, c.unit);
        for (const auto& c : system_.constraints)
            entry(c.multiplier, c.multiplier.text(), "multiplier of " + c.joint, {});
        for (const auto& s : system_.dynamics)
            entry(s.s, s.name, "dynamic variable", s.unit);
        for (const auto& e : system_.efforts)
            entry(e.e, e.name, "effort", e.unit);
        for (const auto& one : system_.oneSided)
            if (one.kind != model::OneSidedKind::Link) // that one is a constraint
                entry(one.row.multiplier, one.row.multiplier.text(),
                      (one.kind == model::OneSidedKind::Contact ? "multiplier of the contact " : "friction of ") + one.row.name,
                      {});
        for (const auto& v : system_.values)
            if (v.symbol.order == 0)
                entry(v.symbol, v.name, v.description.empty() ? "unknown" : v.description, v.unit);
        discrete();
        for (const auto& unknown : sheet_.dae.unknowns)
            if (unknown.kind == formulation::UnknownKind::Auxiliary && !sheet_.model.equations)
                entry(unknown.symbol, unknown.name, "unknown of the formulation", unknown.unit);
        for (std::size_t i = 0; i < system_.parameters.size() && i < sheet_.status.parameters.size(); ++i) {
            const model::Parameter& parameter = system_.parameters[i];
            const model::Quantity& quantity = parameter.quantity;
            const bool follows = parameter.follows() && !sheet_.start.parameters.contains(quantity.name);
            entry(parameter.symbol, quantity.name, quantity.description.empty() ? "parameter" : quantity.description,
                  quantity.unit,
                  "$" + (follows ? expr::print(parameter.binding, Format::Latex) + " = " : std::string())
                      + latexNumber(sheet_.status.parameters[i]) + "$ ");
        }
        for (const auto& gain : sheet_.dae.gains)
            if (const auto value = sheet_.status.gains.find(gain.quantity.name); value != sheet_.status.gains.end())
                entry(gain.symbol, gain.quantity.name, "gain of the formulation", gain.quantity.unit,
                      "$" + latexNumber(value->second) + "$ ");
        out_ += "\\end{longtable}\n";
        if (left_ > 0)
            paragraph("and " + std::to_string(left_) + " more.");
    }

    /// Of a text of equations: what changes at events alone, with the values that the start leaves.
    void discrete()
    {
        if (!sheet_.model.equations)
            return;
        for (const model::HeldVariable& x : sheet_.model.equations->held) {
            if (x.kind == model::HeldVariable::Kind::Condition || x.of >= 0)
                continue;
            const std::string& name = x.quantity.name;
            const auto found = sheet_.values.find(name);
            const double value = found == sheet_.values.end() ? x.quantity.value : found->second;
            const bool logical = x.kind == model::HeldVariable::Kind::Boolean;
            std::string shown = logical ? (value > 0.5 ? "true" : "false") : "$" + latexNumber(value) + "$";
            entry(model::heldSymbol(x), name,
                  (x.quantity.description.empty() ? "" : x.quantity.description + "; ") + "discrete variable", x.quantity.unit,
                  "at first " + shown + " ");
        }
    }

    /// The values with which the run begins, where the model says something of them.
    void start()
    {
        for (const auto& c : system_.coordinates) {
            startRow(c.q, c.name, c.unit, c.positionStatus);
            startRow(c.v, c.velocity.name, c.velocity.unit, c.velocityStatus);
        }
        for (const auto& s : system_.dynamics)
            startRow(s.s, s.name, s.unit, model::InitialStatus::Fixed);
        for (const auto& v : system_.values)
            if (v.started || v.status == model::InitialStatus::Fixed || sheet_.start.values.contains(v.name))
                startRow(v.symbol, v.name, v.unit, v.status);
        if (startRows_ > 0)
            out_ += "\\end{longtable}\n";
        if (startRows_ > kMostEntries)
            paragraph("and " + std::to_string(startRows_ - kMostEntries) + " more.");
        if (!system_.startRows.empty() || (sheet_.model.equations && !sheet_.model.equations->initial.empty())) {
            paragraph("Equations that hold at the start alone:");
            beginRows();
            for (const auto& c : system_.startRows)
                row(expr::print(c.g, Format::Latex) + " = 0", c.name);
            if (sheet_.model.equations)
                for (const auto& equation : sheet_.model.equations->initial)
                    row(events_->number(equation.residual) + " = 0");
            endRows();
        }
    }

    void startRow(const expr::Symbol& symbol, const std::string& name, const std::string& unit, model::InitialStatus status)
    {
        const auto value = sheet_.values.find(name);
        if (value == sheet_.values.end() || ++startRows_ > kMostEntries)
            return;
        if (startRows_ == 1) {
            heading("Start");
            paragraph("The run begins with these values. A guess is made consistent with the equations.");
            out_ += "\\begin{longtable}{@{}lll@{}}\nSymbol & Value & Given as \\\\ \\hline\n";
        }
        const bool set = sheet_.start.values.contains(name);
        const char* given = set || status == model::InitialStatus::Fixed ? "fixed" : "guess";
        out_ += "$" + expr::print(symbol, Format::Latex) + "$ & $" + latexNumber(value->second) + "$ " + latexUnit(unit) + " & "
                + given + " \\\\\n";
    }

    void entry(const expr::Symbol& symbol, const std::string& name, const std::string& meaning, const std::string& unit,
               const std::string& value = {})
    {
        if (++entries_ > kMostEntries) {
            ++left_;
            return;
        }
        const std::string measured = value.empty() && !unit.empty() ? "in " + latexUnit(unit) : value + latexUnit(unit);
        out_ += "$" + expr::print(symbol, Format::Latex) + "$ & " + latexWords(name)
                + " & \\parbox[t]{0.42\\linewidth}{\\raggedright " + latexWords(meaning) + "} & " + measured + " \\\\\n";
    }

    void beginRows() { out_ += "\\begin{list}{}{\\leftmargin=3.2em \\labelwidth=2.7em \\itemsep=0.6ex}\n"; }
    void endRows() { out_ += "\\end{list}\n"; }

    /// One numbered formula, with words after it.
    void row(const std::string& latex, const std::string& note = {})
    {
        if (++rows_ > kMostFormulas)
            return;
        out_ += "\\item[{\\refstepcounter{dlrow}(\\thedlrow)}] " + formula(latex);
        out_ += note.empty() ? "\n" : "\\quad{\\small " + latexWords(note) + "}\n";
    }

    void mechanism()
    {
        if (derivation()) // has them, too
            return;
        heading("Energies and constraints");
        beginRows();
        if (system_.n() <= kMostDerived && system_.n() > 0) {
            row("T = " + expr::print(system_.kinetic, Format::Latex), "kinetic energy");
            row("U = " + expr::print(system_.potential, Format::Latex), "potential energy");
        }
        for (const auto& c : system_.constraints)
            row(expr::print(c.g, Format::Latex) + " = 0", (c.holonomic ? "" : "nonholonomic, ") + c.name);
        endRows();
    }

    /// Whether L is a quantity of the model: then the Lagrangian is a calligraphic one.
    bool namesL() const
    {
        const auto isL = [](const expr::Symbol& symbol) { return expr::print(symbol, Format::Latex) == "L"; };
        return std::ranges::any_of(system_.parameters, [&](const auto& p) { return isL(p.symbol); })
               || std::ranges::any_of(system_.coordinates, [&](const auto& c) { return isL(c.q); });
    }

    bool derivation()
    {
        if (system_.n() == 0 || system_.n() > kMostDerived)
            return false;
        const auto derived = model::deriveLagrangian(system_);
        if (!derived) // the energies do not give the equations: friction, a velocity basis
            return false;
        const model::SkewCheck skew = model::checkSkewSymmetry(*derived, system_.parameters);
        heading("How the equations of motion follow");
        if (!system_.oneSided.empty())
            paragraph("Of the system in which no contact is closed, nothing rubs and no link is broken.");
        for (const auto& section : model::describeDerivation(system_, *derived, skew, Format::Latex)) {
            out_ += "\\paragraph{" + latexWords(section.title) + "} {\\small " + latexWords(section.source) + "}\\par\n";
            if (!section.lines.empty()) {
                beginRows();
                for (const auto& line : section.lines) {
                    const std::string left = line.left == "L" && namesL() ? "\\mathcal{L}" : line.left;
                    row(left.empty() ? line.right : left + " = " + line.right);
                }
                endRows();
            }
            paragraph(section.note);
        }
        return true;
    }

    void stated()
    {
        heading("The equations as the text states them");
        beginRows();
        for (const auto& equation : sheet_.model.equations->equations)
            row(events_->number(equation.residual) + " = 0");
        endRows();
    }

    /// Contacts, friction and links; or the statements of a text.
    void atEvents()
    {
        const bool modes = !system_.oneSided.empty();
        if (!modes && !(sheet_.model.equations && sheet_.model.equations->hasEvents()))
            return;
        heading(modes ? "Contacts, friction and links" : "At events");
        if (!modes)
            paragraph(
                "An event is where a condition becomes true, or its comparisons change. pre() is the value before the event; "
                "between events discrete variables and comparisons stay as they are.");
        for (const LatexPart& part : modes ? latexOneSided(sheet_.model) : events_->statements()) {
            out_ += "\\paragraph{" + latexWords(part.title) + "}" + (part.words.empty() ? "" : " ") + latexWords(part.words)
                    + "\\par\n";
            if (part.rows.empty())
                continue;
            beginRows();
            for (const LatexRow& each : part.rows)
                row(each.latex, each.note);
            endRows();
        }
        if (modes)
            paragraph(
                "Which rows are in force follows from the accelerations: forces push, gaps do not close. How that is decided "
                "where several contacts meet is left out here.");
    }

    void outputs()
    {
        if (system_.outputs.empty())
            return;
        heading("Outputs");
        beginRows();
        for (const auto& output : system_.outputs)
            row(expr::print(expr::Symbol{.kind = expr::SymbolKind::Variable, .name = output.name}, Format::Latex)
                    + " := " + expr::print(output.value, Format::Latex),
                output.description);
        endRows();
    }

    /// What neither formulas nor tables of the document have.
    void leftOut()
    {
        std::string names;
        for (const auto& d : system_.dependent)
            names += (names.empty() ? "" : ", ") + d.constraint.name;
        if (!names.empty())
            paragraph("Left out are constraints that follow from the others: " + names + ".");
        names.clear();
        for (const auto& file : system_.inputFiles)
            names += (names.empty() ? "" : ", ") + file.name;
        if (!names.empty())
            paragraph("Left out are the numbers of the input files " + names + ".");
    }

    void integrated()
    {
        heading("What is integrated: " + sheet_.form.title);
        paragraph(sheet_.form.keeps);
        paragraph("Differentiation index " + std::to_string(sheet_.status.form.index) + "; " + sheet_.form.source + ".");
        if (!sheet_.status.mode.empty())
            paragraph("Mode at the start: " + sheet_.status.mode
                      + ". These are the rows of this mode; those of the other modes are left out.");
        std::string shown;
        bool open = false;
        for (const auto& r : sheet_.rows) {
            if (const std::string name = formulation::provenanceName(r.provenance); name != shown) {
                if (std::exchange(open, true))
                    endRows();
                shown = name;
                out_ += "\\paragraph{" + latexWords(capitalised(name)) + "}\\par\n";
                beginRows();
            }
            row(r.equation, r.origin);
        }
        if (open)
            endRows();
        if (rows_ > kMostFormulas)
            paragraph(std::to_string(rows_ - kMostFormulas) + " more formulas are left out.");
        leftOut();
    }

    const LatexSheet& sheet_;
    const model::ConstrainedSystem& system_;
    std::string out_;
    std::optional<EventLatex> events_; ///< of a text of equations
    int entries_ = 0, left_ = 0, startRows_ = 0;
    std::size_t rows_ = 0;
};

} // namespace

std::string latexDocument(const LatexSheet& sheet) { return Writer(sheet).write(); }

} // namespace driftless::app
