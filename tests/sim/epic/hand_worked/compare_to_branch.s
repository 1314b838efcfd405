// A compare predicates a branch of its own group.
//
// cycle  issued
//    193  cmp.ne nop.i br.cond.sptk p6 is false: not taken, as predicted
//    194  br.ret
//
// cycles: 195
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mib
        cmp.ne p6, p7 = r0, r0
        nop.i 0
        (p6) br.cond.spnt.few main ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
