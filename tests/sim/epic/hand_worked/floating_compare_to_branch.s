// A floating-point compare predicates a branch one cycle later, never in its own group.
//
// cycle  issued
//    193  fcmp.eq
//    194  br.cond.sptk p6 is false: not taken, as predicted
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
        fcmp.eq.s0 p6, p7 = f0, f1
        nop.i 0 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        (p6) br.cond.spnt.few main ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
