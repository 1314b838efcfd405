// Rule 3: MIB with a branch ends the group, although the branch is not taken (p6 is false, and
// predicted so).
//
// cycle  issued
//    193  nop.m nop.i br.cond
//    194  nop.m nop.f br.ret
//
// cycles: 195
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mib
        nop.m 0
        nop.i 0
        (p6) br.cond.spnt.few main
}
{ .mfb
        nop.m 0
        nop.f 0
        br.ret.sptk.many b0 ;;
}
