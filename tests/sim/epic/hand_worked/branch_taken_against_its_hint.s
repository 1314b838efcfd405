// A branch predicted wrong costs six cycles: taken, though its hint says not taken.
//
// cycle  issued
//    193  cmp.eq br.cond.sptk p6 is true
//    200  br.ret
//
// cycles: 201
// lost: instruction_miss 193, branch_flush 6

        .explicit
        .text
        .align 32
main:
{ .mib
        cmp.eq p6, p7 = r0, r0
        nop.i 0
        (p6) br.cond.spnt.few target ;;
}
{ .mfi
        nop.m 0
        nop.f 0
        nop.i 0 ;;
}
target:
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
