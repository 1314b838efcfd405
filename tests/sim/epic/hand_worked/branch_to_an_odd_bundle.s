// Rule 8: a branch to the second bundle of an aligned pair finds only that one in its cycle.
//
// cycle  issued
//    193  nop.m nop.f br
//    194  nop.m nop.f nop.i
//    195  nop.m nop.f br.ret
//
// cycles: 196
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mfb
        nop.m 0
        nop.f 0
        br.cond.sptk.few target ;;
}
target:
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
