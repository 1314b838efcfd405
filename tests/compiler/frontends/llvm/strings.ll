; ModuleID = 'strings.c'
source_filename = "strings.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@words = internal unnamed_addr constant [5 x ptr] [ptr @.str, ptr @.str.1, ptr @.str.2, ptr @.str.3, ptr @.str.4], align 16
@.str = private unnamed_addr constant [6 x i8] c"carry\00", align 1
@.str.1 = private unnamed_addr constant [7 x i8] c"borrow\00", align 1
@.str.2 = private unnamed_addr constant [1 x i8] zeroinitializer, align 1
@.str.3 = private unnamed_addr constant [9 x i8] c"overflow\00", align 1
@.str.4 = private unnamed_addr constant [5 x i8] c"zero\00", align 1

; Function Attrs: nofree norecurse nosync nounwind memory(read, inaccessiblemem: none) uwtable
define dso_local i32 @find(ptr nocapture noundef readonly %text) local_unnamed_addr #0 {
entry:
  %0 = load i8, ptr %text, align 1, !tbaa !5
  %tobool.not12.i = icmp eq i8 %0, 0
  br label %for.body

for.body:                                         ; preds = %entry, %for.inc
  %indvars.iv = phi i64 [ 0, %entry ], [ %indvars.iv.next, %for.inc ]
  %arrayidx = getelementptr inbounds [5 x ptr], ptr @words, i64 0, i64 %indvars.iv
  %1 = load ptr, ptr %arrayidx, align 8, !tbaa !8
  br i1 %tobool.not12.i, label %compare.exit, label %land.rhs.i

land.rhs.i:                                       ; preds = %for.body, %while.body.i
  %2 = phi i8 [ %4, %while.body.i ], [ %0, %for.body ]
  %b.addr.014.i = phi ptr [ %incdec.ptr4.i, %while.body.i ], [ %1, %for.body ]
  %a.addr.013.i = phi ptr [ %incdec.ptr.i, %while.body.i ], [ %text, %for.body ]
  %3 = load i8, ptr %b.addr.014.i, align 1, !tbaa !5
  %cmp.i = icmp eq i8 %2, %3
  br i1 %cmp.i, label %while.body.i, label %compare.exit

while.body.i:                                     ; preds = %land.rhs.i
  %incdec.ptr.i = getelementptr inbounds i8, ptr %a.addr.013.i, i64 1
  %incdec.ptr4.i = getelementptr inbounds i8, ptr %b.addr.014.i, i64 1
  %4 = load i8, ptr %incdec.ptr.i, align 1, !tbaa !5
  %tobool.not.i = icmp eq i8 %4, 0
  br i1 %tobool.not.i, label %compare.exit, label %land.rhs.i, !llvm.loop !10

compare.exit:                                     ; preds = %land.rhs.i, %while.body.i, %for.body
  %b.addr.0.lcssa.i = phi ptr [ %1, %for.body ], [ %b.addr.014.i, %land.rhs.i ], [ %incdec.ptr4.i, %while.body.i ]
  %.lcssa.i = phi i8 [ %0, %for.body ], [ %2, %land.rhs.i ], [ %4, %while.body.i ]
  %5 = load i8, ptr %b.addr.0.lcssa.i, align 1, !tbaa !5
  %tobool.not = icmp eq i8 %.lcssa.i, %5
  br i1 %tobool.not, label %cleanup.split.loop.exit, label %for.inc

for.inc:                                          ; preds = %compare.exit
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond = icmp eq i64 %indvars.iv.next, 5
  br i1 %exitcond, label %cleanup, label %for.body, !llvm.loop !13

cleanup.split.loop.exit:                          ; preds = %compare.exit
  %6 = trunc i64 %indvars.iv to i32
  br label %cleanup

cleanup:                                          ; preds = %for.inc, %cleanup.split.loop.exit
  %spec.select = phi i32 [ %6, %cleanup.split.loop.exit ], [ -1, %for.inc ]
  ret i32 %spec.select
}

; Function Attrs: nofree nosync nounwind memory(write, argmem: readwrite, inaccessiblemem: none) uwtable
define dso_local i64 @format(i64 noundef %value, i32 noundef %base, i64 noundef %indent, ptr noundef %out) local_unnamed_addr #1 {
entry:
  %cond = tail call i64 @llvm.abs.i64(i64 %value, i1 false)
  %conv = zext i32 %base to i64
  br label %do.body

do.body:                                          ; preds = %do.body, %entry
  %p.0 = phi ptr [ %out, %entry ], [ %incdec.ptr, %do.body ]
  %rest.0 = phi i64 [ %cond, %entry ], [ %div, %do.body ]
  %rem = urem i64 %rest.0, %conv
  %conv1 = trunc i64 %rem to i32
  %cmp2 = icmp slt i32 %conv1, 10
  %cond9.v = select i1 %cmp2, i32 48, i32 87
  %cond9 = add nsw i32 %cond9.v, %conv1
  %conv10 = trunc i32 %cond9 to i8
  %incdec.ptr = getelementptr inbounds i8, ptr %p.0, i64 1
  store i8 %conv10, ptr %p.0, align 1, !tbaa !5
  %div = udiv i64 %rest.0, %conv
  %tobool.not = icmp ult i64 %rest.0, %conv
  br i1 %tobool.not, label %do.end, label %do.body, !llvm.loop !14

do.end:                                           ; preds = %do.body
  %cmp = icmp slt i64 %value, 0
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %do.end
  %incdec.ptr14 = getelementptr inbounds i8, ptr %p.0, i64 2
  store i8 45, ptr %incdec.ptr, align 1, !tbaa !5
  br label %if.end

if.end:                                           ; preds = %if.then, %do.end
  %p.1 = phi ptr [ %incdec.ptr14, %if.then ], [ %incdec.ptr, %do.end ]
  store i8 0, ptr %p.1, align 1, !tbaa !5
  %sub.ptr.lhs.cast = ptrtoint ptr %p.1 to i64
  %sub.ptr.rhs.cast = ptrtoint ptr %out to i64
  %sub.ptr.sub = sub i64 %sub.ptr.lhs.cast, %sub.ptr.rhs.cast
  %cmp14.i = icmp sgt i64 %sub.ptr.sub, 1
  br i1 %cmp14.i, label %for.body.preheader.i, label %while.cond.i.preheader

for.body.preheader.i:                             ; preds = %if.end
  %j.013.i = add nsw i64 %sub.ptr.sub, -1
  br label %for.body.i

for.body.i:                                       ; preds = %for.body.i, %for.body.preheader.i
  %j.016.i = phi i64 [ %j.0.i, %for.body.i ], [ %j.013.i, %for.body.preheader.i ]
  %i.015.i = phi i64 [ %inc.i, %for.body.i ], [ 0, %for.body.preheader.i ]
  %arrayidx.i = getelementptr inbounds i8, ptr %out, i64 %i.015.i
  %0 = load i8, ptr %arrayidx.i, align 1, !tbaa !5
  %arrayidx1.i = getelementptr inbounds i8, ptr %out, i64 %j.016.i
  %1 = load i8, ptr %arrayidx1.i, align 1, !tbaa !5
  store i8 %1, ptr %arrayidx.i, align 1, !tbaa !5
  store i8 %0, ptr %arrayidx1.i, align 1, !tbaa !5
  %inc.i = add nuw nsw i64 %i.015.i, 1
  %j.0.i = add nsw i64 %j.016.i, -1
  %cmp.i = icmp slt i64 %inc.i, %j.0.i
  br i1 %cmp.i, label %for.body.i, label %while.cond.i.preheader, !llvm.loop !15

while.cond.i.preheader:                           ; preds = %for.body.i, %if.end
  br label %while.cond.i

while.cond.i:                                     ; preds = %while.cond.i.preheader, %while.cond.i
  %n.0.i = phi i64 [ %inc.i37, %while.cond.i ], [ 0, %while.cond.i.preheader ]
  %arrayidx.i36 = getelementptr inbounds i8, ptr %out, i64 %n.0.i
  %2 = load i8, ptr %arrayidx.i36, align 1, !tbaa !5
  %tobool.not.i = icmp eq i8 %2, 0
  %inc.i37 = add i64 %n.0.i, 1
  br i1 %tobool.not.i, label %length.exit, label %while.cond.i, !llvm.loop !16

length.exit:                                      ; preds = %while.cond.i
  %add.ptr = getelementptr inbounds i8, ptr %out, i64 %indent
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %add.ptr, ptr align 1 %out, i64 %inc.i37, i1 false)
  tail call void @llvm.memset.p0.i64(ptr align 1 %out, i8 32, i64 %indent, i1 false)
  br label %while.cond.i42

while.cond.i42:                                   ; preds = %while.cond.i42, %length.exit
  %n.0.i38 = phi i64 [ 0, %length.exit ], [ %inc.i41, %while.cond.i42 ]
  %arrayidx.i39 = getelementptr inbounds i8, ptr %out, i64 %n.0.i38
  %3 = load i8, ptr %arrayidx.i39, align 1, !tbaa !5
  %tobool.not.i40 = icmp eq i8 %3, 0
  %inc.i41 = add nuw nsw i64 %n.0.i38, 1
  br i1 %tobool.not.i40, label %length.exit43, label %while.cond.i42, !llvm.loop !16

length.exit43:                                    ; preds = %while.cond.i42
  ret i64 %n.0.i38
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memmove.p0.p0.i64(ptr nocapture writeonly, ptr nocapture readonly, i64, i1 immarg) #2

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg) #3

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(argmem: readwrite) uwtable
define dso_local void @shift(ptr nocapture noundef %text, i64 noundef %n, i64 noundef %by) local_unnamed_addr #4 {
entry:
  %add.ptr = getelementptr inbounds i8, ptr %text, i64 %by
  %sub = sub nsw i64 %n, %by
  tail call void @llvm.memmove.p0.p0.i64(ptr align 1 %text, ptr align 1 %add.ptr, i64 %sub, i1 false)
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.abs.i64(i64, i1 immarg) #5

attributes #0 = { nofree norecurse nosync nounwind memory(read, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nofree nosync nounwind memory(write, argmem: readwrite, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #4 = { mustprogress nofree nosync nounwind willreturn memory(argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C/C++ TBAA"}
!8 = !{!9, !9, i64 0}
!9 = !{!"any pointer", !6, i64 0}
!10 = distinct !{!10, !11, !12}
!11 = !{!"llvm.loop.mustprogress"}
!12 = !{!"llvm.loop.unroll.disable"}
!13 = distinct !{!13, !11, !12}
!14 = distinct !{!14, !11, !12}
!15 = distinct !{!15, !11, !12}
!16 = distinct !{!16, !11, !12}
