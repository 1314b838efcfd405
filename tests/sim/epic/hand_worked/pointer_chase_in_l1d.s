// A load that hits L1D takes two cycles to the address of the next one; the first load finds its
// line on the way to L2, where the store has asked for it.
//
// cycle  issued
//    193  nop.m movl
//    194  st8                            not in L1D, which does not allocate; L2 asks memory: 388
//    195  ld8                            L2 has the line at 388; to an address a cycle later
//    389  ld8                            hits L1D
//    391  ld8                            hits L1D
//    392  add br.ret
//
// cycles: 393
// lost: instruction_miss 193, load 194

        .explicit
        .text
        .align 32
main:
{ .mlx
        nop.m 0
        movl r14 = buffer ;;
}
{ .mmi
        st8 [r14] = r14 ;;
        ld8 r15 = [r14]
        nop.i 0 ;;
}
{ .mmi
        ld8 r16 = [r15] ;;
        ld8 r17 = [r16]
        nop.i 0 ;;
}
{ .mib
        add r18 = r17, r17
        nop.i 0
        br.ret.sptk.many b0 ;;
}

        .data
        .align 16
buffer:
        .skip 64
