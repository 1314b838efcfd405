// A floating-point load that hits L2 takes six cycles to floating point.
//
// cycle  issued
//    193  nop.m movl
//    194  ldfd                           from main memory: 194 cycles, one more for floating point
//    390  getf.d adds                    getf sees a floating load a cycle later: 196
//    391  ldfd                           hits L2
//    397  fma.d br.ret
//
// cycles: 398
// lost: instruction_miss 193, float 200

        .explicit
        .text
        .align 32
main:
{ .mlx
        nop.m 0
        movl r14 = buffer ;;
}
{ .mmi
        ldfd f8 = [r14] ;;
        getf.d r15 = f8
        adds r16 = 16, r14 ;;
}
{ .mfi
        ldfd f9 = [r14]
        nop.f 0
        nop.i 0 ;;
}
{ .mfb
        nop.m 0
        fma.d f10 = f9, f9, f9
        br.ret.sptk.many b0 ;;
}

        .data
        .align 16
buffer:
        .skip 64
