target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.pair = type { double, double }

@beyond.factorials = internal unnamed_addr constant [12 x double] [double 0x41F7328CC0000000, double 0x41BC8CFC00000000, double 3.991680e+07, double 3.628800e+06, double 3.628800e+05, double 4.032000e+04, double 5.040000e+03, double 7.200000e+02, double 1.200000e+02, double 2.400000e+01, double 6.000000e+00, double 2.000000e+00], align 16

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @exp(double noundef %x) local_unnamed_addr #0 {
entry:
  %cmp = fcmp uno double %x, 0.000000e+00
  br i1 %cmp, label %cond.end, label %cond.false

cond.false:                                       ; preds = %entry
  %call = tail call fastcc double @rounded_power(double %x, double 0.000000e+00) #5
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.false
  %cond = phi double [ %call, %cond.false ], [ %x, %entry ]
  ret double %cond
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define internal fastcc double @rounded_power(double %x.coerce0, double %x.coerce1) unnamed_addr #0 {
entry:
  %cmp = fcmp olt double %x.coerce0, 7.100000e+02
  br i1 %cmp, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %mul = fmul double %x.coerce0, 0x7FF0000000000000
  br label %cleanup

if.end:                                           ; preds = %entry
  %cmp3 = fcmp olt double %x.coerce0, -7.460000e+02
  br i1 %cmp3, label %cleanup, label %if.end5

if.end5:                                          ; preds = %if.end
  %mul.i = fmul double %x.coerce0, 0x3FF71547652B82FE
  %0 = tail call double @llvm.rint.f64(double %mul.i)
  %mul2.i = fmul double %0, 0x3FE62E42FEE00000
  %sub.i = fsub double %x.coerce0, %mul2.i
  %mul3.i = fmul double %0, 0xBDEA39EF35793C76
  %add.i.i = fadd double %mul3.i, %sub.i
  %sub.i.i = fsub double %add.i.i, %sub.i
  %sub1.i.i = fsub double %add.i.i, %sub.i.i
  %sub2.i.i = fsub double %sub.i, %sub1.i.i
  %sub3.i.i = fsub double %mul3.i, %sub.i.i
  %add4.i.i = fadd double %sub3.i.i, %sub2.i.i
  %add.i = fadd double %add4.i.i, %x.coerce1
  %add.i27.i = fadd double %add.i.i, %add.i
  br label %for.body.i.i

for.body.i.i:                                     ; preds = %for.body.i.i, %if.end5
  %indvars.iv.i.i = phi i64 [ 0, %if.end5 ], [ %indvars.iv.next.i.i, %for.body.i.i ]
  %sum.08.i.i = phi double [ 0x3DA93974A8C07C9D, %if.end5 ], [ %add.i37.i, %for.body.i.i ]
  %mul.i.i = fmul double %add.i27.i, %sum.08.i.i
  %arrayidx.i.i = getelementptr inbounds [12 x double], ptr @beyond.factorials, i64 0, i64 %indvars.iv.i.i
  %1 = load double, ptr %arrayidx.i.i, align 8, !tbaa !5
  %div.i.i = fdiv double 1.000000e+00, %1
  %add.i37.i = fadd double %mul.i.i, %div.i.i
  %indvars.iv.next.i.i = add nuw nsw i64 %indvars.iv.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %indvars.iv.next.i.i, 12
  br i1 %exitcond.not.i.i, label %power_of_e.exit, label %for.body.i.i, !llvm.loop !9

power_of_e.exit:                                  ; preds = %for.body.i.i
  %conv.i = fptosi double %0 to i32
  %add.i32.i = fadd double %add.i27.i, 1.000000e+00
  %sub.i33.i = fadd double %add.i32.i, -1.000000e+00
  %sub1.i34.i = fsub double %add.i27.i, %sub.i33.i
  %sub.i28.i = fsub double %add.i27.i, %add.i.i
  %sub1.i29.i = fsub double %add.i, %sub.i28.i
  %mul1.i.i = fmul double %add.i27.i, %add.i37.i
  %mul2.i.i = fmul double %add.i27.i, %mul1.i.i
  %mul16.i = fmul double %add.i32.i, %sub1.i29.i
  %add17.i = fadd double %mul16.i, %mul2.i.i
  %add18.i = fadd double %sub1.i34.i, %add17.i
  %add.i38.i = fadd double %add.i32.i, %add18.i
  %cmp134.i = icmp sgt i32 %conv.i, 1023
  br i1 %cmp134.i, label %for.body.i, label %for.cond3.preheader.i

for.cond3.preheader.i:                            ; preds = %for.body.i, %power_of_e.exit
  %x.addr.0.lcssa.i = phi double [ %add.i38.i, %power_of_e.exit ], [ %mul.i11, %for.body.i ]
  %shift.addr.0.lcssa.i = phi i32 [ %conv.i, %power_of_e.exit ], [ %sub.i12, %for.body.i ]
  %cmp639.i = icmp slt i32 %shift.addr.0.lcssa.i, -1022
  br i1 %cmp639.i, label %for.body9.i, label %scaled.exit

for.body.i:                                       ; preds = %power_of_e.exit, %for.body.i
  %k.037.i = phi i32 [ %inc.i, %for.body.i ], [ 0, %power_of_e.exit ]
  %shift.addr.036.i = phi i32 [ %sub.i12, %for.body.i ], [ %conv.i, %power_of_e.exit ]
  %x.addr.035.i = phi double [ %mul.i11, %for.body.i ], [ %add.i38.i, %power_of_e.exit ]
  %mul.i11 = fmul double %x.addr.035.i, 0x7FE0000000000000
  %inc.i = add nuw nsw i32 %k.037.i, 1
  %sub.i12 = add nsw i32 %shift.addr.036.i, -1023
  %cmp.i = icmp eq i32 %k.037.i, 0
  %cmp1.i = icmp sgt i32 %shift.addr.036.i, 2046
  %2 = select i1 %cmp.i, i1 %cmp1.i, i1 false
  br i1 %2, label %for.body.i, label %for.cond3.preheader.i, !llvm.loop !12

for.body9.i:                                      ; preds = %for.cond3.preheader.i, %for.body9.i
  %k2.042.i = phi i32 [ %inc12.i, %for.body9.i ], [ 0, %for.cond3.preheader.i ]
  %shift.addr.141.i = phi i32 [ %add.i13, %for.body9.i ], [ %shift.addr.0.lcssa.i, %for.cond3.preheader.i ]
  %x.addr.140.i = phi double [ %mul10.i, %for.body9.i ], [ %x.addr.0.lcssa.i, %for.cond3.preheader.i ]
  %mul10.i = fmul double %x.addr.140.i, 0x360000000000000
  %inc12.i = add nuw nsw i32 %k2.042.i, 1
  %add.i13 = add nuw nsw i32 %shift.addr.141.i, 969
  %cmp4.i = icmp eq i32 %k2.042.i, 0
  %cmp6.i = icmp slt i32 %shift.addr.141.i, -1991
  %3 = select i1 %cmp4.i, i1 %cmp6.i, i1 false
  br i1 %3, label %for.body9.i, label %scaled.exit, !llvm.loop !13

scaled.exit:                                      ; preds = %for.body9.i, %for.cond3.preheader.i
  %x.addr.1.lcssa.i = phi double [ %x.addr.0.lcssa.i, %for.cond3.preheader.i ], [ %mul10.i, %for.body9.i ]
  %shift.addr.1.lcssa.i = phi i32 [ %shift.addr.0.lcssa.i, %for.cond3.preheader.i ], [ %add.i13, %for.body9.i ]
  %cond.i = tail call i32 @llvm.smax.i32(i32 %shift.addr.1.lcssa.i, i32 -1022)
  %cond19.i = tail call i32 @llvm.smin.i32(i32 %cond.i, i32 1023)
  %add20.i = add nsw i32 %cond19.i, 1023
  %conv33.i = zext i32 %add20.i to i64
  %shl.i = shl i64 %conv33.i, 52
  %4 = bitcast i64 %shl.i to double
  %mul21.i = fmul double %x.addr.1.lcssa.i, %4
  br label %cleanup

cleanup:                                          ; preds = %if.end, %scaled.exit, %if.then
  %retval.0 = phi double [ %mul21.i, %scaled.exit ], [ %mul, %if.then ], [ 0.000000e+00, %if.end ]
  ret double %retval.0
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @exp2(double noundef %x) local_unnamed_addr #0 {
entry:
  %cmp = fcmp ogt double %x, -1.076000e+03
  %cmp1 = fcmp olt double %x, 1.025000e+03
  %or.cond = and i1 %cmp, %cmp1
  br i1 %or.cond, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %cmp2 = fcmp uno double %x, 0.000000e+00
  %cmp3 = fcmp ogt double %x, 0.000000e+00
  %cond = select i1 %cmp3, double 0x7FF0000000000000, double 0.000000e+00
  %cond4 = select i1 %cmp2, double %x, double %cond
  br label %cleanup

if.end:                                           ; preds = %entry
  %0 = tail call double @llvm.rint.f64(double %x)
  %sub = fsub double %x, %0
  %mul.i.i = fmul double %sub, 0x3FE62E42FEFA39EF
  %fneg.i.i = fneg double %mul.i.i
  %1 = tail call double @llvm.fma.f64(double %sub, double 0x3FE62E42FEFA39EF, double %fneg.i.i)
  %mul7.i = fmul double %sub, 0x3C7ABC9E3B39803F
  %add.i = fadd double %mul7.i, 0.000000e+00
  %add8.i = fadd double %1, %add.i
  %add.i.i = fadd double %mul.i.i, %add8.i
  %sub.i.i = fsub double %add.i.i, %mul.i.i
  %sub1.i.i = fsub double %add8.i, %sub.i.i
  %call5 = tail call fastcc double @rounded_power(double %add.i.i, double %sub1.i.i) #5
  %conv = fptosi double %0 to i32
  %cmp134.i = icmp sgt i32 %conv, 1023
  br i1 %cmp134.i, label %for.body.i, label %for.cond3.preheader.i

for.cond3.preheader.i:                            ; preds = %for.body.i, %if.end
  %x.addr.0.lcssa.i = phi double [ %call5, %if.end ], [ %mul.i, %for.body.i ]
  %shift.addr.0.lcssa.i = phi i32 [ %conv, %if.end ], [ %sub.i, %for.body.i ]
  %cmp639.i = icmp slt i32 %shift.addr.0.lcssa.i, -1022
  br i1 %cmp639.i, label %for.body9.i, label %scaled.exit

for.body.i:                                       ; preds = %if.end, %for.body.i
  %k.037.i = phi i32 [ %inc.i, %for.body.i ], [ 0, %if.end ]
  %shift.addr.036.i = phi i32 [ %sub.i, %for.body.i ], [ %conv, %if.end ]
  %x.addr.035.i = phi double [ %mul.i, %for.body.i ], [ %call5, %if.end ]
  %mul.i = fmul double %x.addr.035.i, 0x7FE0000000000000
  %inc.i = add nuw nsw i32 %k.037.i, 1
  %sub.i = add nsw i32 %shift.addr.036.i, -1023
  %cmp.i = icmp eq i32 %k.037.i, 0
  %cmp1.i = icmp sgt i32 %shift.addr.036.i, 2046
  %2 = select i1 %cmp.i, i1 %cmp1.i, i1 false
  br i1 %2, label %for.body.i, label %for.cond3.preheader.i, !llvm.loop !12

for.body9.i:                                      ; preds = %for.cond3.preheader.i, %for.body9.i
  %k2.042.i = phi i32 [ %inc12.i, %for.body9.i ], [ 0, %for.cond3.preheader.i ]
  %shift.addr.141.i = phi i32 [ %add.i15, %for.body9.i ], [ %shift.addr.0.lcssa.i, %for.cond3.preheader.i ]
  %x.addr.140.i = phi double [ %mul10.i, %for.body9.i ], [ %x.addr.0.lcssa.i, %for.cond3.preheader.i ]
  %mul10.i = fmul double %x.addr.140.i, 0x360000000000000
  %inc12.i = add nuw nsw i32 %k2.042.i, 1
  %add.i15 = add nuw nsw i32 %shift.addr.141.i, 969
  %cmp4.i = icmp eq i32 %k2.042.i, 0
  %cmp6.i = icmp slt i32 %shift.addr.141.i, -1991
  %3 = select i1 %cmp4.i, i1 %cmp6.i, i1 false
  br i1 %3, label %for.body9.i, label %scaled.exit, !llvm.loop !13

scaled.exit:                                      ; preds = %for.body9.i, %for.cond3.preheader.i
  %x.addr.1.lcssa.i = phi double [ %x.addr.0.lcssa.i, %for.cond3.preheader.i ], [ %mul10.i, %for.body9.i ]
  %shift.addr.1.lcssa.i = phi i32 [ %shift.addr.0.lcssa.i, %for.cond3.preheader.i ], [ %add.i15, %for.body9.i ]
  %cond.i = tail call i32 @llvm.smax.i32(i32 %shift.addr.1.lcssa.i, i32 -1022)
  %cond19.i = tail call i32 @llvm.smin.i32(i32 %cond.i, i32 1023)
  %add20.i = add nsw i32 %cond19.i, 1023
  %conv33.i = zext i32 %add20.i to i64
  %shl.i = shl i64 %conv33.i, 52
  %4 = bitcast i64 %shl.i to double
  %mul21.i = fmul double %x.addr.1.lcssa.i, %4
  br label %cleanup

cleanup:                                          ; preds = %scaled.exit, %if.then
  %retval.0 = phi double [ %mul21.i, %scaled.exit ], [ %cond4, %if.then ]
  ret double %retval.0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.rint.f64(double) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @exp10(double noundef %x) local_unnamed_addr #0 {
entry:
  %cmp = fcmp ogt double %x, -3.250000e+02
  %cmp1 = fcmp olt double %x, 3.090000e+02
  %or.cond = and i1 %cmp, %cmp1
  br i1 %or.cond, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %cmp2 = fcmp uno double %x, 0.000000e+00
  %cmp3 = fcmp ogt double %x, 0.000000e+00
  %cond = select i1 %cmp3, double 0x7FF0000000000000, double 0.000000e+00
  %cond4 = select i1 %cmp2, double %x, double %cond
  br label %return

if.end:                                           ; preds = %entry
  %mul.i.i = fmul double %x, 0x40026BB1BBB55516
  %fneg.i.i = fneg double %mul.i.i
  %0 = tail call double @llvm.fma.f64(double %x, double 0x40026BB1BBB55516, double %fneg.i.i)
  %mul7.i = fmul double %x, 0x3CAF48AD494EA3E9
  %1 = fsub double 0.000000e+00, %mul7.i
  %add8.i = fadd double %0, %1
  %add.i.i = fadd double %mul.i.i, %add8.i
  %sub.i.i = fsub double %add.i.i, %mul.i.i
  %sub1.i.i = fsub double %add8.i, %sub.i.i
  %call5 = tail call fastcc double @rounded_power(double %add.i.i, double %sub1.i.i) #5
  br label %return

return:                                           ; preds = %if.end, %if.then
  %retval.0 = phi double [ %call5, %if.end ], [ %cond4, %if.then ]
  ret double %retval.0
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @expm1(double noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call double @llvm.fabs.f64(double %x)
  %cmp = fcmp olt double %0, 7.000000e+02
  br i1 %cmp, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %cmp1 = fcmp uno double %x, 0.000000e+00
  br i1 %cmp1, label %return, label %cond.false

cond.false:                                       ; preds = %if.then
  %cmp2 = fcmp olt double %x, 0.000000e+00
  br i1 %cmp2, label %return, label %cond.false4

cond.false4:                                      ; preds = %cond.false
  %call = tail call fastcc double @rounded_power(double %x, double 0.000000e+00) #5
  br label %return

if.end:                                           ; preds = %entry
  %cmp7 = fcmp oeq double %x, 0.000000e+00
  %cmp8 = fcmp olt double %0, 0x3C30000000000000
  %or.cond = or i1 %cmp7, %cmp8
  br i1 %or.cond, label %return, label %cond.false10

cond.false10:                                     ; preds = %if.end
  %cmp.i = fcmp olt double %0, 3.000000e-01
  br i1 %cmp.i, label %if.then.i, label %if.end.i

if.then.i:                                        ; preds = %cond.false10
  %mul.i.i = fmul double %x, %x
  br label %for.body.i.i

for.body.i.i:                                     ; preds = %for.body.i.i, %if.then.i
  %indvars.iv.i.i = phi i64 [ 0, %if.then.i ], [ %indvars.iv.next.i.i, %for.body.i.i ]
  %sum.08.i.i = phi double [ 0x3DA93974A8C07C9D, %if.then.i ], [ %add.i.i, %for.body.i.i ]
  %mul.i29.i = fmul double %sum.08.i.i, %x
  %arrayidx.i.i = getelementptr inbounds [12 x double], ptr @beyond.factorials, i64 0, i64 %indvars.iv.i.i
  %1 = load double, ptr %arrayidx.i.i, align 8, !tbaa !5
  %div.i.i = fdiv double 1.000000e+00, %1
  %add.i.i = fadd double %mul.i29.i, %div.i.i
  %indvars.iv.next.i.i = add nuw nsw i64 %indvars.iv.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %indvars.iv.next.i.i, 12
  br i1 %exitcond.not.i.i, label %beyond.exit.i, label %for.body.i.i, !llvm.loop !9

beyond.exit.i:                                    ; preds = %for.body.i.i
  %fneg.i.i = fneg double %mul.i.i
  %2 = tail call double @llvm.fma.f64(double %x, double %x, double %fneg.i.i)
  %mul1.i.i = fmul double %add.i.i, %x
  %mul2.i.i = fmul double %mul1.i.i, %x
  %div.i = fmul double %mul.i.i, 5.000000e-01
  %sub.i = fsub double %mul2.i.i, %div.i
  %div4.i = fmul double %2, 5.000000e-01
  %add.i = fadd double %div4.i, %sub.i
  %add.i30.i = fadd double %div.i, %add.i
  %add.i33.i = fadd double %add.i30.i, %x
  br label %return

if.end.i:                                         ; preds = %cond.false10
  %mul.i38.i = fmul double %x, 0x3FF71547652B82FE
  %3 = tail call double @llvm.rint.f64(double %mul.i38.i)
  %mul2.i39.i = fmul double %3, 0x3FE62E42FEE00000
  %sub.i40.i = fsub double %x, %mul2.i39.i
  %mul3.i.i = fmul double %3, 0xBDEA39EF35793C76
  %add.i.i.i = fadd double %mul3.i.i, %sub.i40.i
  %sub.i.i.i = fsub double %add.i.i.i, %sub.i40.i
  %sub1.i.i.i = fsub double %add.i.i.i, %sub.i.i.i
  %sub2.i.i.i = fsub double %sub.i40.i, %sub1.i.i.i
  %sub3.i.i.i = fsub double %mul3.i.i, %sub.i.i.i
  %add4.i.i.i = fadd double %sub3.i.i.i, %sub2.i.i.i
  %add.i41.i = fadd double %add4.i.i.i, 0.000000e+00
  %add.i27.i.i = fadd double %add.i.i.i, %add.i41.i
  br label %for.body.i.i.i

for.body.i.i.i:                                   ; preds = %for.body.i.i.i, %if.end.i
  %indvars.iv.i.i.i = phi i64 [ 0, %if.end.i ], [ %indvars.iv.next.i.i.i, %for.body.i.i.i ]
  %sum.08.i.i.i = phi double [ 0x3DA93974A8C07C9D, %if.end.i ], [ %add.i37.i.i, %for.body.i.i.i ]
  %mul.i.i.i = fmul double %add.i27.i.i, %sum.08.i.i.i
  %arrayidx.i.i.i = getelementptr inbounds [12 x double], ptr @beyond.factorials, i64 0, i64 %indvars.iv.i.i.i
  %4 = load double, ptr %arrayidx.i.i.i, align 8, !tbaa !5
  %div.i.i.i = fdiv double 1.000000e+00, %4
  %add.i37.i.i = fadd double %mul.i.i.i, %div.i.i.i
  %indvars.iv.next.i.i.i = add nuw nsw i64 %indvars.iv.i.i.i, 1
  %exitcond.not.i.i.i = icmp eq i64 %indvars.iv.next.i.i.i, 12
  br i1 %exitcond.not.i.i.i, label %power_of_e.exit.i, label %for.body.i.i.i, !llvm.loop !9

power_of_e.exit.i:                                ; preds = %for.body.i.i.i
  %conv.i.i = fptosi double %3 to i32
  %add.i32.i.i = fadd double %add.i27.i.i, 1.000000e+00
  %sub.i33.i.i = fadd double %add.i32.i.i, -1.000000e+00
  %sub1.i34.i.i = fsub double %add.i27.i.i, %sub.i33.i.i
  %5 = fsub double %add.i.i.i, %add.i27.i.i
  %sub1.i29.i.i = fadd double %add.i41.i, %5
  %mul1.i.i.i = fmul double %add.i27.i.i, %add.i37.i.i
  %mul2.i.i.i = fmul double %add.i27.i.i, %mul1.i.i.i
  %mul16.i.i = fmul double %add.i32.i.i, %sub1.i29.i.i
  %add17.i.i = fadd double %mul16.i.i, %mul2.i.i.i
  %add18.i.i = fadd double %sub1.i34.i.i, %add17.i.i
  %add.i38.i.i = fadd double %add.i32.i.i, %add18.i.i
  %sub.i39.i.i = fsub double %add.i38.i.i, %add.i32.i.i
  %sub1.i40.i.i = fsub double %add18.i.i, %sub.i39.i.i
  %cmp134.i.i = icmp sgt i32 %conv.i.i, 1023
  br i1 %cmp134.i.i, label %for.body.i44.i, label %for.cond3.preheader.i.i

for.cond3.preheader.i.i:                          ; preds = %for.body.i44.i, %power_of_e.exit.i
  %x.addr.0.lcssa.i.i = phi double [ %add.i38.i.i, %power_of_e.exit.i ], [ %mul.i42.i, %for.body.i44.i ]
  %shift.addr.0.lcssa.i.i = phi i32 [ %conv.i.i, %power_of_e.exit.i ], [ %sub.i43.i, %for.body.i44.i ]
  %cmp639.i.i = icmp slt i32 %shift.addr.0.lcssa.i.i, -1022
  br i1 %cmp639.i.i, label %for.body9.i.i, label %scaled.exit.i

for.body.i44.i:                                   ; preds = %power_of_e.exit.i, %for.body.i44.i
  %k.037.i.i = phi i32 [ %inc.i.i, %for.body.i44.i ], [ 0, %power_of_e.exit.i ]
  %shift.addr.036.i.i = phi i32 [ %sub.i43.i, %for.body.i44.i ], [ %conv.i.i, %power_of_e.exit.i ]
  %x.addr.035.i.i = phi double [ %mul.i42.i, %for.body.i44.i ], [ %add.i38.i.i, %power_of_e.exit.i ]
  %mul.i42.i = fmul double %x.addr.035.i.i, 0x7FE0000000000000
  %inc.i.i = add nuw nsw i32 %k.037.i.i, 1
  %sub.i43.i = add nsw i32 %shift.addr.036.i.i, -1023
  %cmp.i.i = icmp eq i32 %k.037.i.i, 0
  %cmp1.i.i = icmp sgt i32 %shift.addr.036.i.i, 2046
  %6 = select i1 %cmp.i.i, i1 %cmp1.i.i, i1 false
  br i1 %6, label %for.body.i44.i, label %for.cond3.preheader.i.i, !llvm.loop !12

for.body9.i.i:                                    ; preds = %for.cond3.preheader.i.i, %for.body9.i.i
  %k2.042.i.i = phi i32 [ %inc12.i.i, %for.body9.i.i ], [ 0, %for.cond3.preheader.i.i ]
  %shift.addr.141.i.i = phi i32 [ %add.i45.i, %for.body9.i.i ], [ %shift.addr.0.lcssa.i.i, %for.cond3.preheader.i.i ]
  %x.addr.140.i.i = phi double [ %mul10.i.i, %for.body9.i.i ], [ %x.addr.0.lcssa.i.i, %for.cond3.preheader.i.i ]
  %mul10.i.i = fmul double %x.addr.140.i.i, 0x360000000000000
  %inc12.i.i = add nuw nsw i32 %k2.042.i.i, 1
  %add.i45.i = add nuw nsw i32 %shift.addr.141.i.i, 969
  %cmp4.i.i = icmp eq i32 %k2.042.i.i, 0
  %cmp6.i.i = icmp slt i32 %shift.addr.141.i.i, -1991
  %7 = select i1 %cmp4.i.i, i1 %cmp6.i.i, i1 false
  br i1 %7, label %for.body9.i.i, label %scaled.exit.i, !llvm.loop !13

scaled.exit.i:                                    ; preds = %for.body9.i.i, %for.cond3.preheader.i.i
  %x.addr.1.lcssa.i.i = phi double [ %x.addr.0.lcssa.i.i, %for.cond3.preheader.i.i ], [ %mul10.i.i, %for.body9.i.i ]
  %shift.addr.1.lcssa.i.i = phi i32 [ %shift.addr.0.lcssa.i.i, %for.cond3.preheader.i.i ], [ %add.i45.i, %for.body9.i.i ]
  %cond.i.i = tail call i32 @llvm.smax.i32(i32 %shift.addr.1.lcssa.i.i, i32 -1022)
  %cond19.i.i = tail call i32 @llvm.smin.i32(i32 %cond.i.i, i32 1023)
  %add20.i.i = add nsw i32 %cond19.i.i, 1023
  %conv33.i.i = zext i32 %add20.i.i to i64
  %shl.i.i = shl i64 %conv33.i.i, 52
  %8 = bitcast i64 %shl.i.i to double
  %mul21.i.i = fmul double %x.addr.1.lcssa.i.i, %8
  br i1 %cmp134.i.i, label %for.body.i59.i, label %for.cond3.preheader.i50.i

for.cond3.preheader.i50.i:                        ; preds = %for.body.i59.i, %scaled.exit.i
  %x.addr.0.lcssa.i47.i = phi double [ %sub1.i40.i.i, %scaled.exit.i ], [ %mul.i54.i, %for.body.i59.i ]
  %shift.addr.0.lcssa.i48.i = phi i32 [ %conv.i.i, %scaled.exit.i ], [ %sub.i56.i, %for.body.i59.i ]
  %cmp639.i49.i = icmp slt i32 %shift.addr.0.lcssa.i48.i, -1022
  br i1 %cmp639.i49.i, label %for.body9.i76.i, label %scaled.exit77.i

for.body.i59.i:                                   ; preds = %scaled.exit.i, %for.body.i59.i
  %k.037.i51.i = phi i32 [ %inc.i55.i, %for.body.i59.i ], [ 0, %scaled.exit.i ]
  %shift.addr.036.i52.i = phi i32 [ %sub.i56.i, %for.body.i59.i ], [ %conv.i.i, %scaled.exit.i ]
  %x.addr.035.i53.i = phi double [ %mul.i54.i, %for.body.i59.i ], [ %sub1.i40.i.i, %scaled.exit.i ]
  %mul.i54.i = fmul double %x.addr.035.i53.i, 0x7FE0000000000000
  %inc.i55.i = add nuw nsw i32 %k.037.i51.i, 1
  %sub.i56.i = add nsw i32 %shift.addr.036.i52.i, -1023
  %cmp.i57.i = icmp eq i32 %k.037.i51.i, 0
  %cmp1.i58.i = icmp sgt i32 %shift.addr.036.i52.i, 2046
  %9 = select i1 %cmp.i57.i, i1 %cmp1.i58.i, i1 false
  br i1 %9, label %for.body.i59.i, label %for.cond3.preheader.i50.i, !llvm.loop !12

for.body9.i76.i:                                  ; preds = %for.cond3.preheader.i50.i, %for.body9.i76.i
  %k2.042.i68.i = phi i32 [ %inc12.i72.i, %for.body9.i76.i ], [ 0, %for.cond3.preheader.i50.i ]
  %shift.addr.141.i69.i = phi i32 [ %add.i73.i, %for.body9.i76.i ], [ %shift.addr.0.lcssa.i48.i, %for.cond3.preheader.i50.i ]
  %x.addr.140.i70.i = phi double [ %mul10.i71.i, %for.body9.i76.i ], [ %x.addr.0.lcssa.i47.i, %for.cond3.preheader.i50.i ]
  %mul10.i71.i = fmul double %x.addr.140.i70.i, 0x360000000000000
  %inc12.i72.i = add nuw nsw i32 %k2.042.i68.i, 1
  %add.i73.i = add nuw nsw i32 %shift.addr.141.i69.i, 969
  %cmp4.i74.i = icmp eq i32 %k2.042.i68.i, 0
  %cmp6.i75.i = icmp slt i32 %shift.addr.141.i69.i, -1991
  %10 = select i1 %cmp4.i74.i, i1 %cmp6.i75.i, i1 false
  br i1 %10, label %for.body9.i76.i, label %scaled.exit77.i, !llvm.loop !13

scaled.exit77.i:                                  ; preds = %for.body9.i76.i, %for.cond3.preheader.i50.i
  %x.addr.1.lcssa.i60.i = phi double [ %x.addr.0.lcssa.i47.i, %for.cond3.preheader.i50.i ], [ %mul10.i71.i, %for.body9.i76.i ]
  %shift.addr.1.lcssa.i61.i = phi i32 [ %shift.addr.0.lcssa.i48.i, %for.cond3.preheader.i50.i ], [ %add.i73.i, %for.body9.i76.i ]
  %cond.i62.i = tail call i32 @llvm.smax.i32(i32 %shift.addr.1.lcssa.i61.i, i32 -1022)
  %cond19.i63.i = tail call i32 @llvm.smin.i32(i32 %cond.i62.i, i32 1023)
  %add20.i64.i = add nsw i32 %cond19.i63.i, 1023
  %conv33.i65.i = zext i32 %add20.i64.i to i64
  %shl.i66.i = shl i64 %conv33.i65.i, 52
  %11 = bitcast i64 %shl.i66.i to double
  %mul21.i67.i = fmul double %x.addr.1.lcssa.i60.i, %11
  %add.i.i78.i = fadd double %mul21.i.i, -1.000000e+00
  %sub.i.i79.i = fsub double %add.i.i78.i, %mul21.i.i
  %sub1.i.i80.i = fsub double %add.i.i78.i, %sub.i.i79.i
  %sub2.i.i81.i = fsub double %mul21.i.i, %sub1.i.i80.i
  %sub3.i.i82.i = fsub double -1.000000e+00, %sub.i.i79.i
  %add4.i.i83.i = fadd double %sub3.i.i82.i, %sub2.i.i81.i
  %add.i15.i.i = fadd double %mul21.i67.i, 0.000000e+00
  %sub.i16.i.i = fsub double %add.i15.i.i, %mul21.i67.i
  %sub1.i17.i.i = fsub double %add.i15.i.i, %sub.i16.i.i
  %sub2.i18.i.i = fsub double %mul21.i67.i, %sub1.i17.i.i
  %sub3.i19.i.i = fsub double 0.000000e+00, %sub.i16.i.i
  %add4.i20.i.i = fadd double %sub3.i19.i.i, %sub2.i18.i.i
  %add.i84.i = fadd double %add4.i.i83.i, %add.i15.i.i
  %add.i23.i.i = fadd double %add.i.i78.i, %add.i84.i
  %sub.i24.i.i = fsub double %add.i23.i.i, %add.i.i78.i
  %sub1.i25.i.i = fsub double %add.i84.i, %sub.i24.i.i
  %add11.i.i = fadd double %add4.i20.i.i, %sub1.i25.i.i
  %add.i28.i.i = fadd double %add.i23.i.i, %add11.i.i
  br label %return

return:                                           ; preds = %scaled.exit77.i, %beyond.exit.i, %if.end, %cond.false, %cond.false4, %if.then
  %retval.0 = phi double [ %call, %cond.false4 ], [ -1.000000e+00, %cond.false ], [ %x, %if.then ], [ %x, %if.end ], [ %add.i33.i, %beyond.exit.i ], [ %add.i28.i.i, %scaled.exit77.i ]
  ret double %retval.0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fabs.f64(double) #2

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @log(double noundef %x) local_unnamed_addr #0 {
entry:
  %cmp = fcmp ogt double %x, 0.000000e+00
  %cmp1 = fcmp olt double %x, 0x7FF0000000000000
  %or.cond = and i1 %cmp, %cmp1
  br i1 %or.cond, label %cond.true, label %cond.false

cond.true:                                        ; preds = %entry
  %call = tail call fastcc { double, double } @logarithm(double %x, double 0.000000e+00) #5
  %0 = extractvalue { double, double } %call, 0
  br label %cond.end

cond.false:                                       ; preds = %entry
  %cmp.i = fcmp oeq double %x, 0.000000e+00
  %cmp1.i = fcmp olt double %x, 0.000000e+00
  %cond.i = select i1 %cmp1.i, double 0x7FF8000000000000, double %x
  %cond5.i = select i1 %cmp.i, double 0xFFF0000000000000, double %cond.i
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi double [ %0, %cond.true ], [ %cond5.i, %cond.false ]
  ret double %cond
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define internal fastcc { double, double } @logarithm(double %x.coerce0, double %x.coerce1) unnamed_addr #0 {
entry:
  %cmp = fcmp olt double %x.coerce0, 0x170000000000000
  %mul = fmul double %x.coerce0, 0x4C70000000000000
  %mul2 = fmul double %x.coerce1, 0x4C70000000000000
  %shift.0 = select i1 %cmp, i32 -200, i32 0
  %x.sroa.0.0 = select i1 %cmp, double %mul, double %x.coerce0
  %x.sroa.7.0 = select i1 %cmp, double %mul2, double %x.coerce1
  %0 = bitcast double %x.sroa.0.0 to i64
  %shr = lshr i64 %0, 52
  %conv = trunc i64 %shr to i32
  %sub = add nsw i32 %conv, -1023
  %and = and i64 %0, 4503599627370495
  %cmp6 = icmp ugt i64 %and, 1865452045155276
  %conv7 = zext i1 %cmp6 to i32
  %add = add nsw i32 %sub, %conv7
  %sub10 = sub nsw i32 0, %add
  %cmp639.i = icmp sgt i32 %add, 1022
  br i1 %cmp639.i, label %for.body9.i, label %scaled.exit

for.body9.i:                                      ; preds = %entry, %for.body9.i
  %k2.042.i = phi i32 [ %inc12.i, %for.body9.i ], [ 0, %entry ]
  %shift.addr.141.i = phi i32 [ %add.i, %for.body9.i ], [ %sub10, %entry ]
  %x.addr.140.i = phi double [ %mul10.i, %for.body9.i ], [ %x.sroa.0.0, %entry ]
  %mul10.i = fmul double %x.addr.140.i, 0x360000000000000
  %inc12.i = add nuw nsw i32 %k2.042.i, 1
  %add.i = add nuw nsw i32 %shift.addr.141.i, 969
  %cmp4.i = icmp eq i32 %k2.042.i, 0
  %cmp6.i = icmp slt i32 %shift.addr.141.i, -1991
  %1 = select i1 %cmp4.i, i1 %cmp6.i, i1 false
  br i1 %1, label %for.body9.i, label %scaled.exit, !llvm.loop !13

scaled.exit:                                      ; preds = %for.body9.i, %entry
  %x.addr.1.lcssa.i = phi double [ %x.sroa.0.0, %entry ], [ %mul10.i, %for.body9.i ]
  %shift.addr.1.lcssa.i = phi i32 [ %sub10, %entry ], [ %add.i, %for.body9.i ]
  %cond.i = tail call i32 @llvm.smax.i32(i32 %shift.addr.1.lcssa.i, i32 -1022)
  %cond19.i = tail call i32 @llvm.smin.i32(i32 %cond.i, i32 1023)
  %add20.i = add nsw i32 %cond19.i, 1023
  %conv33.i = zext i32 %add20.i to i64
  %shl.i = shl i64 %conv33.i, 52
  %2 = bitcast i64 %shl.i to double
  %mul21.i = fmul double %x.addr.1.lcssa.i, %2
  %cmp639.i89 = icmp sgt i32 %add, 1022
  br i1 %cmp639.i89, label %for.body9.i116, label %scaled.exit117

for.body9.i116:                                   ; preds = %scaled.exit, %for.body9.i116
  %k2.042.i108 = phi i32 [ %inc12.i112, %for.body9.i116 ], [ 0, %scaled.exit ]
  %shift.addr.141.i109 = phi i32 [ %add.i113, %for.body9.i116 ], [ %sub10, %scaled.exit ]
  %x.addr.140.i110 = phi double [ %mul10.i111, %for.body9.i116 ], [ %x.sroa.7.0, %scaled.exit ]
  %mul10.i111 = fmul double %x.addr.140.i110, 0x360000000000000
  %inc12.i112 = add nuw nsw i32 %k2.042.i108, 1
  %add.i113 = add nuw nsw i32 %shift.addr.141.i109, 969
  %cmp4.i114 = icmp eq i32 %k2.042.i108, 0
  %cmp6.i115 = icmp slt i32 %shift.addr.141.i109, -1991
  %3 = select i1 %cmp4.i114, i1 %cmp6.i115, i1 false
  br i1 %3, label %for.body9.i116, label %scaled.exit117, !llvm.loop !13

scaled.exit117:                                   ; preds = %for.body9.i116, %scaled.exit
  %x.addr.1.lcssa.i100 = phi double [ %x.sroa.7.0, %scaled.exit ], [ %mul10.i111, %for.body9.i116 ]
  %shift.addr.1.lcssa.i101 = phi i32 [ %sub10, %scaled.exit ], [ %add.i113, %for.body9.i116 ]
  %cond.i102 = tail call i32 @llvm.smax.i32(i32 %shift.addr.1.lcssa.i101, i32 -1022)
  %cond19.i103 = tail call i32 @llvm.smin.i32(i32 %cond.i102, i32 1023)
  %add20.i104 = add nsw i32 %cond19.i103, 1023
  %conv33.i105 = zext i32 %add20.i104 to i64
  %shl.i106 = shl i64 %conv33.i105, 52
  %4 = bitcast i64 %shl.i106 to double
  %mul21.i107 = fmul double %x.addr.1.lcssa.i100, %4
  %add.i.i = fadd double %mul21.i, -1.000000e+00
  %sub.i.i = fsub double %add.i.i, %mul21.i
  %sub1.i.i = fsub double %add.i.i, %sub.i.i
  %sub2.i.i = fsub double %mul21.i, %sub1.i.i
  %sub3.i.i = fsub double -1.000000e+00, %sub.i.i
  %add4.i.i = fadd double %sub3.i.i, %sub2.i.i
  %add.i15.i = fadd double %mul21.i107, 0.000000e+00
  %sub.i16.i = fsub double %add.i15.i, %mul21.i107
  %sub1.i17.i = fsub double %add.i15.i, %sub.i16.i
  %sub2.i18.i = fsub double %mul21.i107, %sub1.i17.i
  %sub3.i19.i = fsub double 0.000000e+00, %sub.i16.i
  %add4.i20.i = fadd double %sub3.i19.i, %sub2.i18.i
  %add.i118 = fadd double %add4.i.i, %add.i15.i
  %add.i23.i = fadd double %add.i.i, %add.i118
  %sub.i24.i = fsub double %add.i23.i, %add.i.i
  %sub1.i25.i = fsub double %add.i118, %sub.i24.i
  %add11.i = fadd double %add4.i20.i, %sub1.i25.i
  %add.i28.i = fadd double %add.i23.i, %add11.i
  %sub.i29.i = fsub double %add.i28.i, %add.i23.i
  %sub1.i30.i = fsub double %add11.i, %sub.i29.i
  %add.i.i119 = fadd double %mul21.i, 1.000000e+00
  %sub.i.i120 = fsub double %add.i.i119, %mul21.i
  %sub1.i.i121 = fsub double %add.i.i119, %sub.i.i120
  %sub2.i.i122 = fsub double %mul21.i, %sub1.i.i121
  %sub3.i.i123 = fsub double 1.000000e+00, %sub.i.i120
  %add4.i.i124 = fadd double %sub3.i.i123, %sub2.i.i122
  %add.i131 = fadd double %add4.i.i124, %add.i15.i
  %add.i23.i132 = fadd double %add.i.i119, %add.i131
  %sub.i24.i133 = fsub double %add.i23.i132, %add.i.i119
  %sub1.i25.i134 = fsub double %add.i131, %sub.i24.i133
  %add11.i135 = fadd double %add4.i20.i, %sub1.i25.i134
  %add.i28.i136 = fadd double %add.i23.i132, %add11.i135
  %sub.i29.i137 = fsub double %add.i28.i136, %add.i23.i132
  %sub1.i30.i138 = fsub double %add11.i135, %sub.i29.i137
  %div.i = fdiv double %add.i28.i, %add.i28.i136
  %mul.i.i.i = fmul double %add.i28.i136, %div.i
  %fneg.i.i.i = fneg double %mul.i.i.i
  %5 = tail call double @llvm.fma.f64(double %add.i28.i136, double %div.i, double %fneg.i.i.i)
  %mul.i.i = fmul double %add.i28.i136, 0.000000e+00
  %mul7.i.i = fmul double %div.i, %sub1.i30.i138
  %add.i.i141 = fadd double %mul.i.i, %mul7.i.i
  %add8.i.i = fadd double %5, %add.i.i141
  %add.i.i.i = fadd double %mul.i.i.i, %add8.i.i
  %sub.i.i.i = fsub double %add.i.i.i, %mul.i.i.i
  %sub1.i.i.i = fsub double %add8.i.i, %sub.i.i.i
  %fneg.i.i = fneg double %add.i.i.i
  %fneg3.i.i = fneg double %sub1.i.i.i
  %add.i.i34.i = fsub double %add.i28.i, %add.i.i.i
  %sub.i.i35.i = fsub double %add.i.i34.i, %add.i28.i
  %sub1.i.i36.i = fsub double %add.i.i34.i, %sub.i.i35.i
  %sub2.i.i.i = fsub double %add.i28.i, %sub1.i.i36.i
  %sub3.i.i.i = fsub double %fneg.i.i, %sub.i.i35.i
  %add4.i.i.i = fadd double %sub3.i.i.i, %sub2.i.i.i
  %add.i15.i.i = fsub double %sub1.i30.i, %sub1.i.i.i
  %sub.i16.i.i = fsub double %add.i15.i.i, %sub1.i30.i
  %sub1.i17.i.i = fsub double %add.i15.i.i, %sub.i16.i.i
  %sub2.i18.i.i = fsub double %sub1.i30.i, %sub1.i17.i.i
  %sub3.i19.i.i = fsub double %fneg3.i.i, %sub.i16.i.i
  %add4.i20.i.i = fadd double %sub3.i19.i.i, %sub2.i18.i.i
  %add.i37.i = fadd double %add.i15.i.i, %add4.i.i.i
  %add.i23.i.i = fadd double %add.i.i34.i, %add.i37.i
  %sub.i24.i.i = fsub double %add.i23.i.i, %add.i.i34.i
  %sub1.i25.i.i = fsub double %add.i37.i, %sub.i24.i.i
  %add11.i.i = fadd double %add4.i20.i.i, %sub1.i25.i.i
  %add.i28.i.i = fadd double %add.i23.i.i, %add11.i.i
  %sub.i29.i.i = fsub double %add.i28.i.i, %add.i23.i.i
  %sub1.i30.i.i = fsub double %add11.i.i, %sub.i29.i.i
  %div8.i = fdiv double %add.i28.i.i, %add.i28.i136
  %mul.i.i38.i = fmul double %add.i28.i136, %div8.i
  %fneg.i.i39.i = fneg double %mul.i.i38.i
  %6 = tail call double @llvm.fma.f64(double %add.i28.i136, double %div8.i, double %fneg.i.i39.i)
  %mul7.i41.i = fmul double %sub1.i30.i138, %div8.i
  %add.i42.i = fadd double %mul.i.i, %mul7.i41.i
  %add8.i43.i = fadd double %6, %add.i42.i
  %add.i.i44.i = fadd double %mul.i.i38.i, %add8.i43.i
  %sub.i.i45.i = fsub double %add.i.i44.i, %mul.i.i38.i
  %sub1.i.i46.i = fsub double %add8.i43.i, %sub.i.i45.i
  %fneg.i49.i = fneg double %add.i.i44.i
  %fneg3.i50.i = fneg double %sub1.i.i46.i
  %add.i.i53.i = fsub double %add.i28.i.i, %add.i.i44.i
  %sub.i.i54.i = fsub double %add.i.i53.i, %add.i28.i.i
  %sub1.i.i55.i = fsub double %add.i.i53.i, %sub.i.i54.i
  %sub2.i.i56.i = fsub double %add.i28.i.i, %sub1.i.i55.i
  %sub3.i.i57.i = fsub double %fneg.i49.i, %sub.i.i54.i
  %add4.i.i58.i = fadd double %sub3.i.i57.i, %sub2.i.i56.i
  %add.i15.i59.i = fsub double %sub1.i30.i.i, %sub1.i.i46.i
  %sub.i16.i60.i = fsub double %add.i15.i59.i, %sub1.i30.i.i
  %sub1.i17.i61.i = fsub double %add.i15.i59.i, %sub.i16.i60.i
  %sub2.i18.i62.i = fsub double %sub1.i30.i.i, %sub1.i17.i61.i
  %sub3.i19.i63.i = fsub double %fneg3.i50.i, %sub.i16.i60.i
  %add4.i20.i64.i = fadd double %sub3.i19.i63.i, %sub2.i18.i62.i
  %add.i65.i = fadd double %add.i15.i59.i, %add4.i.i58.i
  %add.i23.i66.i = fadd double %add.i.i53.i, %add.i65.i
  %sub.i24.i67.i = fsub double %add.i23.i66.i, %add.i.i53.i
  %sub1.i25.i68.i = fsub double %add.i65.i, %sub.i24.i67.i
  %add11.i69.i = fadd double %add4.i20.i64.i, %sub1.i25.i68.i
  %add.i28.i70.i = fadd double %add.i23.i66.i, %add11.i69.i
  %add.i75.i = fadd double %div.i, %div8.i
  %sub.i.i142 = fsub double %add.i75.i, %div.i
  %sub1.i.i143 = fsub double %div8.i, %sub.i.i142
  %div22.i = fdiv double %add.i28.i70.i, %add.i28.i136
  %add.i144 = fadd double %sub1.i.i143, %div22.i
  %add.i78.i = fadd double %add.i75.i, %add.i144
  %sub.i79.i = fsub double %add.i78.i, %add.i75.i
  %sub1.i80.i = fsub double %add.i144, %sub.i79.i
  %mul.i.i145 = fmul double %add.i78.i, %add.i78.i
  %fneg.i.i146 = fneg double %mul.i.i145
  %7 = tail call double @llvm.fma.f64(double %add.i78.i, double %add.i78.i, double %fneg.i.i146)
  %mul.i147 = fmul double %add.i78.i, %sub1.i80.i
  %add.i148 = fadd double %mul.i147, %mul.i147
  %add8.i = fadd double %7, %add.i148
  %add.i.i149 = fadd double %mul.i.i145, %add8.i
  %sub.i.i150 = fsub double %add.i.i149, %mul.i.i145
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body
  %add16 = add nsw i32 %add, %shift.0
  %sub1.i.i151 = fsub double %add8.i, %sub.i.i150
  %8 = fsub double %add32, %add32
  %mul.i.i152 = fmul double %add.i.i149, %add32
  %fneg.i.i153 = fneg double %mul.i.i152
  %9 = tail call double @llvm.fma.f64(double %add.i.i149, double %add32, double %fneg.i.i153)
  %mul.i154 = fmul double %add.i.i149, %8
  %mul7.i155 = fmul double %sub1.i.i151, %add32
  %add.i156 = fadd double %mul7.i155, %mul.i154
  %add8.i157 = fadd double %9, %add.i156
  %add.i.i158 = fadd double %mul.i.i152, %add8.i157
  %sub.i.i159 = fsub double %add.i.i158, %mul.i.i152
  %sub1.i.i160 = fsub double %add8.i157, %sub.i.i159
  %add.i.i163 = fadd double %add.i.i158, 0x3FD5555555555555
  %sub.i.i164 = fadd double %add.i.i163, 0xBFD5555555555555
  %10 = fsub double %sub.i.i164, %add.i.i163
  %sub2.i.i166 = fadd double %10, 0x3FD5555555555555
  %sub3.i.i167 = fsub double %add.i.i158, %sub.i.i164
  %add4.i.i168 = fadd double %sub3.i.i167, %sub2.i.i166
  %add.i15.i169 = fadd double %sub1.i.i160, 0x3C75555555555555
  %sub.i16.i170 = fadd double %add.i15.i169, 0xBC75555555555555
  %11 = fsub double %sub.i16.i170, %add.i15.i169
  %sub2.i18.i172 = fadd double %11, 0x3C75555555555555
  %sub3.i19.i173 = fsub double %sub1.i.i160, %sub.i16.i170
  %add4.i20.i174 = fadd double %sub3.i19.i173, %sub2.i18.i172
  %add.i175 = fadd double %add.i15.i169, %add4.i.i168
  %add.i23.i176 = fadd double %add.i.i163, %add.i175
  %sub.i24.i177 = fsub double %add.i23.i176, %add.i.i163
  %sub1.i25.i178 = fsub double %add.i175, %sub.i24.i177
  %add11.i179 = fadd double %add4.i20.i174, %sub1.i25.i178
  %add.i28.i180 = fadd double %add.i23.i176, %add11.i179
  %sub.i29.i181 = fsub double %add.i28.i180, %add.i23.i176
  %sub1.i30.i182 = fsub double %add11.i179, %sub.i29.i181
  %mul.i.i185 = fmul double %add.i.i149, %add.i28.i180
  %fneg.i.i186 = fneg double %mul.i.i185
  %12 = tail call double @llvm.fma.f64(double %add.i.i149, double %add.i28.i180, double %fneg.i.i186)
  %mul.i187 = fmul double %add.i.i149, %sub1.i30.i182
  %mul7.i188 = fmul double %sub1.i.i151, %add.i28.i180
  %add.i189 = fadd double %mul7.i188, %mul.i187
  %add8.i190 = fadd double %12, %add.i189
  %add.i.i191 = fadd double %mul.i.i185, %add8.i190
  %sub.i.i192 = fsub double %add.i.i191, %mul.i.i185
  %sub1.i.i193 = fsub double %add8.i190, %sub.i.i192
  %add.i.i196 = fadd double %add.i.i191, 1.000000e+00
  %sub.i.i197 = fadd double %add.i.i196, -1.000000e+00
  %13 = fsub double %sub.i.i197, %add.i.i196
  %sub2.i.i199 = fadd double %13, 1.000000e+00
  %sub3.i.i200 = fsub double %add.i.i191, %sub.i.i197
  %add4.i.i201 = fadd double %sub3.i.i200, %sub2.i.i199
  %add.i15.i202 = fadd double %sub1.i.i193, 0.000000e+00
  %14 = fsub double %add.i15.i202, %add.i15.i202
  %sub2.i18.i204 = fadd double %14, 0.000000e+00
  %sub3.i19.i205 = fsub double %sub1.i.i193, %add.i15.i202
  %add4.i20.i206 = fadd double %sub3.i19.i205, %sub2.i18.i204
  %add.i207 = fadd double %add.i15.i202, %add4.i.i201
  %add.i23.i208 = fadd double %add.i.i196, %add.i207
  %sub.i24.i209 = fsub double %add.i23.i208, %add.i.i196
  %sub1.i25.i210 = fsub double %add.i207, %sub.i24.i209
  %add11.i211 = fadd double %add4.i20.i206, %sub1.i25.i210
  %add.i28.i212 = fadd double %add.i23.i208, %add11.i211
  %sub.i29.i213 = fsub double %add.i28.i212, %add.i23.i208
  %sub1.i30.i214 = fsub double %add11.i211, %sub.i29.i213
  %mul.i.i217 = fmul double %add.i78.i, %add.i28.i212
  %fneg.i.i218 = fneg double %mul.i.i217
  %15 = tail call double @llvm.fma.f64(double %add.i78.i, double %add.i28.i212, double %fneg.i.i218)
  %mul.i219 = fmul double %add.i78.i, %sub1.i30.i214
  %mul7.i220 = fmul double %sub1.i80.i, %add.i28.i212
  %add.i221 = fadd double %mul7.i220, %mul.i219
  %add8.i222 = fadd double %15, %add.i221
  %add.i.i223 = fadd double %mul.i.i217, %add8.i222
  %sub.i.i224 = fsub double %add.i.i223, %mul.i.i217
  %sub1.i.i225 = fsub double %add8.i222, %sub.i.i224
  %mul49 = fmul double %add.i.i223, 2.000000e+00
  %mul52 = fmul double %sub1.i.i225, 2.000000e+00
  %tobool.not = icmp eq i32 %add16, 0
  br i1 %tobool.not, label %cond.end, label %cond.true

for.body:                                         ; preds = %scaled.exit117, %for.body
  %sum.0261 = phi double [ 0.000000e+00, %scaled.exit117 ], [ %add32, %for.body ]
  %k.0260 = phi i32 [ 29, %scaled.exit117 ], [ %sub33, %for.body ]
  %mul30 = fmul double %add.i.i149, %sum.0261
  %conv31 = sitofp i32 %k.0260 to double
  %div = fdiv double 1.000000e+00, %conv31
  %add32 = fadd double %mul30, %div
  %sub33 = add nsw i32 %k.0260, -2
  %cmp27 = icmp ugt i32 %k.0260, 6
  br i1 %cmp27, label %for.body, label %for.cond.cleanup, !llvm.loop !14

cond.true:                                        ; preds = %for.cond.cleanup
  %conv56 = sitofp i32 %add16 to double
  %mul.i.i228 = fmul double %conv56, 0x3FE62E42FEFA39EF
  %fneg.i.i229 = fneg double %mul.i.i228
  %16 = tail call double @llvm.fma.f64(double %conv56, double 0x3FE62E42FEFA39EF, double %fneg.i.i229)
  %mul.i230 = fmul double %conv56, 0x3C7ABC9E3B39803F
  %add.i231 = fadd double %mul.i230, 0.000000e+00
  %add8.i232 = fadd double %16, %add.i231
  %add.i.i233 = fadd double %mul.i.i228, %add8.i232
  %sub.i.i234 = fsub double %add.i.i233, %mul.i.i228
  %sub1.i.i235 = fsub double %add8.i232, %sub.i.i234
  %add.i.i238 = fadd double %add.i.i233, %mul49
  %sub.i.i239 = fsub double %add.i.i238, %add.i.i233
  %sub1.i.i240 = fsub double %add.i.i238, %sub.i.i239
  %sub2.i.i241 = fsub double %add.i.i233, %sub1.i.i240
  %sub3.i.i242 = fsub double %mul49, %sub.i.i239
  %add4.i.i243 = fadd double %sub3.i.i242, %sub2.i.i241
  %add.i15.i244 = fadd double %sub1.i.i235, %mul52
  %sub.i16.i245 = fsub double %add.i15.i244, %sub1.i.i235
  %sub1.i17.i246 = fsub double %add.i15.i244, %sub.i16.i245
  %sub2.i18.i247 = fsub double %sub1.i.i235, %sub1.i17.i246
  %sub3.i19.i248 = fsub double %mul52, %sub.i16.i245
  %add4.i20.i249 = fadd double %sub3.i19.i248, %sub2.i18.i247
  %add.i250 = fadd double %add.i15.i244, %add4.i.i243
  %add.i23.i251 = fadd double %add.i.i238, %add.i250
  %sub.i24.i252 = fsub double %add.i23.i251, %add.i.i238
  %sub1.i25.i253 = fsub double %add.i250, %sub.i24.i252
  %add11.i254 = fadd double %add4.i20.i249, %sub1.i25.i253
  %add.i28.i255 = fadd double %add.i23.i251, %add11.i254
  %sub.i29.i256 = fsub double %add.i28.i255, %add.i23.i251
  %sub1.i30.i257 = fsub double %add11.i254, %sub.i29.i256
  br label %cond.end

cond.end:                                         ; preds = %for.cond.cleanup, %cond.true
  %retval.sroa.0.0 = phi double [ %add.i28.i255, %cond.true ], [ %mul49, %for.cond.cleanup ]
  %retval.sroa.3.0 = phi double [ %sub1.i30.i257, %cond.true ], [ %mul52, %for.cond.cleanup ]
  %.fca.0.insert = insertvalue { double, double } poison, double %retval.sroa.0.0, 0
  %.fca.1.insert = insertvalue { double, double } %.fca.0.insert, double %retval.sroa.3.0, 1
  ret { double, double } %.fca.1.insert
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @log2(double noundef %x) local_unnamed_addr #0 {
entry:
  %0 = bitcast double %x to i64
  %shr = lshr i64 %0, 52
  %conv = trunc i64 %shr to i32
  %sub = add nsw i32 %conv, -1023
  %cmp = fcmp ogt double %x, 0.000000e+00
  %cmp2 = fcmp olt double %x, 0x7FF0000000000000
  %or.cond = and i1 %cmp, %cmp2
  br i1 %or.cond, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %cmp.i = fcmp oeq double %x, 0.000000e+00
  %cmp1.i = fcmp olt double %x, 0.000000e+00
  %cond.i = select i1 %cmp1.i, double 0x7FF8000000000000, double %x
  %cond5.i = select i1 %cmp.i, double 0xFFF0000000000000, double %cond.i
  br label %cleanup

if.end:                                           ; preds = %entry
  %shl.mask = and i64 %0, 4503599627370495
  %cmp6 = icmp eq i64 %shl.mask, 0
  %cmp9 = icmp ne i32 %conv, 0
  %or.cond17 = and i1 %cmp6, %cmp9
  br i1 %or.cond17, label %if.then11, label %if.end13

if.then11:                                        ; preds = %if.end
  %conv12 = sitofp i32 %sub to double
  br label %cleanup

if.end13:                                         ; preds = %if.end
  %call14 = tail call fastcc { double, double } @logarithm(double %x, double 0.000000e+00) #5
  %1 = extractvalue { double, double } %call14, 0
  %2 = extractvalue { double, double } %call14, 1
  %mul.i.i = fmul double %1, 0x3FF71547652B82FE
  %fneg.i.i = fneg double %mul.i.i
  %3 = tail call double @llvm.fma.f64(double %1, double 0x3FF71547652B82FE, double %fneg.i.i)
  %mul.i = fmul double %1, 0x3C7777D0FFDA0D24
  %mul7.i = fmul double %2, 0x3FF71547652B82FE
  %add.i = fadd double %mul7.i, %mul.i
  %add8.i = fadd double %3, %add.i
  %add.i.i = fadd double %mul.i.i, %add8.i
  br label %cleanup

cleanup:                                          ; preds = %if.end13, %if.then11, %if.then
  %retval.0 = phi double [ %conv12, %if.then11 ], [ %add.i.i, %if.end13 ], [ %cond5.i, %if.then ]
  ret double %retval.0
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @log10(double noundef %x) local_unnamed_addr #0 {
entry:
  %cmp = fcmp ogt double %x, 0.000000e+00
  %cmp1 = fcmp olt double %x, 0x7FF0000000000000
  %or.cond = and i1 %cmp, %cmp1
  br i1 %or.cond, label %cond.true, label %cond.false

cond.true:                                        ; preds = %entry
  %call = tail call fastcc { double, double } @logarithm(double %x, double 0.000000e+00) #5
  %0 = extractvalue { double, double } %call, 0
  %1 = extractvalue { double, double } %call, 1
  %mul.i.i = fmul double %0, 0x3FDBCB7B1526E50E
  %fneg.i.i = fneg double %mul.i.i
  %2 = tail call double @llvm.fma.f64(double %0, double 0x3FDBCB7B1526E50E, double %fneg.i.i)
  %mul.i = fmul double %0, 0x3C695355BAAAFAD3
  %mul7.i = fmul double %1, 0x3FDBCB7B1526E50E
  %add.i = fadd double %mul7.i, %mul.i
  %add8.i = fadd double %2, %add.i
  %add.i.i = fadd double %mul.i.i, %add8.i
  br label %cond.end

cond.false:                                       ; preds = %entry
  %cmp.i = fcmp oeq double %x, 0.000000e+00
  %cmp1.i = fcmp olt double %x, 0.000000e+00
  %cond.i = select i1 %cmp1.i, double 0x7FF8000000000000, double %x
  %cond5.i = select i1 %cmp.i, double 0xFFF0000000000000, double %cond.i
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi double [ %add.i.i, %cond.true ], [ %cond5.i, %cond.false ]
  ret double %cond
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @log1p(double noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call double @llvm.fabs.f64(double %x)
  %cmp = fcmp olt double %0, 0x3C30000000000000
  br i1 %cmp, label %return, label %if.end

if.end:                                           ; preds = %entry
  %add = fadd double %x, 1.000000e+00
  %cmp1 = fcmp ogt double %add, 0.000000e+00
  %cmp3 = fcmp olt double %add, 0x7FF0000000000000
  %or.cond = and i1 %cmp1, %cmp3
  br i1 %or.cond, label %if.end6, label %if.then4

if.then4:                                         ; preds = %if.end
  %cmp.i = fcmp oeq double %add, 0.000000e+00
  %cmp1.i = fcmp olt double %add, 0.000000e+00
  %cond.i = select i1 %cmp1.i, double 0x7FF8000000000000, double %add
  %cond5.i = select i1 %cmp.i, double 0xFFF0000000000000, double %cond.i
  br label %return

if.end6:                                          ; preds = %if.end
  %sub.i = fadd double %add, -1.000000e+00
  %1 = fsub double %sub.i, %add
  %sub2.i = fadd double %1, 1.000000e+00
  %sub3.i = fsub double %x, %sub.i
  %add4.i = fadd double %sub3.i, %sub2.i
  %call8 = tail call fastcc { double, double } @logarithm(double %add, double %add4.i) #5
  %2 = extractvalue { double, double } %call8, 0
  br label %return

return:                                           ; preds = %entry, %if.end6, %if.then4
  %retval.0 = phi double [ %2, %if.end6 ], [ %cond5.i, %if.then4 ], [ %x, %entry ]
  ret double %retval.0
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @pow(double noundef %x, double noundef %y) local_unnamed_addr #0 {
entry:
  %0 = tail call double @llvm.fabs.f64(double %y)
  %cmp = fcmp oge double %0, 0x4340000000000000
  %conv = fptosi double %y to i64
  %conv1 = sitofp i64 %conv to double
  %cmp2 = fcmp oeq double %conv1, %y
  %1 = select i1 %cmp, i1 true, i1 %cmp2
  %cmp4 = fcmp olt double %0, 0x4340000000000000
  %or.cond105 = and i1 %cmp4, %1
  br i1 %or.cond105, label %land.rhs, label %land.end

land.rhs:                                         ; preds = %entry
  %and = and i64 %conv, 1
  %tobool7 = icmp ne i64 %and, 0
  br label %land.end

land.end:                                         ; preds = %land.rhs, %entry
  %2 = phi i1 [ false, %entry ], [ %tobool7, %land.rhs ]
  %3 = tail call double @llvm.fabs.f64(double %x)
  %cmp8 = fcmp oeq double %y, 0.000000e+00
  %cmp10 = fcmp oeq double %x, 1.000000e+00
  %or.cond = or i1 %cmp10, %cmp8
  br i1 %or.cond, label %cleanup, label %if.end

if.end:                                           ; preds = %land.end
  %or.cond106 = fcmp uno double %x, %y
  br i1 %or.cond106, label %if.then17, label %if.end18

if.then17:                                        ; preds = %if.end
  %add = fadd double %x, %y
  br label %cleanup

if.end18:                                         ; preds = %if.end
  %cmp19 = fcmp oeq double %0, 0x7FF0000000000000
  br i1 %cmp19, label %if.then21, label %if.end31

if.then21:                                        ; preds = %if.end18
  %cmp22 = fcmp oeq double %3, 1.000000e+00
  br i1 %cmp22, label %cleanup, label %cond.false

cond.false:                                       ; preds = %if.then21
  %cmp24 = fcmp ule double %3, 1.000000e+00
  %cmp26 = fcmp ogt double %y, 0.000000e+00
  %cmp28 = xor i1 %cmp24, %cmp26
  %cond = select i1 %cmp28, double 0x7FF0000000000000, double 0.000000e+00
  br label %cleanup

if.end31:                                         ; preds = %if.end18
  %cmp32 = fcmp oeq double %x, 0.000000e+00
  %cmp35 = fcmp oeq double %3, 0x7FF0000000000000
  %or.cond75 = or i1 %cmp32, %cmp35
  br i1 %or.cond75, label %if.then37, label %if.else

if.then37:                                        ; preds = %if.end31
  %cmp40 = fcmp ule double %y, 0.000000e+00
  %cmp42 = xor i1 %cmp32, %cmp40
  %cond44 = select i1 %cmp42, double 0.000000e+00, double 0x7FF0000000000000
  br label %if.end66

if.else:                                          ; preds = %if.end31
  %cmp45 = fcmp uge double %x, 0.000000e+00
  %or.cond76 = or i1 %cmp45, %1
  br i1 %or.cond76, label %if.else50, label %cleanup

if.else50:                                        ; preds = %if.else
  %call = tail call fastcc { double, double } @logarithm(double %3, double 0.000000e+00) #5
  %4 = extractvalue { double, double } %call, 0
  %mul = fmul double %4, %y
  %5 = tail call double @llvm.fabs.f64(double %mul)
  %cmp52 = fcmp olt double %5, 8.000000e+02
  br i1 %cmp52, label %if.else58, label %if.then54

if.then54:                                        ; preds = %if.else50
  %cmp55 = fcmp ogt double %mul, 0.000000e+00
  %cond57 = select i1 %cmp55, double 0x7FF0000000000000, double 0.000000e+00
  br label %if.end66

if.else58:                                        ; preds = %if.else50
  %6 = extractvalue { double, double } %call, 1
  %fneg.i.i = fneg double %mul
  %7 = tail call double @llvm.fma.f64(double %4, double %y, double %fneg.i.i)
  %mul.i = fmul double %4, 0.000000e+00
  %mul7.i = fmul double %6, %y
  %add.i = fadd double %mul7.i, %mul.i
  %add8.i = fadd double %7, %add.i
  %add.i.i = fadd double %mul, %add8.i
  %sub.i.i = fsub double %add.i.i, %mul
  %sub1.i.i = fsub double %add8.i, %sub.i.i
  %call63 = tail call fastcc double @rounded_power(double %add.i.i, double %sub1.i.i) #5
  br label %if.end66

if.end66:                                         ; preds = %if.then54, %if.else58, %if.then37
  %found.1 = phi double [ %cond44, %if.then37 ], [ %call63, %if.else58 ], [ %cond57, %if.then54 ]
  %8 = tail call double @llvm.copysign.f64(double %found.1, double %x)
  %cond71 = select i1 %2, double %8, double %found.1
  br label %cleanup

cleanup:                                          ; preds = %if.else, %cond.false, %if.then21, %land.end, %if.end66, %if.then17
  %retval.0 = phi double [ %add, %if.then17 ], [ %cond71, %if.end66 ], [ 1.000000e+00, %land.end ], [ %cond, %cond.false ], [ 1.000000e+00, %if.then21 ], [ 0x7FF8000000000000, %if.else ]
  ret double %retval.0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.copysign.f64(double, double) #2

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @__powidf2(double noundef %x, i32 noundef %n) local_unnamed_addr #0 {
entry:
  %tobool.not17 = icmp eq i32 %n, 0
  br i1 %tobool.not17, label %for.cond.cleanup, label %for.body.preheader

for.body.preheader:                               ; preds = %entry
  %cond = tail call i32 @llvm.abs.i32(i32 %n, i1 false)
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  %found.0.lcssa = phi double [ 1.000000e+00, %entry ], [ %found.1, %for.body ]
  %cmp = icmp slt i32 %n, 0
  %div = fdiv double 1.000000e+00, %found.0.lcssa
  %cond7 = select i1 %cmp, double %div, double %found.0.lcssa
  ret double %cond7

for.body:                                         ; preds = %for.body.preheader, %for.body
  %k.020 = phi i32 [ %shr, %for.body ], [ %cond, %for.body.preheader ]
  %found.019 = phi double [ %found.1, %for.body ], [ 1.000000e+00, %for.body.preheader ]
  %x.addr.018 = phi double [ %mul2, %for.body ], [ %x, %for.body.preheader ]
  %and = and i32 %k.020, 1
  %tobool1.not = icmp eq i32 %and, 0
  %mul = select i1 %tobool1.not, double 1.000000e+00, double %x.addr.018
  %found.1 = fmul double %found.019, %mul
  %shr = lshr i32 %k.020, 1
  %mul2 = fmul double %x.addr.018, %x.addr.018
  %tobool.not = icmp ult i32 %k.020, 2
  br i1 %tobool.not, label %for.cond.cleanup, label %for.body, !llvm.loop !15
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @sinh(double noundef %x) local_unnamed_addr #0 {
entry:
  %up = alloca %struct.pair, align 8
  %down = alloca %struct.pair, align 8
  %0 = tail call double @llvm.fabs.f64(double %x)
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %up) #6
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %down) #6
  %cmp = fcmp olt double %0, 3.500000e-01
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %mul = fmul double %x, %x
  %mul.i = fmul double %mul, 0x3DE6124613A86D09
  %add.i = fadd double %mul.i, 0x3E5AE64567F544E4
  %mul1.i = fmul double %mul, %add.i
  %add2.i = fadd double %mul1.i, 0x3EC71DE3A556C734
  %mul3.i = fmul double %mul, %add2.i
  %add4.i = fadd double %mul3.i, 0x3F2A01A01A01A01A
  %mul5.i = fmul double %mul, %add4.i
  %add6.i = fadd double %mul5.i, 0x3F81111111111111
  %mul7.i = fmul double %mul, %add6.i
  %add8.i = fadd double %mul7.i, 0x3FC5555555555555
  %mul9.i = fmul double %mul, %add8.i
  %mul1 = fmul double %mul9.i, %x
  %add = fadd double %mul1, %x
  br label %cleanup

if.end:                                           ; preds = %entry
  %cmp2 = fcmp olt double %0, 3.600000e+01
  br i1 %cmp2, label %if.else, label %if.then3

if.then3:                                         ; preds = %if.end
  %cmp4 = fcmp olt double %0, 7.200000e+02
  br i1 %cmp4, label %cond.true, label %if.end13

cond.true:                                        ; preds = %if.then3
  %add.i.i = fadd double %0, 0xBFE62E42FEFA39EF
  %sub.i.i = fsub double %add.i.i, %0
  %1 = fsub double %sub.i.i, %add.i.i
  %sub2.i.i = fadd double %0, %1
  %sub3.i.i = fsub double 0xBFE62E42FEFA39EF, %sub.i.i
  %add4.i.i = fadd double %sub3.i.i, %sub2.i.i
  %add.i34 = fadd double %add4.i.i, 0xBC7ABC9E3B39803F
  %add.i23.i = fadd double %add.i.i, %add.i34
  %sub.i24.i = fsub double %add.i23.i, %add.i.i
  %sub1.i25.i = fsub double %add.i34, %sub.i24.i
  %add11.i = fadd double %sub1.i25.i, 0.000000e+00
  %add.i28.i = fadd double %add.i23.i, %add11.i
  %2 = fsub double %add.i23.i, %add.i28.i
  %sub1.i30.i = fadd double %add11.i, %2
  %call8 = tail call fastcc double @rounded_power(double %add.i28.i, double %sub1.i30.i) #5
  br label %if.end13

if.else:                                          ; preds = %if.end
  call fastcc void @both_powers(double noundef %0, ptr noundef nonnull %up, ptr noundef nonnull %down) #5
  %3 = load double, ptr %down, align 8
  %4 = getelementptr inbounds { double, double }, ptr %down, i64 0, i32 1
  %5 = load double, ptr %4, align 8
  %fneg.i = fneg double %3
  %fneg3.i = fneg double %5
  %6 = load double, ptr %up, align 8
  %7 = getelementptr inbounds { double, double }, ptr %up, i64 0, i32 1
  %8 = load double, ptr %7, align 8
  %add.i.i35 = fsub double %6, %3
  %sub.i.i36 = fsub double %add.i.i35, %6
  %sub1.i.i37 = fsub double %add.i.i35, %sub.i.i36
  %sub2.i.i38 = fsub double %6, %sub1.i.i37
  %sub3.i.i39 = fsub double %fneg.i, %sub.i.i36
  %add4.i.i40 = fadd double %sub3.i.i39, %sub2.i.i38
  %add.i15.i41 = fsub double %8, %5
  %sub.i16.i = fsub double %add.i15.i41, %8
  %sub1.i17.i42 = fsub double %add.i15.i41, %sub.i16.i
  %sub2.i18.i43 = fsub double %8, %sub1.i17.i42
  %sub3.i19.i44 = fsub double %fneg3.i, %sub.i16.i
  %add4.i20.i45 = fadd double %sub3.i19.i44, %sub2.i18.i43
  %add.i46 = fadd double %add.i15.i41, %add4.i.i40
  %add.i23.i47 = fadd double %add.i.i35, %add.i46
  %sub.i24.i48 = fsub double %add.i23.i47, %add.i.i35
  %sub1.i25.i49 = fsub double %add.i46, %sub.i24.i48
  %add11.i50 = fadd double %add4.i20.i45, %sub1.i25.i49
  %add.i28.i51 = fadd double %add.i23.i47, %add11.i50
  %div = fmul double %add.i28.i51, 5.000000e-01
  br label %if.end13

if.end13:                                         ; preds = %cond.true, %if.then3, %if.else
  %found.0 = phi double [ %div, %if.else ], [ %call8, %cond.true ], [ 0x7FF0000000000000, %if.then3 ]
  %cmp14 = fcmp uno double %x, 0.000000e+00
  %9 = tail call double @llvm.copysign.f64(double %found.0, double %x)
  %cond18 = select i1 %cmp14, double %x, double %9
  br label %cleanup

cleanup:                                          ; preds = %if.end13, %if.then
  %retval.0 = phi double [ %add, %if.then ], [ %cond18, %if.end13 ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %down) #6
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %up) #6
  ret double %retval.0
}

; Function Attrs: nofree nosync nounwind memory(argmem: readwrite) uwtable
define internal fastcc void @both_powers(double noundef %x, ptr nocapture noundef %rising, ptr nocapture noundef writeonly %falling) unnamed_addr #3 {
entry:
  %mul.i = fmul double %x, 0x3FF71547652B82FE
  %0 = tail call double @llvm.rint.f64(double %mul.i)
  %mul2.i = fmul double %0, 0x3FE62E42FEE00000
  %sub.i = fsub double %x, %mul2.i
  %mul3.i = fmul double %0, 0xBDEA39EF35793C76
  %add.i.i = fadd double %mul3.i, %sub.i
  %sub.i.i = fsub double %add.i.i, %sub.i
  %sub1.i.i = fsub double %add.i.i, %sub.i.i
  %sub2.i.i = fsub double %sub.i, %sub1.i.i
  %sub3.i.i = fsub double %mul3.i, %sub.i.i
  %add4.i.i = fadd double %sub3.i.i, %sub2.i.i
  %add.i = fadd double %add4.i.i, 0.000000e+00
  %add.i27.i = fadd double %add.i.i, %add.i
  br label %for.body.i.i

for.body.i.i:                                     ; preds = %for.body.i.i, %entry
  %indvars.iv.i.i = phi i64 [ 0, %entry ], [ %indvars.iv.next.i.i, %for.body.i.i ]
  %sum.08.i.i = phi double [ 0x3DA93974A8C07C9D, %entry ], [ %add.i37.i, %for.body.i.i ]
  %mul.i.i = fmul double %add.i27.i, %sum.08.i.i
  %arrayidx.i.i = getelementptr inbounds [12 x double], ptr @beyond.factorials, i64 0, i64 %indvars.iv.i.i
  %1 = load double, ptr %arrayidx.i.i, align 8, !tbaa !5
  %div.i.i = fdiv double 1.000000e+00, %1
  %add.i37.i = fadd double %mul.i.i, %div.i.i
  %indvars.iv.next.i.i = add nuw nsw i64 %indvars.iv.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %indvars.iv.next.i.i, 12
  br i1 %exitcond.not.i.i, label %power_of_e.exit, label %for.body.i.i, !llvm.loop !9

power_of_e.exit:                                  ; preds = %for.body.i.i
  %conv.i = fptosi double %0 to i32
  %add.i32.i = fadd double %add.i27.i, 1.000000e+00
  %sub.i33.i = fadd double %add.i32.i, -1.000000e+00
  %sub1.i34.i = fsub double %add.i27.i, %sub.i33.i
  %2 = fsub double %add.i.i, %add.i27.i
  %sub1.i29.i = fadd double %add.i, %2
  %mul1.i.i = fmul double %add.i27.i, %add.i37.i
  %mul2.i.i = fmul double %add.i27.i, %mul1.i.i
  %mul16.i = fmul double %add.i32.i, %sub1.i29.i
  %add17.i = fadd double %mul16.i, %mul2.i.i
  %add18.i = fadd double %sub1.i34.i, %add17.i
  %add.i38.i = fadd double %add.i32.i, %add18.i
  %sub.i39.i = fsub double %add.i38.i, %add.i32.i
  %sub1.i40.i = fsub double %add18.i, %sub.i39.i
  %cmp134.i = icmp sgt i32 %conv.i, 1023
  br i1 %cmp134.i, label %for.body.i, label %for.cond3.preheader.i

for.cond3.preheader.i:                            ; preds = %for.body.i, %power_of_e.exit
  %x.addr.0.lcssa.i = phi double [ %add.i38.i, %power_of_e.exit ], [ %mul.i13, %for.body.i ]
  %shift.addr.0.lcssa.i = phi i32 [ %conv.i, %power_of_e.exit ], [ %sub.i14, %for.body.i ]
  %cmp639.i = icmp slt i32 %shift.addr.0.lcssa.i, -1022
  br i1 %cmp639.i, label %for.body9.i, label %scaled.exit

for.body.i:                                       ; preds = %power_of_e.exit, %for.body.i
  %k.037.i = phi i32 [ %inc.i, %for.body.i ], [ 0, %power_of_e.exit ]
  %shift.addr.036.i = phi i32 [ %sub.i14, %for.body.i ], [ %conv.i, %power_of_e.exit ]
  %x.addr.035.i = phi double [ %mul.i13, %for.body.i ], [ %add.i38.i, %power_of_e.exit ]
  %mul.i13 = fmul double %x.addr.035.i, 0x7FE0000000000000
  %inc.i = add nuw nsw i32 %k.037.i, 1
  %sub.i14 = add nsw i32 %shift.addr.036.i, -1023
  %cmp.i = icmp eq i32 %k.037.i, 0
  %cmp1.i = icmp sgt i32 %shift.addr.036.i, 2046
  %3 = select i1 %cmp.i, i1 %cmp1.i, i1 false
  br i1 %3, label %for.body.i, label %for.cond3.preheader.i, !llvm.loop !12

for.body9.i:                                      ; preds = %for.cond3.preheader.i, %for.body9.i
  %k2.042.i = phi i32 [ %inc12.i, %for.body9.i ], [ 0, %for.cond3.preheader.i ]
  %shift.addr.141.i = phi i32 [ %add.i15, %for.body9.i ], [ %shift.addr.0.lcssa.i, %for.cond3.preheader.i ]
  %x.addr.140.i = phi double [ %mul10.i, %for.body9.i ], [ %x.addr.0.lcssa.i, %for.cond3.preheader.i ]
  %mul10.i = fmul double %x.addr.140.i, 0x360000000000000
  %inc12.i = add nuw nsw i32 %k2.042.i, 1
  %add.i15 = add nuw nsw i32 %shift.addr.141.i, 969
  %cmp4.i = icmp eq i32 %k2.042.i, 0
  %cmp6.i = icmp slt i32 %shift.addr.141.i, -1991
  %4 = select i1 %cmp4.i, i1 %cmp6.i, i1 false
  br i1 %4, label %for.body9.i, label %scaled.exit, !llvm.loop !13

scaled.exit:                                      ; preds = %for.body9.i, %for.cond3.preheader.i
  %x.addr.1.lcssa.i = phi double [ %x.addr.0.lcssa.i, %for.cond3.preheader.i ], [ %mul10.i, %for.body9.i ]
  %shift.addr.1.lcssa.i = phi i32 [ %shift.addr.0.lcssa.i, %for.cond3.preheader.i ], [ %add.i15, %for.body9.i ]
  br i1 %cmp134.i, label %for.body.i29, label %for.cond3.preheader.i20

for.cond3.preheader.i20:                          ; preds = %for.body.i29, %scaled.exit
  %x.addr.0.lcssa.i17 = phi double [ %sub1.i40.i, %scaled.exit ], [ %mul.i24, %for.body.i29 ]
  %shift.addr.0.lcssa.i18 = phi i32 [ %conv.i, %scaled.exit ], [ %sub.i26, %for.body.i29 ]
  %cmp639.i19 = icmp slt i32 %shift.addr.0.lcssa.i18, -1022
  br i1 %cmp639.i19, label %for.body9.i46, label %scaled.exit47

for.body.i29:                                     ; preds = %scaled.exit, %for.body.i29
  %k.037.i21 = phi i32 [ %inc.i25, %for.body.i29 ], [ 0, %scaled.exit ]
  %shift.addr.036.i22 = phi i32 [ %sub.i26, %for.body.i29 ], [ %conv.i, %scaled.exit ]
  %x.addr.035.i23 = phi double [ %mul.i24, %for.body.i29 ], [ %sub1.i40.i, %scaled.exit ]
  %mul.i24 = fmul double %x.addr.035.i23, 0x7FE0000000000000
  %inc.i25 = add nuw nsw i32 %k.037.i21, 1
  %sub.i26 = add nsw i32 %shift.addr.036.i22, -1023
  %cmp.i27 = icmp eq i32 %k.037.i21, 0
  %cmp1.i28 = icmp sgt i32 %shift.addr.036.i22, 2046
  %5 = select i1 %cmp.i27, i1 %cmp1.i28, i1 false
  br i1 %5, label %for.body.i29, label %for.cond3.preheader.i20, !llvm.loop !12

for.body9.i46:                                    ; preds = %for.cond3.preheader.i20, %for.body9.i46
  %k2.042.i38 = phi i32 [ %inc12.i42, %for.body9.i46 ], [ 0, %for.cond3.preheader.i20 ]
  %shift.addr.141.i39 = phi i32 [ %add.i43, %for.body9.i46 ], [ %shift.addr.0.lcssa.i18, %for.cond3.preheader.i20 ]
  %x.addr.140.i40 = phi double [ %mul10.i41, %for.body9.i46 ], [ %x.addr.0.lcssa.i17, %for.cond3.preheader.i20 ]
  %mul10.i41 = fmul double %x.addr.140.i40, 0x360000000000000
  %inc12.i42 = add nuw nsw i32 %k2.042.i38, 1
  %add.i43 = add nuw nsw i32 %shift.addr.141.i39, 969
  %cmp4.i44 = icmp eq i32 %k2.042.i38, 0
  %cmp6.i45 = icmp slt i32 %shift.addr.141.i39, -1991
  %6 = select i1 %cmp4.i44, i1 %cmp6.i45, i1 false
  br i1 %6, label %for.body9.i46, label %scaled.exit47, !llvm.loop !13

scaled.exit47:                                    ; preds = %for.body9.i46, %for.cond3.preheader.i20
  %x.addr.1.lcssa.i30 = phi double [ %x.addr.0.lcssa.i17, %for.cond3.preheader.i20 ], [ %mul10.i41, %for.body9.i46 ]
  %shift.addr.1.lcssa.i31 = phi i32 [ %shift.addr.0.lcssa.i18, %for.cond3.preheader.i20 ], [ %add.i43, %for.body9.i46 ]
  %cond.i = tail call i32 @llvm.smax.i32(i32 %shift.addr.1.lcssa.i, i32 -1022)
  %cond19.i = tail call i32 @llvm.smin.i32(i32 %cond.i, i32 1023)
  %add20.i = add nsw i32 %cond19.i, 1023
  %conv33.i = zext i32 %add20.i to i64
  %shl.i = shl i64 %conv33.i, 52
  %7 = bitcast i64 %shl.i to double
  %mul21.i = fmul double %x.addr.1.lcssa.i, %7
  %cond.i32 = tail call i32 @llvm.smax.i32(i32 %shift.addr.1.lcssa.i31, i32 -1022)
  %cond19.i33 = tail call i32 @llvm.smin.i32(i32 %cond.i32, i32 1023)
  %add20.i34 = add nsw i32 %cond19.i33, 1023
  %conv33.i35 = zext i32 %add20.i34 to i64
  %shl.i36 = shl i64 %conv33.i35, 52
  %8 = bitcast i64 %shl.i36 to double
  %mul21.i37 = fmul double %x.addr.1.lcssa.i30, %8
  store double %mul21.i, ptr %rising, align 8, !tbaa.struct !16
  %.compoundliteral1.sroa.2.0..sroa_idx = getelementptr inbounds i8, ptr %rising, i64 8
  store double %mul21.i37, ptr %.compoundliteral1.sroa.2.0..sroa_idx, align 8, !tbaa.struct !17
  %9 = getelementptr inbounds { double, double }, ptr %rising, i64 0, i32 1
  %10 = load double, ptr %9, align 8
  %div.i = fdiv double 1.000000e+00, %mul21.i
  %mul.i.i.i = fmul double %mul21.i, %div.i
  %fneg.i.i.i = fneg double %mul.i.i.i
  %11 = tail call double @llvm.fma.f64(double %mul21.i, double %div.i, double %fneg.i.i.i)
  %mul.i.i48 = fmul double %mul21.i, 0.000000e+00
  %mul7.i.i = fmul double %div.i, %10
  %add.i.i49 = fadd double %mul.i.i48, %mul7.i.i
  %add8.i.i = fadd double %11, %add.i.i49
  %add.i.i.i = fadd double %mul.i.i.i, %add8.i.i
  %sub.i.i.i = fsub double %add.i.i.i, %mul.i.i.i
  %sub1.i.i.i = fsub double %add8.i.i, %sub.i.i.i
  %fneg.i.i = fneg double %add.i.i.i
  %fneg3.i.i = fneg double %sub1.i.i.i
  %add.i.i34.i = fsub double 1.000000e+00, %add.i.i.i
  %sub.i.i35.i = fadd double %add.i.i34.i, -1.000000e+00
  %12 = fsub double %sub.i.i35.i, %add.i.i34.i
  %sub2.i.i.i = fadd double %12, 1.000000e+00
  %sub3.i.i.i = fsub double %fneg.i.i, %sub.i.i35.i
  %add4.i.i.i = fadd double %sub3.i.i.i, %sub2.i.i.i
  %add.i15.i.i = fsub double 0.000000e+00, %sub1.i.i.i
  %13 = fsub double %add.i15.i.i, %add.i15.i.i
  %sub2.i18.i.i = fadd double %13, 0.000000e+00
  %sub3.i19.i.i = fsub double %fneg3.i.i, %add.i15.i.i
  %add4.i20.i.i = fadd double %sub3.i19.i.i, %sub2.i18.i.i
  %add.i37.i50 = fadd double %add.i15.i.i, %add4.i.i.i
  %add.i23.i.i = fadd double %add.i.i34.i, %add.i37.i50
  %sub.i24.i.i = fsub double %add.i23.i.i, %add.i.i34.i
  %sub1.i25.i.i = fsub double %add.i37.i50, %sub.i24.i.i
  %add11.i.i = fadd double %add4.i20.i.i, %sub1.i25.i.i
  %add.i28.i.i = fadd double %add.i23.i.i, %add11.i.i
  %sub.i29.i.i = fsub double %add.i28.i.i, %add.i23.i.i
  %sub1.i30.i.i = fsub double %add11.i.i, %sub.i29.i.i
  %div8.i = fdiv double %add.i28.i.i, %mul21.i
  %mul.i.i38.i = fmul double %mul21.i, %div8.i
  %fneg.i.i39.i = fneg double %mul.i.i38.i
  %14 = tail call double @llvm.fma.f64(double %mul21.i, double %div8.i, double %fneg.i.i39.i)
  %mul7.i41.i = fmul double %10, %div8.i
  %add.i42.i = fadd double %mul.i.i48, %mul7.i41.i
  %add8.i43.i = fadd double %14, %add.i42.i
  %add.i.i44.i = fadd double %mul.i.i38.i, %add8.i43.i
  %sub.i.i45.i = fsub double %add.i.i44.i, %mul.i.i38.i
  %sub1.i.i46.i = fsub double %add8.i43.i, %sub.i.i45.i
  %fneg.i49.i = fneg double %add.i.i44.i
  %fneg3.i50.i = fneg double %sub1.i.i46.i
  %add.i.i53.i = fsub double %add.i28.i.i, %add.i.i44.i
  %sub.i.i54.i = fsub double %add.i.i53.i, %add.i28.i.i
  %sub1.i.i55.i = fsub double %add.i.i53.i, %sub.i.i54.i
  %sub2.i.i56.i = fsub double %add.i28.i.i, %sub1.i.i55.i
  %sub3.i.i57.i = fsub double %fneg.i49.i, %sub.i.i54.i
  %add4.i.i58.i = fadd double %sub3.i.i57.i, %sub2.i.i56.i
  %add.i15.i59.i = fsub double %sub1.i30.i.i, %sub1.i.i46.i
  %sub.i16.i60.i = fsub double %add.i15.i59.i, %sub1.i30.i.i
  %sub1.i17.i61.i = fsub double %add.i15.i59.i, %sub.i16.i60.i
  %sub2.i18.i62.i = fsub double %sub1.i30.i.i, %sub1.i17.i61.i
  %sub3.i19.i63.i = fsub double %fneg3.i50.i, %sub.i16.i60.i
  %add4.i20.i64.i = fadd double %sub3.i19.i63.i, %sub2.i18.i62.i
  %add.i65.i = fadd double %add.i15.i59.i, %add4.i.i58.i
  %add.i23.i66.i = fadd double %add.i.i53.i, %add.i65.i
  %sub.i24.i67.i = fsub double %add.i23.i66.i, %add.i.i53.i
  %sub1.i25.i68.i = fsub double %add.i65.i, %sub.i24.i67.i
  %add11.i69.i = fadd double %add4.i20.i64.i, %sub1.i25.i68.i
  %add.i28.i70.i = fadd double %add.i23.i66.i, %add11.i69.i
  %add.i75.i = fadd double %div.i, %div8.i
  %sub.i.i51 = fsub double %add.i75.i, %div.i
  %sub1.i.i52 = fsub double %div8.i, %sub.i.i51
  %div22.i = fdiv double %add.i28.i70.i, %mul21.i
  %add.i53 = fadd double %sub1.i.i52, %div22.i
  %add.i78.i = fadd double %add.i75.i, %add.i53
  %sub.i79.i = fsub double %add.i78.i, %add.i75.i
  %sub1.i80.i = fsub double %add.i53, %sub.i79.i
  store double %add.i78.i, ptr %falling, align 8, !tbaa.struct !16
  %tmp.sroa.4.0..sroa_idx = getelementptr inbounds i8, ptr %falling, i64 8
  store double %sub1.i80.i, ptr %tmp.sroa.4.0..sroa_idx, align 8, !tbaa.struct !17
  ret void
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @cosh(double noundef %x) local_unnamed_addr #0 {
entry:
  %up = alloca %struct.pair, align 8
  %down = alloca %struct.pair, align 8
  %0 = tail call double @llvm.fabs.f64(double %x)
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %up) #6
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %down) #6
  %cmp = fcmp olt double %0, 7.200000e+02
  br i1 %cmp, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %cmp1 = fcmp uno double %x, 0.000000e+00
  %cond = select i1 %cmp1, double %x, double 0x7FF0000000000000
  br label %cleanup

if.end:                                           ; preds = %entry
  %cmp2 = fcmp ult double %0, 3.600000e+01
  br i1 %cmp2, label %if.end7, label %if.then3

if.then3:                                         ; preds = %if.end
  %add.i.i = fadd double %0, 0xBFE62E42FEFA39EF
  %sub.i.i = fsub double %add.i.i, %0
  %1 = fsub double %sub.i.i, %add.i.i
  %sub2.i.i = fadd double %0, %1
  %sub3.i.i = fsub double 0xBFE62E42FEFA39EF, %sub.i.i
  %add4.i.i = fadd double %sub3.i.i, %sub2.i.i
  %add.i = fadd double %add4.i.i, 0xBC7ABC9E3B39803F
  %add.i23.i = fadd double %add.i.i, %add.i
  %sub.i24.i = fsub double %add.i23.i, %add.i.i
  %sub1.i25.i = fsub double %add.i, %sub.i24.i
  %add11.i = fadd double %sub1.i25.i, 0.000000e+00
  %add.i28.i = fadd double %add.i23.i, %add11.i
  %2 = fsub double %add.i23.i, %add.i28.i
  %sub1.i30.i = fadd double %add11.i, %2
  %call6 = tail call fastcc double @rounded_power(double %add.i28.i, double %sub1.i30.i) #5
  br label %cleanup

if.end7:                                          ; preds = %if.end
  call fastcc void @both_powers(double noundef %0, ptr noundef nonnull %up, ptr noundef nonnull %down) #5
  %3 = load double, ptr %up, align 8
  %4 = getelementptr inbounds { double, double }, ptr %up, i64 0, i32 1
  %5 = load double, ptr %4, align 8
  %6 = load double, ptr %down, align 8
  %7 = getelementptr inbounds { double, double }, ptr %down, i64 0, i32 1
  %8 = load double, ptr %7, align 8
  %add.i.i18 = fadd double %3, %6
  %sub.i.i19 = fsub double %add.i.i18, %3
  %sub1.i.i20 = fsub double %add.i.i18, %sub.i.i19
  %sub2.i.i21 = fsub double %3, %sub1.i.i20
  %sub3.i.i22 = fsub double %6, %sub.i.i19
  %add4.i.i23 = fadd double %sub3.i.i22, %sub2.i.i21
  %add.i15.i24 = fadd double %5, %8
  %sub.i16.i = fsub double %add.i15.i24, %5
  %sub1.i17.i25 = fsub double %add.i15.i24, %sub.i16.i
  %sub2.i18.i26 = fsub double %5, %sub1.i17.i25
  %sub3.i19.i27 = fsub double %8, %sub.i16.i
  %add4.i20.i28 = fadd double %sub3.i19.i27, %sub2.i18.i26
  %add.i29 = fadd double %add.i15.i24, %add4.i.i23
  %add.i23.i30 = fadd double %add.i.i18, %add.i29
  %sub.i24.i31 = fsub double %add.i23.i30, %add.i.i18
  %sub1.i25.i32 = fsub double %add.i29, %sub.i24.i31
  %add11.i33 = fadd double %add4.i20.i28, %sub1.i25.i32
  %add.i28.i34 = fadd double %add.i23.i30, %add11.i33
  %div = fmul double %add.i28.i34, 5.000000e-01
  br label %cleanup

cleanup:                                          ; preds = %if.end7, %if.then3, %if.then
  %retval.0 = phi double [ %call6, %if.then3 ], [ %div, %if.end7 ], [ %cond, %if.then ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %down) #6
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %up) #6
  ret double %retval.0
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @tanh(double noundef %x) local_unnamed_addr #0 {
entry:
  %up = alloca %struct.pair, align 8
  %down = alloca %struct.pair, align 8
  %0 = tail call double @llvm.fabs.f64(double %x)
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %up) #6
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %down) #6
  %or.cond = fcmp ueq double %x, 0.000000e+00
  br i1 %or.cond, label %cleanup, label %if.end

if.end:                                           ; preds = %entry
  %cmp2 = fcmp olt double %0, 3.500000e-01
  br i1 %cmp2, label %if.then3, label %if.else

if.then3:                                         ; preds = %if.end
  %mul.i = fmul double %x, %x
  %fneg.i = fneg double %mul.i
  %1 = tail call double @llvm.fma.f64(double %x, double %x, double %fneg.i)
  %mul.i48 = fmul double %mul.i, 0x3DE6124613A86D09
  %add.i = fadd double %mul.i48, 0x3E5AE64567F544E4
  %mul1.i = fmul double %mul.i, %add.i
  %add2.i = fadd double %mul1.i, 0x3EC71DE3A556C734
  %mul3.i = fmul double %mul.i, %add2.i
  %add4.i = fadd double %mul3.i, 0x3F2A01A01A01A01A
  %mul5.i = fmul double %mul.i, %add4.i
  %add6.i = fadd double %mul5.i, 0x3F81111111111111
  %mul7.i = fmul double %mul.i, %add6.i
  %add8.i = fadd double %mul7.i, 0x3FC5555555555555
  %mul9.i = fmul double %mul.i, %add8.i
  %mul = fmul double %0, %mul9.i
  %add.i49 = fadd double %0, %mul
  %sub.i = fsub double %add.i49, %0
  %sub1.i = fsub double %mul, %sub.i
  %div = fmul double %mul.i, 5.000000e-01
  %div7 = fmul double %1, 5.000000e-01
  %mul.i52 = fmul double %mul.i, 0x3DA93974A8C07C9D
  %add.i53 = fadd double %mul.i52, 0x3E21EED8EFF8D898
  %mul1.i54 = fmul double %mul.i, %add.i53
  %add2.i55 = fadd double %mul1.i54, 0x3E927E4FB7789F5C
  %mul3.i56 = fmul double %mul.i, %add2.i55
  %add4.i57 = fadd double %mul3.i56, 0x3EFA01A01A01A01A
  %mul5.i58 = fmul double %mul.i, %add4.i57
  %add6.i59 = fadd double %mul5.i58, 0x3F56C16C16C16C17
  %mul7.i60 = fmul double %mul.i, %add6.i59
  %add8.i61 = fadd double %mul7.i60, 0x3FA5555555555555
  %mul9.i62 = fmul double %mul.i, %add8.i61
  %add10.i = fadd double %mul9.i62, 5.000000e-01
  %mul11.i = fmul double %mul.i, %add10.i
  %sub = fsub double %mul11.i, %div
  %add = fadd double %div7, %sub
  %add.i63 = fadd double %div, %add
  %sub.i64 = fsub double %add.i63, %div
  %sub1.i65 = fsub double %add, %sub.i64
  %add.i.i = fadd double %add.i63, 1.000000e+00
  %sub.i.i = fadd double %add.i.i, -1.000000e+00
  %2 = fsub double %sub.i.i, %add.i.i
  %sub2.i.i = fadd double %2, 1.000000e+00
  %sub3.i.i = fsub double %add.i63, %sub.i.i
  %add4.i.i = fadd double %sub3.i.i, %sub2.i.i
  %add.i15.i = fadd double %sub1.i65, 0.000000e+00
  %3 = fsub double %add.i15.i, %add.i15.i
  %sub2.i18.i = fadd double %3, 0.000000e+00
  %sub3.i19.i = fsub double %sub1.i65, %add.i15.i
  %add4.i20.i = fadd double %sub3.i19.i, %sub2.i18.i
  %add.i68 = fadd double %add.i15.i, %add4.i.i
  %add.i23.i = fadd double %add.i.i, %add.i68
  %sub.i24.i = fsub double %add.i23.i, %add.i.i
  %sub1.i25.i = fsub double %add.i68, %sub.i24.i
  %add11.i = fadd double %add4.i20.i, %sub1.i25.i
  %add.i28.i = fadd double %add.i23.i, %add11.i
  %sub.i29.i = fsub double %add.i28.i, %add.i23.i
  %sub1.i30.i = fsub double %add11.i, %sub.i29.i
  %div.i = fdiv double %add.i49, %add.i28.i
  %mul.i.i.i = fmul double %add.i28.i, %div.i
  %fneg.i.i.i = fneg double %mul.i.i.i
  %4 = tail call double @llvm.fma.f64(double %add.i28.i, double %div.i, double %fneg.i.i.i)
  %mul.i.i = fmul double %add.i28.i, 0.000000e+00
  %mul7.i.i = fmul double %div.i, %sub1.i30.i
  %add.i.i69 = fadd double %mul.i.i, %mul7.i.i
  %add8.i.i = fadd double %4, %add.i.i69
  %add.i.i.i = fadd double %mul.i.i.i, %add8.i.i
  %sub.i.i.i = fsub double %add.i.i.i, %mul.i.i.i
  %sub1.i.i.i = fsub double %add8.i.i, %sub.i.i.i
  %fneg.i.i = fneg double %add.i.i.i
  %fneg3.i.i = fneg double %sub1.i.i.i
  %add.i.i34.i = fsub double %add.i49, %add.i.i.i
  %sub.i.i35.i = fsub double %add.i.i34.i, %add.i49
  %sub1.i.i36.i = fsub double %add.i.i34.i, %sub.i.i35.i
  %sub2.i.i.i = fsub double %add.i49, %sub1.i.i36.i
  %sub3.i.i.i = fsub double %fneg.i.i, %sub.i.i35.i
  %add4.i.i.i = fadd double %sub3.i.i.i, %sub2.i.i.i
  %add.i15.i.i = fsub double %sub1.i, %sub1.i.i.i
  %sub.i16.i.i = fsub double %add.i15.i.i, %sub1.i
  %sub1.i17.i.i = fsub double %add.i15.i.i, %sub.i16.i.i
  %sub2.i18.i.i = fsub double %sub1.i, %sub1.i17.i.i
  %sub3.i19.i.i = fsub double %fneg3.i.i, %sub.i16.i.i
  %add4.i20.i.i = fadd double %sub3.i19.i.i, %sub2.i18.i.i
  %add.i37.i = fadd double %add.i15.i.i, %add4.i.i.i
  %add.i23.i.i = fadd double %add.i.i34.i, %add.i37.i
  %sub.i24.i.i = fsub double %add.i23.i.i, %add.i.i34.i
  %sub1.i25.i.i = fsub double %add.i37.i, %sub.i24.i.i
  %add11.i.i = fadd double %add4.i20.i.i, %sub1.i25.i.i
  %add.i28.i.i = fadd double %add.i23.i.i, %add11.i.i
  %sub.i29.i.i = fsub double %add.i28.i.i, %add.i23.i.i
  %sub1.i30.i.i = fsub double %add11.i.i, %sub.i29.i.i
  %div8.i = fdiv double %add.i28.i.i, %add.i28.i
  %mul.i.i38.i = fmul double %add.i28.i, %div8.i
  %fneg.i.i39.i = fneg double %mul.i.i38.i
  %5 = tail call double @llvm.fma.f64(double %add.i28.i, double %div8.i, double %fneg.i.i39.i)
  %mul7.i41.i = fmul double %sub1.i30.i, %div8.i
  %add.i42.i = fadd double %mul.i.i, %mul7.i41.i
  %add8.i43.i = fadd double %5, %add.i42.i
  %add.i.i44.i = fadd double %mul.i.i38.i, %add8.i43.i
  %sub.i.i45.i = fsub double %add.i.i44.i, %mul.i.i38.i
  %sub1.i.i46.i = fsub double %add8.i43.i, %sub.i.i45.i
  %fneg.i49.i = fneg double %add.i.i44.i
  %fneg3.i50.i = fneg double %sub1.i.i46.i
  %add.i.i53.i = fsub double %add.i28.i.i, %add.i.i44.i
  %sub.i.i54.i = fsub double %add.i.i53.i, %add.i28.i.i
  %sub1.i.i55.i = fsub double %add.i.i53.i, %sub.i.i54.i
  %sub2.i.i56.i = fsub double %add.i28.i.i, %sub1.i.i55.i
  %sub3.i.i57.i = fsub double %fneg.i49.i, %sub.i.i54.i
  %add4.i.i58.i = fadd double %sub3.i.i57.i, %sub2.i.i56.i
  %add.i15.i59.i = fsub double %sub1.i30.i.i, %sub1.i.i46.i
  %sub.i16.i60.i = fsub double %add.i15.i59.i, %sub1.i30.i.i
  %sub1.i17.i61.i = fsub double %add.i15.i59.i, %sub.i16.i60.i
  %sub2.i18.i62.i = fsub double %sub1.i30.i.i, %sub1.i17.i61.i
  %sub3.i19.i63.i = fsub double %fneg3.i50.i, %sub.i16.i60.i
  %add4.i20.i64.i = fadd double %sub3.i19.i63.i, %sub2.i18.i62.i
  %add.i65.i = fadd double %add.i15.i59.i, %add4.i.i58.i
  %add.i23.i66.i = fadd double %add.i.i53.i, %add.i65.i
  %sub.i24.i67.i = fsub double %add.i23.i66.i, %add.i.i53.i
  %sub1.i25.i68.i = fsub double %add.i65.i, %sub.i24.i67.i
  %add11.i69.i = fadd double %add4.i20.i64.i, %sub1.i25.i68.i
  %add.i28.i70.i = fadd double %add.i23.i66.i, %add11.i69.i
  %add.i75.i = fadd double %div.i, %div8.i
  %sub.i.i70 = fsub double %add.i75.i, %div.i
  %sub1.i.i71 = fsub double %div8.i, %sub.i.i70
  %div22.i = fdiv double %add.i28.i70.i, %add.i28.i
  %add.i72 = fadd double %sub1.i.i71, %div22.i
  %add.i78.i = fadd double %add.i75.i, %add.i72
  br label %if.end30

if.else:                                          ; preds = %if.end
  %cmp18 = fcmp olt double %0, 2.200000e+01
  br i1 %cmp18, label %if.then19, label %if.end30

if.then19:                                        ; preds = %if.else
  call fastcc void @both_powers(double noundef %0, ptr noundef nonnull %up, ptr noundef nonnull %down) #5
  %6 = load double, ptr %down, align 8
  %7 = getelementptr inbounds { double, double }, ptr %down, i64 0, i32 1
  %8 = load double, ptr %7, align 8
  %fneg.i73 = fneg double %6
  %fneg3.i = fneg double %8
  %9 = load double, ptr %up, align 8
  %10 = getelementptr inbounds { double, double }, ptr %up, i64 0, i32 1
  %11 = load double, ptr %10, align 8
  %add.i.i76 = fsub double %9, %6
  %sub.i.i77 = fsub double %add.i.i76, %9
  %sub1.i.i78 = fsub double %add.i.i76, %sub.i.i77
  %sub2.i.i79 = fsub double %9, %sub1.i.i78
  %sub3.i.i80 = fsub double %fneg.i73, %sub.i.i77
  %add4.i.i81 = fadd double %sub3.i.i80, %sub2.i.i79
  %add.i15.i82 = fsub double %11, %8
  %sub.i16.i = fsub double %add.i15.i82, %11
  %sub1.i17.i83 = fsub double %add.i15.i82, %sub.i16.i
  %sub2.i18.i84 = fsub double %11, %sub1.i17.i83
  %sub3.i19.i85 = fsub double %fneg3.i, %sub.i16.i
  %add4.i20.i86 = fadd double %sub3.i19.i85, %sub2.i18.i84
  %add.i87 = fadd double %add.i15.i82, %add4.i.i81
  %add.i23.i88 = fadd double %add.i.i76, %add.i87
  %sub.i24.i89 = fsub double %add.i23.i88, %add.i.i76
  %sub1.i25.i90 = fsub double %add.i87, %sub.i24.i89
  %add11.i91 = fadd double %add4.i20.i86, %sub1.i25.i90
  %add.i28.i92 = fadd double %add.i23.i88, %add11.i91
  %sub.i29.i93 = fsub double %add.i28.i92, %add.i23.i88
  %sub1.i30.i94 = fsub double %add11.i91, %sub.i29.i93
  %add.i.i97 = fadd double %6, %9
  %sub.i.i98 = fsub double %add.i.i97, %9
  %sub1.i.i99 = fsub double %add.i.i97, %sub.i.i98
  %sub2.i.i100 = fsub double %9, %sub1.i.i99
  %sub3.i.i101 = fsub double %6, %sub.i.i98
  %add4.i.i102 = fadd double %sub3.i.i101, %sub2.i.i100
  %add.i15.i103 = fadd double %8, %11
  %sub.i16.i104 = fsub double %add.i15.i103, %11
  %sub1.i17.i105 = fsub double %add.i15.i103, %sub.i16.i104
  %sub2.i18.i106 = fsub double %11, %sub1.i17.i105
  %sub3.i19.i107 = fsub double %8, %sub.i16.i104
  %add4.i20.i108 = fadd double %sub3.i19.i107, %sub2.i18.i106
  %add.i109 = fadd double %add.i15.i103, %add4.i.i102
  %add.i23.i110 = fadd double %add.i.i97, %add.i109
  %sub.i24.i111 = fsub double %add.i23.i110, %add.i.i97
  %sub1.i25.i112 = fsub double %add.i109, %sub.i24.i111
  %add11.i113 = fadd double %add4.i20.i108, %sub1.i25.i112
  %add.i28.i114 = fadd double %add.i23.i110, %add11.i113
  %sub.i29.i115 = fsub double %add.i28.i114, %add.i23.i110
  %sub1.i30.i116 = fsub double %add11.i113, %sub.i29.i115
  %div.i119 = fdiv double %add.i28.i92, %add.i28.i114
  %mul.i.i.i120 = fmul double %add.i28.i114, %div.i119
  %fneg.i.i.i121 = fneg double %mul.i.i.i120
  %12 = tail call double @llvm.fma.f64(double %add.i28.i114, double %div.i119, double %fneg.i.i.i121)
  %mul.i.i122 = fmul double %add.i28.i114, 0.000000e+00
  %mul7.i.i123 = fmul double %div.i119, %sub1.i30.i116
  %add.i.i124 = fadd double %mul.i.i122, %mul7.i.i123
  %add8.i.i125 = fadd double %12, %add.i.i124
  %add.i.i.i126 = fadd double %mul.i.i.i120, %add8.i.i125
  %sub.i.i.i127 = fsub double %add.i.i.i126, %mul.i.i.i120
  %sub1.i.i.i128 = fsub double %add8.i.i125, %sub.i.i.i127
  %fneg.i.i129 = fneg double %add.i.i.i126
  %fneg3.i.i130 = fneg double %sub1.i.i.i128
  %add.i.i34.i131 = fsub double %add.i28.i92, %add.i.i.i126
  %sub.i.i35.i132 = fsub double %add.i.i34.i131, %add.i28.i92
  %sub1.i.i36.i133 = fsub double %add.i.i34.i131, %sub.i.i35.i132
  %sub2.i.i.i134 = fsub double %add.i28.i92, %sub1.i.i36.i133
  %sub3.i.i.i135 = fsub double %fneg.i.i129, %sub.i.i35.i132
  %add4.i.i.i136 = fadd double %sub3.i.i.i135, %sub2.i.i.i134
  %add.i15.i.i137 = fsub double %sub1.i30.i94, %sub1.i.i.i128
  %sub.i16.i.i138 = fsub double %add.i15.i.i137, %sub1.i30.i94
  %sub1.i17.i.i139 = fsub double %add.i15.i.i137, %sub.i16.i.i138
  %sub2.i18.i.i140 = fsub double %sub1.i30.i94, %sub1.i17.i.i139
  %sub3.i19.i.i141 = fsub double %fneg3.i.i130, %sub.i16.i.i138
  %add4.i20.i.i142 = fadd double %sub3.i19.i.i141, %sub2.i18.i.i140
  %add.i37.i143 = fadd double %add.i15.i.i137, %add4.i.i.i136
  %add.i23.i.i144 = fadd double %add.i.i34.i131, %add.i37.i143
  %sub.i24.i.i145 = fsub double %add.i23.i.i144, %add.i.i34.i131
  %sub1.i25.i.i146 = fsub double %add.i37.i143, %sub.i24.i.i145
  %add11.i.i147 = fadd double %add4.i20.i.i142, %sub1.i25.i.i146
  %add.i28.i.i148 = fadd double %add.i23.i.i144, %add11.i.i147
  %sub.i29.i.i149 = fsub double %add.i28.i.i148, %add.i23.i.i144
  %sub1.i30.i.i150 = fsub double %add11.i.i147, %sub.i29.i.i149
  %div8.i151 = fdiv double %add.i28.i.i148, %add.i28.i114
  %mul.i.i38.i152 = fmul double %add.i28.i114, %div8.i151
  %fneg.i.i39.i153 = fneg double %mul.i.i38.i152
  %13 = tail call double @llvm.fma.f64(double %add.i28.i114, double %div8.i151, double %fneg.i.i39.i153)
  %mul7.i41.i154 = fmul double %sub1.i30.i116, %div8.i151
  %add.i42.i155 = fadd double %mul.i.i122, %mul7.i41.i154
  %add8.i43.i156 = fadd double %13, %add.i42.i155
  %add.i.i44.i157 = fadd double %mul.i.i38.i152, %add8.i43.i156
  %sub.i.i45.i158 = fsub double %add.i.i44.i157, %mul.i.i38.i152
  %sub1.i.i46.i159 = fsub double %add8.i43.i156, %sub.i.i45.i158
  %fneg.i49.i160 = fneg double %add.i.i44.i157
  %fneg3.i50.i161 = fneg double %sub1.i.i46.i159
  %add.i.i53.i162 = fsub double %add.i28.i.i148, %add.i.i44.i157
  %sub.i.i54.i163 = fsub double %add.i.i53.i162, %add.i28.i.i148
  %sub1.i.i55.i164 = fsub double %add.i.i53.i162, %sub.i.i54.i163
  %sub2.i.i56.i165 = fsub double %add.i28.i.i148, %sub1.i.i55.i164
  %sub3.i.i57.i166 = fsub double %fneg.i49.i160, %sub.i.i54.i163
  %add4.i.i58.i167 = fadd double %sub3.i.i57.i166, %sub2.i.i56.i165
  %add.i15.i59.i168 = fsub double %sub1.i30.i.i150, %sub1.i.i46.i159
  %sub.i16.i60.i169 = fsub double %add.i15.i59.i168, %sub1.i30.i.i150
  %sub1.i17.i61.i170 = fsub double %add.i15.i59.i168, %sub.i16.i60.i169
  %sub2.i18.i62.i171 = fsub double %sub1.i30.i.i150, %sub1.i17.i61.i170
  %sub3.i19.i63.i172 = fsub double %fneg3.i50.i161, %sub.i16.i60.i169
  %add4.i20.i64.i173 = fadd double %sub3.i19.i63.i172, %sub2.i18.i62.i171
  %add.i65.i174 = fadd double %add.i15.i59.i168, %add4.i.i58.i167
  %add.i23.i66.i175 = fadd double %add.i.i53.i162, %add.i65.i174
  %sub.i24.i67.i176 = fsub double %add.i23.i66.i175, %add.i.i53.i162
  %sub1.i25.i68.i177 = fsub double %add.i65.i174, %sub.i24.i67.i176
  %add11.i69.i178 = fadd double %add4.i20.i64.i173, %sub1.i25.i68.i177
  %add.i28.i70.i179 = fadd double %add.i23.i66.i175, %add11.i69.i178
  %add.i75.i180 = fadd double %div.i119, %div8.i151
  %sub.i.i181 = fsub double %add.i75.i180, %div.i119
  %sub1.i.i182 = fsub double %div8.i151, %sub.i.i181
  %div22.i183 = fdiv double %add.i28.i70.i179, %add.i28.i114
  %add.i184 = fadd double %sub1.i.i182, %div22.i183
  %add.i78.i185 = fadd double %add.i75.i180, %add.i184
  br label %if.end30

if.end30:                                         ; preds = %if.else, %if.then19, %if.then3
  %found.0 = phi double [ %add.i78.i, %if.then3 ], [ %add.i78.i185, %if.then19 ], [ 1.000000e+00, %if.else ]
  %14 = tail call double @llvm.copysign.f64(double %found.0, double %x)
  br label %cleanup

cleanup:                                          ; preds = %entry, %if.end30
  %retval.0 = phi double [ %14, %if.end30 ], [ %x, %entry ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %down) #6
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %up) #6
  ret double %retval.0
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @asinh(double noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call double @llvm.fabs.f64(double %x)
  %cmp = fcmp ogt double %0, 0x3E30000000000000
  br i1 %cmp, label %if.end, label %cleanup

if.end:                                           ; preds = %entry
  %cmp1 = fcmp ogt double %0, 0x41B0000000000000
  br i1 %cmp1, label %if.then2, label %if.else

if.then2:                                         ; preds = %if.end
  %cmp3 = fcmp olt double %0, 0x7FF0000000000000
  %cond = select i1 %cmp3, double %0, double 1.000000e+00
  %call = tail call fastcc { double, double } @logarithm(double %cond, double 0.000000e+00) #5
  %1 = extractvalue { double, double } %call, 0
  %2 = extractvalue { double, double } %call, 1
  %add.i.i = fadd double %1, 0x3FE62E42FEFA39EF
  %sub.i.i = fsub double %add.i.i, %1
  %sub1.i.i = fsub double %add.i.i, %sub.i.i
  %sub2.i.i = fsub double %1, %sub1.i.i
  %sub3.i.i = fsub double 0x3FE62E42FEFA39EF, %sub.i.i
  %add4.i.i = fadd double %sub3.i.i, %sub2.i.i
  %add.i15.i = fadd double %2, 0x3C7ABC9E3B39803F
  %sub.i16.i = fsub double %add.i15.i, %2
  %sub1.i17.i = fsub double %add.i15.i, %sub.i16.i
  %sub2.i18.i = fsub double %2, %sub1.i17.i
  %sub3.i19.i = fsub double 0x3C7ABC9E3B39803F, %sub.i16.i
  %add4.i20.i = fadd double %sub3.i19.i, %sub2.i18.i
  %add.i = fadd double %add.i15.i, %add4.i.i
  %add.i23.i = fadd double %add.i.i, %add.i
  %sub.i24.i = fsub double %add.i23.i, %add.i.i
  %sub1.i25.i = fsub double %add.i, %sub.i24.i
  %add11.i = fadd double %add4.i20.i, %sub1.i25.i
  %add.i28.i = fadd double %add.i23.i, %add11.i
  %cond10 = select i1 %cmp3, double 0.000000e+00, double %0
  %add = fadd double %cond10, %add.i28.i
  br label %if.end27

if.else:                                          ; preds = %if.end
  %mul.i = fmul double %x, %x
  %fneg.i = fneg double %mul.i
  %3 = tail call double @llvm.fma.f64(double %x, double %x, double %fneg.i)
  %add.i.i39 = fadd double %mul.i, 1.000000e+00
  %sub.i.i40 = fsub double %add.i.i39, %mul.i
  %sub1.i.i41 = fsub double %add.i.i39, %sub.i.i40
  %sub2.i.i42 = fsub double %mul.i, %sub1.i.i41
  %sub3.i.i43 = fsub double 1.000000e+00, %sub.i.i40
  %add4.i.i44 = fadd double %sub3.i.i43, %sub2.i.i42
  %add.i15.i45 = fadd double %3, 0.000000e+00
  %sub.i16.i46 = fsub double %add.i15.i45, %3
  %sub1.i17.i47 = fsub double %add.i15.i45, %sub.i16.i46
  %sub2.i18.i48 = fsub double %3, %sub1.i17.i47
  %sub3.i19.i49 = fsub double 0.000000e+00, %sub.i16.i46
  %add4.i20.i50 = fadd double %sub3.i19.i49, %sub2.i18.i48
  %add.i51 = fadd double %add.i15.i45, %add4.i.i44
  %add.i23.i52 = fadd double %add.i.i39, %add.i51
  %sub.i24.i53 = fsub double %add.i23.i52, %add.i.i39
  %sub1.i25.i54 = fsub double %add.i51, %sub.i24.i53
  %add11.i55 = fadd double %add4.i20.i50, %sub1.i25.i54
  %add.i28.i56 = fadd double %add.i23.i52, %add11.i55
  %sub.i29.i57 = fsub double %add.i28.i56, %add.i23.i52
  %sub1.i30.i58 = fsub double %add11.i55, %sub.i29.i57
  %cmp.i = fcmp oeq double %add.i28.i56, 0.000000e+00
  br i1 %cmp.i, label %root.exit, label %if.end.i

if.end.i:                                         ; preds = %if.else
  %4 = tail call double @llvm.sqrt.f64(double %add.i28.i56)
  %5 = fneg double %4
  %fneg.i.i = fmul double %4, %5
  %6 = tail call double @llvm.fma.f64(double %4, double %4, double %fneg.i.i)
  %fneg3.i.i = fneg double %6
  %add.i.i.i = fadd double %add.i28.i56, %fneg.i.i
  %sub.i.i.i = fsub double %add.i.i.i, %add.i28.i56
  %sub1.i.i.i = fsub double %add.i.i.i, %sub.i.i.i
  %sub2.i.i.i = fsub double %add.i28.i56, %sub1.i.i.i
  %sub3.i.i.i = fsub double %fneg.i.i, %sub.i.i.i
  %add4.i.i.i = fadd double %sub3.i.i.i, %sub2.i.i.i
  %add.i15.i.i = fsub double %sub1.i30.i58, %6
  %sub.i16.i.i = fsub double %add.i15.i.i, %sub1.i30.i58
  %sub1.i17.i.i = fsub double %add.i15.i.i, %sub.i16.i.i
  %sub2.i18.i.i = fsub double %sub1.i30.i58, %sub1.i17.i.i
  %sub3.i19.i.i = fsub double %fneg3.i.i, %sub.i16.i.i
  %add4.i20.i.i = fadd double %sub3.i19.i.i, %sub2.i18.i.i
  %add.i.i61 = fadd double %add.i15.i.i, %add4.i.i.i
  %add.i23.i.i = fadd double %add.i.i.i, %add.i.i61
  %sub.i24.i.i = fsub double %add.i23.i.i, %add.i.i.i
  %sub1.i25.i.i = fsub double %add.i.i61, %sub.i24.i.i
  %add11.i.i = fadd double %add4.i20.i.i, %sub1.i25.i.i
  %add.i28.i.i = fadd double %add.i23.i.i, %add11.i.i
  %mul.i62 = fmul double %4, 2.000000e+00
  %div.i = fdiv double %add.i28.i.i, %mul.i62
  %add.i15.i63 = fadd double %4, %div.i
  %sub.i.i64 = fsub double %add.i15.i63, %4
  %sub1.i.i65 = fsub double %div.i, %sub.i.i64
  br label %root.exit

root.exit:                                        ; preds = %if.else, %if.end.i
  %retval.sroa.0.0.i = phi double [ %add.i15.i63, %if.end.i ], [ %add.i28.i56, %if.else ]
  %retval.sroa.3.0.i = phi double [ %sub1.i.i65, %if.end.i ], [ %sub1.i30.i58, %if.else ]
  %add.i.i68 = fadd double %0, %retval.sroa.0.0.i
  %sub.i.i69 = fsub double %add.i.i68, %retval.sroa.0.0.i
  %sub1.i.i70 = fsub double %add.i.i68, %sub.i.i69
  %sub2.i.i71 = fsub double %retval.sroa.0.0.i, %sub1.i.i70
  %sub3.i.i72 = fsub double %0, %sub.i.i69
  %add4.i.i73 = fadd double %sub3.i.i72, %sub2.i.i71
  %add.i15.i74 = fadd double %retval.sroa.3.0.i, 0.000000e+00
  %sub.i16.i75 = fsub double %add.i15.i74, %retval.sroa.3.0.i
  %sub1.i17.i76 = fsub double %add.i15.i74, %sub.i16.i75
  %sub2.i18.i77 = fsub double %retval.sroa.3.0.i, %sub1.i17.i76
  %sub3.i19.i78 = fsub double 0.000000e+00, %sub.i16.i75
  %add4.i20.i79 = fadd double %sub3.i19.i78, %sub2.i18.i77
  %add.i80 = fadd double %add.i15.i74, %add4.i.i73
  %add.i23.i81 = fadd double %add.i.i68, %add.i80
  %sub.i24.i82 = fsub double %add.i23.i81, %add.i.i68
  %sub1.i25.i83 = fsub double %add.i80, %sub.i24.i82
  %add11.i84 = fadd double %add4.i20.i79, %sub1.i25.i83
  %add.i28.i85 = fadd double %add.i23.i81, %add11.i84
  %sub.i29.i86 = fsub double %add.i28.i85, %add.i23.i81
  %sub1.i30.i87 = fsub double %add11.i84, %sub.i29.i86
  %call24 = tail call fastcc { double, double } @logarithm(double %add.i28.i85, double %sub1.i30.i87) #5
  %7 = extractvalue { double, double } %call24, 0
  br label %if.end27

if.end27:                                         ; preds = %root.exit, %if.then2
  %found.0 = phi double [ %add, %if.then2 ], [ %7, %root.exit ]
  %8 = tail call double @llvm.copysign.f64(double %found.0, double %x)
  br label %cleanup

cleanup:                                          ; preds = %entry, %if.end27
  %retval.0 = phi double [ %8, %if.end27 ], [ %x, %entry ]
  ret double %retval.0
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @acosh(double noundef %x) local_unnamed_addr #0 {
entry:
  %cmp = fcmp ogt double %x, 1.000000e+00
  br i1 %cmp, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %cmp1 = fcmp oeq double %x, 1.000000e+00
  %cmp2 = fcmp uno double %x, 0.000000e+00
  %cond = select i1 %cmp2, double %x, double 0x7FF8000000000000
  %cond6 = select i1 %cmp1, double 0.000000e+00, double %cond
  br label %return

if.end:                                           ; preds = %entry
  %cmp7 = fcmp ogt double %x, 0x41B0000000000000
  br i1 %cmp7, label %if.then8, label %if.end16

if.then8:                                         ; preds = %if.end
  %cmp9 = fcmp olt double %x, 0x7FF0000000000000
  br i1 %cmp9, label %cond.true10, label %return

cond.true10:                                      ; preds = %if.then8
  %call = tail call fastcc { double, double } @logarithm(double %x, double 0.000000e+00) #5
  %0 = extractvalue { double, double } %call, 0
  %1 = extractvalue { double, double } %call, 1
  %add.i.i = fadd double %0, 0x3FE62E42FEFA39EF
  %sub.i.i = fsub double %add.i.i, %0
  %sub1.i.i = fsub double %add.i.i, %sub.i.i
  %sub2.i.i = fsub double %0, %sub1.i.i
  %sub3.i.i = fsub double 0x3FE62E42FEFA39EF, %sub.i.i
  %add4.i.i = fadd double %sub3.i.i, %sub2.i.i
  %add.i15.i = fadd double %1, 0x3C7ABC9E3B39803F
  %sub.i16.i = fsub double %add.i15.i, %1
  %sub1.i17.i = fsub double %add.i15.i, %sub.i16.i
  %sub2.i18.i = fsub double %1, %sub1.i17.i
  %sub3.i19.i = fsub double 0x3C7ABC9E3B39803F, %sub.i16.i
  %add4.i20.i = fadd double %sub3.i19.i, %sub2.i18.i
  %add.i = fadd double %add.i15.i, %add4.i.i
  %add.i23.i = fadd double %add.i.i, %add.i
  %sub.i24.i = fsub double %add.i23.i, %add.i.i
  %sub1.i25.i = fsub double %add.i, %sub.i24.i
  %add11.i = fadd double %add4.i20.i, %sub1.i25.i
  %add.i28.i = fadd double %add.i23.i, %add11.i
  br label %return

if.end16:                                         ; preds = %if.end
  %mul.i = fmul double %x, %x
  %fneg.i = fneg double %mul.i
  %2 = tail call double @llvm.fma.f64(double %x, double %x, double %fneg.i)
  %add.i.i44 = fadd double %mul.i, -1.000000e+00
  %sub.i.i45 = fsub double %add.i.i44, %mul.i
  %sub1.i.i46 = fsub double %add.i.i44, %sub.i.i45
  %sub2.i.i47 = fsub double %mul.i, %sub1.i.i46
  %sub3.i.i48 = fsub double -1.000000e+00, %sub.i.i45
  %add4.i.i49 = fadd double %sub3.i.i48, %sub2.i.i47
  %add.i15.i50 = fadd double %2, 0.000000e+00
  %sub.i16.i51 = fsub double %add.i15.i50, %2
  %sub1.i17.i52 = fsub double %add.i15.i50, %sub.i16.i51
  %sub2.i18.i53 = fsub double %2, %sub1.i17.i52
  %sub3.i19.i54 = fsub double 0.000000e+00, %sub.i16.i51
  %add4.i20.i55 = fadd double %sub3.i19.i54, %sub2.i18.i53
  %add.i56 = fadd double %add.i15.i50, %add4.i.i49
  %add.i23.i57 = fadd double %add.i.i44, %add.i56
  %sub.i24.i58 = fsub double %add.i23.i57, %add.i.i44
  %sub1.i25.i59 = fsub double %add.i56, %sub.i24.i58
  %add11.i60 = fadd double %add4.i20.i55, %sub1.i25.i59
  %add.i28.i61 = fadd double %add.i23.i57, %add11.i60
  %sub.i29.i62 = fsub double %add.i28.i61, %add.i23.i57
  %sub1.i30.i63 = fsub double %add11.i60, %sub.i29.i62
  %cmp.i = fcmp oeq double %add.i28.i61, 0.000000e+00
  br i1 %cmp.i, label %root.exit, label %if.end.i

if.end.i:                                         ; preds = %if.end16
  %3 = tail call double @llvm.sqrt.f64(double %add.i28.i61)
  %4 = fneg double %3
  %fneg.i.i = fmul double %3, %4
  %5 = tail call double @llvm.fma.f64(double %3, double %3, double %fneg.i.i)
  %fneg3.i.i = fneg double %5
  %add.i.i.i = fadd double %add.i28.i61, %fneg.i.i
  %sub.i.i.i = fsub double %add.i.i.i, %add.i28.i61
  %sub1.i.i.i = fsub double %add.i.i.i, %sub.i.i.i
  %sub2.i.i.i = fsub double %add.i28.i61, %sub1.i.i.i
  %sub3.i.i.i = fsub double %fneg.i.i, %sub.i.i.i
  %add4.i.i.i = fadd double %sub3.i.i.i, %sub2.i.i.i
  %add.i15.i.i = fsub double %sub1.i30.i63, %5
  %sub.i16.i.i = fsub double %add.i15.i.i, %sub1.i30.i63
  %sub1.i17.i.i = fsub double %add.i15.i.i, %sub.i16.i.i
  %sub2.i18.i.i = fsub double %sub1.i30.i63, %sub1.i17.i.i
  %sub3.i19.i.i = fsub double %fneg3.i.i, %sub.i16.i.i
  %add4.i20.i.i = fadd double %sub3.i19.i.i, %sub2.i18.i.i
  %add.i.i66 = fadd double %add.i15.i.i, %add4.i.i.i
  %add.i23.i.i = fadd double %add.i.i.i, %add.i.i66
  %sub.i24.i.i = fsub double %add.i23.i.i, %add.i.i.i
  %sub1.i25.i.i = fsub double %add.i.i66, %sub.i24.i.i
  %add11.i.i = fadd double %add4.i20.i.i, %sub1.i25.i.i
  %add.i28.i.i = fadd double %add.i23.i.i, %add11.i.i
  %mul.i67 = fmul double %3, 2.000000e+00
  %div.i = fdiv double %add.i28.i.i, %mul.i67
  %add.i15.i68 = fadd double %3, %div.i
  %sub.i.i69 = fsub double %add.i15.i68, %3
  %sub1.i.i70 = fsub double %div.i, %sub.i.i69
  br label %root.exit

root.exit:                                        ; preds = %if.end16, %if.end.i
  %retval.sroa.0.0.i = phi double [ %add.i15.i68, %if.end.i ], [ %add.i28.i61, %if.end16 ]
  %retval.sroa.3.0.i = phi double [ %sub1.i.i70, %if.end.i ], [ %sub1.i30.i63, %if.end16 ]
  %add.i.i73 = fadd double %retval.sroa.0.0.i, %x
  %sub.i.i74 = fsub double %add.i.i73, %retval.sroa.0.0.i
  %sub1.i.i75 = fsub double %add.i.i73, %sub.i.i74
  %sub2.i.i76 = fsub double %retval.sroa.0.0.i, %sub1.i.i75
  %sub3.i.i77 = fsub double %x, %sub.i.i74
  %add4.i.i78 = fadd double %sub3.i.i77, %sub2.i.i76
  %add.i15.i79 = fadd double %retval.sroa.3.0.i, 0.000000e+00
  %sub.i16.i80 = fsub double %add.i15.i79, %retval.sroa.3.0.i
  %sub1.i17.i81 = fsub double %add.i15.i79, %sub.i16.i80
  %sub2.i18.i82 = fsub double %retval.sroa.3.0.i, %sub1.i17.i81
  %sub3.i19.i83 = fsub double 0.000000e+00, %sub.i16.i80
  %add4.i20.i84 = fadd double %sub3.i19.i83, %sub2.i18.i82
  %add.i85 = fadd double %add.i15.i79, %add4.i.i78
  %add.i23.i86 = fadd double %add.i.i73, %add.i85
  %sub.i24.i87 = fsub double %add.i23.i86, %add.i.i73
  %sub1.i25.i88 = fsub double %add.i85, %sub.i24.i87
  %add11.i89 = fadd double %add4.i20.i84, %sub1.i25.i88
  %add.i28.i90 = fadd double %add.i23.i86, %add11.i89
  %sub.i29.i91 = fsub double %add.i28.i90, %add.i23.i86
  %sub1.i30.i92 = fsub double %add11.i89, %sub.i29.i91
  %call30 = tail call fastcc { double, double } @logarithm(double %add.i28.i90, double %sub1.i30.i92) #5
  %6 = extractvalue { double, double } %call30, 0
  br label %return

return:                                           ; preds = %cond.true10, %if.then8, %root.exit, %if.then
  %retval.0 = phi double [ %6, %root.exit ], [ %cond6, %if.then ], [ %add.i28.i, %cond.true10 ], [ %x, %if.then8 ]
  ret double %retval.0
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @atanh(double noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call double @llvm.fabs.f64(double %x)
  %cmp = fcmp ogt double %0, 0x3E30000000000000
  br i1 %cmp, label %if.end, label %cleanup

if.end:                                           ; preds = %entry
  %cmp1 = fcmp ult double %0, 1.000000e+00
  br i1 %cmp1, label %if.end4, label %if.then2

if.then2:                                         ; preds = %if.end
  %cmp3 = fcmp oeq double %0, 1.000000e+00
  %1 = tail call double @llvm.copysign.f64(double 0x7FF0000000000000, double %x)
  %cond = select i1 %cmp3, double %1, double 0x7FF8000000000000
  br label %cleanup

if.end4:                                          ; preds = %if.end
  %add.i = fadd double %0, 1.000000e+00
  %sub.i = fadd double %add.i, -1.000000e+00
  %2 = fsub double %sub.i, %add.i
  %sub2.i = fadd double %2, 1.000000e+00
  %sub3.i = fsub double %0, %sub.i
  %add4.i = fadd double %sub3.i, %sub2.i
  %fneg = fneg double %0
  %add.i17 = fsub double 1.000000e+00, %0
  %sub.i18 = fadd double %add.i17, -1.000000e+00
  %3 = fsub double %sub.i18, %add.i17
  %sub2.i20 = fadd double %3, 1.000000e+00
  %sub3.i21 = fsub double %fneg, %sub.i18
  %add4.i22 = fadd double %sub3.i21, %sub2.i20
  %div.i = fdiv double %add.i, %add.i17
  %mul.i.i.i = fmul double %add.i17, %div.i
  %fneg.i.i.i = fneg double %mul.i.i.i
  %4 = tail call double @llvm.fma.f64(double %add.i17, double %div.i, double %fneg.i.i.i)
  %mul.i.i = fmul double %add.i17, 0.000000e+00
  %mul7.i.i = fmul double %div.i, %add4.i22
  %add.i.i = fadd double %mul.i.i, %mul7.i.i
  %add8.i.i = fadd double %4, %add.i.i
  %add.i.i.i = fadd double %mul.i.i.i, %add8.i.i
  %sub.i.i.i = fsub double %add.i.i.i, %mul.i.i.i
  %sub1.i.i.i = fsub double %add8.i.i, %sub.i.i.i
  %fneg.i.i = fneg double %add.i.i.i
  %fneg3.i.i = fneg double %sub1.i.i.i
  %add.i.i34.i = fsub double %add.i, %add.i.i.i
  %sub.i.i35.i = fsub double %add.i.i34.i, %add.i
  %sub1.i.i36.i = fsub double %add.i.i34.i, %sub.i.i35.i
  %sub2.i.i.i = fsub double %add.i, %sub1.i.i36.i
  %sub3.i.i.i = fsub double %fneg.i.i, %sub.i.i35.i
  %add4.i.i.i = fadd double %sub3.i.i.i, %sub2.i.i.i
  %add.i15.i.i = fsub double %add4.i, %sub1.i.i.i
  %sub.i16.i.i = fsub double %add.i15.i.i, %add4.i
  %sub1.i17.i.i = fsub double %add.i15.i.i, %sub.i16.i.i
  %sub2.i18.i.i = fsub double %add4.i, %sub1.i17.i.i
  %sub3.i19.i.i = fsub double %fneg3.i.i, %sub.i16.i.i
  %add4.i20.i.i = fadd double %sub3.i19.i.i, %sub2.i18.i.i
  %add.i37.i = fadd double %add.i15.i.i, %add4.i.i.i
  %add.i23.i.i = fadd double %add.i.i34.i, %add.i37.i
  %sub.i24.i.i = fsub double %add.i23.i.i, %add.i.i34.i
  %sub1.i25.i.i = fsub double %add.i37.i, %sub.i24.i.i
  %add11.i.i = fadd double %add4.i20.i.i, %sub1.i25.i.i
  %add.i28.i.i = fadd double %add.i23.i.i, %add11.i.i
  %sub.i29.i.i = fsub double %add.i28.i.i, %add.i23.i.i
  %sub1.i30.i.i = fsub double %add11.i.i, %sub.i29.i.i
  %div8.i = fdiv double %add.i28.i.i, %add.i17
  %mul.i.i38.i = fmul double %add.i17, %div8.i
  %fneg.i.i39.i = fneg double %mul.i.i38.i
  %5 = tail call double @llvm.fma.f64(double %add.i17, double %div8.i, double %fneg.i.i39.i)
  %mul7.i41.i = fmul double %add4.i22, %div8.i
  %add.i42.i = fadd double %mul.i.i, %mul7.i41.i
  %add8.i43.i = fadd double %5, %add.i42.i
  %add.i.i44.i = fadd double %mul.i.i38.i, %add8.i43.i
  %sub.i.i45.i = fsub double %add.i.i44.i, %mul.i.i38.i
  %sub1.i.i46.i = fsub double %add8.i43.i, %sub.i.i45.i
  %fneg.i49.i = fneg double %add.i.i44.i
  %fneg3.i50.i = fneg double %sub1.i.i46.i
  %add.i.i53.i = fsub double %add.i28.i.i, %add.i.i44.i
  %sub.i.i54.i = fsub double %add.i.i53.i, %add.i28.i.i
  %sub1.i.i55.i = fsub double %add.i.i53.i, %sub.i.i54.i
  %sub2.i.i56.i = fsub double %add.i28.i.i, %sub1.i.i55.i
  %sub3.i.i57.i = fsub double %fneg.i49.i, %sub.i.i54.i
  %add4.i.i58.i = fadd double %sub3.i.i57.i, %sub2.i.i56.i
  %add.i15.i59.i = fsub double %sub1.i30.i.i, %sub1.i.i46.i
  %sub.i16.i60.i = fsub double %add.i15.i59.i, %sub1.i30.i.i
  %sub1.i17.i61.i = fsub double %add.i15.i59.i, %sub.i16.i60.i
  %sub2.i18.i62.i = fsub double %sub1.i30.i.i, %sub1.i17.i61.i
  %sub3.i19.i63.i = fsub double %fneg3.i50.i, %sub.i16.i60.i
  %add4.i20.i64.i = fadd double %sub3.i19.i63.i, %sub2.i18.i62.i
  %add.i65.i = fadd double %add.i15.i59.i, %add4.i.i58.i
  %add.i23.i66.i = fadd double %add.i.i53.i, %add.i65.i
  %sub.i24.i67.i = fsub double %add.i23.i66.i, %add.i.i53.i
  %sub1.i25.i68.i = fsub double %add.i65.i, %sub.i24.i67.i
  %add11.i69.i = fadd double %add4.i20.i64.i, %sub1.i25.i68.i
  %add.i28.i70.i = fadd double %add.i23.i66.i, %add11.i69.i
  %add.i75.i = fadd double %div.i, %div8.i
  %sub.i.i = fsub double %add.i75.i, %div.i
  %sub1.i.i = fsub double %div8.i, %sub.i.i
  %div22.i = fdiv double %add.i28.i70.i, %add.i17
  %add.i25 = fadd double %sub1.i.i, %div22.i
  %add.i78.i = fadd double %add.i75.i, %add.i25
  %sub.i79.i = fsub double %add.i78.i, %add.i75.i
  %sub1.i80.i = fsub double %add.i25, %sub.i79.i
  %call9 = tail call fastcc { double, double } @logarithm(double %add.i78.i, double %sub1.i80.i) #5
  %6 = extractvalue { double, double } %call9, 0
  %div = fmul double %6, 5.000000e-01
  %7 = tail call double @llvm.copysign.f64(double %div, double %x)
  br label %cleanup

cleanup:                                          ; preds = %entry, %if.end4, %if.then2
  %retval.0 = phi double [ %cond, %if.then2 ], [ %7, %if.end4 ], [ %x, %entry ]
  ret double %retval.0
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @cbrt(double noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call double @llvm.fabs.f64(double %x)
  %cmp = fcmp oeq double %x, 0.000000e+00
  br i1 %cmp, label %cleanup, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %entry
  %cmp1 = fcmp uno double %x, 0.000000e+00
  %cmp3 = fcmp oeq double %0, 0x7FF0000000000000
  %or.cond = or i1 %cmp1, %cmp3
  br i1 %or.cond, label %cleanup, label %if.end

if.end:                                           ; preds = %lor.lhs.false
  %cmp4 = fcmp olt double %0, 0x170000000000000
  %mul = fmul double %0, 0x4D10000000000000
  %size.0 = select i1 %cmp4, double %mul, double %0
  %1 = bitcast double %size.0 to i64
  %div = udiv i64 %1, 3
  %add = add nuw nsw i64 %div, 3071306045661749710
  %2 = bitcast i64 %add to double
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body
  %mul.i = fmul double %sub12, %sub12
  %fneg.i = fneg double %mul.i
  %3 = tail call double @llvm.fma.f64(double %sub12, double %sub12, double %fneg.i)
  %mul.i.i = fmul double %sub12, %mul.i
  %fneg.i.i = fneg double %mul.i.i
  %4 = tail call double @llvm.fma.f64(double %mul.i, double %sub12, double %fneg.i.i)
  %mul.i45 = fmul double %mul.i, 0.000000e+00
  %mul7.i = fmul double %sub12, %3
  %add.i = fadd double %mul.i45, %mul7.i
  %add8.i = fadd double %4, %add.i
  %add.i.i = fadd double %mul.i.i, %add8.i
  %sub.i.i = fsub double %add.i.i, %mul.i.i
  %sub1.i.i = fsub double %add8.i, %sub.i.i
  %fneg = fneg double %size.0
  %add.i.i46 = fsub double %add.i.i, %size.0
  %sub.i.i47 = fsub double %add.i.i46, %add.i.i
  %sub1.i.i48 = fsub double %add.i.i46, %sub.i.i47
  %sub2.i.i = fsub double %add.i.i, %sub1.i.i48
  %sub3.i.i = fsub double %fneg, %sub.i.i47
  %add4.i.i = fadd double %sub3.i.i, %sub2.i.i
  %add.i15.i = fadd double %sub1.i.i, 0.000000e+00
  %sub.i16.i = fsub double %add.i15.i, %sub1.i.i
  %sub1.i17.i = fsub double %add.i15.i, %sub.i16.i
  %sub2.i18.i = fsub double %sub1.i.i, %sub1.i17.i
  %sub3.i19.i = fsub double 0.000000e+00, %sub.i16.i
  %add4.i20.i = fadd double %sub3.i19.i, %sub2.i18.i
  %add.i49 = fadd double %add.i15.i, %add4.i.i
  %add.i23.i = fadd double %add.i.i46, %add.i49
  %sub.i24.i = fsub double %add.i23.i, %add.i.i46
  %sub1.i25.i = fsub double %add.i49, %sub.i24.i
  %add11.i = fadd double %add4.i20.i, %sub1.i25.i
  %add.i28.i = fadd double %add.i23.i, %add11.i
  %mul21 = fmul double %mul.i, 3.000000e+00
  %div22 = fdiv double %add.i28.i, %mul21
  %sub23 = fsub double %sub12, %div22
  %5 = select i1 %cmp4, double 0x3B90000000000000, double 1.000000e+00
  %mul21.i = fmul double %5, %sub23
  %6 = tail call double @llvm.copysign.f64(double %mul21.i, double %x)
  br label %cleanup

for.body:                                         ; preds = %if.end, %for.body
  %y.052 = phi double [ %2, %if.end ], [ %sub12, %for.body ]
  %k.051 = phi i32 [ 0, %if.end ], [ %inc, %for.body ]
  %mul9 = fmul double %y.052, %y.052
  %div10 = fdiv double %size.0, %mul9
  %sub = fsub double %y.052, %div10
  %div11 = fdiv double %sub, 3.000000e+00
  %sub12 = fsub double %y.052, %div11
  %inc = add nuw nsw i32 %k.051, 1
  %exitcond.not = icmp eq i32 %inc, 4
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body, !llvm.loop !18

cleanup:                                          ; preds = %entry, %lor.lhs.false, %for.cond.cleanup
  %retval.0 = phi double [ %6, %for.cond.cleanup ], [ %x, %lor.lhs.false ], [ %x, %entry ]
  ret double %retval.0
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @hypot(double noundef %x, double noundef %y) local_unnamed_addr #0 {
entry:
  %0 = tail call double @llvm.fabs.f64(double %x)
  %1 = tail call double @llvm.fabs.f64(double %y)
  %cmp = fcmp oeq double %0, 0x7FF0000000000000
  %cmp1 = fcmp oeq double %1, 0x7FF0000000000000
  %or.cond = or i1 %cmp, %cmp1
  br i1 %or.cond, label %return, label %if.end

if.end:                                           ; preds = %entry
  %or.cond64 = fcmp uno double %x, %y
  br i1 %or.cond64, label %return, label %if.end6

if.end6:                                          ; preds = %if.end
  %cmp7 = fcmp ogt double %0, %1
  %cond = select i1 %cmp7, double %0, double %1
  %cond12 = select i1 %cmp7, double %1, double %0
  %cmp13 = fcmp ogt double %cond, 0x5F30000000000000
  %cmp16 = fcmp olt double %cond, 0x26F0000000000000
  %cond17 = select i1 %cmp16, i32 -600, i32 0
  %cond19 = select i1 %cmp13, i32 600, i32 %cond17
  %cmp20 = fcmp oeq double %cond12, 0.000000e+00
  %mul = fmul double %cond, 0x3C30000000000000
  %cmp22 = fcmp ogt double %mul, %cond12
  %or.cond65 = or i1 %cmp20, %cmp22
  br i1 %or.cond65, label %if.then23, label %if.end24

if.then23:                                        ; preds = %if.end6
  %add = fadd double %cond, %cond12
  br label %return

if.end24:                                         ; preds = %if.end6
  %sub = sub nsw i32 0, %cond19
  %cond.i = tail call i32 @llvm.smax.i32(i32 %sub, i32 -1022)
  %cond19.i = tail call i32 @llvm.smin.i32(i32 %cond.i, i32 1023)
  %add20.i = add nsw i32 %cond19.i, 1023
  %conv33.i = zext i32 %add20.i to i64
  %shl.i = shl i64 %conv33.i, 52
  %2 = bitcast i64 %shl.i to double
  %mul21.i = fmul double %cond, %2
  %cond.i82 = tail call i32 @llvm.smax.i32(i32 %sub, i32 -1022)
  %cond19.i83 = tail call i32 @llvm.smin.i32(i32 %cond.i82, i32 1023)
  %add20.i84 = add nsw i32 %cond19.i83, 1023
  %conv33.i85 = zext i32 %add20.i84 to i64
  %shl.i86 = shl i64 %conv33.i85, 52
  %3 = bitcast i64 %shl.i86 to double
  %mul21.i87 = fmul double %cond12, %3
  %mul.i98 = fmul double %mul21.i, %mul21.i
  %fneg.i = fneg double %mul.i98
  %4 = tail call double @llvm.fma.f64(double %mul21.i, double %mul21.i, double %fneg.i)
  %mul.i99 = fmul double %mul21.i87, %mul21.i87
  %fneg.i100 = fneg double %mul.i99
  %5 = tail call double @llvm.fma.f64(double %mul21.i87, double %mul21.i87, double %fneg.i100)
  %add.i.i = fadd double %mul.i98, %mul.i99
  %sub.i.i = fsub double %add.i.i, %mul.i98
  %sub1.i.i = fsub double %add.i.i, %sub.i.i
  %sub2.i.i = fsub double %mul.i98, %sub1.i.i
  %sub3.i.i = fsub double %mul.i99, %sub.i.i
  %add4.i.i = fadd double %sub3.i.i, %sub2.i.i
  %add.i15.i = fadd double %4, %5
  %sub.i16.i = fsub double %add.i15.i, %4
  %sub1.i17.i = fsub double %add.i15.i, %sub.i16.i
  %sub2.i18.i = fsub double %4, %sub1.i17.i
  %sub3.i19.i = fsub double %5, %sub.i16.i
  %add4.i20.i = fadd double %sub3.i19.i, %sub2.i18.i
  %add.i103 = fadd double %add.i15.i, %add4.i.i
  %add.i23.i = fadd double %add.i.i, %add.i103
  %sub.i24.i = fsub double %add.i23.i, %add.i.i
  %sub1.i25.i = fsub double %add.i103, %sub.i24.i
  %add11.i = fadd double %add4.i20.i, %sub1.i25.i
  %add.i28.i = fadd double %add.i23.i, %add11.i
  %cmp.i104 = fcmp oeq double %add.i28.i, 0.000000e+00
  br i1 %cmp.i104, label %root.exit, label %if.end.i

if.end.i:                                         ; preds = %if.end24
  %sub.i29.i = fsub double %add.i28.i, %add.i23.i
  %sub1.i30.i = fsub double %add11.i, %sub.i29.i
  %6 = tail call double @llvm.sqrt.f64(double %add.i28.i)
  %7 = fneg double %6
  %fneg.i.i = fmul double %6, %7
  %8 = tail call double @llvm.fma.f64(double %6, double %6, double %fneg.i.i)
  %fneg3.i.i = fneg double %8
  %add.i.i.i = fadd double %add.i28.i, %fneg.i.i
  %sub.i.i.i = fsub double %add.i.i.i, %add.i28.i
  %sub1.i.i.i = fsub double %add.i.i.i, %sub.i.i.i
  %sub2.i.i.i = fsub double %add.i28.i, %sub1.i.i.i
  %sub3.i.i.i = fsub double %fneg.i.i, %sub.i.i.i
  %add4.i.i.i = fadd double %sub3.i.i.i, %sub2.i.i.i
  %add.i15.i.i = fsub double %sub1.i30.i, %8
  %sub.i16.i.i = fsub double %add.i15.i.i, %sub1.i30.i
  %sub1.i17.i.i = fsub double %add.i15.i.i, %sub.i16.i.i
  %sub2.i18.i.i = fsub double %sub1.i30.i, %sub1.i17.i.i
  %sub3.i19.i.i = fsub double %fneg3.i.i, %sub.i16.i.i
  %add4.i20.i.i = fadd double %sub3.i19.i.i, %sub2.i18.i.i
  %add.i.i105 = fadd double %add.i15.i.i, %add4.i.i.i
  %add.i23.i.i = fadd double %add.i.i.i, %add.i.i105
  %sub.i24.i.i = fsub double %add.i23.i.i, %add.i.i.i
  %sub1.i25.i.i = fsub double %add.i.i105, %sub.i24.i.i
  %add11.i.i = fadd double %add4.i20.i.i, %sub1.i25.i.i
  %add.i28.i.i = fadd double %add.i23.i.i, %add11.i.i
  %mul.i106 = fmul double %6, 2.000000e+00
  %div.i = fdiv double %add.i28.i.i, %mul.i106
  %add.i15.i107 = fadd double %6, %div.i
  br label %root.exit

root.exit:                                        ; preds = %if.end24, %if.end.i
  %retval.sroa.0.0.i = phi double [ %add.i15.i107, %if.end.i ], [ %add.i28.i, %if.end24 ]
  %add20.i120 = add nsw i32 %cond19, 1023
  %conv33.i121 = zext i32 %add20.i120 to i64
  %shl.i122 = shl i64 %conv33.i121, 52
  %9 = bitcast i64 %shl.i122 to double
  %mul21.i123 = fmul double %retval.sroa.0.0.i, %9
  br label %return

return:                                           ; preds = %if.then23, %root.exit, %if.end, %entry
  %retval.1 = phi double [ 0x7FF0000000000000, %entry ], [ 0x7FF8000000000000, %if.end ], [ %add, %if.then23 ], [ %mul21.i123, %root.exit ]
  ret double %retval.1
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @expf(float noundef %x) local_unnamed_addr #0 {
entry:
  %cmp.i = fcmp uno float %x, 0.000000e+00
  br i1 %cmp.i, label %exp.exit, label %cond.false.i

cond.false.i:                                     ; preds = %entry
  %conv = fpext float %x to double
  %call.i = tail call fastcc double @rounded_power(double %conv, double 0.000000e+00) #5
  %0 = fptrunc double %call.i to float
  br label %exp.exit

exp.exit:                                         ; preds = %entry, %cond.false.i
  %cond.i = phi float [ %0, %cond.false.i ], [ %x, %entry ]
  ret float %cond.i
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @exp2f(float noundef %x) local_unnamed_addr #0 {
entry:
  %conv = fpext float %x to double
  %cmp.i = fcmp ogt float %x, -1.076000e+03
  %cmp1.i = fcmp olt float %x, 1.025000e+03
  %or.cond.i = and i1 %cmp.i, %cmp1.i
  br i1 %or.cond.i, label %if.end.i, label %if.then.i

if.then.i:                                        ; preds = %entry
  %cmp2.i = fcmp uno float %x, 0.000000e+00
  %cmp3.i = fcmp ogt float %x, 0.000000e+00
  %cond.i = select i1 %cmp3.i, double 0x7FF0000000000000, double 0.000000e+00
  %cond4.i = select i1 %cmp2.i, double %conv, double %cond.i
  br label %exp2.exit

if.end.i:                                         ; preds = %entry
  %0 = tail call double @llvm.rint.f64(double %conv)
  %sub.i = fsub double %conv, %0
  %mul.i.i.i = fmul double %sub.i, 0x3FE62E42FEFA39EF
  %fneg.i.i.i = fneg double %mul.i.i.i
  %1 = tail call double @llvm.fma.f64(double %sub.i, double 0x3FE62E42FEFA39EF, double %fneg.i.i.i)
  %mul7.i.i = fmul double %sub.i, 0x3C7ABC9E3B39803F
  %add.i.i = fadd double %mul7.i.i, 0.000000e+00
  %add8.i.i = fadd double %1, %add.i.i
  %add.i.i.i = fadd double %mul.i.i.i, %add8.i.i
  %sub.i.i.i = fsub double %add.i.i.i, %mul.i.i.i
  %sub1.i.i.i = fsub double %add8.i.i, %sub.i.i.i
  %call5.i = tail call fastcc double @rounded_power(double %add.i.i.i, double %sub1.i.i.i) #5
  %conv.i = fptosi double %0 to i32
  %cmp134.i.i = icmp sgt i32 %conv.i, 1023
  br i1 %cmp134.i.i, label %for.body.i.i, label %for.cond3.preheader.i.i

for.cond3.preheader.i.i:                          ; preds = %for.body.i.i, %if.end.i
  %x.addr.0.lcssa.i.i = phi double [ %call5.i, %if.end.i ], [ %mul.i.i, %for.body.i.i ]
  %shift.addr.0.lcssa.i.i = phi i32 [ %conv.i, %if.end.i ], [ %sub.i.i, %for.body.i.i ]
  %cmp639.i.i = icmp slt i32 %shift.addr.0.lcssa.i.i, -1022
  br i1 %cmp639.i.i, label %for.body9.i.i, label %scaled.exit.i

for.body.i.i:                                     ; preds = %if.end.i, %for.body.i.i
  %k.037.i.i = phi i32 [ %inc.i.i, %for.body.i.i ], [ 0, %if.end.i ]
  %shift.addr.036.i.i = phi i32 [ %sub.i.i, %for.body.i.i ], [ %conv.i, %if.end.i ]
  %x.addr.035.i.i = phi double [ %mul.i.i, %for.body.i.i ], [ %call5.i, %if.end.i ]
  %mul.i.i = fmul double %x.addr.035.i.i, 0x7FE0000000000000
  %inc.i.i = add nuw nsw i32 %k.037.i.i, 1
  %sub.i.i = add nsw i32 %shift.addr.036.i.i, -1023
  %cmp.i.i = icmp eq i32 %k.037.i.i, 0
  %cmp1.i.i = icmp sgt i32 %shift.addr.036.i.i, 2046
  %2 = select i1 %cmp.i.i, i1 %cmp1.i.i, i1 false
  br i1 %2, label %for.body.i.i, label %for.cond3.preheader.i.i, !llvm.loop !12

for.body9.i.i:                                    ; preds = %for.cond3.preheader.i.i, %for.body9.i.i
  %k2.042.i.i = phi i32 [ %inc12.i.i, %for.body9.i.i ], [ 0, %for.cond3.preheader.i.i ]
  %shift.addr.141.i.i = phi i32 [ %add.i15.i, %for.body9.i.i ], [ %shift.addr.0.lcssa.i.i, %for.cond3.preheader.i.i ]
  %x.addr.140.i.i = phi double [ %mul10.i.i, %for.body9.i.i ], [ %x.addr.0.lcssa.i.i, %for.cond3.preheader.i.i ]
  %mul10.i.i = fmul double %x.addr.140.i.i, 0x360000000000000
  %inc12.i.i = add nuw nsw i32 %k2.042.i.i, 1
  %add.i15.i = add nuw nsw i32 %shift.addr.141.i.i, 969
  %cmp4.i.i = icmp eq i32 %k2.042.i.i, 0
  %cmp6.i.i = icmp slt i32 %shift.addr.141.i.i, -1991
  %3 = select i1 %cmp4.i.i, i1 %cmp6.i.i, i1 false
  br i1 %3, label %for.body9.i.i, label %scaled.exit.i, !llvm.loop !13

scaled.exit.i:                                    ; preds = %for.body9.i.i, %for.cond3.preheader.i.i
  %x.addr.1.lcssa.i.i = phi double [ %x.addr.0.lcssa.i.i, %for.cond3.preheader.i.i ], [ %mul10.i.i, %for.body9.i.i ]
  %shift.addr.1.lcssa.i.i = phi i32 [ %shift.addr.0.lcssa.i.i, %for.cond3.preheader.i.i ], [ %add.i15.i, %for.body9.i.i ]
  %cond.i.i = tail call i32 @llvm.smax.i32(i32 %shift.addr.1.lcssa.i.i, i32 -1022)
  %cond19.i.i = tail call i32 @llvm.smin.i32(i32 %cond.i.i, i32 1023)
  %add20.i.i = add nsw i32 %cond19.i.i, 1023
  %conv33.i.i = zext i32 %add20.i.i to i64
  %shl.i.i = shl i64 %conv33.i.i, 52
  %4 = bitcast i64 %shl.i.i to double
  %mul21.i.i = fmul double %x.addr.1.lcssa.i.i, %4
  br label %exp2.exit

exp2.exit:                                        ; preds = %if.then.i, %scaled.exit.i
  %retval.0.i = phi double [ %mul21.i.i, %scaled.exit.i ], [ %cond4.i, %if.then.i ]
  %conv1 = fptrunc double %retval.0.i to float
  ret float %conv1
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @exp10f(float noundef %x) local_unnamed_addr #0 {
entry:
  %conv = fpext float %x to double
  %cmp.i = fcmp ogt float %x, -3.250000e+02
  %cmp1.i = fcmp olt float %x, 3.090000e+02
  %or.cond.i = and i1 %cmp.i, %cmp1.i
  br i1 %or.cond.i, label %if.end.i, label %if.then.i

if.then.i:                                        ; preds = %entry
  %cmp2.i = fcmp uno float %x, 0.000000e+00
  %cmp3.i = fcmp ogt float %x, 0.000000e+00
  %cond.i = select i1 %cmp3.i, double 0x7FF0000000000000, double 0.000000e+00
  %cond4.i = select i1 %cmp2.i, double %conv, double %cond.i
  br label %exp10.exit

if.end.i:                                         ; preds = %entry
  %mul.i.i.i = fmul double %conv, 0x40026BB1BBB55516
  %fneg.i.i.i = fneg double %mul.i.i.i
  %0 = tail call double @llvm.fma.f64(double %conv, double 0x40026BB1BBB55516, double %fneg.i.i.i)
  %mul7.i.i = fmul double %conv, 0x3CAF48AD494EA3E9
  %1 = fsub double 0.000000e+00, %mul7.i.i
  %add8.i.i = fadd double %0, %1
  %add.i.i.i = fadd double %mul.i.i.i, %add8.i.i
  %sub.i.i.i = fsub double %add.i.i.i, %mul.i.i.i
  %sub1.i.i.i = fsub double %add8.i.i, %sub.i.i.i
  %call5.i = tail call fastcc double @rounded_power(double %add.i.i.i, double %sub1.i.i.i) #5
  br label %exp10.exit

exp10.exit:                                       ; preds = %if.then.i, %if.end.i
  %retval.0.i = phi double [ %call5.i, %if.end.i ], [ %cond4.i, %if.then.i ]
  %conv1 = fptrunc double %retval.0.i to float
  ret float %conv1
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @expm1f(float noundef %x) local_unnamed_addr #0 {
entry:
  %conv = fpext float %x to double
  %call = tail call double @expm1(double noundef %conv) #5
  %conv1 = fptrunc double %call to float
  ret float %conv1
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @logf(float noundef %x) local_unnamed_addr #0 {
entry:
  %conv = fpext float %x to double
  %cmp.i = fcmp ogt float %x, 0.000000e+00
  %cmp1.i = fcmp olt float %x, 0x7FF0000000000000
  %or.cond.i = and i1 %cmp.i, %cmp1.i
  br i1 %or.cond.i, label %cond.true.i, label %cond.false.i

cond.true.i:                                      ; preds = %entry
  %call.i = tail call fastcc { double, double } @logarithm(double %conv, double 0.000000e+00) #5
  %0 = extractvalue { double, double } %call.i, 0
  br label %log.exit

cond.false.i:                                     ; preds = %entry
  %cmp.i.i = fcmp oeq float %x, 0.000000e+00
  %cmp1.i.i = fcmp olt float %x, 0.000000e+00
  %cond.i.i = select i1 %cmp1.i.i, double 0x7FF8000000000000, double %conv
  %cond5.i.i = select i1 %cmp.i.i, double 0xFFF0000000000000, double %cond.i.i
  br label %log.exit

log.exit:                                         ; preds = %cond.true.i, %cond.false.i
  %cond.i = phi double [ %0, %cond.true.i ], [ %cond5.i.i, %cond.false.i ]
  %conv1 = fptrunc double %cond.i to float
  ret float %conv1
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @log2f(float noundef %x) local_unnamed_addr #0 {
entry:
  %conv = fpext float %x to double
  %0 = bitcast double %conv to i64
  %shr.i = lshr i64 %0, 52
  %conv.i = trunc i64 %shr.i to i32
  %sub.i = add nsw i32 %conv.i, -1023
  %cmp.i = fcmp ogt float %x, 0.000000e+00
  %cmp2.i = fcmp olt float %x, 0x7FF0000000000000
  %or.cond.i = and i1 %cmp.i, %cmp2.i
  br i1 %or.cond.i, label %if.end.i, label %if.then.i

if.then.i:                                        ; preds = %entry
  %cmp.i.i = fcmp oeq float %x, 0.000000e+00
  %cmp1.i.i = fcmp olt float %x, 0.000000e+00
  %cond.i.i = select i1 %cmp1.i.i, double 0x7FF8000000000000, double %conv
  %cond5.i.i = select i1 %cmp.i.i, double 0xFFF0000000000000, double %cond.i.i
  br label %log2.exit

if.end.i:                                         ; preds = %entry
  %shl.mask.i = and i64 %0, 4503599627370495
  %cmp6.i = icmp eq i64 %shl.mask.i, 0
  %cmp9.i = icmp ne i32 %conv.i, 0
  %or.cond17.i = and i1 %cmp6.i, %cmp9.i
  br i1 %or.cond17.i, label %if.then11.i, label %if.end13.i

if.then11.i:                                      ; preds = %if.end.i
  %conv12.i = sitofp i32 %sub.i to double
  br label %log2.exit

if.end13.i:                                       ; preds = %if.end.i
  %call14.i = tail call fastcc { double, double } @logarithm(double %conv, double 0.000000e+00) #5
  %1 = extractvalue { double, double } %call14.i, 0
  %2 = extractvalue { double, double } %call14.i, 1
  %mul.i.i.i = fmul double %1, 0x3FF71547652B82FE
  %fneg.i.i.i = fneg double %mul.i.i.i
  %3 = tail call double @llvm.fma.f64(double %1, double 0x3FF71547652B82FE, double %fneg.i.i.i)
  %mul.i.i = fmul double %1, 0x3C7777D0FFDA0D24
  %mul7.i.i = fmul double %2, 0x3FF71547652B82FE
  %add.i.i = fadd double %mul7.i.i, %mul.i.i
  %add8.i.i = fadd double %3, %add.i.i
  %add.i.i.i = fadd double %mul.i.i.i, %add8.i.i
  br label %log2.exit

log2.exit:                                        ; preds = %if.then.i, %if.then11.i, %if.end13.i
  %retval.0.i = phi double [ %conv12.i, %if.then11.i ], [ %add.i.i.i, %if.end13.i ], [ %cond5.i.i, %if.then.i ]
  %conv1 = fptrunc double %retval.0.i to float
  ret float %conv1
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @log10f(float noundef %x) local_unnamed_addr #0 {
entry:
  %conv = fpext float %x to double
  %cmp.i = fcmp ogt float %x, 0.000000e+00
  %cmp1.i = fcmp olt float %x, 0x7FF0000000000000
  %or.cond.i = and i1 %cmp.i, %cmp1.i
  br i1 %or.cond.i, label %cond.true.i, label %cond.false.i

cond.true.i:                                      ; preds = %entry
  %call.i = tail call fastcc { double, double } @logarithm(double %conv, double 0.000000e+00) #5
  %0 = extractvalue { double, double } %call.i, 0
  %1 = extractvalue { double, double } %call.i, 1
  %mul.i.i.i = fmul double %0, 0x3FDBCB7B1526E50E
  %fneg.i.i.i = fneg double %mul.i.i.i
  %2 = tail call double @llvm.fma.f64(double %0, double 0x3FDBCB7B1526E50E, double %fneg.i.i.i)
  %mul.i.i = fmul double %0, 0x3C695355BAAAFAD3
  %mul7.i.i = fmul double %1, 0x3FDBCB7B1526E50E
  %add.i.i = fadd double %mul7.i.i, %mul.i.i
  %add8.i.i = fadd double %2, %add.i.i
  %add.i.i.i = fadd double %mul.i.i.i, %add8.i.i
  br label %log10.exit

cond.false.i:                                     ; preds = %entry
  %cmp.i.i = fcmp oeq float %x, 0.000000e+00
  %cmp1.i.i = fcmp olt float %x, 0.000000e+00
  %cond.i.i = select i1 %cmp1.i.i, double 0x7FF8000000000000, double %conv
  %cond5.i.i = select i1 %cmp.i.i, double 0xFFF0000000000000, double %cond.i.i
  br label %log10.exit

log10.exit:                                       ; preds = %cond.true.i, %cond.false.i
  %cond.i = phi double [ %add.i.i.i, %cond.true.i ], [ %cond5.i.i, %cond.false.i ]
  %conv1 = fptrunc double %cond.i to float
  ret float %conv1
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @log1pf(float noundef %x) local_unnamed_addr #0 {
entry:
  %conv = fpext float %x to double
  %0 = tail call double @llvm.fabs.f64(double %conv)
  %cmp.i = fcmp olt double %0, 0x3C30000000000000
  br i1 %cmp.i, label %log1p.exit, label %if.end.i

if.end.i:                                         ; preds = %entry
  %add.i = fadd double %conv, 1.000000e+00
  %cmp1.i = fcmp ogt double %add.i, 0.000000e+00
  %cmp3.i = fcmp olt double %add.i, 0x7FF0000000000000
  %or.cond.i = and i1 %cmp1.i, %cmp3.i
  br i1 %or.cond.i, label %if.end6.i, label %if.then4.i

if.then4.i:                                       ; preds = %if.end.i
  %cmp.i.i = fcmp oeq double %add.i, 0.000000e+00
  %cmp1.i.i = fcmp olt double %add.i, 0.000000e+00
  %cond.i.i = select i1 %cmp1.i.i, double 0x7FF8000000000000, double %add.i
  %cond5.i.i = select i1 %cmp.i.i, double 0xFFF0000000000000, double %cond.i.i
  br label %log1p.exit

if.end6.i:                                        ; preds = %if.end.i
  %sub.i.i = fadd double %add.i, -1.000000e+00
  %1 = fsub double %sub.i.i, %add.i
  %sub2.i.i = fadd double %1, 1.000000e+00
  %sub3.i.i = fsub double %conv, %sub.i.i
  %add4.i.i = fadd double %sub3.i.i, %sub2.i.i
  %call8.i = tail call fastcc { double, double } @logarithm(double %add.i, double %add4.i.i) #5
  %2 = extractvalue { double, double } %call8.i, 0
  br label %log1p.exit

log1p.exit:                                       ; preds = %entry, %if.then4.i, %if.end6.i
  %retval.0.i = phi double [ %2, %if.end6.i ], [ %cond5.i.i, %if.then4.i ], [ %conv, %entry ]
  %conv1 = fptrunc double %retval.0.i to float
  ret float %conv1
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @sinhf(float noundef %x) local_unnamed_addr #0 {
entry:
  %conv = fpext float %x to double
  %call = tail call double @sinh(double noundef %conv) #5
  %conv1 = fptrunc double %call to float
  ret float %conv1
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @coshf(float noundef %x) local_unnamed_addr #0 {
entry:
  %conv = fpext float %x to double
  %call = tail call double @cosh(double noundef %conv) #5
  %conv1 = fptrunc double %call to float
  ret float %conv1
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @tanhf(float noundef %x) local_unnamed_addr #0 {
entry:
  %conv = fpext float %x to double
  %call = tail call double @tanh(double noundef %conv) #5
  %conv1 = fptrunc double %call to float
  ret float %conv1
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @asinhf(float noundef %x) local_unnamed_addr #0 {
entry:
  %conv = fpext float %x to double
  %call = tail call double @asinh(double noundef %conv) #5
  %conv1 = fptrunc double %call to float
  ret float %conv1
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @acoshf(float noundef %x) local_unnamed_addr #0 {
entry:
  %conv = fpext float %x to double
  %call = tail call double @acosh(double noundef %conv) #5
  %conv1 = fptrunc double %call to float
  ret float %conv1
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @atanhf(float noundef %x) local_unnamed_addr #0 {
entry:
  %conv = fpext float %x to double
  %call = tail call double @atanh(double noundef %conv) #5
  %conv1 = fptrunc double %call to float
  ret float %conv1
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @cbrtf(float noundef %x) local_unnamed_addr #0 {
entry:
  %conv = fpext float %x to double
  %call = tail call double @cbrt(double noundef %conv) #5
  %conv1 = fptrunc double %call to float
  ret float %conv1
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @powf(float noundef %x, float noundef %y) local_unnamed_addr #0 {
entry:
  %conv = fpext float %x to double
  %conv1 = fpext float %y to double
  %call = tail call double @pow(double noundef %conv, double noundef %conv1) #5
  %conv2 = fptrunc double %call to float
  ret float %conv2
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @hypotf(float noundef %x, float noundef %y) local_unnamed_addr #0 {
entry:
  %conv = fpext float %x to double
  %conv1 = fpext float %y to double
  %call = tail call double @hypot(double noundef %conv, double noundef %conv1) #5
  %conv2 = fptrunc double %call to float
  ret float %conv2
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @__powisf2(float noundef %x, i32 noundef %n) local_unnamed_addr #0 {
entry:
  %tobool.not17 = icmp eq i32 %n, 0
  br i1 %tobool.not17, label %for.cond.cleanup, label %for.body.preheader

for.body.preheader:                               ; preds = %entry
  %cond = tail call i32 @llvm.abs.i32(i32 %n, i1 false)
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  %found.0.lcssa = phi float [ 1.000000e+00, %entry ], [ %found.1, %for.body ]
  %cmp = icmp slt i32 %n, 0
  %div = fdiv float 1.000000e+00, %found.0.lcssa
  %cond7 = select i1 %cmp, float %div, float %found.0.lcssa
  ret float %cond7

for.body:                                         ; preds = %for.body.preheader, %for.body
  %k.020 = phi i32 [ %shr, %for.body ], [ %cond, %for.body.preheader ]
  %found.019 = phi float [ %found.1, %for.body ], [ 1.000000e+00, %for.body.preheader ]
  %x.addr.018 = phi float [ %mul2, %for.body ], [ %x, %for.body.preheader ]
  %and = and i32 %k.020, 1
  %tobool1.not = icmp eq i32 %and, 0
  %mul = select i1 %tobool1.not, float 1.000000e+00, float %x.addr.018
  %found.1 = fmul float %found.019, %mul
  %shr = lshr i32 %k.020, 1
  %mul2 = fmul float %x.addr.018, %x.addr.018
  %tobool.not = icmp ult i32 %k.020, 2
  br i1 %tobool.not, label %for.cond.cleanup, label %for.body, !llvm.loop !19
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fma.f64(double, double, double) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.sqrt.f64(double) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.abs.i32(i32, i1 immarg) #4

attributes #0 = { nofree nosync nounwind memory(none) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nofree nosync nounwind memory(argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nobuiltin "no-builtins" }
attributes #6 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!5 = !{!6, !6, i64 0}
!6 = !{!"double", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = distinct !{!9, !10, !11}
!10 = !{!"llvm.loop.mustprogress"}
!11 = !{!"llvm.loop.unroll.disable"}
!12 = distinct !{!12, !10, !11}
!13 = distinct !{!13, !10, !11}
!14 = distinct !{!14, !10, !11}
!15 = distinct !{!15, !10, !11}
!16 = !{i64 0, i64 8, !5, i64 8, i64 8, !5}
!17 = !{i64 0, i64 8, !5}
!18 = distinct !{!18, !10, !11}
!19 = distinct !{!19, !10, !11}
