// A loop on a predicate that goes round three times: the exit is predicted wrong.
//
// cycle  issued
//    193  adds
//    194  adds                           first iteration
//    195  cmp.ne nop.i | nop.m nop.i br.cond
//  196-199  two more iterations
//    206  br.ret
//
// cycles: 207
// lost: instruction_miss 193, branch_flush 6

        .explicit
        .text
        .align 32
main:
{ .mii
        adds r14 = 3, r0
        nop.i 0
        nop.i 0 ;;
}
loop:
{ .mmi
        adds r14 = -1, r14 ;;
        cmp.ne p6, p7 = r0, r14
        nop.i 0
}
{ .mib
        nop.m 0
        nop.i 0
        (p6) br.cond.dptk.few loop ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
