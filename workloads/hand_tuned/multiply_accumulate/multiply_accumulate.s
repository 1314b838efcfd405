// Add v times a number of n words (at least 1) to another one, `passes` times over.
//
// arguments: r32 total, r33 source, r34 n, r35 v, r36 passes
// result:    the highest word, which leaves the total (of the last pass)
//
// Two full groups for a word, II = 2, eleven stages.  The low and high halves of source · v + total
// come out of the floating-point unit (xma) and over getf, one a cycle; then
//
//   sum_i   = low_i + high_(i-1) + carry_(i-1)        t = 18
//   carry_i = sum_i <= low_i if there was a carry, sum_i < low_i if not     t = 19
//
// The carry is a pair of predicates, written as p40 (there is one) and p50 (there is none), read
// as p41 and p51.  Before the first word there is none: p50 of stage 9, one iteration before the
// first, is p50 - 9 + 1 = p42 before the loop.
//
//   flat time   0 ldf8 source   1 ldf8 total   7 xma.hu   8 xma.l   11 getf   12 getf
//               18 add   19 cmp   20 st8

        .explicit
        .text
        .global multiply_accumulate
        .proc   multiply_accumulate
multiply_accumulate:
{ .mii
        alloc   r2 = ar.pfs, 5, 27, 0, 32
        mov     r14 = r32
        mov     r15 = r33
}
{ .mii
        adds    r17 = -1, r34
        mov     r18 = r36
        nop.i   0
}
{ .mmi
        setf.sig f6 = r35
        nop.m   0
        nop.i   0 ;;
}
again:
{ .mib
        mov     r20 = r15
        mov     ar.lc = r17
        clrrrb ;;
}
{ .mii
        mov     r21 = r14
        mov     ar.ec = 11
        mov     r22 = r14 ;;
}
{ .mii
        mov     r36 = r0                // high half of the word below: r40 - 5 + 1
        mov     pr.rot = (1 << 16) + (1 << 42)
        adds    r18 = -1, r18 ;;
}
        .align  32
words:
        .pred.rel "mutex", p41, p51
{ .mfi
(p16)   ldf8    f32 = [r20], 8
(p20)   xma.l   f60 = f36, f6, f44
(p41)   add     r50 = r35, r45, 1
}
{ .mmi
(p22)   getf.sig r32 = f62
(p26)   st8     [r22] = r51, 8
(p51)   add     r50 = r35, r45 ;;
}
{ .mfi
(p16)   ldf8    f40 = [r21], 8
(p19)   xma.hu  f50 = f35, f6, f43
(p41)   cmp.leu p40, p50 = r50, r35
}
{ .mib
(p21)   getf.sig r40 = f52
(p51)   cmp.ltu p40, p50 = r50, r35
        br.ctop.sptk.few words ;;
}
        .pred.rel "mutex", p42, p52
{ .mmi
        cmp.ne  p6, p0 = 0, r18
(p42)   adds    r8 = 1, r46
(p52)   mov     r8 = r46
}
{ .mfb
        nop.m   0
        nop.f   0
(p6)    br.cond.dptk.few again ;;
}
{ .mfb
        nop.m   0
        nop.f   0
        br.ret.sptk.many b0 ;;
}
        .endp   multiply_accumulate
