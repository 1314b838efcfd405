"""Views of `simrun explain` for chips of clusters."""

from sim.kinds.cluster.views.queues import VIEW as QUEUES
from sim.kinds.cluster.views.races import VIEW as RACES
from sim.kinds.cluster.views.tiles import VIEW as TILES

VIEWS = (QUEUES, RACES, TILES)
