// Rule 2: a BBB bundle ends the group, whatever it holds.
//
// cycle  issued
//    193  nop.b nop.b nop.b
//    194  nop.m nop.f br.ret
//
// cycles: 195
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .bbb
        nop.b 0
        nop.b 0
        nop.b 0
}
{ .mfb
        nop.m 0
        nop.f 0
        br.ret.sptk.many b0 ;;
}
