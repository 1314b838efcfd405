"""Kind `scalar5`: a five-stage in-order pipeline, IF ID EX MEM WB, that executes rows of the IR."""

from pathlib import Path

from machines.kinds import Kind

KIND = Kind(
    "scalar5",
    fields="scalar5.fields:Scalar5",
    rules="scalar5.fields:RULES",
    target="scalar5.target:TARGET",
    core="scalar5.core:CORE",
    binding="scalar5.binding:BINDING",
    vocabulary="scalar5.vocabulary:VOCABULARY",
    views="scalar5.views:VIEWS",
)
MACHINE = Path(__file__).with_name("scalar5.yaml")
