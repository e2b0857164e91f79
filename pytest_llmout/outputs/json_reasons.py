"""Every way a JSON reply is refused: the machine codes, and the parser's words translated for a model."""

from __future__ import annotations

from typing import NamedTuple

SYNTAX_REASONS = {
    "bare_key": "an object key is not a string in double quotes (single quotes, no quotes, or a comment)",
    "control_character": "a string holds a raw control character, such as a line break that is not escaped",
    "empty": "there is nothing but white space",
    "invalid_escape": "a string holds a backslash that does not begin an escape of JSON",
    "invalid_number": "a number is not written as JSON writes numbers",
    "lone_surrogate": "the text or an escape holds half of a surrogate pair, which stands for no character",
    "missing_separator": "a comma or colon between two tokens is missing",
    "not_finite": "NaN or Infinity, which JSON does not have",
    "not_json": "something stands where only a JSON value may stand",
    "number_out_of_range": "a number overflows a double, or an integer is longer than 4300 digits",
    "too_deep": "arrays and objects are nested deeper than 200 levels",
    "trailing_comma": "a comma stands before a closing bracket or brace",
    "trailing_text": "text follows the JSON value, or the code fence around it",
    "truncated": "the reply ends before the JSON value does",
}
"""Reason codes of `syntax` failures, each with the documented meaning."""

SCHEMA_REASONS = {
    "validation": "the value does not fit the schema",
    "validator_error": "a check in the schema stopped with an error of its own instead of a verdict",
}
"""Reason codes of `schema` failures, each with the documented meaning."""


class Complaint(NamedTuple):
    """What one message of the parser stands for."""

    reason: str
    words: str


PARSER_MESSAGES = {
    "EOF while parsing a list": Complaint("truncated", "it ends inside an array"),
    "EOF while parsing a string": Complaint("truncated", "it ends inside a string"),
    "EOF while parsing a value": Complaint("truncated", "it ends where a value should follow"),
    "EOF while parsing an object": Complaint("truncated", "it ends inside an object"),
    "control character": Complaint("control_character", "a line break or control character in a string is not escaped"),
    "expected `,` or `]`": Complaint("missing_separator", "expected a comma or `]`"),
    "expected `,` or `}`": Complaint("missing_separator", "expected a comma or `}`"),
    "expected `:`": Complaint("missing_separator", "expected a colon"),
    "expected ident": Complaint("not_json", "expected a JSON value"),
    "expected value": Complaint("not_json", "expected a JSON value"),
    "invalid escape": Complaint("invalid_escape", "a backslash in a string does not begin a JSON escape"),
    "invalid number": Complaint("invalid_number", "a number is not written as in JSON"),
    "invalid unicode code point": Complaint("lone_surrogate", "an escape stands for no character"),
    "key must be a string": Complaint("bare_key", "expected a key in double quotes"),
    "lone leading surrogate": Complaint("lone_surrogate", "an escape is half of a surrogate pair"),
    "number out of range": Complaint("number_out_of_range", "a number is too long to be read exactly"),
    "recursion limit exceeded": Complaint("too_deep", "arrays and objects are nested deeper than 200 levels"),
    "trailing characters": Complaint("trailing_text", "the JSON value is complete, but text follows it"),
    "trailing comma": Complaint("trailing_comma", "a comma stands before the closing bracket"),
    "unexpected end of hex escape": Complaint("lone_surrogate", "an escape is half of a surrogate pair"),
}
"""The messages of pydantic-core's JSON parser by how they begin."""

UNKNOWN = Complaint("not_json", "it is not valid JSON")
"""What a message stands for that a future parser may add."""
