// Two accesses to neighbouring banks of L2 in a cycle disturb each other not.
//
// cycle  issued
//    193  nop.m movl
//    194  ldfd                           from main memory: 194 cycles, one more for floating point
//    390  getf.d adds                    getf sees a floating load a cycle later: 196
//    391  ldfd ldfd                      16 bytes apart
//    398  getf.d br.ret
//
// cycles: 399
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
        ldfd f9 = [r14]
        ldfd f10 = [r16]
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
