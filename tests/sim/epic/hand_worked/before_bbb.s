// Rule 4: BBB waits for the next cycle after MIB, even with nop.b in its branch slot.
//
// cycle  issued
//    193  nop.m nop.i nop.b
//    194  nop.b nop.b br.ret
//
// cycles: 195
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mib
        nop.m 0
        nop.i 0
        nop.b 0
}
{ .bbb
        nop.b 0
        nop.b 0
        br.ret.sptk.many b0 ;;
}
