// Shift a number of n words (at least 1) left by c bits (1 to 63), `passes` times over.
//
// arguments: r32 target, r33 source, r34 n, r35 c, r36 passes
// result:    the bits that leave the highest word
//
// One group for a word, II = 1: a load, a store, both variable shifts on I0 and I1, the `or` in an
// M slot, and the loop branch.  A word of the target needs two of the source, so the shift to the
// right takes the word of the iteration before, which is named one register higher.
//
//   cycle 0 ld8    2 shl, shr.u    5 or    6 st8        seven stages

        .explicit
        .text
        .global shift
        .proc   shift
shift:
{ .mii
        alloc   r2 = ar.pfs, 5, 27, 0, 32
        mov     r14 = r32
        mov     r15 = r33
}
{ .mii
        adds    r17 = -1, r34
        mov     r18 = r35
        sub     r19 = 64, r35
}
{ .mii
        mov     r20 = r36
        nop.i   0
        nop.i   0 ;;
}
again:
{ .mib
        mov     r21 = r14
        mov     ar.lc = r17
        clrrrb ;;
}
{ .mii
        mov     r22 = r15
        mov     ar.ec = 7
        mov     r33 = r0 ;;             // the word below the lowest
}
{ .mii
        adds    r20 = -1, r20
        mov     pr.rot = 1 << 16
        nop.i   0 ;;
}
        .align  32
words:
{ .mii
(p16)   ld8     r32 = [r22], 8
(p18)   shl     r40 = r34, r18
(p18)   shr.u   r46 = r35, r19
}
{ .mmb
(p22)   st8     [r21] = r54, 8
(p21)   or      r53 = r43, r49
        br.ctop.sptk.few words ;;
}
{ .mib
        cmp.ne  p6, p0 = 0, r20
        shr.u   r8 = r39, r19
(p6)    br.cond.dptk.few again ;;
}
{ .mfb
        nop.m   0
        nop.f   0
        br.ret.sptk.many b0 ;;
}
        .endp   shift
