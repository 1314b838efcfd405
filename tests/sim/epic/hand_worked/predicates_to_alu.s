// mov r = pr takes two cycles.
//
// cycle  issued
//    193  mov r14 = pr
//    195  add
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
        mov r14 = pr
        nop.i 0 ;;
}
{ .mmi
        add r15 = r14, r14
        nop.m 0
        nop.i 0 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
