"""Kind `cluster`: clusters of cores with scratchpads, which engines fill and tensor units read."""

from machines.kinds import Kind

PLUGIN = Kind(
    "cluster",
    fields="machines.kinds.cluster.fields:Cluster",
    rules="machines.kinds.cluster.rules:RULES",
    code="machines.kinds.cluster.code:CODE",
    target="compiler.targets.cluster:TARGET",
    core="sim.cores.cluster.run:CORE",
    binding="sim.kinds.cluster.binding:BINDING",
    vocabulary="sim.kinds.cluster.vocabulary:VOCABULARY",
    state_views="sim.kinds.cluster.state_views:STATE_VIEWS",
    views="sim.kinds.cluster.views:VIEWS",
    snippets="sim.kinds.cluster.snippets:SNIPPETS",
)
