"""svg_oracle.py WHAT FILE...: what pictures say, by Python's XML parser

bars     per bar: the picture's number, tab, what its title says, tab, its
         height, tab, its y; a tab and its colour where it has one
titles   the document's title, then each picture's
curves   per curve: its name, and its heights, one for each band
cellsN   per cell of a heat map, of N by N pixels: x, y, shade
texts    all texts

Each must be well-formed and stand alone, with all coordinates on the page.
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


def check(svg):
    height = float(svg.getAttribute("height"))
    assert svg.getAttribute("viewBox") == "0 0 %d %g" % (PAGE, height)
    assert svg.namespaceURI == "http://www.w3.org/2000/svg"
    for node in svg.getElementsByTagName("*"):
        assert node.tagName in ("title", "g", "rect", "path", "text"), node
        for name, value in node.attributes.items():
            assert name != "href" and "url" not in value, value
            assert "nan" not in value and "inf" not in value, value
    for number, picture in enumerate(pictures(svg)):
        x, y = map(float, re.fullmatch(
            r"translate\((\d+),([\d.]+)\)",
            picture.getAttribute("transform")).groups())
        for rect in picture.getElementsByTagName("rect"):
            if not rect.getElementsByTagName("title"):
                continue
            left, top, width, tall = (float(rect.getAttribute(a)) for a in (
                "x", "y", "width", "height"))
            assert left >= 0 and width > 0 and x + left + width <= PAGE
            assert top >= 0 and tall >= 1 and abs(top + tall - 260) < 0.01
            assert y + top + tall < height


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
