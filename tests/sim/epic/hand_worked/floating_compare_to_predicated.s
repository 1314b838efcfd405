// A floating-point compare predicates what is no branch after two cycles.
//
// cycle  issued
//    193  fcmp.eq
//    195  (p6) adds
//    196  br.ret
//
// cycles: 197
// lost: instruction_miss 193, predicate 1

        .explicit
        .text
        .align 32
main:
{ .mfi
        nop.m 0
        fcmp.eq.s0 p6, p7 = f0, f0
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
