// A floating-point load never looks in L1D; from L2 it takes six cycles, seven to getf.
//
// cycle  issued
//    193  nop.m movl
//    194  ldfd                           from main memory: 194 cycles, one more for floating point
//    390  getf.d adds                    getf sees a floating load a cycle later: 196
//    391  ldfd                           hits L2
//    398  getf.d
//    399  br.ret
//
// cycles: 400
// lost: instruction_miss 193, float 201

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
{ .mmi
        ldfd f9 = [r14] ;;
        getf.d r17 = f9
        nop.i 0 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}

        .data
        .align 16
buffer:
        .skip 64
