"""Front end for LLVM IR, as clang and other compilers make it; LLVM.md beside this folder
describes what is taken.

prepare      LLVM reads, verifies and upgrades the file, inlines calls, removes local variables and
             switches, and prints the module again in one canonical form
lowering/locations
             which line of the user's file an instruction of that form came from
reading/debug_types
             what debug information says of parameters
reading/     that form as a tree (reading/tree.py): types, globals, functions, blocks, statements
lowering/    the tree as functions and buffers of our IR
"""

from compiler.frontends import Frontend

PLUGIN = Frontend(
    "llvm",
    (".ll", ".bc"),
    "LLVM IR, as text or bitcode: functions that clang or another LLVM compiler made.",
    "compiler.frontends.llvm.frontend:read",
    binary_suffixes=(".bc",),
)
