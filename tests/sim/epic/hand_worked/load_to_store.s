// A load that hits L1D takes one cycle to the data of a store.
//
// cycle  issued
//    193  nop.m movl
//    194  ld8                            from main memory: 194 cycles
//    388  add
//    389  ld8                            hits L1D
//    390  st8
//    391  br.ret
//
// cycles: 392
// lost: instruction_miss 193, load 193

        .explicit
        .text
        .align 32
main:
{ .mlx
        nop.m 0
        movl r14 = buffer ;;
}
{ .mmi
        ld8 r15 = [r14] ;;
        add r16 = r15, r15
        nop.i 0 ;;
}
{ .mmi
        ld8 r17 = [r14] ;;
        st8 [r14] = r17
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
