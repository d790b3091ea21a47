# SPDX-License-Identifier: MIT
"""cookbook.py -- run the recipes of doc/cookbook.md and of README.md

Usage: python3 cookbook.py [--write] COOKBOOK...

Runs in a directory with the files of samples.py; gpuhist is in PATH.  A recipe
is a heading of the third level with blocks of commands after a "$ ".  A line
after "> " goes on with the command, and other lines are its output.  A block "console same" has what the recipe
replaces, and its words must be those of the recipe, in each line and in the
order of the lines that sort gives; "console other" prints something else, and
is not run.

Prints TAP.  With --write, prints the one cookbook with new output instead.
"""

import re
import shutil
import subprocess
import sys

HEADING = re.compile(r"### (.*)")
WORD = re.compile(r"[^\s,;:|]+")


def blocks(lines):
    """Yield (title, kind, first, last): lines[first:last] is a block."""
    title, start = None, None
    for number, line in enumerate(lines):
        if line.startswith("```"):
            if start is None:
                start, kind = number + 1, line[3:]
            else:
                if kind.startswith("console"):
                    yield title, kind, start, number
                start = None
        elif start is None and HEADING.match(line):
            title = HEADING.match(line).group(1)


def commands(block):
    """A list of [command, output] of the lines of a block."""
    found = []
    for line in block:
        if line.startswith("$ "):
            found.append([line[2:], ""])
        elif line.startswith("> "):
            found[-1][0] += "\n" + line[2:]
        else:
            found[-1][1] += line + "\n"
    return found


def run(command):
    return subprocess.run(["sh", "-c", command], stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=60, check=False)


def printed(command):
    result = run(command)
    if result.returncode:
        return "%sexit status %d" % (result.stderr.decode(), result.returncode)
    return result.stdout.decode(errors="replace")


def word(text):
    """A number by its first six digits, so that 0.5 is .5."""
    try:
        return "%.6g" % float(text)
    except ValueError:
        return text


def words(text):
    return sorted(sorted(word(found) for found in WORD.findall(line))
                  for line in text.splitlines())


def missing_program(command):
    """A program or module that command needs and that is not here, or None."""
    shell = re.sub(r"'[^']*'|\"[^\"]*\"", "", command)
    for part in re.split(r"[|;]|&&|\$\(|<\(", shell):
        names = part.split()
        if not names or shutil.which(names[0]):
            continue
        if run("command -v " + names[0]).returncode:
            return names[0]
    module = re.match(r"python3 -c 'import (\w+)", command)
    if module and run("python3 -c 'import %s'" % module.group(1)).returncode:
        return module.group(1)
    return None


def write(lines, found):
    done = 0
    for _, kind, first, last in found:
        print("\n".join(lines[done:first]))
        for command, _ in commands(lines[first:last]):
            print("$ " + command.replace("\n", "\n> "))
            if kind == "console":
                print(printed(command), end="")
        done = last
    print("\n".join(lines[done:]))


class Tap:
    def __init__(self):
        self.count = 0
        self.failed = False

    def report(self, good, name, remark=""):
        self.count += 1
        self.failed |= not good
        print("%sok %d - %s%s" % ("" if good else "not ", self.count,
                                  name.replace("#", ""), remark))

    def same(self, got, wanted, name):
        self.report(got == wanted, name)
        if got != wanted:
            for which, value in ("got", got), ("wanted", wanted):
                for line in value if isinstance(value, list) else [value]:
                    print("# %-6s %s" % (which, str(line).replace("\n", "\n# ")))


def check(lines, found, tap):
    output = {}
    for title, kind, first, last in found:
        for command, wanted in commands(lines[first:last]):
            missing = missing_program(command)
            if kind == "console other":
                continue
            if missing:
                tap.report(True, title, " # SKIP no " + missing)
            elif kind == "console same":
                tap.same(words(printed(command)), words(output.get(title, "")),
                         title + ": as " + command.split()[0])
            else:
                text = printed(command)
                output[title] = output.get(title, "") + text
                tap.same(text, wanted, title)


def read(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    return lines, list(blocks(lines))


def main():
    arguments = sys.argv[1:]
    if arguments[0] == "--write":
        write(*read(arguments[1]))
        return 0
    tap = Tap()
    for path in arguments:
        lines, found = read(path)
        check(lines, found, tap)
        titles = [HEADING.match(line).group(1) for line in lines
                  if HEADING.match(line)]
        tap.same(sorted(titles), sorted({title for title, *_ in found}),
                 "each recipe has a command, and a name of its own")
    print("1..%d" % tap.count)
    return tap.failed


sys.exit(main())
