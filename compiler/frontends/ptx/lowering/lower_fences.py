"""Fences: in which order others see what a thread does to memory.

fence.acq_rel.gpu;  membar.gl;              ->   membar.gl
fence.proxy.async.shared::cta;              ->   fence.proxy.async.cta
fence.proxy.tensormap::generic.release.gpu; ->   membar.gl

Every access takes effect when it issues, so a fence costs its time and keeps passes from moving
accesses across it.  A fence between proxies is one of the threads that its form names.
"""

from __future__ import annotations

from compiler.frontends.ptx.findings import Refused
from compiler.frontends.ptx.lowering.lower_memory import check_address
from compiler.frontends.ptx.lowering.operands import Context, forbid, take
from compiler.frontends.ptx.reading.tree import Constant, Operation
from compiler.frontends.ptx.types import words

_SCOPES = words("cta cluster gpu sys")
_MAP_BYTES = 128
"""Of a tensor map, which an acquire of its proxy speaks of."""
_FORMS = {
    "proxy.alias": "gl",
    "proxy.async": "gl",
    "proxy.async.global": "cta",  # ptxas: FENCE.VIEW.ASYNC.G alone
    "proxy.async.shared::cta": "cta",
    "proxy.async.shared::cluster": "cta",
    "proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster": "cta",
    "proxy.async::generic.release.sync_restrict::shared::cta.cluster": "cta",
    "mbarrier_init.release.cluster": "cta",
    "acquire.sync_restrict::shared::cluster.cluster": "cta",
    "release.sync_restrict::shared::cta.cluster": "cta",
}
"""What stands behind 'fence.': among which threads; a cluster is of one block."""
_BETWEEN_PROXIES = {one for one in _FORMS if one.startswith("proxy.async")} - {"proxy.async.global"}
"""Those after which copies and products may see what threads have stored in shared memory."""
_OF_MAPS = "proxy.tensormap::generic"


def fence(context: Context, operation: Operation) -> None:
    """`membar`, `fence`: the order of kinds other than its reach is not told apart."""
    form = ".".join(operation.parts)
    may_be_named = operation.opcode == "fence" or form.startswith("proxy.alias")
    if may_be_named and form in _FORMS:
        take(operation, 0)
        reach = _FORMS[form]
    elif operation.opcode == "fence" and form.startswith(f"{_OF_MAPS}."):
        reach = _of_maps(context, operation)
    elif "proxy" in operation.parts:
        known = [f"fence.{one}" for one in _FORMS if one.startswith("proxy")]
        raise Refused(f"there is no '{operation.text}'", ", ".join(known[:5]))
    else:
        reach = _plain(operation)
    name = "fence.proxy.async" if form in _BETWEEN_PROXIES else "membar"
    context.code.emit(f"{name}.{reach}")


def _plain(operation: Operation) -> str:
    is_fence = operation.opcode == "fence"
    *kinds, reach = operation.parts or ("",)
    reaches = _SCOPES if is_fence else ("cta", "gl", "sys")
    forbid(operation, kinds, ("sc", "acq_rel", "acquire", "release") if is_fence else ())
    if len(kinds) > 1:
        raise Refused(f"'.{kinds[0]}' and '.{kinds[1]}' do not go together in '{operation.text}'")
    if reach not in reaches:
        hint = f"it ends in one of {', '.join(f'.{one}' for one in reaches)}"
        raise Refused(f"'{operation.text}' does not say among which threads", hint)
    take(operation, 0)
    return reach if reach in ("cta", "sys") else "gl"


def _of_maps(context: Context, operation: Operation) -> str:
    """`fence.proxy.tensormap::generic.release.gpu`, `….acquire.gpu [map], 128`."""
    *_, order, reach = operation.parts
    forms = [(*_OF_MAPS.split("."), one, reach) for one in ("release", "acquire")]
    if reach not in _SCOPES or operation.parts not in forms:
        hint = f"fence.{_OF_MAPS}.release.gpu, fence.{_OF_MAPS}.acquire.gpu [map], {_MAP_BYTES}"
        raise Refused(f"there is no '{operation.text}'", hint)
    if order == "release":
        take(operation, 0)
    else:
        address, size = take(operation, 2)
        check_address(context, operation, address)
        if not isinstance(size, Constant) or size.value != _MAP_BYTES:
            raise Refused(f"a tensor map has {_MAP_BYTES} bytes", at=size.at)
    return reach if reach in ("cta", "sys") else "gl"


HANDLERS = {"membar": fence, "fence": fence}
