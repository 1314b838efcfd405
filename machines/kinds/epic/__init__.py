"""Kind `epic`: bundles of typed slots that the compiler fills, issued in order."""

from machines.kinds import Kind

PLUGIN = Kind(
    "epic",
    fields="machines.kinds.epic.fields:Epic",
    rules="machines.kinds.epic.rules:RULES",
    code="machines.kinds.epic.code:CODE",
    target="compiler.targets.epic:TARGET",
    core="sim.cores.epic.run:CORE",
    binding="sim.kinds.epic.binding:BINDING",
    vocabulary="sim.kinds.epic.vocabulary:VOCABULARY",
    state_views="sim.kinds.epic.state_views:STATE_VIEWS",
    views="sim.kinds.epic.views:VIEWS",
    snippets="sim.kinds.epic.snippets:SNIPPETS",
    page="sim.kinds.epic.page:PAGE",
)
