# SPDX-License-Identifier: MIT
"""svg_oracle.py WHAT FILE...: what pictures say, by Python's XML parser

bars     per bar: the picture's number, tab, what its title says, tab, its
         height, tab, its y; a tab and its colour where it has one
titles   the document's title, then each picture's
curves   per curve: its name, and its heights, one for each band
cellsN   per cell of a heat map, of N by N pixels: x, y, shade
texts    all texts

Each must be well-formed and stand alone, with all coordinates on the page; all
bars of a picture start at one height, those below 0 downwards; each colour has
another one for a dark page, and all texts are legible on both pages.
"""
import re
import sys
from xml.dom import minidom

PAGE = 800


def text_of(node):
    return "".join(n.data for n in node.childNodes if n.nodeType == n.TEXT_NODE)


def pictures(svg):
    """The groups that are a whole picture: those at the top."""
    return [n for n in svg.childNodes
            if n.nodeType == n.ELEMENT_NODE and n.tagName == "g"]


def bars(svg):
    for number, picture in enumerate(pictures(svg), 1):
        for rect in picture.getElementsByTagName("rect"):
            title = rect.getElementsByTagName("title")
            if title:
                print(number, text_of(title[0]), rect.getAttribute("height"),
                      rect.getAttribute("y"), *filter(
                          None, [rect.getAttribute("fill")]), sep="\t")


def titles(svg):
    print(text_of(svg.getElementsByTagName("title")[0]))
    for picture in pictures(svg):
        print(text_of(picture.getElementsByTagName("text")[0]))


def curves(svg):
    for path in svg.getElementsByTagName("path"):
        title = path.getElementsByTagName("title")
        if title:
            steps = re.findall(r"V([\d.e+-]+)H", path.getAttribute("d"))
            print(text_of(title[0]), *(260 - float(v) for v in steps))


def cells(svg, size):
    shades = [r.getAttribute("fill") for r in svg.getElementsByTagName("rect")
              if r.getAttribute("width") == "18"]
    for path in svg.getElementsByTagName("path"):
        fill = path.getAttribute("fill")
        for corner in re.findall(
                r"M([\d.]+) ([\d.]+)H([\d.]+)V([\d.]+)H([\d.]+)z",
                path.getAttribute("d")):
            left, bottom, right, top, again = map(float, corner)
            assert left == again and left < right and top < bottom
            for i in range(round(left / size), round(right / size)):
                print(i, round((512 - bottom) / size), shades.index(fill) + 1)


def check_bars(picture, left, top, height):
    """The bars of a picture are on the page and start at 0."""
    zeros = set()
    ends = []
    for rect in picture.getElementsByTagName("rect"):
        title = rect.getElementsByTagName("title")
        if not title:
            continue
        x, y, width, tall = (float(rect.getAttribute(a)) for a in (
            "x", "y", "width", "height"))
        is_below = re.search(r": -[\d.e+]+$", text_of(title[0]))
        zeros.add(round(y if is_below else y + tall, 2))
        ends.append(y + tall)
        assert x >= 0 and width > 0 and left + x + width <= PAGE
        assert y > -0.01 and tall >= 1 and top + y + tall < height
    assert len(zeros) <= 1 and all(end < 260.01 for end in ends), (zeros, ends)
    assert not ends or abs(max(ends) - 260) < 0.01


def luminance(colour):
    """As WCAG 2 defines it; of #rgb or #rrggbb."""
    digits = colour[1:]
    if len(digits) == 3:
        digits = "".join(2 * d for d in digits)
    parts = (int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4))
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4
               for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def check_colours(svg):
    dark = text_of(svg.getElementsByTagName("style")[0]).split(
        "prefers-color-scheme:dark")[1]
    rules = dict(((kind, light), other) for kind, light, other in re.findall(
        r'\[(fill|stroke)="(#[0-9a-f]+)"\]\{\1:(#[0-9a-f]+)\}', dark))
    page, text = re.search(r"background:(#\w+);fill:(#\w+)", dark).groups()
    assert rules[("fill", "#fff")] == page
    assert contrast(page, text) > 7
    for node in svg.getElementsByTagName("*"):
        for kind in "fill", "stroke":
            colour = node.getAttribute(kind)
            if colour in ("", "none"):
                continue
            other = rules[(kind, colour)]
            if node.tagName in ("text", "tspan"):
                assert contrast(colour, "#fff") > 4.5, colour
                assert contrast(other, page) > 4.5, other


def check(svg):
    height = float(svg.getAttribute("height"))
    assert svg.getAttribute("viewBox") == "0 0 %d %g" % (PAGE, height)
    assert svg.namespaceURI == "http://www.w3.org/2000/svg"
    for node in svg.getElementsByTagName("*"):
        assert node.tagName in ("title", "style", "g", "rect", "path",
                                "text"), node
        for name, value in node.attributes.items():
            assert name != "href" and "url" not in value, value
            assert "nan" not in value and "inf" not in value, value
    check_colours(svg)
    for picture in pictures(svg):
        left, top = map(float, re.fullmatch(
            r"translate\((\d+),([\d.]+)\)",
            picture.getAttribute("transform")).groups())
        check_bars(picture, left, top, height)


def main():
    what = sys.argv[1]
    for path in sys.argv[2:]:
        svg = minidom.parse(path).documentElement
        check(svg)
        if what == "bars":
            bars(svg)
        elif what == "titles":
            titles(svg)
        elif what == "curves":
            curves(svg)
        elif what.startswith("cells"):
            cells(svg, int(what[len("cells"):]))
        elif what == "texts":
            for text in svg.getElementsByTagName("text"):
                print(text_of(text))


main()
