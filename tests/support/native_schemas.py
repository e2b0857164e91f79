"""Schemas that show what provider-native modes can and cannot say."""

from __future__ import annotations

import datetime as dt  # noqa: TC003  pydantic resolves the annotation at run time
import uuid  # noqa: TC003  likewise
from enum import Enum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, RootModel


class Size(Enum):
    SMALL = "small"
    LARGE = "large"


class Review(BaseModel):
    """A verdict on a change."""

    verdict: Literal["approve", "reject"]
    reason: str = Field(description="One sentence.")
    score: int = Field(ge=1, le=5)


class Person(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str
    born: dt.date | None = None


class Order(BaseModel):
    id: uuid.UUID
    customer: Person
    sizes: list[Size] = Field(min_length=1)
    note: str = ""
    paid: bool


class Node(BaseModel):
    label: str
    children: list[Node] = []


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str


class Pet(BaseModel):
    pet: Annotated[Cat | Dog, Field(discriminator="kind")]


class Counts(BaseModel):
    counts: dict[str, int]
    point: tuple[int, float]
    anything: Any = None


class Bounded(BaseModel):
    short: str = Field(min_length=2, max_length=5)
    positive: float = Field(gt=0)
    unique: set[int]
    code: str = Field(pattern=r"^[A-Z]{3}$")


SCHEMAS: dict[str, Any] = {
    "review": Review,
    "person": Person,
    "order": Order,
    "node": Node,
    "pet": Pet,
    "counts": Counts,
    "bounded": Bounded,
    "list": list[Person],
    "root": RootModel[dict[str, Review]],
    "scalar": int,
    "json": JsonValue,
    "document": {
        "type": "object",
        "properties": {
            "a": {"type": ["string", "null"], "maxLength": 3},
            "b": {"oneOf": [{"type": "integer", "multipleOf": 2}, {"type": "integer", "multipleOf": 3}]},
            "c": {"allOf": [{"$ref": "#/definitions/d"}], "description": "see d"},
            "e": {"not": {"type": "null"}},
            "f f": {"$ref": "#/definitions/d", "minItems": 1},
        },
        "required": ["b"],
        "patternProperties": {"^x-": {"type": "string"}},
        "definitions": {"d": {"type": "array", "items": {"const": 1}, "contains": {"const": 1}}},
    },
    "references": {
        "$id": "https://example.com/references",
        "type": "object",
        "properties": {
            "place": {"type": "string", "maxLength": 3},
            "same": {"$ref": "#/properties/place"},
            "anchor": {"$ref": "#named"},
            "whole": {"$ref": "https://example.com/references#/$defs/A-b"},
            "escaped": {"$ref": "#/$defs/a%20b"},
            "tilde": {"$ref": "#/$defs/a~1b"},
            "within": {
                "anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#/properties/within/anyOf/0"}}]
            },
        },
        "required": ["place", "same", "anchor", "whole", "escaped", "tilde", "within"],
        "additionalProperties": False,
        "$defs": {
            "A-b": {"type": "integer", "$anchor": "named"},
            "a b": {"type": "boolean"},
            "a/b": {"type": "null"},
            "properties_place": {"const": "another"},
        },
    },
}
"""Schemas by a name for the test."""
