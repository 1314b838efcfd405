// A shift by a constant takes one cycle.
//
// cycle  issued
//    193  extr
//    194  add
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
        extr r14 = r0, 0, 8
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
