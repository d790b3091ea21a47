# SPDX-License-Identifier: MIT
"""pages_links.py DIRECTORY -- print the links of pages of HTML that lead to no
file of the directory, or to no place of it, and places with the same name"""

import collections
import html.parser
import os
import re
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.places = collections.Counter()
        self.links = []
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id":
                self.places[value] += 1
            elif name in ("href", "src"):
                self.links.append(value)


def main():
    directory = sys.argv[1]
    files = sorted(os.listdir(directory))
    pages = {f: Page(os.path.join(directory, f)) for f in files if f.endswith(".html")}
    for name, page in pages.items():
        for place, count in page.places.items():
            if count > 1:
                print("%s: %s twice" % (name, place))
        for link in page.links:
            if re.match("[a-z]+:", link):
                continue
            file, place = map(urllib.parse.unquote, urllib.parse.urldefrag(link))
            target = pages.get(file or name)
            if (file or name) not in files or (place and place not in target.places):
                print("%s: %s" % (name, link))


main()
