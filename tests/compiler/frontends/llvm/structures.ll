; ModuleID = 'structures.c'
source_filename = "structures.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.point = type { i16, double, i8 }
%struct.record = type <{ i8, i32, [3 x i16] }>

@corners = dso_local local_unnamed_addr global [3 x %struct.point] [%struct.point { i16 1, double 2.500000e+00, i8 97 }, %struct.point { i16 -2, double -5.000000e-01, i8 98 }, %struct.point { i16 3, double 1.000000e+300, i8 99 }], align 16
@calls = internal unnamed_addr global i64 0, align 8

; Function Attrs: nofree norecurse nosync nounwind memory(read, inaccessiblemem: none) uwtable
define dso_local i32 @walk() local_unnamed_addr #0 {
entry:
  ret i32 180
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(readwrite, argmem: none, inaccessiblemem: none) uwtable
define dso_local double @corner(i32 noundef %i) local_unnamed_addr #2 {
entry:
  %idxprom = sext i32 %i to i64
  %arrayidx = getelementptr inbounds [3 x %struct.point], ptr @corners, i64 0, i64 %idxprom
  %p.sroa.0.0.copyload = load i16, ptr %arrayidx, align 8
  %p.sroa.411.0.arrayidx.sroa_idx = getelementptr inbounds i8, ptr %arrayidx, i64 8
  %p.sroa.411.0.copyload = load double, ptr %p.sroa.411.0.arrayidx.sroa_idx, align 8, !tbaa.struct !5
  %p.sroa.5.0.arrayidx.sroa_idx = getelementptr inbounds i8, ptr %arrayidx, i64 16
  %p.sroa.5.0.copyload = load i8, ptr %p.sroa.5.0.arrayidx.sroa_idx, align 8, !tbaa.struct !11
  %add = add i16 %p.sroa.0.0.copyload, 5
  store i16 %add, ptr %arrayidx, align 8, !tbaa !12
  %conv6 = sitofp i16 %p.sroa.0.0.copyload to double
  %add7 = fadd double %p.sroa.411.0.copyload, %conv6
  %conv9 = sitofp i8 %p.sroa.5.0.copyload to double
  %add10 = fadd double %add7, %conv9
  ret double %add10
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #3

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(readwrite, argmem: none, inaccessiblemem: none) uwtable
define dso_local i64 @swapped(i64 noundef %a, i64 noundef %b) local_unnamed_addr #2 {
entry:
  %rem.i = srem i64 %a, %b
  %div.i = sdiv i64 %a, %b
  %0 = load i64, ptr @calls, align 8, !tbaa !15
  %inc.i = add nsw i64 %0, 1
  %cmp = icmp sgt i64 %a, %b
  br i1 %cmp, label %cond.end, label %cond.false

cond.false:                                       ; preds = %entry
  %rem.i9 = srem i64 %b, %a
  %inc.i10 = add nsw i64 %0, 2
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.false
  %storemerge = phi i64 [ %inc.i10, %cond.false ], [ %inc.i, %entry ]
  %rem.i9.pn = phi i64 [ %rem.i9, %cond.false ], [ %rem.i, %entry ]
  store i64 %storemerge, ptr @calls, align 8, !tbaa !15
  %mul = mul nsw i64 %rem.i9.pn, 1000
  %add = add i64 %mul, %storemerge
  %add2 = add i64 %add, %div.i
  ret i64 %add2
}

; Function Attrs: nofree nosync nounwind memory(argmem: readwrite) uwtable
define dso_local i64 @records(ptr nocapture noundef readonly %bytes, i32 noundef %n) local_unnamed_addr #4 {
entry:
  %r = alloca %struct.record, align 1
  %cmp9 = icmp sgt i32 %n, 0
  br i1 %cmp9, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %size = getelementptr inbounds %struct.record, ptr %r, i64 0, i32 1
  %wide.trip.count = zext i32 %n to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  %sum.0.lcssa = phi i64 [ 0, %entry ], [ %add, %for.body ]
  ret i64 %sum.0.lcssa

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.body ]
  %sum.010 = phi i64 [ 0, %for.body.lr.ph ], [ %add, %for.body ]
  call void @llvm.lifetime.start.p0(i64 11, ptr nonnull %r) #6
  %mul = mul nuw nsw i64 %indvars.iv, 11
  %add.ptr = getelementptr inbounds i8, ptr %bytes, i64 %mul
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(11) %r, ptr noundef nonnull align 1 dereferenceable(11) %add.ptr, i64 11, i1 false)
  %0 = load i8, ptr %r, align 1, !tbaa !17
  %conv1 = zext i8 %0 to i64
  %1 = load i32, ptr %size, align 1, !tbaa !20
  %conv2 = zext i32 %1 to i64
  %2 = trunc i64 %indvars.iv to i32
  %rem = urem i32 %2, 3
  %idxprom = zext i32 %rem to i64
  %arrayidx = getelementptr inbounds %struct.record, ptr %r, i64 0, i32 2, i64 %idxprom
  %3 = load i16, ptr %arrayidx, align 1, !tbaa !21
  %conv3 = sext i16 %3 to i64
  %mul4 = mul nsw i64 %conv3, %conv2
  %xor = xor i64 %mul4, %conv1
  %add = add nsw i64 %xor, %sum.010
  call void @llvm.lifetime.end.p0(i64 11, ptr nonnull %r) #6
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body, !llvm.loop !22
}

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: write) uwtable
define dso_local void @fill(ptr nocapture noundef writeonly %to, i32 noundef %n) local_unnamed_addr #5 {
entry:
  %cmp29 = icmp sgt i32 %n, 0
  br i1 %cmp29, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:                               ; preds = %entry
  %wide.trip.count = zext i32 %n to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.cond.cleanup6, %entry
  ret void

for.body:                                         ; preds = %for.body.preheader, %for.cond.cleanup6
  %indvars.iv33 = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next34, %for.cond.cleanup6 ]
  %conv = trunc i64 %indvars.iv33 to i8
  %arrayidx = getelementptr inbounds %struct.record, ptr %to, i64 %indvars.iv33
  store i8 %conv, ptr %arrayidx, align 1, !tbaa !17
  %0 = trunc i64 %indvars.iv33 to i32
  %mul = mul i32 %0, 16909060
  %size = getelementptr inbounds %struct.record, ptr %to, i64 %indvars.iv33, i32 1
  store i32 %mul, ptr %size, align 1, !tbaa !20
  br label %for.body7

for.cond.cleanup6:                                ; preds = %for.body7
  %indvars.iv.next34 = add nuw nsw i64 %indvars.iv33, 1
  %exitcond36.not = icmp eq i64 %indvars.iv.next34, %wide.trip.count
  br i1 %exitcond36.not, label %for.cond.cleanup, label %for.body, !llvm.loop !25

for.body7:                                        ; preds = %for.body, %for.body7
  %indvars.iv = phi i64 [ 0, %for.body ], [ %indvars.iv.next, %for.body7 ]
  %1 = sub nsw i64 %indvars.iv33, %indvars.iv
  %conv8 = trunc i64 %1 to i16
  %arrayidx12 = getelementptr inbounds %struct.record, ptr %to, i64 %indvars.iv33, i32 2, i64 %indvars.iv
  store i16 %conv8, ptr %arrayidx12, align 1, !tbaa !21
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, 3
  br i1 %exitcond.not, label %for.cond.cleanup6, label %for.body7, !llvm.loop !26
}

attributes #0 = { nofree norecurse nosync nounwind memory(read, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nofree norecurse nosync nounwind willreturn memory(readwrite, argmem: none, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { nofree nosync nounwind memory(argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nofree norecurse nosync nounwind memory(argmem: write) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!5 = !{i64 0, i64 8, !6, i64 8, i64 1, !10}
!6 = !{!7, !7, i64 0}
!7 = !{!"double", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C/C++ TBAA"}
!10 = !{!8, !8, i64 0}
!11 = !{i64 0, i64 1, !10}
!12 = !{!13, !14, i64 0}
!13 = !{!"point", !14, i64 0, !7, i64 8, !8, i64 16}
!14 = !{!"short", !8, i64 0}
!15 = !{!16, !16, i64 0}
!16 = !{!"long", !8, i64 0}
!17 = !{!18, !8, i64 0}
!18 = !{!"record", !8, i64 0, !19, i64 1, !8, i64 5}
!19 = !{!"int", !8, i64 0}
!20 = !{!18, !19, i64 1}
!21 = !{!14, !14, i64 0}
!22 = distinct !{!22, !23, !24}
!23 = !{!"llvm.loop.mustprogress"}
!24 = !{!"llvm.loop.unroll.disable"}
!25 = distinct !{!25, !23, !24}
!26 = distinct !{!26, !23, !24}
