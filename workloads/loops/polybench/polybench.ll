; ModuleID = 'polybench.c'
source_filename = "polybench.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind uwtable
define dso_local void @gemm(i64 noundef %n, i64 noundef %rows, i64 noundef %depth, double noundef %alpha, double noundef %beta, double* noalias nocapture noundef %c, double* noalias nocapture noundef readonly %a, double* noalias nocapture noundef readonly %b) local_unnamed_addr #0 {
entry:
  %cmp65 = icmp sgt i64 %rows, 0
  br i1 %cmp65, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %cmp258 = icmp sgt i64 %n, 0
  %cmp762 = icmp sgt i64 %depth, 0
  %cmp1260 = icmp sgt i64 %n, 0
  br label %for.cond1.preheader

for.cond1.preheader:                              ; preds = %for.cond1.preheader.lr.ph, %for.cond.cleanup8
  %i.066 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %inc34, %for.cond.cleanup8 ]
  br i1 %cmp258, label %for.body4.lr.ph, label %for.cond6.preheader

for.body4.lr.ph:                                  ; preds = %for.cond1.preheader
  %mul = mul nsw i64 %i.066, %n
  br label %for.body4

for.cond.cleanup:                                 ; preds = %for.cond.cleanup8, %entry
  ret void

for.cond6.preheader:                              ; preds = %for.body4, %for.cond1.preheader
  br i1 %cmp762, label %for.cond11.preheader.lr.ph, label %for.cond.cleanup8

for.cond11.preheader.lr.ph:                       ; preds = %for.cond6.preheader
  %mul15 = mul nsw i64 %i.066, %depth
  %mul23 = mul nsw i64 %i.066, %n
  br label %for.cond11.preheader

for.body4:                                        ; preds = %for.body4.lr.ph, %for.body4
  %j.059 = phi i64 [ 0, %for.body4.lr.ph ], [ %inc, %for.body4 ]
  %add = add nsw i64 %j.059, %mul
  %arrayidx = getelementptr inbounds double, double* %c, i64 %add
  %0 = load double, double* %arrayidx, align 8, !tbaa !5
  %mul5 = fmul double %0, %beta
  store double %mul5, double* %arrayidx, align 8, !tbaa !5
  %inc = add nuw nsw i64 %j.059, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.cond6.preheader, label %for.body4, !llvm.loop !9

for.cond11.preheader:                             ; preds = %for.cond11.preheader.lr.ph, %for.cond.cleanup13
  %k.063 = phi i64 [ 0, %for.cond11.preheader.lr.ph ], [ %inc31, %for.cond.cleanup13 ]
  br i1 %cmp1260, label %for.body14.lr.ph, label %for.cond.cleanup13

for.body14.lr.ph:                                 ; preds = %for.cond11.preheader
  %add16 = add nsw i64 %k.063, %mul15
  %arrayidx17 = getelementptr inbounds double, double* %a, i64 %add16
  %1 = load double, double* %arrayidx17, align 8, !tbaa !5
  %mul18 = fmul double %1, %alpha
  %mul19 = mul nsw i64 %k.063, %n
  br label %for.body14

for.cond.cleanup8:                                ; preds = %for.cond.cleanup13, %for.cond6.preheader
  %inc34 = add nuw nsw i64 %i.066, 1
  %exitcond71.not = icmp eq i64 %inc34, %rows
  br i1 %exitcond71.not, label %for.cond.cleanup, label %for.cond1.preheader, !llvm.loop !12

for.cond.cleanup13:                               ; preds = %for.body14, %for.cond11.preheader
  %inc31 = add nuw nsw i64 %k.063, 1
  %exitcond70.not = icmp eq i64 %inc31, %depth
  br i1 %exitcond70.not, label %for.cond.cleanup8, label %for.cond11.preheader, !llvm.loop !13

for.body14:                                       ; preds = %for.body14.lr.ph, %for.body14
  %j10.061 = phi i64 [ 0, %for.body14.lr.ph ], [ %inc28, %for.body14 ]
  %add20 = add nsw i64 %j10.061, %mul19
  %arrayidx21 = getelementptr inbounds double, double* %b, i64 %add20
  %2 = load double, double* %arrayidx21, align 8, !tbaa !5
  %mul22 = fmul double %mul18, %2
  %add24 = add nsw i64 %j10.061, %mul23
  %arrayidx25 = getelementptr inbounds double, double* %c, i64 %add24
  %3 = load double, double* %arrayidx25, align 8, !tbaa !5
  %add26 = fadd double %3, %mul22
  store double %add26, double* %arrayidx25, align 8, !tbaa !5
  %inc28 = add nuw nsw i64 %j10.061, 1
  %exitcond69.not = icmp eq i64 %inc28, %n
  br i1 %exitcond69.not, label %for.cond.cleanup13, label %for.body14, !llvm.loop !14
}

; Function Attrs: nofree norecurse nosync nounwind uwtable
define dso_local void @gemver(i64 noundef %n, i64 noundef %rows, double* noalias nocapture noundef %a, double* noalias nocapture noundef readonly %u, double* noalias nocapture noundef readonly %v, double* noalias nocapture noundef readonly %w, double* noalias nocapture noundef readonly %z, double* noalias nocapture noundef %x) local_unnamed_addr #0 {
entry:
  %cmp65 = icmp sgt i64 %rows, 0
  br i1 %cmp65, label %for.cond1.preheader.lr.ph, label %for.cond17.preheader

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %cmp263 = icmp sgt i64 %n, 0
  br label %for.cond1.preheader

for.cond1.preheader:                              ; preds = %for.cond1.preheader.lr.ph, %for.cond.cleanup3
  %i.066 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %inc14, %for.cond.cleanup3 ]
  br i1 %cmp263, label %for.body4.lr.ph, label %for.cond.cleanup3

for.body4.lr.ph:                                  ; preds = %for.cond1.preheader
  %arrayidx = getelementptr inbounds double, double* %u, i64 %i.066
  %0 = load double, double* %arrayidx, align 8, !tbaa !5
  %arrayidx6 = getelementptr inbounds double, double* %w, i64 %i.066
  %1 = load double, double* %arrayidx6, align 8, !tbaa !5
  %mul9 = mul nsw i64 %i.066, %n
  br label %for.body4

for.cond17.preheader:                             ; preds = %for.cond.cleanup3, %entry
  %cmp1870 = icmp sgt i64 %rows, 0
  br i1 %cmp1870, label %for.cond22.preheader.lr.ph, label %for.cond.cleanup19

for.cond22.preheader.lr.ph:                       ; preds = %for.cond17.preheader
  %cmp2368 = icmp sgt i64 %n, 0
  br label %for.cond22.preheader

for.cond.cleanup3:                                ; preds = %for.body4, %for.cond1.preheader
  %inc14 = add nuw nsw i64 %i.066, 1
  %exitcond73.not = icmp eq i64 %inc14, %rows
  br i1 %exitcond73.not, label %for.cond17.preheader, label %for.cond1.preheader, !llvm.loop !15

for.body4:                                        ; preds = %for.body4.lr.ph, %for.body4
  %j.064 = phi i64 [ 0, %for.body4.lr.ph ], [ %inc, %for.body4 ]
  %arrayidx5 = getelementptr inbounds double, double* %v, i64 %j.064
  %2 = load double, double* %arrayidx5, align 8, !tbaa !5
  %mul = fmul double %0, %2
  %arrayidx7 = getelementptr inbounds double, double* %z, i64 %j.064
  %3 = load double, double* %arrayidx7, align 8, !tbaa !5
  %mul8 = fmul double %1, %3
  %add = fadd double %mul, %mul8
  %add10 = add nsw i64 %j.064, %mul9
  %arrayidx11 = getelementptr inbounds double, double* %a, i64 %add10
  %4 = load double, double* %arrayidx11, align 8, !tbaa !5
  %add12 = fadd double %4, %add
  store double %add12, double* %arrayidx11, align 8, !tbaa !5
  %inc = add nuw nsw i64 %j.064, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4, !llvm.loop !16

for.cond22.preheader:                             ; preds = %for.cond22.preheader.lr.ph, %for.cond.cleanup24
  %i16.071 = phi i64 [ 0, %for.cond22.preheader.lr.ph ], [ %inc37, %for.cond.cleanup24 ]
  br i1 %cmp2368, label %for.body25.lr.ph, label %for.cond.cleanup24

for.body25.lr.ph:                                 ; preds = %for.cond22.preheader
  %mul26 = mul nsw i64 %i16.071, %n
  %arrayidx29 = getelementptr inbounds double, double* %w, i64 %i16.071
  %5 = load double, double* %arrayidx29, align 8, !tbaa !5
  br label %for.body25

for.cond.cleanup19:                               ; preds = %for.cond.cleanup24, %for.cond17.preheader
  ret void

for.cond.cleanup24:                               ; preds = %for.body25, %for.cond22.preheader
  %inc37 = add nuw nsw i64 %i16.071, 1
  %exitcond75.not = icmp eq i64 %inc37, %rows
  br i1 %exitcond75.not, label %for.cond.cleanup19, label %for.cond22.preheader, !llvm.loop !17

for.body25:                                       ; preds = %for.body25.lr.ph, %for.body25
  %j21.069 = phi i64 [ 0, %for.body25.lr.ph ], [ %inc34, %for.body25 ]
  %add27 = add nsw i64 %j21.069, %mul26
  %arrayidx28 = getelementptr inbounds double, double* %a, i64 %add27
  %6 = load double, double* %arrayidx28, align 8, !tbaa !5
  %mul30 = fmul double %6, %5
  %arrayidx31 = getelementptr inbounds double, double* %x, i64 %j21.069
  %7 = load double, double* %arrayidx31, align 8, !tbaa !5
  %add32 = fadd double %7, %mul30
  store double %add32, double* %arrayidx31, align 8, !tbaa !5
  %inc34 = add nuw nsw i64 %j21.069, 1
  %exitcond74.not = icmp eq i64 %inc34, %n
  br i1 %exitcond74.not, label %for.cond.cleanup24, label %for.body25, !llvm.loop !18
}

; Function Attrs: nofree norecurse nosync nounwind uwtable
define dso_local void @gesummv(i64 noundef %n, i64 noundef %rows, double noundef %alpha, double noundef %beta, double* noalias nocapture noundef readonly %a, double* noalias nocapture noundef readonly %b, double* noalias nocapture noundef readonly %x, double* noalias nocapture noundef writeonly %y) local_unnamed_addr #0 {
entry:
  %cmp44 = icmp sgt i64 %rows, 0
  br i1 %cmp44, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %cmp239 = icmp sgt i64 %n, 0
  br label %for.cond1.preheader

for.cond1.preheader:                              ; preds = %for.cond1.preheader.lr.ph, %for.cond.cleanup3
  %i.045 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %inc19, %for.cond.cleanup3 ]
  br i1 %cmp239, label %for.body4.lr.ph, label %for.cond.cleanup3

for.body4.lr.ph:                                  ; preds = %for.cond1.preheader
  %mul = mul nsw i64 %i.045, %n
  br label %for.body4

for.cond.cleanup:                                 ; preds = %for.cond.cleanup3, %entry
  ret void

for.cond.cleanup3:                                ; preds = %for.body4, %for.cond1.preheader
  %first.0.lcssa = phi double [ 0.000000e+00, %for.cond1.preheader ], [ %add7, %for.body4 ]
  %second.0.lcssa = phi double [ 0.000000e+00, %for.cond1.preheader ], [ %add13, %for.body4 ]
  %mul14 = fmul double %first.0.lcssa, %alpha
  %mul15 = fmul double %second.0.lcssa, %beta
  %add16 = fadd double %mul14, %mul15
  %arrayidx17 = getelementptr inbounds double, double* %y, i64 %i.045
  store double %add16, double* %arrayidx17, align 8, !tbaa !5
  %inc19 = add nuw nsw i64 %i.045, 1
  %exitcond47.not = icmp eq i64 %inc19, %rows
  br i1 %exitcond47.not, label %for.cond.cleanup, label %for.cond1.preheader, !llvm.loop !19

for.body4:                                        ; preds = %for.body4.lr.ph, %for.body4
  %j.042 = phi i64 [ 0, %for.body4.lr.ph ], [ %inc, %for.body4 ]
  %second.041 = phi double [ 0.000000e+00, %for.body4.lr.ph ], [ %add13, %for.body4 ]
  %first.040 = phi double [ 0.000000e+00, %for.body4.lr.ph ], [ %add7, %for.body4 ]
  %add = add nsw i64 %j.042, %mul
  %arrayidx = getelementptr inbounds double, double* %a, i64 %add
  %0 = load double, double* %arrayidx, align 8, !tbaa !5
  %arrayidx5 = getelementptr inbounds double, double* %x, i64 %j.042
  %1 = load double, double* %arrayidx5, align 8, !tbaa !5
  %mul6 = fmul double %0, %1
  %add7 = fadd double %first.040, %mul6
  %arrayidx10 = getelementptr inbounds double, double* %b, i64 %add
  %2 = load double, double* %arrayidx10, align 8, !tbaa !5
  %mul12 = fmul double %1, %2
  %add13 = fadd double %second.041, %mul12
  %inc = add nuw nsw i64 %j.042, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4, !llvm.loop !20
}

; Function Attrs: nofree norecurse nosync nounwind uwtable
define dso_local void @atax(i64 noundef %n, i64 noundef %rows, double* noalias nocapture noundef readonly %a, double* noalias nocapture noundef readonly %x, double* noalias nocapture noundef %y) local_unnamed_addr #0 {
entry:
  %cmp48 = icmp sgt i64 %rows, 0
  br i1 %cmp48, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %cmp243 = icmp sgt i64 %n, 0
  %cmp1046 = icmp sgt i64 %n, 0
  br label %for.cond1.preheader

for.cond1.preheader:                              ; preds = %for.cond1.preheader.lr.ph, %for.cond.cleanup11
  %i.049 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %inc23, %for.cond.cleanup11 ]
  br i1 %cmp243, label %for.body4.lr.ph, label %for.cond9.preheader

for.body4.lr.ph:                                  ; preds = %for.cond1.preheader
  %mul = mul nsw i64 %i.049, %n
  br label %for.body4

for.cond.cleanup:                                 ; preds = %for.cond.cleanup11, %entry
  ret void

for.cond9.preheader:                              ; preds = %for.body4, %for.cond1.preheader
  %sum.0.lcssa = phi double [ 0.000000e+00, %for.cond1.preheader ], [ %add7, %for.body4 ]
  br i1 %cmp1046, label %for.body12.lr.ph, label %for.cond.cleanup11

for.body12.lr.ph:                                 ; preds = %for.cond9.preheader
  %mul13 = mul nsw i64 %i.049, %n
  br label %for.body12

for.body4:                                        ; preds = %for.body4.lr.ph, %for.body4
  %j.045 = phi i64 [ 0, %for.body4.lr.ph ], [ %inc, %for.body4 ]
  %sum.044 = phi double [ 0.000000e+00, %for.body4.lr.ph ], [ %add7, %for.body4 ]
  %add = add nsw i64 %j.045, %mul
  %arrayidx = getelementptr inbounds double, double* %a, i64 %add
  %0 = load double, double* %arrayidx, align 8, !tbaa !5
  %arrayidx5 = getelementptr inbounds double, double* %x, i64 %j.045
  %1 = load double, double* %arrayidx5, align 8, !tbaa !5
  %mul6 = fmul double %0, %1
  %add7 = fadd double %sum.044, %mul6
  %inc = add nuw nsw i64 %j.045, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.cond9.preheader, label %for.body4, !llvm.loop !21

for.cond.cleanup11:                               ; preds = %for.body12, %for.cond9.preheader
  %inc23 = add nuw nsw i64 %i.049, 1
  %exitcond53.not = icmp eq i64 %inc23, %rows
  br i1 %exitcond53.not, label %for.cond.cleanup, label %for.cond1.preheader, !llvm.loop !22

for.body12:                                       ; preds = %for.body12.lr.ph, %for.body12
  %j8.047 = phi i64 [ 0, %for.body12.lr.ph ], [ %inc20, %for.body12 ]
  %add14 = add nsw i64 %j8.047, %mul13
  %arrayidx15 = getelementptr inbounds double, double* %a, i64 %add14
  %2 = load double, double* %arrayidx15, align 8, !tbaa !5
  %mul16 = fmul double %sum.0.lcssa, %2
  %arrayidx17 = getelementptr inbounds double, double* %y, i64 %j8.047
  %3 = load double, double* %arrayidx17, align 8, !tbaa !5
  %add18 = fadd double %3, %mul16
  store double %add18, double* %arrayidx17, align 8, !tbaa !5
  %inc20 = add nuw nsw i64 %j8.047, 1
  %exitcond52.not = icmp eq i64 %inc20, %n
  br i1 %exitcond52.not, label %for.cond.cleanup11, label %for.body12, !llvm.loop !23
}

; Function Attrs: nofree norecurse nosync nounwind uwtable
define dso_local void @bicg(i64 noundef %n, i64 noundef %rows, double* noalias nocapture noundef readonly %a, double* noalias nocapture noundef %s, double* noalias nocapture noundef writeonly %q, double* noalias nocapture noundef readonly %p, double* noalias nocapture noundef readonly %r) local_unnamed_addr #0 {
entry:
  %cmp39 = icmp sgt i64 %rows, 0
  br i1 %cmp39, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %cmp236 = icmp sgt i64 %n, 0
  br label %for.cond1.preheader

for.cond1.preheader:                              ; preds = %for.cond1.preheader.lr.ph, %for.cond.cleanup3
  %i.040 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %inc17, %for.cond.cleanup3 ]
  br i1 %cmp236, label %for.body4.lr.ph, label %for.cond.cleanup3

for.body4.lr.ph:                                  ; preds = %for.cond1.preheader
  %arrayidx = getelementptr inbounds double, double* %r, i64 %i.040
  %0 = load double, double* %arrayidx, align 8, !tbaa !5
  %mul = mul nsw i64 %i.040, %n
  br label %for.body4

for.cond.cleanup:                                 ; preds = %for.cond.cleanup3, %entry
  ret void

for.cond.cleanup3:                                ; preds = %for.body4, %for.cond1.preheader
  %sum.0.lcssa = phi double [ 0.000000e+00, %for.cond1.preheader ], [ %add14, %for.body4 ]
  %arrayidx15 = getelementptr inbounds double, double* %q, i64 %i.040
  store double %sum.0.lcssa, double* %arrayidx15, align 8, !tbaa !5
  %inc17 = add nuw nsw i64 %i.040, 1
  %exitcond42.not = icmp eq i64 %inc17, %rows
  br i1 %exitcond42.not, label %for.cond.cleanup, label %for.cond1.preheader, !llvm.loop !24

for.body4:                                        ; preds = %for.body4.lr.ph, %for.body4
  %j.038 = phi i64 [ 0, %for.body4.lr.ph ], [ %inc, %for.body4 ]
  %sum.037 = phi double [ 0.000000e+00, %for.body4.lr.ph ], [ %add14, %for.body4 ]
  %add = add nsw i64 %j.038, %mul
  %arrayidx5 = getelementptr inbounds double, double* %a, i64 %add
  %1 = load double, double* %arrayidx5, align 8, !tbaa !5
  %mul6 = fmul double %0, %1
  %arrayidx7 = getelementptr inbounds double, double* %s, i64 %j.038
  %2 = load double, double* %arrayidx7, align 8, !tbaa !5
  %add8 = fadd double %2, %mul6
  store double %add8, double* %arrayidx7, align 8, !tbaa !5
  %arrayidx12 = getelementptr inbounds double, double* %p, i64 %j.038
  %3 = load double, double* %arrayidx12, align 8, !tbaa !5
  %mul13 = fmul double %1, %3
  %add14 = fadd double %sum.037, %mul13
  %inc = add nuw nsw i64 %j.038, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4, !llvm.loop !25
}

; Function Attrs: nofree norecurse nosync nounwind uwtable
define dso_local void @mvt(i64 noundef %n, double* noalias nocapture noundef %x, double* noalias nocapture noundef %z, double* noalias nocapture noundef readonly %y, double* noalias nocapture noundef readonly %w, double* noalias nocapture noundef readonly %a) local_unnamed_addr #0 {
entry:
  %cmp60 = icmp sgt i64 %n, 0
  br i1 %cmp60, label %for.cond1.preheader, label %for.cond13.preheader

for.cond1.preheader:                              ; preds = %entry, %for.cond1.for.cond.cleanup3_crit_edge
  %i.061 = phi i64 [ %inc10, %for.cond1.for.cond.cleanup3_crit_edge ], [ 0, %entry ]
  %mul = mul nsw i64 %i.061, %n
  %arrayidx7 = getelementptr inbounds double, double* %x, i64 %i.061
  %arrayidx7.promoted = load double, double* %arrayidx7, align 8, !tbaa !5
  br label %for.body4

for.cond13.preheader:                             ; preds = %for.cond1.for.cond.cleanup3_crit_edge, %entry
  %cmp1466 = icmp sgt i64 %n, 0
  br i1 %cmp1466, label %for.cond18.preheader, label %for.cond.cleanup15

for.cond1.for.cond.cleanup3_crit_edge:            ; preds = %for.body4
  store double %add8, double* %arrayidx7, align 8, !tbaa !5
  %inc10 = add nuw nsw i64 %i.061, 1
  %exitcond69.not = icmp eq i64 %inc10, %n
  br i1 %exitcond69.not, label %for.cond13.preheader, label %for.cond1.preheader, !llvm.loop !26

for.body4:                                        ; preds = %for.cond1.preheader, %for.body4
  %add859 = phi double [ %arrayidx7.promoted, %for.cond1.preheader ], [ %add8, %for.body4 ]
  %j.058 = phi i64 [ 0, %for.cond1.preheader ], [ %inc, %for.body4 ]
  %add = add nsw i64 %j.058, %mul
  %arrayidx = getelementptr inbounds double, double* %a, i64 %add
  %0 = load double, double* %arrayidx, align 8, !tbaa !5
  %arrayidx5 = getelementptr inbounds double, double* %y, i64 %j.058
  %1 = load double, double* %arrayidx5, align 8, !tbaa !5
  %mul6 = fmul double %0, %1
  %add8 = fadd double %add859, %mul6
  %inc = add nuw nsw i64 %j.058, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.cond1.for.cond.cleanup3_crit_edge, label %for.body4, !llvm.loop !27

for.cond18.preheader:                             ; preds = %for.cond13.preheader, %for.cond18.for.cond.cleanup20_crit_edge
  %i12.067 = phi i64 [ %inc33, %for.cond18.for.cond.cleanup20_crit_edge ], [ 0, %for.cond13.preheader ]
  %arrayidx27 = getelementptr inbounds double, double* %z, i64 %i12.067
  %arrayidx27.promoted = load double, double* %arrayidx27, align 8, !tbaa !5
  br label %for.body21

for.cond.cleanup15:                               ; preds = %for.cond18.for.cond.cleanup20_crit_edge, %for.cond13.preheader
  ret void

for.cond18.for.cond.cleanup20_crit_edge:          ; preds = %for.body21
  store double %add28, double* %arrayidx27, align 8, !tbaa !5
  %inc33 = add nuw nsw i64 %i12.067, 1
  %exitcond71.not = icmp eq i64 %inc33, %n
  br i1 %exitcond71.not, label %for.cond.cleanup15, label %for.cond18.preheader, !llvm.loop !28

for.body21:                                       ; preds = %for.cond18.preheader, %for.body21
  %add2865 = phi double [ %arrayidx27.promoted, %for.cond18.preheader ], [ %add28, %for.body21 ]
  %j17.064 = phi i64 [ 0, %for.cond18.preheader ], [ %inc30, %for.body21 ]
  %mul22 = mul nsw i64 %j17.064, %n
  %add23 = add nsw i64 %mul22, %i12.067
  %arrayidx24 = getelementptr inbounds double, double* %a, i64 %add23
  %2 = load double, double* %arrayidx24, align 8, !tbaa !5
  %arrayidx25 = getelementptr inbounds double, double* %w, i64 %j17.064
  %3 = load double, double* %arrayidx25, align 8, !tbaa !5
  %mul26 = fmul double %2, %3
  %add28 = fadd double %add2865, %mul26
  %inc30 = add nuw nsw i64 %j17.064, 1
  %exitcond70.not = icmp eq i64 %inc30, %n
  br i1 %exitcond70.not, label %for.cond18.for.cond.cleanup20_crit_edge, label %for.body21, !llvm.loop !29
}

; Function Attrs: nofree norecurse nosync nounwind uwtable
define dso_local void @syrk(i64 noundef %n, i64 noundef %rows, double noundef %alpha, double noundef %beta, double* noalias nocapture noundef %c, double* noalias nocapture noundef readonly %a) local_unnamed_addr #0 {
entry:
  %cmp57 = icmp sgt i64 %rows, 0
  br i1 %cmp57, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %cmp652 = icmp sgt i64 %n, 0
  br label %for.cond1.preheader

for.cond1.preheader:                              ; preds = %for.cond1.preheader.lr.ph, %for.cond.cleanup3
  %indvars.iv = phi i64 [ 1, %for.cond1.preheader.lr.ph ], [ %indvars.iv.next, %for.cond.cleanup3 ]
  %i.058 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %inc27, %for.cond.cleanup3 ]
  %mul14 = mul nsw i64 %i.058, %rows
  %mul = mul nsw i64 %i.058, %n
  br label %for.cond5.preheader

for.cond.cleanup:                                 ; preds = %for.cond.cleanup3, %entry
  ret void

for.cond5.preheader:                              ; preds = %for.cond1.preheader, %for.cond.cleanup7
  %j.055 = phi i64 [ 0, %for.cond1.preheader ], [ %inc24, %for.cond.cleanup7 ]
  br i1 %cmp652, label %for.body8.lr.ph, label %for.cond.cleanup7

for.body8.lr.ph:                                  ; preds = %for.cond5.preheader
  %mul9 = mul nsw i64 %j.055, %n
  br label %for.body8

for.cond.cleanup3:                                ; preds = %for.cond.cleanup7
  %inc27 = add nuw nsw i64 %i.058, 1
  %indvars.iv.next = add nuw i64 %indvars.iv, 1
  %exitcond60.not = icmp eq i64 %inc27, %rows
  br i1 %exitcond60.not, label %for.cond.cleanup, label %for.cond1.preheader, !llvm.loop !30

for.cond.cleanup7:                                ; preds = %for.body8, %for.cond5.preheader
  %sum.0.lcssa = phi double [ 0.000000e+00, %for.cond5.preheader ], [ %add13, %for.body8 ]
  %add15 = add nsw i64 %j.055, %mul14
  %arrayidx16 = getelementptr inbounds double, double* %c, i64 %add15
  %0 = load double, double* %arrayidx16, align 8, !tbaa !5
  %mul17 = fmul double %0, %beta
  %mul18 = fmul double %sum.0.lcssa, %alpha
  %add19 = fadd double %mul18, %mul17
  store double %add19, double* %arrayidx16, align 8, !tbaa !5
  %inc24 = add nuw nsw i64 %j.055, 1
  %exitcond59.not = icmp eq i64 %inc24, %indvars.iv
  br i1 %exitcond59.not, label %for.cond.cleanup3, label %for.cond5.preheader, !llvm.loop !31

for.body8:                                        ; preds = %for.body8.lr.ph, %for.body8
  %k.054 = phi i64 [ 0, %for.body8.lr.ph ], [ %inc, %for.body8 ]
  %sum.053 = phi double [ 0.000000e+00, %for.body8.lr.ph ], [ %add13, %for.body8 ]
  %add = add nsw i64 %k.054, %mul
  %arrayidx = getelementptr inbounds double, double* %a, i64 %add
  %1 = load double, double* %arrayidx, align 8, !tbaa !5
  %add10 = add nsw i64 %k.054, %mul9
  %arrayidx11 = getelementptr inbounds double, double* %a, i64 %add10
  %2 = load double, double* %arrayidx11, align 8, !tbaa !5
  %mul12 = fmul double %1, %2
  %add13 = fadd double %sum.053, %mul12
  %inc = add nuw nsw i64 %k.054, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup7, label %for.body8, !llvm.loop !32
}

; Function Attrs: nofree norecurse nosync nounwind uwtable
define dso_local void @syr2k(i64 noundef %n, i64 noundef %rows, double noundef %alpha, double* noalias nocapture noundef %c, double* noalias nocapture noundef readonly %a, double* noalias nocapture noundef readonly %b) local_unnamed_addr #0 {
entry:
  %cmp64 = icmp sgt i64 %rows, 0
  br i1 %cmp64, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %cmp659 = icmp sgt i64 %n, 0
  br label %for.cond1.preheader

for.cond1.preheader:                              ; preds = %for.cond1.preheader.lr.ph, %for.cond.cleanup3
  %indvars.iv = phi i64 [ 1, %for.cond1.preheader.lr.ph ], [ %indvars.iv.next, %for.cond.cleanup3 ]
  %i.065 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %inc31, %for.cond.cleanup3 ]
  %mul23 = mul nsw i64 %i.065, %rows
  %mul9 = mul nsw i64 %i.065, %n
  br label %for.cond5.preheader

for.cond.cleanup:                                 ; preds = %for.cond.cleanup3, %entry
  ret void

for.cond5.preheader:                              ; preds = %for.cond1.preheader, %for.cond.cleanup7
  %j.062 = phi i64 [ 0, %for.cond1.preheader ], [ %inc28, %for.cond.cleanup7 ]
  br i1 %cmp659, label %for.body8.lr.ph, label %for.cond.cleanup7

for.body8.lr.ph:                                  ; preds = %for.cond5.preheader
  %mul = mul nsw i64 %j.062, %n
  br label %for.body8

for.cond.cleanup3:                                ; preds = %for.cond.cleanup7
  %inc31 = add nuw nsw i64 %i.065, 1
  %indvars.iv.next = add nuw i64 %indvars.iv, 1
  %exitcond67.not = icmp eq i64 %inc31, %rows
  br i1 %exitcond67.not, label %for.cond.cleanup, label %for.cond1.preheader, !llvm.loop !33

for.cond.cleanup7:                                ; preds = %for.body8, %for.cond5.preheader
  %sum.0.lcssa = phi double [ 0.000000e+00, %for.cond5.preheader ], [ %add21, %for.body8 ]
  %mul22 = fmul double %sum.0.lcssa, %alpha
  %add24 = add nsw i64 %j.062, %mul23
  %arrayidx25 = getelementptr inbounds double, double* %c, i64 %add24
  %0 = load double, double* %arrayidx25, align 8, !tbaa !5
  %add26 = fadd double %mul22, %0
  store double %add26, double* %arrayidx25, align 8, !tbaa !5
  %inc28 = add nuw nsw i64 %j.062, 1
  %exitcond66.not = icmp eq i64 %inc28, %indvars.iv
  br i1 %exitcond66.not, label %for.cond.cleanup3, label %for.cond5.preheader, !llvm.loop !34

for.body8:                                        ; preds = %for.body8.lr.ph, %for.body8
  %k.061 = phi i64 [ 0, %for.body8.lr.ph ], [ %inc, %for.body8 ]
  %sum.060 = phi double [ 0.000000e+00, %for.body8.lr.ph ], [ %add21, %for.body8 ]
  %add = add nsw i64 %k.061, %mul
  %arrayidx = getelementptr inbounds double, double* %a, i64 %add
  %1 = load double, double* %arrayidx, align 8, !tbaa !5
  %add10 = add nsw i64 %k.061, %mul9
  %arrayidx11 = getelementptr inbounds double, double* %b, i64 %add10
  %2 = load double, double* %arrayidx11, align 8, !tbaa !5
  %mul12 = fmul double %1, %2
  %arrayidx15 = getelementptr inbounds double, double* %b, i64 %add
  %3 = load double, double* %arrayidx15, align 8, !tbaa !5
  %arrayidx18 = getelementptr inbounds double, double* %a, i64 %add10
  %4 = load double, double* %arrayidx18, align 8, !tbaa !5
  %mul19 = fmul double %3, %4
  %add20 = fadd double %mul12, %mul19
  %add21 = fadd double %sum.060, %add20
  %inc = add nuw nsw i64 %k.061, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup7, label %for.body8, !llvm.loop !35
}

; Function Attrs: nofree norecurse nosync nounwind uwtable
define dso_local void @trmm(i64 noundef %n, i64 noundef %rows, double* noalias nocapture noundef readonly %l, double* noalias nocapture noundef %b) local_unnamed_addr #0 {
entry:
  %cmp47 = icmp sgt i64 %rows, 0
  br i1 %cmp47, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %cmp642 = icmp sgt i64 %n, 0
  br label %for.body

for.cond.loopexit:                                ; preds = %for.cond.cleanup7, %for.body
  %exitcond49.not = icmp eq i64 %add, %rows
  br i1 %exitcond49.not, label %for.cond.cleanup, label %for.body, !llvm.loop !36

for.cond.cleanup:                                 ; preds = %for.cond.loopexit, %entry
  ret void

for.body:                                         ; preds = %for.body.lr.ph, %for.cond.loopexit
  %i.048 = phi i64 [ 0, %for.body.lr.ph ], [ %add, %for.cond.loopexit ]
  %add = add nuw nsw i64 %i.048, 1
  %cmp244 = icmp slt i64 %add, %rows
  br i1 %cmp244, label %for.cond5.preheader.lr.ph, label %for.cond.loopexit

for.cond5.preheader.lr.ph:                        ; preds = %for.body
  %mul14 = mul nsw i64 %i.048, %n
  br label %for.cond5.preheader

for.cond5.preheader:                              ; preds = %for.cond5.preheader.lr.ph, %for.cond.cleanup7
  %k.045 = phi i64 [ %add, %for.cond5.preheader.lr.ph ], [ %inc19, %for.cond.cleanup7 ]
  br i1 %cmp642, label %for.body8.lr.ph, label %for.cond.cleanup7

for.body8.lr.ph:                                  ; preds = %for.cond5.preheader
  %mul = mul nsw i64 %k.045, %rows
  %add9 = add nsw i64 %mul, %i.048
  %arrayidx = getelementptr inbounds double, double* %l, i64 %add9
  %0 = load double, double* %arrayidx, align 8, !tbaa !5
  %mul10 = mul nsw i64 %k.045, %n
  br label %for.body8

for.cond.cleanup7:                                ; preds = %for.body8, %for.cond5.preheader
  %inc19 = add nuw nsw i64 %k.045, 1
  %cmp2 = icmp slt i64 %inc19, %rows
  br i1 %cmp2, label %for.cond5.preheader, label %for.cond.loopexit, !llvm.loop !37

for.body8:                                        ; preds = %for.body8.lr.ph, %for.body8
  %j.043 = phi i64 [ 0, %for.body8.lr.ph ], [ %inc, %for.body8 ]
  %add11 = add nsw i64 %j.043, %mul10
  %arrayidx12 = getelementptr inbounds double, double* %b, i64 %add11
  %1 = load double, double* %arrayidx12, align 8, !tbaa !5
  %mul13 = fmul double %0, %1
  %add15 = add nsw i64 %j.043, %mul14
  %arrayidx16 = getelementptr inbounds double, double* %b, i64 %add15
  %2 = load double, double* %arrayidx16, align 8, !tbaa !5
  %add17 = fadd double %2, %mul13
  store double %add17, double* %arrayidx16, align 8, !tbaa !5
  %inc = add nuw nsw i64 %j.043, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup7, label %for.body8, !llvm.loop !38
}

; Function Attrs: nofree norecurse nosync nounwind uwtable
define dso_local void @trisolv(i64 noundef %n, double* noalias nocapture noundef readonly %l, double* noalias nocapture noundef %x, double* noalias nocapture noundef readonly %b) local_unnamed_addr #0 {
entry:
  %cmp36 = icmp sgt i64 %n, 0
  br i1 %cmp36, label %for.body, label %for.cond.cleanup

for.cond.cleanup:                                 ; preds = %for.cond.cleanup3, %entry
  ret void

for.body:                                         ; preds = %entry, %for.cond.cleanup3
  %i.037 = phi i64 [ %inc13, %for.cond.cleanup3 ], [ 0, %entry ]
  %arrayidx = getelementptr inbounds double, double* %b, i64 %i.037
  %0 = load double, double* %arrayidx, align 8, !tbaa !5
  %cmp233.not = icmp eq i64 %i.037, 0
  br i1 %cmp233.not, label %for.cond.cleanup3, label %for.body4.lr.ph

for.body4.lr.ph:                                  ; preds = %for.body
  %mul = mul nsw i64 %i.037, %n
  br label %for.body4

for.cond.cleanup3:                                ; preds = %for.body4, %for.body
  %sum.0.lcssa = phi double [ %0, %for.body ], [ %sub, %for.body4 ]
  %mul8 = mul nsw i64 %i.037, %n
  %add9 = add nsw i64 %mul8, %i.037
  %arrayidx10 = getelementptr inbounds double, double* %l, i64 %add9
  %1 = load double, double* %arrayidx10, align 8, !tbaa !5
  %div = fdiv double %sum.0.lcssa, %1
  %arrayidx11 = getelementptr inbounds double, double* %x, i64 %i.037
  store double %div, double* %arrayidx11, align 8, !tbaa !5
  %inc13 = add nuw nsw i64 %i.037, 1
  %exitcond39.not = icmp eq i64 %inc13, %n
  br i1 %exitcond39.not, label %for.cond.cleanup, label %for.body, !llvm.loop !39

for.body4:                                        ; preds = %for.body4.lr.ph, %for.body4
  %j.035 = phi i64 [ 0, %for.body4.lr.ph ], [ %inc, %for.body4 ]
  %sum.034 = phi double [ %0, %for.body4.lr.ph ], [ %sub, %for.body4 ]
  %add = add nsw i64 %j.035, %mul
  %arrayidx5 = getelementptr inbounds double, double* %l, i64 %add
  %2 = load double, double* %arrayidx5, align 8, !tbaa !5
  %arrayidx6 = getelementptr inbounds double, double* %x, i64 %j.035
  %3 = load double, double* %arrayidx6, align 8, !tbaa !5
  %mul7 = fmul double %2, %3
  %sub = fsub double %sum.034, %mul7
  %inc = add nuw nsw i64 %j.035, 1
  %exitcond.not = icmp eq i64 %inc, %i.037
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4, !llvm.loop !40
}

; Function Attrs: nofree norecurse nosync nounwind uwtable
define dso_local void @durbin(i64 noundef %n, double* noalias nocapture noundef readonly %r, double* noalias nocapture noundef %y, double* noalias nocapture noundef %z) local_unnamed_addr #0 {
entry:
  %y96 = bitcast double* %y to i8*
  %z97 = bitcast double* %z to i8*
  %cmp = icmp slt i64 %n, 1
  br i1 %cmp, label %return, label %if.end

if.end:                                           ; preds = %entry
  %0 = load double, double* %r, align 8, !tbaa !5
  %fneg = fneg double %0
  store double %fneg, double* %y, align 8, !tbaa !5
  %cmp491.not = icmp eq i64 %n, 1
  br i1 %cmp491.not, label %return, label %for.body.preheader

for.body.preheader:                               ; preds = %if.end
  %1 = add i64 %n, -1
  br label %for.body

for.body:                                         ; preds = %for.body.preheader, %for.body37.preheader
  %indvar = phi i64 [ 0, %for.body.preheader ], [ %indvar.next, %for.body37.preheader ]
  %k.094 = phi i64 [ 1, %for.body.preheader ], [ %inc45, %for.body37.preheader ]
  %beta.093 = phi double [ 1.000000e+00, %for.body.preheader ], [ %mul5, %for.body37.preheader ]
  %alpha.092 = phi double [ %fneg, %for.body.preheader ], [ %div, %for.body37.preheader ]
  %2 = shl i64 %indvar, 3
  %3 = add nuw i64 %2, 8
  %mul = fmul double %alpha.092, %alpha.092
  %sub = fsub double 1.000000e+00, %mul
  br label %for.body9

for.cond.cleanup8:                                ; preds = %for.body9
  %mul5 = fmul double %beta.093, %sub
  %arrayidx15 = getelementptr inbounds double, double* %r, i64 %k.094
  %4 = load double, double* %arrayidx15, align 8, !tbaa !5
  %add16 = fadd double %add, %4
  %fneg17 = fneg double %add16
  %div = fdiv double %fneg17, %mul5
  br label %for.body22

for.body9:                                        ; preds = %for.body, %for.body9
  %i.088 = phi i64 [ 0, %for.body ], [ %inc, %for.body9 ]
  %sum.087 = phi double [ 0.000000e+00, %for.body ], [ %add, %for.body9 ]
  %5 = xor i64 %i.088, -1
  %sub11 = add nsw i64 %k.094, %5
  %arrayidx12 = getelementptr inbounds double, double* %r, i64 %sub11
  %6 = load double, double* %arrayidx12, align 8, !tbaa !5
  %arrayidx13 = getelementptr inbounds double, double* %y, i64 %i.088
  %7 = load double, double* %arrayidx13, align 8, !tbaa !5
  %mul14 = fmul double %6, %7
  %add = fadd double %sum.087, %mul14
  %inc = add nuw nsw i64 %i.088, 1
  %exitcond.not = icmp eq i64 %inc, %k.094
  br i1 %exitcond.not, label %for.cond.cleanup8, label %for.body9, !llvm.loop !41

for.body22:                                       ; preds = %for.cond.cleanup8, %for.body22
  %i18.089 = phi i64 [ 0, %for.cond.cleanup8 ], [ %inc31, %for.body22 ]
  %arrayidx23 = getelementptr inbounds double, double* %y, i64 %i18.089
  %8 = load double, double* %arrayidx23, align 8, !tbaa !5
  %9 = xor i64 %i18.089, -1
  %sub25 = add nsw i64 %k.094, %9
  %arrayidx26 = getelementptr inbounds double, double* %y, i64 %sub25
  %10 = load double, double* %arrayidx26, align 8, !tbaa !5
  %mul27 = fmul double %div, %10
  %add28 = fadd double %8, %mul27
  %arrayidx29 = getelementptr inbounds double, double* %z, i64 %i18.089
  store double %add28, double* %arrayidx29, align 8, !tbaa !5
  %inc31 = add nuw nsw i64 %i18.089, 1
  %exitcond95.not = icmp eq i64 %inc31, %k.094
  br i1 %exitcond95.not, label %for.body37.preheader, label %for.body22, !llvm.loop !42

for.body37.preheader:                             ; preds = %for.body22
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* nonnull align 8 %y96, i8* align 8 %z97, i64 %3, i1 false), !tbaa !5
  %arrayidx43 = getelementptr inbounds double, double* %y, i64 %k.094
  store double %div, double* %arrayidx43, align 8, !tbaa !5
  %inc45 = add nuw nsw i64 %k.094, 1
  %indvar.next = add nuw nsw i64 %indvar, 1
  %exitcond98.not = icmp eq i64 %indvar.next, %1
  br i1 %exitcond98.not, label %return, label %for.body, !llvm.loop !43

return:                                           ; preds = %for.body37.preheader, %if.end, %entry
  ret void
}

; Function Attrs: nofree norecurse nosync nounwind uwtable
define dso_local void @doitgen(i64 noundef %n, i64 noundef %rows, double* noalias nocapture noundef %a, double* noalias nocapture noundef readonly %c, double* noalias nocapture noundef %sum) local_unnamed_addr #0 {
entry:
  %sum72 = bitcast double* %sum to i8*
  %cmp66 = icmp sgt i64 %rows, 0
  br i1 %cmp66, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %cmp261 = icmp sgt i64 %n, 0
  %cmp658 = icmp sgt i64 %n, 0
  %cmp2064 = icmp sgt i64 %n, 0
  %0 = shl nuw i64 %n, 3
  br label %for.cond1.preheader

for.cond1.preheader:                              ; preds = %for.cond1.preheader.lr.ph, %for.cond.cleanup21
  %r.067 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %inc31, %for.cond.cleanup21 ]
  %1 = mul i64 %r.067, %n
  %scevgep = getelementptr double, double* %a, i64 %1
  %scevgep71 = bitcast double* %scevgep to i8*
  br i1 %cmp261, label %for.cond5.preheader.lr.ph, label %for.cond19.preheader

for.cond5.preheader.lr.ph:                        ; preds = %for.cond1.preheader
  %mul = mul nsw i64 %r.067, %n
  br label %for.cond5.preheader

for.cond.cleanup:                                 ; preds = %for.cond.cleanup21, %entry
  ret void

for.cond19.preheader:                             ; preds = %for.cond.cleanup7, %for.cond1.preheader
  br i1 %cmp2064, label %for.body22.lr.ph, label %for.cond.cleanup21

for.body22.lr.ph:                                 ; preds = %for.cond19.preheader
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 8 %scevgep71, i8* align 8 %sum72, i64 %0, i1 false), !tbaa !5
  br label %for.cond.cleanup21

for.cond5.preheader:                              ; preds = %for.cond5.preheader.lr.ph, %for.cond.cleanup7
  %p.062 = phi i64 [ 0, %for.cond5.preheader.lr.ph ], [ %inc16, %for.cond.cleanup7 ]
  br i1 %cmp658, label %for.body8, label %for.cond.cleanup7

for.cond.cleanup7:                                ; preds = %for.body8, %for.cond5.preheader
  %total.0.lcssa = phi double [ 0.000000e+00, %for.cond5.preheader ], [ %add13, %for.body8 ]
  %arrayidx14 = getelementptr inbounds double, double* %sum, i64 %p.062
  store double %total.0.lcssa, double* %arrayidx14, align 8, !tbaa !5
  %inc16 = add nuw nsw i64 %p.062, 1
  %exitcond70.not = icmp eq i64 %inc16, %n
  br i1 %exitcond70.not, label %for.cond19.preheader, label %for.cond5.preheader, !llvm.loop !44

for.body8:                                        ; preds = %for.cond5.preheader, %for.body8
  %s.060 = phi i64 [ %inc, %for.body8 ], [ 0, %for.cond5.preheader ]
  %total.059 = phi double [ %add13, %for.body8 ], [ 0.000000e+00, %for.cond5.preheader ]
  %add = add nsw i64 %s.060, %mul
  %arrayidx = getelementptr inbounds double, double* %a, i64 %add
  %2 = load double, double* %arrayidx, align 8, !tbaa !5
  %mul9 = mul nsw i64 %s.060, %n
  %add10 = add nsw i64 %mul9, %p.062
  %arrayidx11 = getelementptr inbounds double, double* %c, i64 %add10
  %3 = load double, double* %arrayidx11, align 8, !tbaa !5
  %mul12 = fmul double %2, %3
  %add13 = fadd double %total.059, %mul12
  %inc = add nuw nsw i64 %s.060, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup7, label %for.body8, !llvm.loop !45

for.cond.cleanup21:                               ; preds = %for.body22.lr.ph, %for.cond19.preheader
  %inc31 = add nuw nsw i64 %r.067, 1
  %exitcond73.not = icmp eq i64 %inc31, %rows
  br i1 %exitcond73.not, label %for.cond.cleanup, label %for.cond1.preheader, !llvm.loop !46
}

; Function Attrs: nofree norecurse nosync nounwind uwtable
define dso_local void @lu(i64 noundef %n, double* noalias nocapture noundef %a) local_unnamed_addr #0 {
entry:
  %cmp63 = icmp sgt i64 %n, 0
  br i1 %cmp63, label %for.body, label %for.cond.cleanup

for.cond.loopexit:                                ; preds = %for.cond.cleanup12, %for.body
  %exitcond.not = icmp eq i64 %add, %n
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body, !llvm.loop !47

for.cond.cleanup:                                 ; preds = %for.cond.loopexit, %entry
  ret void

for.body:                                         ; preds = %entry, %for.cond.loopexit
  %k.064 = phi i64 [ %add, %for.cond.loopexit ], [ 0, %entry ]
  %add = add nuw nsw i64 %k.064, 1
  %cmp261 = icmp slt i64 %add, %n
  br i1 %cmp261, label %for.body4.lr.ph, label %for.cond.loopexit

for.body4.lr.ph:                                  ; preds = %for.body
  %mul = mul nsw i64 %k.064, %n
  %add5 = add nsw i64 %mul, %k.064
  %arrayidx = getelementptr inbounds double, double* %a, i64 %add5
  br label %for.body4

for.body4:                                        ; preds = %for.body4.lr.ph, %for.cond.cleanup12
  %i.062 = phi i64 [ %add, %for.body4.lr.ph ], [ %inc25, %for.cond.cleanup12 ]
  %0 = load double, double* %arrayidx, align 8, !tbaa !5
  %mul6 = mul nsw i64 %i.062, %n
  %add7 = add nsw i64 %mul6, %k.064
  %arrayidx8 = getelementptr inbounds double, double* %a, i64 %add7
  %1 = load double, double* %arrayidx8, align 8, !tbaa !5
  %div = fdiv double %1, %0
  store double %div, double* %arrayidx8, align 8, !tbaa !5
  br label %for.body13

for.cond.cleanup12:                               ; preds = %for.body13
  %inc25 = add nuw nsw i64 %i.062, 1
  %cmp2 = icmp slt i64 %inc25, %n
  br i1 %cmp2, label %for.body4, label %for.cond.loopexit, !llvm.loop !48

for.body13:                                       ; preds = %for.body4, %for.body13
  %j.060 = phi i64 [ %inc, %for.body13 ], [ %add, %for.body4 ]
  %2 = load double, double* %arrayidx8, align 8, !tbaa !5
  %add18 = add nsw i64 %j.060, %mul
  %arrayidx19 = getelementptr inbounds double, double* %a, i64 %add18
  %3 = load double, double* %arrayidx19, align 8, !tbaa !5
  %mul20 = fmul double %2, %3
  %add22 = add nsw i64 %j.060, %mul6
  %arrayidx23 = getelementptr inbounds double, double* %a, i64 %add22
  %4 = load double, double* %arrayidx23, align 8, !tbaa !5
  %sub = fsub double %4, %mul20
  store double %sub, double* %arrayidx23, align 8, !tbaa !5
  %inc = add nuw nsw i64 %j.060, 1
  %cmp11 = icmp slt i64 %inc, %n
  br i1 %cmp11, label %for.body13, label %for.cond.cleanup12, !llvm.loop !49
}

; Function Attrs: nofree norecurse nosync nounwind uwtable
define dso_local void @floyd_warshall(i64 noundef %n, i32* nocapture noundef %paths) local_unnamed_addr #0 {
entry:
  %cmp56 = icmp sgt i64 %n, 0
  br i1 %cmp56, label %for.cond1.preheader, label %for.cond.cleanup

for.cond1.preheader:                              ; preds = %entry, %for.cond.cleanup3
  %k.057 = phi i64 [ %inc24, %for.cond.cleanup3 ], [ 0, %entry ]
  %mul9 = mul nsw i64 %k.057, %n
  br label %for.cond5.preheader

for.cond.cleanup:                                 ; preds = %for.cond.cleanup3, %entry
  ret void

for.cond5.preheader:                              ; preds = %for.cond1.preheader, %for.cond.cleanup7
  %i.054 = phi i64 [ 0, %for.cond1.preheader ], [ %inc21, %for.cond.cleanup7 ]
  %mul = mul nsw i64 %i.054, %n
  %add = add nsw i64 %mul, %k.057
  %arrayidx = getelementptr inbounds i32, i32* %paths, i64 %add
  br label %for.body8

for.cond.cleanup3:                                ; preds = %for.cond.cleanup7
  %inc24 = add nuw nsw i64 %k.057, 1
  %exitcond60.not = icmp eq i64 %inc24, %n
  br i1 %exitcond60.not, label %for.cond.cleanup, label %for.cond1.preheader, !llvm.loop !50

for.cond.cleanup7:                                ; preds = %if.end
  %inc21 = add nuw nsw i64 %i.054, 1
  %exitcond59.not = icmp eq i64 %inc21, %n
  br i1 %exitcond59.not, label %for.cond.cleanup3, label %for.cond5.preheader, !llvm.loop !51

for.body8:                                        ; preds = %for.cond5.preheader, %if.end
  %j.052 = phi i64 [ 0, %for.cond5.preheader ], [ %inc, %if.end ]
  %0 = load i32, i32* %arrayidx, align 4, !tbaa !52
  %add10 = add nsw i64 %j.052, %mul9
  %arrayidx11 = getelementptr inbounds i32, i32* %paths, i64 %add10
  %1 = load i32, i32* %arrayidx11, align 4, !tbaa !52
  %add12 = add nsw i32 %1, %0
  %add14 = add nsw i64 %j.052, %mul
  %arrayidx15 = getelementptr inbounds i32, i32* %paths, i64 %add14
  %2 = load i32, i32* %arrayidx15, align 4, !tbaa !52
  %cmp16 = icmp slt i32 %add12, %2
  br i1 %cmp16, label %if.then, label %if.end

if.then:                                          ; preds = %for.body8
  store i32 %add12, i32* %arrayidx15, align 4, !tbaa !52
  br label %if.end

if.end:                                           ; preds = %if.then, %for.body8
  %inc = add nuw nsw i64 %j.052, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup7, label %for.body8, !llvm.loop !54
}

; Function Attrs: nofree norecurse nosync nounwind uwtable
define dso_local void @jacobi_1d(i64 noundef %n, i64 noundef %pairs, double* noalias nocapture noundef %a, double* noalias nocapture noundef %b) local_unnamed_addr #0 {
entry:
  %cmp55 = icmp sgt i64 %pairs, 0
  br i1 %cmp55, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %cmp2.not51 = icmp slt i64 %n, 1
  %cmp12.not53 = icmp slt i64 %n, 1
  br label %for.cond1.preheader

for.cond1.preheader:                              ; preds = %for.cond1.preheader.lr.ph, %for.cond.cleanup13
  %t.056 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %inc28, %for.cond.cleanup13 ]
  br i1 %cmp2.not51, label %for.cond11.preheader, label %for.body4

for.cond.cleanup:                                 ; preds = %for.cond.cleanup13, %entry
  ret void

for.cond11.preheader:                             ; preds = %for.body4, %for.cond1.preheader
  br i1 %cmp12.not53, label %for.cond.cleanup13, label %for.body14

for.body4:                                        ; preds = %for.cond1.preheader, %for.body4
  %i.052 = phi i64 [ %add6, %for.body4 ], [ 1, %for.cond1.preheader ]
  %sub = add nsw i64 %i.052, -1
  %arrayidx = getelementptr inbounds double, double* %a, i64 %sub
  %0 = load double, double* %arrayidx, align 8, !tbaa !5
  %arrayidx5 = getelementptr inbounds double, double* %a, i64 %i.052
  %1 = load double, double* %arrayidx5, align 8, !tbaa !5
  %add = fadd double %0, %1
  %add6 = add nuw nsw i64 %i.052, 1
  %arrayidx7 = getelementptr inbounds double, double* %a, i64 %add6
  %2 = load double, double* %arrayidx7, align 8, !tbaa !5
  %add8 = fadd double %add, %2
  %mul = fmul double %add8, 3.333300e-01
  %arrayidx9 = getelementptr inbounds double, double* %b, i64 %i.052
  store double %mul, double* %arrayidx9, align 8, !tbaa !5
  %exitcond.not = icmp eq i64 %i.052, %n
  br i1 %exitcond.not, label %for.cond11.preheader, label %for.body4, !llvm.loop !55

for.cond.cleanup13:                               ; preds = %for.body14, %for.cond11.preheader
  %inc28 = add nuw nsw i64 %t.056, 1
  %exitcond58.not = icmp eq i64 %inc28, %pairs
  br i1 %exitcond58.not, label %for.cond.cleanup, label %for.cond1.preheader, !llvm.loop !56

for.body14:                                       ; preds = %for.cond11.preheader, %for.body14
  %i10.054 = phi i64 [ %add19, %for.body14 ], [ 1, %for.cond11.preheader ]
  %sub15 = add nsw i64 %i10.054, -1
  %arrayidx16 = getelementptr inbounds double, double* %b, i64 %sub15
  %3 = load double, double* %arrayidx16, align 8, !tbaa !5
  %arrayidx17 = getelementptr inbounds double, double* %b, i64 %i10.054
  %4 = load double, double* %arrayidx17, align 8, !tbaa !5
  %add18 = fadd double %3, %4
  %add19 = add nuw nsw i64 %i10.054, 1
  %arrayidx20 = getelementptr inbounds double, double* %b, i64 %add19
  %5 = load double, double* %arrayidx20, align 8, !tbaa !5
  %add21 = fadd double %add18, %5
  %mul22 = fmul double %add21, 3.333300e-01
  %arrayidx23 = getelementptr inbounds double, double* %a, i64 %i10.054
  store double %mul22, double* %arrayidx23, align 8, !tbaa !5
  %exitcond57.not = icmp eq i64 %i10.054, %n
  br i1 %exitcond57.not, label %for.cond.cleanup13, label %for.body14, !llvm.loop !57
}

; Function Attrs: nofree norecurse nosync nounwind uwtable
define dso_local void @jacobi_2d(i64 noundef %n, i64 noundef %rows, double* noalias nocapture noundef readonly %a, double* noalias nocapture noundef writeonly %b) local_unnamed_addr #0 {
entry:
  %add = add nsw i64 %n, 2
  %cmp.not61 = icmp slt i64 %rows, 1
  br i1 %cmp.not61, label %for.cond.cleanup, label %for.cond1.preheader.lr.ph

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %cmp2.not59 = icmp slt i64 %n, 1
  br label %for.cond1.preheader

for.cond1.preheader:                              ; preds = %for.cond1.preheader.lr.ph, %for.cond.cleanup3
  %i.062 = phi i64 [ 1, %for.cond1.preheader.lr.ph ], [ %inc30, %for.cond.cleanup3 ]
  br i1 %cmp2.not59, label %for.cond.cleanup3, label %for.body4.lr.ph

for.body4.lr.ph:                                  ; preds = %for.cond1.preheader
  %mul = mul nsw i64 %i.062, %add
  %sub15 = add nsw i64 %i.062, -1
  %mul16 = mul nsw i64 %sub15, %add
  %add20 = add nuw nsw i64 %i.062, 1
  %mul21 = mul nsw i64 %add20, %add
  br label %for.body4

for.cond.cleanup:                                 ; preds = %for.cond.cleanup3, %entry
  ret void

for.cond.cleanup3:                                ; preds = %for.body4, %for.cond1.preheader
  %inc30 = add nuw i64 %i.062, 1
  %exitcond64.not = icmp eq i64 %i.062, %rows
  br i1 %exitcond64.not, label %for.cond.cleanup, label %for.cond1.preheader, !llvm.loop !58

for.body4:                                        ; preds = %for.body4.lr.ph, %for.body4
  %j.060 = phi i64 [ 1, %for.body4.lr.ph ], [ %inc, %for.body4 ]
  %add5 = add nsw i64 %j.060, %mul
  %arrayidx = getelementptr inbounds double, double* %a, i64 %add5
  %0 = load double, double* %arrayidx, align 8, !tbaa !5
  %sub = add nsw i64 %add5, -1
  %arrayidx8 = getelementptr inbounds double, double* %a, i64 %sub
  %1 = load double, double* %arrayidx8, align 8, !tbaa !5
  %add9 = fadd double %0, %1
  %add12 = add nsw i64 %add5, 1
  %arrayidx13 = getelementptr inbounds double, double* %a, i64 %add12
  %2 = load double, double* %arrayidx13, align 8, !tbaa !5
  %add14 = fadd double %add9, %2
  %add17 = add nsw i64 %j.060, %mul16
  %arrayidx18 = getelementptr inbounds double, double* %a, i64 %add17
  %3 = load double, double* %arrayidx18, align 8, !tbaa !5
  %add19 = fadd double %add14, %3
  %add22 = add nsw i64 %j.060, %mul21
  %arrayidx23 = getelementptr inbounds double, double* %a, i64 %add22
  %4 = load double, double* %arrayidx23, align 8, !tbaa !5
  %add24 = fadd double %add19, %4
  %mul25 = fmul double %add24, 2.000000e-01
  %arrayidx28 = getelementptr inbounds double, double* %b, i64 %add5
  store double %mul25, double* %arrayidx28, align 8, !tbaa !5
  %inc = add nuw i64 %j.060, 1
  %exitcond.not = icmp eq i64 %j.060, %n
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4, !llvm.loop !59
}

; Function Attrs: nofree norecurse nosync nounwind uwtable
define dso_local void @seidel_2d(i64 noundef %n, i64 noundef %rows, double* noalias nocapture noundef %a) local_unnamed_addr #0 {
entry:
  %add = add i64 %n, 2
  %cmp.not104 = icmp slt i64 %rows, 1
  br i1 %cmp.not104, label %for.cond.cleanup, label %for.cond1.preheader.lr.ph

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %cmp2.not102 = icmp slt i64 %n, 1
  %scevgep = getelementptr double, double* %a, i64 %add
  %scevgep108 = bitcast double* %scevgep to i8*
  %0 = shl i64 %n, 3
  %1 = add i64 %0, 16
  br label %for.cond1.preheader

for.cond1.preheader:                              ; preds = %for.cond1.preheader.lr.ph, %for.cond.cleanup3
  %indvar = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %indvar.next, %for.cond.cleanup3 ]
  %i.0105 = phi i64 [ 1, %for.cond1.preheader.lr.ph ], [ %inc53, %for.cond.cleanup3 ]
  br i1 %cmp2.not102, label %for.cond.cleanup3, label %for.body4.lr.ph

for.body4.lr.ph:                                  ; preds = %for.cond1.preheader
  %2 = mul i64 %1, %indvar
  %uglygep = getelementptr i8, i8* %scevgep108, i64 %2
  %uglygep109 = bitcast i8* %uglygep to double*
  %sub = add nsw i64 %i.0105, -1
  %mul = mul nsw i64 %sub, %add
  %add18 = add nuw nsw i64 %i.0105, 1
  %mul19 = mul nsw i64 %add18, %add
  %mul34 = mul nsw i64 %i.0105, %add
  %load_initial = load double, double* %uglygep109, align 8
  br label %for.body4

for.cond.cleanup:                                 ; preds = %for.cond.cleanup3, %entry
  ret void

for.cond.cleanup3:                                ; preds = %for.body4, %for.cond1.preheader
  %inc53 = add nuw i64 %i.0105, 1
  %exitcond107.not = icmp eq i64 %i.0105, %rows
  %indvar.next = add i64 %indvar, 1
  br i1 %exitcond107.not, label %for.cond.cleanup, label %for.cond1.preheader, !llvm.loop !60

for.body4:                                        ; preds = %for.body4.lr.ph, %for.body4
  %store_forwarded = phi double [ %load_initial, %for.body4.lr.ph ], [ %div, %for.body4 ]
  %j.0103 = phi i64 [ 1, %for.body4.lr.ph ], [ %inc, %for.body4 ]
  %add5 = add nsw i64 %j.0103, %mul
  %sub6 = add nsw i64 %add5, -1
  %arrayidx = getelementptr inbounds double, double* %a, i64 %sub6
  %3 = load double, double* %arrayidx, align 8, !tbaa !5
  %arrayidx10 = getelementptr inbounds double, double* %a, i64 %add5
  %4 = load double, double* %arrayidx10, align 8, !tbaa !5
  %add11 = fadd double %3, %4
  %add15 = add nsw i64 %add5, 1
  %arrayidx16 = getelementptr inbounds double, double* %a, i64 %add15
  %5 = load double, double* %arrayidx16, align 8, !tbaa !5
  %add17 = fadd double %add11, %5
  %add20 = add nsw i64 %j.0103, %mul19
  %sub21 = add nsw i64 %add20, -1
  %arrayidx22 = getelementptr inbounds double, double* %a, i64 %sub21
  %6 = load double, double* %arrayidx22, align 8, !tbaa !5
  %arrayidx26 = getelementptr inbounds double, double* %a, i64 %add20
  %7 = load double, double* %arrayidx26, align 8, !tbaa !5
  %add27 = fadd double %6, %7
  %add31 = add nsw i64 %add20, 1
  %arrayidx32 = getelementptr inbounds double, double* %a, i64 %add31
  %8 = load double, double* %arrayidx32, align 8, !tbaa !5
  %add33 = fadd double %add27, %8
  %add35 = add nsw i64 %j.0103, %mul34
  %arrayidx40 = getelementptr inbounds double, double* %a, i64 %add35
  %9 = load double, double* %arrayidx40, align 8, !tbaa !5
  %add41 = fadd double %store_forwarded, %9
  %add44 = add nsw i64 %add35, 1
  %arrayidx45 = getelementptr inbounds double, double* %a, i64 %add44
  %10 = load double, double* %arrayidx45, align 8, !tbaa !5
  %add46 = fadd double %add41, %10
  %add47 = fadd double %add17, %add46
  %add48 = fadd double %add33, %add47
  %div = fdiv double %add48, 9.000000e+00
  store double %div, double* %arrayidx40, align 8, !tbaa !5
  %inc = add nuw i64 %j.0103, 1
  %exitcond.not = icmp eq i64 %j.0103, %n
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4, !llvm.loop !61
}

; Function Attrs: nofree norecurse nosync nounwind uwtable
define dso_local void @fdtd_2d(i64 noundef %n, i64 noundef %rows, double* noalias nocapture noundef %ex, double* noalias nocapture noundef %ey, double* noalias nocapture noundef %hz) local_unnamed_addr #0 {
entry:
  %cmp145 = icmp sgt i64 %rows, 1
  br i1 %cmp145, label %for.cond1.preheader.lr.ph, label %for.cond18.preheader

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %cmp2143 = icmp sgt i64 %n, 0
  br label %for.cond1.preheader

for.cond1.preheader:                              ; preds = %for.cond1.preheader.lr.ph, %for.cond.cleanup3
  %i.0146 = phi i64 [ 1, %for.cond1.preheader.lr.ph ], [ %inc15, %for.cond.cleanup3 ]
  br i1 %cmp2143, label %for.body4.lr.ph, label %for.cond.cleanup3

for.body4.lr.ph:                                  ; preds = %for.cond1.preheader
  %mul = mul nsw i64 %i.0146, %n
  %sub = add nsw i64 %i.0146, -1
  %mul5 = mul nsw i64 %sub, %n
  br label %for.body4

for.cond18.preheader:                             ; preds = %for.cond.cleanup3, %entry
  %cmp19150 = icmp sgt i64 %rows, 0
  br i1 %cmp19150, label %for.cond23.preheader.lr.ph, label %for.cond47.preheader

for.cond23.preheader.lr.ph:                       ; preds = %for.cond18.preheader
  %cmp24148 = icmp sgt i64 %n, 1
  br label %for.cond23.preheader

for.cond.cleanup3:                                ; preds = %for.body4, %for.cond1.preheader
  %inc15 = add nuw nsw i64 %i.0146, 1
  %exitcond159.not = icmp eq i64 %inc15, %rows
  br i1 %exitcond159.not, label %for.cond18.preheader, label %for.cond1.preheader, !llvm.loop !62

for.body4:                                        ; preds = %for.body4.lr.ph, %for.body4
  %j.0144 = phi i64 [ 0, %for.body4.lr.ph ], [ %inc, %for.body4 ]
  %add = add nsw i64 %j.0144, %mul
  %arrayidx = getelementptr inbounds double, double* %hz, i64 %add
  %0 = load double, double* %arrayidx, align 8, !tbaa !5
  %add6 = add nsw i64 %j.0144, %mul5
  %arrayidx7 = getelementptr inbounds double, double* %hz, i64 %add6
  %1 = load double, double* %arrayidx7, align 8, !tbaa !5
  %sub8 = fsub double %0, %1
  %mul9 = fmul double %sub8, 5.000000e-01
  %arrayidx12 = getelementptr inbounds double, double* %ey, i64 %add
  %2 = load double, double* %arrayidx12, align 8, !tbaa !5
  %sub13 = fsub double %2, %mul9
  store double %sub13, double* %arrayidx12, align 8, !tbaa !5
  %inc = add nuw nsw i64 %j.0144, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4, !llvm.loop !63

for.cond23.preheader:                             ; preds = %for.cond23.preheader.lr.ph, %for.cond.cleanup25
  %i17.0151 = phi i64 [ 0, %for.cond23.preheader.lr.ph ], [ %inc44, %for.cond.cleanup25 ]
  br i1 %cmp24148, label %for.body26.lr.ph, label %for.cond.cleanup25

for.body26.lr.ph:                                 ; preds = %for.cond23.preheader
  %mul27 = mul nsw i64 %i17.0151, %n
  br label %for.body26

for.cond47.preheader:                             ; preds = %for.cond.cleanup25, %for.cond18.preheader
  %cmp49156 = icmp sgt i64 %rows, 1
  br i1 %cmp49156, label %for.cond53.preheader.lr.ph, label %for.cond.cleanup50

for.cond53.preheader.lr.ph:                       ; preds = %for.cond47.preheader
  %cmp55153 = icmp sgt i64 %n, 1
  br label %for.cond53.preheader

for.cond.cleanup25:                               ; preds = %for.body26, %for.cond23.preheader
  %inc44 = add nuw nsw i64 %i17.0151, 1
  %exitcond161.not = icmp eq i64 %inc44, %rows
  br i1 %exitcond161.not, label %for.cond47.preheader, label %for.cond23.preheader, !llvm.loop !64

for.body26:                                       ; preds = %for.body26.lr.ph, %for.body26
  %j22.0149 = phi i64 [ 1, %for.body26.lr.ph ], [ %inc41, %for.body26 ]
  %add28 = add nsw i64 %j22.0149, %mul27
  %arrayidx29 = getelementptr inbounds double, double* %hz, i64 %add28
  %3 = load double, double* %arrayidx29, align 8, !tbaa !5
  %sub32 = add nsw i64 %add28, -1
  %arrayidx33 = getelementptr inbounds double, double* %hz, i64 %sub32
  %4 = load double, double* %arrayidx33, align 8, !tbaa !5
  %sub34 = fsub double %3, %4
  %mul35 = fmul double %sub34, 5.000000e-01
  %arrayidx38 = getelementptr inbounds double, double* %ex, i64 %add28
  %5 = load double, double* %arrayidx38, align 8, !tbaa !5
  %sub39 = fsub double %5, %mul35
  store double %sub39, double* %arrayidx38, align 8, !tbaa !5
  %inc41 = add nuw nsw i64 %j22.0149, 1
  %exitcond160.not = icmp eq i64 %inc41, %n
  br i1 %exitcond160.not, label %for.cond.cleanup25, label %for.body26, !llvm.loop !65

for.cond47.loopexit:                              ; preds = %for.body57, %for.cond53.preheader
  %add48 = add nuw nsw i64 %add48158, 1
  %exitcond163.not = icmp eq i64 %add48, %rows
  br i1 %exitcond163.not, label %for.cond.cleanup50, label %for.cond53.preheader, !llvm.loop !66

for.cond53.preheader:                             ; preds = %for.cond53.preheader.lr.ph, %for.cond47.loopexit
  %add48158 = phi i64 [ 1, %for.cond53.preheader.lr.ph ], [ %add48, %for.cond47.loopexit ]
  %i46.0157 = phi i64 [ 0, %for.cond53.preheader.lr.ph ], [ %add48158, %for.cond47.loopexit ]
  br i1 %cmp55153, label %for.body57.lr.ph, label %for.cond47.loopexit

for.body57.lr.ph:                                 ; preds = %for.cond53.preheader
  %mul58 = mul nsw i64 %i46.0157, %n
  %mul67 = mul nsw i64 %add48158, %n
  br label %for.body57

for.cond.cleanup50:                               ; preds = %for.cond47.loopexit, %for.cond47.preheader
  ret void

for.body57:                                       ; preds = %for.body57.lr.ph, %for.body57
  %add54155 = phi i64 [ 1, %for.body57.lr.ph ], [ %add54, %for.body57 ]
  %j52.0154 = phi i64 [ 0, %for.body57.lr.ph ], [ %add54155, %for.body57 ]
  %add59 = add nsw i64 %j52.0154, %mul58
  %add60 = add nsw i64 %add59, 1
  %arrayidx61 = getelementptr inbounds double, double* %ex, i64 %add60
  %6 = load double, double* %arrayidx61, align 8, !tbaa !5
  %arrayidx64 = getelementptr inbounds double, double* %ex, i64 %add59
  %7 = load double, double* %arrayidx64, align 8, !tbaa !5
  %sub65 = fsub double %6, %7
  %add68 = add nsw i64 %j52.0154, %mul67
  %arrayidx69 = getelementptr inbounds double, double* %ey, i64 %add68
  %8 = load double, double* %arrayidx69, align 8, !tbaa !5
  %add70 = fadd double %sub65, %8
  %arrayidx73 = getelementptr inbounds double, double* %ey, i64 %add59
  %9 = load double, double* %arrayidx73, align 8, !tbaa !5
  %sub74 = fsub double %add70, %9
  %mul75 = fmul double %sub74, 0x3FE6666666666666
  %arrayidx78 = getelementptr inbounds double, double* %hz, i64 %add59
  %10 = load double, double* %arrayidx78, align 8, !tbaa !5
  %sub79 = fsub double %10, %mul75
  store double %sub79, double* %arrayidx78, align 8, !tbaa !5
  %add54 = add nuw nsw i64 %add54155, 1
  %exitcond162.not = icmp eq i64 %add54, %n
  br i1 %exitcond162.not, label %for.cond47.loopexit, label %for.body57, !llvm.loop !67
}

; Function Attrs: nofree norecurse nosync nounwind uwtable
define dso_local void @covariance(i64 noundef %n, i64 noundef %columns, double* noalias nocapture noundef %data, double* noalias nocapture noundef writeonly %cov) local_unnamed_addr #0 {
entry:
  %cmp115 = icmp sgt i64 %columns, 0
  br i1 %cmp115, label %for.cond1.preheader.lr.ph, label %for.cond22.preheader

for.cond1.preheader.lr.ph:                        ; preds = %entry
  %cmp2110 = icmp sgt i64 %n, 0
  %conv = sitofp i64 %n to double
  %cmp8113 = icmp sgt i64 %n, 0
  br label %for.cond1.preheader

for.cond1.preheader:                              ; preds = %for.cond1.preheader.lr.ph, %for.cond.cleanup10
  %j.0116 = phi i64 [ 0, %for.cond1.preheader.lr.ph ], [ %inc19, %for.cond.cleanup10 ]
  br i1 %cmp2110, label %for.body4, label %for.cond.cleanup3

for.cond22.preheader:                             ; preds = %for.cond.cleanup10, %entry
  %cmp23126 = icmp sgt i64 %columns, 0
  br i1 %cmp23126, label %for.cond28.preheader.lr.ph, label %for.cond.cleanup25

for.cond28.preheader.lr.ph:                       ; preds = %for.cond22.preheader
  %cmp34119 = icmp sgt i64 %n, 0
  %conv49 = sitofp i64 %n to double
  %sub50 = fadd double %conv49, -1.000000e+00
  br label %for.cond28.preheader

for.cond.cleanup3:                                ; preds = %for.body4, %for.cond1.preheader
  %mean.0.lcssa = phi double [ 0.000000e+00, %for.cond1.preheader ], [ %add5, %for.body4 ]
  %div = fdiv double %mean.0.lcssa, %conv
  br i1 %cmp8113, label %for.body11, label %for.cond.cleanup10

for.body4:                                        ; preds = %for.cond1.preheader, %for.body4
  %i.0112 = phi i64 [ %inc, %for.body4 ], [ 0, %for.cond1.preheader ]
  %mean.0111 = phi double [ %add5, %for.body4 ], [ 0.000000e+00, %for.cond1.preheader ]
  %mul = mul nsw i64 %i.0112, %columns
  %add = add nsw i64 %mul, %j.0116
  %arrayidx = getelementptr inbounds double, double* %data, i64 %add
  %0 = load double, double* %arrayidx, align 8, !tbaa !5
  %add5 = fadd double %mean.0111, %0
  %inc = add nuw nsw i64 %i.0112, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4, !llvm.loop !68

for.cond.cleanup10:                               ; preds = %for.body11, %for.cond.cleanup3
  %inc19 = add nuw nsw i64 %j.0116, 1
  %exitcond130.not = icmp eq i64 %inc19, %columns
  br i1 %exitcond130.not, label %for.cond22.preheader, label %for.cond1.preheader, !llvm.loop !69

for.body11:                                       ; preds = %for.cond.cleanup3, %for.body11
  %i6.0114 = phi i64 [ %inc16, %for.body11 ], [ 0, %for.cond.cleanup3 ]
  %mul12 = mul nsw i64 %i6.0114, %columns
  %add13 = add nsw i64 %mul12, %j.0116
  %arrayidx14 = getelementptr inbounds double, double* %data, i64 %add13
  %1 = load double, double* %arrayidx14, align 8, !tbaa !5
  %sub = fsub double %1, %div
  store double %sub, double* %arrayidx14, align 8, !tbaa !5
  %inc16 = add nuw nsw i64 %i6.0114, 1
  %exitcond129.not = icmp eq i64 %inc16, %n
  br i1 %exitcond129.not, label %for.cond.cleanup10, label %for.body11, !llvm.loop !70

for.cond28.preheader:                             ; preds = %for.cond28.preheader.lr.ph, %for.cond.cleanup31
  %i21.0127 = phi i64 [ 0, %for.cond28.preheader.lr.ph ], [ %inc62, %for.cond.cleanup31 ]
  %mul55 = mul nsw i64 %i21.0127, %columns
  br label %for.cond33.preheader

for.cond.cleanup25:                               ; preds = %for.cond.cleanup31, %for.cond22.preheader
  ret void

for.cond33.preheader:                             ; preds = %for.cond28.preheader, %for.cond.cleanup36
  %j27.0124 = phi i64 [ %i21.0127, %for.cond28.preheader ], [ %inc59, %for.cond.cleanup36 ]
  br i1 %cmp34119, label %for.body37, label %for.cond.cleanup36

for.cond.cleanup31:                               ; preds = %for.cond.cleanup36
  %inc62 = add nuw nsw i64 %i21.0127, 1
  %exitcond132.not = icmp eq i64 %inc62, %columns
  br i1 %exitcond132.not, label %for.cond.cleanup25, label %for.cond28.preheader, !llvm.loop !71

for.cond.cleanup36:                               ; preds = %for.body37, %for.cond33.preheader
  %sum.0.lcssa = phi double [ 0.000000e+00, %for.cond33.preheader ], [ %add45, %for.body37 ]
  %div51 = fdiv double %sum.0.lcssa, %sub50
  %mul52 = mul nsw i64 %j27.0124, %columns
  %add53 = add nsw i64 %mul52, %i21.0127
  %arrayidx54 = getelementptr inbounds double, double* %cov, i64 %add53
  store double %div51, double* %arrayidx54, align 8, !tbaa !5
  %add56 = add nsw i64 %j27.0124, %mul55
  %arrayidx57 = getelementptr inbounds double, double* %cov, i64 %add56
  store double %div51, double* %arrayidx57, align 8, !tbaa !5
  %inc59 = add nuw nsw i64 %j27.0124, 1
  %cmp29 = icmp slt i64 %inc59, %columns
  br i1 %cmp29, label %for.cond33.preheader, label %for.cond.cleanup31, !llvm.loop !72

for.body37:                                       ; preds = %for.cond33.preheader, %for.body37
  %k.0121 = phi i64 [ %inc47, %for.body37 ], [ 0, %for.cond33.preheader ]
  %sum.0120 = phi double [ %add45, %for.body37 ], [ 0.000000e+00, %for.cond33.preheader ]
  %mul38 = mul nsw i64 %k.0121, %columns
  %add39 = add nsw i64 %mul38, %i21.0127
  %arrayidx40 = getelementptr inbounds double, double* %data, i64 %add39
  %2 = load double, double* %arrayidx40, align 8, !tbaa !5
  %add42 = add nsw i64 %mul38, %j27.0124
  %arrayidx43 = getelementptr inbounds double, double* %data, i64 %add42
  %3 = load double, double* %arrayidx43, align 8, !tbaa !5
  %mul44 = fmul double %2, %3
  %add45 = fadd double %sum.0120, %mul44
  %inc47 = add nuw nsw i64 %k.0121, 1
  %exitcond131.not = icmp eq i64 %inc47, %n
  br i1 %exitcond131.not, label %for.cond.cleanup36, label %for.body37, !llvm.loop !73
}

; Function Attrs: nofree norecurse nosync nounwind uwtable
define dso_local void @nussinov(i64 noundef %n, i32* nocapture noundef readonly %bases, i32* nocapture noundef %best) local_unnamed_addr #0 {
entry:
  %cmp121 = icmp sgt i64 %n, 0
  br i1 %cmp121, label %for.cond1.preheader, label %for.cond.cleanup

for.cond.loopexit:                                ; preds = %for.cond.cleanup38, %for.cond1.preheader
  %cmp = icmp sgt i64 %i.0.in122, 1
  br i1 %cmp, label %for.cond1.preheader, label %for.cond.cleanup, !llvm.loop !74

for.cond1.preheader:                              ; preds = %entry, %for.cond.loopexit
  %i.0.in122 = phi i64 [ %i.0123, %for.cond.loopexit ], [ %n, %entry ]
  %i.0123 = add nsw i64 %i.0.in122, -1
  %cmp2118 = icmp slt i64 %i.0.in122, %n
  br i1 %cmp2118, label %for.body4.lr.ph, label %for.cond.loopexit

for.body4.lr.ph:                                  ; preds = %for.cond1.preheader
  %mul = mul nsw i64 %i.0123, %n
  %mul10 = mul nsw i64 %i.0.in122, %n
  %mul21 = mul nsw i64 %i.0.in122, %n
  %add22 = add i64 %mul21, -1
  %arrayidx25 = getelementptr inbounds i32, i32* %bases, i64 %i.0123
  br label %for.body4

for.cond.cleanup:                                 ; preds = %for.cond.loopexit, %entry
  ret void

for.body4:                                        ; preds = %for.body4.lr.ph, %for.cond.cleanup38
  %j.0119 = phi i64 [ %i.0.in122, %for.body4.lr.ph ], [ %inc56, %for.cond.cleanup38 ]
  %add5 = add nsw i64 %j.0119, %mul
  %sub6 = add nsw i64 %add5, -1
  %arrayidx = getelementptr inbounds i32, i32* %best, i64 %sub6
  %0 = load i32, i32* %arrayidx, align 4, !tbaa !52
  %add11 = add nsw i64 %j.0119, %mul10
  %arrayidx12 = getelementptr inbounds i32, i32* %best, i64 %add11
  %1 = load i32, i32* %arrayidx12, align 4, !tbaa !52
  %cmp13 = icmp sgt i32 %1, %0
  %spec.select = select i1 %cmp13, i32 %1, i32 %0
  %cmp19 = icmp slt i64 %i.0.in122, %j.0119
  br i1 %cmp19, label %cond.true, label %cond.end

cond.true:                                        ; preds = %for.body4
  %sub23 = add i64 %add22, %j.0119
  %arrayidx24 = getelementptr inbounds i32, i32* %best, i64 %sub23
  %2 = load i32, i32* %arrayidx24, align 4, !tbaa !52
  br label %cond.end

cond.end:                                         ; preds = %for.body4, %cond.true
  %cond = phi i32 [ %2, %cond.true ], [ 0, %for.body4 ]
  %3 = load i32, i32* %arrayidx25, align 4, !tbaa !52
  %arrayidx26 = getelementptr inbounds i32, i32* %bases, i64 %j.0119
  %4 = load i32, i32* %arrayidx26, align 4, !tbaa !52
  %add27 = add nsw i32 %4, %3
  %cmp28 = icmp eq i32 %add27, 3
  %conv = zext i1 %cmp28 to i32
  %add29 = add nsw i32 %cond, %conv
  %cmp30 = icmp sgt i32 %add29, %spec.select
  %spec.select113 = select i1 %cmp30, i32 %add29, i32 %spec.select
  %cmp36115 = icmp slt i64 %i.0.in122, %j.0119
  br i1 %cmp36115, label %for.body39, label %for.cond.cleanup38

for.cond.cleanup38:                               ; preds = %for.body39, %cond.end
  %most.2.lcssa = phi i32 [ %spec.select113, %cond.end ], [ %spec.select114, %for.body39 ]
  %arrayidx54 = getelementptr inbounds i32, i32* %best, i64 %add5
  store i32 %most.2.lcssa, i32* %arrayidx54, align 4, !tbaa !52
  %inc56 = add nsw i64 %j.0119, 1
  %exitcond124.not = icmp eq i64 %inc56, %n
  br i1 %exitcond124.not, label %for.cond.loopexit, label %for.body4, !llvm.loop !75

for.body39:                                       ; preds = %cond.end, %for.body39
  %k.0117 = phi i64 [ %add43, %for.body39 ], [ %i.0.in122, %cond.end ]
  %most.2116 = phi i32 [ %spec.select114, %for.body39 ], [ %spec.select113, %cond.end ]
  %add41 = add nsw i64 %k.0117, %mul
  %arrayidx42 = getelementptr inbounds i32, i32* %best, i64 %add41
  %5 = load i32, i32* %arrayidx42, align 4, !tbaa !52
  %add43 = add nsw i64 %k.0117, 1
  %mul44 = mul nsw i64 %add43, %n
  %add45 = add nsw i64 %mul44, %j.0119
  %arrayidx46 = getelementptr inbounds i32, i32* %best, i64 %add45
  %6 = load i32, i32* %arrayidx46, align 4, !tbaa !52
  %add47 = add nsw i32 %6, %5
  %cmp48 = icmp sgt i32 %add47, %most.2116
  %spec.select114 = select i1 %cmp48, i32 %add47, i32 %most.2116
  %exitcond.not = icmp eq i64 %add43, %j.0119
  br i1 %exitcond.not, label %for.cond.cleanup38, label %for.body39, !llvm.loop !76
}

; Function Attrs: argmemonly nofree nounwind willreturn
declare void @llvm.memcpy.p0i8.p0i8.i64(i8* noalias nocapture writeonly, i8* noalias nocapture readonly, i64, i1 immarg) #1

attributes #0 = { nofree norecurse nosync nounwind uwtable "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { argmemonly nofree nounwind willreturn }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 7, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 1}
!4 = !{!"Debian clang version 14.0.6"}
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
!16 = distinct !{!16, !10, !11}
!17 = distinct !{!17, !10, !11}
!18 = distinct !{!18, !10, !11}
!19 = distinct !{!19, !10, !11}
!20 = distinct !{!20, !10, !11}
!21 = distinct !{!21, !10, !11}
!22 = distinct !{!22, !10, !11}
!23 = distinct !{!23, !10, !11}
!24 = distinct !{!24, !10, !11}
!25 = distinct !{!25, !10, !11}
!26 = distinct !{!26, !10, !11}
!27 = distinct !{!27, !10, !11}
!28 = distinct !{!28, !10, !11}
!29 = distinct !{!29, !10, !11}
!30 = distinct !{!30, !10, !11}
!31 = distinct !{!31, !10, !11}
!32 = distinct !{!32, !10, !11}
!33 = distinct !{!33, !10, !11}
!34 = distinct !{!34, !10, !11}
!35 = distinct !{!35, !10, !11}
!36 = distinct !{!36, !10, !11}
!37 = distinct !{!37, !10, !11}
!38 = distinct !{!38, !10, !11}
!39 = distinct !{!39, !10, !11}
!40 = distinct !{!40, !10, !11}
!41 = distinct !{!41, !10, !11}
!42 = distinct !{!42, !10, !11}
!43 = distinct !{!43, !10, !11}
!44 = distinct !{!44, !10, !11}
!45 = distinct !{!45, !10, !11}
!46 = distinct !{!46, !10, !11}
!47 = distinct !{!47, !10, !11}
!48 = distinct !{!48, !10, !11}
!49 = distinct !{!49, !10, !11}
!50 = distinct !{!50, !10, !11}
!51 = distinct !{!51, !10, !11}
!52 = !{!53, !53, i64 0}
!53 = !{!"int", !7, i64 0}
!54 = distinct !{!54, !10, !11}
!55 = distinct !{!55, !10, !11}
!56 = distinct !{!56, !10, !11}
!57 = distinct !{!57, !10, !11}
!58 = distinct !{!58, !10, !11}
!59 = distinct !{!59, !10, !11}
!60 = distinct !{!60, !10, !11}
!61 = distinct !{!61, !10, !11}
!62 = distinct !{!62, !10, !11}
!63 = distinct !{!63, !10, !11}
!64 = distinct !{!64, !10, !11}
!65 = distinct !{!65, !10, !11}
!66 = distinct !{!66, !10, !11}
!67 = distinct !{!67, !10, !11}
!68 = distinct !{!68, !10, !11}
!69 = distinct !{!69, !10, !11}
!70 = distinct !{!70, !10, !11}
!71 = distinct !{!71, !10, !11}
!72 = distinct !{!72, !10, !11}
!73 = distinct !{!73, !10, !11}
!74 = distinct !{!74, !10, !11}
!75 = distinct !{!75, !10, !11}
!76 = distinct !{!76, !10, !11}
