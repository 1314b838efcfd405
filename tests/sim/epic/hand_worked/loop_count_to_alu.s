// mov to and from ar.lc: one cycle between them, two to the integer consumer.
//
// cycle  issued
//    193  mov ar.lc = 3
//    194  mov r14 = ar.lc
//    196  add br.ret
//
// cycles: 197
// lost: instruction_miss 193, application 1

        .explicit
        .text
        .align 32
main:
{ .mii
        nop.m 0
        mov ar.lc = 3
        nop.i 0 ;;
}
{ .mii
        nop.m 0
        mov r14 = ar.lc
        nop.i 0 ;;
}
{ .mib
        add r15 = r14, r14
        nop.i 0
        br.ret.sptk.many b0 ;;
}
