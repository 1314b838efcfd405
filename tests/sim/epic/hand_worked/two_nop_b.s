// Two nop.b in one window issue together: the second takes B1.
//
// cycle  issued
//    193  nop.m nop.m nop.b | nop.m nop.m nop.b     M0 M1 B0 | M2 M3 B1
//    194  br.ret
//
// cycles: 195
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mmb
        nop.m 0
        nop.m 0
        nop.b 0
}
{ .mmb
        nop.m 0
        nop.m 0
        nop.b 0 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
