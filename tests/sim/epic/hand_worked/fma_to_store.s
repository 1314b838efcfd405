// Floating point reaches the data of a store a cycle later than floating point.
//
// cycle  issued
//    193  nop.m movl
//    194  fma.d
//    199  stfd
//    200  br.ret
//
// cycles: 201
// lost: instruction_miss 193, float 4

        .explicit
        .text
        .align 32
main:
{ .mlx
        nop.m 0
        movl r14 = buffer ;;
}
{ .mfi
        nop.m 0
        fma.d f8 = f1, f1, f1
        nop.i 0 ;;
}
{ .mmi
        stfd [r14] = f8
        nop.m 0
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
