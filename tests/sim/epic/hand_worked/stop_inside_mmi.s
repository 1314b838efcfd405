// Rule 1: the same after the first slot.
//
// cycle  issued
//    193  nop.m
//    194  nop.m nop.i | nop.m nop.f br.ret.sptk M0 I0 | M1 F1 B2
//
// cycles: 195
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mmi
        nop.m 0 ;;
        nop.m 0
        nop.i 0
}
{ .mfb
        nop.m 0
        nop.f 0
        br.ret.sptk.many b0 ;;
}
