// y[k] = a * x[k] + y[k]: in0 = count, in1 = x, in2 = y, farg0 = a; one pass a cycle.
	.text
	.explicit
	.global daxpy#
	.proc daxpy#
daxpy:
	alloc r2 = ar.pfs, 3, 0, 0, 0
	.rotf x[7], y[7], sum[6]
	.rotp p[12]
	a = farg0
	adds r14 = -1, in0
	mov r15 = in2 ;;
	mov ar.lc = r14
	mov ar.ec = 12
	mov pr.rot = 0x10000 ;;
	.align 32
.Lkernel:
	{ .mmf
(p[0])	ldfd x[0] = [in1], 8
(p[0])	ldfd y[0] = [in2], 8
(p[6])	fma.d sum[0] = a, x[6], y[6]
	}
	{ .mfb
(p[11])	stfd [r15] = sum[5], 8
	br.ctop.sptk.few .Lkernel
	} ;;
	br.ret.sptk.many rp ;;
	.endp daxpy#
