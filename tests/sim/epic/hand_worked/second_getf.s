// Rule 6: getf runs on M2 only.
//
// cycle  issued
//    193  getf
//    194  getf nop.i
//    195  br.ret
//
// cycles: 196
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mmi
        getf.sig r14 = f0
        getf.sig r15 = f1
        nop.i 0 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
