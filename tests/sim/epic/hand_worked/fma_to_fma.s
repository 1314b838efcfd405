// A fused multiply-add takes four cycles.
//
// cycle  issued
//    193  fma.d
//    197  fma.d
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
{ .mfi
        nop.m 0
        fma.d f9 = f8, f8, f8
        nop.i 0 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
