// Rule 6: two store ports.
//
// cycle  issued
//    193  nop.m movl
//    194  st8 st8 nop.i                  M2 M3 I0
//    195  st8 nop.m nop.i
//    196  br.ret
//
// cycles: 197
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
        st8 [r14] = r0
        nop.i 0
}
{ .mmi
        st8 [r14] = r0
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
