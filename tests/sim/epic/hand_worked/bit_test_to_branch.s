// So does a bit test.
//
// cycle  issued
//    193  nop.m tbit.nz br.cond.sptk p6 is false: not taken, as predicted
//    194  br.ret
//
// cycles: 195
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mib
        nop.m 0
        tbit.nz p6, p7 = r0, 0
        (p6) br.cond.spnt.few main ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
