"""Kind `the_name`: a processor that takes an instruction of the IR a cycle, and waits for loads.

Six parts, a file each; ARCHITECTURE.md of simrun says what each has to be.
"""

from pathlib import Path

from machines.kinds import Kind

KIND = Kind(
    "the_name",
    fields="the_name.fields:TheName",
    rules="the_name.fields:RULES",
    target="the_name.target:TARGET",
    core="the_name.core:CORE",
    binding="the_name.binding:BINDING",
    vocabulary="the_name.vocabulary:VOCABULARY",
)
MACHINE = Path(__file__).with_name("the_name.yaml")
