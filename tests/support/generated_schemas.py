"""Strategies for schemas of every kind that pydantic knows, each with replies that may fit it."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import uuid
from collections import Counter, OrderedDict
from collections.abc import Mapping
from decimal import Decimal
from enum import Enum, Flag, IntEnum
from ipaddress import IPv4Address
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, NotRequired, Optional

from hypothesis import strategies as st
from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    RootModel,
    SecretStr,
    computed_field,
    create_model,
)
from pydantic import Json as PydanticJson
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

if TYPE_CHECKING:
    from collections.abc import Callable

Json = Any
Schema = Any
Pair = tuple[Schema, st.SearchStrategy[Json]]


class Colour(Enum):
    RED = "red"
    DARK = "dark red"


class Rank(IntEnum):
    LOW = 1
    HIGH = 2


class WithComputed(BaseModel):
    a: int

    @computed_field
    def double(self) -> int:
        return 2 * self.a


class WithCrookedAlias(BaseModel):
    a: int = Field(validation_alias="in", serialization_alias="out")


class WithChoices(BaseModel):
    a: int = Field(validation_alias=AliasChoices("first", "second"))


class WithHidden(BaseModel):
    a: int = Field(exclude=True)
    b: str = "x"


class WithUncheckedDefault(BaseModel):
    a: int
    b: str = None  # type: ignore[assignment]  # what people write, and pydantic does not check


class WithStripping(BaseModel):
    model_config = ConfigDict(str_strip_whitespace=True)
    a: str
    ab: str = "x"


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = 9


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str


class Tree(BaseModel):
    label: str
    branches: list[Tree] = []


class WithAllowedExtras(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: int = 1


class WithDefaults(BaseModel):
    a: int = 1
    ab: int = 2
    text: str = "a"


@dataclasses.dataclass
class Point:
    x: int
    y: float = 0.5
    tags: list[str] = dataclasses.field(default_factory=list)


class Row(TypedDict):
    id: int
    note: NotRequired[str]


class Lenient(TypedDict, total=False):
    __pydantic_config__ = ConfigDict(extra="allow")  # type: ignore[misc]  # pydantic's way to configure it
    a: int


class Span(NamedTuple):
    begin: int
    end: float = 1.5


class Rights(Flag):
    READ = 1
    WRITE = 2


class WithMappingDefault(BaseModel):
    weights: dict[str, int] = {"b": 1, "a": 2}
    rest: Any = {"d": {"f": 1, "e": 2}}


class WithHex(BaseModel):
    model_config = ConfigDict(ser_json_bytes="hex", val_json_bytes="hex", ser_json_inf_nan="constants")
    a: bytes
    b: float = 0


class Fixed(BaseModel):
    model_config = ConfigDict(frozen=True)
    a: int
    b: int = 1


words = st.text(st.sampled_from('ab "\\é茶\U0001f375\u2028\n'), max_size=5)
numbers = st.one_of(
    st.integers(-(10**30), 10**30),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0, 1, 1.0, -0.0, 1e22, 1e23, 2**53 + 1, 5e-324]),
)
anything = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, words),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(words, inner, max_size=3)),
    max_leaves=6,
)

trees = st.recursive(
    st.fixed_dictionaries({"label": words}),
    lambda inner: st.fixed_dictionaries({"label": words}, optional={"branches": st.lists(inner, max_size=2)}),
    max_leaves=4,
)

LEAVES: list[Pair] = [
    (int, st.one_of(numbers, st.booleans(), st.integers().map(str))),
    (float, st.one_of(numbers, st.sampled_from(["NaN", "inf", " 1.5", "1e5", True]))),
    (str, words),
    (bool, st.sampled_from([True, False, 0, 1, "yes", "off", 1.0])),
    (None, st.none()),
    (Any, anything),
    (Literal["low", "high", 3], st.sampled_from(["low", "high", 3, 3.0, "LOW"])),
    (Colour, st.sampled_from(["red", "dark red", "darkred"])),
    (Rank, st.sampled_from([1, 2, 1.0, "2", 3])),
    (dt.date, st.one_of(st.dates().map(str), st.sampled_from([0, "2024-05-01T00:00:00Z"]))),
    (dt.datetime, st.one_of(st.datetimes().map(str), st.datetimes().map(dt.datetime.isoformat), st.just(1700000000))),
    (dt.time, st.times().map(str)),
    (
        dt.timedelta,
        st.one_of(st.timedeltas(max_value=dt.timedelta(999)).map(str), st.sampled_from(["P1DT2H", 90, 0.5])),
    ),
    (Decimal, st.one_of(numbers, st.decimals(allow_nan=False, allow_infinity=False).map(str), st.just(" 1.50 "))),
    (uuid.UUID, st.uuids().map(str)),
    (bytes, words),
    (SecretStr, words),
    (int | str, st.one_of(numbers, words)),
    (Decimal | str, st.one_of(numbers, words)),
    (dt.date | str | None, st.one_of(st.dates().map(str), words, st.none())),
    (Annotated[int, PlainSerializer(lambda value: f"<{value}>", return_type=str)], st.integers()),
    (WithComputed, st.fixed_dictionaries({"a": st.integers()}, optional={"double": st.integers()})),
    (WithCrookedAlias, st.fixed_dictionaries({"in": st.integers()}, optional={"out": st.integers()})),
    (WithChoices, st.dictionaries(st.sampled_from(["first", "second", "a"]), st.integers(), min_size=1)),
    (WithHidden, st.fixed_dictionaries({"a": st.integers()}, optional={"b": words})),
    (WithUncheckedDefault, st.fixed_dictionaries({"a": st.integers()}, optional={"b": words})),
    (WithStripping, st.fixed_dictionaries({"a": words}, optional={"ab": words, "a b": st.just("x")})),
    (
        Annotated[Cat | Dog, Field(discriminator="kind")],
        st.fixed_dictionaries({"kind": st.sampled_from(["cat", "dog"])}, optional={"lives": numbers, "name": words}),
    ),
    (Cat | Dog, st.fixed_dictionaries({"kind": st.just("cat")}, optional={"lives": numbers, "name": words})),
    (Tree, trees),
    (WithAllowedExtras, st.dictionaries(st.sampled_from(["a", "b", " a"]), numbers)),
    (WithDefaults, st.dictionaries(st.sampled_from(["a", "ab", "a b", " a", "text", "te xt"]), st.integers(1, 2))),
    (Point, st.fixed_dictionaries({"x": st.integers()}, optional={"y": numbers, "tags": st.lists(words, max_size=2)})),
    (Row, st.fixed_dictionaries({"id": numbers}, optional={"note": words, "other": words})),
    (Lenient, st.dictionaries(st.sampled_from(["a", "b", "c"]), numbers)),
    (Span, st.one_of(st.lists(numbers, max_size=2), st.dictionaries(st.sampled_from(["begin", "end"]), numbers))),
    (Rights, st.integers(0, 4)),
    (WithMappingDefault, st.dictionaries(st.sampled_from(["weights", "rest"]), st.dictionaries(words, numbers))),
    (WithHex, st.fixed_dictionaries({"a": st.sampled_from(["00ff", "00FF", "0"])}, optional={"b": st.just("inf")})),
    (Literal["a", 1, True] | None, st.sampled_from([None, "a", 1, 1.0, True])),
    (OrderedDict[str, int], st.dictionaries(words, st.integers(), max_size=3)),
    (Counter[str], st.dictionaries(words, st.integers(), max_size=3)),
    (Mapping[str, Any], st.dictionaries(words, anything, max_size=3)),
    (dict[int, int], st.dictionaries(st.sampled_from(["1", "10", "9"]), st.integers(), max_size=3)),
    (set[tuple[int, str]], st.lists(st.tuples(st.integers(0, 2), words), max_size=3)),
    (frozenset[frozenset[int]], st.lists(st.lists(st.integers(0, 2), max_size=2), max_size=3)),
    (set[Decimal], st.lists(st.sampled_from([1, 1.0, "1", "1.0", 2.5, "2.50"]), max_size=3)),
    (set[Fixed], st.lists(st.fixed_dictionaries({"a": st.integers(0, 1)}, optional={"b": numbers}), max_size=2)),
    (IPv4Address, st.sampled_from(["1.2.3.4", 16909060, "1.2.3"])),
    (PurePosixPath, st.sampled_from(["a/b", "a//b/.", ""])),
    (PydanticJson[dict[str, int]], st.sampled_from(['{"b":1,"a":2}', '{"a": 1}', "[]"])),
    (Annotated[int | None, BeforeValidator(lambda sent: None if sent == "n/a" else sent)], st.sampled_from(["n/a", 1])),
    (Annotated[list[int], AfterValidator(sorted)], st.lists(st.integers(), max_size=3)),
    (Annotated[str, AfterValidator(lambda text: f"{text}\ud800")], words),
]


def filled(generic: Schema, *parameters: Schema) -> Schema:
    """Subscribe a generic with types that are only known at run time."""
    return generic[parameters if len(parameters) > 1 else parameters[0]]


def containers(pairs: st.SearchStrategy[Pair]) -> st.SearchStrategy[Pair]:
    """Wrap schemas in the containers that pydantic knows."""
    return st.one_of(
        pairs.map(lambda pair: (filled(list, pair[0]), st.lists(pair[1], max_size=3))),
        pairs.map(lambda pair: (filled(dict, str, pair[0]), st.dictionaries(words, pair[1], max_size=3))),
        pairs.map(lambda pair: (filled(Optional, pair[0]), st.one_of(pair[1], st.none()))),
        st.tuples(pairs, pairs).map(lambda two: (filled(tuple, two[0][0], two[1][0]), st.tuples(two[0][1], two[1][1]))),
        st.sampled_from([(set[int], numbers), (set[str], words), (frozenset[bool], st.booleans())]).map(
            lambda pair: (pair[0], st.lists(pair[1], max_size=4))
        ),
        pairs.map(lambda pair: (filled(RootModel, pair[0]), pair[1])),
        models(pairs),
    )


@st.composite
def models(draw: Callable[..., Any], pairs: st.SearchStrategy[Pair]) -> Pair:
    """Draw a model with required, aliased, optional and defaulted fields."""
    fields: dict[str, Any] = {}
    required: dict[str, st.SearchStrategy[Json]] = {}
    optional: dict[str, st.SearchStrategy[Json]] = {"unknown": anything}
    for name in ("a", "b", "ab"):
        kind, replies = draw(pairs)
        match draw(st.sampled_from(["required", "aliased", "optional", "absent"])):
            case "required":
                fields[name], required[name] = kind, replies
            case "aliased":
                fields[name], required[f"{name}-x"] = (kind, Field(alias=f"{name}-x")), replies
            case "optional":
                fields[name], optional[name] = (filled(Optional, kind), None), replies
            case _:
                pass
    extra: Any = draw(st.sampled_from(["ignore", "forbid", "allow"]))
    model = create_model("Generated", __config__=ConfigDict(extra=extra), **fields)
    return model, st.fixed_dictionaries(required, optional=optional)


pairs = st.recursive(st.sampled_from(LEAVES), containers, max_leaves=4)


@st.composite
def spellings(draw: Callable[..., Any], tree: Json) -> str:
    """Draw a way to write a value as JSON: white space, escapes, the order of keys."""
    if draw(st.booleans()):
        tree = _shuffled(tree, draw)
    return json.dumps(
        tree,
        ensure_ascii=draw(st.booleans()),
        indent=draw(st.sampled_from([None, 0, 2])),
        separators=draw(st.sampled_from([None, (",", ":"), (" ,\t", " : ")])),
    )


def _shuffled(tree: Json, draw: Callable[..., Any]) -> Json:
    match tree:
        case dict():
            return {key: _shuffled(tree[key], draw) for key in draw(st.permutations(sorted(tree)))}
        case list() | tuple():
            return [_shuffled(item, draw) for item in tree]
        case _:
            return tree


@st.composite
def schemas_with_replies(draw: Callable[..., Any]) -> tuple[Any, Json]:
    """Draw a schema and the tree of a reply that often fits it."""
    schema, replies = draw(pairs)
    return schema, draw(replies)
