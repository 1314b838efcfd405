"""Views of `simrun explain` for machines of warps."""

from sim.kinds.simt.views import markers

VIEWS = markers.VIEWS
