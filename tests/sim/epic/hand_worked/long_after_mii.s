// Rule 5: the two I slots of MII leave no port to the long immediate behind it.
//
// cycle  issued
//    193  nop.m nop.i nop.i | nop.m       I0 and I1 are taken
//    194  movl | nop.m movl             I0 | M0 I1
//    195  nop.m nop.f br.ret
//
// cycles: 196
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mii
        nop.m 0
        nop.i 0
        nop.i 0
}
{ .mlx
        nop.m 0
        movl r14 = 1
}
{ .mlx
        nop.m 0
        movl r15 = 2
}
{ .mfb
        nop.m 0
        nop.f 0
        br.ret.sptk.many b0 ;;
}
