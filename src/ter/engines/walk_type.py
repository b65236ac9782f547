"""The type of a walk in compiled code: one pointer, from which its arrays are read.

Handed over as a tuple, the fifteen arrays of a walk would be a hundred numbers, which every call of `probe` writes to
memory and every kernel with a walk compiles. A walk therefore keeps where its arrays are (`Walk.places`), and compiled
code reads from there what it asks for. Arrays made so are not counted: the walk owns them, and outlives the call.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)
from numba.np.arrayobj import populate_array

from ter.core.ledger import WALK_FIELDS, Walk
from ter.objectives.addresses import INTEGERS, MATRIX, VECTOR

__all__ = ["WALK"]

WHOLE = ("functions", "ints", "coordinate", "ledger")
KINDS = {name: INTEGERS if name in WHOLE else MATRIX if name == "curve" else VECTOR for name in WALK_FIELDS}
ITEM = 8  # bytes of a number
COLUMNS = 2  # of the one matrix, the curve


class WalkType(types.Type):
    """Numba's type of a walk."""


WALK = WalkType(name="ter.Walk")


@register_model(WalkType)
class _WalkModel(models.PrimitiveModel):
    """A pointer to the places."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, cgutils.intp_t.as_pointer())  # type: ignore[no-untyped-call]


@infer_getattr
class _Fields(AttributeTemplate):
    """The arrays of a walk have the names that they have in Python."""

    key = WalkType

    def generic_resolve(self, walk: Any, name: str) -> Any:  # type: ignore[override]
        """Return the type of an array."""
        return KINDS.get(name)


@lower_getattr_generic(WalkType)  # type: ignore[no-untyped-call, untyped-decorator]
def _read(context: Any, builder: Any, walk: Any, places: Any, name: str) -> Any:
    """Make an array of its place and its length, which never change."""

    def number(at: int) -> Any:
        loaded = builder.load(builder.gep(places, [cgutils.intp_t(at)], inbounds=True))
        loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
        return loaded

    kind, at = KINDS[name], 2 * WALK_FIELDS.index(name)
    array = context.make_array(kind)(context, builder)
    data = builder.inttoptr(number(at), context.get_data_type(kind.dtype).as_pointer())
    shape = [number(at + 1), *[cgutils.intp_t(COLUMNS)] * (kind.ndim - 1)]
    strides = [cgutils.intp_t(ITEM * COLUMNS ** (kind.ndim - 1 - axis)) for axis in range(kind.ndim)]
    populate_array(array, data, shape, strides, cgutils.intp_t(ITEM), None)  # type: ignore[no-untyped-call]
    return array._getvalue()


@typeof_impl.register(Walk)
def _typeof(walk: Walk, context: Any) -> WalkType:
    return WALK


@unbox(WalkType)  # type: ignore[no-untyped-call, untyped-decorator]
def _unbox(kind: WalkType, walk: Any, c: Any) -> NativeValue:
    address = c.pyapi.object_getattr_string(walk, "address")
    places = c.builder.bitcast(c.pyapi.long_as_voidptr(address), cgutils.intp_t.as_pointer())
    c.pyapi.decref(address)
    return NativeValue(places)  # type: ignore[no-untyped-call]
