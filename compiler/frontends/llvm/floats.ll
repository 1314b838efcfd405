target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @fmod(double noundef %x, double noundef %y) local_unnamed_addr #0 {
entry:
  %0 = tail call double @llvm.fabs.f64(double %x)
  %1 = tail call double @llvm.fabs.f64(double %y)
  %cmp = fcmp uge double %0, 0x7FF0000000000000
  %cmp1 = fcmp oeq double %y, 0.000000e+00
  %or.cond = or i1 %cmp, %cmp1
  %cmp3 = fcmp uno double %y, 0.000000e+00
  %or.cond57 = or i1 %cmp3, %or.cond
  br i1 %or.cond57, label %cleanup, label %if.end

if.end:                                           ; preds = %entry
  %cmp4 = fcmp olt double %0, %1
  br i1 %cmp4, label %cleanup, label %if.end6

if.end6:                                          ; preds = %if.end
  %2 = bitcast double %0 to i64
  %shr = lshr i64 %2, 52
  %conv = trunc i64 %shr to i32
  %3 = bitcast double %1 to i64
  %shr8 = lshr i64 %3, 52
  %conv9 = trunc i64 %shr8 to i32
  %and = and i64 %2, 4503599627370495
  %and12 = and i64 %3, 4503599627370495
  %tobool.not = icmp eq i32 %conv, 0
  %cond = select i1 %tobool.not, i64 0, i64 4503599627370496
  %or = or i64 %cond, %and
  %tobool13.not = icmp eq i32 %conv9, 0
  %cond14 = select i1 %tobool13.not, i64 0, i64 4503599627370496
  %or15 = or i64 %cond14, %and12
  %lnot.ext = zext i1 %tobool.not to i32
  %add = add nuw nsw i32 %lnot.ext, %conv
  %lnot.ext19 = zext i1 %tobool13.not to i32
  %add20 = add nuw nsw i32 %lnot.ext19, %conv9
  %sub = sub nsw i32 %add, %add20
  %cmp2158 = icmp sgt i32 %sub, 10
  br i1 %cmp2158, label %for.body, label %for.end

for.body:                                         ; preds = %if.end6, %for.body
  %a.060 = phi i64 [ %shl, %for.body ], [ %or, %if.end6 ]
  %shift.059 = phi i32 [ %sub23, %for.body ], [ %sub, %if.end6 ]
  %rem = urem i64 %a.060, %or15
  %shl = shl nuw i64 %rem, 11
  %sub23 = add nsw i32 %shift.059, -11
  %cmp21 = icmp sgt i32 %shift.059, 21
  br i1 %cmp21, label %for.body, label %for.end, !llvm.loop !5

for.end:                                          ; preds = %for.body, %if.end6
  %shift.0.lcssa = phi i32 [ %sub, %if.end6 ], [ %sub23, %for.body ]
  %a.0.lcssa = phi i64 [ %or, %if.end6 ], [ %shl, %for.body ]
  %rem24 = urem i64 %a.0.lcssa, %or15
  %sh_prom = zext i32 %shift.0.lcssa to i64
  %shl25 = shl i64 %rem24, %sh_prom
  %rem26 = urem i64 %shl25, %or15
  %conv27 = uitofp i64 %rem26 to double
  %sub28 = add nsw i32 %add20, -1075
  %cmp134.i = icmp ugt i32 %add20, 2098
  br i1 %cmp134.i, label %for.body.i, label %for.cond3.preheader.i

for.cond3.preheader.i:                            ; preds = %for.body.i, %for.end
  %x.addr.0.lcssa.i = phi double [ %conv27, %for.end ], [ %mul.i, %for.body.i ]
  %shift.addr.0.lcssa.i = phi i32 [ %sub28, %for.end ], [ %sub.i, %for.body.i ]
  %cmp639.i = icmp slt i32 %shift.addr.0.lcssa.i, -1022
  br i1 %cmp639.i, label %for.body9.i, label %scaled.exit

for.body.i:                                       ; preds = %for.end, %for.body.i
  %k.037.i = phi i32 [ %inc.i, %for.body.i ], [ 0, %for.end ]
  %shift.addr.036.i = phi i32 [ %sub.i, %for.body.i ], [ %sub28, %for.end ]
  %x.addr.035.i = phi double [ %mul.i, %for.body.i ], [ %conv27, %for.end ]
  %mul.i = fmul double %x.addr.035.i, 0x7FE0000000000000
  %inc.i = add nuw nsw i32 %k.037.i, 1
  %sub.i = add nsw i32 %shift.addr.036.i, -1023
  %cmp.i = icmp eq i32 %k.037.i, 0
  %cmp1.i = icmp sgt i32 %shift.addr.036.i, 2046
  %4 = select i1 %cmp.i, i1 %cmp1.i, i1 false
  br i1 %4, label %for.body.i, label %for.cond3.preheader.i, !llvm.loop !8

for.body9.i:                                      ; preds = %for.cond3.preheader.i, %for.body9.i
  %k2.042.i = phi i32 [ %inc12.i, %for.body9.i ], [ 0, %for.cond3.preheader.i ]
  %shift.addr.141.i = phi i32 [ %add.i, %for.body9.i ], [ %shift.addr.0.lcssa.i, %for.cond3.preheader.i ]
  %x.addr.140.i = phi double [ %mul10.i, %for.body9.i ], [ %x.addr.0.lcssa.i, %for.cond3.preheader.i ]
  %mul10.i = fmul double %x.addr.140.i, 0x360000000000000
  %inc12.i = add nuw nsw i32 %k2.042.i, 1
  %add.i = add nuw nsw i32 %shift.addr.141.i, 969
  %cmp4.i = icmp eq i32 %k2.042.i, 0
  %cmp6.i = icmp slt i32 %shift.addr.141.i, -1991
  %5 = select i1 %cmp4.i, i1 %cmp6.i, i1 false
  br i1 %5, label %for.body9.i, label %scaled.exit, !llvm.loop !9

scaled.exit:                                      ; preds = %for.body9.i, %for.cond3.preheader.i
  %x.addr.1.lcssa.i = phi double [ %x.addr.0.lcssa.i, %for.cond3.preheader.i ], [ %mul10.i, %for.body9.i ]
  %shift.addr.1.lcssa.i = phi i32 [ %shift.addr.0.lcssa.i, %for.cond3.preheader.i ], [ %add.i, %for.body9.i ]
  %cond.i = tail call i32 @llvm.smax.i32(i32 %shift.addr.1.lcssa.i, i32 -1022)
  %cond19.i = tail call i32 @llvm.smin.i32(i32 %cond.i, i32 1023)
  %add20.i = add nsw i32 %cond19.i, 1023
  %conv33.i = zext i32 %add20.i to i64
  %shl.i = shl i64 %conv33.i, 52
  %6 = bitcast i64 %shl.i to double
  %mul21.i = fmul double %x.addr.1.lcssa.i, %6
  %7 = tail call double @llvm.copysign.f64(double %mul21.i, double %x)
  br label %cleanup

cleanup:                                          ; preds = %if.end, %entry, %scaled.exit
  %retval.0 = phi double [ %7, %scaled.exit ], [ 0x7FF8000000000000, %entry ], [ %x, %if.end ]
  ret double %retval.0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fabs.f64(double) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.copysign.f64(double, double) #1

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @remainder(double noundef %x, double noundef %y) local_unnamed_addr #0 {
entry:
  %0 = tail call double @llvm.fabs.f64(double %y)
  %1 = tail call double @llvm.fabs.f64(double %x)
  %cmp = fcmp uge double %1, 0x7FF0000000000000
  %cmp1 = fcmp oeq double %y, 0.000000e+00
  %or.cond = or i1 %cmp, %cmp1
  %cmp3 = fcmp uno double %y, 0.000000e+00
  %or.cond65 = or i1 %cmp3, %or.cond
  br i1 %or.cond65, label %cleanup, label %if.end

if.end:                                           ; preds = %entry
  %cmp4 = fcmp oeq double %0, 0x7FF0000000000000
  br i1 %cmp4, label %cleanup, label %if.end6

if.end6:                                          ; preds = %if.end
  %cmp7 = fcmp olt double %0, 0x7FD0000000000000
  br i1 %cmp7, label %if.then8, label %if.end9

if.then8:                                         ; preds = %if.end6
  %add = fadd double %0, %0
  %call = tail call double @fmod(double noundef %1, double noundef %add) #6
  br label %if.end9

if.end9:                                          ; preds = %if.then8, %if.end6
  %size.0 = phi double [ %call, %if.then8 ], [ %1, %if.end6 ]
  %cmp10 = fcmp olt double %0, 0x20000000000000
  br i1 %cmp10, label %if.then11, label %if.else

if.then11:                                        ; preds = %if.end9
  %add12 = fadd double %size.0, %size.0
  %cmp13 = fcmp ogt double %add12, %0
  br i1 %cmp13, label %if.then14, label %if.end30

if.then14:                                        ; preds = %if.then11
  %sub = fsub double %size.0, %0
  %add15 = fadd double %sub, %sub
  %cmp16 = fcmp ult double %add15, %0
  br i1 %cmp16, label %if.end30, label %if.then17

if.then17:                                        ; preds = %if.then14
  %sub18 = fsub double %sub, %0
  br label %if.end30

if.else:                                          ; preds = %if.end9
  %div = fmul double %0, 5.000000e-01
  %cmp21 = fcmp ogt double %size.0, %div
  br i1 %cmp21, label %if.then22, label %if.end30

if.then22:                                        ; preds = %if.else
  %sub23 = fsub double %size.0, %0
  %cmp25 = fcmp ult double %sub23, %div
  br i1 %cmp25, label %if.end30, label %if.then26

if.then26:                                        ; preds = %if.then22
  %sub27 = fsub double %sub23, %0
  br label %if.end30

if.end30:                                         ; preds = %if.else, %if.then26, %if.then22, %if.then11, %if.then17, %if.then14
  %size.1 = phi double [ %sub18, %if.then17 ], [ %sub, %if.then14 ], [ %size.0, %if.then11 ], [ %sub27, %if.then26 ], [ %sub23, %if.then22 ], [ %size.0, %if.else ]
  %2 = bitcast double %x to i64
  %fneg = fneg double %size.1
  %tobool.not64 = icmp slt i64 %2, 0
  %cond = select i1 %tobool.not64, double %fneg, double %size.1
  br label %cleanup

cleanup:                                          ; preds = %if.end, %entry, %if.end30
  %retval.0 = phi double [ %cond, %if.end30 ], [ 0x7FF8000000000000, %entry ], [ %x, %if.end ]
  ret double %retval.0
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(argmem: write) uwtable
define linkonce_odr double @frexp(double noundef %x, ptr nocapture noundef writeonly %exponent) local_unnamed_addr #2 {
entry:
  store i32 0, ptr %exponent, align 4, !tbaa !10
  %cmp = fcmp oeq double %x, 0.000000e+00
  br i1 %cmp, label %return, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %entry
  %0 = tail call double @llvm.fabs.f64(double %x)
  %cmp1 = fcmp olt double %0, 0x7FF0000000000000
  br i1 %cmp1, label %if.end, label %return

if.end:                                           ; preds = %lor.lhs.false
  %cmp2 = fcmp olt double %0, 0x10000000000000
  %mul = fmul double %x, 0x43F0000000000000
  %x.addr.0 = select i1 %cmp2, double %mul, double %x
  %1 = bitcast double %x.addr.0 to i64
  %shr = lshr i64 %1, 52
  %2 = trunc i64 %shr to i32
  %conv = and i32 %2, 2047
  %sub = select i1 %cmp2, i32 -1086, i32 -1022
  %sub5 = add nsw i32 %sub, %conv
  store i32 %sub5, ptr %exponent, align 4, !tbaa !10
  %and7 = and i64 %1, -9218868437227405313
  %or = or i64 %and7, 4602678819172646912
  %3 = bitcast i64 %or to double
  br label %return

return:                                           ; preds = %entry, %lor.lhs.false, %if.end
  %retval.0 = phi double [ %3, %if.end ], [ %x, %lor.lhs.false ], [ %x, %entry ]
  ret double %retval.0
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @ldexp(double noundef %x, i32 noundef %shift) local_unnamed_addr #0 {
entry:
  %cmp134.i = icmp sgt i32 %shift, 1023
  br i1 %cmp134.i, label %for.body.i, label %for.cond3.preheader.i

for.cond3.preheader.i:                            ; preds = %for.body.i, %entry
  %x.addr.0.lcssa.i = phi double [ %x, %entry ], [ %mul.i, %for.body.i ]
  %shift.addr.0.lcssa.i = phi i32 [ %shift, %entry ], [ %sub.i, %for.body.i ]
  %cmp639.i = icmp slt i32 %shift.addr.0.lcssa.i, -1022
  br i1 %cmp639.i, label %for.body9.i, label %scaled.exit

for.body.i:                                       ; preds = %entry, %for.body.i
  %k.037.i = phi i32 [ %inc.i, %for.body.i ], [ 0, %entry ]
  %shift.addr.036.i = phi i32 [ %sub.i, %for.body.i ], [ %shift, %entry ]
  %x.addr.035.i = phi double [ %mul.i, %for.body.i ], [ %x, %entry ]
  %mul.i = fmul double %x.addr.035.i, 0x7FE0000000000000
  %inc.i = add nuw nsw i32 %k.037.i, 1
  %sub.i = add nsw i32 %shift.addr.036.i, -1023
  %cmp.i = icmp eq i32 %k.037.i, 0
  %cmp1.i = icmp sgt i32 %shift.addr.036.i, 2046
  %0 = select i1 %cmp.i, i1 %cmp1.i, i1 false
  br i1 %0, label %for.body.i, label %for.cond3.preheader.i, !llvm.loop !8

for.body9.i:                                      ; preds = %for.cond3.preheader.i, %for.body9.i
  %k2.042.i = phi i32 [ %inc12.i, %for.body9.i ], [ 0, %for.cond3.preheader.i ]
  %shift.addr.141.i = phi i32 [ %add.i, %for.body9.i ], [ %shift.addr.0.lcssa.i, %for.cond3.preheader.i ]
  %x.addr.140.i = phi double [ %mul10.i, %for.body9.i ], [ %x.addr.0.lcssa.i, %for.cond3.preheader.i ]
  %mul10.i = fmul double %x.addr.140.i, 0x360000000000000
  %inc12.i = add nuw nsw i32 %k2.042.i, 1
  %add.i = add nuw nsw i32 %shift.addr.141.i, 969
  %cmp4.i = icmp eq i32 %k2.042.i, 0
  %cmp6.i = icmp slt i32 %shift.addr.141.i, -1991
  %1 = select i1 %cmp4.i, i1 %cmp6.i, i1 false
  br i1 %1, label %for.body9.i, label %scaled.exit, !llvm.loop !9

scaled.exit:                                      ; preds = %for.body9.i, %for.cond3.preheader.i
  %x.addr.1.lcssa.i = phi double [ %x.addr.0.lcssa.i, %for.cond3.preheader.i ], [ %mul10.i, %for.body9.i ]
  %shift.addr.1.lcssa.i = phi i32 [ %shift.addr.0.lcssa.i, %for.cond3.preheader.i ], [ %add.i, %for.body9.i ]
  %cond.i = tail call i32 @llvm.smax.i32(i32 %shift.addr.1.lcssa.i, i32 -1022)
  %cond19.i = tail call i32 @llvm.smin.i32(i32 %cond.i, i32 1023)
  %add20.i = add nsw i32 %cond19.i, 1023
  %conv33.i = zext i32 %add20.i to i64
  %shl.i = shl i64 %conv33.i, 52
  %2 = bitcast i64 %shl.i to double
  %mul21.i = fmul double %x.addr.1.lcssa.i, %2
  ret double %mul21.i
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @scalbn(double noundef %x, i32 noundef %shift) local_unnamed_addr #0 {
entry:
  %cmp134.i = icmp sgt i32 %shift, 1023
  br i1 %cmp134.i, label %for.body.i, label %for.cond3.preheader.i

for.cond3.preheader.i:                            ; preds = %for.body.i, %entry
  %x.addr.0.lcssa.i = phi double [ %x, %entry ], [ %mul.i, %for.body.i ]
  %shift.addr.0.lcssa.i = phi i32 [ %shift, %entry ], [ %sub.i, %for.body.i ]
  %cmp639.i = icmp slt i32 %shift.addr.0.lcssa.i, -1022
  br i1 %cmp639.i, label %for.body9.i, label %scaled.exit

for.body.i:                                       ; preds = %entry, %for.body.i
  %k.037.i = phi i32 [ %inc.i, %for.body.i ], [ 0, %entry ]
  %shift.addr.036.i = phi i32 [ %sub.i, %for.body.i ], [ %shift, %entry ]
  %x.addr.035.i = phi double [ %mul.i, %for.body.i ], [ %x, %entry ]
  %mul.i = fmul double %x.addr.035.i, 0x7FE0000000000000
  %inc.i = add nuw nsw i32 %k.037.i, 1
  %sub.i = add nsw i32 %shift.addr.036.i, -1023
  %cmp.i = icmp eq i32 %k.037.i, 0
  %cmp1.i = icmp sgt i32 %shift.addr.036.i, 2046
  %0 = select i1 %cmp.i, i1 %cmp1.i, i1 false
  br i1 %0, label %for.body.i, label %for.cond3.preheader.i, !llvm.loop !8

for.body9.i:                                      ; preds = %for.cond3.preheader.i, %for.body9.i
  %k2.042.i = phi i32 [ %inc12.i, %for.body9.i ], [ 0, %for.cond3.preheader.i ]
  %shift.addr.141.i = phi i32 [ %add.i, %for.body9.i ], [ %shift.addr.0.lcssa.i, %for.cond3.preheader.i ]
  %x.addr.140.i = phi double [ %mul10.i, %for.body9.i ], [ %x.addr.0.lcssa.i, %for.cond3.preheader.i ]
  %mul10.i = fmul double %x.addr.140.i, 0x360000000000000
  %inc12.i = add nuw nsw i32 %k2.042.i, 1
  %add.i = add nuw nsw i32 %shift.addr.141.i, 969
  %cmp4.i = icmp eq i32 %k2.042.i, 0
  %cmp6.i = icmp slt i32 %shift.addr.141.i, -1991
  %1 = select i1 %cmp4.i, i1 %cmp6.i, i1 false
  br i1 %1, label %for.body9.i, label %scaled.exit, !llvm.loop !9

scaled.exit:                                      ; preds = %for.body9.i, %for.cond3.preheader.i
  %x.addr.1.lcssa.i = phi double [ %x.addr.0.lcssa.i, %for.cond3.preheader.i ], [ %mul10.i, %for.body9.i ]
  %shift.addr.1.lcssa.i = phi i32 [ %shift.addr.0.lcssa.i, %for.cond3.preheader.i ], [ %add.i, %for.body9.i ]
  %cond.i = tail call i32 @llvm.smax.i32(i32 %shift.addr.1.lcssa.i, i32 -1022)
  %cond19.i = tail call i32 @llvm.smin.i32(i32 %cond.i, i32 1023)
  %add20.i = add nsw i32 %cond19.i, 1023
  %conv33.i = zext i32 %add20.i to i64
  %shl.i = shl i64 %conv33.i, 52
  %2 = bitcast i64 %shl.i to double
  %mul21.i = fmul double %x.addr.1.lcssa.i, %2
  ret double %mul21.i
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @scalbln(double noundef %x, i64 noundef %shift) local_unnamed_addr #0 {
entry:
  %cond = tail call i64 @llvm.smax.i64(i64 %shift, i64 -5000)
  %cond5 = tail call i64 @llvm.smin.i64(i64 %cond, i64 5000)
  %conv = trunc i64 %cond5 to i32
  %cmp134.i = icmp sgt i32 %conv, 1023
  br i1 %cmp134.i, label %for.body.i, label %for.cond3.preheader.i

for.cond3.preheader.i:                            ; preds = %for.body.i, %entry
  %x.addr.0.lcssa.i = phi double [ %x, %entry ], [ %mul.i, %for.body.i ]
  %shift.addr.0.lcssa.i = phi i32 [ %conv, %entry ], [ %sub.i, %for.body.i ]
  %cmp639.i = icmp slt i32 %shift.addr.0.lcssa.i, -1022
  br i1 %cmp639.i, label %for.body9.i, label %scaled.exit

for.body.i:                                       ; preds = %entry, %for.body.i
  %k.037.i = phi i32 [ %inc.i, %for.body.i ], [ 0, %entry ]
  %shift.addr.036.i = phi i32 [ %sub.i, %for.body.i ], [ %conv, %entry ]
  %x.addr.035.i = phi double [ %mul.i, %for.body.i ], [ %x, %entry ]
  %mul.i = fmul double %x.addr.035.i, 0x7FE0000000000000
  %inc.i = add nuw nsw i32 %k.037.i, 1
  %sub.i = add nsw i32 %shift.addr.036.i, -1023
  %cmp.i = icmp eq i32 %k.037.i, 0
  %cmp1.i = icmp sgt i32 %shift.addr.036.i, 2046
  %0 = select i1 %cmp.i, i1 %cmp1.i, i1 false
  br i1 %0, label %for.body.i, label %for.cond3.preheader.i, !llvm.loop !8

for.body9.i:                                      ; preds = %for.cond3.preheader.i, %for.body9.i
  %k2.042.i = phi i32 [ %inc12.i, %for.body9.i ], [ 0, %for.cond3.preheader.i ]
  %shift.addr.141.i = phi i32 [ %add.i, %for.body9.i ], [ %shift.addr.0.lcssa.i, %for.cond3.preheader.i ]
  %x.addr.140.i = phi double [ %mul10.i, %for.body9.i ], [ %x.addr.0.lcssa.i, %for.cond3.preheader.i ]
  %mul10.i = fmul double %x.addr.140.i, 0x360000000000000
  %inc12.i = add nuw nsw i32 %k2.042.i, 1
  %add.i = add nuw nsw i32 %shift.addr.141.i, 969
  %cmp4.i = icmp eq i32 %k2.042.i, 0
  %cmp6.i = icmp slt i32 %shift.addr.141.i, -1991
  %1 = select i1 %cmp4.i, i1 %cmp6.i, i1 false
  br i1 %1, label %for.body9.i, label %scaled.exit, !llvm.loop !9

scaled.exit:                                      ; preds = %for.body9.i, %for.cond3.preheader.i
  %x.addr.1.lcssa.i = phi double [ %x.addr.0.lcssa.i, %for.cond3.preheader.i ], [ %mul10.i, %for.body9.i ]
  %shift.addr.1.lcssa.i = phi i32 [ %shift.addr.0.lcssa.i, %for.cond3.preheader.i ], [ %add.i, %for.body9.i ]
  %cond.i = tail call i32 @llvm.smax.i32(i32 %shift.addr.1.lcssa.i, i32 -1022)
  %cond19.i = tail call i32 @llvm.smin.i32(i32 %cond.i, i32 1023)
  %add20.i = add nsw i32 %cond19.i, 1023
  %conv33.i = zext i32 %add20.i to i64
  %shl.i = shl i64 %conv33.i, 52
  %2 = bitcast i64 %shl.i to double
  %mul21.i = fmul double %x.addr.1.lcssa.i, %2
  ret double %mul21.i
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(argmem: write) uwtable
define linkonce_odr double @modf(double noundef %x, ptr nocapture noundef writeonly %whole) local_unnamed_addr #2 {
entry:
  %0 = tail call double @llvm.trunc.f64(double %x)
  store double %0, ptr %whole, align 8, !tbaa !14
  %1 = tail call double @llvm.fabs.f64(double %x)
  %cmp = fcmp oeq double %1, 0x7FF0000000000000
  %sub = fsub double %x, %0
  %cond = select i1 %cmp, double 0.000000e+00, double %sub
  %2 = tail call double @llvm.copysign.f64(double %cond, double %x)
  ret double %2
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.trunc.f64(double) #1

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i32 @ilogb(double noundef %x) local_unnamed_addr #3 {
entry:
  %or.cond = fcmp ueq double %x, 0.000000e+00
  br i1 %or.cond, label %cleanup, label %if.end

if.end:                                           ; preds = %entry
  %0 = tail call double @llvm.fabs.f64(double %x)
  %cmp2 = fcmp oeq double %0, 0x7FF0000000000000
  br i1 %cmp2, label %cleanup, label %lor.lhs.false.i

lor.lhs.false.i:                                  ; preds = %if.end
  %cmp1.i = fcmp olt double %0, 0x7FF0000000000000
  br i1 %cmp1.i, label %if.end.i, label %cleanup

if.end.i:                                         ; preds = %lor.lhs.false.i
  %cmp2.i = fcmp olt double %0, 0x10000000000000
  %mul.i = fmul double %x, 0x43F0000000000000
  %x.addr.0.i = select i1 %cmp2.i, double %mul.i, double %x
  %1 = bitcast double %x.addr.0.i to i64
  %shr.i = lshr i64 %1, 52
  %2 = trunc i64 %shr.i to i32
  %conv.i = and i32 %2, 2047
  %sub5.i = select i1 %cmp2.i, i32 -1087, i32 -1023
  %3 = add nsw i32 %sub5.i, %conv.i
  br label %cleanup

cleanup:                                          ; preds = %if.end.i, %lor.lhs.false.i, %if.end, %entry
  %retval.0 = phi i32 [ -2147483648, %entry ], [ 2147483647, %if.end ], [ %3, %if.end.i ], [ -1, %lor.lhs.false.i ]
  ret i32 %retval.0
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr double @logb(double noundef %x) local_unnamed_addr #3 {
entry:
  %cmp = fcmp oeq double %x, 0.000000e+00
  br i1 %cmp, label %cond.end4, label %cond.false

cond.false:                                       ; preds = %entry
  %0 = tail call double @llvm.fabs.f64(double %x)
  %cmp1 = fcmp olt double %0, 0x7FF0000000000000
  br i1 %cmp1, label %cond.false3, label %cond.true2

cond.true2:                                       ; preds = %cond.false
  %mul = fmul double %x, %x
  br label %cond.end4

cond.false3:                                      ; preds = %cond.false
  %or.cond.i = fcmp ueq double %x, 0.000000e+00
  br i1 %or.cond.i, label %cond.end4, label %if.end.i

if.end.i:                                         ; preds = %cond.false3
  %cmp2.i = fcmp oeq double %0, 0x7FF0000000000000
  br i1 %cmp2.i, label %cond.end4, label %if.end.i.i

if.end.i.i:                                       ; preds = %if.end.i
  %cmp2.i.i = fcmp olt double %0, 0x10000000000000
  %mul.i.i = fmul double %x, 0x43F0000000000000
  %x.addr.0.i.i = select i1 %cmp2.i.i, double %mul.i.i, double %x
  %1 = bitcast double %x.addr.0.i.i to i64
  %shr.i.i = lshr i64 %1, 52
  %2 = trunc i64 %shr.i.i to i32
  %conv.i.i = and i32 %2, 2047
  %sub5.i.i = select i1 %cmp2.i.i, i32 -1087, i32 -1023
  %3 = add nsw i32 %conv.i.i, %sub5.i.i
  %4 = sitofp i32 %3 to double
  br label %cond.end4

cond.end4:                                        ; preds = %if.end.i.i, %if.end.i, %cond.false3, %cond.true2, %entry
  %cond5 = phi double [ 0xFFF0000000000000, %entry ], [ %mul, %cond.true2 ], [ 0xC1E0000000000000, %cond.false3 ], [ 0x41DFFFFFFFC00000, %if.end.i ], [ %4, %if.end.i.i ]
  ret double %cond5
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define linkonce_odr double @fdim(double noundef %x, double noundef %y) local_unnamed_addr #4 {
entry:
  %or.cond = fcmp uno double %x, %y
  br i1 %or.cond, label %cond.end5, label %cond.false

cond.false:                                       ; preds = %entry
  %cmp2 = fcmp ogt double %x, %y
  %sub = fsub double %x, %y
  %cond = select i1 %cmp2, double %sub, double 0.000000e+00
  br label %cond.end5

cond.end5:                                        ; preds = %entry, %cond.false
  %cond6 = phi double [ %cond, %cond.false ], [ 0x7FF8000000000000, %entry ]
  ret double %cond6
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr double @nextafter(double noundef %x, double noundef %y) local_unnamed_addr #3 {
entry:
  %or.cond = fcmp uno double %x, %y
  br i1 %or.cond, label %return, label %if.end

if.end:                                           ; preds = %entry
  %cmp2 = fcmp oeq double %x, %y
  br i1 %cmp2, label %return, label %if.end4

if.end4:                                          ; preds = %if.end
  %cmp5 = fcmp oeq double %x, 0.000000e+00
  br i1 %cmp5, label %if.then6, label %if.end7

if.then6:                                         ; preds = %if.end4
  %0 = tail call double @llvm.copysign.f64(double 4.940660e-324, double %y)
  br label %return

if.end7:                                          ; preds = %if.end4
  %1 = bitcast double %x to i64
  %cmp8 = fcmp uge double %x, %y
  %cmp9 = fcmp ogt double %x, 0.000000e+00
  %cmp11 = xor i1 %cmp9, %cmp8
  %conv13 = select i1 %cmp11, i64 1, i64 -1
  %add = add i64 %conv13, %1
  %2 = bitcast i64 %add to double
  br label %return

return:                                           ; preds = %if.end, %entry, %if.end7, %if.then6
  %retval.0 = phi double [ %0, %if.then6 ], [ %2, %if.end7 ], [ 0x7FF8000000000000, %entry ], [ %y, %if.end ]
  ret double %retval.0
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @fmodf(float noundef %x, float noundef %y) local_unnamed_addr #0 {
entry:
  %conv = fpext float %x to double
  %conv1 = fpext float %y to double
  %call = tail call double @fmod(double noundef %conv, double noundef %conv1) #6
  %conv2 = fptrunc double %call to float
  ret float %conv2
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @remainderf(float noundef %x, float noundef %y) local_unnamed_addr #0 {
entry:
  %0 = tail call float @llvm.fabs.f32(float %y)
  %1 = fpext float %0 to double
  %2 = tail call float @llvm.fabs.f32(float %x)
  %3 = fpext float %2 to double
  %cmp.i = fcmp uge float %2, 0x7FF0000000000000
  %cmp1.i = fcmp oeq float %y, 0.000000e+00
  %or.cond.i = or i1 %cmp.i, %cmp1.i
  %cmp3.i = fcmp uno float %y, 0.000000e+00
  %or.cond65.i = or i1 %cmp3.i, %or.cond.i
  br i1 %or.cond65.i, label %remainder.exit, label %if.end.i

if.end.i:                                         ; preds = %entry
  %cmp4.i = fcmp oeq float %0, 0x7FF0000000000000
  br i1 %cmp4.i, label %remainder.exit, label %if.end6.i

if.end6.i:                                        ; preds = %if.end.i
  %cmp7.i = fcmp olt double %1, 0x7FD0000000000000
  br i1 %cmp7.i, label %if.then8.i, label %if.end9.i

if.then8.i:                                       ; preds = %if.end6.i
  %add.i = fadd double %1, %1
  %call.i = tail call double @fmod(double noundef %3, double noundef %add.i) #6
  br label %if.end9.i

if.end9.i:                                        ; preds = %if.then8.i, %if.end6.i
  %size.0.i = phi double [ %call.i, %if.then8.i ], [ %3, %if.end6.i ]
  %cmp10.i = fcmp olt double %1, 0x20000000000000
  br i1 %cmp10.i, label %if.then11.i, label %if.else.i

if.then11.i:                                      ; preds = %if.end9.i
  %add12.i = fadd double %size.0.i, %size.0.i
  %cmp13.i = fcmp ogt double %add12.i, %1
  br i1 %cmp13.i, label %if.then14.i, label %if.end30.i

if.then14.i:                                      ; preds = %if.then11.i
  %sub.i = fsub double %size.0.i, %1
  %add15.i = fadd double %sub.i, %sub.i
  %cmp16.i = fcmp ult double %add15.i, %1
  br i1 %cmp16.i, label %if.end30.i, label %if.then17.i

if.then17.i:                                      ; preds = %if.then14.i
  %sub18.i = fsub double %sub.i, %1
  br label %if.end30.i

if.else.i:                                        ; preds = %if.end9.i
  %div.i = fmul double %1, 5.000000e-01
  %cmp21.i = fcmp ogt double %size.0.i, %div.i
  br i1 %cmp21.i, label %if.then22.i, label %if.end30.i

if.then22.i:                                      ; preds = %if.else.i
  %sub23.i = fsub double %size.0.i, %1
  %cmp25.i = fcmp ult double %sub23.i, %div.i
  br i1 %cmp25.i, label %if.end30.i, label %if.then26.i

if.then26.i:                                      ; preds = %if.then22.i
  %sub27.i = fsub double %sub23.i, %1
  br label %if.end30.i

if.end30.i:                                       ; preds = %if.then26.i, %if.then22.i, %if.else.i, %if.then17.i, %if.then14.i, %if.then11.i
  %size.1.i = phi double [ %sub18.i, %if.then17.i ], [ %sub.i, %if.then14.i ], [ %size.0.i, %if.then11.i ], [ %sub27.i, %if.then26.i ], [ %sub23.i, %if.then22.i ], [ %size.0.i, %if.else.i ]
  %fneg.i = fneg double %size.1.i
  %4 = bitcast float %x to i32
  %tobool.not64.i = icmp slt i32 %4, 0
  %cond.i = select i1 %tobool.not64.i, double %fneg.i, double %size.1.i
  %5 = fptrunc double %cond.i to float
  br label %remainder.exit

remainder.exit:                                   ; preds = %entry, %if.end.i, %if.end30.i
  %retval.0.i = phi float [ %5, %if.end30.i ], [ 0x7FF8000000000000, %entry ], [ %x, %if.end.i ]
  ret float %retval.0.i
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(argmem: write) uwtable
define linkonce_odr float @frexpf(float noundef %x, ptr nocapture noundef writeonly %exponent) local_unnamed_addr #2 {
entry:
  %conv = fpext float %x to double
  store i32 0, ptr %exponent, align 4, !tbaa !10
  %cmp.i = fcmp oeq float %x, 0.000000e+00
  br i1 %cmp.i, label %frexp.exit, label %lor.lhs.false.i

lor.lhs.false.i:                                  ; preds = %entry
  %0 = tail call double @llvm.fabs.f64(double %conv)
  %cmp1.i = fcmp olt double %0, 0x7FF0000000000000
  br i1 %cmp1.i, label %if.end.i, label %frexp.exit

if.end.i:                                         ; preds = %lor.lhs.false.i
  %cmp2.i = fcmp olt double %0, 0x10000000000000
  %mul.i = fmul double %conv, 0x43F0000000000000
  %x.addr.0.i = select i1 %cmp2.i, double %mul.i, double %conv
  %1 = bitcast double %x.addr.0.i to i64
  %shr.i = lshr i64 %1, 52
  %2 = trunc i64 %shr.i to i32
  %conv.i = and i32 %2, 2047
  %sub.i = select i1 %cmp2.i, i32 -1086, i32 -1022
  %sub5.i = add nsw i32 %conv.i, %sub.i
  store i32 %sub5.i, ptr %exponent, align 4, !tbaa !10
  %and7.i = and i64 %1, -9218868437227405313
  %or.i = or i64 %and7.i, 4602678819172646912
  %3 = bitcast i64 %or.i to double
  %4 = fptrunc double %3 to float
  br label %frexp.exit

frexp.exit:                                       ; preds = %entry, %lor.lhs.false.i, %if.end.i
  %retval.0.i = phi float [ %4, %if.end.i ], [ %x, %lor.lhs.false.i ], [ %x, %entry ]
  ret float %retval.0.i
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define linkonce_odr float @fdimf(float noundef %x, float noundef %y) local_unnamed_addr #4 {
entry:
  %or.cond = fcmp uno float %x, %y
  br i1 %or.cond, label %cond.end5, label %cond.false

cond.false:                                       ; preds = %entry
  %cmp2 = fcmp ogt float %x, %y
  %sub = fsub float %x, %y
  %cond = select i1 %cmp2, float %sub, float 0.000000e+00
  br label %cond.end5

cond.end5:                                        ; preds = %entry, %cond.false
  %cond6 = phi float [ %cond, %cond.false ], [ 0x7FF8000000000000, %entry ]
  ret float %cond6
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr float @logbf(float noundef %x) local_unnamed_addr #3 {
entry:
  %conv = fpext float %x to double
  %cmp.i = fcmp oeq float %x, 0.000000e+00
  br i1 %cmp.i, label %logb.exit, label %cond.false.i

cond.false.i:                                     ; preds = %entry
  %0 = tail call double @llvm.fabs.f64(double %conv)
  %cmp1.i = fcmp olt double %0, 0x7FF0000000000000
  br i1 %cmp1.i, label %cond.false3.i, label %cond.true2.i

cond.true2.i:                                     ; preds = %cond.false.i
  %mul.i = fmul double %conv, %conv
  br label %logb.exit

cond.false3.i:                                    ; preds = %cond.false.i
  %or.cond.i.i = fcmp ueq float %x, 0.000000e+00
  br i1 %or.cond.i.i, label %logb.exit, label %if.end.i.i

if.end.i.i:                                       ; preds = %cond.false3.i
  %cmp2.i.i = fcmp oeq double %0, 0x7FF0000000000000
  br i1 %cmp2.i.i, label %logb.exit, label %if.end.i.i.i

if.end.i.i.i:                                     ; preds = %if.end.i.i
  %cmp2.i.i.i = fcmp olt double %0, 0x10000000000000
  %mul.i.i.i = fmul double %conv, 0x43F0000000000000
  %x.addr.0.i.i.i = select i1 %cmp2.i.i.i, double %mul.i.i.i, double %conv
  %1 = bitcast double %x.addr.0.i.i.i to i64
  %shr.i.i.i = lshr i64 %1, 52
  %2 = trunc i64 %shr.i.i.i to i32
  %conv.i.i.i = and i32 %2, 2047
  %sub5.i.i.i = select i1 %cmp2.i.i.i, i32 -1087, i32 -1023
  %3 = add nsw i32 %conv.i.i.i, %sub5.i.i.i
  %4 = sitofp i32 %3 to double
  br label %logb.exit

logb.exit:                                        ; preds = %entry, %cond.true2.i, %cond.false3.i, %if.end.i.i, %if.end.i.i.i
  %cond5.i = phi double [ 0xFFF0000000000000, %entry ], [ %mul.i, %cond.true2.i ], [ 0xC1E0000000000000, %cond.false3.i ], [ 0x41DFFFFFFFC00000, %if.end.i.i ], [ %4, %if.end.i.i.i ]
  %conv1 = fptrunc double %cond5.i to float
  ret float %conv1
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i32 @ilogbf(float noundef %x) local_unnamed_addr #3 {
entry:
  %conv = fpext float %x to double
  %or.cond.i = fcmp ueq float %x, 0.000000e+00
  br i1 %or.cond.i, label %ilogb.exit, label %if.end.i

if.end.i:                                         ; preds = %entry
  %0 = tail call double @llvm.fabs.f64(double %conv)
  %cmp2.i = fcmp oeq double %0, 0x7FF0000000000000
  br i1 %cmp2.i, label %ilogb.exit, label %lor.lhs.false.i.i

lor.lhs.false.i.i:                                ; preds = %if.end.i
  %cmp1.i.i = fcmp olt double %0, 0x7FF0000000000000
  br i1 %cmp1.i.i, label %if.end.i.i, label %ilogb.exit

if.end.i.i:                                       ; preds = %lor.lhs.false.i.i
  %cmp2.i.i = fcmp olt double %0, 0x10000000000000
  %mul.i.i = fmul double %conv, 0x43F0000000000000
  %x.addr.0.i.i = select i1 %cmp2.i.i, double %mul.i.i, double %conv
  %1 = bitcast double %x.addr.0.i.i to i64
  %shr.i.i = lshr i64 %1, 52
  %2 = trunc i64 %shr.i.i to i32
  %conv.i.i = and i32 %2, 2047
  %sub5.i.i = select i1 %cmp2.i.i, i32 -1087, i32 -1023
  %3 = add nsw i32 %conv.i.i, %sub5.i.i
  br label %ilogb.exit

ilogb.exit:                                       ; preds = %entry, %if.end.i, %lor.lhs.false.i.i, %if.end.i.i
  %retval.0.i = phi i32 [ -2147483648, %entry ], [ 2147483647, %if.end.i ], [ %3, %if.end.i.i ], [ -1, %lor.lhs.false.i.i ]
  ret i32 %retval.0.i
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @ldexpf(float noundef %x, i32 noundef %shift) local_unnamed_addr #0 {
entry:
  %conv = fpext float %x to double
  %cmp134.i = icmp sgt i32 %shift, 1023
  br i1 %cmp134.i, label %for.body.i, label %for.cond3.preheader.i

for.cond3.preheader.i:                            ; preds = %for.body.i, %entry
  %x.addr.0.lcssa.i = phi double [ %conv, %entry ], [ %mul.i, %for.body.i ]
  %shift.addr.0.lcssa.i = phi i32 [ %shift, %entry ], [ %sub.i, %for.body.i ]
  %cmp639.i = icmp slt i32 %shift.addr.0.lcssa.i, -1022
  br i1 %cmp639.i, label %for.body9.i, label %scaled.exit

for.body.i:                                       ; preds = %entry, %for.body.i
  %k.037.i = phi i32 [ %inc.i, %for.body.i ], [ 0, %entry ]
  %shift.addr.036.i = phi i32 [ %sub.i, %for.body.i ], [ %shift, %entry ]
  %x.addr.035.i = phi double [ %mul.i, %for.body.i ], [ %conv, %entry ]
  %mul.i = fmul double %x.addr.035.i, 0x7FE0000000000000
  %inc.i = add nuw nsw i32 %k.037.i, 1
  %sub.i = add nsw i32 %shift.addr.036.i, -1023
  %cmp.i = icmp eq i32 %k.037.i, 0
  %cmp1.i = icmp sgt i32 %shift.addr.036.i, 2046
  %0 = select i1 %cmp.i, i1 %cmp1.i, i1 false
  br i1 %0, label %for.body.i, label %for.cond3.preheader.i, !llvm.loop !8

for.body9.i:                                      ; preds = %for.cond3.preheader.i, %for.body9.i
  %k2.042.i = phi i32 [ %inc12.i, %for.body9.i ], [ 0, %for.cond3.preheader.i ]
  %shift.addr.141.i = phi i32 [ %add.i, %for.body9.i ], [ %shift.addr.0.lcssa.i, %for.cond3.preheader.i ]
  %x.addr.140.i = phi double [ %mul10.i, %for.body9.i ], [ %x.addr.0.lcssa.i, %for.cond3.preheader.i ]
  %mul10.i = fmul double %x.addr.140.i, 0x360000000000000
  %inc12.i = add nuw nsw i32 %k2.042.i, 1
  %add.i = add nuw nsw i32 %shift.addr.141.i, 969
  %cmp4.i = icmp eq i32 %k2.042.i, 0
  %cmp6.i = icmp slt i32 %shift.addr.141.i, -1991
  %1 = select i1 %cmp4.i, i1 %cmp6.i, i1 false
  br i1 %1, label %for.body9.i, label %scaled.exit, !llvm.loop !9

scaled.exit:                                      ; preds = %for.body9.i, %for.cond3.preheader.i
  %x.addr.1.lcssa.i = phi double [ %x.addr.0.lcssa.i, %for.cond3.preheader.i ], [ %mul10.i, %for.body9.i ]
  %shift.addr.1.lcssa.i = phi i32 [ %shift.addr.0.lcssa.i, %for.cond3.preheader.i ], [ %add.i, %for.body9.i ]
  %cond.i = tail call i32 @llvm.smax.i32(i32 %shift.addr.1.lcssa.i, i32 -1022)
  %cond19.i = tail call i32 @llvm.smin.i32(i32 %cond.i, i32 1023)
  %add20.i = add nsw i32 %cond19.i, 1023
  %conv33.i = zext i32 %add20.i to i64
  %shl.i = shl i64 %conv33.i, 52
  %2 = bitcast i64 %shl.i to double
  %mul21.i = fmul double %x.addr.1.lcssa.i, %2
  %conv1 = fptrunc double %mul21.i to float
  ret float %conv1
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @scalbnf(float noundef %x, i32 noundef %shift) local_unnamed_addr #0 {
entry:
  %conv = fpext float %x to double
  %cmp134.i = icmp sgt i32 %shift, 1023
  br i1 %cmp134.i, label %for.body.i, label %for.cond3.preheader.i

for.cond3.preheader.i:                            ; preds = %for.body.i, %entry
  %x.addr.0.lcssa.i = phi double [ %conv, %entry ], [ %mul.i, %for.body.i ]
  %shift.addr.0.lcssa.i = phi i32 [ %shift, %entry ], [ %sub.i, %for.body.i ]
  %cmp639.i = icmp slt i32 %shift.addr.0.lcssa.i, -1022
  br i1 %cmp639.i, label %for.body9.i, label %scaled.exit

for.body.i:                                       ; preds = %entry, %for.body.i
  %k.037.i = phi i32 [ %inc.i, %for.body.i ], [ 0, %entry ]
  %shift.addr.036.i = phi i32 [ %sub.i, %for.body.i ], [ %shift, %entry ]
  %x.addr.035.i = phi double [ %mul.i, %for.body.i ], [ %conv, %entry ]
  %mul.i = fmul double %x.addr.035.i, 0x7FE0000000000000
  %inc.i = add nuw nsw i32 %k.037.i, 1
  %sub.i = add nsw i32 %shift.addr.036.i, -1023
  %cmp.i = icmp eq i32 %k.037.i, 0
  %cmp1.i = icmp sgt i32 %shift.addr.036.i, 2046
  %0 = select i1 %cmp.i, i1 %cmp1.i, i1 false
  br i1 %0, label %for.body.i, label %for.cond3.preheader.i, !llvm.loop !8

for.body9.i:                                      ; preds = %for.cond3.preheader.i, %for.body9.i
  %k2.042.i = phi i32 [ %inc12.i, %for.body9.i ], [ 0, %for.cond3.preheader.i ]
  %shift.addr.141.i = phi i32 [ %add.i, %for.body9.i ], [ %shift.addr.0.lcssa.i, %for.cond3.preheader.i ]
  %x.addr.140.i = phi double [ %mul10.i, %for.body9.i ], [ %x.addr.0.lcssa.i, %for.cond3.preheader.i ]
  %mul10.i = fmul double %x.addr.140.i, 0x360000000000000
  %inc12.i = add nuw nsw i32 %k2.042.i, 1
  %add.i = add nuw nsw i32 %shift.addr.141.i, 969
  %cmp4.i = icmp eq i32 %k2.042.i, 0
  %cmp6.i = icmp slt i32 %shift.addr.141.i, -1991
  %1 = select i1 %cmp4.i, i1 %cmp6.i, i1 false
  br i1 %1, label %for.body9.i, label %scaled.exit, !llvm.loop !9

scaled.exit:                                      ; preds = %for.body9.i, %for.cond3.preheader.i
  %x.addr.1.lcssa.i = phi double [ %x.addr.0.lcssa.i, %for.cond3.preheader.i ], [ %mul10.i, %for.body9.i ]
  %shift.addr.1.lcssa.i = phi i32 [ %shift.addr.0.lcssa.i, %for.cond3.preheader.i ], [ %add.i, %for.body9.i ]
  %cond.i = tail call i32 @llvm.smax.i32(i32 %shift.addr.1.lcssa.i, i32 -1022)
  %cond19.i = tail call i32 @llvm.smin.i32(i32 %cond.i, i32 1023)
  %add20.i = add nsw i32 %cond19.i, 1023
  %conv33.i = zext i32 %add20.i to i64
  %shl.i = shl i64 %conv33.i, 52
  %2 = bitcast i64 %shl.i to double
  %mul21.i = fmul double %x.addr.1.lcssa.i, %2
  %conv1 = fptrunc double %mul21.i to float
  ret float %conv1
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(argmem: write) uwtable
define linkonce_odr float @modff(float noundef %x, ptr nocapture noundef writeonly %whole) local_unnamed_addr #2 {
entry:
  %conv = fpext float %x to double
  %0 = tail call double @llvm.trunc.f64(double %conv)
  %1 = tail call double @llvm.fabs.f64(double %conv)
  %cmp.i = fcmp oeq double %1, 0x7FF0000000000000
  %sub.i = fsub double %conv, %0
  %cond.i = select i1 %cmp.i, double 0.000000e+00, double %sub.i
  %2 = tail call double @llvm.copysign.f64(double %cond.i, double %conv)
  %conv1 = fptrunc double %0 to float
  store float %conv1, ptr %whole, align 4, !tbaa !16
  %conv2 = fptrunc double %2 to float
  ret float %conv2
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fabs.f32(float) #5

attributes #0 = { nofree nosync nounwind memory(none) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { mustprogress nofree nosync nounwind willreturn memory(argmem: write) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nofree nosync nounwind willreturn memory(none) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nobuiltin "no-builtins" }

!llvm.module.flags = !{!0, !1, !2, !3}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!5 = distinct !{!5, !6, !7}
!6 = !{!"llvm.loop.mustprogress"}
!7 = !{!"llvm.loop.unroll.disable"}
!8 = distinct !{!8, !6, !7}
!9 = distinct !{!9, !6, !7}
!10 = !{!11, !11, i64 0}
!11 = !{!"int", !12, i64 0}
!12 = !{!"omnipotent char", !13, i64 0}
!13 = !{!"Simple C/C++ TBAA"}
!14 = !{!15, !15, i64 0}
!15 = !{!"double", !12, i64 0}
!16 = !{!17, !17, i64 0}
!17 = !{!"float", !12, i64 0}
