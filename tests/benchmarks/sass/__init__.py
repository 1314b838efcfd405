"""Machine code that NVIDIA's assembler makes of PTX (SASS): decoded, counted, executed.

toolkit       runs ptxas and nvdisasm, which are optional and are not part of the project
instruction   a line of a listing -> operation, operands, guard, control bits, line of source
families      which pipe takes an instruction and what it is for, of SASS and of our rows
code          a kernel: its instructions, its loops, and the subroutines behind it
beside        the kernels of files of PTX, compiled by both
"""
