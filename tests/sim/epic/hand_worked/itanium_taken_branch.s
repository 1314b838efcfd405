// Merced: a taken branch leaves a bubble of one cycle.
// machine: itanium
//
// cycle  issued
//    161  br
//    163  br.ret
//
// cycles: 164
// lost: instruction_miss 161, taken_branch 1

        .explicit
        .text
        .align 32
main:
{ .mib
        nop.m 0
        nop.i 0
        br.cond.sptk.few target ;;
}
target:
{ .mfb
        nop.m 0
        nop.f 0
        br.ret.sptk.many b0 ;;
}
