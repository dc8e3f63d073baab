#!/usr/bin/env python3
"""Lengths of functions and sizes of classes in core, ui and app.

    scripts/sizes.py [--tree DIR] [--reasons FILE] [--all]

A function's length is its number of lines from the signature to the closing brace; functions within functions (lambdas, local
classes) belong to the outer one. A class's members are what it declares: functions, data, nested types; friends, aliases and
access specifiers do not count. Prints median and 99th percentile and lists what is above the limits with its reason from
scripts/sizes.toml. Fails where a reason is missing or is given for something within the limits.
"""
import argparse
import pathlib
import re
import sys
import tomllib

FUNCTION_LINES = 60
CLASS_MEMBERS = 40
ROOMS = ("core", "ui", "app")


def blanked(text):
    """The text with comments, literals and preprocessor lines replaced by blanks; lines stay where they are."""
    pattern = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^()\\ \n]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'
        r"|(?<![0-9A-Za-z_])(?:u8|[uUL])?'(?:\\.|[^'\\\n])+'|^[ \t]*\#(?:\\\n|[^\n])*",
        re.S | re.M)

    def blank(match):
        kept = re.sub(r"[^\n]", " ", match.group())
        return '""' + kept[2:] if match.group()[0] in '"R' else kept

    return pattern.sub(blank, text)


class Scope:
    def __init__(self, kind, name="", line=0):
        self.kind, self.name, self.line = kind, name, line
        self.members = 0


CLASS = re.compile(r"\b(class|struct|union)\s+(?:\[\[[^\]]*\]\]\s*)?([A-Za-z_][\w:]*)\s*(?:final\s*)?(?::(?!:)[^;{]*)?$")
NAME = re.compile(r"([A-Za-z_~][\w:~]*(?:<[^<>()]*>::~?\w+)?|operator\s*(?:\(\)|\[\]|[^\s(\w]+|[\w:]+[\s*&]*))\s*\(")
TEMPLATE = re.compile(r"^\s*template\s*<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>\s*")


def statement_kind(head):
    """What the brace after this text opens: namespace, class, enum, function, or other (an initialiser)."""
    head = head.strip()
    plain = TEMPLATE.sub("", head)
    if re.match(r"(inline\s+)?namespace\b", plain) or re.match(r'extern\s*""\s*$', plain):
        return "namespace", ""
    if re.search(r"\benum\b", plain) and "(" not in plain:
        return "enum", ""
    found = CLASS.search(plain)
    if found and "(" not in plain[:found.start()] and not re.search(r"[=)]", plain[found.end():]):
        return "class", found.group(2)
    parenthesis = plain.find("(")
    assignment = re.search(r"(?<![=!<>+\-*/%&|^])=(?!=)", plain[:parenthesis if parenthesis >= 0 else len(plain)])
    if parenthesis >= 0 and (not assignment or "operator" in plain[:parenthesis]):
        name = NAME.search(plain)
        return "function", name.group(1).strip() if name else "?"
    return "other", ""


def is_member(statement):
    statement = re.sub(r"\b(public|private|protected|signals|(public |private |protected )?(slots|Q_SLOTS))\s*:(?!:)", " ", statement).strip()
    return bool(statement) and not re.match(r"(friend|using|typedef|static_assert|Q_OBJECT$)\b", statement)


def measured(path, text):
    """Functions (name, first line, lines) and classes (name, first line, members) of one file."""
    text = blanked(text)
    functions, classes = [], []
    scopes = [Scope("namespace")]
    start = at = 0
    line_starts = [0] + [i + 1 for i, c in enumerate(text) if c == "\n"]
    line_of = lambda offset: next_line(line_starts, offset)
    depth_of_parentheses = 0
    initialiser = 0  # braces of initialisers that are open
    while at < len(text):
        c = text[at]
        if c in "([":
            depth_of_parentheses += 1
        elif c in ")]":
            depth_of_parentheses -= 1
        elif c == "{":
            head = text[start:at]
            kind, name = statement_kind(head) if depth_of_parentheses == 0 else ("other", "")
            if kind == "function" and re.search(r"[\w>]\s*$", head) and re.search(r"\)\s*:(?!:)[^{]*$|,\s*\w+\s*$|:\s*\w+\s*$", head) \
                    and not re.search(r"\)\s*(const|noexcept|override|final|mutable|requires\b[^;]*|->\s*[\w:<>&*, ]+|\s)*$", head):
                kind = "other"  # an initialiser of a member in the constructor's list: name{...}
                at = closing(text, at)
                text = text[:at] + " " + text[at + 1:]
                at += 1
                continue
            if kind == "namespace":
                scopes.append(Scope("namespace"))
                start = at + 1
            elif kind == "class":
                if scopes[-1].kind == "class":
                    scopes[-1].members += 1
                outer = scopes[-1].name + "::" if scopes[-1].kind == "class" else ""
                scopes.append(Scope("class", outer + name, line_of(start + len(head) - len(head.lstrip()))))
                start = at + 1
            elif kind == "function":
                end = closing(text, at)
                first = line_of(start + len(head) - len(re.sub(r"^(\s|public:|private:|protected:)+", "", head)))
                owner = scopes[-1].name + "::" if scopes[-1].kind == "class" else ""
                functions.append((owner + name, first, line_of(end) - first + 1))
                if scopes[-1].kind == "class" and is_member(head):
                    scopes[-1].members += 1
                at = end
                start = at + 1
            else:
                at = closing(text, at)  # an initialiser or an enumeration belongs to its statement
        elif c == "}":
            scope = scopes.pop() if len(scopes) > 1 else scopes[0]
            if scope.kind == "class":
                classes.append((scope.name, scope.line, scope.members))
                # What stands between the brace and the semicolon names a variable, not a further member.
                at = text.find(";", at) if ";" in text[at:] else at
            start = at + 1
        elif c == ";" and depth_of_parentheses == 0:
            if scopes[-1].kind == "class" and is_member(text[start:at]):
                scopes[-1].members += 1
            start = at + 1
        at += 1
    return functions, classes


def next_line(line_starts, offset):
    low, high = 0, len(line_starts)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if line_starts[middle] <= offset else (low, middle)
    return low + 1


def closing(text, opening):
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, opening):
        depth += 1 if match.group() == "{" else -1
        if depth == 0:
            return match.start()
    return len(text) - 1


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, round(share * (len(values) - 1)))] if values else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tree", default=pathlib.Path(__file__).resolve().parent.parent, type=pathlib.Path)
    parser.add_argument("--reasons", type=pathlib.Path, help="default: scripts/sizes.toml of the tree")
    parser.add_argument("--all", action="store_true", help="print every function and class with its size")
    options = parser.parse_args()
    functions, classes = [], []
    for room in ROOMS:
        for path in sorted((options.tree / room).rglob("*")):
            if path.suffix in (".cpp", ".h"):
                name = path.relative_to(options.tree).as_posix()
                found = measured(name, path.read_text())
                functions += [(lines, name, function, first) for function, first, lines in found[0]]
                classes += [(members, name, name_of, first) for name_of, first, members in found[1]]
    if options.all:
        for size, file, name, line in sorted(functions + classes, reverse=True):
            print(f"{size:5} {file}:{line} {name}")
    reasons_file = options.reasons or options.tree / "scripts/sizes.toml"
    reasons = tomllib.loads(reasons_file.read_text()) if reasons_file.exists() else {}
    lengths = [f[0] for f in functions]
    print(f"{len(functions)} functions: median {percentile(lengths, 0.5)} lines, 99th percentile {percentile(lengths, 0.99)}, "
          f"longest {max(lengths)}; {len(classes)} classes, largest {max(c[0] for c in classes)} members")
    status = 0
    for what, unit, limit, found, given in (("function", "lines", FUNCTION_LINES, functions, reasons.get("function", [])),
                                            ("class", "members", CLASS_MEMBERS, classes, reasons.get("class", []))):
        why = {(entry["file"], entry["name"]): entry["why"] for entry in given}
        above = sorted((f for f in found if f[0] > limit), reverse=True)
        print(f"{len(above)} {'classes' if what == 'class' else 'functions'} above {limit} {unit}:")
        for size, file, name, line in above:
            reason = why.pop((file, name), "")
            print(f"  {size:4} {file}:{line} {name}: {reason or 'NO REASON: make it smaller, or say why in scripts/sizes.toml'}")
            status |= not reason
        for file, name in why:
            print(f"  scripts/sizes.toml gives a reason for {name} in {file}, which is within the limit or gone")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
