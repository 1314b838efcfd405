// A compare predicates what is no branch one cycle later (the predicate is true).
//
// cycle  issued
//    193  cmp.eq
//    194  (p6) adds
//    195  br.ret
//
// cycles: 196
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mmi
        cmp.eq p6, p7 = r0, r0
        nop.m 0
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
