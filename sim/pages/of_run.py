"""The chapter of a run: what a page shows of a result and of what was gathered beside it.

Each part is a function of the data alone, and is left out where these say nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from sim.pages import charts
from sim.pages.colours import of_labels, of_reasons, tone_of
from sim.pages.content import (
    LEFT,
    RIGHT,
    Block,
    Cell,
    Chapter,
    Chart,
    Data,
    Legend,
    Listing,
    Part,
    Segment,
    Table,
    Tile,
    number,
    pointer,
)
from sim.pages.gathered import kind_parts
from sim.pages.of_comparison import differences
from sim.pages.of_energy import energy_part
from sim.pages.of_roofline import roofline_part
from sim.pages.of_time import histograms_part, series_part
from sim.pages.provenance import provenance
from sim.results.sections import sum_of
from sim.results.shown import ending_words, share, shown, shown_time
from sim.results.vocabulary import Vocabulary, vocabulary_of
from sim.workload.region import steps_of

MOST_LINES = 24
MOST_BELOW = 60
"""Instructions that can be opened below a line."""
MUCH = 0.6
"""Of the whole: if more of it is idle, that is left out of the picture at first."""


def chapter_of_run(data: Data) -> Chapter:
    """A run, of what `sim.pages.gathered` has gathered."""
    result = data.at("/result")
    run = _Run(data)
    case = "" if result["variant"] == "default" else f" ({result['variant']})"
    return Chapter(
        f"{result['workload']}{case} on {result['machine']}",
        ending_words(result["status"], result["ok"], bool(result["checks"])),
        result["ok"],
        list(run.tiles()),
        list(run.parts()),
        list(run.messages()),
    )


class _Run:
    """The parts of one run.

    data    what was gathered
    words   the vocabulary of its kind of machine
    tones   colours of reasons
    """

    def __init__(self, data: Data):
        self.data, self.result = data, data.at("/result")
        self.words: Vocabulary = vocabulary_of(self.result["vocabulary"]["name"])
        self.spent: list[dict[str, int]] = data.at("/spent")
        self.tones = of_reasons(self.result["breakdown"], self.spent, self.words)

    def has(self, name: str) -> bool:
        """Whether there is something of that name, beside the result or in it."""
        return bool(self.data.content.get(name) or self.result.get(name))

    def messages(self) -> Iterator[str]:
        fault, region = self.result["fault"], self.result.get("region")
        if fault:
            hint = f"\nhint: {fault['hint']}" if "hint" in fault else ""
            yield fault["message"] + hint
        if region:
            yield f"Figures are of {steps_of(region)} alone."

    def tiles(self) -> Iterator[Tile]:
        result = self.result
        clock = f"{shown_time(result['cycles'] / result['clock_hz'])} at "
        clock += f"{result['clock_hz'] / 1e9:g} GHz"
        yield Tile("cycles", self.data.cell("/result/cycles"), clock)
        for number_of, head in enumerate(self.data.at("/headlines")):
            value = Cell(head["value"], pointer("headlines", number_of, "value"))
            yield Tile(head["label"], _placed(self.data, value), head["note"])
        if result["returned"] is not None:
            yield Tile("returned", self.data.cell("/result/returned"))

    def parts(self) -> Iterator[Part]:
        made = (
            self.checks,
            self.accounting,
            self.series,
            self.roofline,
            self.lines,
            self.columns,
            self.of_kind,
            self.layers,
            self.energy,
            self.timeline,
            self.histograms,
            self.steps,
            self.memory,
            self.baseline,
            self.counters,
            self.code,
            self.provenance,
        )
        for make in made:
            found = make()
            if isinstance(found, Part):
                yield found
            elif found is not None:
                yield from found

    # ---- What came out ---------------------------------------------------------------------------

    def checks(self) -> Part | None:
        """The outputs that were compared, and what was printed."""
        blocks: list[Block] = []
        rows = []
        for k, check in enumerate(self.result["checks"]):
            said = "right" if check["ok"] else _wrong(check)
            rows.append([
                Cell(check["output"], code=True), Cell(said, good=check["ok"]),
                self.data.cell(pointer("result", "checks", k, "compared")), check["source"],
                self.data.cell(pointer("result", "checks", k, "rtol")),
                self.data.cell(pointer("result", "checks", k, "atol")),
            ])  # fmt: skip
        if rows:
            heads = ["output", "", ">elements compared", "with", ">relative", ">absolute"]
            blocks.append(Table("outputs compared", heads, rows))
        if "stdout" in self.result:
            lines = self.result["stdout"].splitlines()
            blocks.append(Listing(f"printed, {len(lines)} lines", [], [((), one) for one in lines]))
        if not blocks:
            return None
        sentence = "Each output beside what was expected of it, and how far it may be off."
        return Part("outputs", "Outputs", sentence, blocks)

    # ---- Where the time went ---------------------------------------------------------------------

    def accounting(self) -> Part | None:
        """The breakdown, each cycle once."""
        breakdown: Mapping[str, int] = self.result["breakdown"]
        there = {name: cycles for name, cycles in breakdown.items() if cycles}
        if not there:
            return None
        wholes = {name.rpartition(".")[0] for name in there}
        are_grouped = len(wholes - {""}) > 1
        sums = {w: sum(n for k, n in there.items() if _whole(k, are_grouped) == w)
                for w in {_whole(k, are_grouped) for k in there}}  # fmt: skip
        known = {reason.name: reason.sentence for reason in self.words.reasons}
        ordered = list(there) if are_grouped else sorted(
            there, key=lambda name: (name != self.words.issuing, -there[name])
        )  # fmt: skip
        rows = [
            [
                Cell(name, tone=tone_of(name, self.tones)),
                self.data.cell(pointer("result", "breakdown", name)),
                Cell(share(there[name], sums[_whole(name, are_grouped)]), side=RIGHT),
                Cell(known.get(name, "")),
            ]
            for name in ordered
        ]
        colours = {name: tone_of(name, self.tones) for name in ordered}
        idle = [one.name for one in self.words.reasons if one.idle and one.name in there]
        much = sum(there[name] for name in idle) > MUCH * sum(there.values())
        title = self.words.titles.breakdown
        chart = Chart(
            title[0].upper() + title[1:],
            f"A bar of the parts of the time: {_said(there, sum(there.values()))}.",
            self.data.rows("/result/breakdown"),
            charts.shares(ordered, colours, are_grouped, idle, much and len(idle) < len(there)),
            Table(title, ["reason", ">cycles", ">share", "meaning"], rows),
            shown=True,
        )
        sentence = "Every cycle is counted once, for what happened in it or what it was lost to."
        return Part("accounting", "Where the time went", sentence, [chart])

    def series(self) -> Part | None:
        """Over time, if that was asked for."""
        if not self.has("series"):
            return None
        return series_part(self.data.part("/result/series"), self.words, self.tones)

    def histograms(self) -> Part | None:
        """Of sizes, if they were asked for."""
        if not self.has("histograms"):
            return None
        return histograms_part(self.data.part("/result/histograms"), self.words)

    def roofline(self) -> Part | None:
        """What the machine could have done."""
        return roofline_part(self.data.part("/result/roofline")) if self.has("roofline") else None

    # ---- Source lines ----------------------------------------------------------------------------

    def lines(self) -> Part | None:
        """Lines that take most time, with what it went to, and their machine code."""
        lines = self.result["lines"]
        times = [sum_of(by_reason) for by_reason in self.spent]
        whole = sum(self.result["breakdown"].values() if self.words.in_whole else times)
        order = sorted(
            (k for k in range(len(lines)) if times[k]),
            key=lambda k: (-times[k], lines[k]["file"], lines[k]["line"]),
        )[:MOST_LINES]
        if not order:
            return None
        most = times[order[0]]
        code = self._code_by_line()
        rows, below = [], {}
        for row, k in enumerate(order):
            line, place = lines[k], f"{lines[k]['file']}:{lines[k]['line']}"
            rows.append([
                Cell(place), Cell(shown(times[k]), side=RIGHT),
                Cell(share(times[k], max(whole, 1)), side=RIGHT),
                self.data.cell(pointer("result", "lines", k, "executed")),
                self._bar(self.spent[k], most), Cell(line["text"].strip(), code=True),
            ])  # fmt: skip
            if own := code.get((line["file"], line["line"])):
                text = line["text"].strip() or f"{len(own)} instructions"
                below[row] = self._listing(text, own[:MOST_BELOW])
        title = self.words.titles.lines
        heads = ["line", ">cycles", ">share", ">executed", "", "source"]
        table = Table(title, heads, rows, below)
        sentence = f"{title[0].upper() + title[1:]}. Bars are as long as the time, and say what it "
        sentence += "went to. A line opens its machine code." if below else "went to."
        legend = self._legend(order)
        return Part("lines", "Hottest source lines", sentence, [legend, table])

    def _bar(self, by_reason: Mapping[str, int], most: int) -> Cell:
        found = sorted(
            ((name, n) for name, n in by_reason.items() if n),
            key=lambda one: (one[0] != self.words.issuing, -one[1]),
        )
        pieces = [Segment(f"{name}: {shown(n)} cycles", n / most, tone_of(name, self.tones))
                  for name, n in found]  # fmt: skip
        return Cell(_said(dict(found), sum_of(by_reason)), bar=pieces)

    def _legend(self, order: Sequence[int]) -> Legend:
        """What the colours of the bars mean."""
        totals: dict[str, int] = {}
        for k in order:
            for name, cycles in self.spent[k].items():
                totals[name] = totals.get(name, 0) + cycles
        known = {reason.name: reason.sentence for reason in self.words.reasons}
        ordered = sorted(totals, key=lambda name: (name != self.words.issuing, -totals[name]))
        return Legend(
            [(name, tone_of(name, self.tones), known.get(name, "")) for name in ordered
             if totals[name]]
        )  # fmt: skip

    def _code_by_line(self) -> dict[tuple[str, int], list[int]]:
        found: dict[tuple[str, int], list[int]] = {}
        for k, row in enumerate(self.data.content.get("code", [])):
            if row["instruction"] is not None and row["file"]:
                found.setdefault((row["file"], row["line"]), []).append(k)
        return found

    def _listing(self, summary: str, rows: Sequence[int]) -> Listing:
        """Instructions with how often each was executed, its time, and what most of that was."""
        made = []
        for k in rows:
            row = self.data.at(pointer("code", k))
            if row["instruction"] is None:
                made.append(((Cell(""), Cell(""), Cell("")), row["text"]))
                continue
            time = row["spent"]
            most = max(time, key=lambda name: time[name], default="")
            cells = (
                self.data.cell(pointer("code", k, "executed")),
                Cell(shown(sum_of(time)) if time else "", side=RIGHT),
                Cell(most, tone=tone_of(most, self.tones)) if most else Cell(""),
            )
            made.append((cells, row["text"]))
        return Listing(summary, ["executed", "cycles", "mostly"], made)

    def columns(self) -> Iterator[Part]:
        """Further figures of source lines, as the kind's tables have them."""
        lines = self.result["lines"]
        for table in self.words.tables:
            order = sorted(
                (k for k, line in enumerate(lines) if line.get(table.by)),
                key=lambda k: (-lines[k][table.by], lines[k]["file"], lines[k]["line"]),
            )[:MOST_LINES]
            if not order:
                continue
            own = [one for one in self.words.columns if one.name in lines[order[0]]]
            most = {one.name: max(lines[k][one.name] for k in order) or 1 for one in own}
            rows = [
                [
                    Cell(f"{lines[k]['file']}:{lines[k]['line']}"),
                    *(self.data.cell(pointer("result", "lines", k, one.name)) for one in own),
                    _stack([(one.name, lines[k][one.name]) for one in own if one.unit == by.unit]),
                    Cell(lines[k]["text"].strip(), code=True),
                ]
                for k in order
                for by in [next(one for one in own if one.name == table.by)]
            ]
            assert most
            title, _, _ = table.title.partition(":")
            words = " ".join(f"{one.name}: {one.sentence}" for one in own)
            heads = ["line", *(f">{one.name}" for one in own), "", "source"]
            sentence = f"{title[0].upper()}{title[1:]}. {words}"
            name = f"{table.by} by line".replace("_", " ")
            yield Part(table.by, name[0].upper() + name[1:], sentence,
                       [Table(table.title, heads, rows)])  # fmt: skip

    # ---- What kinds and levels add ---------------------------------------------------------------

    def of_kind(self) -> Iterator[Part]:
        gathered = self.data.content.get("kind", {})
        for part in kind_parts(self.result["vocabulary"]["name"]):
            if part.name in gathered:
                yield part.draw(self.data.part(pointer("kind", part.name)))

    def energy(self) -> Part | None:
        """Estimates, where the machine's file has figures."""
        return energy_part(self.data.part("/result/energy")) if self.has("energy") else None

    def layers(self) -> Part | None:
        """Layers of a program that has some."""
        layers = self.result.get("layers")
        if not layers:
            return None
        rows = [
            [
                Cell(layer["name"]),
                self.data.cell(pointer("result", "layers", k, "cycles")),
                Cell(share(layer["cycles"], max(self.result["cycles"], 1)), side=RIGHT),
                self.data.cell(pointer("result", "layers", k, "span")),
                Cell(layer["bound"] or ""),
                Cell(_rate(layer), side=RIGHT),
                Cell(number(layer["bytes"].get("dram", 0)), side=RIGHT),
            ]
            for k, layer in enumerate(layers)
        ]
        heads = [
            "layer",
            ">cycles",
            ">share",
            ">span",
            "bound by",
            ">of the peak",
            ">bytes of DRAM",
        ]
        spec = charts.bars(
            "name", "cycles", "cycles", sum(o["cycles"] > 0 for o in layers), limit=30
        )
        chart = Chart(
            "Layers that take most cycles",
            "A bar for each layer, as long as its cycles.",
            self.data.rows("/result/layers"),
            spec,
            Table("layers in their order", heads, rows),
            shown=True,
        )
        sentence = "Every cycle belongs to the oldest layer that is not finished; spans overlap."
        return Part("layers", "Layers", sentence, [chart])

    # ---- When ------------------------------------------------------------------------------------

    def timeline(self) -> Part | None:
        """The window that was recorded."""
        timeline = self.data.content.get("timeline")
        if not timeline:
            return None
        colours = of_labels(timeline, self.tones)
        first, last = timeline["from"], timeline["to"]
        many = ""
        if timeline["spans_left_out"]:
            many += f" There is more: these are the first {shown(len(timeline['begin']))} spans."
        if timeline["tracks_left_out"]:
            many += f" {timeline['tracks_left_out']} more tracks are left out."
        chart = Chart(
            f"Cycles {shown(first)} to {shown(last)}",
            f"Spans on {len(timeline['tracks'])} tracks from cycle {first} to cycle {last}.",
            self.data.rows("/timeline"),
            charts.timeline(timeline["tracks"], list(colours), colours),
            _totals(timeline, colours),
            note=f"Drag to move, shift and wheel to zoom, double click for all.{many}",
        )
        families = ", ".join(dict.fromkeys(one.name for one in self.words.tracks))
        sentence = f"What happened when, on tracks of the machine ({families})."
        return Part("timeline", "Timeline", sentence, [chart])

    def steps(self) -> Part | None:
        """What the host did."""
        steps = self.result.get("steps", [])
        if len(steps) < 2:
            return None
        rows = [
            [
                self.data.cell(pointer("result", "steps", k, "stream")),
                Cell(_step(step)),
                self.data.cell(pointer("result", "steps", k, "begin")),
                self.data.cell(pointer("result", "steps", k, "end")),
            ]
            for k, step in enumerate(steps)
        ]
        table = Table("steps of the host", [">stream", "what", ">begin", ">end"], rows)
        return Part("steps", "Steps of the host", "In cycles of the machine.", [table])

    # ---- Where -----------------------------------------------------------------------------------

    def memory(self) -> Part | None:
        """Where buffers stand."""
        memory = self.data.content.get("memory")
        if not memory:
            return None
        most = max(one["size"] for one in memory) or 1
        rows = [
            [
                Cell(one["name"], code=True),
                Cell(f"{one['address']:#x}", side=RIGHT, code=True),
                Cell(f"{one['address'] + one['size']:#x}", side=RIGHT, code=True),
                self.data.cell(pointer("memory", k, "size")),
                Cell(f"{number(one['size'])} bytes",
                     bar=[Segment(one["name"], one["size"] / most, 0)]),
            ]
            for k, one in enumerate(memory)
        ]  # fmt: skip
        heads = ["buffer", ">from", ">up to", ">bytes", ""]
        table = Table("buffers in memory", heads, rows)
        sentence = "Buffers by address; between them nothing can be touched without a fault."
        return Part("memory", "Memory map", sentence, [table])

    # ---- Beside others, and what it was ----------------------------------------------------------

    def baseline(self) -> Part | None:
        """What differs from what it was held against."""
        if "versus" not in self.data.content:
            return None
        blocks = list(differences(self.data.part("/versus")))
        title = "Beside what it was compared with"
        a = self.data.at("/versus/a")
        return Part(
            "versus", title, f"A is {a['workload']} on {a['machine']}: {a['ending']}.", blocks
        )

    def counters(self) -> Part | None:
        """All of them, with what they mean."""
        known = {one.name: one for one in self.words.counters}
        rows = [
            [
                Cell(name, code=True),
                self.data.cell(pointer("result", "counters", name)),
                Cell(known[name].unit),
                Cell(known[name].sentence),
            ]
            for name in self.result["counters"]
            if name in known
        ]
        if not rows:
            return None
        heads = ["counter", ">value", "unit", "meaning"]
        table = Table("counters", heads, rows, filtered=True)
        sentence = "What a machine does not model has no counter; none is a guess."
        return Part("counters", "Counters", sentence, [table])

    def code(self) -> Part | None:
        """The listing as a whole."""
        code = self.data.content.get("code")
        if not code:
            return None
        count = sum(row["instruction"] is not None for row in code)
        listing = self._listing(f"{shown(count)} instructions", range(len(code)))
        sentence = "The listing, with how often each instruction was executed and its time."
        return Part("code", "Machine code", sentence, [listing])

    def provenance(self) -> Part:
        return provenance(self.data)


def _placed(data: Data, cell: Cell) -> Cell:
    return Cell(cell.text, data.base + cell.at, LEFT)


def _whole(name: str, are_grouped: bool) -> str:
    return name.rpartition(".")[0] if are_grouped else ""


def _said(parts: Mapping[str, int], whole: int) -> str:
    """Parts in words, the largest first."""
    ordered = sorted((one for one in parts.items() if one[1]), key=lambda one: -one[1])
    said = [f"{name} {share(cycles, whole)}" for name, cycles in ordered[:6]]
    more = f" and {len(ordered) - len(said)} more" if len(ordered) > len(said) else ""
    return ", ".join(said) + more


def _wrong(check: Mapping[str, Any]) -> str:
    at = f", first at {check['first']}" if check.get("first") else ""
    got = f"{check['got']} in place of {check['expected']}"
    return f"{number(check['differing'])} differ{at}: {got}"


def _stack(parts: Sequence[tuple[str, int]]) -> Cell:
    """Figures of one unit as parts of a whole bar."""
    whole = sum(value for _, value in parts) or 1
    pieces = [Segment(f"{n}: {shown(v)}", v / whole, k) for k, (n, v) in enumerate(parts) if v]
    return Cell(_said(dict(parts), whole), bar=pieces)


def _rate(layer: Mapping[str, Any]) -> str:
    """Of the unit that does most of its operations, the part of what it could do."""
    rates = [
        (one["per_second"], one["peak_per_second"])
        for one in layer["operations"].values()
        if one["per_second"] and one["peak_per_second"]
    ]
    return share(*max(rates)) if rates else ""


def _step(step: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{key} {value}" for key, value in step.items() if key not in ("stream", "begin", "end")
    )


def _totals(timeline: Mapping[str, Any], colours: Mapping[str, int]) -> Table:
    """What spans come to, by what they are called."""
    names, found = timeline["names"], dict[tuple[str, str], list[int]]()
    columns = (timeline[name] for name in ("event", "label", "begin", "end"))
    for event, label, begin, end in zip(*columns, strict=True):
        row = found.setdefault((names[event], names[label]), [0, 0])
        row[0] += 1
        row[1] += end - begin
    ordered = sorted(found.items(), key=lambda one: -one[1][1])[:MOST_BELOW]
    rows = [
        [Cell(label, tone=colours[label]), event, Cell(shown(count), side=RIGHT),
         Cell(shown(cycles), side=RIGHT)]
        for (event, label), (count, cycles) in ordered
    ]  # fmt: skip
    heads = ["what", "event", ">times", ">cycles in all"]
    return Table("what lies on the tracks that are shown", heads, rows)


Make = Callable[[], Part | Iterator[Part] | None]
