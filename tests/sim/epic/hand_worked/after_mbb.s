// Rule 2: an MBB bundle ends the group, whatever it holds.
//
// cycle  issued
//    193  nop.m nop.b nop.b
//    194  nop.m nop.f br.ret
//
// cycles: 195
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mbb
        nop.m 0
        nop.b 0
        nop.b 0
}
{ .mfb
        nop.m 0
        nop.f 0
        br.ret.sptk.many b0 ;;
}
