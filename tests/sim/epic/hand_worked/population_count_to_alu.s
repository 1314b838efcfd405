// popcnt is of the multimedia unit too: three cycles.
//
// cycle  issued
//    193  popcnt
//    196  add
//    197  br.ret
//
// cycles: 198
// lost: instruction_miss 193, integer 2

        .explicit
        .text
        .align 32
main:
{ .mii
        nop.m 0
        popcnt r14 = r0
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
