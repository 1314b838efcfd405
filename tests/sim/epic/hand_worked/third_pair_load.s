// Rule 6: pair loads go to the two load ports only.
//
// cycle  issued
//    193  nop.m movl
//    194  ldfpd ldfpd nop.i
//    195  ldfpd nop.m nop.i
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
        ldfpd f6, f7 = [r14]
        ldfpd f8, f9 = [r14]
        nop.i 0
}
{ .mmi
        ldfpd f10, f11 = [r14]
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
