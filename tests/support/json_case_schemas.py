"""The pydantic models that the JSON and loop cases name."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  pydantic resolves the annotation at run time
from typing import Literal

from pydantic import BaseModel, ConfigDict, RootModel, field_validator


class Task(BaseModel):
    title: str
    priority: int


class Title(BaseModel):
    title: str


class TitleOnly(BaseModel):
    model_config = ConfigDict(extra="forbid")
    title: str


class Note(BaseModel):
    title: str
    note: str = ""


class Float(BaseModel):
    v: float


class Integer(BaseModel):
    v: int


class Text(BaseModel):
    v: str


class Truth(BaseModel):
    v: bool


class Integers(BaseModel):
    v: list[int]


class Level(BaseModel):
    v: Literal["low", "high"]


class Levels(BaseModel):
    items: list[Level]


class Either(BaseModel):
    v: int | Literal["none"]


class Even(BaseModel):
    v: int

    @field_validator("v")
    @classmethod
    def _check(cls, v: int) -> int:
        if v % 2:
            raise ValueError("must be even")
        return v


class Crashing(BaseModel):
    v: int

    @field_validator("v")
    @classmethod
    def _check(cls, v: int) -> int:
        return {0: 0}[v]


class Counts(RootModel[dict[str, dict[str, int]]]):
    pass


class Word(RootModel[str]):
    pass


class Number(RootModel[int]):
    pass


class Moment(BaseModel):
    v: datetime


CLOCK = object()
"""Something that is no schema."""

MODELS: dict[str, type[BaseModel]] = {
    model.__name__: model
    for model in (
        Counts,
        Crashing,
        Either,
        Even,
        Float,
        Integer,
        Integers,
        Level,
        Levels,
        Moment,
        Note,
        Number,
        Task,
        Text,
        Title,
        TitleOnly,
        Truth,
        Word,
    )
}
