; ModuleID = 'tests/compiler/frontends/llvm/library.c'
source_filename = "tests/compiler/frontends/llvm/library.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.node = type { ptr, i64 }
%struct.__va_list_tag = type { i32, i32, ptr, ptr }
%struct.box = type { %struct.point, %struct.point, i64 }
%struct.point = type { float, float }

@.str = private unnamed_addr constant [37 x i8] c"%d|%5d|%-6x|%#o|%ld|%+.3f|%g|%e|%c%%\00", align 1
@.str.1 = private unnamed_addr constant [10 x i8] c"%s:%08.3f\00", align 1
@.str.2 = private unnamed_addr constant [5 x i8] c"text\00", align 1
@.str.3 = private unnamed_addr constant [22 x i8] c"%.0f %.10g %5.2s| %*d\00", align 1
@.str.4 = private unnamed_addr constant [4 x i8] c"abc\00", align 1
@.str.5 = private unnamed_addr constant [4 x i8] c"fox\00", align 1
@operations = internal unnamed_addr constant [4 x ptr] [ptr @plus, ptr @times, ptr @minus, ptr @again], align 16

; Function Attrs: nofree nounwind uwtable
define dso_local i32 @sorted(ptr noundef %x, i32 noundef %n, i32 noundef %digits) local_unnamed_addr #0 {
entry:
  %conv = sext i32 %n to i64
  %tobool.not = icmp eq i32 %digits, 0
  %cond = select i1 %tobool.not, ptr @descending, ptr @by_digit
  tail call void @qsort(ptr noundef %x, i64 noundef %conv, i64 noundef 4, ptr noundef nonnull %cond) #24
  %0 = load i32, ptr %x, align 4, !tbaa !5
  br label %while.body.i

while.body.i:                                     ; preds = %if.end6.i, %entry
  %__l.020.i = phi i64 [ %__l.1.i, %if.end6.i ], [ 0, %entry ]
  %__u.019.i = phi i64 [ %__u.1.i, %if.end6.i ], [ 1, %entry ]
  %add.i = add i64 %__u.019.i, %__l.020.i
  %div17.i = lshr i64 %add.i, 1
  %mul.i = shl i64 %div17.i, 2
  %add.ptr.i = getelementptr inbounds i8, ptr %x, i64 %mul.i
  %1 = load i32, ptr %add.ptr.i, align 4, !tbaa !5
  %cmp1.i = icmp slt i32 %1, %0
  br i1 %cmp1.i, label %if.end6.i, label %if.else.i

if.else.i:                                        ; preds = %while.body.i
  %cmp2.not.i = icmp eq i32 %1, %0
  br i1 %cmp2.not.i, label %bsearch.exit.split.loop.exit, label %if.then3.i

if.then3.i:                                       ; preds = %if.else.i
  %add4.i = add nuw i64 %div17.i, 1
  br label %if.end6.i

if.end6.i:                                        ; preds = %if.then3.i, %while.body.i
  %__u.1.i = phi i64 [ %__u.019.i, %if.then3.i ], [ %div17.i, %while.body.i ]
  %__l.1.i = phi i64 [ %add4.i, %if.then3.i ], [ %__l.020.i, %while.body.i ]
  %cmp.i = icmp ult i64 %__l.1.i, %__u.1.i
  br i1 %cmp.i, label %while.body.i, label %bsearch.exit, !llvm.loop !9

bsearch.exit.split.loop.exit:                     ; preds = %if.else.i
  %add.ptr.i.le = getelementptr inbounds i8, ptr %x, i64 %mul.i
  br label %bsearch.exit

bsearch.exit:                                     ; preds = %if.end6.i, %bsearch.exit.split.loop.exit
  %retval.0.i = phi ptr [ %add.ptr.i.le, %bsearch.exit.split.loop.exit ], [ null, %if.end6.i ]
  %cmp = icmp eq ptr %retval.0.i, %x
  %cond2 = select i1 %cmp, i32 %0, i32 -1
  ret i32 %cond2
}

; Function Attrs: nofree
declare void @qsort(ptr noundef, i64 noundef, i64 noundef, ptr nocapture noundef) local_unnamed_addr #1

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read) uwtable
define internal i32 @by_digit(ptr nocapture noundef readonly %a, ptr nocapture noundef readonly %b) #2 {
entry:
  %0 = load i32, ptr %a, align 4, !tbaa !5
  %rem = srem i32 %0, 10
  %1 = load i32, ptr %b, align 4, !tbaa !5
  %rem1 = srem i32 %1, 10
  %sub = sub nsw i32 %rem, %rem1
  ret i32 %sub
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read) uwtable
define internal i32 @descending(ptr nocapture noundef readonly %a, ptr nocapture noundef readonly %b) #2 {
entry:
  %0 = load i32, ptr %b, align 4, !tbaa !5
  %1 = load i32, ptr %a, align 4, !tbaa !5
  %sub = sub nsw i32 %0, %1
  ret i32 %sub
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #3

; Function Attrs: nofree nounwind uwtable
define dso_local i32 @formatted(ptr nocapture noundef writeonly %out, i32 noundef %a, i64 noundef %b, double noundef %c) local_unnamed_addr #0 {
entry:
  %sub = sub nsw i32 0, %a
  %call = tail call i32 (ptr, ptr, ...) @sprintf(ptr noundef nonnull dereferenceable(1) %out, ptr noundef nonnull dereferenceable(1) @.str, i32 noundef %a, i32 noundef %sub, i32 noundef %a, i32 noundef %a, i64 noundef %b, double noundef %c, double noundef %c, double noundef %c, i32 noundef 122) #24
  %add.ptr = getelementptr inbounds i8, ptr %out, i64 100
  %call1 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull dereferenceable(1) %add.ptr, i64 noundef 9, ptr noundef nonnull @.str.1, ptr noundef nonnull @.str.2, double noundef %c) #24
  %add = add nsw i32 %call1, %call
  %add.ptr2 = getelementptr inbounds i8, ptr %out, i64 120
  %div = fdiv double %c, 3.000000e+00
  %call3 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull dereferenceable(1) %add.ptr2, i64 noundef 40, ptr noundef nonnull @.str.3, double noundef %c, double noundef %div, ptr noundef nonnull @.str.4, i32 noundef 6, i32 noundef %a) #24
  %add4 = add nsw i32 %add, %call3
  ret i32 %add4
}

; Function Attrs: nofree nounwind
declare noundef i32 @sprintf(ptr noalias nocapture noundef writeonly, ptr nocapture noundef readonly, ...) local_unnamed_addr #4

; Function Attrs: nofree nounwind
declare noundef i32 @snprintf(ptr noalias nocapture noundef writeonly, i64 noundef, ptr nocapture noundef readonly, ...) local_unnamed_addr #4

; Function Attrs: nofree nounwind memory(readwrite, inaccessiblemem: none) uwtable
define dso_local i32 @words(ptr noundef %text, ptr noundef %out) local_unnamed_addr #5 {
entry:
  %0 = load i8, ptr %text, align 1, !tbaa !12
  %tobool.not77 = icmp eq i8 %0, 0
  br i1 %tobool.not77, label %for.cond.cleanup, label %for.body.lr.ph

for.body.lr.ph:                                   ; preds = %entry
  %call = tail call ptr @__ctype_b_loc() #25
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.inc, %entry
  %at.0.lcssa = phi ptr [ %out, %entry ], [ %at.1, %for.inc ]
  %count.0.lcssa = phi i32 [ 0, %entry ], [ %count.1, %for.inc ]
  store i8 0, ptr %at.0.lcssa, align 1, !tbaa !12
  %call26 = tail call i64 @strlen(ptr noundef nonnull dereferenceable(1) %out) #26
  %call28 = tail call i32 @strcmp(ptr noundef nonnull dereferenceable(1) %text, ptr noundef nonnull dereferenceable(1) %out) #26
  %call32 = tail call ptr @strchr(ptr noundef nonnull dereferenceable(1) %out, i32 noundef 81) #26
  %tobool33.not = icmp eq ptr %call32, null
  %sub.ptr.lhs.cast35 = ptrtoint ptr %call32 to i64
  %sub.ptr.rhs.cast36 = ptrtoint ptr %out to i64
  %sub.ptr.sub37 = sub i64 %sub.ptr.lhs.cast35, %sub.ptr.rhs.cast36
  %conv38 = trunc i64 %sub.ptr.sub37 to i32
  %cond = select i1 %tobool33.not, i32 -1, i32 %conv38
  %mul = mul nsw i32 %count.0.lcssa, 1000
  %conv27 = trunc i64 %call26 to i32
  %add = add nsw i32 %mul, %conv27
  %cmp = icmp sgt i32 %call28, 0
  %mul30 = select i1 %cmp, i32 10, i32 0
  %add31 = add nsw i32 %add, %mul30
  %call40 = tail call ptr @memchr(ptr noundef nonnull dereferenceable(1) %out, i32 noundef 46, i64 noundef 3) #26
  %cmp41.not = icmp eq ptr %call40, null
  %mul43 = select i1 %cmp41.not, i32 0, i32 100
  %call45 = tail call ptr @strstr(ptr noundef nonnull dereferenceable(1) %text, ptr noundef nonnull dereferenceable(1) @.str.5) #26
  %cmp46 = icmp ne ptr %call45, null
  %conv47 = zext i1 %cmp46 to i32
  %add39 = add i32 %add31, %mul43
  %add44 = add i32 %add39, %cond
  %add48 = add i32 %add44, %conv47
  ret i32 %add48

for.body:                                         ; preds = %for.body.lr.ph, %for.inc
  %1 = phi i8 [ %0, %for.body.lr.ph ], [ %13, %for.inc ]
  %count.080 = phi i32 [ 0, %for.body.lr.ph ], [ %count.1, %for.inc ]
  %at.079 = phi ptr [ %out, %for.body.lr.ph ], [ %at.1, %for.inc ]
  %s.078 = phi ptr [ %text, %for.body.lr.ph ], [ %incdec.ptr25, %for.inc ]
  %2 = load ptr, ptr %call, align 8, !tbaa !13
  %idxprom = zext i8 %1 to i64
  %arrayidx = getelementptr inbounds i16, ptr %2, i64 %idxprom
  %3 = load i16, ptr %arrayidx, align 2, !tbaa !15
  %4 = and i16 %3, 8192
  %tobool2.not = icmp eq i16 %4, 0
  br i1 %tobool2.not, label %while.cond.preheader, label %for.inc

while.cond.preheader:                             ; preds = %for.body
  %5 = load i8, ptr %s.078, align 1, !tbaa !12
  %tobool4.not74 = icmp eq i8 %5, 0
  br i1 %tobool4.not74, label %while.end, label %land.rhs

land.rhs:                                         ; preds = %while.cond.preheader, %while.body
  %6 = phi i8 [ %9, %while.body ], [ %5, %while.cond.preheader ]
  %end.075 = phi ptr [ %incdec.ptr, %while.body ], [ %s.078, %while.cond.preheader ]
  %idxprom7 = zext i8 %6 to i64
  %arrayidx8 = getelementptr inbounds i16, ptr %2, i64 %idxprom7
  %7 = load i16, ptr %arrayidx8, align 2, !tbaa !15
  %8 = and i16 %7, 8192
  %tobool11.not = icmp eq i16 %8, 0
  br i1 %tobool11.not, label %while.body, label %while.end

while.body:                                       ; preds = %land.rhs
  %incdec.ptr = getelementptr inbounds i8, ptr %end.075, i64 1
  %9 = load i8, ptr %incdec.ptr, align 1, !tbaa !12
  %tobool4.not = icmp eq i8 %9, 0
  br i1 %tobool4.not, label %while.end, label %land.rhs, !llvm.loop !17

while.end:                                        ; preds = %land.rhs, %while.body, %while.cond.preheader
  %end.0.lcssa = phi ptr [ %s.078, %while.cond.preheader ], [ %end.075, %land.rhs ], [ %incdec.ptr, %while.body ]
  %sub.ptr.lhs.cast = ptrtoint ptr %end.0.lcssa to i64
  %sub.ptr.rhs.cast = ptrtoint ptr %s.078 to i64
  %sub.ptr.sub = sub i64 %sub.ptr.lhs.cast, %sub.ptr.rhs.cast
  %call12 = tail call ptr @strncpy(ptr noundef %at.079, ptr noundef nonnull %s.078, i64 noundef %sub.ptr.sub) #24
  %call13 = tail call ptr @__ctype_toupper_loc() #25
  %10 = load ptr, ptr %call13, align 8, !tbaa !13
  %11 = load i8, ptr %at.079, align 1, !tbaa !12
  %idxprom16 = zext i8 %11 to i64
  %arrayidx17 = getelementptr inbounds i32, ptr %10, i64 %idxprom16
  %12 = load i32, ptr %arrayidx17, align 4, !tbaa !5
  %conv18 = trunc i32 %12 to i8
  store i8 %conv18, ptr %at.079, align 1, !tbaa !12
  %add.ptr = getelementptr inbounds i8, ptr %at.079, i64 %sub.ptr.sub
  %incdec.ptr23 = getelementptr inbounds i8, ptr %add.ptr, i64 1
  store i8 46, ptr %add.ptr, align 1, !tbaa !12
  %add.ptr24 = getelementptr inbounds i8, ptr %end.0.lcssa, i64 -1
  %inc = add nsw i32 %count.080, 1
  br label %for.inc

for.inc:                                          ; preds = %for.body, %while.end
  %s.1 = phi ptr [ %s.078, %for.body ], [ %add.ptr24, %while.end ]
  %at.1 = phi ptr [ %at.079, %for.body ], [ %incdec.ptr23, %while.end ]
  %count.1 = phi i32 [ %count.080, %for.body ], [ %inc, %while.end ]
  %incdec.ptr25 = getelementptr inbounds i8, ptr %s.1, i64 1
  %13 = load i8, ptr %incdec.ptr25, align 1, !tbaa !12
  %tobool.not = icmp eq i8 %13, 0
  br i1 %tobool.not, label %for.cond.cleanup, label %for.body, !llvm.loop !18
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none)
declare ptr @__ctype_b_loc() local_unnamed_addr #6

; Function Attrs: mustprogress nofree nounwind willreturn memory(argmem: readwrite)
declare ptr @strncpy(ptr noalias noundef returned writeonly, ptr noalias nocapture noundef readonly, i64 noundef) local_unnamed_addr #7

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none)
declare ptr @__ctype_toupper_loc() local_unnamed_addr #6

; Function Attrs: mustprogress nofree nounwind willreturn memory(argmem: read)
declare i64 @strlen(ptr nocapture noundef) local_unnamed_addr #8

; Function Attrs: mustprogress nofree nounwind willreturn memory(argmem: read)
declare i32 @strcmp(ptr nocapture noundef, ptr nocapture noundef) local_unnamed_addr #8

; Function Attrs: mustprogress nofree nounwind willreturn memory(argmem: read)
declare ptr @strchr(ptr noundef, i32 noundef) local_unnamed_addr #8

; Function Attrs: mustprogress nofree nounwind willreturn memory(argmem: read)
declare ptr @memchr(ptr noundef, i32 noundef, i64 noundef) local_unnamed_addr #8

; Function Attrs: mustprogress nofree nounwind willreturn memory(argmem: read)
declare ptr @strstr(ptr noundef, ptr nocapture noundef) local_unnamed_addr #8

; Function Attrs: nounwind uwtable
define dso_local i64 @allocated(i32 noundef %n) local_unnamed_addr #9 {
entry:
  %cmp.not72 = icmp sgt i32 %n, 0
  br i1 %cmp.not72, label %for.body.preheader, label %cleanup1

for.body.preheader:                               ; preds = %entry
  %0 = sext i32 %n to i64
  %wide.trip.count = zext i32 %n to i64
  br label %for.body

for.cond:                                         ; preds = %cleanup
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %cmp.not = icmp slt i64 %indvars.iv.next, %0
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %cleanup1, label %for.body, !llvm.loop !19

for.body:                                         ; preds = %for.body.preheader, %for.cond
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.cond ]
  %cmp.not75 = phi i1 [ %cmp.not72, %for.body.preheader ], [ %cmp.not, %for.cond ]
  %head.074 = phi ptr [ null, %for.body.preheader ], [ %head.1, %for.cond ]
  %call = tail call noalias dereferenceable_or_null(16) ptr @malloc(i64 noundef 16) #27
  %tobool.not.not = icmp eq ptr %call, null
  br i1 %tobool.not.not, label %cleanup, label %if.end

if.end:                                           ; preds = %for.body
  %mul = mul i64 %indvars.iv, %indvars.iv
  %conv = and i64 %mul, 4294967295
  store ptr %head.074, ptr %call, align 8, !tbaa.struct !20
  %.compoundliteral.sroa.2.0..sroa_idx = getelementptr inbounds i8, ptr %call, i64 8
  store i64 %conv, ptr %.compoundliteral.sroa.2.0..sroa_idx, align 8, !tbaa.struct !23
  br label %cleanup

cleanup:                                          ; preds = %for.body, %if.end
  %head.1 = phi ptr [ %call, %if.end ], [ %head.074, %for.body ]
  br i1 %tobool.not.not, label %cleanup1, label %for.cond

cleanup1:                                         ; preds = %cleanup, %for.cond, %entry
  %cmp.not.lcssa = phi i1 [ %cmp.not72, %entry ], [ %cmp.not75, %cleanup ], [ %cmp.not, %for.cond ]
  %head.2 = phi ptr [ null, %entry ], [ %head.1, %for.cond ], [ %head.1, %cleanup ]
  br i1 %cmp.not.lcssa, label %cleanup47, label %for.cond4.preheader

for.cond4.preheader:                              ; preds = %cleanup1
  %tobool5.not79 = icmp eq ptr %head.2, null
  br i1 %tobool5.not79, label %for.cond.cleanup6, label %for.body7

for.cond.cleanup6:                                ; preds = %cond.end17, %for.cond4.preheader
  %sum.0.lcssa = phi i64 [ 0, %for.cond4.preheader ], [ %add, %cond.end17 ]
  %conv23 = sext i32 %n to i64
  %call24 = tail call noalias ptr @calloc(i64 noundef %conv23, i64 noundef 8) #28
  %cmp2784 = icmp sgt i32 %n, 0
  br i1 %cmp2784, label %for.body30.preheader, label %for.cond.cleanup29

for.body30.preheader:                             ; preds = %for.cond.cleanup6
  %wide.trip.count91 = zext i32 %n to i64
  br label %for.body30

for.body7:                                        ; preds = %for.cond4.preheader, %cond.end17
  %k3.082 = phi i32 [ %inc20, %cond.end17 ], [ 0, %for.cond4.preheader ]
  %sum.081 = phi i64 [ %add, %cond.end17 ], [ 0, %for.cond4.preheader ]
  %head.380 = phi ptr [ %cond18, %cond.end17 ], [ %head.2, %for.cond4.preheader ]
  %1 = load ptr, ptr %head.380, align 8, !tbaa !24
  %mul10 = mul nsw i64 %sum.081, 3
  %value11 = getelementptr inbounds %struct.node, ptr %head.380, i64 0, i32 1
  %2 = load i64, ptr %value11, align 8, !tbaa !26
  %add = add nsw i64 %2, %mul10
  tail call void @free(ptr noundef %head.380) #24
  %rem = and i32 %k3.082, 1
  %tobool12.not = icmp eq i32 %rem, 0
  br i1 %tobool12.not, label %cond.false, label %cond.end17

cond.false:                                       ; preds = %for.body7
  %tobool13.not = icmp eq ptr %1, null
  br i1 %tobool13.not, label %cond.end17, label %cond.true14

cond.true14:                                      ; preds = %cond.false
  %3 = load ptr, ptr %1, align 8, !tbaa !24
  br label %cond.end17

cond.end17:                                       ; preds = %for.body7, %cond.true14, %cond.false
  %cond18 = phi ptr [ %3, %cond.true14 ], [ null, %cond.false ], [ %1, %for.body7 ]
  %inc20 = add nuw nsw i32 %k3.082, 1
  %tobool5.not = icmp eq ptr %cond18, null
  br i1 %tobool5.not, label %for.cond.cleanup6, label %for.body7, !llvm.loop !27

for.cond.cleanup29:                               ; preds = %for.body30, %for.cond.cleanup6
  %sum.1.lcssa = phi i64 [ %sum.0.lcssa, %for.cond.cleanup6 ], [ %add31, %for.body30 ]
  %mul36 = shl nsw i32 %n, 2
  %conv37 = sext i32 %mul36 to i64
  %mul38 = shl nsw i64 %conv37, 3
  %call39 = tail call ptr @realloc(ptr noundef %call24, i64 noundef %mul38) #29
  %tobool40.not = icmp eq ptr %call39, null
  %cond44 = select i1 %tobool40.not, i64 -2, i64 %sum.1.lcssa
  br label %cleanup47

for.body30:                                       ; preds = %for.body30.preheader, %for.body30
  %indvars.iv88 = phi i64 [ 0, %for.body30.preheader ], [ %indvars.iv.next89, %for.body30 ]
  %sum.185 = phi i64 [ %sum.0.lcssa, %for.body30.preheader ], [ %add31, %for.body30 ]
  %arrayidx = getelementptr inbounds i64, ptr %call24, i64 %indvars.iv88
  %4 = load i64, ptr %arrayidx, align 8, !tbaa !21
  %add31 = add nsw i64 %4, %sum.185
  %indvars.iv.next89 = add nuw nsw i64 %indvars.iv88, 1
  %exitcond92.not = icmp eq i64 %indvars.iv.next89, %wide.trip.count91
  br i1 %exitcond92.not, label %for.cond.cleanup29, label %for.body30, !llvm.loop !28

cleanup47:                                        ; preds = %cleanup1, %for.cond.cleanup29
  %retval.3 = phi i64 [ %cond44, %for.cond.cleanup29 ], [ -1, %cleanup1 ]
  ret i64 %retval.3
}

; Function Attrs: mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite)
declare noalias noundef ptr @malloc(i64 noundef) local_unnamed_addr #10

; Function Attrs: mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @free(ptr allocptr nocapture noundef) local_unnamed_addr #11

; Function Attrs: mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) memory(inaccessiblemem: readwrite)
declare noalias noundef ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr #12

; Function Attrs: mustprogress nounwind willreturn allockind("realloc") allocsize(1) memory(argmem: readwrite, inaccessiblemem: readwrite)
declare noalias noundef ptr @realloc(ptr allocptr nocapture noundef, i64 noundef) local_unnamed_addr #13

; Function Attrs: nounwind uwtable
define dso_local i64 @calculated(ptr nocapture noundef readonly %code, i32 noundef %n, i64 noundef %a) local_unnamed_addr #9 {
entry:
  %cmp13 = icmp sgt i32 %n, 0
  br i1 %cmp13, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:                               ; preds = %entry
  %wide.trip.count = zext i32 %n to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %entry
  %a.addr.0.lcssa = phi i64 [ %a, %entry ], [ %call, %for.body ]
  ret i64 %a.addr.0.lcssa

for.body:                                         ; preds = %for.body.preheader, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %a.addr.014 = phi i64 [ %a, %for.body.preheader ], [ %call, %for.body ]
  %arrayidx = getelementptr inbounds i8, ptr %code, i64 %indvars.iv
  %0 = load i8, ptr %arrayidx, align 1, !tbaa !12
  %conv = zext i8 %0 to i32
  %rem = and i32 %conv, 3
  %idxprom1 = zext i32 %rem to i64
  %arrayidx2 = getelementptr inbounds [4 x ptr], ptr @operations, i64 0, i64 %idxprom1
  %1 = load ptr, ptr %arrayidx2, align 8, !tbaa !13
  %div12 = lshr i32 %conv, 2
  %conv6 = sitofp i32 %div12 to double
  %call = tail call i64 %1(i64 noundef %a.addr.014, double noundef %conv6) #24
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body, !llvm.loop !29
}

; Function Attrs: nofree nosync nounwind uwtable
define dso_local double @summed(i32 noundef %a, double noundef %b) local_unnamed_addr #14 {
entry:
  %fneg = fneg double %b
  %add = add nsw i32 %a, 1
  %call = tail call double (i32, ...) @sum(i32 noundef 5, i32 noundef %a, double noundef %b, i32 noundef 3, double noundef %fneg, i32 noundef %add)
  %call1 = tail call double (i32, ...) @sum(i32 noundef 1, i32 noundef %a)
  %add2 = fadd double %call, %call1
  ret double %add2
}

; Function Attrs: nofree nosync nounwind uwtable
define internal double @sum(i32 noundef %n, ...) unnamed_addr #14 {
entry:
  %arguments = alloca [1 x %struct.__va_list_tag], align 16
  %copy = alloca [1 x %struct.__va_list_tag], align 16
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %arguments) #24
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %copy) #24
  call void @llvm.va_start(ptr nonnull %arguments)
  call void @llvm.va_copy(ptr nonnull %copy, ptr nonnull %arguments)
  %cmp35 = icmp sgt i32 %n, 0
  br i1 %cmp35, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:                                   ; preds = %entry
  %arguments.promoted = load i32, ptr %arguments, align 16
  %fp_offset_p = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 1
  %overflow_arg_area_p = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 2
  %0 = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 3
  %reg_save_area = load ptr, ptr %0, align 16
  %overflow_arg_area_p8 = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 2
  %fp_offset_p.promoted = load i32, ptr %fp_offset_p, align 4
  %overflow_arg_area_p.promoted = load ptr, ptr %overflow_arg_area_p, align 8
  br label %for.body

for.cond.cleanup:                                 ; preds = %cond.end, %entry
  %total.0.lcssa = phi double [ 0.000000e+00, %entry ], [ %add, %cond.end ]
  %gp_offset15 = load i32, ptr %copy, align 16
  %fits_in_gp16 = icmp ult i32 %gp_offset15, 41
  br i1 %fits_in_gp16, label %vaarg.in_reg17, label %vaarg.in_mem19

for.body:                                         ; preds = %for.body.lr.ph, %cond.end
  %overflow_arg_area.next42 = phi ptr [ %overflow_arg_area_p.promoted, %for.body.lr.ph ], [ %overflow_arg_area.next39, %cond.end ]
  %1 = phi i32 [ %fp_offset_p.promoted, %for.body.lr.ph ], [ %11, %cond.end ]
  %k.038 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %cond.end ]
  %total.037 = phi double [ 0.000000e+00, %for.body.lr.ph ], [ %add, %cond.end ]
  %gp_offset3436 = phi i32 [ %arguments.promoted, %for.body.lr.ph ], [ %gp_offset32, %cond.end ]
  %rem = and i32 %k.038, 1
  %tobool.not = icmp eq i32 %rem, 0
  br i1 %tobool.not, label %cond.false, label %cond.true

cond.true:                                        ; preds = %for.body
  %fits_in_fp = icmp ult i32 %1, 161
  br i1 %fits_in_fp, label %vaarg.in_reg, label %vaarg.in_mem

vaarg.in_reg:                                     ; preds = %cond.true
  %2 = sext i32 %1 to i64
  %3 = getelementptr i8, ptr %reg_save_area, i64 %2
  %4 = add nuw nsw i32 %1, 16
  store i32 %4, ptr %fp_offset_p, align 4
  br label %vaarg.end

vaarg.in_mem:                                     ; preds = %cond.true
  %overflow_arg_area.next = getelementptr i8, ptr %overflow_arg_area.next42, i64 8
  store ptr %overflow_arg_area.next, ptr %overflow_arg_area_p, align 8
  br label %vaarg.end

vaarg.end:                                        ; preds = %vaarg.in_mem, %vaarg.in_reg
  %overflow_arg_area.next40 = phi ptr [ %overflow_arg_area.next42, %vaarg.in_reg ], [ %overflow_arg_area.next, %vaarg.in_mem ]
  %5 = phi i32 [ %4, %vaarg.in_reg ], [ %1, %vaarg.in_mem ]
  %vaarg.addr = phi ptr [ %3, %vaarg.in_reg ], [ %overflow_arg_area.next42, %vaarg.in_mem ]
  %6 = load double, ptr %vaarg.addr, align 8
  br label %cond.end

cond.false:                                       ; preds = %for.body
  %fits_in_gp = icmp ult i32 %gp_offset3436, 41
  br i1 %fits_in_gp, label %vaarg.in_reg5, label %vaarg.in_mem7

vaarg.in_reg5:                                    ; preds = %cond.false
  %7 = sext i32 %gp_offset3436 to i64
  %8 = getelementptr i8, ptr %reg_save_area, i64 %7
  %9 = add nuw nsw i32 %gp_offset3436, 8
  store i32 %9, ptr %arguments, align 16
  br label %vaarg.end11

vaarg.in_mem7:                                    ; preds = %cond.false
  %overflow_arg_area.next10 = getelementptr i8, ptr %overflow_arg_area.next42, i64 8
  store ptr %overflow_arg_area.next10, ptr %overflow_arg_area_p8, align 8
  br label %vaarg.end11

vaarg.end11:                                      ; preds = %vaarg.in_mem7, %vaarg.in_reg5
  %overflow_arg_area.next41 = phi ptr [ %overflow_arg_area.next42, %vaarg.in_reg5 ], [ %overflow_arg_area.next10, %vaarg.in_mem7 ]
  %gp_offset33 = phi i32 [ %9, %vaarg.in_reg5 ], [ %gp_offset3436, %vaarg.in_mem7 ]
  %vaarg.addr12 = phi ptr [ %8, %vaarg.in_reg5 ], [ %overflow_arg_area.next42, %vaarg.in_mem7 ]
  %10 = load i32, ptr %vaarg.addr12, align 4
  %conv = sitofp i32 %10 to double
  br label %cond.end

cond.end:                                         ; preds = %vaarg.end11, %vaarg.end
  %overflow_arg_area.next39 = phi ptr [ %overflow_arg_area.next40, %vaarg.end ], [ %overflow_arg_area.next41, %vaarg.end11 ]
  %11 = phi i32 [ %5, %vaarg.end ], [ %1, %vaarg.end11 ]
  %gp_offset32 = phi i32 [ %gp_offset3436, %vaarg.end ], [ %gp_offset33, %vaarg.end11 ]
  %cond = phi double [ %6, %vaarg.end ], [ %conv, %vaarg.end11 ]
  %add = fadd double %total.037, %cond
  %inc = add nuw nsw i32 %k.038, 1
  %exitcond.not = icmp eq i32 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body, !llvm.loop !30

vaarg.in_reg17:                                   ; preds = %for.cond.cleanup
  %12 = getelementptr inbounds %struct.__va_list_tag, ptr %copy, i64 0, i32 3
  %reg_save_area18 = load ptr, ptr %12, align 16
  %13 = sext i32 %gp_offset15 to i64
  %14 = getelementptr i8, ptr %reg_save_area18, i64 %13
  %15 = add i32 %gp_offset15, 8
  store i32 %15, ptr %copy, align 16
  br label %vaarg.end23

vaarg.in_mem19:                                   ; preds = %for.cond.cleanup
  %overflow_arg_area_p20 = getelementptr inbounds %struct.__va_list_tag, ptr %copy, i64 0, i32 2
  %overflow_arg_area21 = load ptr, ptr %overflow_arg_area_p20, align 8
  %overflow_arg_area.next22 = getelementptr i8, ptr %overflow_arg_area21, i64 8
  store ptr %overflow_arg_area.next22, ptr %overflow_arg_area_p20, align 8
  br label %vaarg.end23

vaarg.end23:                                      ; preds = %vaarg.in_mem19, %vaarg.in_reg17
  %vaarg.addr24 = phi ptr [ %14, %vaarg.in_reg17 ], [ %overflow_arg_area21, %vaarg.in_mem19 ]
  %16 = load i32, ptr %vaarg.addr24, align 4
  %conv25 = sitofp i32 %16 to double
  %add26 = fadd double %total.0.lcssa, %conv25
  call void @llvm.va_end(ptr %arguments)
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %copy) #24
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %arguments) #24
  ret double %add26
}

; Function Attrs: nofree nosync nounwind memory(argmem: readwrite) uwtable
define dso_local i32 @permuted(i32 noundef %n, ptr nocapture noundef %out) local_unnamed_addr #15 {
entry:
  %row = alloca [8 x i32], align 16
  call void @llvm.lifetime.start.p0(i64 32, ptr nonnull %row) #24
  %cmp = icmp eq i32 %n, 0
  br i1 %cmp, label %cleanup, label %for.cond.preheader

for.cond.preheader:                               ; preds = %entry
  %cmp147 = icmp sgt i32 %n, 0
  br i1 %cmp147, label %for.body.lr.ph, label %for.cond5.preheader

for.body.lr.ph:                                   ; preds = %for.cond.preheader
  %idxprom = sext i32 %n to i64
  %arrayidx = getelementptr inbounds i32, ptr %out, i64 %idxprom
  %0 = load i32, ptr %arrayidx, align 4, !tbaa !5
  %wide.trip.count = zext i32 %n to i64
  br label %for.body

for.cond5.preheader:                              ; preds = %for.body, %for.cond.preheader
  %cmp649 = icmp sgt i32 %n, 0
  br i1 %cmp649, label %for.body8.lr.ph, label %for.cond.cleanup7

for.body8.lr.ph:                                  ; preds = %for.cond5.preheader
  %sub = add nsw i32 %n, -1
  %idxprom12 = sext i32 %n to i64
  %arrayidx13 = getelementptr inbounds i32, ptr %out, i64 %idxprom12
  %wide.trip.count56 = zext i32 %n to i64
  br label %for.body8

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.body ]
  %1 = trunc i64 %indvars.iv to i32
  %mul = mul nsw i32 %1, %n
  %add = add nsw i32 %0, %mul
  %arrayidx3 = getelementptr inbounds [8 x i32], ptr %row, i64 0, i64 %indvars.iv
  store i32 %add, ptr %arrayidx3, align 4, !tbaa !5
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond5.preheader, label %for.body, !llvm.loop !31

for.cond.cleanup7:                                ; preds = %for.body8, %for.cond5.preheader
  %count.0.lcssa = phi i32 [ 0, %for.cond5.preheader ], [ %add17, %for.body8 ]
  %sub21 = add nsw i32 %n, -1
  %idxprom22 = sext i32 %sub21 to i64
  %arrayidx23 = getelementptr inbounds [8 x i32], ptr %row, i64 0, i64 %idxprom22
  %2 = load i32, ptr %arrayidx23, align 4, !tbaa !5
  %idxprom24 = sext i32 %n to i64
  %arrayidx25 = getelementptr inbounds i32, ptr %out, i64 %idxprom24
  %3 = load i32, ptr %arrayidx25, align 4, !tbaa !5
  %add26 = add nsw i32 %3, %2
  store i32 %add26, ptr %arrayidx25, align 4, !tbaa !5
  br label %cleanup

for.body8:                                        ; preds = %for.body8.lr.ph, %for.body8
  %indvars.iv53 = phi i64 [ 0, %for.body8.lr.ph ], [ %indvars.iv.next54, %for.body8 ]
  %count.050 = phi i32 [ 0, %for.body8.lr.ph ], [ %add17, %for.body8 ]
  %call = tail call i32 @permuted(i32 noundef %sub, ptr noundef %out)
  %arrayidx10 = getelementptr inbounds [8 x i32], ptr %row, i64 0, i64 %indvars.iv53
  %4 = load i32, ptr %arrayidx10, align 4, !tbaa !5
  %5 = trunc i64 %indvars.iv53 to i32
  %mul11 = mul nsw i32 %5, %n
  %6 = load i32, ptr %arrayidx13, align 4, !tbaa !5
  %add14 = add nsw i32 %6, %mul11
  %cmp15 = icmp eq i32 %4, %add14
  %cond = select i1 %cmp15, i32 0, i32 1000
  %add16 = add i32 %call, %count.050
  %add17 = add i32 %add16, %cond
  %indvars.iv.next54 = add nuw nsw i64 %indvars.iv53, 1
  %exitcond57.not = icmp eq i64 %indvars.iv.next54, %wide.trip.count56
  br i1 %exitcond57.not, label %for.cond.cleanup7, label %for.body8, !llvm.loop !32

cleanup:                                          ; preds = %entry, %for.cond.cleanup7
  %retval.0 = phi i32 [ %count.0.lcssa, %for.cond.cleanup7 ], [ 1, %entry ]
  call void @llvm.lifetime.end.p0(i64 32, ptr nonnull %row) #24
  ret i32 %retval.0
}

; Function Attrs: nofree nosync nounwind uwtable
define dso_local i32 @variable(i32 noundef %n) local_unnamed_addr #14 {
entry:
  %cmp21 = icmp sgt i32 %n, 1
  br i1 %cmp21, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:                               ; preds = %entry
  %wide.trip.count28 = zext i32 %n to i64
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.cond.cleanup3, %entry
  %total.0.lcssa = phi i32 [ 0, %entry ], [ %add, %for.cond.cleanup3 ]
  ret i32 %total.0.lcssa

for.body:                                         ; preds = %for.body.preheader, %for.cond.cleanup3
  %indvars.iv25 = phi i64 [ 1, %for.body.preheader ], [ %indvars.iv.next26, %for.cond.cleanup3 ]
  %total.023 = phi i32 [ 0, %for.body.preheader ], [ %add, %for.cond.cleanup3 ]
  %0 = tail call ptr @llvm.stacksave()
  %vla = alloca i32, i64 %indvars.iv25, align 16
  %1 = trunc i64 %indvars.iv25 to i32
  br label %for.body4

for.cond.cleanup3:                                ; preds = %for.body4
  %div19 = lshr i64 %indvars.iv25, 1
  %idxprom5 = and i64 %div19, 2147483647
  %arrayidx6 = getelementptr inbounds i32, ptr %vla, i64 %idxprom5
  %2 = load i32, ptr %arrayidx6, align 4, !tbaa !5
  %add = add nsw i32 %2, %total.023
  tail call void @llvm.stackrestore(ptr %0)
  %indvars.iv.next26 = add nuw nsw i64 %indvars.iv25, 1
  %exitcond29.not = icmp eq i64 %indvars.iv.next26, %wide.trip.count28
  br i1 %exitcond29.not, label %for.cond.cleanup, label %for.body, !llvm.loop !33

for.body4:                                        ; preds = %for.body, %for.body4
  %indvars.iv = phi i64 [ 0, %for.body ], [ %indvars.iv.next, %for.body4 ]
  %3 = trunc i64 %indvars.iv to i32
  %mul = mul nsw i32 %3, %1
  %arrayidx = getelementptr inbounds i32, ptr %vla, i64 %indvars.iv
  store i32 %mul, ptr %arrayidx, align 4, !tbaa !5
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %indvars.iv25
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4, !llvm.loop !34
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn
declare ptr @llvm.stacksave() #16

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn
declare void @llvm.stackrestore(ptr) #16

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define dso_local i64 @boxed(float noundef %x, float noundef %y, i32 noundef %depth) local_unnamed_addr #17 {
entry:
  %b = alloca %struct.box, align 8
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %b) #24
  store float %x, ptr %b, align 8, !tbaa !35
  %y2 = getelementptr inbounds %struct.point, ptr %b, i64 0, i32 1
  store float %y, ptr %y2, align 4, !tbaa !38
  %high = getelementptr inbounds %struct.box, ptr %b, i64 0, i32 1
  store float %y, ptr %high, align 8, !tbaa !35
  %y4 = getelementptr inbounds %struct.box, ptr %b, i64 0, i32 1, i32 1
  store float %x, ptr %y4, align 4, !tbaa !38
  %kind = getelementptr inbounds %struct.box, ptr %b, i64 0, i32 2
  store i64 5, ptr %kind, align 8, !tbaa !39
  %call = tail call fastcc i64 @grown(ptr noundef nonnull byval(%struct.box) align 8 %b, i32 noundef %depth)
  %mul = mul nsw i64 %call, 100
  %0 = load i64, ptr %kind, align 8, !tbaa !39
  %add = add nsw i64 %mul, %0
  %1 = load float, ptr %b, align 8, !tbaa !41
  %conv = fptosi float %1 to i64
  %add8 = add nsw i64 %add, %conv
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %b) #24
  ret i64 %add8
}

; Function Attrs: nofree noinline nosync nounwind memory(argmem: readwrite) uwtable
define internal fastcc i64 @grown(ptr noundef byval(%struct.box) align 8 %b, i32 noundef %depth) unnamed_addr #18 {
entry:
  %high = getelementptr inbounds %struct.box, ptr %b, i64 0, i32 1
  %0 = load <2 x float>, ptr %b, align 8
  %1 = load <2 x float>, ptr %high, align 8
  %call = tail call fastcc <2 x float> @moved(<2 x float> %0, <2 x float> %1)
  store <2 x float> %call, ptr %b, align 8, !tbaa.struct !42
  %kind = getelementptr inbounds %struct.box, ptr %b, i64 0, i32 2
  %2 = load i64, ptr %kind, align 8, !tbaa !39
  %inc = add nsw i64 %2, 1
  store i64 %inc, ptr %kind, align 8, !tbaa !39
  %tobool.not = icmp eq i32 %depth, 0
  br i1 %tobool.not, label %cond.false, label %cond.true

common.ret:                                       ; preds = %cond.false, %cond.true
  %common.ret.op = phi i64 [ %add6, %cond.true ], [ %conv, %cond.false ]
  ret i64 %common.ret.op

cond.true:                                        ; preds = %entry
  %sub = add nsw i32 %depth, -1
  %call2 = tail call fastcc i64 @grown(ptr noundef nonnull byval(%struct.box) align 8 %b, i32 noundef %sub)
  %call4 = tail call fastcc i64 @grown(ptr noundef nonnull byval(%struct.box) align 8 %b, i32 noundef %sub)
  %add = add nsw i64 %call4, %call2
  %3 = load i64, ptr %kind, align 8, !tbaa !39
  %add6 = add nsw i64 %add, %3
  br label %common.ret

cond.false:                                       ; preds = %entry
  %4 = load float, ptr %b, align 8, !tbaa !41
  %y = getelementptr inbounds %struct.point, ptr %b, i64 0, i32 1
  %5 = load float, ptr %y, align 4, !tbaa !44
  %6 = tail call float @llvm.fmuladd.f32(float %4, float 4.000000e+00, float %5)
  %conv = fptosi float %6 to i64
  br label %common.ret
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define dso_local signext i16 @saturated(i16 noundef signext %a, i16 noundef signext %b) local_unnamed_addr #19 {
entry:
  %0 = tail call i16 @llvm.sadd.sat.i16(i16 %a, i16 %b)
  %1 = tail call i16 @llvm.ssub.sat.i16(i16 %a, i16 %b)
  %2 = ashr i16 %1, 1
  %xor34 = xor i16 %2, %0
  ret i16 %xor34
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define internal i64 @plus(i64 noundef %a, double noundef %b) #20 {
entry:
  %conv = fptosi double %b to i64
  %add = add nsw i64 %conv, %a
  ret i64 %add
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define internal i64 @times(i64 noundef %a, double noundef %b) #20 {
entry:
  %conv = fptosi double %b to i64
  %mul = mul nsw i64 %conv, %a
  ret i64 %mul
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define internal i64 @minus(i64 noundef %a, double noundef %b) #20 {
entry:
  %conv = fptosi double %b to i64
  %sub = sub nsw i64 %a, %conv
  ret i64 %sub
}

; Function Attrs: nounwind uwtable
define internal i64 @again(i64 noundef %a, double noundef %b) #9 {
entry:
  %cmp = icmp sgt i64 %a, 1000
  br i1 %cmp, label %cond.end, label %cond.false

cond.false:                                       ; preds = %entry
  %rem = srem i64 %a, 3
  %arrayidx = getelementptr inbounds [4 x ptr], ptr @operations, i64 0, i64 %rem
  %0 = load ptr, ptr %arrayidx, align 8, !tbaa !13
  %add = add nsw i64 %a, 1
  %add1 = fadd double %b, 1.000000e+00
  %call = tail call i64 %0(i64 noundef %add, double noundef %add1) #24
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.false
  %cond = phi i64 [ %call, %cond.false ], [ %a, %entry ]
  ret i64 %cond
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn
declare void @llvm.va_start(ptr) #16

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn
declare void @llvm.va_copy(ptr, ptr) #16

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn
declare void @llvm.va_end(ptr) #16

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind willreturn memory(none) uwtable
define internal fastcc <2 x float> @moved(<2 x float> %p.coerce, <2 x float> %by.coerce) unnamed_addr #21 {
entry:
  %0 = fadd <2 x float> %p.coerce, %by.coerce
  %1 = fsub <2 x float> %p.coerce, %by.coerce
  %retval.sroa.0.4.vec.insert = shufflevector <2 x float> %0, <2 x float> %1, <2 x i32> <i32 0, i32 3>
  ret <2 x float> %retval.sroa.0.4.vec.insert
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #22

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i16 @llvm.sadd.sat.i16(i16, i16) #23

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i16 @llvm.ssub.sat.i16(i16, i16) #23

attributes #0 = { nofree nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nofree "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { nofree nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nofree nounwind memory(readwrite, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { mustprogress nofree nosync nounwind willreturn memory(none) "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { mustprogress nofree nounwind willreturn memory(argmem: readwrite) "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #8 = { mustprogress nofree nounwind willreturn memory(argmem: read) "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #9 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #10 = { mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #11 = { mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite) "alloc-family"="malloc" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #12 = { mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #13 = { mustprogress nounwind willreturn allockind("realloc") allocsize(1) memory(argmem: readwrite, inaccessiblemem: readwrite) "alloc-family"="malloc" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #14 = { nofree nosync nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #15 = { nofree nosync nounwind memory(argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #16 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #17 = { nofree nosync nounwind memory(none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #18 = { nofree noinline nosync nounwind memory(argmem: readwrite) uwtable "min-legal-vector-width"="64" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #19 = { mustprogress nofree nosync nounwind willreturn memory(none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #20 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #21 = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(none) uwtable "min-legal-vector-width"="64" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #22 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #23 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #24 = { nounwind }
attributes #25 = { nounwind willreturn memory(none) }
attributes #26 = { nounwind willreturn memory(read) }
attributes #27 = { nounwind allocsize(0) }
attributes #28 = { nounwind allocsize(0,1) }
attributes #29 = { nounwind allocsize(1) }

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
!12 = !{!7, !7, i64 0}
!13 = !{!14, !14, i64 0}
!14 = !{!"any pointer", !7, i64 0}
!15 = !{!16, !16, i64 0}
!16 = !{!"short", !7, i64 0}
!17 = distinct !{!17, !10, !11}
!18 = distinct !{!18, !10, !11}
!19 = distinct !{!19, !10, !11}
!20 = !{i64 0, i64 8, !13, i64 8, i64 8, !21}
!21 = !{!22, !22, i64 0}
!22 = !{!"long", !7, i64 0}
!23 = !{i64 0, i64 8, !21}
!24 = !{!25, !14, i64 0}
!25 = !{!"node", !14, i64 0, !22, i64 8}
!26 = !{!25, !22, i64 8}
!27 = distinct !{!27, !10, !11}
!28 = distinct !{!28, !10, !11}
!29 = distinct !{!29, !10, !11}
!30 = distinct !{!30, !10, !11}
!31 = distinct !{!31, !10, !11}
!32 = distinct !{!32, !10, !11}
!33 = distinct !{!33, !10, !11}
!34 = distinct !{!34, !10, !11}
!35 = !{!36, !37, i64 0}
!36 = !{!"point", !37, i64 0, !37, i64 4}
!37 = !{!"float", !7, i64 0}
!38 = !{!36, !37, i64 4}
!39 = !{!40, !22, i64 16}
!40 = !{!"box", !36, i64 0, !36, i64 8, !22, i64 16}
!41 = !{!40, !37, i64 0}
!42 = !{i64 0, i64 4, !43, i64 4, i64 4, !43}
!43 = !{!37, !37, i64 0}
!44 = !{!40, !37, i64 4}
