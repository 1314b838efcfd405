"""Kind `simt`: streaming multiprocessors that run warps of threads."""

from machines.kinds import Kind

PLUGIN = Kind(
    "simt",
    fields="machines.kinds.simt.fields:Simt",
    rules="machines.kinds.simt.rules:RULES",
    code="machines.kinds.simt.code:CODE",
    target="compiler.targets.simt:TARGET",
    core="sim.cores.simt.run:CORE",
    binding="sim.kinds.simt.binding:BINDING",
    vocabulary="sim.kinds.simt.vocabulary:VOCABULARY",
    state_views="sim.kinds.simt.state_views:STATE_VIEWS",
    views="sim.kinds.simt.views:VIEWS",
    snippets="sim.kinds.simt.snippets:SNIPPETS",
    page="sim.kinds.simt.page:PAGE",
)
