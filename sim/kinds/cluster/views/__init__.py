"""Views of `simrun explain` for chips of clusters."""

from sim.kinds.cluster.views.queues import VIEW as QUEUES
from sim.kinds.cluster.views.races import VIEW as RACES

VIEWS = (QUEUES, RACES)
