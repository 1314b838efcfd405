"""Figures as people read them."""

from __future__ import annotations


def share(part: int, whole: int) -> str:
    """A part: '12.5 %', '-' of nothing."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


def shown(value: int) -> str:
    """A number: '1 234 567'."""
    return f"{value:,}".replace(",", " ")
