// Two branches in turn, one taken every other time, the other two times of three: a history each,
// if the tables have room for both.  A function that is called from two places returns to each.

        .text
        .global main
main:
        alloc r35 = ar.pfs, 0, 8, 0, 0
        mov r36 = b0
        mov r14 = 36
        mov r15 = 0
        mov r16 = 0 ;;
again:
        tbit.nz p6, p7 = r15, 0
        cmp.eq p8, p9 = 2, r16 ;;
        (p6) br.cond.dptk odd ;;
        nop.i 0 ;;
odd:
        adds r15 = 1, r15
        (p9) br.cond.dptk not_third ;;
        mov r16 = -1 ;;
not_third:
        adds r16 = 1, r16
        br.call.sptk b6 = function ;;
        br.call.sptk b6 = function ;;
        adds r14 = -1, r14 ;;
        cmp.ne p10, p11 = r0, r14 ;;
        (p10) br.cond.dptk again ;;
        mov ar.pfs = r35
        mov b0 = r36 ;;
        br.ret.sptk b0 ;;
function:
        alloc r38 = ar.pfs, 0, 8, 0, 0
        mov r39 = b6 ;;
        br.call.sptk b7 = leaf ;;
        mov ar.pfs = r38
        mov b6 = r39 ;;
        br.ret.sptk b6 ;;
leaf:
        nop.i 0 ;;
        br.ret.sptk b7 ;;
