// Rule 6: a third I-slot syllable that is not A-type finds no port.
//
// cycle  issued
//    193  nop.m nop.i nop.i | nop.m      M0 I0 I1 | M1
//    194  nop.i nop.i
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
        nop.i 0
        nop.i 0
}
{ .mii
        nop.m 0
        nop.i 0
        nop.i 0 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
