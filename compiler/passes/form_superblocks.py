"""Merge the likely path through several blocks into one machine block with side exits.

    a:  cmp.lt %p, %q = …            a:  cmp.lt %p, %q = …
        (%p) br.cond b                   (%q) br.cond c        side exit
        br c                             ld8 %x = [%y]         (was b)
    c:  …                         ->     br d
        br d                         c:  …
    b:  ld8 %x = [%y]                    br d
        br d

A trace grows from its first block along the likelier way out of each block; a block of the trace
that others reach as well is copied for the trace alone (tail duplication).  The result has one
entry, at its top, so that `schedule_blocks` may move instructions across what were block borders
as far as the dependences of side exits allow it.

Source: W. W. Hwu et al., "The Superblock: An Effective Technique for VLIW and Superscalar
Compilation", The Journal of Supercomputing 7, 1993; static prediction: T. Ball, J. R. Larus,
"Branch Prediction for Free", PLDI 1993.
"""
