dnl  in0[k] = in1[k] + in2[k] and the carry, in3 words; returns the carry out.
define(`carry', `r20')
define(`ENTRY', `	.text
	.explicit
	.align	32
	.global	$1#
	.proc	$1#
$1:')
ENTRY(add_n)
	.prologue
	alloc	r2 = ar.pfs, 4, 0, 0, 0
	.save	ar.lc, r3
	mov	r3 = ar.lc
	adds	r14 = -1, in3 ;;
	.body
	mov	ar.lc = r14
	mov	carry = r0 ;;
.Ltop:
	ld8	r15 = [in1], 8
	ld8	r16 = [in2], 8 ;;
	add	r17 = r15, r16 ;;
	cmp.ltu	p8, p0 = r17, r15		// the sum overflows
	add	r18 = r17, carry ;;
	cmp.ltu	p10, p0 = r18, r17		// or the carry does, never both
	mov	carry = 0 ;;
	.pred.rel "mutex", p8, p10
  (p8)	mov	carry = 1
 (p10)	mov	carry = 1
	st8	[in0] = r18, 8
	br.cloop.sptk.few .Ltop ;;
	mov	r8 = carry
	mov	ar.lc = r3
	br.ret.sptk.many b0 ;;
	.endp	add_n#
