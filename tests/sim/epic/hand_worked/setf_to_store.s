// setf reaches the data of a store after six cycles.
//
// cycle  issued
//    193  setf.sig movl
//    199  stf8
//    200  br.ret
//
// cycles: 201
// lost: instruction_miss 193, float 5

        .explicit
        .text
        .align 32
main:
{ .mlx
        setf.sig f8 = r0
        movl r14 = buffer ;;
}
{ .mmi
        stf8 [r14] = f8
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
