// c (4 × 4) = c + aᵀ · b, a and b n × 4: the inner loop of a matrix product, `passes` times over.
//
// arguments: r32 a, r33 b, r34 c, r35 n (at least 1), r36 passes
//
// A step k adds the product of a's row k, as a column, and b's row k: 16 fma in 8 groups, MFI + MFI,
// both F units at work in every cycle.  The rows are loaded a stage ahead, b's first half before the
// rest, as it is used first.  The 16 sums stay in f16 … f31, which do not rotate.

        .explicit
        .text
        .global dgemm
        .proc   dgemm
dgemm:
{ .mii
        alloc   r2 = ar.pfs, 5, 0, 0, 0
        mov     r14 = r32
        adds    r17 = -1, r35
}
{ .mii
        mov     r15 = r33
        mov     r18 = r36
        mov     r22 = r34
}
{ .mii
        mov     r23 = r34
        nop.i   0
        nop.i   0 ;;
}
{ .mmi
        ldfd    f16 = [r22], 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        ldfd    f17 = [r22], 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        ldfd    f18 = [r22], 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        ldfd    f19 = [r22], 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        ldfd    f20 = [r22], 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        ldfd    f21 = [r22], 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        ldfd    f22 = [r22], 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        ldfd    f23 = [r22], 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        ldfd    f24 = [r22], 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        ldfd    f25 = [r22], 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        ldfd    f26 = [r22], 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        ldfd    f27 = [r22], 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        ldfd    f28 = [r22], 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        ldfd    f29 = [r22], 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        ldfd    f30 = [r22], 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        ldfd    f31 = [r22], 8
        nop.m   0
        nop.i   0 ;;
}
again:
{ .mib
        mov     r20 = r14
        mov     ar.lc = r17
        clrrrb ;;
}
{ .mii
        mov     r21 = r15
        mov     ar.ec = 2
        nop.i   0 ;;
}
{ .mii
        adds    r18 = -1, r18
        mov     pr.rot = 1 << 16
        nop.i   0 ;;
}
        .align  32
steps:
{ .mfi
(p16)   ldfpd   f44, f47 = [r21], 16
(p17)   fma.d   f16 = f33, f45, f16
        nop.i   0
}
{ .mfi
        nop.m   0
(p17)   fma.d   f17 = f33, f48, f17
        nop.i   0 ;;
}
{ .mfi
(p16)   ldfpd   f32, f35 = [r20], 16
(p17)   fma.d   f20 = f36, f45, f20
        nop.i   0
}
{ .mfi
        nop.m   0
(p17)   fma.d   f21 = f36, f48, f21
        nop.i   0 ;;
}
{ .mfi
(p16)   ldfpd   f38, f41 = [r20], 16
(p17)   fma.d   f24 = f39, f45, f24
        nop.i   0
}
{ .mfi
        nop.m   0
(p17)   fma.d   f25 = f39, f48, f25
        nop.i   0 ;;
}
{ .mfi
(p16)   ldfpd   f50, f53 = [r21], 16
(p17)   fma.d   f28 = f42, f45, f28
        nop.i   0
}
{ .mfi
        nop.m   0
(p17)   fma.d   f29 = f42, f48, f29
        nop.i   0 ;;
}
{ .mfi
        nop.m   0
(p17)   fma.d   f18 = f33, f51, f18
        nop.i   0
}
{ .mfi
        nop.m   0
(p17)   fma.d   f19 = f33, f54, f19
        nop.i   0 ;;
}
{ .mfi
        nop.m   0
(p17)   fma.d   f22 = f36, f51, f22
        nop.i   0
}
{ .mfi
        nop.m   0
(p17)   fma.d   f23 = f36, f54, f23
        nop.i   0 ;;
}
{ .mfi
        nop.m   0
(p17)   fma.d   f26 = f39, f51, f26
        nop.i   0
}
{ .mfi
        nop.m   0
(p17)   fma.d   f27 = f39, f54, f27
        nop.i   0 ;;
}
{ .mfi
        nop.m   0
(p17)   fma.d   f30 = f42, f51, f30
        nop.i   0
}
{ .mfb
        nop.m   0
(p17)   fma.d   f31 = f42, f54, f31
        br.ctop.sptk.few steps ;;
}
{ .mib
        cmp.ne  p6, p0 = 0, r18
        nop.i   0
(p6)    br.cond.dptk.few again ;;
}
{ .mmi
        stfd    [r23] = f16, 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        stfd    [r23] = f17, 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        stfd    [r23] = f18, 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        stfd    [r23] = f19, 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        stfd    [r23] = f20, 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        stfd    [r23] = f21, 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        stfd    [r23] = f22, 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        stfd    [r23] = f23, 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        stfd    [r23] = f24, 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        stfd    [r23] = f25, 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        stfd    [r23] = f26, 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        stfd    [r23] = f27, 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        stfd    [r23] = f28, 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        stfd    [r23] = f29, 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        stfd    [r23] = f30, 8
        nop.m   0
        nop.i   0 ;;
}
{ .mmi
        stfd    [r23] = f31, 8
        nop.m   0
        nop.i   0 ;;
}
{ .mfb
        nop.m   0
        nop.f   0
        br.ret.sptk.many b0 ;;
}
        .endp   dgemm
