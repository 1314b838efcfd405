// The same with the two exchanged: both issue.
//
// cycle  issued
//    193  nop.m extr adds                I0 I1
//    194  br.ret
//
// cycles: 195
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mii
        nop.m 0
        extr r15 = r0, 0, 8
        adds r14 = 1, r0 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
