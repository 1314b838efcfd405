// Merced: a branch predicted wrong costs nine cycles, for ten stages.
// machine: itanium
//
// cycle  issued
//    161  cmp.ne br.cond
//    171  br.ret
//
// cycles: 172
// lost: instruction_miss 161, branch_flush 9

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
