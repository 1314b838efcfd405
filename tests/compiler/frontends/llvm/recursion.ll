; ModuleID = 'recursion.c'
source_filename = "recursion.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.tree = type { i32, ptr, ptr }

@root = internal unnamed_addr global ptr @e, align 8
@e = internal global %struct.tree { i32 5, ptr @c, ptr @d }, align 8
@c = internal global %struct.tree { i32 3, ptr @a, ptr @b }, align 8
@d = internal global %struct.tree { i32 4, ptr null, ptr null }, align 8
@a = internal global %struct.tree { i32 1, ptr null, ptr null }, align 8
@b = internal global %struct.tree { i32 2, ptr null, ptr null }, align 8

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define dso_local i64 @factorial(i64 noundef %n) local_unnamed_addr #0 {
entry:
  br label %tailrecurse

tailrecurse:                                      ; preds = %cond.false, %entry
  %accumulator.tr = phi i64 [ 1, %entry ], [ %mul, %cond.false ]
  %n.tr = phi i64 [ %n, %entry ], [ %sub, %cond.false ]
  %cmp = icmp slt i64 %n.tr, 2
  br i1 %cmp, label %cond.end, label %cond.false

cond.false:                                       ; preds = %tailrecurse
  %sub = add nsw i64 %n.tr, -1
  %mul = mul nsw i64 %accumulator.tr, %n.tr
  br label %tailrecurse

cond.end:                                         ; preds = %tailrecurse
  %accumulator.ret.tr = mul nsw i64 %accumulator.tr, 1
  ret i64 %accumulator.ret.tr
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define dso_local i32 @gcd(i32 noundef %a, i32 noundef %b) local_unnamed_addr #0 {
entry:
  br label %tailrecurse

tailrecurse:                                      ; preds = %cond.true, %entry
  %a.tr = phi i32 [ %a, %entry ], [ %b.tr, %cond.true ]
  %b.tr = phi i32 [ %b, %entry ], [ %rem, %cond.true ]
  %tobool.not = icmp eq i32 %b.tr, 0
  br i1 %tobool.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %tailrecurse
  %rem = srem i32 %a.tr, %b.tr
  br label %tailrecurse

cond.end:                                         ; preds = %tailrecurse
  ret i32 %a.tr
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define dso_local i32 @fibonacci(i32 noundef %n) local_unnamed_addr #0 {
entry:
  br label %tailrecurse

tailrecurse:                                      ; preds = %cond.false, %entry
  %accumulator.tr = phi i32 [ 0, %entry ], [ %add, %cond.false ]
  %n.tr = phi i32 [ %n, %entry ], [ %sub1, %cond.false ]
  %cmp = icmp slt i32 %n.tr, 2
  br i1 %cmp, label %cond.end, label %cond.false

cond.false:                                       ; preds = %tailrecurse
  %sub = add nsw i32 %n.tr, -1
  %call = tail call i32 @fibonacci(i32 noundef %sub)
  %sub1 = add nsw i32 %n.tr, -2
  %add = add nsw i32 %accumulator.tr, %call
  br label %tailrecurse

cond.end:                                         ; preds = %tailrecurse
  %accumulator.ret.tr = add nsw i32 %accumulator.tr, %n.tr
  ret i32 %accumulator.ret.tr
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define dso_local double @ackermann(i32 noundef %m, double noundef %n) local_unnamed_addr #0 {
entry:
  br label %tailrecurse

tailrecurse:                                      ; preds = %cond.false, %cond.false3, %entry
  %m.tr = phi i32 [ %m, %entry ], [ %sub, %cond.false3 ], [ %sub, %cond.false ]
  %n.tr = phi double [ %n, %entry ], [ %call6, %cond.false3 ], [ 1.000000e+00, %cond.false ]
  %cmp = icmp eq i32 %m.tr, 0
  br i1 %cmp, label %cond.true, label %cond.false

cond.true:                                        ; preds = %tailrecurse
  %add = fadd double %n.tr, 1.000000e+00
  ret double %add

cond.false:                                       ; preds = %tailrecurse
  %cmp1 = fcmp oeq double %n.tr, 0.000000e+00
  %sub = add nsw i32 %m.tr, -1
  br i1 %cmp1, label %tailrecurse, label %cond.false3

cond.false3:                                      ; preds = %cond.false
  %sub5 = fadd double %n.tr, -1.000000e+00
  %call6 = tail call double @ackermann(i32 noundef %m.tr, double noundef %sub5)
  br label %tailrecurse
}

; Function Attrs: nofree nosync nounwind memory(argmem: readwrite) uwtable
define dso_local void @sorted(ptr noundef %x, i64 noundef %n) local_unnamed_addr #1 {
entry:
  %sub = add nsw i64 %n, -1
  tail call fastcc void @sort(ptr noundef %x, i64 noundef 0, i64 noundef %sub)
  ret void
}

; Function Attrs: nofree nosync nounwind memory(argmem: readwrite) uwtable
define internal fastcc void @sort(ptr noundef %x, i64 noundef %low, i64 noundef %high) unnamed_addr #1 {
entry:
  br label %tailrecurse

tailrecurse:                                      ; preds = %while.end20, %entry
  %low.tr = phi i64 [ %low, %entry ], [ %i.2, %while.end20 ]
  %cmp.not = icmp slt i64 %low.tr, %high
  br i1 %cmp.not, label %if.end, label %return

if.end:                                           ; preds = %tailrecurse
  %add = add nsw i64 %high, %low.tr
  %div = sdiv i64 %add, 2
  %arrayidx = getelementptr inbounds i32, ptr %x, i64 %div
  %0 = load i32, ptr %arrayidx, align 4, !tbaa !5
  br label %while.cond2.preheader

while.cond2.preheader:                            ; preds = %if.end, %if.end19
  %i.053 = phi i64 [ %low.tr, %if.end ], [ %i.2, %if.end19 ]
  %j.052 = phi i64 [ %high, %if.end ], [ %j.2, %if.end19 ]
  br label %while.cond2

while.cond2:                                      ; preds = %while.cond2, %while.cond2.preheader
  %i.1 = phi i64 [ %inc, %while.cond2 ], [ %i.053, %while.cond2.preheader ]
  %arrayidx3 = getelementptr inbounds i32, ptr %x, i64 %i.1
  %1 = load i32, ptr %arrayidx3, align 4, !tbaa !5
  %cmp4 = icmp slt i32 %1, %0
  %inc = add nsw i64 %i.1, 1
  br i1 %cmp4, label %while.cond2, label %while.cond6, !llvm.loop !9

while.cond6:                                      ; preds = %while.cond2, %while.cond6
  %j.1 = phi i64 [ %dec, %while.cond6 ], [ %j.052, %while.cond2 ]
  %arrayidx7 = getelementptr inbounds i32, ptr %x, i64 %j.1
  %2 = load i32, ptr %arrayidx7, align 4, !tbaa !5
  %cmp8 = icmp sgt i32 %2, %0
  %dec = add nsw i64 %j.1, -1
  br i1 %cmp8, label %while.cond6, label %while.end10, !llvm.loop !12

while.end10:                                      ; preds = %while.cond6
  %cmp11.not = icmp sgt i64 %i.1, %j.1
  br i1 %cmp11.not, label %if.end19, label %if.then12

if.then12:                                        ; preds = %while.end10
  %arrayidx3.le = getelementptr inbounds i32, ptr %x, i64 %i.1
  %arrayidx7.le = getelementptr inbounds i32, ptr %x, i64 %j.1
  %inc15 = add nsw i64 %i.1, 1
  store i32 %2, ptr %arrayidx3.le, align 4, !tbaa !5
  %dec17 = add nsw i64 %j.1, -1
  store i32 %1, ptr %arrayidx7.le, align 4, !tbaa !5
  br label %if.end19

if.end19:                                         ; preds = %if.then12, %while.end10
  %j.2 = phi i64 [ %dec17, %if.then12 ], [ %j.1, %while.end10 ]
  %i.2 = phi i64 [ %inc15, %if.then12 ], [ %i.1, %while.end10 ]
  %cmp1.not = icmp sgt i64 %i.2, %j.2
  br i1 %cmp1.not, label %while.end20, label %while.cond2.preheader, !llvm.loop !13

while.end20:                                      ; preds = %if.end19
  tail call fastcc void @sort(ptr noundef %x, i64 noundef %low.tr, i64 noundef %j.2)
  br label %tailrecurse

return:                                           ; preds = %tailrecurse
  ret void
}

; Function Attrs: nofree nosync nounwind memory(readwrite, argmem: read, inaccessiblemem: none) uwtable
define dso_local i32 @sum(i32 noundef %depth) local_unnamed_addr #2 {
entry:
  %0 = load ptr, ptr @root, align 8, !tbaa !14
  %tobool = icmp eq ptr %0, null
  %cmp = icmp sgt i32 %depth, 9
  %or.cond = or i1 %cmp, %tobool
  br i1 %or.cond, label %common.ret, label %if.end

common.ret:                                       ; preds = %entry, %if.end
  %common.ret.op = phi i32 [ %add6, %if.end ], [ 0, %entry ]
  ret i32 %common.ret.op

if.end:                                           ; preds = %entry
  %1 = load i32, ptr %0, align 8, !tbaa !16
  %add = add nsw i32 %depth, 1
  %mul = mul nsw i32 %1, %add
  %left = getelementptr inbounds %struct.tree, ptr %0, i64 0, i32 1
  %2 = load ptr, ptr %left, align 8, !tbaa !18
  store ptr %2, ptr @root, align 8, !tbaa !14
  %call = tail call i32 @sum(i32 noundef %add)
  %add2 = add nsw i32 %call, %mul
  %right = getelementptr inbounds %struct.tree, ptr %0, i64 0, i32 2
  %3 = load ptr, ptr %right, align 8, !tbaa !19
  store ptr %3, ptr @root, align 8, !tbaa !14
  %call4 = tail call i32 @sum(i32 noundef %add)
  %mul5 = shl nsw i32 %call4, 1
  %add6 = add nsw i32 %add2, %mul5
  store ptr %0, ptr @root, align 8, !tbaa !14
  br label %common.ret
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #3

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define dso_local i32 @odd(i32 noundef %n) local_unnamed_addr #0 {
entry:
  br label %tailrecurse

tailrecurse:                                      ; preds = %cond.false.i, %entry
  %n.tr = phi i32 [ %n, %entry ], [ %sub.i, %cond.false.i ]
  switch i32 %n.tr, label %cond.false.i [
    i32 0, label %cond.end
    i32 1, label %cond.end.fold.split
  ]

cond.false.i:                                     ; preds = %tailrecurse
  %sub.i = add i32 %n.tr, -2
  br label %tailrecurse

cond.end.fold.split:                              ; preds = %tailrecurse
  br label %cond.end

cond.end:                                         ; preds = %tailrecurse, %cond.end.fold.split
  %cond = phi i32 [ %n.tr, %tailrecurse ], [ 1, %cond.end.fold.split ]
  ret i32 %cond
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define dso_local i32 @even(i32 noundef %n) local_unnamed_addr #0 {
entry:
  %cmp = icmp eq i32 %n, 0
  br i1 %cmp, label %cond.end, label %cond.false

cond.false:                                       ; preds = %entry
  %sub = add i32 %n, -1
  %call = tail call i32 @odd(i32 noundef %sub)
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.false
  %cond = phi i32 [ %call, %cond.false ], [ 1, %entry ]
  ret i32 %cond
}

; Function Attrs: nofree nosync nounwind memory(argmem: readwrite) uwtable
define dso_local i32 @deep(i32 noundef %n, ptr nocapture noundef %out) local_unnamed_addr #1 {
entry:
  %held = alloca [4 x i32], align 16
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %held) #4
  store i32 %n, ptr %held, align 16, !tbaa !5
  %arrayinit.element = getelementptr inbounds i32, ptr %held, i64 1
  %add = add nsw i32 %n, 1
  store i32 %add, ptr %arrayinit.element, align 4, !tbaa !5
  %arrayinit.element1 = getelementptr inbounds i32, ptr %held, i64 2
  %add2 = add nsw i32 %n, 2
  store i32 %add2, ptr %arrayinit.element1, align 8, !tbaa !5
  %arrayinit.element3 = getelementptr inbounds i32, ptr %held, i64 3
  %add4 = add nsw i32 %n, 3
  store i32 %add4, ptr %arrayinit.element3, align 4, !tbaa !5
  %cmp = icmp sgt i32 %n, 0
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %sub = add nsw i32 %n, -1
  %call = call i32 @deep(i32 noundef %sub, ptr noundef nonnull %held)
  %sub5 = add nsw i32 %n, -2
  %call6 = tail call i32 @deep(i32 noundef %sub5, ptr noundef %out)
  %add7 = add nsw i32 %call6, %call
  %idxprom = zext i32 %n to i64
  %arrayidx = getelementptr inbounds i32, ptr %out, i64 %idxprom
  store i32 %add7, ptr %arrayidx, align 4, !tbaa !5
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  %and = and i32 %n, 3
  %idxprom8 = zext i32 %and to i64
  %arrayidx9 = getelementptr inbounds [4 x i32], ptr %held, i64 0, i64 %idxprom8
  %0 = load i32, ptr %arrayidx9, align 4, !tbaa !5
  %1 = load i32, ptr %out, align 4, !tbaa !5
  %add11 = add nsw i32 %1, %0
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %held) #4
  ret i32 %add11
}

attributes #0 = { nofree nosync nounwind memory(none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nofree nosync nounwind memory(argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nofree nosync nounwind memory(readwrite, argmem: read, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"int", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = distinct !{!9, !10, !11}
!10 = !{!"llvm.loop.mustprogress"}
!11 = !{!"llvm.loop.unroll.disable"}
!12 = distinct !{!12, !10, !11}
!13 = distinct !{!13, !10, !11}
!14 = !{!15, !15, i64 0}
!15 = !{!"any pointer", !7, i64 0}
!16 = !{!17, !6, i64 0}
!17 = !{!"tree", !6, i64 0, !15, i64 8, !15, i64 16}
!18 = !{!17, !15, i64 8}
!19 = !{!17, !15, i64 16}
