"""Layers that multiply: `matmul` and `conv`, with elementwise nodes behind them.

How the layer is cut into tiles and which cores do which is said by a mapping
(`…templates.mapping`); what a tile reads and multiplies, by the layer's geometry.
"""

from __future__ import annotations

from contextlib import ExitStack
from math import prod

from compiler.targets.cluster.network.layer import Layer
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
    types_of,
)
from compiler.targets.cluster.network.templates.mapping import Choice, Mapping, choose
from compiler.targets.cluster.network.templates.matmul import MatmulGeometry, is_of_points
from compiler.targets.cluster.network.templates.pipelined import Digit, Step, pipelined
from compiler.targets.cluster.network.tile_text import TileFunction
from machines.kinds.cluster.fields import Cluster


def geometry_of(layer: Layer) -> Geometry:
    if layer.head.operator.name == "matmul" or is_of_points(layer):
        return MatmulGeometry(layer)
    return ConvolutionGeometry(layer)


def followers_of(geometry: Geometry) -> dict[bool, Followers]:
    """What follows the product, by whether its own result may be overwritten."""
    layer = geometry.layer
    (held,) = layer.head.results
    return {
        in_place: Followers(
            layer, {held: layer.type(held).element}, geometry.axes, layer.nodes[1:], in_place
        )
        for in_place in (True, False)
    }


def mapped(layer: Layer, chip: Cluster) -> Choice:
    """How the layer is done, and what else was near."""
    geometry = geometry_of(layer)
    return choose(geometry, followers_of(geometry), chip)


def write(function: TileFunction) -> None:
    geometry = geometry_of(function.layer)
    followers = followers_of(geometry)
    choice = choose(geometry, followers, function.chip)
    function.body.append(f"    # {choice.chosen}")
    Product(function, geometry, followers, choice.chosen).write()


class Product:
    """Writes a product as its mapping says."""

    def __init__(
        self,
        function: TileFunction,
        geometry: Geometry,
        followers: dict[bool, Followers],
        mapping: Mapping,
    ):
        self.function, self.geometry, self.mapping = function, geometry, mapping
        self.tile = mapping.tile
        source = function.layer.type(function.layer.head.operands[0]).element
        (self.held,) = function.layer.head.results
        self.target = function.layer.type(self.held).element
        self.in_parts = self.tile.parts > 1
        region = geometry.region_most(self.tile)
        stays = mapping.stays
        given = geometry.input(self.tile, part=stays == "nothing").size
        weights = geometry.weights(self.tile, part=stays != "weights").size
        elements = [8 * size // source.bits for size in (given, weights)]
        self.inputs = [
            function.buffer("a", source, [elements[0]])
            for _ in range(1 if stays == "inputs" else 2)
        ]
        self.weights = [
            function.buffer("w", source, [elements[1]], "wram")
            for _ in range(1 if stays == "weights" else 2)
        ]
        self.accumulated = accumulator(self.target)
        if self.in_parts:
            self.sums = function.buffer("sums", self.accumulated, [prod(region)])
        chosen = followers[not self.in_parts]
        self.followers = FollowersOnTile(function, chosen, region, 1 if self.in_parts else 2)

    def write(self) -> None:
        function, geometry, tile = self.function, self.geometry, self.tile
        self.followers.prepare()
        geometry.see(function, tile)
        digits = self._digits()
        inner = {"weights": "t", "inputs": "g", "nothing": "qtg"}[self.mapping.stays]
        place = dict.fromkeys("qtg", "0")
        with ExitStack() as loops:
            for digit in digits:
                if digit.name not in inner:
                    place[digit.name] = function.fresh(digit.name)
                    loops.enter_context(function.loop(place[digit.name], digit.low, digit.high))
            self._stay(place)
            self._pipeline([digit for digit in digits if digit.name in inner], place)

    def _stay(self, place: dict[str, str]) -> None:
        """Load what stays."""
        function, geometry, tile = self.function, self.geometry, self.tile
        stays = self.mapping.stays
        if stays == "weights":
            geometry.load_weights(function, tile, place, None, self.weights[0], "")
        elif stays == "inputs":
            for name in geometry.derived:
                place[name] = function.fresh(name)
                function.line(f"{place[name]} = 0")
            geometry.derive(function, tile, place)
            geometry.load_input(function, tile, place, None, self.inputs[0], "")

    def _digits(self) -> list[Digit]:
        """What this core does: a range of each digit, as the mapping shares them out."""
        function, chip = self.function, self.function.chip
        counts = self.geometry.counts(self.tile)
        split = self.mapping.split
        cores = split[0] * split[1] * split[2]
        places: list[str] = []
        inner = cores
        for part in split:
            inner //= part
            text = "task_id" if inner == 1 else f"task_id / {inner}"
            places.append(f"({text}) % {part}" if part > 1 else "0")
        found = []
        for name, count, part, place in zip("qtg", counts, split, places, strict=True):
            if count == 1 and (name != "q" or cores == chip.core_count):
                continue
            if part == 1:
                found.append(Digit(name, "0", str(count)))
                continue
            own = function.fresh("share")
            function.line(f"{own} = {place}")
            low, high = function.part(count, own, part)
            found.append(Digit(name, low, high))
        if cores < chip.core_count:
            idle, low = function.fresh("idle"), found[0].low
            high = function.fresh("high")
            function.line(f"{idle} = le_s.i64 {cores}, task_id")
            function.line(f"{high} = {found[0].high}")
            function.line(f"@{idle} {high} = copy.i64 {low}")
            found[0] = Digit(found[0].name, low, high)
        return found

    def _pipeline(self, digits: list[Digit], place: dict[str, str]) -> None:
        geometry, function, tile = self.geometry, self.function, self.tile
        stays = self.mapping.stays
        derived = geometry.derived if stays != "inputs" else ()

        def of(step: Step) -> dict[str, str]:
            return place | step.digits

        def load(step: Step) -> None:
            part = step.part if self.in_parts else None
            if stays != "inputs":
                by_part = part if stays == "nothing" else None
                buffer = _of(self.inputs, step)
                geometry.load_input(function, tile, of(step), by_part, buffer, step.guard)
            if stays != "weights":
                buffer = _of(self.weights, step)
                geometry.load_weights(function, tile, of(step), part, buffer, step.guard)
            if step.part == tile.parts - 1:
                region = geometry.region(function, tile, of(step))
                self.followers.load(step.slot, region, step.guard)

        def compute(step: Step) -> None:
            held = self.followers.held(self.held, step.slot)
            target = self.sums if self.in_parts else held
            buffers = Multiplied(
                target, _of(self.inputs, step), _of(self.weights, step), stays != "nothing"
            )
            geometry.multiply(function, tile, of(step), step.part, buffers, step.guard)
            if step.part < tile.parts - 1:
                return
            region = geometry.region(function, tile, of(step))
            if self.in_parts:
                self._take_sums(held, region, step)
            self.followers.compute(step.slot, region, step.guard)

        def store(step: Step) -> None:
            region = geometry.region(function, tile, of(step))
            self.followers.store(step.slot, region, step.guard)

        def derive(names: dict[str, str]) -> None:
            geometry.derive(function, tile, place | names)

        pipelined(function, digits, load, compute, store, tile.parts, derived, derive)

    def _take_sums(self, held: str, region: Region, step: Step) -> None:
        """Sums of all parts become the product's result, rounded once."""
        n = count_of(region)
        target, source = f"{held}[0 +: {n}]", f"{self.sums}[0 +: {n}]"
        if self.accumulated is self.target:
            one = "1.0" if self.target.is_float else "1"
            self.function.line(f"{step.guard}tensor.mul_scalar {target}, {source}, {one}")
        else:
            types = types_of(self.accumulated, self.target)
            self.function.line(f"{step.guard}tensor.convert.{types} {target}, {source}")


def _of(buffers: list[str], step: Step) -> str:
    return buffers[step.slot % len(buffers)]
