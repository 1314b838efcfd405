"""Which pairs of features random programs execute together: whether a generator combines them.

    pairs = FeaturePairs(("call", "loop", "fault"), {("loop", "fault"): "faults end the program"})
    pairs.record({"call", "loop"})       # what one program executed, not what it has written down
    print(pairs.table())

A fault that needs two features at once is found only by programs that execute both.

    python -m tests.campaign.feature_pairs --what ir --programs 2000

prints the table of a kind of random programs: `features_<what>.py` has its FEATURES, what is
IMPOSSIBLE, and `executed(seed)`, the features that the program of a seed executes.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from importlib import import_module
from itertools import combinations, product

Pair = tuple[str, str]
FIRST_SEED = 1000
WANTED = 0.95
"""Of the possible pairs, what a campaign must execute."""


def between(some: Iterable[str], others: Iterable[str], why: str) -> dict[Pair, str]:
    """The pairs of one feature of `some` and another of `others`, with the reason."""
    return {(a, b): why for a, b in product(some, list(others)) if a != b}


class FeaturePairs:
    """Counts programs by the pairs of features that they execute.

    features    their names, in the order of the table
    impossible  pairs, in any order, that no program can execute, each with the reason
    """

    def __init__(self, features: Collection[str], impossible: Mapping[Pair, str] | None = None):
        self.features = tuple(features)
        self.impossible = {self._pair(*pair): why for pair, why in (impossible or {}).items()}
        self.programs = 0
        self.alone: Counter[str] = Counter()
        self.together: Counter[Pair] = Counter()

    def _pair(self, one: str, other: str) -> Pair:
        first, second = sorted((one, other), key=self.features.index)
        return first, second

    def record(self, executed: Collection[str]) -> None:
        """Count a program; raises ValueError for a feature or a pair that cannot be."""
        present = sorted(set(executed), key=self.features.index)
        found = list(combinations(present, 2))
        if wrong := self.impossible.keys() & set(found):
            raise ValueError(f"a program executed what is declared impossible: {sorted(wrong)}")
        self.programs += 1
        self.alone.update(present)
        self.together.update(found)

    @property
    def possible(self) -> list[Pair]:
        return [pair for pair in combinations(self.features, 2) if pair not in self.impossible]

    @property
    def missing(self) -> list[Pair]:
        """Possible pairs that no program executed."""
        return [pair for pair in self.possible if not self.together[pair]]

    @property
    def share(self) -> float:
        """Of the possible pairs, those that some program executed: 0 to 1."""
        possible = len(self.possible)
        return 1 - len(self.missing) / possible if possible else 1.0

    def table(self) -> str:
        """Programs by feature and how rare its pairs are; then what is missing and impossible."""
        width = max(map(len, self.features))
        lines = [f"{'feature':{width}}  programs  pairs met  rarest pair with"]
        for feature in self.features:
            own = [pair for pair in self.possible if feature in pair]
            met = sum(1 for pair in own if self.together[pair])
            rarest = min(own, key=self.together.__getitem__, default=None)
            told = ""
            if rarest:
                other = rarest[rarest[0] == feature]
                told = f"{other} ({self.together[rarest]})"
            lines.append(
                f"{feature:{width}}  {self.alone[feature]:8}  {met:4} of {len(own):2}  {told}"
            )
        possible = len(self.possible)
        met = possible - len(self.missing)
        lines.append(
            f"{self.programs} programs execute {met} of {possible} possible pairs "
            f"({100 * self.share:.1f} %)"
        )
        lines += [f"missing: {one} + {other}" for one, other in self.missing]
        for reason in dict.fromkeys(self.impossible.values()):
            pairs = [" + ".join(pair) for pair, why in self.impossible.items() if why == reason]
            lines.append(f"impossible, as {reason} ({len(pairs)}): {'; '.join(pairs)}")
        return "\n".join(lines)


def pairs_of(what: str, seeds: Iterable[int]) -> FeaturePairs:
    """What the programs of these seeds execute; `what` names `features_<what>.py`."""
    kind = import_module(f"tests.campaign.features_{what}")
    pairs = FeaturePairs(kind.FEATURES, kind.IMPOSSIBLE)
    for seed in seeds:
        pairs.record(kind.executed(seed))
    return pairs


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--what", required=True, help="kind of programs: of features_<what>.py")
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--first", type=int, default=FIRST_SEED, help="the first seed")
    given = parser.parse_args(arguments)
    pairs = pairs_of(given.what, range(given.first, given.first + given.programs))
    print(pairs.table())
    return int(pairs.share < WANTED)


if __name__ == "__main__":
    sys.exit(main())
