// The three-bundle machine issues three bundles in a cycle.
// machine: epic3
//
// cycle  issued
//    193  nop.m nop.f nop.i | nop.m nop.f nop.i | nop.m nop.f br.ret
//
// cycles: 194
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mfi
        nop.m 0
        nop.f 0
        nop.i 0
}
{ .mfi
        nop.m 0
        nop.f 0
        nop.i 0
}
{ .mfb
        nop.m 0
        nop.f 0
        br.ret.sptk.many b0 ;;
}
