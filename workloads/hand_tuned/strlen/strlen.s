// The length of a string that ends with a zero byte, `passes` times over.
//
// arguments: r32 text (at a multiple of 8; readable up to the next one after its end), r33 passes
// result:    the number of bytes before the first zero byte
//
// Eight bytes at a time.  The next word may not be loaded before this one is known to hold no zero,
// as it need not be readable: load, search and test wait for one another, 2 + 3 + 1 cycles.

        .explicit
        .text
        .global strlen
        .proc   strlen
strlen:
{ .mii
        alloc   r2 = ar.pfs, 2, 0, 0, 0
        mov     r18 = r33
        nop.i   0 ;;
}
again:
{ .mii
        mov     r14 = r32
        adds    r18 = -1, r18
        nop.i   0 ;;
}
        .align  32
words:
{ .mmi
        ld8     r16 = [r14], 8 ;;
        nop.m   0
        czx1.r  r17 = r16 ;;            // the number of the lowest zero byte, 8 if there is none
}
{ .mib
        cmp.eq  p6, p0 = 8, r17
        nop.i   0
(p6)    br.cond.dptk.few words ;;
}
{ .mib
        cmp.ne  p7, p0 = 0, r18
        sub     r8 = r14, r32
(p7)    br.cond.dptk.few again ;;
}
{ .mmi
        adds    r8 = -8, r8 ;;
        add     r8 = r8, r17
        nop.i   0
}
{ .mfb
        nop.m   0
        nop.f   0
        br.ret.sptk.many b0 ;;
}
        .endp   strlen
