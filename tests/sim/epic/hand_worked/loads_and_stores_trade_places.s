// Loads and stores may stand in any M slots as long as two ports suffice for each.
//
// cycle  issued
//    193  nop.m movl
//    194  st8 ld8 nop.i | ld8 st8 nop.i     M2 M0 I0 | M1 M3 I1
//    195  br.ret
//
// cycles: 196
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mlx
        nop.m 0
        movl r14 = buffer ;;
}
{ .mmi
        st8 [r14] = r0
        ld8 r15 = [r14]
        nop.i 0
}
{ .mmi
        ld8 r16 = [r14]
        st8 [r14] = r0
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
