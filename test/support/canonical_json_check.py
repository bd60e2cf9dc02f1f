"""Holds docs/vectors/canonical-json.json against Python's standard library alone: a reader and a writer that share nothing with ours."""
import base64
import hashlib
import json
import sys

SAFE = 2**53 - 1


class Refused(Exception):
    pass


def refuse(_):
    raise Refused


def unique(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise Refused
    return dict(pairs)


def whole(text):
    return in_range(int(text))


def decimal(text):
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise Refused
    return in_range(int(number)) if number.is_integer() else number


def in_range(number):
    if abs(number) > SAFE:
        raise Refused
    return number


def depth(value):
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if children is None else 1 + max(map(depth, children), default=0)


def read(data):
    try:
        value = json.loads(data.decode("utf-8", "strict"), object_pairs_hook=unique, parse_constant=refuse, parse_int=whole, parse_float=decimal)
        json.dumps(value, ensure_ascii=False).encode("utf-8", "strict")  # half surrogates have no UTF-8
    except (Refused, ValueError):
        return None
    return None if depth(value) > 64 else [value]


def number_text(number):
    if isinstance(number, int):
        return str(number)
    sign = "-" if number < 0 else ""
    mantissa, _, exponent = repr(abs(number)).partition("e")
    point = mantissa.find(".")
    digits = mantissa.replace(".", "")
    before = (len(digits) if point < 0 else point) + int(exponent or 0)
    stripped = digits.lstrip("0")
    before -= len(digits) - len(stripped)
    digits = stripped.rstrip("0")
    if 0 < before <= 21:
        return sign + (digits.ljust(before, "0") if len(digits) <= before else digits[:before] + "." + digits[before:])
    if -6 < before <= 0:
        return sign + "0." + "0" * -before + digits
    power = before - 1
    return sign + digits[0] + ("." + digits[1:] if len(digits) > 1 else "") + "e" + ("+" if power > 0 else "-") + str(abs(power))


ESCAPES = {0x08: "\\b", 0x09: "\\t", 0x0A: "\\n", 0x0C: "\\f", 0x0D: "\\r", 0x22: '\\"', 0x5C: "\\\\"}


def string_text(value):
    return '"' + "".join(ESCAPES.get(ord(c)) or ("\\u%04x" % ord(c) if ord(c) < 0x20 else c) for c in value) + '"'


def canonical(value):
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, (int, float)):
        return number_text(value)
    if isinstance(value, str):
        return string_text(value)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
    return "{" + ",".join(string_text(key) + ":" + canonical(value[key]) for key in keys) + "}"


def main(path):
    with open(path, encoding="utf-8") as file:
        vectors = json.load(file)
    wrong = []
    for vector in vectors["accepted"]:
        reading = read(vector["input"].encode("utf-8"))
        text = reading and canonical(reading[0])
        if text != vector["canonical"] or hashlib.sha256(text.encode("utf-8")).hexdigest() != vector["sha256"]:
            wrong.append(vector["name"])
    for vector in vectors["refused"]:
        data = vector["input"].encode("utf-8") if "input" in vector else base64.b64decode(vector["input_base64"])
        if read(data) is not None:
            wrong.append(vector["name"])
    print(json.dumps({"accepted": len(vectors["accepted"]), "refused": len(vectors["refused"]), "wrong": wrong}))


main(sys.argv[1])
