// Rule 1: after a stop inside a bundle the rest of it issues with the next bundle.
//
// cycle  issued
//    193  nop.m nop.i
//    194  nop.i | nop.m nop.i br.ret.sptk I0 | M0 I1 B2
//
// cycles: 195
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mii
        nop.m 0
        nop.i 0 ;;
        nop.i 0
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
