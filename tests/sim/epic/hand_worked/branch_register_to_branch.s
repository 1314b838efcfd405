// mov r = b takes two cycles; the branch may stand in the group of mov b = r.
//
// cycle  issued
//    193  mov r14 = b0
//    195  mov b6 = r14, br.ret.sptk b6
//
// cycles: 196
// lost: instruction_miss 193, integer 1

        .explicit
        .text
        .align 32
main:
{ .mii
        nop.m 0
        mov r14 = b0
        nop.i 0 ;;
}
{ .mib
        nop.m 0
        mov b6 = r14
        br.ret.sptk.many b6 ;;
}
