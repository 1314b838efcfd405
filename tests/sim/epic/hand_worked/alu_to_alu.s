// An integer result is there one cycle later.
//
// cycle  issued
//    193  adds
//    194  add
//    195  br.ret
//
// cycles: 196
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mmi
        adds r14 = 1, r0
        nop.m 0
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
