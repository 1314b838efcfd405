// Rule 1: a stop at the end of bundle 0 keeps bundle 1 for the next cycle.
//
// cycle  issued
//    193  nop.m nop.f nop.i
//    194  nop.m nop.f br.ret
//
// cycles: 195
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mfi
        nop.m 0
        nop.f 0
        nop.i 0 ;;
}
{ .mfb
        nop.m 0
        nop.f 0
        br.ret.sptk.many b0 ;;
}
