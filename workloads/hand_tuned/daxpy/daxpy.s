// y = a·x + y over n doubles (a multiple of 12, at least 12), `passes` times over.
//
// arguments: r32 x, r33 y, r34 n, r35 passes, f8 a
//
// Twelve elements in seven groups.  Six of them hold 2 fma, 2 stores and up to 2 pair loads,
// MMF + MMF, and so have no room for the branch, which takes the seventh.  Six pairs and not eight,
// as the registers of a pair move on by one name in an iteration and 96 rotate.
//
// Nothing meets in a 16-byte bank of the L2: a pair of y is loaded a group after its pair of x, and
// the stores of a group are 16 bytes apart (elements 0 and 2, then 1 and 3).
//
//   pair k, flat time   k ldfpd x   k + 1 ldfpd y   k + 7 fma, fma   14 … 19 stfd       three stages

        .explicit
        .text
        .global daxpy
        .proc   daxpy
daxpy:
{ .mii
        alloc   r2 = ar.pfs, 4, 0, 0, 0
        mov     r14 = r32
        mov     r15 = r33
}
{ .mii
        adds    r17 = -12, r34
        mov     r18 = r35
        mov     r19 = r0 ;;
}
count:                                  // r19 = n / 12 - 1
{ .mib
        cmp.lt  p6, p0 = 0, r17
        adds    r17 = -12, r17
        nop.b   0 ;;
}
{ .mib
(p6)    adds    r19 = 1, r19
        nop.i   0
(p6)    br.cond.dptk.few count ;;
}
again:
{ .mib
        mov     r20 = r14
        mov     ar.lc = r19
        clrrrb ;;
}
{ .mii
        mov     r21 = r15
        mov     ar.ec = 3
        mov     r22 = r15 ;;
}
{ .mii
        adds    r23 = 16, r15
        mov     pr.rot = 1 << 16
        adds    r18 = -1, r18 ;;
}
        .align  32
elements:
{ .mmf
(p16)   ldfpd   f32, f57 = [r20], 16
(p18)   stfd    [r23] = f86, 8
(p17)   fma.d   f81 = f8, f33, f45
}
{ .mmf
(p18)   stfd    [r22] = f82, 8
        nop.m   0
(p17)   fma.d   f83 = f8, f58, f70 ;;
}
{ .mmf
(p16)   ldfpd   f34, f59 = [r20], 16
(p18)   stfd    [r22] = f84, 24
(p17)   fma.d   f85 = f8, f35, f47
}
{ .mmf
(p16)   ldfpd   f44, f69 = [r21], 16
(p18)   stfd    [r23] = f88, 24
(p17)   fma.d   f87 = f8, f60, f72 ;;
}
{ .mmf
(p16)   ldfpd   f36, f61 = [r20], 16
(p18)   stfd    [r22] = f90, 8
(p17)   fma.d   f89 = f8, f37, f49
}
{ .mmf
(p16)   ldfpd   f46, f71 = [r21], 16
(p18)   stfd    [r23] = f94, 8
(p17)   fma.d   f91 = f8, f62, f74 ;;
}
{ .mmf
(p16)   ldfpd   f38, f63 = [r20], 16
(p18)   stfd    [r22] = f92, 24
(p17)   fma.d   f93 = f8, f39, f51
}
{ .mmf
(p16)   ldfpd   f48, f73 = [r21], 16
(p18)   stfd    [r23] = f96, 24
(p17)   fma.d   f95 = f8, f64, f76 ;;
}
{ .mmf
(p16)   ldfpd   f40, f65 = [r20], 16
(p18)   stfd    [r22] = f98, 8
(p17)   fma.d   f97 = f8, f41, f53
}
{ .mmf
(p16)   ldfpd   f50, f75 = [r21], 16
(p18)   stfd    [r23] = f102, 8
(p17)   fma.d   f99 = f8, f66, f78 ;;
}
{ .mmf
(p16)   ldfpd   f42, f67 = [r20], 16
(p18)   stfd    [r22] = f100, 24
(p17)   fma.d   f101 = f8, f43, f55
}
{ .mmf
(p16)   ldfpd   f52, f77 = [r21], 16
(p18)   stfd    [r23] = f104, 24
(p17)   fma.d   f103 = f8, f68, f80 ;;
}
{ .mfb
(p16)   ldfpd   f54, f79 = [r21], 16
        nop.f   0
        br.ctop.sptk.few elements ;;
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
        .endp   daxpy
