"""The pydantic models that the JSON and loop cases name."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  pydantic resolves the annotation at run time
from typing import Literal

from pydantic import BaseModel, ConfigDict


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


class Moment(BaseModel):
    v: datetime


CLOCK = object()
"""Something that is no schema."""

MODELS: dict[str, type[BaseModel]] = {
    model.__name__: model
    for model in (
        Float,
        Integer,
        Integers,
        Level,
        Levels,
        Moment,
        Note,
        Task,
        Text,
        Title,
        TitleOnly,
        Truth,
    )
}
