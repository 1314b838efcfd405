"""Front end for PTX, NVIDIA's assembly for GPUs, as nvcc writes it; PTX.md tells what it takes."""

from __future__ import annotations

from compiler.ir.module import Module
from machines.diagnostics import input_error
from machines.kinds.simt.fields import Simt


class PtxFrontend:
    """Kernels of a `.ptx` file as functions of `ptx` rows over virtual registers."""

    name = "ptx"
    suffixes = (".ptx",)

    def read(self, text: str, file: str, machine: object = None) -> Module:
        """The module of a file: one function per kernel, calls of device functions inlined.

        A kernel that uses what is not supported is in `Module.refused`.  Raises InputError with
        every finding if the text is wrong, or if no kernel is left.
        """
        description = getattr(machine, "description", machine)
        if description is not None and not isinstance(description, Simt):
            message = f"{file}: PTX runs on machines of kind 'simt' only"
            raise input_error(message, hint="choose one with --machine: h200, a100, v100")
        # Loaded when it is needed, as other front ends do.
        from compiler.frontends.ptx_text.lower_module import read_module

        width = description.warp_width if description else 32
        return read_module(text, file, width)


PLUGIN = PtxFrontend()
