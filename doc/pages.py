# SPDX-License-Identifier: MIT
"""pages.py DIRECTORY -- the manual, the README, the cookbook and the other pages
of Markdown as static pages for a browser, with mandoc(1) and cmark-gfm(1)

Options and pages that a text names are links.  index.html is the README.
"""

import html
import os
import posixpath
import re
import shutil
import subprocess
import sys

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MANUAL = [
    "gpuhist.1",
    "gpuhist-text.1",
    "gpuhist-bins.1",
    "gpuhist-figures.1",
    "gpuhist-seq.1",
    "gpuhist-archives.1",
    "gpuhist-output.1",
    "gpuhist-gpu.1",
    "gpuhist-format.5",
    "gpuhist-state.5",
]
MARKDOWN = [
    "README.md",
    "doc/install.md",
    "doc/python.md",
    "doc/cookbook.md",
    "doc/clusters.md",
    "doc/python.md",
    "NEWS.md",
    "SECURITY.md",
    "doc/stability.md",
    "doc/soak.md",
    "HACKING.md",
    "bench/RESULTS.md",
    "bench/NOTES.md",
]
STYLE = "style.css"


def page_of(path):
    """The name of the page of a file of the tree."""
    if path == "README.md":
        return "index.html"
    name = posixpath.basename(path)
    return name.removesuffix(".md") + ".html" if name.endswith(".md") else name


def run(*command):
    return subprocess.run(
        command, check=True, stdout=subprocess.PIPE, cwd=TREE, encoding="utf-8"
    ).stdout


# ---- both kinds of pages ----


def navigation(here):
    """Links to all pages of users."""
    links = [("index.html", "gpuhist"), ("cookbook.html", "cookbook")]
    links += [(name + ".html", name.split(".")[0].removeprefix("gpuhist-")) for name in MANUAL]
    links[2] = (links[2][0], "manual")
    parts = [
        "<b>%s</b>" % name if page == here else '<a href="%s">%s</a>' % (page, name)
        for page, name in links
    ]
    return "<nav>%s</nav>\n" % "\n".join(parts)


# ---- Markdown ----


def anchor(title, known):
    """The name that GitHub gives to a heading."""
    text = re.sub("<[^>]*>", "", title)
    name = re.sub(r"[^\w\- ]", "", html.unescape(text).lower()).replace(" ", "-")
    known[name] = known.get(name, -1) + 1
    return name if known[name] == 0 else "%s-%d" % (name, known[name])


def markdown_page(path, files):
    """The page of a file; FILES gets those that it needs beside it."""
    body = run("cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink", path)
    known = {}

    def heading(match):
        level, title = match.groups()
        return '<h%s id="%s">%s</h%s>' % (level, anchor(title, known), title, level)

    def link(match):
        attribute, target = match.groups()
        if re.match("[a-z]+:|#", target):
            return match.group(0)
        file, _, place = target.partition("#")
        file = posixpath.normpath(posixpath.join(posixpath.dirname(path), file))
        if file not in MARKDOWN:
            files.add(file)
        return '%s="%s%s"' % (attribute, page_of(file), "#" + place if place else "")

    body = re.sub("<h([1-6])>(.*?)</h[1-6]>", heading, body, flags=re.S)
    body = re.sub('(href|src)="([^"]*)"', link, body)
    # Wide tables scroll by themselves.
    body = body.replace("<table>", '<div class="wide"><table>')
    body = body.replace("</table>", "</table></div>")
    title = re.search("<h1[^>]*>(.*?)</h1>", body, re.S).group(1)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1.0">\n'
        '<link rel="stylesheet" href="%s">\n<title>%s</title>\n</head>\n<body>\n%s'
        "<main>\n%s</main>\n</body>\n</html>\n"
        % (STYLE, title, navigation(page_of(path)), body)
    )


# ---- the manual ----


def options_of(name, page):
    """Where page PAGE, of the manual's page NAME, describes an option."""
    start = page.find('id="OPTIONS"')
    end = page.find('<h1 class="Sh"', start)
    return {
        match.group(2): "%s.html#%s" % (name, match.group(1))
        for match in re.finditer(
            r'<dt id="([^"]*)"><a class="permalink"[^>]*>(?:(?!</dt>).)*?<b>(--[a-z0-9-]+)',
            page[start:end] if start >= 0 else "",
            re.S,
        )
    }


def manual_page(name, page, options):
    """Page NAME of the manual with its links; PAGE is what mandoc makes of it."""

    def option(match):
        place = options.get(match.group(1))
        if place is None:
            return match.group(0)
        return '<a href="%s">%s</a>' % (place.removeprefix(name + ".html"), match.group(0))

    def other(match):
        target = "%s.%s" % match.groups()
        if target not in MANUAL:
            return match.group(0)
        return '<a href="%s.html"><b>%s</b>(%s)</a>' % ((target,) + match.groups())

    page = re.sub(
        r'<a class="permalink" href="[^"]*"><b>(gpuhist[a-z-]*)</b></a>\(([15])\)', other, page
    )
    page = re.sub(r"(?<!>)<b>(gpuhist[a-z-]*)</b>\(([15])\)", other, page)
    # What a <dt> names is the place itself.
    parts = re.split("(<dt.*?</dt>|<h1.*?</h1>|<h2.*?</h2>)", page, flags=re.S)
    parts[::2] = [re.sub("<b>(--[a-z0-9-]+)=?</b>", option, part) for part in parts[::2]]
    page = "".join(parts)
    return page.replace("<body>\n", "<body>\n%s" % navigation(name + ".html"), 1)


def manual():
    """The pages of the manual by their names."""
    pages = {}
    for name in MANUAL:
        pages[name] = run("mandoc", "-T", "html", "-O", "style=" + STYLE, "man/" + name)
    options = {}
    for name, page in pages.items():
        options.update(options_of(name, page))
    return {name + ".html": manual_page(name, page, options) for name, page in pages.items()}


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: pages.py DIRECTORY")
    directory = sys.argv[1]
    os.makedirs(directory, exist_ok=True)
    files = {"doc/" + STYLE}
    pages = {page_of(path): markdown_page(path, files) for path in MARKDOWN}
    pages.update(manual())
    for name, text in pages.items():
        with open(os.path.join(directory, name), "w", encoding="utf-8") as out:
            out.write(text)
    for file in files:
        shutil.copyfile(os.path.join(TREE, file), os.path.join(directory, page_of(file)))


main()
