// Rule 6: two load ports. Nobody uses what is loaded, so nothing waits for memory.
//
// cycle  issued
//    193  nop.m movl
//    194  ld8 ld8 nop.i                  M0 M1 I0
//    195  ld8 nop.m nop.i
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
        ld8 r15 = [r14]
        ld8 r16 = [r14]
        nop.i 0
}
{ .mmi
        ld8 r17 = [r14]
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
