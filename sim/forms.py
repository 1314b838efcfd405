"""What forms of files are made of, and what a program declares of a parameter."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict


class Form(BaseModel):
    """Base of the forms: frozen, unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


@dataclass(frozen=True)
class Wanted:
    """What the program declares of one parameter.

    dtype    'f32', 'u8', 'boolean', …; None if the program does not say
    extents  None for a scalar; else one entry an axis: a number, an expression over the scalar
             arguments, or None where any extent is right; an empty tuple for any shape
    """

    name: str
    dtype: str | None = None
    extents: tuple[int | str | None, ...] | None = None

    @property
    def is_array(self) -> bool:
        return self.extents is not None

    def __str__(self) -> str:
        if self.extents is None:
            return f"a scalar of type {self.dtype}"
        axes = ", ".join(":" if extent is None else str(extent) for extent in self.extents)
        return f"an array {self.dtype or ''}[{axes or ':'}]"
