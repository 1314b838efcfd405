; ModuleID = 'floats.c'
source_filename = "floats.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define dso_local i32 @compares(double noundef %a, double noundef %b) local_unnamed_addr #0 {
entry:
  %cmp = fcmp olt double %a, %b
  %conv = zext i1 %cmp to i32
  %cmp1 = fcmp ugt double %a, %b
  %shl = select i1 %cmp1, i32 0, i32 2
  %or = or i32 %shl, %conv
  %cmp3 = fcmp ule double %a, %b
  %shl5 = select i1 %cmp3, i32 0, i32 4
  %or6 = or i32 %or, %shl5
  %cmp7 = fcmp ult double %a, %b
  %shl9 = select i1 %cmp7, i32 0, i32 8
  %or10 = or i32 %or6, %shl9
  %cmp11 = fcmp oeq double %a, %b
  %shl13 = select i1 %cmp11, i32 16, i32 0
  %or14 = or i32 %or10, %shl13
  %cmp15 = fcmp une double %a, %b
  %shl17 = select i1 %cmp15, i32 32, i32 0
  %or18 = or i32 %or14, %shl17
  %shl21 = select i1 %cmp, i32 0, i32 64
  %or22 = or i32 %or18, %shl21
  %shl27 = select i1 %cmp1, i32 128, i32 0
  %or28 = or i32 %or22, %shl27
  %shl33 = select i1 %cmp3, i32 256, i32 0
  %or34 = or i32 %or28, %shl33
  %shl39 = select i1 %cmp7, i32 512, i32 0
  %or40 = or i32 %or34, %shl39
  %cmp41 = fcmp ord double %a, %b
  %shl46 = select i1 %cmp41, i32 0, i32 1024
  %or47 = or i32 %or40, %shl46
  %shl51 = select i1 %cmp41, i32 2048, i32 0
  %or52 = or i32 %or47, %shl51
  %cmp53 = fcmp ueq double %a, %b
  %shl58 = select i1 %cmp53, i32 0, i32 4096
  %or59 = or i32 %or52, %shl58
  %shl63 = select i1 %cmp53, i32 8192, i32 0
  %or64 = or i32 %or59, %shl63
  ret i32 %or64
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define dso_local i32 @compares_f(float noundef %a, float noundef %b) local_unnamed_addr #0 {
entry:
  %cmp = fcmp olt float %a, %b
  %conv = zext i1 %cmp to i32
  %cmp1 = fcmp ugt float %a, %b
  %shl = select i1 %cmp1, i32 0, i32 2
  %or = or i32 %shl, %conv
  %cmp3 = fcmp ule float %a, %b
  %shl5 = select i1 %cmp3, i32 0, i32 4
  %or6 = or i32 %or, %shl5
  %cmp7 = fcmp ult float %a, %b
  %shl9 = select i1 %cmp7, i32 0, i32 8
  %or10 = or i32 %or6, %shl9
  %cmp11 = fcmp oeq float %a, %b
  %shl13 = select i1 %cmp11, i32 16, i32 0
  %or14 = or i32 %or10, %shl13
  %cmp15 = fcmp une float %a, %b
  %shl17 = select i1 %cmp15, i32 32, i32 0
  %or18 = or i32 %or14, %shl17
  %shl21 = select i1 %cmp, i32 0, i32 64
  %or22 = or i32 %or18, %shl21
  %shl27 = select i1 %cmp1, i32 128, i32 0
  %or28 = or i32 %or22, %shl27
  %shl33 = select i1 %cmp3, i32 256, i32 0
  %or34 = or i32 %or28, %shl33
  %shl39 = select i1 %cmp7, i32 512, i32 0
  %or40 = or i32 %or34, %shl39
  %cmp41 = fcmp uno float %a, %b
  %shl46 = select i1 %cmp41, i32 1024, i32 0
  %or47 = or i32 %or40, %shl46
  %cmp48 = fcmp one float %a, %b
  %shl53 = select i1 %cmp48, i32 4096, i32 0
  %or54 = or i32 %or47, %shl53
  ret i32 %or54
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define dso_local double @mixture(double noundef %a, float noundef %b, i32 noundef %i, i32 noundef %u, i64 noundef %l, i64 noundef %v) local_unnamed_addr #1 {
entry:
  %conv = fpext float %b to double
  %conv1 = sitofp i32 %i to double
  %conv2 = uitofp i32 %u to double
  %add = fadd double %conv2, 1.000000e+00
  %0 = fneg double %conv1
  %neg = fdiv double %0, %add
  %1 = tail call double @llvm.fmuladd.f64(double %a, double %conv, double %neg)
  %conv3 = sitofp i64 %l to float
  %conv4 = fpext float %conv3 to double
  %conv5 = uitofp i64 %v to double
  %add6 = fadd double %conv4, %conv5
  %conv7 = uitofp i64 %v to float
  %conv8 = fpext float %conv7 to double
  %add9 = fadd double %add6, %conv8
  %add10 = fadd double %1, %add9
  %2 = tail call double @llvm.fabs.f64(double %a)
  %3 = tail call double @llvm.fabs.f64(double %add10)
  %4 = tail call double @llvm.sqrt.f64(double %3)
  %add11 = fadd double %2, %4
  %fneg = fneg float %b
  %conv12 = fpext float %fneg to double
  %add13 = fadd double %add11, %conv12
  %add14 = fadd double %add10, %add13
  %5 = tail call double @llvm.fma.f64(double %a, double 3.000000e+00, double %conv)
  %6 = tail call double @llvm.copysign.f64(double 2.500000e+00, double %a)
  %add16 = fadd double %6, %5
  %7 = tail call double @llvm.maxnum.f64(double %a, double %conv)
  %add18 = fadd double %7, %add16
  %8 = tail call double @llvm.minnum.f64(double %a, double %conv)
  %sub = fsub double %add18, %8
  %add20 = fadd double %sub, %add14
  ret double %add20
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fmuladd.f64(double, double, double) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fabs.f64(double) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.sqrt.f64(double) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fma.f64(double, double, double) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.copysign.f64(double, double) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.maxnum.f64(double, double) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.minnum.f64(double, double) #2

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define dso_local i64 @truncated(double noundef %a, float noundef %b) local_unnamed_addr #0 {
entry:
  %conv = fptosi float %b to i32
  %sext = shl i32 %conv, 24
  %conv2 = ashr exact i32 %sext, 24
  %conv3 = fptosi double %a to i32
  %add = add nsw i32 %conv2, %conv3
  %conv4 = sext i32 %add to i64
  %mul = fmul double %a, 6.553600e+04
  %conv5 = fptosi double %mul to i64
  %conv7 = fptoui float %b to i32
  %0 = and i32 %conv7, 255
  %conv9 = zext i32 %0 to i64
  %conv12 = zext i32 %conv7 to i64
  %add6 = add i64 %conv12, %conv5
  %add10 = add i64 %add6, %conv9
  %add13 = add i64 %add10, %conv4
  ret i64 %add13
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define dso_local i64 @bits(double noundef %a, float noundef %b) local_unnamed_addr #0 {
entry:
  %0 = bitcast double %a to i64
  %1 = bitcast float %b to i32
  %conv = zext i32 %1 to i64
  %shl = shl nuw nsw i64 %conv, 7
  %xor = xor i64 %shl, %0
  ret i64 %xor
}

; Function Attrs: nofree norecurse nosync nounwind memory(none) uwtable
define dso_local i32 @steps(double noundef %a) local_unnamed_addr #3 {
entry:
  %cmp = fcmp ogt double %a, 1.000000e+00
  %cond = select i1 %cmp, double %a, double 1.000000e+00
  %cmp110 = fcmp une double %cond, 0.000000e+00
  br i1 %cmp110, label %while.body, label %while.end

while.body:                                       ; preds = %entry, %while.body
  %n.012 = phi i32 [ %inc, %while.body ], [ 0, %entry ]
  %x.011 = phi double [ %mul, %while.body ], [ %cond, %entry ]
  %div = fdiv double %a, %x.011
  %add = fadd double %x.011, %div
  %mul = fmul double %add, 5.000000e-01
  %inc = add nuw nsw i32 %n.012, 1
  %cmp1 = fcmp une double %mul, %x.011
  %cmp2 = icmp ult i32 %n.012, 99
  %0 = select i1 %cmp1, i1 %cmp2, i1 false
  br i1 %0, label %while.body, label %while.end, !llvm.loop !5

while.end:                                        ; preds = %while.body, %entry
  %n.0.lcssa = phi i32 [ 0, %entry ], [ %inc, %while.body ]
  ret i32 %n.0.lcssa
}

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nofree nosync nounwind willreturn memory(none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nofree norecurse nosync nounwind memory(none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!5 = distinct !{!5, !6, !7}
!6 = !{!"llvm.loop.mustprogress"}
!7 = !{!"llvm.loop.unroll.disable"}
