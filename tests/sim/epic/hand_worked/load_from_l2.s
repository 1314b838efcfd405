// An integer load of a line that only L2 has (a floating-point load brought it) takes five cycles.
//
// cycle  issued
//    193  nop.m movl
//    194  ldfd                           from main memory: 194 cycles, one more for floating point
//    390  getf.d adds                    getf sees a floating load a cycle later: 196
//    391  ld8                            misses L1D, hits L2
//    396  add
//    397  br.ret
//
// cycles: 398
// lost: instruction_miss 193, float 195, load 4

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
        ld8 r17 = [r14] ;;
        add r18 = r17, r17
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
