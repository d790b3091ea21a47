# SPDX-License-Identifier: MIT
"""goaccess_oracle.py -- logs with and without virtual hosts, as goaccess
counts them

    goaccess_oracle.py GPUHIST

Prints a line for each test, "PASS name" or "FAIL name", for the shell to count.
"""

import json
import random
import subprocess
import sys

from checks import check

GPUHIST = sys.argv[1]
VHOSTS = ["www.example.org:443", "shop.example.com:443", "api.example.org:80",
          "cdn-1.example.net:8443", "intranet:80", "192.0.2.7:8080"]
AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:%d.0) Gecko/20100101 Firefox/%d.0"


def line(source):
    client = source.choice(["10.0.%d.%d", "2001:db8::%x:%x"]) % (
        source.randrange(9), 1 + source.randrange(200))
    path = source.choice(["/", "/index.html", "/a/b.png", "/long/" + "p" * 90,
                          "/items/%d" % source.randrange(40)])
    version = 100 + source.randrange(9)
    return '%s - %s [%02d/Nov/2026:%02d:%02d:%02d +0000] "%s %s HTTP/1.1" ' \
        '%d %d "%s" "%s"\n' % (
            client, source.choice(["-", "bob"]), source.randrange(1, 29),
            source.randrange(24), source.randrange(60), source.randrange(60),
            source.choice(["GET", "POST"]), path,
            source.choice([200, 200, 200, 301, 404, 500]),
            source.randrange(100000), source.choice(["-", "https://a.b/x y"]),
            AGENT % (version, version))


def goaccess(name):
    """The counts, and the bytes, of each panel of goaccess."""
    subprocess.run(["goaccess", "log", "--log-format=" + name, "-o", "got.json",
                    "--no-progress", "--no-global-config", "--max-items=99999"],
                   stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
                   check=True)
    with open("got.json", encoding="utf-8") as file:
        report = json.load(file)
    assert report["general"]["failed_requests"] == 0
    status = [item for row in report["status_codes"]["data"]
              for item in row["items"]]
    for item in status:
        item["data"] = item["data"].split()[0]
    panels = {"status": status, "host": report["hosts"]["data"]}
    if name == "VCOMBINED":
        panels["vhost"] = report["vhosts"]["data"]
    return {field: [{row["data"]: row[what]["count"] for row in rows}
                    for what in ("hits", "bytes")]
            for field, rows in panels.items()}


def ours(field, *options):
    done = subprocess.run([GPUHIST, "--clf", "-f", field, *options, "log"],
                          capture_output=True, timeout=120, check=True)
    assert done.stderr == b"", done.stderr
    return {key: int(count) for key, count in
            (row.split("\t") for row in done.stdout.decode().splitlines())}


def test(name):
    source = random.Random(name)
    with open("log", "w", encoding="utf-8") as file:
        for _ in range(20000):
            if name == "VCOMBINED":
                file.write(source.choice(VHOSTS) + " ")
            file.write(line(source))
    for field, (hits, sent) in goaccess(name).items():
        assert ours(field) == hits, field
        assert ours(field, "--weights=bytes") == sent, field


for NAME in "COMBINED", "VCOMBINED":
    check("goaccess, " + NAME, test, NAME)
