// Single floating-point loads may use all four M ports.
//
// cycle  issued
//    193  nop.m movl
//    194  ldfd ldfd nop.i | ldfd ldfd nop.i     M0 M1 I0 | M2 M3 I1
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
        ldfd f6 = [r14]
        ldfd f7 = [r14]
        nop.i 0
}
{ .mmi
        ldfd f8 = [r14]
        ldfd f9 = [r14]
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
