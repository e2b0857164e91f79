"""The grammar rules that every JSON grammar for llama.cpp is built from."""

from __future__ import annotations

PRIMITIVES = {
    # A model that may write any white space between tokens often writes nothing else; one space or line break will do.
    "space": r'| " " | "\n" [ \t]{0,20}',
    "hex": "[0-9a-fA-F]",
    # An escape may not be half of a surrogate pair: it stands for no character, and strict readers refuse it.
    "escape": r'"\\" (["\\/bfnrt] | "u" ([0-9a-cefA-CEF] hex{3} | [dD] [0-7] hex{2}))',
    "char": r'[^"\\\x00-\x1F\x7F] | escape',
    "string": r'"\"" char* "\""',
    # Bounded digits and exponents keep every number within the range of a double.
    "integer": '"-"? ("0" | [1-9] [0-9]{0,15})',
    "natural": '"0" | [1-9] [0-9]{0,15}',
    "number": 'integer ("." [0-9]{1,16})? ([eE] [-+]? [0-9]{1,2})?',
    "boolean": '"true" | "false"',
    "null": '"null"',
    "array": '"[" space (value (space "," space value)*)? space "]"',
    "member": 'string space ":" space value',
    "object": '"{" space (member (space "," space member)*)? space "}"',
    "value": "object | array | string | number | boolean | null",
    "two-digits": "[0-9] [0-9]",
    "day-28": '"0" [1-9] | "1" [0-9] | "2" [0-8]',
    "month-day": (
        '("0" [13578] | "1" [02]) "-" ("0" [1-9] | [12] [0-9] | "3" [01])'
        ' | ("0" [469] | "11") "-" ("0" [1-9] | [12] [0-9] | "30") | "02-" day-28'
    ),
    "date-body": '"20" two-digits "-" month-day | "19" two-digits "-" month-day',
    "time-body": '("0" [0-9] | "1" [0-9] | "2" [0-3]) ":" [0-5] [0-9] ":" [0-5] [0-9]',
    "date": r'"\"" date-body "\""',
    "time": r'"\"" time-body "Z\""',
    "date-time": r'"\"" date-body "T" time-body "Z\""',
    "uuid": r'"\"" hex{8} "-" hex{4} "-" hex{4} "-" hex{4} "-" hex{12} "\""',
}
"""Rule bodies by name; a grammar lists those that it reaches."""

FORMATS = frozenset(("date", "date-time", "time", "uuid"))
"""The formats of strings that have a rule; dates are of the years 1900 to 2099, without 29 February."""
