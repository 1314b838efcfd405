target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.pair = type { double, double }

@TWO_OVER_PI = internal unnamed_addr constant [20 x i64] [i64 -6703182060581546711, i64 -277156292786332224, i64 -2638381946312093631, i64 -121206125134887583, i64 -5249950069107600672, i64 452944820249399836, i64 -135693905287338178, i64 -1692731182770600828, i64 -1613291254968254911, i64 4148332274289687028, i64 -7168499653074671557, i64 2303758334597371919, i64 -1211730484530615009, i64 7869616827067468215, i64 5712322887342352941, i64 8441921394348257659, i64 4397547296490951402, i64 7780917995555872008, i64 6197850593633725355, i64 -1094449336203069923], align 16
@angle.known = internal unnamed_addr constant [5 x %struct.pair] [%struct.pair zeroinitializer, %struct.pair { double 0x3FCF5B75F92C80DD, double 0x3C68AB6E3CF7AFBD }, %struct.pair { double 0x3FDDAC670561BB4F, double 0x3C7A2B7F222F65E2 }, %struct.pair { double 0x3FE4978FA3269EE1, double 0x3C72419A87F2A458 }, %struct.pair { double 0x3FE921FB54442D18, double 0x3C81A62633145C07 }], align 16

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr double @sin(double noundef %x) local_unnamed_addr #0 {
entry:
  %0 = tail call double @llvm.fabs.f64(double %x)
  %cmp = fcmp olt double %0, 0x3E40000000000000
  br i1 %cmp, label %cond.end, label %cond.false

cond.false:                                       ; preds = %entry
  %call = tail call fastcc double @of_quarter(double noundef %x, i32 noundef 0) #7
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.false
  %cond = phi double [ %call, %cond.false ], [ %x, %entry ]
  ret double %cond
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fabs.f64(double) #1

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define internal fastcc double @of_quarter(double noundef %x, i32 noundef %shift) unnamed_addr #0 {
entry:
  %quarter = alloca i32, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %quarter) #8
  %0 = tail call double @llvm.fabs.f64(double %x)
  %cmp = fcmp olt double %0, 0x7FF0000000000000
  br i1 %cmp, label %if.end, label %cleanup

if.end:                                           ; preds = %entry
  %call = call fastcc { double, double } @reduced(double noundef %x, ptr noundef nonnull %quarter) #7
  %1 = extractvalue { double, double } %call, 0
  %2 = extractvalue { double, double } %call, 1
  %3 = load i32, ptr %quarter, align 4, !tbaa !5
  %add = add nsw i32 %3, %shift
  store i32 %add, ptr %quarter, align 4, !tbaa !5
  %and = and i32 %add, 1
  %tobool.not = icmp eq i32 %and, 0
  %mul.i15 = fmul double %1, %1
  br i1 %tobool.not, label %cond.false, label %cond.true

cond.true:                                        ; preds = %if.end
  %fneg.i.i = fneg double %mul.i15
  %4 = tail call double @llvm.fma.f64(double %1, double %1, double %fneg.i.i)
  %mul.i = fmul double %mul.i15, %mul.i15
  %mul3.i = fmul double %mul.i15, 0x3D2AE7F3E733B81F
  %add.i = fadd double %mul3.i, 0xBDA93974A8C07C9D
  %mul4.i = fmul double %mul.i15, %add.i
  %add5.i = fadd double %mul4.i, 0x3E21EED8EFF8D898
  %mul6.i = fmul double %mul.i15, %add5.i
  %add7.i = fadd double %mul6.i, 0xBE927E4FB7789F5C
  %mul8.i = fmul double %mul.i15, %add7.i
  %add9.i = fadd double %mul8.i, 0x3EFA01A01A01A01A
  %mul10.i = fmul double %mul.i15, %add9.i
  %add11.i = fadd double %mul10.i, 0xBF56C16C16C16C17
  %mul12.i = fmul double %mul.i15, %add11.i
  %add13.i = fadd double %mul12.i, 0x3FA5555555555555
  %mul14.i = fmul double %mul.i, %add13.i
  %div.i = fmul double %mul.i15, -5.000000e-01
  %add.i.i = fadd double %div.i, 1.000000e+00
  %sub.i.i = fadd double %add.i.i, -1.000000e+00
  %sub1.i.i = fsub double %div.i, %sub.i.i
  %div18.i = fmul double %4, 5.000000e-01
  %sub.i = fsub double %mul14.i, %div18.i
  %mul21.i = fmul double %1, %2
  %sub22.i = fsub double %sub.i, %mul21.i
  %add23.i = fadd double %sub1.i.i, %sub22.i
  %add.i37.i = fadd double %add.i.i, %add23.i
  br label %cond.end

cond.false:                                       ; preds = %if.end
  %mul2.i = fmul double %mul.i15, 0x3CE952C77030AD4A
  %add.i16 = fadd double %mul2.i, 0xBD6AE7F3E733B81F
  %mul3.i17 = fmul double %mul.i15, %add.i16
  %add4.i = fadd double %mul3.i17, 0x3DE6124613A86D09
  %mul5.i = fmul double %mul.i15, %add4.i
  %add6.i = fadd double %mul5.i, 0xBE5AE64567F544E4
  %mul7.i = fmul double %mul.i15, %add6.i
  %add8.i = fadd double %mul7.i, 0x3EC71DE3A556C734
  %mul9.i = fmul double %mul.i15, %add8.i
  %add10.i = fadd double %mul9.i, 0xBF2A01A01A01A01A
  %mul11.i = fmul double %mul.i15, %add10.i
  %add12.i = fadd double %mul11.i, 0x3F81111111111111
  %mul13.i = fmul double %mul.i15, %add12.i
  %add14.i = fadd double %mul13.i, 0xBFC5555555555555
  %mul15.i = fmul double %mul.i15, %add14.i
  %mul18.i = fmul double %1, %mul15.i
  %div.i18 = fmul double %mul.i15, 5.000000e-01
  %sub.i19 = fsub double 1.000000e+00, %div.i18
  %mul19.i = fmul double %2, %sub.i19
  %add20.i = fadd double %mul19.i, %mul18.i
  %add.i.i20 = fadd double %1, %add20.i
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %add.i37.i.pn = phi double [ %add.i37.i, %cond.true ], [ %add.i.i20, %cond.false ]
  %and5 = and i32 %add, 2
  %tobool6.not = icmp eq i32 %and5, 0
  %fneg = fneg double %add.i37.i.pn
  %cond10 = select i1 %tobool6.not, double %add.i37.i.pn, double %fneg
  br label %cleanup

cleanup:                                          ; preds = %entry, %cond.end
  %retval.0 = phi double [ %cond10, %cond.end ], [ 0x7FF8000000000000, %entry ]
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %quarter) #8
  ret double %retval.0
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr double @cos(double noundef %x) local_unnamed_addr #0 {
entry:
  %call = tail call fastcc double @of_quarter(double noundef %x, i32 noundef 1) #7
  ret double %call
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(argmem: write) uwtable
define linkonce_odr void @sincos(double noundef %x, ptr nocapture noundef writeonly %s, ptr nocapture noundef writeonly %c) local_unnamed_addr #2 {
entry:
  %0 = tail call double @llvm.fabs.f64(double %x)
  %cmp.i = fcmp olt double %0, 0x3E40000000000000
  br i1 %cmp.i, label %sin.exit, label %cond.false.i

cond.false.i:                                     ; preds = %entry
  %call.i = tail call fastcc double @of_quarter(double noundef %x, i32 noundef 0) #7
  br label %sin.exit

sin.exit:                                         ; preds = %entry, %cond.false.i
  %cond.i = phi double [ %call.i, %cond.false.i ], [ %x, %entry ]
  store double %cond.i, ptr %s, align 8, !tbaa !9
  %call.i3 = tail call fastcc double @of_quarter(double noundef %x, i32 noundef 1) #7
  store double %call.i3, ptr %c, align 8, !tbaa !9
  ret void
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr double @tan(double noundef %x) local_unnamed_addr #0 {
entry:
  %quarter = alloca i32, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %quarter) #8
  %0 = tail call double @llvm.fabs.f64(double %x)
  %cmp = fcmp olt double %0, 0x7FF0000000000000
  br i1 %cmp, label %if.end, label %cleanup

if.end:                                           ; preds = %entry
  %cmp1 = fcmp olt double %0, 0x3E40000000000000
  br i1 %cmp1, label %cleanup, label %if.end3

if.end3:                                          ; preds = %if.end
  %call = call fastcc { double, double } @reduced(double noundef %x, ptr noundef nonnull %quarter) #7
  %1 = extractvalue { double, double } %call, 0
  %2 = extractvalue { double, double } %call, 1
  %mul.i = fmul double %1, %1
  %mul2.i = fmul double %mul.i, 0x3CE952C77030AD4A
  %add.i = fadd double %mul2.i, 0xBD6AE7F3E733B81F
  %mul3.i = fmul double %mul.i, %add.i
  %add4.i = fadd double %mul3.i, 0x3DE6124613A86D09
  %mul5.i = fmul double %mul.i, %add4.i
  %add6.i = fadd double %mul5.i, 0xBE5AE64567F544E4
  %mul7.i = fmul double %mul.i, %add6.i
  %add8.i = fadd double %mul7.i, 0x3EC71DE3A556C734
  %mul9.i = fmul double %mul.i, %add8.i
  %add10.i = fadd double %mul9.i, 0xBF2A01A01A01A01A
  %mul11.i = fmul double %mul.i, %add10.i
  %add12.i = fadd double %mul11.i, 0x3F81111111111111
  %mul13.i = fmul double %mul.i, %add12.i
  %add14.i = fadd double %mul13.i, 0xBFC5555555555555
  %mul15.i = fmul double %mul.i, %add14.i
  %mul18.i = fmul double %1, %mul15.i
  %div.i = fmul double %mul.i, 5.000000e-01
  %sub.i = fsub double 1.000000e+00, %div.i
  %mul19.i = fmul double %2, %sub.i
  %add20.i = fadd double %mul19.i, %mul18.i
  %add.i.i = fadd double %1, %add20.i
  %sub.i.i = fsub double %add.i.i, %1
  %sub1.i.i = fsub double %add20.i, %sub.i.i
  %fneg.i.i = fneg double %mul.i
  %3 = tail call double @llvm.fma.f64(double %1, double %1, double %fneg.i.i)
  %mul.i19 = fmul double %mul.i, %mul.i
  %mul3.i20 = fmul double %mul.i, 0x3D2AE7F3E733B81F
  %add.i21 = fadd double %mul3.i20, 0xBDA93974A8C07C9D
  %mul4.i = fmul double %mul.i, %add.i21
  %add5.i = fadd double %mul4.i, 0x3E21EED8EFF8D898
  %mul6.i = fmul double %mul.i, %add5.i
  %add7.i = fadd double %mul6.i, 0xBE927E4FB7789F5C
  %mul8.i = fmul double %mul.i, %add7.i
  %add9.i = fadd double %mul8.i, 0x3EFA01A01A01A01A
  %mul10.i = fmul double %mul.i, %add9.i
  %add11.i = fadd double %mul10.i, 0xBF56C16C16C16C17
  %mul12.i = fmul double %mul.i, %add11.i
  %add13.i = fadd double %mul12.i, 0x3FA5555555555555
  %mul14.i = fmul double %mul.i19, %add13.i
  %div.i22 = fmul double %mul.i, -5.000000e-01
  %add.i.i23 = fadd double %div.i22, 1.000000e+00
  %sub.i.i24 = fadd double %add.i.i23, -1.000000e+00
  %sub1.i.i25 = fsub double %div.i22, %sub.i.i24
  %div18.i = fmul double %3, 5.000000e-01
  %sub.i26 = fsub double %mul14.i, %div18.i
  %mul21.i = fmul double %1, %2
  %sub22.i = fsub double %sub.i26, %mul21.i
  %add23.i = fadd double %sub1.i.i25, %sub22.i
  %add.i37.i = fadd double %add.i.i23, %add23.i
  %sub.i38.i = fsub double %add.i37.i, %add.i.i23
  %sub1.i39.i = fsub double %add23.i, %sub.i38.i
  %4 = load i32, ptr %quarter, align 4, !tbaa !5
  %and = and i32 %4, 1
  %tobool.not = icmp eq i32 %and, 0
  br i1 %tobool.not, label %cond.false, label %cond.true

cond.true:                                        ; preds = %if.end3
  %div.i27 = fdiv double %add.i37.i, %add.i.i
  %mul.i.i.i = fmul double %add.i.i, %div.i27
  %fneg.i.i.i = fneg double %mul.i.i.i
  %5 = tail call double @llvm.fma.f64(double %add.i.i, double %div.i27, double %fneg.i.i.i)
  %mul.i.i28 = fmul double %add.i.i, 0.000000e+00
  %mul7.i.i = fmul double %div.i27, %sub1.i.i
  %add.i.i29 = fadd double %mul.i.i28, %mul7.i.i
  %add8.i.i = fadd double %5, %add.i.i29
  %add.i.i.i = fadd double %mul.i.i.i, %add8.i.i
  %sub.i.i.i = fsub double %add.i.i.i, %mul.i.i.i
  %sub1.i.i.i = fsub double %add8.i.i, %sub.i.i.i
  %fneg.i.i30 = fneg double %add.i.i.i
  %fneg3.i.i = fneg double %sub1.i.i.i
  %add.i.i34.i = fsub double %add.i37.i, %add.i.i.i
  %sub.i.i35.i = fsub double %add.i.i34.i, %add.i37.i
  %sub1.i.i36.i = fsub double %add.i.i34.i, %sub.i.i35.i
  %sub2.i.i.i = fsub double %add.i37.i, %sub1.i.i36.i
  %sub3.i.i.i = fsub double %fneg.i.i30, %sub.i.i35.i
  %add4.i.i.i = fadd double %sub3.i.i.i, %sub2.i.i.i
  %add.i15.i.i = fsub double %sub1.i39.i, %sub1.i.i.i
  %sub.i16.i.i = fsub double %add.i15.i.i, %sub1.i39.i
  %sub1.i17.i.i = fsub double %add.i15.i.i, %sub.i16.i.i
  %sub2.i18.i.i = fsub double %sub1.i39.i, %sub1.i17.i.i
  %sub3.i19.i.i = fsub double %fneg3.i.i, %sub.i16.i.i
  %add4.i20.i.i = fadd double %sub3.i19.i.i, %sub2.i18.i.i
  %add.i37.i31 = fadd double %add.i15.i.i, %add4.i.i.i
  %add.i23.i.i = fadd double %add.i.i34.i, %add.i37.i31
  %sub.i24.i.i = fsub double %add.i23.i.i, %add.i.i34.i
  %sub1.i25.i.i = fsub double %add.i37.i31, %sub.i24.i.i
  %add11.i.i = fadd double %add4.i20.i.i, %sub1.i25.i.i
  %add.i28.i.i = fadd double %add.i23.i.i, %add11.i.i
  %sub.i29.i.i = fsub double %add.i28.i.i, %add.i23.i.i
  %sub1.i30.i.i = fsub double %add11.i.i, %sub.i29.i.i
  %div8.i = fdiv double %add.i28.i.i, %add.i.i
  %mul.i.i38.i = fmul double %add.i.i, %div8.i
  %fneg.i.i39.i = fneg double %mul.i.i38.i
  %6 = tail call double @llvm.fma.f64(double %add.i.i, double %div8.i, double %fneg.i.i39.i)
  %mul7.i41.i = fmul double %sub1.i.i, %div8.i
  %add.i42.i = fadd double %mul.i.i28, %mul7.i41.i
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
  %add.i75.i = fadd double %div.i27, %div8.i
  %sub.i.i32 = fsub double %add.i75.i, %div.i27
  %sub1.i.i33 = fsub double %div8.i, %sub.i.i32
  %div22.i = fdiv double %add.i28.i70.i, %add.i.i
  %add.i34 = fadd double %sub1.i.i33, %div22.i
  %add.i78.i = fadd double %add.i75.i, %add.i34
  %fneg = fneg double %add.i78.i
  br label %cleanup

cond.false:                                       ; preds = %if.end3
  %div.i35 = fdiv double %add.i.i, %add.i37.i
  %mul.i.i.i36 = fmul double %add.i37.i, %div.i35
  %fneg.i.i.i37 = fneg double %mul.i.i.i36
  %7 = tail call double @llvm.fma.f64(double %add.i37.i, double %div.i35, double %fneg.i.i.i37)
  %mul.i.i38 = fmul double %add.i37.i, 0.000000e+00
  %mul7.i.i39 = fmul double %div.i35, %sub1.i39.i
  %add.i.i40 = fadd double %mul.i.i38, %mul7.i.i39
  %add8.i.i41 = fadd double %7, %add.i.i40
  %add.i.i.i42 = fadd double %mul.i.i.i36, %add8.i.i41
  %sub.i.i.i43 = fsub double %add.i.i.i42, %mul.i.i.i36
  %sub1.i.i.i44 = fsub double %add8.i.i41, %sub.i.i.i43
  %fneg.i.i45 = fneg double %add.i.i.i42
  %fneg3.i.i46 = fneg double %sub1.i.i.i44
  %add.i.i34.i47 = fsub double %add.i.i, %add.i.i.i42
  %sub.i.i35.i48 = fsub double %add.i.i34.i47, %add.i.i
  %sub1.i.i36.i49 = fsub double %add.i.i34.i47, %sub.i.i35.i48
  %sub2.i.i.i50 = fsub double %add.i.i, %sub1.i.i36.i49
  %sub3.i.i.i51 = fsub double %fneg.i.i45, %sub.i.i35.i48
  %add4.i.i.i52 = fadd double %sub3.i.i.i51, %sub2.i.i.i50
  %add.i15.i.i53 = fsub double %sub1.i.i, %sub1.i.i.i44
  %sub.i16.i.i54 = fsub double %add.i15.i.i53, %sub1.i.i
  %sub1.i17.i.i55 = fsub double %add.i15.i.i53, %sub.i16.i.i54
  %sub2.i18.i.i56 = fsub double %sub1.i.i, %sub1.i17.i.i55
  %sub3.i19.i.i57 = fsub double %fneg3.i.i46, %sub.i16.i.i54
  %add4.i20.i.i58 = fadd double %sub3.i19.i.i57, %sub2.i18.i.i56
  %add.i37.i59 = fadd double %add.i15.i.i53, %add4.i.i.i52
  %add.i23.i.i60 = fadd double %add.i.i34.i47, %add.i37.i59
  %sub.i24.i.i61 = fsub double %add.i23.i.i60, %add.i.i34.i47
  %sub1.i25.i.i62 = fsub double %add.i37.i59, %sub.i24.i.i61
  %add11.i.i63 = fadd double %add4.i20.i.i58, %sub1.i25.i.i62
  %add.i28.i.i64 = fadd double %add.i23.i.i60, %add11.i.i63
  %sub.i29.i.i65 = fsub double %add.i28.i.i64, %add.i23.i.i60
  %sub1.i30.i.i66 = fsub double %add11.i.i63, %sub.i29.i.i65
  %div8.i67 = fdiv double %add.i28.i.i64, %add.i37.i
  %mul.i.i38.i68 = fmul double %add.i37.i, %div8.i67
  %fneg.i.i39.i69 = fneg double %mul.i.i38.i68
  %8 = tail call double @llvm.fma.f64(double %add.i37.i, double %div8.i67, double %fneg.i.i39.i69)
  %mul7.i41.i70 = fmul double %sub1.i39.i, %div8.i67
  %add.i42.i71 = fadd double %mul.i.i38, %mul7.i41.i70
  %add8.i43.i72 = fadd double %8, %add.i42.i71
  %add.i.i44.i73 = fadd double %mul.i.i38.i68, %add8.i43.i72
  %sub.i.i45.i74 = fsub double %add.i.i44.i73, %mul.i.i38.i68
  %sub1.i.i46.i75 = fsub double %add8.i43.i72, %sub.i.i45.i74
  %fneg.i49.i76 = fneg double %add.i.i44.i73
  %fneg3.i50.i77 = fneg double %sub1.i.i46.i75
  %add.i.i53.i78 = fsub double %add.i28.i.i64, %add.i.i44.i73
  %sub.i.i54.i79 = fsub double %add.i.i53.i78, %add.i28.i.i64
  %sub1.i.i55.i80 = fsub double %add.i.i53.i78, %sub.i.i54.i79
  %sub2.i.i56.i81 = fsub double %add.i28.i.i64, %sub1.i.i55.i80
  %sub3.i.i57.i82 = fsub double %fneg.i49.i76, %sub.i.i54.i79
  %add4.i.i58.i83 = fadd double %sub3.i.i57.i82, %sub2.i.i56.i81
  %add.i15.i59.i84 = fsub double %sub1.i30.i.i66, %sub1.i.i46.i75
  %sub.i16.i60.i85 = fsub double %add.i15.i59.i84, %sub1.i30.i.i66
  %sub1.i17.i61.i86 = fsub double %add.i15.i59.i84, %sub.i16.i60.i85
  %sub2.i18.i62.i87 = fsub double %sub1.i30.i.i66, %sub1.i17.i61.i86
  %sub3.i19.i63.i88 = fsub double %fneg3.i50.i77, %sub.i16.i60.i85
  %add4.i20.i64.i89 = fadd double %sub3.i19.i63.i88, %sub2.i18.i62.i87
  %add.i65.i90 = fadd double %add.i15.i59.i84, %add4.i.i58.i83
  %add.i23.i66.i91 = fadd double %add.i.i53.i78, %add.i65.i90
  %sub.i24.i67.i92 = fsub double %add.i23.i66.i91, %add.i.i53.i78
  %sub1.i25.i68.i93 = fsub double %add.i65.i90, %sub.i24.i67.i92
  %add11.i69.i94 = fadd double %add4.i20.i64.i89, %sub1.i25.i68.i93
  %add.i28.i70.i95 = fadd double %add.i23.i66.i91, %add11.i69.i94
  %add.i75.i96 = fadd double %div.i35, %div8.i67
  %sub.i.i97 = fsub double %add.i75.i96, %div.i35
  %sub1.i.i98 = fsub double %div8.i67, %sub.i.i97
  %div22.i99 = fdiv double %add.i28.i70.i95, %add.i37.i
  %add.i100 = fadd double %sub1.i.i98, %div22.i99
  %add.i78.i101 = fadd double %add.i75.i96, %add.i100
  br label %cleanup

cleanup:                                          ; preds = %cond.true, %cond.false, %if.end, %entry
  %retval.0 = phi double [ 0x7FF8000000000000, %entry ], [ %x, %if.end ], [ %fneg, %cond.true ], [ %add.i78.i101, %cond.false ]
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %quarter) #8
  ret double %retval.0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #3

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(argmem: readwrite) uwtable
define internal fastcc { double, double } @reduced(double noundef %x, ptr nocapture noundef %quarter) unnamed_addr #4 {
entry:
  %0 = tail call double @llvm.fabs.f64(double %x)
  store i32 0, ptr %quarter, align 4, !tbaa !5
  %cmp = fcmp olt double %0, 7.850000e-01
  br i1 %cmp, label %cleanup, label %if.end

if.end:                                           ; preds = %entry
  %cmp1 = fcmp olt double %0, 0x42C0000000000000
  br i1 %cmp1, label %if.then2, label %if.else

if.then2:                                         ; preds = %if.end
  %mul = fmul double %0, 0x3FE45F306DC9C883
  %1 = tail call double @llvm.rint.f64(double %mul)
  %conv = fptosi double %1 to i64
  %2 = trunc i64 %conv to i32
  %conv3 = and i32 %2, 3
  store i32 %conv3, ptr %quarter, align 4, !tbaa !5
  %fneg = fneg double %1
  %3 = tail call double @llvm.fma.f64(double %fneg, double 0x3FF921FB54442D18, double %0)
  %fneg.i = fmul double %1, 0xBC91A62633145C07
  %4 = tail call double @llvm.fma.f64(double %1, double 0x3C91A62633145C07, double %fneg.i)
  %add.i = fadd double %3, %fneg.i
  %sub.i = fsub double %add.i, %3
  %sub1.i = fsub double %add.i, %sub.i
  %sub2.i = fsub double %3, %sub1.i
  %sub3.i = fsub double %fneg.i, %sub.i
  %add4.i = fadd double %sub3.i, %sub2.i
  %sub = fsub double %add4.i, %4
  %mul11 = fmul double %1, 0x391F1976B7ED8FBC
  %5 = fadd double %sub, %mul11
  %add.i42 = fadd double %add.i, %5
  %sub.i43 = fsub double %add.i42, %add.i
  %sub1.i44 = fsub double %5, %sub.i43
  %.fca.0.insert.i45 = insertvalue { double, double } poison, double %add.i42, 0
  %.fca.1.insert.i46 = insertvalue { double, double } %.fca.0.insert.i45, double %sub1.i44, 1
  br label %if.end16

if.else:                                          ; preds = %if.end
  %6 = bitcast double %0 to i64
  %shr.i = lshr i64 %6, 52
  %7 = trunc i64 %shr.i to i32
  %conv.i = and i32 %7, 2047
  %cond.i = tail call i32 @llvm.usub.sat.i32(i32 %conv.i, i32 1077)
  %and4.i = and i64 %6, 4503599627370495
  %or.i = or i64 %and4.i, 4503599627370496
  %add.i47 = add nuw nsw i32 %cond.i, 128
  %shr.i.i = lshr i32 %add.i47, 6
  %and.i.i = and i32 %cond.i, 63
  %idxprom.i.i = zext i32 %shr.i.i to i64
  %arrayidx.i.i = getelementptr inbounds [20 x i64], ptr @TWO_OVER_PI, i64 0, i64 %idxprom.i.i
  %8 = load i64, ptr %arrayidx.i.i, align 8, !tbaa !11
  %sh_prom.i.i = zext i32 %and.i.i to i64
  %shl.i.i = shl i64 %8, %sh_prom.i.i
  %tobool.not.i.i = icmp eq i32 %and.i.i, 0
  br i1 %tobool.not.i.i, label %bits_at.exit.i, label %cond.true.i.i

cond.true.i.i:                                    ; preds = %if.else
  %add.i.i = add nuw nsw i32 %shr.i.i, 1
  %idxprom1.i.i = zext i32 %add.i.i to i64
  %arrayidx2.i.i = getelementptr inbounds [20 x i64], ptr @TWO_OVER_PI, i64 0, i64 %idxprom1.i.i
  %9 = load i64, ptr %arrayidx2.i.i, align 8, !tbaa !11
  %sub.i.i = sub nuw nsw i32 64, %and.i.i
  %sh_prom3.i.i = zext i32 %sub.i.i to i64
  %shr4.i.i = lshr i64 %9, %sh_prom3.i.i
  %or.i.i = or i64 %shr4.i.i, %shl.i.i
  br label %bits_at.exit.i

bits_at.exit.i:                                   ; preds = %cond.true.i.i, %if.else
  %cond.i.i = phi i64 [ %or.i.i, %cond.true.i.i ], [ %shl.i.i, %if.else ]
  %conv6.i = zext i64 %cond.i.i to i128
  %conv7.i = zext i64 %or.i to i128
  %mul.i48 = mul nuw nsw i128 %conv6.i, %conv7.i
  %add8.i = add nuw nsw i32 %cond.i, 64
  %shr.i137.i = lshr i32 %add8.i, 6
  %idxprom.i139.i = zext i32 %shr.i137.i to i64
  %arrayidx.i140.i = getelementptr inbounds [20 x i64], ptr @TWO_OVER_PI, i64 0, i64 %idxprom.i139.i
  %10 = load i64, ptr %arrayidx.i140.i, align 8, !tbaa !11
  %shl.i142.i = shl i64 %10, %sh_prom.i.i
  br i1 %tobool.not.i.i, label %bits_at.exit153.i, label %cond.true.i151.i

cond.true.i151.i:                                 ; preds = %bits_at.exit.i
  %add.i144.i = add nuw nsw i32 %shr.i137.i, 1
  %idxprom1.i145.i = zext i32 %add.i144.i to i64
  %arrayidx2.i146.i = getelementptr inbounds [20 x i64], ptr @TWO_OVER_PI, i64 0, i64 %idxprom1.i145.i
  %11 = load i64, ptr %arrayidx2.i146.i, align 8, !tbaa !11
  %sub.i147.i = sub nuw nsw i32 64, %and.i.i
  %sh_prom3.i148.i = zext i32 %sub.i147.i to i64
  %shr4.i149.i = lshr i64 %11, %sh_prom3.i148.i
  %or.i150.i = or i64 %shr4.i149.i, %shl.i142.i
  br label %bits_at.exit153.i

bits_at.exit153.i:                                ; preds = %cond.true.i151.i, %bits_at.exit.i
  %cond.i152.i = phi i64 [ %or.i150.i, %cond.true.i151.i ], [ %shl.i142.i, %bits_at.exit.i ]
  %conv10.i = zext i64 %cond.i152.i to i128
  %mul12.i = mul nuw nsw i128 %conv10.i, %conv7.i
  %shr13.i = lshr i128 %mul.i48, 64
  %add14.i = add nuw nsw i128 %mul12.i, %shr13.i
  %shr.i154.i = lshr i32 %cond.i, 6
  %idxprom.i156.i = zext i32 %shr.i154.i to i64
  %arrayidx.i157.i = getelementptr inbounds [20 x i64], ptr @TWO_OVER_PI, i64 0, i64 %idxprom.i156.i
  %12 = load i64, ptr %arrayidx.i157.i, align 8, !tbaa !11
  %shl.i159.i = shl i64 %12, %sh_prom.i.i
  br i1 %tobool.not.i.i, label %bits_at.exit170.i, label %cond.true.i168.i

cond.true.i168.i:                                 ; preds = %bits_at.exit153.i
  %add.i161.i = add nuw nsw i32 %shr.i154.i, 1
  %idxprom1.i162.i = zext i32 %add.i161.i to i64
  %arrayidx2.i163.i = getelementptr inbounds [20 x i64], ptr @TWO_OVER_PI, i64 0, i64 %idxprom1.i162.i
  %13 = load i64, ptr %arrayidx2.i163.i, align 8, !tbaa !11
  %sub.i164.i = sub nuw nsw i32 64, %and.i.i
  %sh_prom3.i165.i = zext i32 %sub.i164.i to i64
  %shr4.i166.i = lshr i64 %13, %sh_prom3.i165.i
  %or.i167.i = or i64 %shr4.i166.i, %shl.i159.i
  br label %bits_at.exit170.i

bits_at.exit170.i:                                ; preds = %cond.true.i168.i, %bits_at.exit153.i
  %cond.i169.i = phi i64 [ %or.i167.i, %cond.true.i168.i ], [ %shl.i159.i, %bits_at.exit153.i ]
  %conv16.i = zext i64 %cond.i169.i to i128
  %mul18.i = mul nuw nsw i128 %conv16.i, %conv7.i
  %shr19.i = lshr i128 %add14.i, 64
  %add20.i = add nuw nsw i128 %mul18.i, %shr19.i
  %conv21.i = trunc i128 %add20.i to i64
  %conv22.i = trunc i128 %add14.i to i64
  %conv23.i = trunc i128 %mul.i48 to i64
  %cmp24.i = icmp ult i32 %conv.i, 1077
  br i1 %cmp24.i, label %if.then.i, label %if.end.i

if.then.i:                                        ; preds = %bits_at.exit170.i
  %sub26.i = sub nsw i32 1077, %conv.i
  %shr27.i = lshr i128 %add20.i, 64
  %conv28.i = trunc i128 %shr27.i to i64
  %sh_prom.i = zext i32 %sub26.i to i64
  %shr29.i = lshr i64 %conv23.i, %sh_prom.i
  %sub30.i = add nsw i32 %conv.i, -1013
  %sh_prom31.i = zext i32 %sub30.i to i64
  %shl.i = shl i64 %conv22.i, %sh_prom31.i
  %or32.i = or i64 %shl.i, %shr29.i
  %shr34.i = lshr i64 %conv22.i, %sh_prom.i
  %shl37.i = shl i64 %conv21.i, %sh_prom31.i
  %or38.i = or i64 %shl37.i, %shr34.i
  %shr40.i = lshr i64 %conv21.i, %sh_prom.i
  %shl43.i = shl i64 %conv28.i, %sh_prom31.i
  %or44.i = or i64 %shl43.i, %shr40.i
  br label %if.end.i

if.end.i:                                         ; preds = %if.then.i, %bits_at.exit170.i
  %c.0.i = phi i64 [ %or32.i, %if.then.i ], [ %conv23.i, %bits_at.exit170.i ]
  %b.0.i = phi i64 [ %or38.i, %if.then.i ], [ %conv22.i, %bits_at.exit170.i ]
  %a.0.i = phi i64 [ %or44.i, %if.then.i ], [ %conv21.i, %bits_at.exit170.i ]
  %shr45.i = lshr i64 %a.0.i, 62
  %conv46.i = trunc i64 %shr45.i to i32
  store i32 %conv46.i, ptr %quarter, align 4, !tbaa !5
  %or49.i = tail call i64 @llvm.fshl.i64(i64 %a.0.i, i64 %b.0.i, i64 2)
  %or52.i = tail call i64 @llvm.fshl.i64(i64 %b.0.i, i64 %c.0.i, i64 2)
  %tobool.not.i = icmp sgt i64 %or49.i, -1
  br i1 %tobool.not.i, label %far_reduced.exit, label %if.then55.i

if.then55.i:                                      ; preds = %if.end.i
  %inc.i = add nuw nsw i32 %conv46.i, 1
  store i32 %inc.i, ptr %quarter, align 4, !tbaa !5
  %not.i = xor i64 %or49.i, -1
  %not56.i = xor i64 %or52.i, -1
  br label %far_reduced.exit

far_reduced.exit:                                 ; preds = %if.end.i, %if.then55.i
  %b.1.i = phi i64 [ %not56.i, %if.then55.i ], [ %or52.i, %if.end.i ]
  %a.1.i = phi i64 [ %not.i, %if.then55.i ], [ %or49.i, %if.end.i ]
  %14 = tail call i64 @llvm.ctlz.i64(i64 %a.1.i, i1 false), !range !13
  %conv63.i = zext i64 %a.1.i to i128
  %shl64.i = shl nuw i128 %conv63.i, 64
  %conv65.i = zext i64 %b.1.i to i128
  %or66.i = or i128 %shl64.i, %conv65.i
  %sh_prom67.i = zext i64 %14 to i128
  %shl68.i = shl i128 %or66.i, %sh_prom67.i
  %shr69.i = lshr i128 %shl68.i, 64
  %conv70.i = trunc i128 %shr69.i to i64
  %conv71.i = trunc i128 %shl68.i to i64
  %shr72.i = lshr i64 %conv70.i, 11
  %conv73.i = uitofp i64 %shr72.i to double
  %mul74.i = fmul double %conv73.i, 0x3CA0000000000000
  %and75.i = and i64 %conv70.i, 2047
  %conv76.i = uitofp i64 %and75.i to double
  %conv77.i = uitofp i64 %conv71.i to double
  %mul78.i = fmul double %conv77.i, 0x3BF0000000000000
  %add79.i = fadd double %mul78.i, %conv76.i
  %mul80.i = fmul double %add79.i, 0x3BF0000000000000
  %add.i171.i = fadd double %mul74.i, %mul80.i
  %sub.i172.i = fsub double %add.i171.i, %mul74.i
  %sub1.i.i = fsub double %add.i171.i, %sub.i172.i
  %sub2.i.i = fsub double %mul74.i, %sub1.i.i
  %sub3.i.i = fsub double %mul80.i, %sub.i172.i
  %add4.i.i = fadd double %sub3.i.i, %sub2.i.i
  %sub82.i = shl nuw nsw i64 %14, 52
  %shl84.i = xor i64 %sub82.i, 4607182418800017408
  %15 = bitcast i64 %shl84.i to double
  %mul88.i = fmul double %add.i171.i, %15
  %mul91.i = fmul double %add4.i.i, %15
  %mul.i.i.i = fmul double %mul88.i, 0x3FF921FB54442D18
  %fneg.i.i.i = fneg double %mul.i.i.i
  %16 = tail call double @llvm.fma.f64(double %mul88.i, double 0x3FF921FB54442D18, double %fneg.i.i.i)
  %mul.i.i = fmul double %mul88.i, 0x3C91A62633145C07
  %mul7.i.i = fmul double %mul91.i, 0x3FF921FB54442D18
  %add.i173.i = fadd double %mul.i.i, %mul7.i.i
  %add8.i.i = fadd double %16, %add.i173.i
  %add.i.i.i = fadd double %mul.i.i.i, %add8.i.i
  %sub.i.i.i = fsub double %add.i.i.i, %mul.i.i.i
  %sub1.i.i.i = fsub double %add8.i.i, %sub.i.i.i
  %.fca.0.insert.i12.i.i = insertvalue { double, double } poison, double %add.i.i.i, 0
  %.fca.1.insert.i13.i.i = insertvalue { double, double } %.fca.0.insert.i12.i.i, double %sub1.i.i.i, 1
  %fneg.i.i = fneg double %add.i.i.i
  %fneg3.i.i = fneg double %sub1.i.i.i
  %.fca.0.insert.i174.i = insertvalue { double, double } poison, double %fneg.i.i, 0
  %.fca.1.insert.i175.i = insertvalue { double, double } %.fca.0.insert.i174.i, double %fneg3.i.i, 1
  %.fca.1.insert.merged.i = select i1 %tobool.not.i, { double, double } %.fca.1.insert.i13.i.i, { double, double } %.fca.1.insert.i175.i
  br label %if.end16

if.end16:                                         ; preds = %far_reduced.exit, %if.then2
  %call13.pn = phi { double, double } [ %.fca.1.insert.i46, %if.then2 ], [ %.fca.1.insert.merged.i, %far_reduced.exit ]
  %found.sroa.8.0 = extractvalue { double, double } %call13.pn, 1
  %found.sroa.0.0 = extractvalue { double, double } %call13.pn, 0
  %cmp17 = fcmp ult double %x, 0.000000e+00
  br i1 %cmp17, label %if.end20, label %cleanup

if.end20:                                         ; preds = %if.end16
  %17 = load i32, ptr %quarter, align 4, !tbaa !5
  %sub21 = sub nsw i32 0, %17
  store i32 %sub21, ptr %quarter, align 4, !tbaa !5
  %fneg.i49 = fneg double %found.sroa.0.0
  %fneg3.i = fneg double %found.sroa.8.0
  br label %cleanup

cleanup:                                          ; preds = %if.end16, %entry, %if.end20
  %retval.sroa.0.0 = phi double [ %fneg.i49, %if.end20 ], [ %x, %entry ], [ %found.sroa.0.0, %if.end16 ]
  %retval.sroa.4.0 = phi double [ %fneg3.i, %if.end20 ], [ 0.000000e+00, %entry ], [ %found.sroa.8.0, %if.end16 ]
  %.fca.0.insert = insertvalue { double, double } poison, double %retval.sroa.0.0, 0
  %.fca.1.insert = insertvalue { double, double } %.fca.0.insert, double %retval.sroa.4.0, 1
  ret { double, double } %.fca.1.insert
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #3

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @atan(double noundef %x) local_unnamed_addr #5 {
entry:
  %0 = tail call double @llvm.fabs.f64(double %x)
  %cmp = fcmp uno double %x, 0.000000e+00
  %cmp1 = fcmp olt double %0, 0x3E40000000000000
  %or.cond = or i1 %cmp, %cmp1
  br i1 %or.cond, label %cleanup, label %if.end

if.end:                                           ; preds = %entry
  %cmp2 = fcmp ogt double %0, 0x43B0000000000000
  br i1 %cmp2, label %if.then3, label %if.end4

if.then3:                                         ; preds = %if.end
  %1 = tail call double @llvm.copysign.f64(double 0x3FF921FB54442D18, double %x)
  br label %cleanup

if.end4:                                          ; preds = %if.end
  %cmp.i = fcmp ogt double %0, 1.000000e+00
  br i1 %cmp.i, label %cond.true.i, label %cond.false.i

cond.true.i:                                      ; preds = %if.end4
  %call.i = tail call fastcc { double, double } @angle(double 1.000000e+00, double 0.000000e+00, double %0, double 0.000000e+00) #7
  %2 = extractvalue { double, double } %call.i, 0
  %3 = extractvalue { double, double } %call.i, 1
  %fneg.i.i = fneg double %2
  %fneg3.i.i = fneg double %3
  %add.i.i.i = fsub double 0x3FF921FB54442D18, %2
  %sub.i.i.i = fadd double %add.i.i.i, 0xBFF921FB54442D18
  %4 = fsub double %sub.i.i.i, %add.i.i.i
  %sub2.i.i.i = fadd double %4, 0x3FF921FB54442D18
  %sub3.i.i.i = fsub double %fneg.i.i, %sub.i.i.i
  %add4.i.i.i = fadd double %sub3.i.i.i, %sub2.i.i.i
  %add.i15.i.i = fsub double 0x3C91A62633145C07, %3
  %sub.i16.i.i = fadd double %add.i15.i.i, 0xBC91A62633145C07
  %5 = fsub double %sub.i16.i.i, %add.i15.i.i
  %sub2.i18.i.i = fadd double %5, 0x3C91A62633145C07
  %sub3.i19.i.i = fsub double %fneg3.i.i, %sub.i16.i.i
  %add4.i20.i.i = fadd double %sub3.i19.i.i, %sub2.i18.i.i
  %add.i.i = fadd double %add.i15.i.i, %add4.i.i.i
  %add.i23.i.i = fadd double %add.i.i.i, %add.i.i
  %sub.i24.i.i = fsub double %add.i23.i.i, %add.i.i.i
  %sub1.i25.i.i = fsub double %add.i.i, %sub.i24.i.i
  %add11.i.i = fadd double %add4.i20.i.i, %sub1.i25.i.i
  %add.i28.i.i = fadd double %add.i23.i.i, %add11.i.i
  br label %angle_of.exit

cond.false.i:                                     ; preds = %if.end4
  %call5.i = tail call fastcc { double, double } @angle(double %0, double 0.000000e+00, double 1.000000e+00, double 0.000000e+00) #7
  %6 = extractvalue { double, double } %call5.i, 0
  br label %angle_of.exit

angle_of.exit:                                    ; preds = %cond.true.i, %cond.false.i
  %call4.pn.i = phi double [ %add.i28.i.i, %cond.true.i ], [ %6, %cond.false.i ]
  %7 = tail call double @llvm.copysign.f64(double %call4.pn.i, double %x)
  br label %cleanup

cleanup:                                          ; preds = %entry, %angle_of.exit, %if.then3
  %retval.0 = phi double [ %1, %if.then3 ], [ %7, %angle_of.exit ], [ %x, %entry ]
  ret double %retval.0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.copysign.f64(double, double) #1

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define internal fastcc { double, double } @angle_of(double %y.coerce0, double %y.coerce1, double %x.coerce0, double %x.coerce1) unnamed_addr #5 {
entry:
  %cmp = fcmp ogt double %y.coerce0, %x.coerce0
  br i1 %cmp, label %cond.true, label %cond.false

cond.true:                                        ; preds = %entry
  %call = tail call fastcc { double, double } @angle(double %x.coerce0, double %x.coerce1, double %y.coerce0, double %y.coerce1) #7
  %0 = extractvalue { double, double } %call, 0
  %1 = extractvalue { double, double } %call, 1
  %fneg.i = fneg double %0
  %fneg3.i = fneg double %1
  %add.i.i = fsub double 0x3FF921FB54442D18, %0
  %sub.i.i = fadd double %add.i.i, 0xBFF921FB54442D18
  %2 = fsub double %sub.i.i, %add.i.i
  %sub2.i.i = fadd double %2, 0x3FF921FB54442D18
  %sub3.i.i = fsub double %fneg.i, %sub.i.i
  %add4.i.i = fadd double %sub3.i.i, %sub2.i.i
  %add.i15.i = fsub double 0x3C91A62633145C07, %1
  %sub.i16.i = fadd double %add.i15.i, 0xBC91A62633145C07
  %3 = fsub double %sub.i16.i, %add.i15.i
  %sub2.i18.i = fadd double %3, 0x3C91A62633145C07
  %sub3.i19.i = fsub double %fneg3.i, %sub.i16.i
  %add4.i20.i = fadd double %sub3.i19.i, %sub2.i18.i
  %add.i = fadd double %add.i15.i, %add4.i.i
  %add.i23.i = fadd double %add.i.i, %add.i
  %sub.i24.i = fsub double %add.i23.i, %add.i.i
  %sub1.i25.i = fsub double %add.i, %sub.i24.i
  %add11.i = fadd double %add4.i20.i, %sub1.i25.i
  %add.i28.i = fadd double %add.i23.i, %add11.i
  %sub.i29.i = fsub double %add.i28.i, %add.i23.i
  %sub1.i30.i = fsub double %add11.i, %sub.i29.i
  %.fca.0.insert.i31.i = insertvalue { double, double } poison, double %add.i28.i, 0
  %.fca.1.insert.i32.i = insertvalue { double, double } %.fca.0.insert.i31.i, double %sub1.i30.i, 1
  br label %cond.end

cond.false:                                       ; preds = %entry
  %call5 = tail call fastcc { double, double } @angle(double %y.coerce0, double %y.coerce1, double %x.coerce0, double %x.coerce1) #7
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %call4.pn = phi { double, double } [ %.fca.1.insert.i32.i, %cond.true ], [ %call5, %cond.false ]
  ret { double, double } %call4.pn
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @atan2(double noundef %y, double noundef %x) local_unnamed_addr #5 {
entry:
  %0 = tail call double @llvm.fabs.f64(double %y)
  %1 = tail call double @llvm.fabs.f64(double %x)
  %2 = bitcast double %x to i64
  %or.cond118 = fcmp uno double %x, %y
  br i1 %or.cond118, label %cleanup, label %if.end

if.end:                                           ; preds = %entry
  %cmp4 = fcmp oeq double %0, 0x7FF0000000000000
  %cmp6 = fcmp oeq double %1, 0x7FF0000000000000
  %or.cond = and i1 %cmp4, %cmp6
  br i1 %or.cond, label %if.end76, label %if.else

if.else:                                          ; preds = %if.end
  %cmp10 = fcmp oeq double %y, 0.000000e+00
  %or.cond88 = or i1 %cmp10, %cmp6
  br i1 %or.cond88, label %if.end76, label %if.else19

if.else19:                                        ; preds = %if.else
  %cmp20 = fcmp oeq double %x, 0.000000e+00
  %or.cond89 = or i1 %cmp20, %cmp4
  br i1 %or.cond89, label %if.end76, label %if.else26

if.else26:                                        ; preds = %if.else19
  %3 = bitcast double %0 to i64
  %shr29 = lshr i64 %3, 52
  %4 = trunc i64 %shr29 to i32
  %conv30 = add nsw i32 %4, -1023
  %5 = bitcast double %1 to i64
  %shr32 = lshr i64 %5, 52
  %6 = trunc i64 %shr32 to i32
  %conv34 = add nsw i32 %6, -1023
  %sub35 = sub nsw i32 %conv30, %conv34
  %cmp36 = icmp sgt i32 %sub35, 60
  br i1 %cmp36, label %if.end76, label %if.else39

if.else39:                                        ; preds = %if.else26
  %sub40 = sub nsw i32 %conv34, %conv30
  %cmp41 = icmp sgt i32 %sub40, 60
  br i1 %cmp41, label %if.then43, label %if.else48

if.then43:                                        ; preds = %if.else39
  %tobool.not = icmp sgt i64 %2, -1
  %div46 = fdiv double %0, %1
  %cond = select i1 %tobool.not, double %div46, double 0.000000e+00
  br label %if.end76

if.else48:                                        ; preds = %if.else39
  %cmp49 = icmp ugt i32 %4, 1923
  %cmp52 = icmp ugt i32 %6, 1923
  %or.cond90 = or i1 %cmp49, %cmp52
  %cmp56 = icmp ult i32 %4, 223
  %cmp58 = icmp ult i32 %6, 223
  %7 = or i1 %cmp56, %cmp58
  %8 = select i1 %7, double 0x4C70000000000000, double 1.000000e+00
  %9 = select i1 %or.cond90, double 0x3370000000000000, double %8
  %mul21.i = fmul double %0, %9
  %mul21.i122 = fmul double %1, %9
  %call71 = tail call fastcc { double, double } @angle_of(double %mul21.i, double 0.000000e+00, double %mul21.i122, double 0.000000e+00) #7
  %10 = extractvalue { double, double } %call71, 0
  %11 = extractvalue { double, double } %call71, 1
  br label %if.end76

if.end76:                                         ; preds = %if.else48, %if.then43, %if.else26, %if.else19, %if.else, %if.end
  %found.sroa.0.1 = phi double [ 0x3FE921FB54442D18, %if.end ], [ 0.000000e+00, %if.else ], [ 0x3FF921FB54442D18, %if.else19 ], [ %cond, %if.then43 ], [ %10, %if.else48 ], [ 0x3FF921FB54442D18, %if.else26 ]
  %found.sroa.10.1 = phi double [ 0x3C81A62633145C07, %if.end ], [ 0.000000e+00, %if.else ], [ 0x3C91A62633145C07, %if.else19 ], [ 0.000000e+00, %if.then43 ], [ %11, %if.else48 ], [ 0x3C91A62633145C07, %if.else26 ]
  %tobool78.not = icmp sgt i64 %2, -1
  br i1 %tobool78.not, label %cond.end83, label %cond.true79

cond.true79:                                      ; preds = %if.end76
  %fneg.i = fneg double %found.sroa.0.1
  %fneg3.i = fneg double %found.sroa.10.1
  %add.i.i = fsub double 0x400921FB54442D18, %found.sroa.0.1
  %sub.i.i = fadd double %add.i.i, 0xC00921FB54442D18
  %12 = fsub double %sub.i.i, %add.i.i
  %sub2.i.i = fadd double %12, 0x400921FB54442D18
  %sub3.i.i = fsub double %fneg.i, %sub.i.i
  %add4.i.i = fadd double %sub3.i.i, %sub2.i.i
  %add.i15.i = fsub double 0x3CA1A62633145C07, %found.sroa.10.1
  %sub.i16.i = fadd double %add.i15.i, 0xBCA1A62633145C07
  %13 = fsub double %sub.i16.i, %add.i15.i
  %sub2.i18.i = fadd double %13, 0x3CA1A62633145C07
  %sub3.i19.i = fsub double %fneg3.i, %sub.i16.i
  %add4.i20.i = fadd double %sub3.i19.i, %sub2.i18.i
  %add.i = fadd double %add.i15.i, %add4.i.i
  %add.i23.i = fadd double %add.i.i, %add.i
  %sub.i24.i = fsub double %add.i23.i, %add.i.i
  %sub1.i25.i = fsub double %add.i, %sub.i24.i
  %add11.i = fadd double %add4.i20.i, %sub1.i25.i
  %add.i28.i = fadd double %add.i23.i, %add11.i
  br label %cond.end83

cond.end83:                                       ; preds = %if.end76, %cond.true79
  %tmp77.sroa.0.0 = phi double [ %add.i28.i, %cond.true79 ], [ %found.sroa.0.1, %if.end76 ]
  %14 = tail call double @llvm.copysign.f64(double %tmp77.sroa.0.0, double %y)
  br label %cleanup

cleanup:                                          ; preds = %entry, %cond.end83
  %retval.0 = phi double [ %14, %cond.end83 ], [ 0x7FF8000000000000, %entry ]
  ret double %retval.0
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @asin(double noundef %x) local_unnamed_addr #5 {
entry:
  %0 = tail call double @llvm.fabs.f64(double %x)
  %cmp = fcmp ugt double %0, 1.000000e+00
  br i1 %cmp, label %cleanup, label %if.end

if.end:                                           ; preds = %entry
  %cmp1 = fcmp olt double %0, 0x3E40000000000000
  br i1 %cmp1, label %cleanup, label %if.end3

if.end3:                                          ; preds = %if.end
  %cmp4 = fcmp oeq double %0, 1.000000e+00
  br i1 %cmp4, label %cond.end, label %cond.false

cond.false:                                       ; preds = %if.end3
  %call = tail call fastcc { double, double } @side(double noundef %0) #7
  %1 = extractvalue { double, double } %call, 0
  %2 = extractvalue { double, double } %call, 1
  %cmp.i = fcmp ogt double %0, %1
  br i1 %cmp.i, label %cond.true.i, label %cond.false.i

cond.true.i:                                      ; preds = %cond.false
  %call.i = tail call fastcc { double, double } @angle(double %1, double %2, double %0, double 0.000000e+00) #7
  %3 = extractvalue { double, double } %call.i, 0
  %4 = extractvalue { double, double } %call.i, 1
  %fneg.i.i = fneg double %3
  %fneg3.i.i = fneg double %4
  %add.i.i.i = fsub double 0x3FF921FB54442D18, %3
  %sub.i.i.i = fadd double %add.i.i.i, 0xBFF921FB54442D18
  %5 = fsub double %sub.i.i.i, %add.i.i.i
  %sub2.i.i.i = fadd double %5, 0x3FF921FB54442D18
  %sub3.i.i.i = fsub double %fneg.i.i, %sub.i.i.i
  %add4.i.i.i = fadd double %sub3.i.i.i, %sub2.i.i.i
  %add.i15.i.i = fsub double 0x3C91A62633145C07, %4
  %sub.i16.i.i = fadd double %add.i15.i.i, 0xBC91A62633145C07
  %6 = fsub double %sub.i16.i.i, %add.i15.i.i
  %sub2.i18.i.i = fadd double %6, 0x3C91A62633145C07
  %sub3.i19.i.i = fsub double %fneg3.i.i, %sub.i16.i.i
  %add4.i20.i.i = fadd double %sub3.i19.i.i, %sub2.i18.i.i
  %add.i.i = fadd double %add.i15.i.i, %add4.i.i.i
  %add.i23.i.i = fadd double %add.i.i.i, %add.i.i
  %sub.i24.i.i = fsub double %add.i23.i.i, %add.i.i.i
  %sub1.i25.i.i = fsub double %add.i.i, %sub.i24.i.i
  %add11.i.i = fadd double %add4.i20.i.i, %sub1.i25.i.i
  %add.i28.i.i = fadd double %add.i23.i.i, %add11.i.i
  br label %cond.end

cond.false.i:                                     ; preds = %cond.false
  %call5.i = tail call fastcc { double, double } @angle(double %0, double 0.000000e+00, double %1, double %2) #7
  %7 = extractvalue { double, double } %call5.i, 0
  br label %cond.end

cond.end:                                         ; preds = %cond.false.i, %cond.true.i, %if.end3
  %cond = phi double [ 0x3FF921FB54442D18, %if.end3 ], [ %add.i28.i.i, %cond.true.i ], [ %7, %cond.false.i ]
  %8 = tail call double @llvm.copysign.f64(double %cond, double %x)
  br label %cleanup

cleanup:                                          ; preds = %if.end, %entry, %cond.end
  %retval.0 = phi double [ %8, %cond.end ], [ 0x7FF8000000000000, %entry ], [ %x, %if.end ]
  ret double %retval.0
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define internal fastcc { double, double } @side(double noundef %x) unnamed_addr #0 {
entry:
  %fneg = fneg double %x
  %add.i = fsub double 1.000000e+00, %x
  %sub.i = fadd double %add.i, -1.000000e+00
  %0 = fsub double %sub.i, %add.i
  %sub2.i = fadd double %0, 1.000000e+00
  %sub3.i = fsub double %fneg, %sub.i
  %add4.i = fadd double %sub3.i, %sub2.i
  %add.i7 = fadd double %x, 1.000000e+00
  %sub.i8 = fadd double %add.i7, -1.000000e+00
  %1 = fsub double %sub.i8, %add.i7
  %sub2.i10 = fadd double %1, 1.000000e+00
  %sub3.i11 = fsub double %x, %sub.i8
  %add4.i12 = fadd double %sub3.i11, %sub2.i10
  %mul.i.i = fmul double %add.i, %add.i7
  %fneg.i.i = fneg double %mul.i.i
  %2 = tail call double @llvm.fma.f64(double %add.i, double %add.i7, double %fneg.i.i)
  %mul.i = fmul double %add.i, %add4.i12
  %mul7.i = fmul double %add.i7, %add4.i
  %add.i15 = fadd double %mul7.i, %mul.i
  %add8.i = fadd double %2, %add.i15
  %add.i.i = fadd double %mul.i.i, %add8.i
  %sub.i.i = fsub double %add.i.i, %mul.i.i
  %sub1.i.i = fsub double %add8.i, %sub.i.i
  %cmp.i = fcmp oeq double %add.i.i, 0.000000e+00
  br i1 %cmp.i, label %root.exit, label %if.end.i

if.end.i:                                         ; preds = %entry
  %3 = tail call double @llvm.sqrt.f64(double %add.i.i)
  %4 = fneg double %3
  %fneg.i.i16 = fmul double %3, %4
  %5 = tail call double @llvm.fma.f64(double %3, double %3, double %fneg.i.i16)
  %fneg3.i.i = fneg double %5
  %add.i.i.i = fadd double %add.i.i, %fneg.i.i16
  %sub.i.i.i = fsub double %add.i.i.i, %add.i.i
  %sub1.i.i.i = fsub double %add.i.i.i, %sub.i.i.i
  %sub2.i.i.i = fsub double %add.i.i, %sub1.i.i.i
  %sub3.i.i.i = fsub double %fneg.i.i16, %sub.i.i.i
  %add4.i.i.i = fadd double %sub3.i.i.i, %sub2.i.i.i
  %add.i15.i.i = fsub double %sub1.i.i, %5
  %sub.i16.i.i = fsub double %add.i15.i.i, %sub1.i.i
  %sub1.i17.i.i = fsub double %add.i15.i.i, %sub.i16.i.i
  %sub2.i18.i.i = fsub double %sub1.i.i, %sub1.i17.i.i
  %sub3.i19.i.i = fsub double %fneg3.i.i, %sub.i16.i.i
  %add4.i20.i.i = fadd double %sub3.i19.i.i, %sub2.i18.i.i
  %add.i.i17 = fadd double %add.i15.i.i, %add4.i.i.i
  %add.i23.i.i = fadd double %add.i.i.i, %add.i.i17
  %sub.i24.i.i = fsub double %add.i23.i.i, %add.i.i.i
  %sub1.i25.i.i = fsub double %add.i.i17, %sub.i24.i.i
  %add11.i.i = fadd double %add4.i20.i.i, %sub1.i25.i.i
  %add.i28.i.i = fadd double %add.i23.i.i, %add11.i.i
  %mul.i18 = fmul double %3, 2.000000e+00
  %div.i = fdiv double %add.i28.i.i, %mul.i18
  %add.i15.i = fadd double %3, %div.i
  %sub.i.i19 = fsub double %add.i15.i, %3
  %sub1.i.i20 = fsub double %div.i, %sub.i.i19
  br label %root.exit

root.exit:                                        ; preds = %entry, %if.end.i
  %retval.sroa.0.0.i = phi double [ %add.i15.i, %if.end.i ], [ %add.i.i, %entry ]
  %retval.sroa.3.0.i = phi double [ %sub1.i.i20, %if.end.i ], [ %sub1.i.i, %entry ]
  %.fca.0.insert.i21 = insertvalue { double, double } poison, double %retval.sroa.0.0.i, 0
  %.fca.1.insert.i22 = insertvalue { double, double } %.fca.0.insert.i21, double %retval.sroa.3.0.i, 1
  ret { double, double } %.fca.1.insert.i22
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr double @acos(double noundef %x) local_unnamed_addr #5 {
entry:
  %0 = tail call double @llvm.fabs.f64(double %x)
  %cmp = fcmp ugt double %0, 1.000000e+00
  br i1 %cmp, label %cleanup, label %if.end

if.end:                                           ; preds = %entry
  %cmp1 = fcmp oeq double %0, 1.000000e+00
  br i1 %cmp1, label %cond.end, label %cond.false

cond.false:                                       ; preds = %if.end
  %call = tail call fastcc { double, double } @side(double noundef %0) #7
  %1 = extractvalue { double, double } %call, 0
  %2 = extractvalue { double, double } %call, 1
  %cmp.i = fcmp ogt double %1, %0
  br i1 %cmp.i, label %cond.true.i, label %cond.false.i

cond.true.i:                                      ; preds = %cond.false
  %call.i = tail call fastcc { double, double } @angle(double %0, double 0.000000e+00, double %1, double %2) #7
  %3 = extractvalue { double, double } %call.i, 0
  %4 = extractvalue { double, double } %call.i, 1
  %fneg.i.i = fneg double %3
  %fneg3.i.i = fneg double %4
  %add.i.i.i = fsub double 0x3FF921FB54442D18, %3
  %sub.i.i.i = fadd double %add.i.i.i, 0xBFF921FB54442D18
  %5 = fsub double %sub.i.i.i, %add.i.i.i
  %sub2.i.i.i = fadd double %5, 0x3FF921FB54442D18
  %sub3.i.i.i = fsub double %fneg.i.i, %sub.i.i.i
  %add4.i.i.i = fadd double %sub3.i.i.i, %sub2.i.i.i
  %add.i15.i.i = fsub double 0x3C91A62633145C07, %4
  %sub.i16.i.i = fadd double %add.i15.i.i, 0xBC91A62633145C07
  %6 = fsub double %sub.i16.i.i, %add.i15.i.i
  %sub2.i18.i.i = fadd double %6, 0x3C91A62633145C07
  %sub3.i19.i.i = fsub double %fneg3.i.i, %sub.i16.i.i
  %add4.i20.i.i = fadd double %sub3.i19.i.i, %sub2.i18.i.i
  %add.i.i = fadd double %add.i15.i.i, %add4.i.i.i
  %add.i23.i.i = fadd double %add.i.i.i, %add.i.i
  %sub.i24.i.i = fsub double %add.i23.i.i, %add.i.i.i
  %sub1.i25.i.i = fsub double %add.i.i, %sub.i24.i.i
  %add11.i.i = fadd double %add4.i20.i.i, %sub1.i25.i.i
  %add.i28.i.i = fadd double %add.i23.i.i, %add11.i.i
  %sub.i29.i.i = fsub double %add.i28.i.i, %add.i23.i.i
  %sub1.i30.i.i = fsub double %add11.i.i, %sub.i29.i.i
  %.fca.0.insert.i31.i.i = insertvalue { double, double } poison, double %add.i28.i.i, 0
  %.fca.1.insert.i32.i.i = insertvalue { double, double } %.fca.0.insert.i31.i.i, double %sub1.i30.i.i, 1
  br label %angle_of.exit

cond.false.i:                                     ; preds = %cond.false
  %call5.i = tail call fastcc { double, double } @angle(double %1, double %2, double %0, double 0.000000e+00) #7
  br label %angle_of.exit

angle_of.exit:                                    ; preds = %cond.true.i, %cond.false.i
  %call4.pn.i = phi { double, double } [ %.fca.1.insert.i32.i.i, %cond.true.i ], [ %call5.i, %cond.false.i ]
  %7 = extractvalue { double, double } %call4.pn.i, 0
  %8 = extractvalue { double, double } %call4.pn.i, 1
  br label %cond.end

cond.end:                                         ; preds = %if.end, %angle_of.exit
  %found.sroa.0.0 = phi double [ %7, %angle_of.exit ], [ 0.000000e+00, %if.end ]
  %found.sroa.6.0 = phi double [ %8, %angle_of.exit ], [ 0.000000e+00, %if.end ]
  %cmp5 = fcmp olt double %x, 0.000000e+00
  br i1 %cmp5, label %cond.true6, label %cleanup

cond.true6:                                       ; preds = %cond.end
  %fneg.i = fneg double %found.sroa.0.0
  %fneg3.i = fneg double %found.sroa.6.0
  %add.i.i17 = fsub double 0x400921FB54442D18, %found.sroa.0.0
  %sub.i.i = fadd double %add.i.i17, 0xC00921FB54442D18
  %9 = fsub double %sub.i.i, %add.i.i17
  %sub2.i.i = fadd double %9, 0x400921FB54442D18
  %sub3.i.i = fsub double %fneg.i, %sub.i.i
  %add4.i.i = fadd double %sub3.i.i, %sub2.i.i
  %add.i15.i = fsub double 0x3CA1A62633145C07, %found.sroa.6.0
  %sub.i16.i = fadd double %add.i15.i, 0xBCA1A62633145C07
  %10 = fsub double %sub.i16.i, %add.i15.i
  %sub2.i18.i = fadd double %10, 0x3CA1A62633145C07
  %sub3.i19.i = fsub double %fneg3.i, %sub.i16.i
  %add4.i20.i = fadd double %sub3.i19.i, %sub2.i18.i
  %add.i = fadd double %add.i15.i, %add4.i.i
  %add.i23.i = fadd double %add.i.i17, %add.i
  %sub.i24.i = fsub double %add.i23.i, %add.i.i17
  %sub1.i25.i = fsub double %add.i, %sub.i24.i
  %add11.i = fadd double %add4.i20.i, %sub1.i25.i
  %add.i28.i = fadd double %add.i23.i, %add11.i
  br label %cleanup

cleanup:                                          ; preds = %cond.true6, %cond.end, %entry
  %retval.0 = phi double [ 0x7FF8000000000000, %entry ], [ %add.i28.i, %cond.true6 ], [ %found.sroa.0.0, %cond.end ]
  ret double %retval.0
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr float @sinf(float noundef %x) local_unnamed_addr #0 {
entry:
  %conv = fpext float %x to double
  %0 = tail call double @llvm.fabs.f64(double %conv)
  %cmp.i = fcmp olt double %0, 0x3E40000000000000
  br i1 %cmp.i, label %sin.exit, label %cond.false.i

cond.false.i:                                     ; preds = %entry
  %call.i = tail call fastcc double @of_quarter(double noundef %conv, i32 noundef 0) #7
  %1 = fptrunc double %call.i to float
  br label %sin.exit

sin.exit:                                         ; preds = %entry, %cond.false.i
  %cond.i = phi float [ %1, %cond.false.i ], [ %x, %entry ]
  ret float %cond.i
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr float @cosf(float noundef %x) local_unnamed_addr #0 {
entry:
  %conv = fpext float %x to double
  %call.i = tail call fastcc double @of_quarter(double noundef %conv, i32 noundef 1) #7
  %conv1 = fptrunc double %call.i to float
  ret float %conv1
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr float @tanf(float noundef %x) local_unnamed_addr #0 {
entry:
  %conv = fpext float %x to double
  %call = tail call double @tan(double noundef %conv) #7
  %conv1 = fptrunc double %call to float
  ret float %conv1
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @asinf(float noundef %x) local_unnamed_addr #5 {
entry:
  %conv = fpext float %x to double
  %call = tail call double @asin(double noundef %conv) #7
  %conv1 = fptrunc double %call to float
  ret float %conv1
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @acosf(float noundef %x) local_unnamed_addr #5 {
entry:
  %conv = fpext float %x to double
  %call = tail call double @acos(double noundef %conv) #7
  %conv1 = fptrunc double %call to float
  ret float %conv1
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @atanf(float noundef %x) local_unnamed_addr #5 {
entry:
  %conv = fpext float %x to double
  %0 = tail call double @llvm.fabs.f64(double %conv)
  %cmp.i = fcmp uno float %x, 0.000000e+00
  %cmp1.i = fcmp olt double %0, 0x3E40000000000000
  %or.cond.i = or i1 %cmp.i, %cmp1.i
  br i1 %or.cond.i, label %atan.exit, label %if.end.i

if.end.i:                                         ; preds = %entry
  %cmp2.i = fcmp ogt double %0, 0x43B0000000000000
  br i1 %cmp2.i, label %if.then3.i, label %if.end4.i

if.then3.i:                                       ; preds = %if.end.i
  %1 = tail call double @llvm.copysign.f64(double 0x3FF921FB54442D18, double %conv)
  br label %atan.exit

if.end4.i:                                        ; preds = %if.end.i
  %cmp.i.i = fcmp ogt double %0, 1.000000e+00
  br i1 %cmp.i.i, label %cond.true.i.i, label %cond.false.i.i

cond.true.i.i:                                    ; preds = %if.end4.i
  %call.i.i = tail call fastcc { double, double } @angle(double 1.000000e+00, double 0.000000e+00, double %0, double 0.000000e+00) #7
  %2 = extractvalue { double, double } %call.i.i, 0
  %3 = extractvalue { double, double } %call.i.i, 1
  %fneg.i.i.i = fneg double %2
  %fneg3.i.i.i = fneg double %3
  %add.i.i.i.i = fsub double 0x3FF921FB54442D18, %2
  %sub.i.i.i.i = fadd double %add.i.i.i.i, 0xBFF921FB54442D18
  %4 = fsub double %sub.i.i.i.i, %add.i.i.i.i
  %sub2.i.i.i.i = fadd double %4, 0x3FF921FB54442D18
  %sub3.i.i.i.i = fsub double %fneg.i.i.i, %sub.i.i.i.i
  %add4.i.i.i.i = fadd double %sub3.i.i.i.i, %sub2.i.i.i.i
  %add.i15.i.i.i = fsub double 0x3C91A62633145C07, %3
  %sub.i16.i.i.i = fadd double %add.i15.i.i.i, 0xBC91A62633145C07
  %5 = fsub double %sub.i16.i.i.i, %add.i15.i.i.i
  %sub2.i18.i.i.i = fadd double %5, 0x3C91A62633145C07
  %sub3.i19.i.i.i = fsub double %fneg3.i.i.i, %sub.i16.i.i.i
  %add4.i20.i.i.i = fadd double %sub3.i19.i.i.i, %sub2.i18.i.i.i
  %add.i.i.i = fadd double %add.i15.i.i.i, %add4.i.i.i.i
  %add.i23.i.i.i = fadd double %add.i.i.i.i, %add.i.i.i
  %sub.i24.i.i.i = fsub double %add.i23.i.i.i, %add.i.i.i.i
  %sub1.i25.i.i.i = fsub double %add.i.i.i, %sub.i24.i.i.i
  %add11.i.i.i = fadd double %add4.i20.i.i.i, %sub1.i25.i.i.i
  %add.i28.i.i.i = fadd double %add.i23.i.i.i, %add11.i.i.i
  br label %angle_of.exit.i

cond.false.i.i:                                   ; preds = %if.end4.i
  %call5.i.i = tail call fastcc { double, double } @angle(double %0, double 0.000000e+00, double 1.000000e+00, double 0.000000e+00) #7
  %6 = extractvalue { double, double } %call5.i.i, 0
  br label %angle_of.exit.i

angle_of.exit.i:                                  ; preds = %cond.false.i.i, %cond.true.i.i
  %call4.pn.i.i = phi double [ %add.i28.i.i.i, %cond.true.i.i ], [ %6, %cond.false.i.i ]
  %7 = tail call double @llvm.copysign.f64(double %call4.pn.i.i, double %conv)
  br label %atan.exit

atan.exit:                                        ; preds = %entry, %if.then3.i, %angle_of.exit.i
  %retval.0.i = phi double [ %1, %if.then3.i ], [ %7, %angle_of.exit.i ], [ %conv, %entry ]
  %conv1 = fptrunc double %retval.0.i to float
  ret float %conv1
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr float @atan2f(float noundef %y, float noundef %x) local_unnamed_addr #5 {
entry:
  %conv = fpext float %y to double
  %conv1 = fpext float %x to double
  %call = tail call double @atan2(double noundef %conv, double noundef %conv1) #7
  %conv2 = fptrunc double %call to float
  ret float %conv2
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(argmem: write) uwtable
define linkonce_odr void @sincosf(float noundef %x, ptr nocapture noundef writeonly %s, ptr nocapture noundef writeonly %c) local_unnamed_addr #2 {
entry:
  %conv = fpext float %x to double
  %0 = tail call double @llvm.fabs.f64(double %conv)
  %cmp.i = fcmp olt double %0, 0x3E40000000000000
  br i1 %cmp.i, label %sin.exit, label %cond.false.i

cond.false.i:                                     ; preds = %entry
  %call.i = tail call fastcc double @of_quarter(double noundef %conv, i32 noundef 0) #7
  %1 = fptrunc double %call.i to float
  br label %sin.exit

sin.exit:                                         ; preds = %entry, %cond.false.i
  %cond.i = phi float [ %1, %cond.false.i ], [ %x, %entry ]
  store float %cond.i, ptr %s, align 4, !tbaa !14
  %call.i6 = tail call fastcc double @of_quarter(double noundef %conv, i32 noundef 1) #7
  %conv4 = fptrunc double %call.i6 to float
  store float %conv4, ptr %c, align 4, !tbaa !14
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.rint.f64(double) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fma.f64(double, double, double) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.ctlz.i64(i64, i1 immarg) #1

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define internal fastcc { double, double } @angle(double %y.coerce0, double %y.coerce1, double %x.coerce0, double %x.coerce1) unnamed_addr #5 {
entry:
  %div = fdiv double %y.coerce0, %x.coerce0
  %mul = fmul double %div, 4.000000e+00
  %0 = tail call double @llvm.rint.f64(double %mul)
  %conv = fptosi double %0 to i32
  %tobool.not = icmp eq i32 %conv, 0
  br i1 %tobool.not, label %cond.false, label %cond.true

cond.true:                                        ; preds = %entry
  %conv3 = sitofp i32 %conv to double
  %div4 = fmul double %conv3, 2.500000e-01
  %mul.i.i = fmul double %div4, %x.coerce0
  %fneg.i.i = fneg double %mul.i.i
  %1 = tail call double @llvm.fma.f64(double %div4, double %x.coerce0, double %fneg.i.i)
  %mul.i = fmul double %div4, %x.coerce1
  %mul7.i = fmul double %x.coerce0, 0.000000e+00
  %add.i = fadd double %mul7.i, %mul.i
  %add8.i = fadd double %1, %add.i
  %add.i.i = fadd double %mul.i.i, %add8.i
  %sub.i.i = fsub double %add.i.i, %mul.i.i
  %sub1.i.i = fsub double %add8.i, %sub.i.i
  %fneg.i = fneg double %add.i.i
  %fneg3.i = fneg double %sub1.i.i
  %add.i.i61 = fsub double %y.coerce0, %add.i.i
  %sub.i.i62 = fsub double %add.i.i61, %y.coerce0
  %sub1.i.i63 = fsub double %add.i.i61, %sub.i.i62
  %sub2.i.i = fsub double %y.coerce0, %sub1.i.i63
  %sub3.i.i = fsub double %fneg.i, %sub.i.i62
  %add4.i.i = fadd double %sub3.i.i, %sub2.i.i
  %add.i15.i = fsub double %y.coerce1, %sub1.i.i
  %sub.i16.i = fsub double %add.i15.i, %y.coerce1
  %sub1.i17.i = fsub double %add.i15.i, %sub.i16.i
  %sub2.i18.i = fsub double %y.coerce1, %sub1.i17.i
  %sub3.i19.i = fsub double %fneg3.i, %sub.i16.i
  %add4.i20.i = fadd double %sub3.i19.i, %sub2.i18.i
  %add.i64 = fadd double %add.i15.i, %add4.i.i
  %add.i23.i = fadd double %add.i.i61, %add.i64
  %sub.i24.i = fsub double %add.i23.i, %add.i.i61
  %sub1.i25.i = fsub double %add.i64, %sub.i24.i
  %add11.i = fadd double %add4.i20.i, %sub1.i25.i
  %add.i28.i = fadd double %add.i23.i, %add11.i
  %sub.i29.i = fsub double %add.i28.i, %add.i23.i
  %sub1.i30.i = fsub double %add11.i, %sub.i29.i
  %mul.i.i65 = fmul double %div4, %y.coerce0
  %fneg.i.i66 = fneg double %mul.i.i65
  %2 = tail call double @llvm.fma.f64(double %div4, double %y.coerce0, double %fneg.i.i66)
  %mul.i67 = fmul double %div4, %y.coerce1
  %mul7.i68 = fmul double %y.coerce0, 0.000000e+00
  %add.i69 = fadd double %mul7.i68, %mul.i67
  %add8.i70 = fadd double %2, %add.i69
  %add.i.i71 = fadd double %mul.i.i65, %add8.i70
  %sub.i.i72 = fsub double %add.i.i71, %mul.i.i65
  %sub1.i.i73 = fsub double %add8.i70, %sub.i.i72
  %add.i.i76 = fadd double %add.i.i71, %x.coerce0
  %sub.i.i77 = fsub double %add.i.i76, %x.coerce0
  %sub1.i.i78 = fsub double %add.i.i76, %sub.i.i77
  %sub2.i.i79 = fsub double %x.coerce0, %sub1.i.i78
  %sub3.i.i80 = fsub double %add.i.i71, %sub.i.i77
  %add4.i.i81 = fadd double %sub3.i.i80, %sub2.i.i79
  %add.i15.i82 = fadd double %sub1.i.i73, %x.coerce1
  %sub.i16.i83 = fsub double %add.i15.i82, %x.coerce1
  %sub1.i17.i84 = fsub double %add.i15.i82, %sub.i16.i83
  %sub2.i18.i85 = fsub double %x.coerce1, %sub1.i17.i84
  %sub3.i19.i86 = fsub double %sub1.i.i73, %sub.i16.i83
  %add4.i20.i87 = fadd double %sub3.i19.i86, %sub2.i18.i85
  %add.i88 = fadd double %add.i15.i82, %add4.i.i81
  %add.i23.i89 = fadd double %add.i.i76, %add.i88
  %sub.i24.i90 = fsub double %add.i23.i89, %add.i.i76
  %sub1.i25.i91 = fsub double %add.i88, %sub.i24.i90
  %add11.i92 = fadd double %add4.i20.i87, %sub1.i25.i91
  %add.i28.i93 = fadd double %add.i23.i89, %add11.i92
  %sub.i29.i94 = fsub double %add.i28.i93, %add.i23.i89
  %sub1.i30.i95 = fsub double %add11.i92, %sub.i29.i94
  %div.i = fdiv double %add.i28.i, %add.i28.i93
  %mul.i.i.i = fmul double %add.i28.i93, %div.i
  %fneg.i.i.i = fneg double %mul.i.i.i
  %3 = tail call double @llvm.fma.f64(double %add.i28.i93, double %div.i, double %fneg.i.i.i)
  %mul.i.i98 = fmul double %add.i28.i93, 0.000000e+00
  %mul7.i.i = fmul double %div.i, %sub1.i30.i95
  %add.i.i99 = fadd double %mul.i.i98, %mul7.i.i
  %add8.i.i = fadd double %3, %add.i.i99
  %add.i.i.i = fadd double %mul.i.i.i, %add8.i.i
  %sub.i.i.i = fsub double %add.i.i.i, %mul.i.i.i
  %sub1.i.i.i = fsub double %add8.i.i, %sub.i.i.i
  %fneg.i.i100 = fneg double %add.i.i.i
  %fneg3.i.i = fneg double %sub1.i.i.i
  %add.i.i34.i = fsub double %add.i28.i, %add.i.i.i
  %sub.i.i35.i = fsub double %add.i.i34.i, %add.i28.i
  %sub1.i.i36.i = fsub double %add.i.i34.i, %sub.i.i35.i
  %sub2.i.i.i = fsub double %add.i28.i, %sub1.i.i36.i
  %sub3.i.i.i = fsub double %fneg.i.i100, %sub.i.i35.i
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
  %div8.i = fdiv double %add.i28.i.i, %add.i28.i93
  %mul.i.i38.i = fmul double %add.i28.i93, %div8.i
  %fneg.i.i39.i = fneg double %mul.i.i38.i
  %4 = tail call double @llvm.fma.f64(double %add.i28.i93, double %div8.i, double %fneg.i.i39.i)
  %mul7.i41.i = fmul double %sub1.i30.i95, %div8.i
  %add.i42.i = fadd double %mul.i.i98, %mul7.i41.i
  %add8.i43.i = fadd double %4, %add.i42.i
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
  %sub.i.i101 = fsub double %add.i75.i, %div.i
  %sub1.i.i102 = fsub double %div8.i, %sub.i.i101
  %div22.i = fdiv double %add.i28.i70.i, %add.i28.i93
  %add.i103 = fadd double %sub1.i.i102, %div22.i
  %add.i78.i = fadd double %add.i75.i, %add.i103
  %sub.i79.i = fsub double %add.i78.i, %add.i75.i
  %sub1.i80.i = fsub double %add.i103, %sub.i79.i
  br label %cond.end

cond.false:                                       ; preds = %entry
  %mul.i.i.i105 = fmul double %div, %x.coerce0
  %fneg.i.i.i106 = fneg double %mul.i.i.i105
  %5 = tail call double @llvm.fma.f64(double %x.coerce0, double %div, double %fneg.i.i.i106)
  %mul.i.i107 = fmul double %x.coerce0, 0.000000e+00
  %mul7.i.i108 = fmul double %div, %x.coerce1
  %add.i.i109 = fadd double %mul.i.i107, %mul7.i.i108
  %add8.i.i110 = fadd double %5, %add.i.i109
  %add.i.i.i111 = fadd double %mul.i.i.i105, %add8.i.i110
  %sub.i.i.i112 = fsub double %add.i.i.i111, %mul.i.i.i105
  %sub1.i.i.i113 = fsub double %add8.i.i110, %sub.i.i.i112
  %fneg.i.i114 = fneg double %add.i.i.i111
  %fneg3.i.i115 = fneg double %sub1.i.i.i113
  %add.i.i34.i116 = fsub double %y.coerce0, %add.i.i.i111
  %sub.i.i35.i117 = fsub double %add.i.i34.i116, %y.coerce0
  %sub1.i.i36.i118 = fsub double %add.i.i34.i116, %sub.i.i35.i117
  %sub2.i.i.i119 = fsub double %y.coerce0, %sub1.i.i36.i118
  %sub3.i.i.i120 = fsub double %fneg.i.i114, %sub.i.i35.i117
  %add4.i.i.i121 = fadd double %sub3.i.i.i120, %sub2.i.i.i119
  %add.i15.i.i122 = fsub double %y.coerce1, %sub1.i.i.i113
  %sub.i16.i.i123 = fsub double %add.i15.i.i122, %y.coerce1
  %sub1.i17.i.i124 = fsub double %add.i15.i.i122, %sub.i16.i.i123
  %sub2.i18.i.i125 = fsub double %y.coerce1, %sub1.i17.i.i124
  %sub3.i19.i.i126 = fsub double %fneg3.i.i115, %sub.i16.i.i123
  %add4.i20.i.i127 = fadd double %sub3.i19.i.i126, %sub2.i18.i.i125
  %add.i37.i128 = fadd double %add.i15.i.i122, %add4.i.i.i121
  %add.i23.i.i129 = fadd double %add.i.i34.i116, %add.i37.i128
  %sub.i24.i.i130 = fsub double %add.i23.i.i129, %add.i.i34.i116
  %sub1.i25.i.i131 = fsub double %add.i37.i128, %sub.i24.i.i130
  %add11.i.i132 = fadd double %add4.i20.i.i127, %sub1.i25.i.i131
  %add.i28.i.i133 = fadd double %add.i23.i.i129, %add11.i.i132
  %sub.i29.i.i134 = fsub double %add.i28.i.i133, %add.i23.i.i129
  %sub1.i30.i.i135 = fsub double %add11.i.i132, %sub.i29.i.i134
  %div8.i136 = fdiv double %add.i28.i.i133, %x.coerce0
  %mul.i.i38.i137 = fmul double %div8.i136, %x.coerce0
  %fneg.i.i39.i138 = fneg double %mul.i.i38.i137
  %6 = tail call double @llvm.fma.f64(double %x.coerce0, double %div8.i136, double %fneg.i.i39.i138)
  %mul7.i41.i139 = fmul double %div8.i136, %x.coerce1
  %add.i42.i140 = fadd double %mul.i.i107, %mul7.i41.i139
  %add8.i43.i141 = fadd double %6, %add.i42.i140
  %add.i.i44.i142 = fadd double %mul.i.i38.i137, %add8.i43.i141
  %sub.i.i45.i143 = fsub double %add.i.i44.i142, %mul.i.i38.i137
  %sub1.i.i46.i144 = fsub double %add8.i43.i141, %sub.i.i45.i143
  %fneg.i49.i145 = fneg double %add.i.i44.i142
  %fneg3.i50.i146 = fneg double %sub1.i.i46.i144
  %add.i.i53.i147 = fsub double %add.i28.i.i133, %add.i.i44.i142
  %sub.i.i54.i148 = fsub double %add.i.i53.i147, %add.i28.i.i133
  %sub1.i.i55.i149 = fsub double %add.i.i53.i147, %sub.i.i54.i148
  %sub2.i.i56.i150 = fsub double %add.i28.i.i133, %sub1.i.i55.i149
  %sub3.i.i57.i151 = fsub double %fneg.i49.i145, %sub.i.i54.i148
  %add4.i.i58.i152 = fadd double %sub3.i.i57.i151, %sub2.i.i56.i150
  %add.i15.i59.i153 = fsub double %sub1.i30.i.i135, %sub1.i.i46.i144
  %sub.i16.i60.i154 = fsub double %add.i15.i59.i153, %sub1.i30.i.i135
  %sub1.i17.i61.i155 = fsub double %add.i15.i59.i153, %sub.i16.i60.i154
  %sub2.i18.i62.i156 = fsub double %sub1.i30.i.i135, %sub1.i17.i61.i155
  %sub3.i19.i63.i157 = fsub double %fneg3.i50.i146, %sub.i16.i60.i154
  %add4.i20.i64.i158 = fadd double %sub3.i19.i63.i157, %sub2.i18.i62.i156
  %add.i65.i159 = fadd double %add.i15.i59.i153, %add4.i.i58.i152
  %add.i23.i66.i160 = fadd double %add.i.i53.i147, %add.i65.i159
  %sub.i24.i67.i161 = fsub double %add.i23.i66.i160, %add.i.i53.i147
  %sub1.i25.i68.i162 = fsub double %add.i65.i159, %sub.i24.i67.i161
  %add11.i69.i163 = fadd double %add4.i20.i64.i158, %sub1.i25.i68.i162
  %add.i28.i70.i164 = fadd double %add.i23.i66.i160, %add11.i69.i163
  %add.i75.i165 = fadd double %div, %div8.i136
  %sub.i.i166 = fsub double %add.i75.i165, %div
  %sub1.i.i167 = fsub double %div8.i136, %sub.i.i166
  %div22.i168 = fdiv double %add.i28.i70.i164, %x.coerce0
  %add.i169 = fadd double %sub1.i.i167, %div22.i168
  %add.i78.i170 = fadd double %add.i75.i165, %add.i169
  %sub.i79.i171 = fsub double %add.i78.i170, %add.i75.i165
  %sub1.i80.i172 = fsub double %add.i169, %sub.i79.i171
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %add.i78.i.pn = phi double [ %add.i78.i, %cond.true ], [ %add.i78.i170, %cond.false ]
  %sub1.i80.i.pn = phi double [ %sub1.i80.i, %cond.true ], [ %sub1.i80.i172, %cond.false ]
  %mul17 = fmul double %add.i78.i.pn, %add.i78.i.pn
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body
  %mul26 = fmul double %add.i78.i.pn, %mul17
  %mul27 = fmul double %mul26, %add
  %add28 = fadd double %sub1.i80.i.pn, %mul27
  %add.i175 = fadd double %add.i78.i.pn, %add28
  %sub.i = fsub double %add.i175, %add.i78.i.pn
  %sub1.i = fsub double %add28, %sub.i
  br i1 %tobool.not, label %cond.end34, label %cond.true31

for.body:                                         ; preds = %cond.end, %for.body
  %n.0201 = phi i32 [ 23, %cond.end ], [ %sub, %for.body ]
  %sum.0200 = phi double [ 0.000000e+00, %cond.end ], [ %add, %for.body ]
  %and = and i32 %n.0201, 2
  %tobool19.not = icmp eq i32 %and, 0
  %cond = select i1 %tobool19.not, double 1.000000e+00, double -1.000000e+00
  %conv20 = sitofp i32 %n.0201 to double
  %div21 = fdiv double %cond, %conv20
  %mul22 = fmul double %mul17, %sum.0200
  %add = fadd double %mul22, %div21
  %sub = add nsw i32 %n.0201, -2
  %cmp = icmp ugt i32 %n.0201, 4
  br i1 %cmp, label %for.body, label %for.cond.cleanup, !llvm.loop !16

cond.true31:                                      ; preds = %for.cond.cleanup
  %idxprom = sext i32 %conv to i64
  %arrayidx = getelementptr inbounds [5 x %struct.pair], ptr @angle.known, i64 0, i64 %idxprom
  %7 = load double, ptr %arrayidx, align 16
  %8 = getelementptr inbounds { double, double }, ptr %arrayidx, i64 0, i32 1
  %9 = load double, ptr %8, align 8
  %add.i.i178 = fadd double %add.i175, %7
  %sub.i.i179 = fsub double %add.i.i178, %7
  %sub1.i.i180 = fsub double %add.i.i178, %sub.i.i179
  %sub2.i.i181 = fsub double %7, %sub1.i.i180
  %sub3.i.i182 = fsub double %add.i175, %sub.i.i179
  %add4.i.i183 = fadd double %sub3.i.i182, %sub2.i.i181
  %add.i15.i184 = fadd double %sub1.i, %9
  %sub.i16.i185 = fsub double %add.i15.i184, %9
  %sub1.i17.i186 = fsub double %add.i15.i184, %sub.i16.i185
  %sub2.i18.i187 = fsub double %9, %sub1.i17.i186
  %sub3.i19.i188 = fsub double %sub1.i, %sub.i16.i185
  %add4.i20.i189 = fadd double %sub3.i19.i188, %sub2.i18.i187
  %add.i190 = fadd double %add.i15.i184, %add4.i.i183
  %add.i23.i191 = fadd double %add.i.i178, %add.i190
  %sub.i24.i192 = fsub double %add.i23.i191, %add.i.i178
  %sub1.i25.i193 = fsub double %add.i190, %sub.i24.i192
  %add11.i194 = fadd double %add4.i20.i189, %sub1.i25.i193
  %add.i28.i195 = fadd double %add.i23.i191, %add11.i194
  %sub.i29.i196 = fsub double %add.i28.i195, %add.i23.i191
  %sub1.i30.i197 = fsub double %add11.i194, %sub.i29.i196
  br label %cond.end34

cond.end34:                                       ; preds = %for.cond.cleanup, %cond.true31
  %add.i28.i195.pn = phi double [ %add.i28.i195, %cond.true31 ], [ %add.i175, %for.cond.cleanup ]
  %sub1.i30.i197.pn = phi double [ %sub1.i30.i197, %cond.true31 ], [ %sub1.i, %for.cond.cleanup ]
  %.fca.0.insert.i31.i198.pn = insertvalue { double, double } undef, double %add.i28.i195.pn, 0
  %.fca.1.insert.merged = insertvalue { double, double } %.fca.0.insert.i31.i198.pn, double %sub1.i30.i197.pn, 1
  ret { double, double } %.fca.1.insert.merged
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.sqrt.f64(double) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.usub.sat.i32(i32, i32) #6

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.fshl.i64(i64, i64, i64) #6

attributes #0 = { mustprogress nofree nosync nounwind willreturn memory(none) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { mustprogress nofree nosync nounwind willreturn memory(argmem: write) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { mustprogress nofree nosync nounwind willreturn memory(argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nofree nosync nounwind memory(none) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { nobuiltin "no-builtins" }
attributes #8 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!5 = !{!6, !6, i64 0}
!6 = !{!"int", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = !{!10, !10, i64 0}
!10 = !{!"double", !7, i64 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"long", !7, i64 0}
!13 = !{i64 0, i64 65}
!14 = !{!15, !15, i64 0}
!15 = !{!"float", !7, i64 0}
!16 = distinct !{!16, !17, !18}
!17 = !{!"llvm.loop.mustprogress"}
!18 = !{!"llvm.loop.unroll.disable"}
