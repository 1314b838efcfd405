"""Views of `simrun explain` for chips of clusters."""

from sim.kinds.cluster.views.mappings import VIEW as MAPPINGS
from sim.kinds.cluster.views.queues import VIEW as QUEUES
from sim.kinds.cluster.views.races import VIEW as RACES
from sim.kinds.cluster.views.tiles import VIEW as TILES

VIEWS = (MAPPINGS, QUEUES, RACES, TILES)
