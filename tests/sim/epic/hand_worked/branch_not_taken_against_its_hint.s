// A branch predicted wrong costs six cycles: not taken, though its hint says taken.
//
// cycle  issued
//    193  cmp.ne br.cond.sptk p6 is false
//    200  br.ret
//
// cycles: 201
// lost: instruction_miss 193, branch_flush 6

        .explicit
        .text
        .align 32
main:
{ .mib
        cmp.ne p6, p7 = r0, r0
        nop.i 0
        (p6) br.cond.sptk.few main ;;
}
{ .mfb
        nop.m 0
        nop.f 0
        br.ret.sptk.many b0 ;;
}
