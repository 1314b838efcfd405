// Merced has two M ports.
// machine: itanium
//
// cycle  issued
//    161  nop.m nop.m nop.i              M0 M1 I0
//    162  nop.m nop.f br.ret
//
// cycles: 163
// lost: instruction_miss 161

        .explicit
        .text
        .align 32
main:
{ .mmi
        nop.m 0
        nop.m 0
        nop.i 0
}
{ .mfb
        nop.m 0
        nop.f 0
        br.ret.sptk.many b0 ;;
}
