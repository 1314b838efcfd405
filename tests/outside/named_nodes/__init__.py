"""A level of code from a package: a list of named nodes on arrays, as exchange formats of networks
have.

    input x
    input b
    square = mul x x
    y = add square b
    output y

Every array is of f32, and all are of one length.
"""

from compiler.frontends import Frontend
from machines.levels import Level

LEVEL = Level(
    "nodes",
    parse="named_nodes.level:parse",
    print="named_nodes.level:text_of",
    verify="named_nodes.level:findings",
    interpret="named_nodes.level:interpret",
    passes="named_nodes.lowering:PASSES",
    views="named_nodes.views:VIEWS",
)
FRONTEND = Frontend("nodes", (".nodes",), "A list of named nodes.", "named_nodes.level:read")
