"""Views of `simrun explain` for machines of bundles."""

from sim.kinds.epic.views import dispersal, schedule

VIEWS = (*dispersal.VIEWS, *schedule.VIEWS)
