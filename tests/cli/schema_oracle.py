# SPDX-License-Identifier: MIT
"""schema_oracle.py -- JSON is as doc/report.schema.json says

    schema_oracle.py GPUHIST

What --format=json and jsonl print for many options is valid; and so that the
schema says something, copies with a fault are not.  The validator here knows
the words that the schema uses; jsonschema, if it is installed, must agree.
Prints a line for each test, "PASS name" or "FAIL name", for the shell to count.
"""

import copy
import json
import os
import re
import subprocess
import sys

from checks import check

try:
    import jsonschema
except ImportError:
    jsonschema = None

GPUHIST = sys.argv[1]
SCHEMA = json.load(open(os.path.join(os.path.dirname(os.path.abspath(
    __file__)), "..", "..", "doc", "report.schema.json"), encoding="utf-8"))
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool,
         "number": (int, float), "integer": int, "null": type(None)}


# ---- a validator for the words of the schema ----

def is_of(value, name):
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, TYPES[name])


def fits_object(value, schema):
    known = schema.get("properties", {})
    more = schema.get("additionalProperties", True)
    return (all(name in value for name in schema.get("required", [])) and
            len(value) >= schema.get("minProperties", 0) and
            all(fits(value[name], known[name]) if name in known else
                more if isinstance(more, bool) else fits(value[name], more)
                for name in value))


def fits(value, schema):
    unknown = set(schema) - {
        "$schema", "$defs", "$ref", "title", "description", "type", "enum",
        "const", "minimum", "pattern", "if", "then", "items", "minItems",
        "required", "properties", "additionalProperties", "minProperties"}
    assert not unknown, unknown
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        if not fits(value, SCHEMA["$defs"][name]):
            return False
    types = schema.get("type", [])
    if types and not any(is_of(value, name) for name in
                         ([types] if isinstance(types, str) else types)):
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if "const" in schema and value is not schema["const"]:
        return False
    if "minimum" in schema and value < schema["minimum"]:
        return False
    if "pattern" in schema and not re.search(schema["pattern"], value):
        return False
    if "if" in schema and fits(value, schema["if"]) and not fits(
            value, schema["then"]):
        return False
    if isinstance(value, list):
        return (len(value) >= schema.get("minItems", 0) and
                all(fits(item, schema.get("items", {})) for item in value))
    return not isinstance(value, dict) or fits_object(value, schema)


def is_valid(value, name="report"):
    valid = fits(value, {"$ref": "#/$defs/" + name})
    if jsonschema is not None:
        whole = dict(SCHEMA, **{"$ref": "#/$defs/" + name})
        wanted = jsonschema.Draft202012Validator(whole).is_valid(value)
        assert valid == wanted, ("jsonschema disagrees", value)
    return valid


# ---- what gpuhist prints ----

def no_twice(pairs):
    names = [name for name, _ in pairs]
    assert len(set(names)) == len(names), names
    return dict(pairs)


def run(form, options):
    done = subprocess.run([GPUHIST, "-q", "--format=" + form, *options],
                          stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=60, check=False)
    assert done.returncode == 0, (options, done.stderr)
    return done.stdout.decode()


def prove(options):
    decoder = json.JSONDecoder(object_pairs_hook=no_twice)
    rest = run("json", options)
    while rest:
        report, end = decoder.raw_decode(rest)
        rest = rest[end:].lstrip()
        assert is_valid(report), report
        for histogram in report.get("histograms", []):
            names = {axis["name"] for axis in histogram["axes"]}
            assert len(names) == len(histogram["axes"])
    kind = ("group" if any("--columns" in option for option in options) else
            "row" if "--pivot" in options else "line")
    if "--profile" in options:
        return
    for text in run("jsonl", options).splitlines():
        line = decoder.decode(text)
        assert is_valid(line, "end" if "gpuhist" in line else kind), line


def faults(report):
    """Copies of REPORT, each with a fault, and what it is."""
    def copy_of(change):
        changed = copy.deepcopy(report)
        change(changed, changed["histograms"][0])
        return changed

    line = {"city": "Rome", "count": 1}
    yield "no version", copy_of(lambda top, _: top.pop("gpuhist"))
    yield "records are a text", copy_of(
        lambda top, _: top.update(records="5"))
    yield "negative bytes", copy_of(lambda top, _: top.update(bytes=-1))
    yield "a member more", copy_of(lambda top, _: top.update(kinds=[]))
    yield "no axes", copy_of(lambda _, first: first.update(axes=[]))
    yield "an axis without a name", copy_of(
        lambda _, first: first["axes"][0].pop("name"))
    yield "an unknown rule", copy_of(
        lambda _, first: first["axes"][0].update(rule="none"))
    yield "a line that is a list", copy_of(
        lambda _, first: first["bins"].append([1]))
    yield "a line of a list", copy_of(
        lambda _, first: first["bins"].append({**line, "city": ["Rome"]}))
    yield "an unknown kind", copy_of(
        lambda _, first: first["flow"].append({**line, "flow": "lost"}))
    yield "others that are none", copy_of(
        lambda _, first: first["bins"].append({**line, "other": False}))
    yield "an empty line", copy_of(lambda _, first: first["bins"].append({}))
    yield "no totals of values", copy_of(
        lambda _, first: first["totals"].pop("values"))
    yield "an edge that is a word", copy_of(
        lambda _, first: first["axes"][0].update(lo="low"))


def prove_fault(changed):
    assert not is_valid(changed)


with open("cities.csv", "wb") as file:
    file.write(b"city,price,count,other\nRome,1.5,2,x\nOslo,inf,3,\xff\n"
               b'"a, b",,4,y\n\\N,-3,5,z\nRome,x\n,7,1,x\n')
with open("numbers.f4", "wb") as file:
    file.write(bytes(range(256)) * 4)

CSV = ["--csv", "cities.csv"]
for OPTIONS in (
        ["-f", "city"], ["-f", "city,price"], ["-f", "other"],
        ["-f", "city", "--top=1"], ["-g", "city,other"], ["-f", "count"],
        ["-g", "city,price", "--joint"], ["-f", "price", "--dtype=num"],
        ["-f", "price", "-b4", "--range=0,4"],
        ["-f", "price", "-b4", "--range=0,4", "--percent", "--cumulative",
         "--density", "--flow=show"],
        ["-g", "city", "-f", "price", "-b2", "--range=0,4"],
        ["-f", "price,count", "--joint", "-b2", "--range=0,4"],
        ["-g", "city", "-f", "price", "--columns=count,mean,p50,mode"],
        ["-g", "city", "-f", "price", "-b2", "--range=0,4", "--dtype=num",
         "--columns=count,min,p50"],
        ["-g", "city", "-f", "other", "--columns=count,mode"],
        ["-g", "city", "--columns=count"],
        ["-g", "city,other", "--pivot", "--top=1"],
        ["-g", "city,other", "--top-each=1", "--percent=group"],
        ["-f", "city", "--weights=count"], ["-f", "city", "--where=count>2"],
        ["-f", "city", "--per-file"], ["-f", "city", "--spectrum"],
        ["-f", "city,other", "--rename=value=v,field=f,count=n"],
        ["--profile"]):
    check("valid: " + " ".join(OPTIONS), prove, OPTIONS + CSV)
for OPTIONS in ([], ["-b4"], ["--dtype=f4", "-b4"], ["--record=u1,u1"],
                ["--record=u1,u1", "--joint", "-b2"],
                ["--record=u1,u1", "-f1", "--weights=2"],
                ["--dtype=f4", "--log", "--nonzero"],
                ["--labels=char", "--top=3"], ["--per-file"],
                ["--every=500"]):
    check("valid: " + " ".join(OPTIONS), prove, OPTIONS + ["numbers.f4"])
REPORT = json.loads(run("json", ["-f", "city", "--top=1", *CSV]))
check("valid, before the faults", prove, ["-f", "city", *CSV])
for NAME, CHANGED in faults(REPORT):
    check("not valid: " + NAME, prove_fault, CHANGED)
