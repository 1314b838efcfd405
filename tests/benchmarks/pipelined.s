// Software-pipelined loops of one, two and four cycles in turn, a thousand iterations each; `rounds`
// times over.  Everything they touch stays in the L1D or the L2.
//
// argument: r32 rounds; result: a sum of what the loops computed

        .explicit
        .text
        .global pipelined
        .proc   pipelined
pipelined:
{ .mlx
        alloc   r2 = ar.pfs, 1, 55, 0, 48
        movl    r21 = xs ;;
}
{ .mlx
        mov     r20 = r32
        movl    r22 = ys
}
{ .mii
        mov     r23 = 999
        mov     r8 = r0
        mov     r24 = 3 ;;
}
{ .mmi
        setf.sig f6 = r24 ;;
        nop.m   0
        nop.i   0
}
{ .mfi
        nop.m   0
        fcvt.xf f6 = f6
        nop.i   0 ;;
}
again:
{ .mib                                  // one cycle: sums of sums
        mov     r14 = r21
        mov     ar.lc = r23
        clrrrb ;;
}
{ .mii
        mov     r32 = r20
        mov     ar.ec = 3
        mov     r33 = r20 ;;
}
{ .mii
        mov     r34 = r0
        mov     pr.rot = 1 << 16
        mov     r35 = r0 ;;
}
        .align  32
one:
{ .mii
(p16)   add     r32 = r33, r34
(p17)   xor     r40 = r33, r41
(p18)   shladd  r25 = r41, 1, r25
}
{ .mib
(p18)   adds    r8 = 1, r8
        nop.i   0
        br.ctop.sptk.few one ;;
}
{ .mib                                  // two cycles: y = 3 x + y
        mov     r15 = r22
        mov     ar.lc = r23
        clrrrb ;;
}
{ .mii
        mov     r16 = r22
        mov     ar.ec = 7
        nop.i   0 ;;
}
{ .mii
        nop.m   0
        mov     pr.rot = 1 << 16
        nop.i   0 ;;
}
        .align  32
two:
{ .mmf
(p16)   ldfd    f32 = [r14], 8
(p16)   ldfd    f45 = [r15], 8
(p19)   fma.d   f50 = f6, f35, f48 ;;
}
{ .mib
(p22)   stfd    [r16] = f53, 8
(p22)   adds    r8 = 1, r8
        br.ctop.sptk.few two ;;
}
{ .mib                                  // four cycles: integers
        mov     r14 = r21
        mov     ar.lc = r23
        clrrrb ;;
}
{ .mii
        mov     r16 = r21
        mov     ar.ec = 5
        nop.i   0 ;;
}
{ .mii
        nop.m   0
        mov     pr.rot = 1 << 16
        nop.i   0 ;;
}
        .align  32
four:
{ .mmi
(p16)   ld8     r32 = [r14], 8
(p18)   add     r36 = r34, r35
(p17)   shl     r40 = r33, 3 ;;
}
{ .mmi
(p18)   xor     r44 = r41, r34
(p19)   sub     r10 = r10, r45
(p19)   and     r11 = r45, r37 ;;
}
{ .mmi
(p20)   st8     [r16] = r38, 8
(p19)   or      r25 = r45, r37
(p20)   cmp.lt  p40, p41 = r38, r46 ;;
}
{ .mib
(p41)   adds    r8 = 1, r8
(p42)   add     r26 = r26, r25
        br.ctop.sptk.few four ;;
}
{ .mii
        adds    r20 = -1, r20
        add     r8 = r8, r26
        nop.i   0 ;;
}
{ .mib
        cmp.ne  p6, p0 = 0, r20
        nop.i   0
(p6)    br.cond.dptk.few again ;;
}
{ .mib
        nop.m   0
        nop.i   0
        br.ret.sptk.many b0 ;;
}
        .endp   pipelined

        .data
        .align  16
xs:     .skip   8192
ys:     .skip   8192
