// A-type syllables in the third and fourth I slot go to free M ports.
//
// cycle  issued
//    193  nop.m nop.i nop.i | nop.m adds adds     M0 I0 I1 | M1 M2 M3
//    194  br.ret
//
// cycles: 195
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mii
        nop.m 0
        nop.i 0
        nop.i 0
}
{ .mii
        nop.m 0
        adds r14 = 1, r0
        adds r15 = 2, r0 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
