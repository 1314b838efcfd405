// Rule 6: the second I slot goes to I1, which has no shifter for constants.
//
// cycle  issued
//    193  nop.m adds                     I0
//    194  extr                           I0
//    195  br.ret
//
// cycles: 196
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mii
        nop.m 0
        adds r14 = 1, r0
        extr r15 = r0, 0, 8 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
