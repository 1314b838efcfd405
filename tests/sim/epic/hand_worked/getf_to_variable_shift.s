// getf takes six cycles to the multimedia unit.
//
// cycle  issued
//    193  getf.sig
//    199  shl
//    200  br.ret
//
// cycles: 201
// lost: instruction_miss 193, integer 5

        .explicit
        .text
        .align 32
main:
{ .mmi
        getf.sig r14 = f0
        nop.m 0
        nop.i 0 ;;
}
{ .mii
        nop.m 0
        shl r15 = r14, r0
        nop.i 0 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
