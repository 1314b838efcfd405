// Loads and stores of both kinds among fifteen lines, alone and side by side, three times over:
// what small caches keep, where accesses meet, what goes back to memory.

        .text
        .global main
main:
        movl r14 = buffer
        mov ar.lc = 2 ;;
        mov r2 = r14
        fmerge.s f9 = f1, f1 ;;
again:
        adds r18 = 4112, r14 ;;
        stfd [r18] = f9
        addl r15 = 8264, r2 ;;
        ld8 r20 = [r15]
        addl r17 = 8384, r2 ;;
        ldfd f20 = [r17]
        adds r16 = 4224, r14 ;;
        st8 [r16] = r14
        ;;
        fadd.d f21 = f20, f21 ;;
        ;;
        add r21 = r20, r21 ;;
        adds r17 = 2176, r14 ;;
        ldfd f20 = [r17]
        ;;
        add r21 = r20, r21 ;;
        ;;
        add r21 = r20, r21 ;;
        adds r16 = 256, r14 ;;
        st8 [r16] = r14
        ;;
        fadd.d f21 = f20, f21 ;;
        adds r15 = 264, r14 ;;
        ld8 r20 = [r15]
        addl r17 = 8320, r2 ;;
        ldfd f20 = [r17]
        addl r16 = 8200, r2 ;;
        st8 [r16] = r14
        addl r17 = 8328, r2 ;;
        ldfd f20 = [r17]
        adds r17 = 1032, r14 ;;
        ldfd f20 = [r17]
        ;;
        add r21 = r20, r21 ;;
        adds r18 = 512, r14 ;;
        stfd [r18] = f9
        adds r16 = 1160, r14 ;;
        st8 [r16] = r14
        adds r18 = 512, r14 ;;
        stfd [r18] = f9
        adds r15 = 584, r14 ;;
        ld8 r20 = [r15]
        adds r15 = 4112, r14 ;;
        ld8 r20 = [r15]
        adds r17 = 528, r14 ;;
        ldfd f20 = [r17]
        adds r16 = 2064, r14 ;;
        st8 [r16] = r14
        adds r16 = 2112, r14 ;;
        st8 [r16] = r14
        adds r15 = 16, r14 ;;
        ld8 r20 = [r15]
        ;;
        add r21 = r20, r21 ;;
        ;;
        add r21 = r20, r21 ;;
        adds r15 = 1088, r14 ;;
        ld8 r20 = [r15]
        adds r16 = 2048, r14 ;;
        st8 [r16] = r14
        adds r15 = 4104, r14 ;;
        ld8 r20 = [r15]
        ;;
        fadd.d f21 = f20, f21 ;;
        adds r18 = 1096, r14 ;;
        stfd [r18] = f9
        addl r17 = 12360, r2 ;;
        ldfd f20 = [r17]
        addl r15 = 8256, r2 ;;
        ld8 r20 = [r15]
        adds r17 = 4112, r14 ;;
        ldfd f20 = [r17]
        adds r15 = 64, r14 ;;
        ld8 r20 = [r15]
        adds r18 = 400, r14 ;;
        stfd [r18] = f9
        addl r18 = 12296, r2 ;;
        stfd [r18] = f9
        adds r15 = 584, r14 ;;
        ld8 r20 = [r15]
        adds r17 = 528, r14 ;;
        ldfd f20 = [r17]
        adds r16 = 256, r14 ;;
        st8 [r16] = r14
        ;;
        fadd.d f21 = f20, f21 ;;
        adds r15 = 256, r14 ;;
        ld8 r20 = [r15]
        ;;
        add r21 = r20, r21 ;;
        adds r18 = 8, r14 ;;
        stfd [r18] = f9
        ;;
        fadd.d f21 = f20, f21 ;;
        adds r16 = 4288, r14 ;;
        st8 [r16] = r14
        ;;
        fadd.d f21 = f20, f21 ;;
        adds r16 = 1032, r14 ;;
        st8 [r16] = r14
        adds r16 = 6216, r14 ;;
        st8 [r16] = r14
        adds r15 = 4288, r14 ;;
        ld8 r20 = [r15]
        adds r18 = 320, r14 ;;
        stfd [r18] = f9
        ;;
        add r21 = r20, r21 ;;
        ;;
        fadd.d f21 = f20, f21 ;;
        addl r16 = 12360, r2 ;;
        st8 [r16] = r14
        ;;
        fadd.d f21 = f20, f21 ;;
        ;;
        fadd.d f21 = f20, f21 ;;
        ;;
        fadd.d f21 = f20, f21 ;;
        adds r15 = 1160, r14 ;;
        ld8 r20 = [r15]
        adds r16 = 1224, r14 ;;
        st8 [r16] = r14
        adds r18 = 4288, r14 ;;
        stfd [r18] = f9
        ;;
        fadd.d f21 = f20, f21 ;;
        adds r18 = 584, r14 ;;
        stfd [r18] = f9
        adds r15 = 144, r14 ;;
        ld8 r20 = [r15]
        addl r18 = 8208, r2 ;;
        stfd [r18] = f9
        ;;
        fadd.d f21 = f20, f21 ;;
        adds r18 = 528, r14 ;;
        stfd [r18] = f9
        adds r15 = 4232, r14 ;;
        ld8 r20 = [r15]
        adds r17 = 2120, r14 ;;
        ldfd f20 = [r17]
        ;;
        fadd.d f21 = f20, f21 ;;
        adds r18 = 584, r14 ;;
        stfd [r18] = f9 ;;
        adds r22 = 64, r14
        adds r23 = 80, r14
        adds r24 = 2048, r14
        adds r25 = 4096, r14 ;;
        ld8 r26 = [r14]
        ld8 r27 = [r22]
        st8 [r24] = r14
        st8 [r25] = r14 ;;
        ldfd f22 = [r14]
        ldfd f23 = [r22]
        ldfd f24 = [r24]
        ldfd f25 = [r25] ;;
        ldfd f26 = [r14]
        ldfd f27 = [r23]
        stfd [r24] = f9
        stfd [r25] = f9 ;;
        lfetch [r23] ;;
        addl r29 = 10240, r2
        addl r30 = 10368, r2
        addl r31 = 10496, r2
        addl r32 = 10624, r2 ;;
        ldfd f29 = [r29]
        ldfd f30 = [r30]
        ldfd f31 = [r31]
        ldfd f32 = [r32] ;;
        fadd.d f21 = f29, f30
        fadd.d f33 = f31, f32 ;;
        adds r15 = 128, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 128, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 320, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 128, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 320, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 384, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 192, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 128, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 384, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 64, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 384, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 384, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 320, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 192, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 128, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 128, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 256, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 64, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 256, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 64, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 64, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 384, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 128, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 384, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 192, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 128, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 320, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 0, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 320, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 320, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 320, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 192, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 64, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 256, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 384, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 256, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 256, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 320, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 192, r14 ;;
        ld8 r20 = [r15] ;;
        adds r15 = 128, r14 ;;
        ld8 r20 = [r15] ;;

        add r28 = r26, r27
        fadd.d f28 = f22, f23 ;;
        br.cloop.sptk again ;;
        br.ret.sptk b0 ;;

        .data
        .align 128
buffer:
        .skip 16384
