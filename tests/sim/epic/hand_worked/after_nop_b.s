// Rule 3 does not hold for nop.b in the branch slot.
//
// cycle  issued
//    193  nop.m nop.i nop.b | nop.m nop.f br.ret.sptk M0 I0 B0 | M1 F1 B2
//
// cycles: 194
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mib
        nop.m 0
        nop.i 0
        nop.b 0
}
{ .mfb
        nop.m 0
        nop.f 0
        br.ret.sptk.many b0 ;;
}
