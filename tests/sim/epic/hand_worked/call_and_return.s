// A call is foreseen, and its return by the stack of return addresses.
//
// cycle  issued
//    193  br.call
//    194  br.ret.sptk b6
//    195  br.ret.sptk b0
//
// cycles: 196
// lost: instruction_miss 193

        .explicit
        .text
        .align 32
main:
{ .mib
        nop.m 0
        nop.i 0
        br.call.sptk.many b6 = callee ;;
}
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b0 ;;
}
callee:
{ .mib
        nop.m 0
        nop.i 0
        br.ret.sptk.many b6 ;;
}
