// Floating point reaches getf after four cycles.
//
// cycle  issued
//    193  fma.d
//    197  getf.d
//    198  br.ret
//
// cycles: 199
// lost: instruction_miss 193, float 3

        .explicit
        .text
        .align 32
main:
{ .mfi
        nop.m 0
        fma.d f8 = f1, f1, f1
        nop.i 0 ;;
}
{ .mmi
        getf.d r14 = f8
        nop.m 0
        nop.i 0 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
