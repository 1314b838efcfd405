"""What classes of states declare of their arrays is read from declarations of our own."""

from typing import Annotated, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from machines.array_fields import F64, I64, U8, ArrayField, I64Rows, fields_of, of


class Inner(NamedTuple):
    bits: U8


class Outer(NamedTuple):
    clock: I64
    rows: I64Rows
    groups: Annotated[NDArray[np.int64], of(np.int64, None, 8)]
    floats: F64
    inner: Inner


def test_elements_axes_and_states_within():
    assert fields_of(Outer) == {
        "clock": ArrayField(np.dtype("i8"), (None,)),
        "rows": ArrayField(np.dtype("i8"), (None, None)),
        "groups": ArrayField(np.dtype("i8"), (None, 8)),
        "floats": ArrayField(np.dtype("f8"), (None,)),
        "inner": Inner,
    }
    assert fields_of(Inner) == {"bits": ArrayField(np.dtype("u1"), (None,))}


@pytest.mark.parametrize("declared", [NDArray[np.int64], np.ndarray, int, "list[int]"])
def test_what_a_library_may_store_otherwise_is_refused(declared):
    class Other(NamedTuple):
        field: declared

    with pytest.raises(TypeError, match=r"Other\.field is declared as .*machines\.array_fields"):
        fields_of(Other)
