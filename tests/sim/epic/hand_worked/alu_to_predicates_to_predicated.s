// mov pr = r predicates what is no branch one cycle later.
//
// cycle  issued
//    193  mov pr = r0
//    194  (p6) adds                      false: squashed
//    195  br.ret
//
// cycles: 196
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mii
        nop.m 0
        mov pr = r0, 0x40
        nop.i 0 ;;
}
{ .mmi
        (p6) adds r14 = 1, r0
        nop.m 0
        nop.i 0 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
