// The same for a sign extension.
//
// cycle  issued
//    193  sxt4
//    195  shl
//    196  br.ret
//
// cycles: 197
// lost: instruction_miss 193, integer 1

        .explicit
        .text
        .align 32
main:
{ .mii
        nop.m 0
        sxt4 r14 = r0
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
