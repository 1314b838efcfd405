// Rule 8: a branch to the first bundle of an aligned pair finds both.
//
// cycle  issued
//    193  nop.m nop.f br
//    194  nop.m nop.f nop.i | nop.m nop.f br.ret
//
// cycles: 195
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
{ .mfi
        nop.m 0
        nop.f 0
        nop.i 0
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
