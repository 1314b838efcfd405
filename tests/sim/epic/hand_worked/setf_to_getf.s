// setf reaches getf a cycle later than floating point.
//
// cycle  issued
//    193  setf.sig
//    199  getf.sig
//    200  br.ret
//
// cycles: 201
// lost: instruction_miss 193, float 5

        .explicit
        .text
        .align 32
main:
{ .mmi
        setf.sig f8 = r0
        nop.m 0
        nop.i 0 ;;
}
{ .mmi
        getf.sig r14 = f8
        nop.m 0
        nop.i 0 ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
