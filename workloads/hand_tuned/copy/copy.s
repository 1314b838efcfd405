// Copy n words (a multiple of 4, at least 4), `passes` times over.
//
// arguments: r32 target, r33 source, r34 n, r35 passes
//
// The kernel copies four words in two groups: two loads and two stores in each, MMB + MMB, so that
// all four M ports work in every cycle.  The two stores of a group are 16 bytes apart: neighbours
// would meet in one 16-byte bank of the L2, to which the L1D writes through.  A word is stored a
// stage after it is loaded.

        .explicit
        .text
        .global copy
        .proc   copy
copy:
{ .mii
        alloc   r2 = ar.pfs, 4, 12, 0, 16
        mov     r14 = r32
        mov     r15 = r33
}
{ .mii
        adds    r17 = -4, r34
        mov     r18 = r35
        nop.i   0 ;;
}
again:
{ .mib
        mov     r20 = r15
        shr.u   r16 = r17, 2
        clrrrb ;;
}
{ .mii
        adds    r21 = 8, r15
        mov     ar.lc = r16
        mov     r22 = r14
}
{ .mii
        adds    r23 = 8, r14
        mov     ar.ec = 2
        adds    r24 = 16, r14 ;;
}
{ .mii
        adds    r25 = 24, r14
        mov     pr.rot = 1 << 16
        adds    r18 = -1, r18 ;;
}
        .align  32
words:
{ .mmb
(p16)   ld8     r32 = [r20], 16         // words 0 and 1
(p16)   ld8     r36 = [r21], 16
        nop.b   0
}
{ .mmb
(p17)   st8     [r22] = r33, 32         // words 0 and 2 of the four before
(p17)   st8     [r24] = r41, 32
        nop.b   0 ;;
}
{ .mmb
(p16)   ld8     r40 = [r20], 16         // words 2 and 3
(p16)   ld8     r44 = [r21], 16
        nop.b   0
}
{ .mmb
(p17)   st8     [r23] = r37, 32         // words 1 and 3 of the four before
(p17)   st8     [r25] = r45, 32
        br.ctop.sptk.few words ;;
}
{ .mib
        cmp.ne  p6, p0 = 0, r18
        nop.i   0
(p6)    br.cond.dptk.few again ;;
}
{ .mfb
        nop.m   0
        nop.f   0
        br.ret.sptk.many b0 ;;
}
        .endp   copy
