// Every class of results, read in every way in the next cycle, with its code at hand: the second
// time around nothing but latencies is waited for.

        .text
        .global main
main:
        alloc r35 = ar.pfs, 0, 90, 4, 0
        mov r36 = b0
        mov r18 = 3
        movl r14 = buffer ;;
        adds r15 = 64, r14
        mov r16 = 40
        mov r17 = 3
        mov r19 = 0x0 ;;
        setf.sig f8 = r16
        setf.sig f9 = r17 ;;
        fcvt.xf f10 = f9 ;;
again:
// alu
        add r20 = r14, r0 ;;
        add r22 = r20, r16 ;;    // integer
        add r20 = r14, r0 ;;
        lfetch [r20] ;;    // address
        add r20 = r14, r0 ;;
        st8 [r15] = r20 ;;    // store_data
        add r20 = r14, r0 ;;
        popcnt r22 = r20 ;;    // multimedia
        add r20 = r14, r0 ;;
        setf.sig f22 = r20 ;;    // setf
// extend
        sxt4 r20 = r16 ;;
        add r22 = r20, r16 ;;    // integer
        sxt4 r20 = r16 ;;
        lfetch [r20] ;;    // address
        sxt4 r20 = r16 ;;
        st8 [r15] = r20 ;;    // store_data
        sxt4 r20 = r16 ;;
        popcnt r22 = r20 ;;    // multimedia
        sxt4 r20 = r16 ;;
        setf.sig f22 = r20 ;;    // setf
// bit_field
        dep.z r20 = r16, 3, 8 ;;
        add r22 = r20, r16 ;;    // integer
        dep.z r20 = r16, 3, 8 ;;
        lfetch [r20] ;;    // address
        dep.z r20 = r16, 3, 8 ;;
        st8 [r15] = r20 ;;    // store_data
        dep.z r20 = r16, 3, 8 ;;
        popcnt r22 = r20 ;;    // multimedia
        dep.z r20 = r16, 3, 8 ;;
        setf.sig f22 = r20 ;;    // setf
// long_immediate
        movl r20 = 0x123456789 ;;
        add r22 = r20, r16 ;;    // integer
        movl r20 = 0x123456789 ;;
        lfetch [r20] ;;    // address
        movl r20 = 0x123456789 ;;
        st8 [r15] = r20 ;;    // store_data
        movl r20 = 0x123456789 ;;
        popcnt r22 = r20 ;;    // multimedia
        movl r20 = 0x123456789 ;;
        setf.sig f22 = r20 ;;    // setf
// post_increment
        mov r20 = r14 ;;
        ld8 r21 = [r20], 8 ;;
        add r22 = r20, r16 ;;    // integer
        mov r20 = r14 ;;
        ld8 r21 = [r20], 8 ;;
        lfetch [r20] ;;    // address
        mov r20 = r14 ;;
        ld8 r21 = [r20], 8 ;;
        st8 [r15] = r20 ;;    // store_data
        mov r20 = r14 ;;
        ld8 r21 = [r20], 8 ;;
        popcnt r22 = r20 ;;    // multimedia
        mov r20 = r14 ;;
        ld8 r21 = [r20], 8 ;;
        setf.sig f22 = r20 ;;    // setf
// shift_variable
        shl r20 = r16, r17 ;;
        add r22 = r20, r16 ;;    // integer
        shl r20 = r16, r17 ;;
        lfetch [r20] ;;    // address
        shl r20 = r16, r17 ;;
        st8 [r15] = r20 ;;    // store_data
        shl r20 = r16, r17 ;;
        popcnt r22 = r20 ;;    // multimedia
        shl r20 = r16, r17 ;;
        setf.sig f22 = r20 ;;    // setf
// multimedia
        mux1 r20 = r16, @rev ;;
        add r22 = r20, r16 ;;    // integer
        mux1 r20 = r16, @rev ;;
        lfetch [r20] ;;    // address
        mux1 r20 = r16, @rev ;;
        st8 [r15] = r20 ;;    // store_data
        mux1 r20 = r16, @rev ;;
        popcnt r22 = r20 ;;    // multimedia
        mux1 r20 = r16, @rev ;;
        setf.sig f22 = r20 ;;    // setf
// population_count
        popcnt r20 = r16 ;;
        add r22 = r20, r16 ;;    // integer
        popcnt r20 = r16 ;;
        lfetch [r20] ;;    // address
        popcnt r20 = r16 ;;
        st8 [r15] = r20 ;;    // store_data
        popcnt r20 = r16 ;;
        popcnt r22 = r20 ;;    // multimedia
        popcnt r20 = r16 ;;
        setf.sig f22 = r20 ;;    // setf
// move_from_predicates
        mov r20 = pr ;;
        add r22 = r20, r16 ;;    // integer
        mov r20 = pr ;;
        lfetch [r20] ;;    // address
        mov r20 = pr ;;
        st8 [r15] = r20 ;;    // store_data
        mov r20 = pr ;;
        popcnt r22 = r20 ;;    // multimedia
        mov r20 = pr ;;
        setf.sig f22 = r20 ;;    // setf
// move_from_branch
        mov r20 = b0 ;;
        add r22 = r20, r16 ;;    // integer
        mov r20 = b0 ;;
        lfetch [r20] ;;    // address
        mov r20 = b0 ;;
        st8 [r15] = r20 ;;    // store_data
        mov r20 = b0 ;;
        popcnt r22 = r20 ;;    // multimedia
        mov r20 = b0 ;;
        setf.sig f22 = r20 ;;    // setf
// move_from_ar_i
        mov r20 = ar.ec ;;
        add r22 = r20, r16 ;;    // integer
        mov r20 = ar.ec ;;
        lfetch [r20] ;;    // address
        mov r20 = ar.ec ;;
        st8 [r15] = r20 ;;    // store_data
        mov r20 = ar.ec ;;
        popcnt r22 = r20 ;;    // multimedia
        mov r20 = ar.ec ;;
        setf.sig f22 = r20 ;;    // setf
// move_from_ar_m
        mov r20 = ar.ccv ;;
        add r22 = r20, r16 ;;    // integer
        mov r20 = ar.ccv ;;
        lfetch [r20] ;;    // address
        mov r20 = ar.ccv ;;
        st8 [r15] = r20 ;;    // store_data
        mov r20 = ar.ccv ;;
        popcnt r22 = r20 ;;    // multimedia
        mov r20 = ar.ccv ;;
        setf.sig f22 = r20 ;;    // setf
// integer_load
        ld8 r20 = [r14] ;;
        add r22 = r20, r16 ;;    // integer
        ld8 r20 = [r14] ;;
        lfetch [r20] ;;    // address
        ld8 r20 = [r14] ;;
        st8 [r15] = r20 ;;    // store_data
        ld8 r20 = [r14] ;;
        popcnt r22 = r20 ;;    // multimedia
        ld8 r20 = [r14] ;;
        setf.sig f22 = r20 ;;    // setf
// semaphore
        xchg8 r20 = [r14], r16 ;;
        add r22 = r20, r16 ;;    // integer
        xchg8 r20 = [r14], r16 ;;
        lfetch [r20] ;;    // address
        xchg8 r20 = [r14], r16 ;;
        st8 [r15] = r20 ;;    // store_data
        xchg8 r20 = [r14], r16 ;;
        popcnt r22 = r20 ;;    // multimedia
        xchg8 r20 = [r14], r16 ;;
        setf.sig f22 = r20 ;;    // setf
// getf
        getf.sig r20 = f8 ;;
        add r22 = r20, r16 ;;    // integer
        getf.sig r20 = f8 ;;
        lfetch [r20] ;;    // address
        getf.sig r20 = f8 ;;
        st8 [r15] = r20 ;;    // store_data
        getf.sig r20 = f8 ;;
        popcnt r22 = r20 ;;    // multimedia
        getf.sig r20 = f8 ;;
        setf.sig f22 = r20 ;;    // setf
// allocate
        alloc r34 = ar.pfs, 0, 90, 4, 0 ;;
        add r22 = r34, r16 ;;    // integer
        alloc r34 = ar.pfs, 0, 90, 4, 0 ;;
        lfetch [r34] ;;    // address
        alloc r34 = ar.pfs, 0, 90, 4, 0 ;;
        st8 [r15] = r34 ;;    // store_data
        alloc r34 = ar.pfs, 0, 90, 4, 0 ;;
        popcnt r22 = r34 ;;    // multimedia
        alloc r34 = ar.pfs, 0, 90, 4, 0 ;;
        setf.sig f22 = r34 ;;    // setf
// fp_arithmetic
        fma.d f20 = f8, f9, f10 ;;
        fma.d f22 = f20, f9, f10 ;;    // fp
        fma.d f20 = f8, f9, f10 ;;
        stfd [r15] = f20 ;;    // fp_store_data
        fma.d f20 = f8, f9, f10 ;;
        getf.sig r22 = f20 ;;    // getf
// fp_integer_multiply
        xma.l f20 = f8, f9, f10 ;;
        fma.d f22 = f20, f9, f10 ;;    // fp
        xma.l f20 = f8, f9, f10 ;;
        stfd [r15] = f20 ;;    // fp_store_data
        xma.l f20 = f8, f9, f10 ;;
        getf.sig r22 = f20 ;;    // getf
// fp_misc
        fmerge.s f20 = f8, f9 ;;
        fma.d f22 = f20, f9, f10 ;;    // fp
        fmerge.s f20 = f8, f9 ;;
        stfd [r15] = f20 ;;    // fp_store_data
        fmerge.s f20 = f8, f9 ;;
        getf.sig r22 = f20 ;;    // getf
// fp_convert
        fcvt.fx.trunc f20 = f8 ;;
        fma.d f22 = f20, f9, f10 ;;    // fp
        fcvt.fx.trunc f20 = f8 ;;
        stfd [r15] = f20 ;;    // fp_store_data
        fcvt.fx.trunc f20 = f8 ;;
        getf.sig r22 = f20 ;;    // getf
// fp_seed
        frcpa.s0 f20, p7 = f8, f9 ;;
        fma.d f22 = f20, f9, f10 ;;    // fp
        frcpa.s0 f20, p7 = f8, f9 ;;
        stfd [r15] = f20 ;;    // fp_store_data
        frcpa.s0 f20, p7 = f8, f9 ;;
        getf.sig r22 = f20 ;;    // getf
// setf
        setf.sig f20 = r16 ;;
        fma.d f22 = f20, f9, f10 ;;    // fp
        setf.sig f20 = r16 ;;
        stfd [r15] = f20 ;;    // fp_store_data
        setf.sig f20 = r16 ;;
        getf.sig r22 = f20 ;;    // getf
// fp_load
        ldfd f20 = [r14] ;;
        fma.d f22 = f20, f9, f10 ;;    // fp
        ldfd f20 = [r14] ;;
        stfd [r15] = f20 ;;    // fp_store_data
        ldfd f20 = [r14] ;;
        getf.sig r22 = f20 ;;    // getf
// fp_load_pair
        ldfpd f20, f21 = [r14] ;;
        fma.d f22 = f20, f9, f10 ;;    // fp
        ldfpd f20, f21 = [r14] ;;
        stfd [r15] = f20 ;;    // fp_store_data
        ldfpd f20, f21 = [r14] ;;
        getf.sig r22 = f20 ;;    // getf
// compare
        cmp.eq p6, p7 = r16, r17 ;;
        (p6) add r22 = r16, r17 ;;    // predicate
        cmp.eq p6, p7 = r16, r17 ;;
        (p6) br.cond.sptk next1 ;;    // branch
next1:
// test_bit
        tbit.nz p6, p7 = r16, 3 ;;
        (p6) add r22 = r16, r17 ;;    // predicate
        tbit.nz p6, p7 = r16, 3 ;;
        (p6) br.cond.sptk next2 ;;    // branch
next2:
// fp_compare
        fcmp.eq p6, p7 = f8, f9 ;;
        (p6) add r22 = r16, r17 ;;    // predicate
        fcmp.eq p6, p7 = f8, f9 ;;
        (p6) br.cond.sptk next3 ;;    // branch
next3:
// fp_seed_predicate
        frcpa.s0 f23, p6 = f8, f9 ;;
        (p6) add r22 = r16, r17 ;;    // predicate
        frcpa.s0 f23, p6 = f8, f9 ;;
        (p6) br.cond.sptk next4 ;;    // branch
next4:
// move_to_predicates
        mov pr = r19, 0xc0 ;;
        (p6) add r22 = r16, r17 ;;    // predicate
        mov pr = r19, 0xc0 ;;
        (p6) br.cond.sptk next5 ;;    // branch
next5:
// move_to_branch
        mov b6 = r16 ;;
        mov r22 = b6 ;;    // integer
        mov r24 = ip ;;
        adds r24 = 48, r24 ;;
        mov b6 = r24 ;;
        br.cond.sptk b6 ;;    // branch
// move_to_ar_i, move_to_ar_m, call, return, loop_branch
        mov ar.lc = 1 ;;
        mov r22 = ar.lc ;;    // application
turn:
        mov ar.ccv = r16 ;;
        mov r22 = ar.ccv ;;    // application
        mov ar.ccv = r16 ;;
        cmpxchg8.acq r22 = [r15], r16, ar.ccv ;;    // application
        br.cloop.sptk turn ;;
        mov r22 = ar.lc ;;
        br.call.sptk b7 = function ;;
        mov r22 = b7 ;;
        mov r22 = ar.ec ;;
        adds r18 = -1, r18 ;;
        cmp.ne p14, p15 = r0, r18 ;;
        (p14) br.cond.sptk again ;;
        mov ar.pfs = r35
        mov b0 = r36 ;;
        br.ret.sptk b0 ;;
function:
        mov r23 = ar.pfs ;;
        mov ar.pfs = r23 ;;
        mov r25 = ar.pfs ;;
        br.ret.sptk b7 ;;

        .data
        .align 64
buffer:
        .skip 128
