"""Layers that multiply: `matmul` and `conv`, with elementwise nodes behind them.

How the layer is cut into tiles and which cores do which is said by a mapping
(`…templates.mapping`); what a tile reads and multiplies, by the layer's geometry.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from math import prod

from compiler.targets.cluster.network.layer import Layer
from compiler.targets.cluster.network.means import ALL, Means
from compiler.targets.cluster.network.templates.convolution import ConvolutionGeometry
from compiler.targets.cluster.network.templates.followers import (
    Followers,
    FollowersOnTile,
    Region,
    count_of,
)
from compiler.targets.cluster.network.templates.geometry import (
    Geometry,
    Multiplied,
    accumulator,
    ceil_div,
    types_of,
)
from compiler.targets.cluster.network.templates.mapping import Choice, Mapping, choose
from compiler.targets.cluster.network.templates.matmul import MatmulGeometry, is_of_points
from compiler.targets.cluster.network.templates.pipelined import (
    MEETING,
    Digit,
    Parts,
    Step,
    Steps,
    pipelined,
    serving,
)
from compiler.targets.cluster.network.tile_text import TileFunction
from machines.kinds.cluster.fields import Cluster
from machines.types import Type


def geometry_of(layer: Layer) -> Geometry:
    if layer.head.operator.name == "matmul" or is_of_points(layer):
        return MatmulGeometry(layer)
    return ConvolutionGeometry(layer)


def followers_of(geometry: Geometry) -> Followers:
    layer = geometry.layer
    (held,) = layer.head.results
    return Followers(layer, {held: layer.type(held).element}, geometry.axes, layer.nodes[1:])


def mapped(layer: Layer, chip: Cluster, means: Means = ALL) -> Choice:
    """How the layer is done, and what else was near."""
    geometry = geometry_of(layer)
    return choose(geometry, followers_of(geometry), chip, means)


def write(function: TileFunction) -> None:
    """Layers of one signature are mapped once."""
    layer = function.layer
    key = signature(layer), function.means.given_of(layer)
    choice = function.memo.get(key)
    if choice is None:
        choice = function.memo[key] = mapped(layer, function.chip, function.means)
    function.why = choice.explanation
    function.body.append(f"    # {choice.chosen}")
    geometry = geometry_of(layer)
    Product(function, geometry, followers_of(geometry), choice.chosen).write()


def signature(layer: Layer) -> tuple[object, ...]:
    """What a mapping depends on: operators, types, and which tensor is read where."""
    numbers: dict[str, int] = {}

    def seen(tensor: str) -> tuple[object, ...]:
        number = numbers.setdefault(tensor, len(numbers))
        is_known = tensor in layer.network.constants
        return number, str(layer.type(tensor)), is_known, tensor in layer.results

    return tuple(
        (
            node.operator.name,
            tuple(sorted((key, str(value)) for key, value in node.attributes.items())),
            *map(seen, (*node.operands, *node.results)),
        )
        for node in layer.nodes
    )


class Product:
    """Writes a product as its mapping says."""

    def __init__(
        self,
        function: TileFunction,
        geometry: Geometry,
        followers: Followers,
        mapping: Mapping,
    ):
        self.function, self.geometry, self.mapping = function, geometry, mapping
        self.tile, self.stays = mapping.tile, mapping.stays
        self.copies = function.means.buffers
        source = function.layer.type(function.layer.head.operands[0]).element
        (self.held,) = function.layer.head.results
        self.target = function.layer.type(self.held).element
        self.in_parts = self.tile.parts > 1
        self.parts = Parts(self.tile.parts, apart=not self.in_parts or not self.tile.depth)
        region = geometry.region_most(self.tile)
        given = geometry.input(self.tile, part=self.stays == "nothing").size
        weights = geometry.weights(self.tile, part=self.stays != "weights").size
        counts = [8 * size // source.bits for size in (given, weights)]
        self.staged: list[str] = []
        self.inputs = self._operand("inputs", "a", "nram", source, counts[0])
        self.weights = self._operand("weights", "w", "wram", source, counts[1])
        self.accumulated = accumulator(self.target)
        if self.in_parts:
            self.sums = function.buffer("sums", self.accumulated, [prod(region)])
        self.followers = FollowersOnTile(
            function, followers, region, 1 if self.in_parts else self.copies
        )

    def _operand(self, what: str, hint: str, space: str, source: Type, count: int) -> list[str]:
        """Buffers of an operand; those that the MEM core fills, and its own, are shared."""
        function, copies = self.function, range(1 if self.stays == what else self.copies)
        if self.mapping.served != what:
            return [function.buffer(hint, source, [count], space) for _ in copies]
        self.serving = function.serve()
        self.staged = [function.shared_buffer("s", source, [count], "sram") for _ in copies]
        return [function.shared_buffer(hint, source, [count], space) for _ in copies]

    def write(self) -> None:
        self.followers.prepare()
        self.geometry.see(self.function, self.tile)
        self.geometry.begin(self.function, self.tile, self.inputs)
        with self._outer(self.function) as (place, digits, valid):
            if self.mapping.served == self.stays == "weights":
                for _ in range(2):  # before and behind their sending
                    self.function.line(MEETING)
            self._stay(place, valid)
            self._pipeline(place, digits, valid)
        if self.mapping.served:
            self._serve()

    def _serve(self) -> None:
        """What the MEM core of each cluster does: it loads an operand and sends it to its cores."""
        function, geometry, tile = self.serving, self.geometry, self.tile
        geometry.see(function, tile)
        is_input = self.mapping.served == "inputs"
        sent = self.inputs if is_input else self.weights

        def load(step: Step) -> None:
            part = step.part if self.in_parts else None
            write = geometry.load_input if is_input else geometry.load_weights
            write(function, tile, place | step.digits, part, _of(self.staged, step), step.guard)

        def send(step: Step) -> None:
            buffers = _of(sent, step), _of(self.staged, step)
            function.line(f"{step.guard}tensor.broadcast {buffers[0]}, {buffers[1]}")

        with self._outer(function) as (place, digits, _):
            if self.stays == self.mapping.served:
                geometry.load_weights(function, tile, place, None, self.staged[0], "")
                function.line("sync_io 0")
                function.line(MEETING)
                function.line(f"tensor.broadcast {sent[0]}, {self.staged[0]}")
                function.line("sync_bus 0")
                function.line(MEETING)
            else:
                digits = [replace(digit, valid="") for digit in digits]
                serving(function, self._steps(function, place, digits, is_input), load, send)

    def _steps(
        self,
        function: TileFunction,
        place: dict[str, str],
        digits: list[Digit],
        has_inputs: bool,
        valid: str = "",
    ) -> Steps:
        """Of the loop; `has_inputs`: whether they come step by step."""
        if not (has_inputs and self.geometry.derived):
            return Steps(digits, self.parts, only_if=valid, buffers=self.copies)

        def derive(names: dict[str, str]) -> None:
            self.geometry.derive(function, self.tile, place | names)

        return Steps(digits, self.parts, self.geometry.derived, derive, valid, self.copies)

    @contextmanager
    def _outer(self, function: TileFunction) -> Iterator[tuple[dict[str, str], list[Digit], str]]:
        """Loops over tiles of what stays: where they are, the digits of the loop inside of them,
        and the variable that says whether this core has such a tile ('': it has)."""
        inner = {"weights": "t", "inputs": "g", "nothing": "qtg"}[self.stays]
        place = dict.fromkeys("qtg", "0")
        digits, valid = self._digits(function), ""
        with ExitStack() as loops:
            for digit in digits:
                if digit.name in inner:
                    continue
                name = place[digit.name] = function.fresh(digit.name)
                loops.enter_context(function.loop(name, digit.low, digit.high, digit.step))
                if digit.valid:
                    valid = function.fresh("valid")
                    function.line(f"{valid} = lt_s.i64 {name}, {digit.valid}")
            yield place, [digit for digit in digits if digit.name in inner], valid

    def _stay(self, place: dict[str, str], valid: str) -> None:
        """Load what stays, if it is not sent."""
        function, geometry, tile = self.function, self.geometry, self.tile
        guard = f"@{valid} " if valid else ""
        if self.stays == "weights" != self.mapping.served:
            geometry.load_weights(function, tile, place, None, self.weights[0], guard)
        elif self.stays == "inputs":
            for name in geometry.derived:
                place[name] = function.fresh(name)
                function.line(f"{place[name]} = 0")
            geometry.derive(function, tile, place)
            geometry.load_input(function, tile, place, None, self.inputs[0], guard)

    def _digits(self, function: TileFunction) -> list[Digit]:
        """What a core does: a range of each digit that has several tiles, as the mapping shares
        them out: tiles in turn, so that what cores read at a time lies side by side.  Cores that
        are served together step by step have as many tiles of what they share, some of which may
        not be there."""
        chip, split, served = function.chip, self.mapping.split, self.mapping.served
        counts = self.geometry.counts(self.tile)
        who, all_of_them = ("cluster_id", chip.clusters) if served else ("task_id", chip.core_count)
        of_cores = {"": "", "weights": "t", "inputs": "g"}[served]
        is_in_step = served != self.stays
        found, inner = [], prod(split)
        for name, count, parts in zip("qtg", counts, split, strict=True):
            inner //= parts
            place = who if inner == 1 else f"{who} / {inner}"
            place = f"({place}) % {parts}" if parts > 1 else "0"
            if name == of_cores:
                place, parts = self._core_of(function, place), parts * chip.cores
            if parts == 1:
                found.append(Digit(name, "0", str(count)))
                continue
            own = function.fresh("share")
            function.line(f"{own} = {place}")
            found.append(Digit(name, own, str(count), parts))
            if name == of_cores and is_in_step:
                end = function.fresh("end")
                function.line(f"{end} = {own} + {ceil_div(count, parts) * parts}")
                found[-1] = Digit(name, own, end, parts, str(count))
        if prod(split) < all_of_them:
            idle, high = function.fresh("idle"), function.fresh("high")
            function.line(f"{idle} = le_s.i64 {prod(split)}, {who}")
            function.line(f"{high} = {found[0].high}")
            function.line(f"@{idle} {high} = copy.i64 {found[0].low}")
            found[0] = replace(found[0], high=high)
        return [d for d in found if (d.low, d.high) != ("0", "1")]

    def _core_of(self, function: TileFunction, place: str) -> str:
        """A core among those of its cluster and the others that share t; to a MEM core all are
        alike."""
        if function is not self.function:
            return "0"
        return f"({place}) * {function.chip.cores} + core_id" if place != "0" else "core_id"

    def _pipeline(self, place: dict[str, str], digits: list[Digit], valid: str) -> None:
        geometry, function, tile, stays = self.geometry, self.function, self.tile, self.stays

        def of(step: Step) -> dict[str, str]:
            return place | step.digits

        def load(step: Step) -> None:
            part = step.part if self.in_parts else None
            if stays != "inputs" and self.mapping.served != "inputs":
                by_part = part if stays == "nothing" else None
                buffer = _of(self.inputs, step)
                geometry.load_input(function, tile, of(step), by_part, buffer, step.guard)
            if stays != "weights" and self.mapping.served != "weights":
                buffer = _of(self.weights, step)
                geometry.load_weights(function, tile, of(step), part, buffer, step.guard)
            if step.last is not None:
                region = geometry.region(function, tile, of(step))
                self.followers.load(step.slot, region, step.last)

        def compute(step: Step) -> None:
            held = self.followers.held(self.held, step.slot)
            buffers = Multiplied(
                self.sums if self.in_parts else held,
                _of(self.inputs, step),
                _of(self.weights, step),
                stays != "nothing",
            )
            geometry.multiply(function, tile, step, of(step), buffers)
            if step.last is None:
                return
            region = geometry.region(function, tile, of(step))
            if self.in_parts:
                self._take_sums(held, region, step.last)
            self.followers.compute(step.slot, region, step.last)

        def store(step: Step) -> None:
            if step.last is not None:
                region = geometry.region(function, tile, of(step))
                self.followers.store(step.slot, region, step.last)

        steps = self._steps(function, place, digits, stays != "inputs", valid)
        is_served = self.mapping.served not in ("", stays)
        pipelined(function, steps, load, compute, store, is_served)

    def _take_sums(self, held: str, region: Region, guard: str) -> None:
        """Sums of all parts become the product's result, rounded once."""
        n = count_of(region)
        target, source = f"{held}[0 +: {n}]", f"{self.sums}[0 +: {n}]"
        if self.accumulated is self.target:
            one = "1.0" if self.target.is_float else "1"
            self.function.line(f"{guard}tensor.mul_scalar {target}, {source}, {one}")
        else:
            types = types_of(self.accumulated, self.target)
            self.function.line(f"{guard}tensor.convert.{types} {target}, {source}")


def _of(buffers: list[str], step: Step) -> str:
    return buffers[step.slot % len(buffers)]
