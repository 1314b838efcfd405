// Two bundles without a stop between them issue in one cycle.
//
// cycle  issued
//    193  nop.m nop.f nop.i | nop.m nop.f br.ret.sptk M0 F0 I0 | M1 F1 B2
//
// cycles: 194
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mfi
        nop.m 0
        nop.f 0
        nop.i 0
}
{ .mfb
        nop.m 0
        nop.f 0
        br.ret.sptk.many b0 ;;
}
