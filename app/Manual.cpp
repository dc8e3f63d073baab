#include "app/Manual.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "app/Commands.h"

namespace driftless::app {

namespace {

/// What may stand where an option wants a value.
struct Value {
    std::string listed;             ///< what `driftless list` has to offer: "models", ...
    std::vector<std::string> words; ///< one of these
    bool file = false, folder = false;
};

struct OptionFace {
    std::vector<std::string> names; ///< "--end"; empty for a positional argument
    std::string placeholder;        ///< "FLOAT"; empty for a flag
    std::string does;
    Value value;
    bool repeatable = false, required = false;
};

struct CommandFace {
    std::string name, does;
    std::vector<OptionFace> options, arguments;
};

/// CLI11 keeps the words of a set in the name of its type alone: "TEXT:{light,dark}".
std::vector<std::string> wordsOf(const std::string& type)
{
    const auto from = type.find('{'), to = type.rfind('}');
    std::vector<std::string> words;
    if (from == std::string::npos || to == std::string::npos)
        return words;
    std::istringstream list(type.substr(from + 1, to - from - 1));
    for (std::string word; std::getline(list, word, ',');)
        words.push_back(word);
    return words;
}

/// By the name that docs/command-line.md gives to each kind of value.
Value valueOf(const std::string& name, const std::string& type)
{
    static const std::vector<std::pair<std::string, std::string>> kListed{{"MODEL", "models"},
                                                                          {"model", "models"},
                                                                          {"WHAT", "models"},
                                                                          {"STUDY", "studies"},
                                                                          {"LESSON", "lessons"},
                                                                          {"NAME", "integrators"},
                                                                          {"--formulation", "formulations"},
                                                                          {"--integrator", "integrators"}};
    Value value;
    value.words = wordsOf(type);
    for (const auto& [key, listed] : kListed)
        if (name == key && value.words.empty()) {
            value.listed = listed;
            value.file = !name.starts_with("--");
        }
    value.file = value.file || type.starts_with("FILE") || name == "FILE";
    value.folder = type.starts_with("DIR") || type.starts_with("FOLDER");
    return value;
}

OptionFace faceOf(const CLI::Option& option)
{
    OptionFace face{.names = {}, .placeholder = option.get_type_name(), .does = option.get_description(), .value = {}};
    for (const std::string& name : option.get_snames())
        face.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        face.names.push_back("--" + name);
    const bool flag = option.get_items_expected_max() == 0;
    const std::string name = option.get_positional() ? option.get_name(true) : face.names.back();
    face.value = flag ? Value{} : valueOf(name, face.placeholder);
    if (flag)
        face.placeholder.clear();
    else if (option.get_positional())
        face.placeholder = name;
    else if (!face.value.words.empty())
        face.placeholder = face.placeholder.substr(face.placeholder.find('{'));
    face.repeatable = option.get_items_expected_max() > 1;
    face.required = option.get_required();
    return face;
}

CommandFace faceOf(const CLI::App& app)
{
    CommandFace face{.name = app.get_name(), .does = app.get_description(), .options = {}, .arguments = {}};
    for (const CLI::Option* option : app.get_options())
        (option->get_positional() ? face.arguments : face.options).push_back(faceOf(*option));
    return face;
}

std::vector<CommandFace> commandsOf(const CLI::App& root)
{
    std::vector<CommandFace> out;
    for (const CLI::App* command : root.get_subcommands([](const CLI::App* app) { return !app->get_group().empty(); }))
        out.push_back(faceOf(*command));
    return out;
}

// The manual page.

std::string roff(const std::string& text)
{
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else if (c == '\n')
            out += "\n";
        else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
            out += std::string("\\&") + c;
        else
            out += c;
    }
    return out;
}

void writeOption(std::ostream& out, const OptionFace& option)
{
    out << ".TP\n";
    for (std::size_t i = 0; i < option.names.size(); ++i)
        out << (i ? ", " : "") << "\\fB" << roff(option.names[i]) << "\\fR";
    if (!option.placeholder.empty())
        out << (option.names.empty() ? "" : " ") << "\\fI" << roff(option.placeholder) << "\\fR";
    out << (option.repeatable && option.names.empty() ? "...\n" : "\n");
    out << roff(option.does.empty() ? "No more is to be said." : option.does) << (option.required ? " (needed)\n" : "\n");
}

void writeMan(std::ostream& out, const CLI::App& root)
{
    out << ".TH DRIFTLESS 1 \"\" \"Driftless " DRIFTLESS_VERSION "\" \"User commands\"\n"
        << ".SH NAME\ndriftless \\- laboratory for differential\\-algebraic equations of constrained mechanics\n"
        << ".SH SYNOPSIS\n.B driftless\n[\\fIMODEL\\fR]\n.br\n.B driftless\n\\fICOMMAND\\fR [\\fIOPTION\\fR...]\n"
        << ".SH DESCRIPTION\n"
        << roff(root.get_description()) << "\n.PP\n"
        << "Every command needs no display, prints its result on standard output and speaks to people on standard error.\n"
        << "\\fIMODEL\\fR, \\fISTUDY\\fR and \\fILESSON\\fR are the paths of regular files or names of shipped ones (see\n"
        << ".BR \"driftless list\" ).\n.SH OPTIONS\n";
    for (const OptionFace& option : faceOf(root).options)
        writeOption(out, option);
    out << ".SH COMMANDS\n";
    for (const CommandFace& command : commandsOf(root)) {
        out << ".SS driftless " << roff(command.name);
        for (const OptionFace& argument : command.arguments)
            out << " " << roff(argument.placeholder) << (argument.repeatable ? "..." : "");
        out << "\n" << roff(command.does) << ".\n";
        for (const OptionFace& argument : command.arguments)
            writeOption(out, argument);
        for (const OptionFace& option : command.options)
            writeOption(out, option);
    }
    out << ".SH EXIT STATUS\n.TP\n.B 0\nDone.\n.TP\n.B 1\nThe run failed numerically, and its JSON says how and where; or a "
           "claim of a "
           "study does not hold.\n.TP\n.B 2\nBad usage, bad input or a refusal, with one message and nothing written.\n"
        << ".SH ENVIRONMENT\n.TP\n.B DRIFTLESS_RESOURCES\nThe folder of the shipped models, studies and lessons, in place of "
           "the "
           "installed one.\n"
        << ".SH EXAMPLES\n.nf\ndriftless run pendulum \\-\\-formulation index\\-1 \\-\\-integrator rk4 \\-\\-step 0.01 "
           "\\-\\-end 10\n"
           "driftless study dn\\-drift \\-\\-out results\n.fi\n";
}

// What shells complete.

std::string joined(const std::vector<std::string>& words)
{
    std::string out;
    for (const std::string& word : words)
        out += (out.empty() ? "" : " ") + word;
    return out;
}

std::vector<std::string> optionNames(const CommandFace& command)
{
    std::vector<std::string> names;
    for (const OptionFace& option : command.options)
        names.insert(names.end(), option.names.begin(), option.names.end());
    return names;
}

/// Between single quotes of a shell.
std::string inQuotes(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (c == '\'')
            out += "'\\''";
        else
            out += c;
    }
    return out;
}

/// The bash statement that offers a value.
std::string bashOffer(const Value& value)
{
    std::string words = joined(value.words);
    if (!value.listed.empty())
        words += "$(_driftless_list " + value.listed + ")";
    std::string out = words.empty() ? "" : "mapfile -t COMPREPLY < <(compgen -W \"" + words + "\" -- \"$current\"); ";
    if (value.file)
        out += "compopt -o filenames; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$current\"); ";
    if (value.folder)
        out += "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$current\"); ";
    return out;
}

void writeBash(std::ostream& out, const CLI::App& root)
{
    const auto commands = commandsOf(root);
    std::vector<std::string> names;
    for (const CommandFace& command : commands)
        names.push_back(command.name);
    out << "# bash completion for driftless, made from its command line.\n"
        << "_driftless_list() { driftless list \"$1\" 2>/dev/null | cut -d' ' -f1; }\n"
        << "_driftless() {\n    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= i\n"
        << "    COMPREPLY=()\n    for ((i = 1; i < COMP_CWORD; ++i)); do\n"
        << "        [[ ${COMP_WORDS[i]} == -* ]] || { command=${COMP_WORDS[i]}; break; }\n    done\n    case $command,$before "
           "in\n";
    for (const CommandFace& command : commands)
        for (const OptionFace& option : command.options)
            for (const std::string& name : option.names)
                if (!option.placeholder.empty())
                    out << "    " << command.name << "," << name << ") " << bashOffer(option.value) << "return ;;\n";
    out << "    esac\n    local options=\n    case $command in\n    '') options='" << joined(optionNames(faceOf(root)))
        << "' ;;\n";
    for (const CommandFace& command : commands)
        out << "    " << command.name << ") options='" << joined(optionNames(command)) << "' ;;\n";
    out << "    esac\n    if [[ $current == -* ]]; then\n"
        << "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$current\")\n        return\n    fi\n    case "
           "$command in\n"
        << "    '') compopt -o filenames; mapfile -t COMPREPLY < <(compgen -W '" << joined(names)
        << "' -- \"$current\"; compgen -f -- \"$current\") ;;\n";
    for (const CommandFace& command : commands)
        if (!command.arguments.empty())
            out << "    " << command.name << ") " << bashOffer(command.arguments.front().value) << ";;\n";
    out << "    esac\n}\ncomplete -F _driftless driftless\n";
}

std::string zshValue(const OptionFace& option)
{
    const Value& value = option.value;
    std::string offer = " ";
    if (!value.words.empty())
        offer = "(" + joined(value.words) + ")";
    else if (!value.listed.empty())
        offer = "_driftless_" + value.listed;
    else if (value.folder)
        offer = "_files -/";
    else if (value.file)
        offer = "_files";
    return ":value:" + offer;
}

/// What is written inside of the brackets of _arguments.
std::string zshText(const std::string& text)
{
    std::string out;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\')
            out += '\\';
        out += c == '\n' ? ' ' : c;
    }
    return inQuotes(out);
}

void writeZsh(std::ostream& out, const CLI::App& root)
{
    out << "#compdef driftless\n# zsh completion for driftless, made from its command line.\n";
    for (const char* what : {"models", "formulations", "integrators", "studies", "lessons"})
        out << "_driftless_" << what << "() { local -a names; names=(${(f)\"$(driftless list " << what
            << " 2>/dev/null | cut -d' ' -f1)\"}); compadd -a names; _files }\n";
    out << "_driftless() {\n  local state\n  _arguments -C '1: :->command' '*:: :->rest'\n  case $state in\n  command)\n"
        << "    local -a commands; commands=(";
    const auto commands = commandsOf(root);
    for (const CommandFace& command : commands)
        out << "\n      '" << command.name << ":" << zshText(command.does) << "'";
    out << ")\n    _describe command commands; _files ;;\n  rest)\n    case $words[1] in\n";
    for (const CommandFace& command : commands) {
        out << "    " << command.name << ") _arguments";
        for (const OptionFace& option : command.options)
            for (const std::string& name : option.names)
                out << " \\\n      '" << (option.repeatable ? "*" : "") << name << "[" << zshText(option.does) << "]"
                    << (option.placeholder.empty() ? "" : zshValue(option)) << "'";
        for (const OptionFace& argument : command.arguments)
            out << " \\\n      '" << (argument.repeatable ? "*" : "") << zshValue(argument) << "'";
        out << " ;;\n";
    }
    out << "    esac ;;\n  esac\n}\n_driftless \"$@\"\n";
}

void writeFish(std::ostream& out, const CLI::App& root)
{
    out << "# fish completion for driftless, made from its command line.\n";
    for (const CommandFace& command : commandsOf(root)) {
        out << "complete -c driftless -n __fish_use_subcommand -a " << command.name << " -d '" << inQuotes(command.does)
            << "'\n";
        const std::string here = "complete -c driftless -n '__fish_seen_subcommand_from " + command.name + "'";
        for (const OptionFace& option : command.options)
            for (const std::string& name : option.names) {
                const bool isLong = name.starts_with("--");
                out << here << (isLong ? " -l " : " -s ") << name.substr(isLong ? 2 : 1) << " -d '" << inQuotes(option.does)
                    << "'";
                if (!option.placeholder.empty())
                    out << (option.value.file || option.value.folder ? " -r" : " -x");
                if (!option.value.words.empty())
                    out << " -a '" << joined(option.value.words) << "'";
                if (!option.value.listed.empty())
                    out << " -a '(driftless list " << option.value.listed << " | cut -d\" \" -f1)'";
                out << "\n";
            }
        for (const OptionFace& argument : command.arguments)
            if (!argument.value.listed.empty())
                out << here << " -a '(driftless list " << argument.value.listed << " | cut -d\" \" -f1)'\n";
            else if (!argument.value.words.empty())
                out << here << " -f -a '" << joined(argument.value.words) << "'\n";
    }
}

} // namespace

void addManualCommand(CLI::App& root, int& exitCode)
{
    auto format = std::make_shared<std::string>();
    auto* command = root.add_subcommand("manual", "The manual page, or what a shell completes");
    command->group(""); // help does not list it
    command->add_option("FORMAT", *format, "man, bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"man", "bash", "zsh", "fish"}));
    command->callback([format, &root, &exitCode] {
        if (*format == "man")
            writeMan(std::cout, root);
        else if (*format == "bash")
            writeBash(std::cout, root);
        else if (*format == "zsh")
            writeZsh(std::cout, root);
        else
            writeFish(std::cout, root);
        exitCode = kExitDone;
    });
}

} // namespace driftless::app
