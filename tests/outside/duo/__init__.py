"""Kind `duo`: a compute engine and a copy engine, a queue each, that share a bus and a
scratchpad."""

from pathlib import Path

from machines.kinds import Kind

KIND = Kind(
    "duo",
    fields="duo.fields:Duo",
    rules="duo.fields:RULES",
    code="duo.code:CODE",
    target="duo.target:TARGET",
    core="duo.core:CORE",
    binding="duo.binding:BINDING",
    vocabulary="duo.vocabulary:VOCABULARY",
    views="duo.views:VIEWS",
    state_views="duo.state_views:STATE_VIEWS",
    snippets="duo.snippets:SNIPPETS",
)
MACHINE = Path(__file__).with_name("duo.yaml")
