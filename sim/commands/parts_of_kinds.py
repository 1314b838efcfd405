"""Every part of every kind of machine, for who says what there is and what is broken."""

from __future__ import annotations

from collections.abc import Iterator

from machines.kinds import Kind, kinds, parts
from machines.plugins import Wrong


def usable_parts() -> Iterator[tuple[Kind, str]]:
    """Load all parts; the kind and the part's name of each that can be used.

    `machines.plugins.FAILED` has the others.
    """
    usable = {name: parts(name, wanted) for name, wanted in what_parts_are().items()}
    for kind in kinds().values():
        yield from ((kind, name) for name, some in usable.items() if kind.name in some)


def what_parts_are() -> dict[str, type | Wrong]:
    """What the parts of a `machines.kinds.Kind` are to be, by name."""
    from compiler.targets import Target
    from machines.code_facts import CodeFacts
    from machines.description.load import no_model
    from sim.cores import Core
    from sim.kinds import no_binding
    from sim.pages.gathered import not_kind_parts
    from sim.results.vocabulary import Vocabulary
    from sim.snippets import Snippets
    from sim.state_views import not_state_views
    from sim.views import not_views

    return {
        "fields": no_model,
        "rules": tuple,
        "target": Target,
        "core": Core,
        "binding": no_binding,
        "vocabulary": Vocabulary,
        "code": CodeFacts,
        "views": not_views,
        "state_views": not_state_views,
        "page": not_kind_parts,
        "snippets": Snippets,
    }
