// in0[k] = in1[k] * in3 and the carry, in2 words; returns the carry.  One pass in three stages.
	.text
	.explicit
	.global mul_1
	.proc mul_1
mul_1:
	alloc r2 = ar.pfs, 4, 0, 0, 0
	.rotf x[2], low[2], high[3]
	.rotp stage[3]
	adds r14 = -1, in2
	setf.sig f6 = in3 ;;
	mov r3 = ar.lc
	mov ar.ec = 3 ;;
	mov ar.lc = r14
	mov r9 = pr
	clrrrb ;;
	mov pr.rot = 1 << 16
	mov high[0] = f0 ;;
1:
(stage[0])	ldf8 x[0] = [in1], 8
(stage[1])	xma.l low[0] = x[1], f6, high[1]
(stage[1])	xma.hu high[0] = x[1], f6, high[1]
(stage[2])	stf8 [in0] = low[1], 8
	br.ctop.sptk.few 1b ;;
	getf.sig r8 = high[2]
	mov pr = r9, -1
	mov ar.lc = r3
	br.ret.sptk.many b0 ;;
	.endp mul_1
