// Two accesses to one bank of L2 in a cycle: the second takes four cycles more.
//
// cycle  issued
//    193  nop.m movl
//    194  ldfd                           from main memory: 194 cycles, one more for floating point
//    390  getf.d adds                    getf sees a floating load a cycle later: 196
//    391  ldfd ldfd                      the same bank
//    402  getf.d br.ret.sptk 7 + 4
//
// cycles: 403
// lost: instruction_miss 193, float 205

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
        ldfd f9 = [r14]
        ldfd f10 = [r14]
        nop.i 0 ;;
}
{ .mib
        getf.d r17 = f10
        nop.i 0
        br.ret.sptk.many b0 ;;
}

        .data
        .align 16
buffer:
        .skip 64
