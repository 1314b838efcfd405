// The incremented address reaches the multimedia unit after two cycles.
//
// cycle  issued
//    193  nop.m movl
//    194  ld8                            from main memory: 194 cycles
//    388  add
//    389  ld8                            hits L1D
//    391  nop.m shl
//    392  br.ret
//
// cycles: 393
// lost: instruction_miss 193, load 193, integer 1

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
        ld8 r17 = [r14], 8 ;;
        nop.m 0
        shl r18 = r14, r14 ;;
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
