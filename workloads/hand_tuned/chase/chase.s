// Follow `hops` pointers through a ring; its elements are numbers of elements at first.
//
// arguments: r32 ring, r33 n elements, r34 hops (at least 1)
// result:    the number of the element it ends at
//
// The numbers become addresses first, in place.  Then a hop is one load whose result is the next
// one's address: two cycles if it hits the L1D.

        .explicit
        .text
        .global chase
        .proc   chase
chase:
{ .mii
        alloc   r2 = ar.pfs, 3, 0, 0, 0
        adds    r14 = -1, r33
        adds    r15 = -1, r34 ;;
}
{ .mii
        mov     r16 = r32
        mov     ar.lc = r14
        nop.i   0 ;;
}
addresses:
{ .mmi
        ld8     r17 = [r16] ;;
        shladd  r17 = r17, 3, r32
        nop.i   0 ;;
}
{ .mib
        st8     [r16] = r17, 8
        nop.i   0
        br.cloop.sptk.few addresses ;;
}
{ .mii
        mov     r8 = r32
        mov     ar.lc = r15
        nop.i   0 ;;
}
        .align  32
hops:
{ .mib
        ld8     r8 = [r8]
        nop.i   0
        br.cloop.sptk.few hops ;;
}
{ .mmi
        sub     r8 = r8, r32 ;;
        nop.m   0
        shr.u   r8 = r8, 3
}
{ .mfb
        nop.m   0
        nop.f   0
        br.ret.sptk.many b0 ;;
}
        .endp   chase
