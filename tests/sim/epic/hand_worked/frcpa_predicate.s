// The predicate of the reciprocal seed is there after one cycle (it is true here).
//
// cycle  issued
//    193  frcpa
//    194  (p6) adds
//    195  br.ret
//
// cycles: 196
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mfi
        nop.m 0
        frcpa.s0 f8, p6 = f1, f1
        nop.i 0 ;;
}
{ .mmi
        (p6) adds r14 = 1, r0
        nop.m 0
        nop.i 0 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
