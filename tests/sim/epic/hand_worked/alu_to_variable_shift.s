// An integer result reaches the multimedia unit after two cycles.
//
// cycle  issued
//    193  adds
//    195  shl
//    196  br.ret
//
// cycles: 197
// lost: instruction_miss 193, integer 1

        .explicit
        .text
        .align 32
main:
{ .mmi
        adds r14 = 1, r0
        nop.m 0
        nop.i 0 ;;
}
{ .mii
        nop.m 0
        shl r15 = r14, r14
        nop.i 0 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
