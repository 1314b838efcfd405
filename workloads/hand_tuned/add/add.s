// Add two numbers of n words (a multiple of 4, at least 4), `passes` times over.
//
// arguments: r32 sum, r33 a, r34 b, r35 n, r36 passes
// result:    the carry out of the highest word
//
// Four words in five groups, two stages.  Whether a word sends a carry on is known early but for
// the carry it gets: c = (s < a), and if a carry comes in and s is all ones, c = 1 as well.  So the
// chain from word to word is one parallel compare a cycle:
//
//             add     s0 = a0, b0
//             cmp.ltu c0 = s0, a0
//   (c3')     cmp.eq.or c0 = -1, s0       c3': the carry of the word before
//   (c3')     adds    s0 = 1, s0
//
// 28 instructions and the branch leave one of 30 slots empty.

        .explicit
        .text
        .global add
        .proc   add
add:
{ .mii
        alloc   r2 = ar.pfs, 5, 11, 0, 16
        mov     r14 = r32
        mov     r15 = r33
}
{ .mii
        adds    r17 = -4, r35
        mov     r18 = r36
        mov     r16 = r34 ;;
}
again:
{ .mib
        mov     r20 = r15
        shr.u   r19 = r17, 2
        clrrrb ;;
}
{ .mii
        mov     r21 = r16
        mov     ar.lc = r19
        adds    r18 = -1, r18 ;;
}
{ .mii
        mov     r22 = r14
        mov     ar.ec = 2
        nop.i   0 ;;
}
{ .mii
        nop.m   0
        mov     pr.rot = 1 << 16
        nop.i   0 ;;
}
        .align  32
words:
{ .mii
(p16)   ld8     r32 = [r20], 8
(p23)   cmp.eq.or p25, p0 = -1, r45
(p23)   adds    r45 = 1, r45
}
{ .mmi
(p16)   ld8     r37 = [r21], 8
(p17)   st8     [r22] = r43, 8
(p17)   cmp.ltu p26, p0 = r47, r36 ;;
}
{ .mii
(p16)   ld8     r33 = [r20], 8
(p16)   add     r41 = r32, r37
(p25)   cmp.eq.or p26, p0 = -1, r47
}
{ .mmi
(p16)   ld8     r38 = [r21], 8
(p17)   st8     [r22] = r45, 8
(p25)   adds    r47 = 1, r47 ;;
}
{ .mii
(p16)   ld8     r34 = [r20], 8
(p16)   cmp.ltu p20, p0 = r41, r32
        nop.i   0
}
{ .mmi
(p16)   ld8     r39 = [r21], 8
(p17)   st8     [r22] = r47, 8
(p16)   add     r42 = r33, r38 ;;
}
{ .mii
(p16)   ld8     r35 = [r20], 8
(p26)   cmp.eq.or p20, p0 = -1, r41
(p26)   adds    r41 = 1, r41
}
{ .mii
(p16)   ld8     r40 = [r21], 8
(p16)   cmp.ltu p22, p0 = r42, r33
(p16)   add     r44 = r34, r39 ;;
}
{ .mii
(p16)   st8     [r22] = r41, 8
(p20)   cmp.eq.or p22, p0 = -1, r42
(p20)   adds    r42 = 1, r42
}
{ .mib
(p16)   cmp.ltu p24, p0 = r44, r34
(p16)   add     r46 = r35, r40
        br.ctop.sptk.few words ;;
}
{ .mib
        cmp.ne  p6, p0 = 0, r18
        mov     r8 = r0
(p6)    br.cond.dptk.few again ;;
}
{ .mfb
(p27)   mov     r8 = 1
        nop.f   0
        br.ret.sptk.many b0 ;;
}
        .endp   add
