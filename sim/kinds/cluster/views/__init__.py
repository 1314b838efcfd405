"""Views of `simrun explain` for chips of clusters."""

from sim.kinds.cluster.views.queues import VIEW as QUEUES

VIEWS = (QUEUES,)
