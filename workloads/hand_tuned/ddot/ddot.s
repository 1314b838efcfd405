// The dot product of x and y, n doubles each (an even number, at least 2), `passes` times over.
//
// arguments: r32 x, r33 y, r34 total (one double), r35 n, r36 passes
//
// One group for two elements, II = 1, eight stages: MMF + MFB.  An fma takes four cycles, so there
// are four sums for either half of a pair: a sum goes on with the one of four iterations before,
// four names higher.  y is loaded a cycle after x, so that the two do not meet in a bank of the L2.
//
//   flat time   0 ldfpd x   1 ldfpd y   7 fma, fma

        .explicit
        .text
        .global ddot
        .proc   ddot
ddot:
{ .mii
        alloc   r2 = ar.pfs, 5, 0, 0, 0
        mov     r14 = r32
        shr.u   r17 = r35, 1 ;;
}
{ .mii
        mov     r15 = r33
        adds    r17 = -1, r17
        mov     r18 = r36 ;;
}
again:
{ .mib
        mov     r20 = r14
        mov     ar.lc = r17
        clrrrb ;;
}
{ .mfi
        mov     r21 = r15
        mov     f64 = f0                // the sums before the first pair: 70 - 7 + 1 … 4
        mov     ar.ec = 8
}
{ .mfi
        adds    r18 = -1, r18
        mov     f65 = f0
        nop.i   0 ;;
}
{ .mfi
        nop.m   0
        mov     f66 = f0
        mov     pr.rot = 1 << 16
}
{ .mfi
        nop.m   0
        mov     f67 = f0
        nop.i   0 ;;
}
{ .mfi
        nop.m   0
        mov     f84 = f0                // and 90 - 7 + 1 … 4
        nop.i   0
}
{ .mfi
        nop.m   0
        mov     f85 = f0
        nop.i   0 ;;
}
{ .mfi
        nop.m   0
        mov     f86 = f0
        nop.i   0
}
{ .mfi
        nop.m   0
        mov     f87 = f0
        nop.i   0 ;;
}
        .align  32
pairs:
{ .mmf
(p16)   ldfpd   f32, f41 = [r20], 16
(p17)   ldfpd   f50, f61 = [r21], 16
(p23)   fma.d   f70 = f39, f56, f74
}
{ .mfb
        nop.m   0
(p23)   fma.d   f90 = f48, f67, f94
        br.ctop.sptk.few pairs ;;
}
{ .mfi
        cmp.ne  p6, p0 = 0, r18
        fadd.d  f10 = f71, f72          // the last four sums of either half
        nop.i   0
}
{ .mfi
        nop.m   0
        fadd.d  f11 = f73, f74
        nop.i   0 ;;
}
{ .mfi
        nop.m   0
        fadd.d  f12 = f91, f92
        nop.i   0
}
{ .mfi
        nop.m   0
        fadd.d  f13 = f93, f94
        nop.i   0 ;;
}
{ .mfi
        nop.m   0
        fadd.d  f10 = f10, f11
        nop.i   0
}
{ .mfi
        nop.m   0
        fadd.d  f12 = f12, f13
        nop.i   0 ;;
}
{ .mfi
        nop.m   0
        fadd.d  f10 = f10, f12
        nop.i   0 ;;
}
{ .mib
        stfd    [r34] = f10
        nop.i   0
(p6)    br.cond.dptk.few again ;;
}
{ .mfb
        nop.m   0
        nop.f   0
        br.ret.sptk.many b0 ;;
}
        .endp   ddot
