target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.sink = type { ptr, i64, i64 }
%struct.__va_list_tag = type { i32, i32, ptr, ptr }

@heap_used = internal unnamed_addr global i64 0, align 8
@heap = internal global [524288 x i64] zeroinitializer, align 16
@classes_at = internal global ptr null, align 8
@classes = internal global [384 x i16] zeroinitializer, align 16
@lowered_at = internal global ptr null, align 8
@lowered = internal global [384 x i32] zeroinitializer, align 16
@raised_at = internal global ptr null, align 8
@raised = internal global [384 x i32] zeroinitializer, align 16
@history = internal unnamed_addr global [34 x i32] zeroinitializer, align 16
@place = internal unnamed_addr global i32 0, align 4
@seeded = internal unnamed_addr global i1 false, align 4
@stdout_length = linkonce_odr global i64 0, align 8
@stdout_text = linkonce_odr global [65536 x i8] zeroinitializer, align 16
@.str = private unnamed_addr constant [1 x i8] zeroinitializer, align 1
@.str.1 = private unnamed_addr constant [2 x i8] c"-\00", align 1
@.str.2 = private unnamed_addr constant [2 x i8] c"+\00", align 1
@.str.3 = private unnamed_addr constant [2 x i8] c" \00", align 1
@.str.4 = private unnamed_addr constant [3 x i8] c"0X\00", align 1
@.str.5 = private unnamed_addr constant [3 x i8] c"0x\00", align 1
@.str.6 = private unnamed_addr constant [4 x i8] c"+0x\00", align 1
@.str.7 = private unnamed_addr constant [4 x i8] c" 0x\00", align 1
@.str.8 = private unnamed_addr constant [6 x i8] c"(nil)\00", align 1
@.str.9 = private unnamed_addr constant [7 x i8] c"(null)\00", align 1
@.str.10 = private unnamed_addr constant [4 x i8] c"nan\00", align 1
@.str.11 = private unnamed_addr constant [4 x i8] c"inf\00", align 1
@.str.12 = private unnamed_addr constant [4 x i8] c"NAN\00", align 1
@.str.13 = private unnamed_addr constant [4 x i8] c"INF\00", align 1

; Function Attrs: nounwind uwtable
define linkonce_odr ptr @mempcpy(ptr noalias noundef %to, ptr noalias noundef %from, i64 noundef %n) local_unnamed_addr #0 {
entry:
  %call = tail call ptr @memcpy(ptr noundef %to, ptr noundef %from, i64 noundef %n) #21
  %add.ptr = getelementptr inbounds i8, ptr %call, i64 %n
  ret ptr %add.ptr
}

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #1

; Function Attrs: nounwind uwtable
define linkonce_odr void @bzero(ptr noundef %to, i64 noundef %n) local_unnamed_addr #0 {
entry:
  %call = tail call ptr @memset(ptr noundef %to, i32 noundef 0, i64 noundef %n) #21
  ret void
}

declare ptr @memset(ptr noundef, i32 noundef, i64 noundef) local_unnamed_addr #1

; Function Attrs: nofree norecurse nosync nounwind memory(read, inaccessiblemem: none) uwtable
define linkonce_odr i32 @memcmp(ptr nocapture noundef readonly %a, ptr nocapture noundef readonly %b, i64 noundef %n) local_unnamed_addr #2 {
entry:
  %tobool.not13 = icmp eq i64 %n, 0
  br i1 %tobool.not13, label %cleanup, label %for.body

for.body:                                         ; preds = %entry, %for.inc
  %y.016 = phi ptr [ %incdec.ptr5, %for.inc ], [ %b, %entry ]
  %x.015 = phi ptr [ %incdec.ptr, %for.inc ], [ %a, %entry ]
  %n.addr.014 = phi i64 [ %dec, %for.inc ], [ %n, %entry ]
  %0 = load i8, ptr %x.015, align 1, !tbaa !5
  %1 = load i8, ptr %y.016, align 1, !tbaa !5
  %cmp.not = icmp eq i8 %0, %1
  br i1 %cmp.not, label %for.inc, label %if.then

if.then:                                          ; preds = %for.body
  %conv1 = zext i8 %1 to i32
  %conv = zext i8 %0 to i32
  %sub = sub nsw i32 %conv, %conv1
  br label %cleanup

for.inc:                                          ; preds = %for.body
  %dec = add i64 %n.addr.014, -1
  %incdec.ptr = getelementptr inbounds i8, ptr %x.015, i64 1
  %incdec.ptr5 = getelementptr inbounds i8, ptr %y.016, i64 1
  %tobool.not = icmp eq i64 %dec, 0
  br i1 %tobool.not, label %cleanup, label %for.body, !llvm.loop !8

cleanup:                                          ; preds = %for.inc, %entry, %if.then
  %retval.0 = phi i32 [ %sub, %if.then ], [ 0, %entry ], [ 0, %for.inc ]
  ret i32 %retval.0
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #3

; Function Attrs: nofree norecurse nosync nounwind memory(read, inaccessiblemem: none) uwtable
define linkonce_odr i32 @bcmp(ptr nocapture noundef readonly %a, ptr nocapture noundef readonly %b, i64 noundef %n) local_unnamed_addr #2 {
entry:
  %tobool.not13.i = icmp eq i64 %n, 0
  br i1 %tobool.not13.i, label %memcmp.exit, label %for.body.i

for.body.i:                                       ; preds = %entry, %for.inc.i
  %y.016.i = phi ptr [ %incdec.ptr5.i, %for.inc.i ], [ %b, %entry ]
  %x.015.i = phi ptr [ %incdec.ptr.i, %for.inc.i ], [ %a, %entry ]
  %n.addr.014.i = phi i64 [ %dec.i, %for.inc.i ], [ %n, %entry ]
  %0 = load i8, ptr %x.015.i, align 1, !tbaa !5
  %1 = load i8, ptr %y.016.i, align 1, !tbaa !5
  %cmp.not.i = icmp eq i8 %0, %1
  br i1 %cmp.not.i, label %for.inc.i, label %if.then.i

if.then.i:                                        ; preds = %for.body.i
  %conv1.i = zext i8 %1 to i32
  %conv.i = zext i8 %0 to i32
  %sub.i = sub nsw i32 %conv.i, %conv1.i
  br label %memcmp.exit

for.inc.i:                                        ; preds = %for.body.i
  %dec.i = add i64 %n.addr.014.i, -1
  %incdec.ptr.i = getelementptr inbounds i8, ptr %x.015.i, i64 1
  %incdec.ptr5.i = getelementptr inbounds i8, ptr %y.016.i, i64 1
  %tobool.not.i = icmp eq i64 %dec.i, 0
  br i1 %tobool.not.i, label %memcmp.exit, label %for.body.i, !llvm.loop !8

memcmp.exit:                                      ; preds = %for.inc.i, %entry, %if.then.i
  %retval.0.i = phi i32 [ %sub.i, %if.then.i ], [ 0, %entry ], [ 0, %for.inc.i ]
  ret i32 %retval.0.i
}

; Function Attrs: nofree norecurse nosync nounwind memory(read, inaccessiblemem: none) uwtable
define linkonce_odr ptr @memchr(ptr noundef readonly %text, i32 noundef %byte, i64 noundef %n) local_unnamed_addr #2 {
entry:
  %tobool.not7 = icmp eq i64 %n, 0
  br i1 %tobool.not7, label %cleanup, label %for.body.lr.ph

for.body.lr.ph:                                   ; preds = %entry
  %0 = trunc i32 %byte to i8
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %for.inc
  %s.09 = phi ptr [ %text, %for.body.lr.ph ], [ %incdec.ptr, %for.inc ]
  %n.addr.08 = phi i64 [ %n, %for.body.lr.ph ], [ %dec, %for.inc ]
  %1 = load i8, ptr %s.09, align 1, !tbaa !5
  %cmp = icmp eq i8 %1, %0
  br i1 %cmp, label %cleanup, label %for.inc

for.inc:                                          ; preds = %for.body
  %dec = add i64 %n.addr.08, -1
  %incdec.ptr = getelementptr inbounds i8, ptr %s.09, i64 1
  %tobool.not = icmp eq i64 %dec, 0
  br i1 %tobool.not, label %cleanup, label %for.body, !llvm.loop !11

cleanup:                                          ; preds = %for.body, %for.inc, %entry
  %retval.0 = phi ptr [ null, %entry ], [ %s.09, %for.body ], [ null, %for.inc ]
  ret ptr %retval.0
}

; Function Attrs: nofree norecurse nosync nounwind memory(read, inaccessiblemem: none) uwtable
define linkonce_odr i64 @strlen(ptr noundef %s) local_unnamed_addr #2 {
entry:
  br label %while.cond

while.cond:                                       ; preds = %while.cond, %entry
  %end.0 = phi ptr [ %s, %entry ], [ %incdec.ptr, %while.cond ]
  %0 = load i8, ptr %end.0, align 1, !tbaa !5
  %tobool.not = icmp eq i8 %0, 0
  %incdec.ptr = getelementptr inbounds i8, ptr %end.0, i64 1
  br i1 %tobool.not, label %while.end, label %while.cond, !llvm.loop !12

while.end:                                        ; preds = %while.cond
  %sub.ptr.lhs.cast = ptrtoint ptr %end.0 to i64
  %sub.ptr.rhs.cast = ptrtoint ptr %s to i64
  %sub.ptr.sub = sub i64 %sub.ptr.lhs.cast, %sub.ptr.rhs.cast
  ret i64 %sub.ptr.sub
}

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: read) uwtable
define linkonce_odr i64 @strnlen(ptr nocapture noundef readonly %s, i64 noundef %most) local_unnamed_addr #4 {
entry:
  %cmp4.not = icmp eq i64 %most, 0
  br i1 %cmp4.not, label %while.end, label %land.rhs

land.rhs:                                         ; preds = %entry, %while.body
  %n.05 = phi i64 [ %inc, %while.body ], [ 0, %entry ]
  %arrayidx = getelementptr inbounds i8, ptr %s, i64 %n.05
  %0 = load i8, ptr %arrayidx, align 1, !tbaa !5
  %tobool.not = icmp eq i8 %0, 0
  br i1 %tobool.not, label %while.end, label %while.body

while.body:                                       ; preds = %land.rhs
  %inc = add nuw i64 %n.05, 1
  %exitcond.not = icmp eq i64 %inc, %most
  br i1 %exitcond.not, label %while.end, label %land.rhs, !llvm.loop !13

while.end:                                        ; preds = %land.rhs, %while.body, %entry
  %n.0.lcssa = phi i64 [ 0, %entry ], [ %n.05, %land.rhs ], [ %most, %while.body ]
  ret i64 %n.0.lcssa
}

; Function Attrs: nofree norecurse nosync nounwind memory(read, inaccessiblemem: none) uwtable
define linkonce_odr i32 @strcmp(ptr nocapture noundef readonly %a, ptr nocapture noundef readonly %b) local_unnamed_addr #2 {
entry:
  %0 = load i8, ptr %a, align 1, !tbaa !5
  %tobool.not12 = icmp eq i8 %0, 0
  br i1 %tobool.not12, label %while.end, label %land.rhs

land.rhs:                                         ; preds = %entry, %while.body
  %1 = phi i8 [ %3, %while.body ], [ %0, %entry ]
  %b.addr.014 = phi ptr [ %incdec.ptr4, %while.body ], [ %b, %entry ]
  %a.addr.013 = phi ptr [ %incdec.ptr, %while.body ], [ %a, %entry ]
  %2 = load i8, ptr %b.addr.014, align 1, !tbaa !5
  %cmp = icmp eq i8 %1, %2
  br i1 %cmp, label %while.body, label %while.end

while.body:                                       ; preds = %land.rhs
  %incdec.ptr = getelementptr inbounds i8, ptr %a.addr.013, i64 1
  %incdec.ptr4 = getelementptr inbounds i8, ptr %b.addr.014, i64 1
  %3 = load i8, ptr %incdec.ptr, align 1, !tbaa !5
  %tobool.not = icmp eq i8 %3, 0
  br i1 %tobool.not, label %while.end, label %land.rhs, !llvm.loop !14

while.end:                                        ; preds = %land.rhs, %while.body, %entry
  %b.addr.0.lcssa = phi ptr [ %b, %entry ], [ %b.addr.014, %land.rhs ], [ %incdec.ptr4, %while.body ]
  %.lcssa = phi i8 [ %0, %entry ], [ %1, %land.rhs ], [ %3, %while.body ]
  %conv5 = zext i8 %.lcssa to i32
  %4 = load i8, ptr %b.addr.0.lcssa, align 1, !tbaa !5
  %conv6 = zext i8 %4 to i32
  %sub = sub nsw i32 %conv5, %conv6
  ret i32 %sub
}

; Function Attrs: nofree norecurse nosync nounwind memory(read, inaccessiblemem: none) uwtable
define linkonce_odr i32 @strncmp(ptr nocapture noundef readonly %a, ptr nocapture noundef readonly %b, i64 noundef %n) local_unnamed_addr #2 {
entry:
  %tobool.not14 = icmp eq i64 %n, 0
  br i1 %tobool.not14, label %return, label %for.body

for.body:                                         ; preds = %entry, %for.inc
  %n.addr.017 = phi i64 [ %dec, %for.inc ], [ %n, %entry ]
  %b.addr.016 = phi ptr [ %incdec.ptr6, %for.inc ], [ %b, %entry ]
  %a.addr.015 = phi ptr [ %incdec.ptr, %for.inc ], [ %a, %entry ]
  %0 = load i8, ptr %a.addr.015, align 1, !tbaa !5
  %tobool1.not = icmp eq i8 %0, 0
  br i1 %tobool1.not, label %if.then, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %for.body
  %1 = load i8, ptr %b.addr.016, align 1, !tbaa !5
  %cmp.not = icmp eq i8 %0, %1
  br i1 %cmp.not, label %for.inc, label %if.then

if.then:                                          ; preds = %lor.lhs.false, %for.body
  %conv4 = zext i8 %0 to i32
  %2 = load i8, ptr %b.addr.016, align 1, !tbaa !5
  %conv5 = zext i8 %2 to i32
  %sub = sub nsw i32 %conv4, %conv5
  br label %return

for.inc:                                          ; preds = %lor.lhs.false
  %dec = add i64 %n.addr.017, -1
  %incdec.ptr = getelementptr inbounds i8, ptr %a.addr.015, i64 1
  %incdec.ptr6 = getelementptr inbounds i8, ptr %b.addr.016, i64 1
  %tobool.not = icmp eq i64 %dec, 0
  br i1 %tobool.not, label %return, label %for.body, !llvm.loop !15

return:                                           ; preds = %for.inc, %entry, %if.then
  %retval.0 = phi i32 [ %sub, %if.then ], [ 0, %entry ], [ 0, %for.inc ]
  ret i32 %retval.0
}

; Function Attrs: nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none) uwtable
define linkonce_odr ptr @stpcpy(ptr noalias noundef writeonly %to, ptr noalias nocapture noundef readonly %from) local_unnamed_addr #5 {
entry:
  %0 = load i8, ptr %from, align 1, !tbaa !5
  store i8 %0, ptr %to, align 1, !tbaa !5
  %tobool.not5 = icmp eq i8 %0, 0
  br i1 %tobool.not5, label %while.end, label %while.body

while.body:                                       ; preds = %entry, %while.body
  %from.addr.07 = phi ptr [ %incdec.ptr1, %while.body ], [ %from, %entry ]
  %to.addr.06 = phi ptr [ %incdec.ptr, %while.body ], [ %to, %entry ]
  %incdec.ptr = getelementptr inbounds i8, ptr %to.addr.06, i64 1
  %incdec.ptr1 = getelementptr inbounds i8, ptr %from.addr.07, i64 1
  %1 = load i8, ptr %incdec.ptr1, align 1, !tbaa !5
  store i8 %1, ptr %incdec.ptr, align 1, !tbaa !5
  %tobool.not = icmp eq i8 %1, 0
  br i1 %tobool.not, label %while.end, label %while.body, !llvm.loop !16

while.end:                                        ; preds = %while.body, %entry
  %to.addr.0.lcssa = phi ptr [ %to, %entry ], [ %incdec.ptr, %while.body ]
  ret ptr %to.addr.0.lcssa
}

; Function Attrs: nofree nosync nounwind uwtable
define linkonce_odr ptr @strcpy(ptr noalias noundef returned writeonly %to, ptr noalias nocapture noundef readonly %from) local_unnamed_addr #6 {
entry:
  tail call void @llvm.experimental.noalias.scope.decl(metadata !17)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !20)
  %0 = load i8, ptr %from, align 1, !tbaa !5, !alias.scope !20, !noalias !17
  store i8 %0, ptr %to, align 1, !tbaa !5, !alias.scope !17, !noalias !20
  %tobool.not5.i = icmp eq i8 %0, 0
  br i1 %tobool.not5.i, label %stpcpy.exit, label %while.body.i

while.body.i:                                     ; preds = %entry, %while.body.i
  %from.addr.07.i = phi ptr [ %incdec.ptr1.i, %while.body.i ], [ %from, %entry ]
  %to.addr.06.i = phi ptr [ %incdec.ptr.i, %while.body.i ], [ %to, %entry ]
  %incdec.ptr.i = getelementptr inbounds i8, ptr %to.addr.06.i, i64 1
  %incdec.ptr1.i = getelementptr inbounds i8, ptr %from.addr.07.i, i64 1
  %1 = load i8, ptr %incdec.ptr1.i, align 1, !tbaa !5, !alias.scope !20, !noalias !17
  store i8 %1, ptr %incdec.ptr.i, align 1, !tbaa !5, !alias.scope !17, !noalias !20
  %tobool.not.i = icmp eq i8 %1, 0
  br i1 %tobool.not.i, label %stpcpy.exit, label %while.body.i, !llvm.loop !16

stpcpy.exit:                                      ; preds = %while.body.i, %entry
  ret ptr %to
}

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable
define linkonce_odr ptr @strncpy(ptr noalias noundef returned writeonly %to, ptr noalias nocapture noundef readonly %from, i64 noundef %n) local_unnamed_addr #7 {
entry:
  %cmp22.not = icmp eq i64 %n, 0
  br i1 %cmp22.not, label %for.end, label %land.rhs

land.rhs:                                         ; preds = %entry, %for.body
  %k.023 = phi i64 [ %inc, %for.body ], [ 0, %entry ]
  %arrayidx = getelementptr inbounds i8, ptr %from, i64 %k.023
  %0 = load i8, ptr %arrayidx, align 1, !tbaa !5
  %tobool.not = icmp eq i8 %0, 0
  br i1 %tobool.not, label %for.end, label %for.body

for.body:                                         ; preds = %land.rhs
  %arrayidx2 = getelementptr inbounds i8, ptr %to, i64 %k.023
  store i8 %0, ptr %arrayidx2, align 1, !tbaa !5
  %inc = add nuw i64 %k.023, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.end, label %land.rhs, !llvm.loop !22

for.end:                                          ; preds = %land.rhs, %for.body, %entry
  %k.0.lcssa = phi i64 [ 0, %entry ], [ %k.023, %land.rhs ], [ %n, %for.body ]
  %cmp425 = icmp ult i64 %k.0.lcssa, %n
  br i1 %cmp425, label %for.body6, label %for.end10

for.body6:                                        ; preds = %for.end, %for.body6
  %k.126 = phi i64 [ %inc9, %for.body6 ], [ %k.0.lcssa, %for.end ]
  %arrayidx7 = getelementptr inbounds i8, ptr %to, i64 %k.126
  store i8 0, ptr %arrayidx7, align 1, !tbaa !5
  %inc9 = add nuw i64 %k.126, 1
  %exitcond27.not = icmp eq i64 %inc9, %n
  br i1 %exitcond27.not, label %for.end10, label %for.body6, !llvm.loop !23

for.end10:                                        ; preds = %for.body6, %for.end
  ret ptr %to
}

; Function Attrs: nofree nosync nounwind uwtable
define linkonce_odr ptr @strcat(ptr noalias noundef returned %to, ptr noalias nocapture noundef readonly %from) local_unnamed_addr #6 {
entry:
  br label %while.cond.i

while.cond.i:                                     ; preds = %while.cond.i, %entry
  %end.0.i = phi ptr [ %to, %entry ], [ %incdec.ptr.i, %while.cond.i ]
  %0 = load i8, ptr %end.0.i, align 1, !tbaa !5
  %tobool.not.i = icmp eq i8 %0, 0
  %incdec.ptr.i = getelementptr inbounds i8, ptr %end.0.i, i64 1
  br i1 %tobool.not.i, label %strlen.exit, label %while.cond.i, !llvm.loop !12

strlen.exit:                                      ; preds = %while.cond.i
  %sub.ptr.lhs.cast.i = ptrtoint ptr %end.0.i to i64
  %sub.ptr.rhs.cast.i = ptrtoint ptr %to to i64
  %sub.ptr.sub.i = sub i64 %sub.ptr.lhs.cast.i, %sub.ptr.rhs.cast.i
  %add.ptr = getelementptr inbounds i8, ptr %to, i64 %sub.ptr.sub.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !24)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !27)
  %1 = load i8, ptr %from, align 1, !tbaa !5, !alias.scope !27, !noalias !24
  store i8 %1, ptr %add.ptr, align 1, !tbaa !5, !alias.scope !24, !noalias !27
  %tobool.not5.i = icmp eq i8 %1, 0
  br i1 %tobool.not5.i, label %stpcpy.exit, label %while.body.i

while.body.i:                                     ; preds = %strlen.exit, %while.body.i
  %from.addr.07.i = phi ptr [ %incdec.ptr1.i, %while.body.i ], [ %from, %strlen.exit ]
  %to.addr.06.i = phi ptr [ %incdec.ptr.i4, %while.body.i ], [ %add.ptr, %strlen.exit ]
  %incdec.ptr.i4 = getelementptr inbounds i8, ptr %to.addr.06.i, i64 1
  %incdec.ptr1.i = getelementptr inbounds i8, ptr %from.addr.07.i, i64 1
  %2 = load i8, ptr %incdec.ptr1.i, align 1, !tbaa !5, !alias.scope !27, !noalias !24
  store i8 %2, ptr %incdec.ptr.i4, align 1, !tbaa !5, !alias.scope !24, !noalias !27
  %tobool.not.i5 = icmp eq i8 %2, 0
  br i1 %tobool.not.i5, label %stpcpy.exit, label %while.body.i, !llvm.loop !16

stpcpy.exit:                                      ; preds = %while.body.i, %strlen.exit
  ret ptr %to
}

; Function Attrs: nofree norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none) uwtable
define linkonce_odr ptr @strncat(ptr noalias noundef returned %to, ptr noalias nocapture noundef readonly %from, i64 noundef %n) local_unnamed_addr #8 {
entry:
  br label %while.cond.i

while.cond.i:                                     ; preds = %while.cond.i, %entry
  %end.0.i = phi ptr [ %to, %entry ], [ %incdec.ptr.i, %while.cond.i ]
  %0 = load i8, ptr %end.0.i, align 1, !tbaa !5
  %tobool.not.i = icmp eq i8 %0, 0
  %incdec.ptr.i = getelementptr inbounds i8, ptr %end.0.i, i64 1
  br i1 %tobool.not.i, label %strlen.exit, label %while.cond.i, !llvm.loop !12

strlen.exit:                                      ; preds = %while.cond.i
  %sub.ptr.lhs.cast.i = ptrtoint ptr %end.0.i to i64
  %sub.ptr.rhs.cast.i = ptrtoint ptr %to to i64
  %sub.ptr.sub.i = sub i64 %sub.ptr.lhs.cast.i, %sub.ptr.rhs.cast.i
  %add.ptr = getelementptr inbounds i8, ptr %to, i64 %sub.ptr.sub.i
  %cmp13.not = icmp eq i64 %n, 0
  br i1 %cmp13.not, label %for.end, label %land.rhs

land.rhs:                                         ; preds = %strlen.exit, %for.body
  %k.014 = phi i64 [ %inc, %for.body ], [ 0, %strlen.exit ]
  %arrayidx = getelementptr inbounds i8, ptr %from, i64 %k.014
  %1 = load i8, ptr %arrayidx, align 1, !tbaa !5
  %tobool.not = icmp eq i8 %1, 0
  br i1 %tobool.not, label %for.end, label %for.body

for.body:                                         ; preds = %land.rhs
  %arrayidx2 = getelementptr inbounds i8, ptr %add.ptr, i64 %k.014
  store i8 %1, ptr %arrayidx2, align 1, !tbaa !5
  %inc = add nuw i64 %k.014, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.end, label %land.rhs, !llvm.loop !29

for.end:                                          ; preds = %land.rhs, %for.body, %strlen.exit
  %k.0.lcssa = phi i64 [ 0, %strlen.exit ], [ %k.014, %land.rhs ], [ %n, %for.body ]
  %arrayidx3 = getelementptr inbounds i8, ptr %add.ptr, i64 %k.0.lcssa
  store i8 0, ptr %arrayidx3, align 1, !tbaa !5
  ret ptr %to
}

; Function Attrs: nofree norecurse nosync nounwind memory(read, inaccessiblemem: none) uwtable
define linkonce_odr ptr @strchr(ptr noundef readonly %s, i32 noundef %c) local_unnamed_addr #2 {
entry:
  %sext = shl i32 %c, 24
  %conv2 = ashr exact i32 %sext, 24
  %0 = load i8, ptr %s, align 1, !tbaa !5
  %conv7 = sext i8 %0 to i32
  %cmp.not8 = icmp eq i32 %conv2, %conv7
  br i1 %cmp.not8, label %return, label %for.body

for.body:                                         ; preds = %entry, %for.inc
  %1 = phi i8 [ %2, %for.inc ], [ %0, %entry ]
  %s.addr.09 = phi ptr [ %incdec.ptr, %for.inc ], [ %s, %entry ]
  %tobool.not = icmp eq i8 %1, 0
  br i1 %tobool.not, label %return, label %for.inc

for.inc:                                          ; preds = %for.body
  %incdec.ptr = getelementptr inbounds i8, ptr %s.addr.09, i64 1
  %2 = load i8, ptr %incdec.ptr, align 1, !tbaa !5
  %conv = sext i8 %2 to i32
  %cmp.not = icmp eq i32 %conv2, %conv
  br i1 %cmp.not, label %return, label %for.body, !llvm.loop !30

return:                                           ; preds = %for.body, %for.inc, %entry
  %retval.0 = phi ptr [ %s, %entry ], [ null, %for.body ], [ %incdec.ptr, %for.inc ]
  ret ptr %retval.0
}

; Function Attrs: nofree norecurse nosync nounwind memory(read, inaccessiblemem: none) uwtable
define linkonce_odr ptr @strrchr(ptr noundef readonly %s, i32 noundef %c) local_unnamed_addr #2 {
entry:
  %sext = shl i32 %c, 24
  %conv2 = ashr exact i32 %sext, 24
  br label %for.cond

for.cond:                                         ; preds = %for.cond, %entry
  %s.addr.0 = phi ptr [ %s, %entry ], [ %incdec.ptr, %for.cond ]
  %found.0 = phi ptr [ null, %entry ], [ %spec.select, %for.cond ]
  %0 = load i8, ptr %s.addr.0, align 1, !tbaa !5
  %conv = sext i8 %0 to i32
  %cmp = icmp eq i32 %conv2, %conv
  %spec.select = select i1 %cmp, ptr %s.addr.0, ptr %found.0
  %tobool.not = icmp eq i8 %0, 0
  %incdec.ptr = getelementptr inbounds i8, ptr %s.addr.0, i64 1
  br i1 %tobool.not, label %if.then4, label %for.cond, !llvm.loop !31

if.then4:                                         ; preds = %for.cond
  ret ptr %spec.select
}

; Function Attrs: nofree norecurse nosync nounwind memory(read, inaccessiblemem: none) uwtable
define linkonce_odr ptr @strstr(ptr noundef readonly %s, ptr noundef %part) local_unnamed_addr #2 {
entry:
  br label %while.cond.i

while.cond.i:                                     ; preds = %while.cond.i, %entry
  %end.0.i = phi ptr [ %part, %entry ], [ %incdec.ptr.i, %while.cond.i ]
  %0 = load i8, ptr %end.0.i, align 1, !tbaa !5
  %tobool.not.i = icmp eq i8 %0, 0
  %incdec.ptr.i = getelementptr inbounds i8, ptr %end.0.i, i64 1
  br i1 %tobool.not.i, label %strlen.exit, label %while.cond.i, !llvm.loop !12

strlen.exit:                                      ; preds = %while.cond.i
  %sub.ptr.lhs.cast.i = ptrtoint ptr %end.0.i to i64
  %sub.ptr.rhs.cast.i = ptrtoint ptr %part to i64
  %sub.ptr.sub.i = sub i64 %sub.ptr.lhs.cast.i, %sub.ptr.rhs.cast.i
  %tobool.not14.i = icmp eq i64 %sub.ptr.sub.i, 0
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %strlen.exit
  %s.addr.0 = phi ptr [ %s, %strlen.exit ], [ %incdec.ptr, %for.inc ]
  br i1 %tobool.not14.i, label %strncmp.exit, label %for.body.i

for.body.i:                                       ; preds = %for.cond, %for.inc.i
  %n.addr.017.i = phi i64 [ %dec.i, %for.inc.i ], [ %sub.ptr.sub.i, %for.cond ]
  %b.addr.016.i = phi ptr [ %incdec.ptr6.i, %for.inc.i ], [ %part, %for.cond ]
  %a.addr.015.i = phi ptr [ %incdec.ptr.i7, %for.inc.i ], [ %s.addr.0, %for.cond ]
  %1 = load i8, ptr %a.addr.015.i, align 1, !tbaa !5
  %tobool1.not.i = icmp eq i8 %1, 0
  br i1 %tobool1.not.i, label %if.then.i, label %lor.lhs.false.i

lor.lhs.false.i:                                  ; preds = %for.body.i
  %2 = load i8, ptr %b.addr.016.i, align 1, !tbaa !5
  %cmp.not.i = icmp eq i8 %1, %2
  br i1 %cmp.not.i, label %for.inc.i, label %if.then.i

if.then.i:                                        ; preds = %lor.lhs.false.i, %for.body.i
  %conv4.i = zext i8 %1 to i32
  %3 = load i8, ptr %b.addr.016.i, align 1, !tbaa !5
  %conv5.i = zext i8 %3 to i32
  %sub.i = sub nsw i32 %conv4.i, %conv5.i
  br label %strncmp.exit

for.inc.i:                                        ; preds = %lor.lhs.false.i
  %dec.i = add i64 %n.addr.017.i, -1
  %incdec.ptr.i7 = getelementptr inbounds i8, ptr %a.addr.015.i, i64 1
  %incdec.ptr6.i = getelementptr inbounds i8, ptr %b.addr.016.i, i64 1
  %tobool.not.i8 = icmp eq i64 %dec.i, 0
  br i1 %tobool.not.i8, label %strncmp.exit, label %for.body.i, !llvm.loop !15

strncmp.exit:                                     ; preds = %for.inc.i, %for.cond, %if.then.i
  %retval.0.i = phi i32 [ %sub.i, %if.then.i ], [ 0, %for.cond ], [ 0, %for.inc.i ]
  %tobool.not = icmp eq i32 %retval.0.i, 0
  br i1 %tobool.not, label %cleanup, label %for.body

for.body:                                         ; preds = %strncmp.exit
  %4 = load i8, ptr %s.addr.0, align 1, !tbaa !5
  %tobool2.not = icmp eq i8 %4, 0
  br i1 %tobool2.not, label %cleanup, label %for.inc

for.inc:                                          ; preds = %for.body
  %incdec.ptr = getelementptr inbounds i8, ptr %s.addr.0, i64 1
  br label %for.cond, !llvm.loop !32

cleanup:                                          ; preds = %strncmp.exit, %for.body
  %retval.0 = phi ptr [ null, %for.body ], [ %s.addr.0, %strncmp.exit ]
  ret ptr %retval.0
}

; Function Attrs: nofree norecurse nosync nounwind memory(read, inaccessiblemem: none) uwtable
define linkonce_odr i64 @strspn(ptr nocapture noundef readonly %s, ptr noundef readonly %those) local_unnamed_addr #2 {
entry:
  %0 = load i8, ptr %s, align 1, !tbaa !5
  %tobool.not12 = icmp eq i8 %0, 0
  br i1 %tobool.not12, label %while.end, label %land.rhs.lr.ph

land.rhs.lr.ph:                                   ; preds = %entry
  %1 = load i8, ptr %those, align 1, !tbaa !5
  br label %land.rhs

land.rhs:                                         ; preds = %land.rhs.lr.ph, %while.body.critedge
  %2 = phi i8 [ %0, %land.rhs.lr.ph ], [ %5, %while.body.critedge ]
  %n.013 = phi i64 [ 0, %land.rhs.lr.ph ], [ %inc, %while.body.critedge ]
  %cmp.not8.i = icmp eq i8 %2, %1
  br i1 %cmp.not8.i, label %while.body.critedge, label %for.body.i

for.body.i:                                       ; preds = %land.rhs, %for.inc.i
  %3 = phi i8 [ %4, %for.inc.i ], [ %1, %land.rhs ]
  %s.addr.09.i = phi ptr [ %incdec.ptr.i, %for.inc.i ], [ %those, %land.rhs ]
  %tobool.not.i = icmp eq i8 %3, 0
  br i1 %tobool.not.i, label %while.end, label %for.inc.i

for.inc.i:                                        ; preds = %for.body.i
  %incdec.ptr.i = getelementptr inbounds i8, ptr %s.addr.09.i, i64 1
  %4 = load i8, ptr %incdec.ptr.i, align 1, !tbaa !5
  %cmp.not.i = icmp eq i8 %2, %4
  br i1 %cmp.not.i, label %while.body.critedge, label %for.body.i, !llvm.loop !30

while.body.critedge:                              ; preds = %for.inc.i, %land.rhs
  %inc = add i64 %n.013, 1
  %arrayidx = getelementptr inbounds i8, ptr %s, i64 %inc
  %5 = load i8, ptr %arrayidx, align 1, !tbaa !5
  %tobool.not = icmp eq i8 %5, 0
  br i1 %tobool.not, label %while.end, label %land.rhs, !llvm.loop !33

while.end:                                        ; preds = %while.body.critedge, %for.body.i, %entry
  %n.011 = phi i64 [ 0, %entry ], [ %n.013, %for.body.i ], [ %inc, %while.body.critedge ]
  ret i64 %n.011
}

; Function Attrs: nofree norecurse nosync nounwind memory(read, inaccessiblemem: none) uwtable
define linkonce_odr i64 @strcspn(ptr nocapture noundef readonly %s, ptr noundef readonly %those) local_unnamed_addr #2 {
entry:
  %0 = load i8, ptr %s, align 1, !tbaa !5
  %tobool.not12 = icmp eq i8 %0, 0
  br i1 %tobool.not12, label %while.end, label %land.rhs.lr.ph

land.rhs.lr.ph:                                   ; preds = %entry
  %1 = load i8, ptr %those, align 1, !tbaa !5
  br label %land.rhs

land.rhs:                                         ; preds = %land.rhs.lr.ph, %while.body
  %2 = phi i8 [ %0, %land.rhs.lr.ph ], [ %5, %while.body ]
  %n.013 = phi i64 [ 0, %land.rhs.lr.ph ], [ %inc, %while.body ]
  %cmp.not8.i = icmp eq i8 %2, %1
  br i1 %cmp.not8.i, label %while.end, label %for.body.i

for.body.i:                                       ; preds = %land.rhs, %for.inc.i
  %3 = phi i8 [ %4, %for.inc.i ], [ %1, %land.rhs ]
  %s.addr.09.i = phi ptr [ %incdec.ptr.i, %for.inc.i ], [ %those, %land.rhs ]
  %tobool.not.i = icmp eq i8 %3, 0
  br i1 %tobool.not.i, label %while.body, label %for.inc.i

for.inc.i:                                        ; preds = %for.body.i
  %incdec.ptr.i = getelementptr inbounds i8, ptr %s.addr.09.i, i64 1
  %4 = load i8, ptr %incdec.ptr.i, align 1, !tbaa !5
  %cmp.not.i = icmp eq i8 %2, %4
  br i1 %cmp.not.i, label %while.end, label %for.body.i, !llvm.loop !30

while.body:                                       ; preds = %for.body.i
  %inc = add i64 %n.013, 1
  %arrayidx = getelementptr inbounds i8, ptr %s, i64 %inc
  %5 = load i8, ptr %arrayidx, align 1, !tbaa !5
  %tobool.not = icmp eq i8 %5, 0
  br i1 %tobool.not, label %while.end, label %land.rhs, !llvm.loop !34

while.end:                                        ; preds = %while.body, %land.rhs, %for.inc.i, %entry
  %n.011 = phi i64 [ 0, %entry ], [ %n.013, %for.inc.i ], [ %n.013, %land.rhs ], [ %inc, %while.body ]
  ret i64 %n.011
}

; Function Attrs: nofree norecurse nosync nounwind memory(read, inaccessiblemem: none) uwtable
define linkonce_odr ptr @strpbrk(ptr noundef readonly %s, ptr nocapture noundef readonly %those) local_unnamed_addr #2 {
entry:
  %0 = load i8, ptr %s, align 1, !tbaa !5
  %tobool.not12.i = icmp eq i8 %0, 0
  br i1 %tobool.not12.i, label %strcspn.exit, label %land.rhs.lr.ph.i

land.rhs.lr.ph.i:                                 ; preds = %entry
  %1 = load i8, ptr %those, align 1, !tbaa !5
  br label %land.rhs.i

land.rhs.i:                                       ; preds = %while.body.i, %land.rhs.lr.ph.i
  %2 = phi i8 [ %0, %land.rhs.lr.ph.i ], [ %5, %while.body.i ]
  %n.013.i = phi i64 [ 0, %land.rhs.lr.ph.i ], [ %inc.i, %while.body.i ]
  %cmp.not8.i.i = icmp eq i8 %2, %1
  br i1 %cmp.not8.i.i, label %strcspn.exit, label %for.body.i.i

for.body.i.i:                                     ; preds = %land.rhs.i, %for.inc.i.i
  %3 = phi i8 [ %4, %for.inc.i.i ], [ %1, %land.rhs.i ]
  %s.addr.09.i.i = phi ptr [ %incdec.ptr.i.i, %for.inc.i.i ], [ %those, %land.rhs.i ]
  %tobool.not.i.i = icmp eq i8 %3, 0
  br i1 %tobool.not.i.i, label %while.body.i, label %for.inc.i.i

for.inc.i.i:                                      ; preds = %for.body.i.i
  %incdec.ptr.i.i = getelementptr inbounds i8, ptr %s.addr.09.i.i, i64 1
  %4 = load i8, ptr %incdec.ptr.i.i, align 1, !tbaa !5
  %cmp.not.i.i = icmp eq i8 %2, %4
  br i1 %cmp.not.i.i, label %strcspn.exit, label %for.body.i.i, !llvm.loop !30

while.body.i:                                     ; preds = %for.body.i.i
  %inc.i = add i64 %n.013.i, 1
  %arrayidx.i = getelementptr inbounds i8, ptr %s, i64 %inc.i
  %5 = load i8, ptr %arrayidx.i, align 1, !tbaa !5
  %tobool.not.i = icmp eq i8 %5, 0
  br i1 %tobool.not.i, label %strcspn.exit, label %land.rhs.i, !llvm.loop !34

strcspn.exit:                                     ; preds = %land.rhs.i, %while.body.i, %for.inc.i.i, %entry
  %n.011.i = phi i64 [ 0, %entry ], [ %n.013.i, %for.inc.i.i ], [ %n.013.i, %land.rhs.i ], [ %inc.i, %while.body.i ]
  %add.ptr = getelementptr inbounds i8, ptr %s, i64 %n.011.i
  %6 = load i8, ptr %add.ptr, align 1, !tbaa !5
  %tobool.not = icmp eq i8 %6, 0
  %cond = select i1 %tobool.not, ptr null, ptr %add.ptr
  ret ptr %cond
}

; Function Attrs: nofree norecurse nosync nounwind memory(readwrite, argmem: none, inaccessiblemem: none) uwtable
define linkonce_odr ptr @malloc(i64 noundef %n) local_unnamed_addr #9 {
entry:
  %cmp = icmp ugt i64 %n, 4194304
  br i1 %cmp, label %return, label %if.end

if.end:                                           ; preds = %entry
  %add = add i64 %n, 15
  %0 = lshr i64 %add, 3
  %mul = and i64 %0, 2305843009213693950
  %add1 = add nuw nsw i64 %mul, 2
  %heap_used.promoted = load i64, ptr @heap_used, align 8, !tbaa !35
  %or = or i64 %add1, 1
  br label %while.cond

while.cond:                                       ; preds = %cleanup, %if.end
  %at.089 = phi i64 [ %heap_used.promoted, %if.end ], [ %at.088, %cleanup ]
  %retval.0 = phi ptr [ undef, %if.end ], [ %retval.1, %cleanup ]
  %at.0 = phi i64 [ 0, %if.end ], [ %at.1, %cleanup ]
  %cmp2 = icmp ult i64 %at.0, %at.089
  br i1 %cmp2, label %while.body, label %while.end35

while.body:                                       ; preds = %while.cond
  %arrayidx = getelementptr inbounds [524288 x i64], ptr @heap, i64 0, i64 %at.0
  %1 = load i64, ptr %arrayidx, align 8, !tbaa !35
  %and = and i64 %1, -2
  %and4 = and i64 %1, 1
  %tobool.not = icmp eq i64 %and4, 0
  br i1 %tobool.not, label %while.cond6.preheader, label %if.end33

while.cond6.preheader:                            ; preds = %while.body
  %add781 = add i64 %and, %at.0
  %cmp882 = icmp ult i64 %add781, %at.089
  br i1 %cmp882, label %land.rhs, label %while.end

while.cond6:                                      ; preds = %land.rhs
  %add16 = add i64 %2, %here.083
  %add7 = add i64 %add16, %at.0
  %cmp8 = icmp ult i64 %add7, %at.089
  br i1 %cmp8, label %land.rhs, label %while.end, !llvm.loop !37

land.rhs:                                         ; preds = %while.cond6.preheader, %while.cond6
  %add784 = phi i64 [ %add7, %while.cond6 ], [ %add781, %while.cond6.preheader ]
  %here.083 = phi i64 [ %add16, %while.cond6 ], [ %and, %while.cond6.preheader ]
  %arrayidx10 = getelementptr inbounds [524288 x i64], ptr @heap, i64 0, i64 %add784
  %2 = load i64, ptr %arrayidx10, align 8, !tbaa !35
  %and11 = and i64 %2, 1
  %tobool12.not = icmp eq i64 %and11, 0
  br i1 %tobool12.not, label %while.cond6, label %while.end

while.end:                                        ; preds = %land.rhs, %while.cond6, %while.cond6.preheader
  %here.0.lcssa = phi i64 [ %and, %while.cond6.preheader ], [ %here.083, %land.rhs ], [ %add16, %while.cond6 ]
  %add7.lcssa = phi i64 [ %add781, %while.cond6.preheader ], [ %add784, %land.rhs ], [ %add7, %while.cond6 ]
  %cmp18 = icmp eq i64 %add7.lcssa, %at.089
  br i1 %cmp18, label %if.then19, label %if.end20

if.then19:                                        ; preds = %while.end
  store i64 %at.0, ptr @heap_used, align 8, !tbaa !35
  br label %cleanup

if.end20:                                         ; preds = %while.end
  store i64 %here.0.lcssa, ptr %arrayidx, align 8, !tbaa !35
  %cmp22.not = icmp ult i64 %here.0.lcssa, %add1
  br i1 %cmp22.not, label %if.end33, label %if.then23

if.then23:                                        ; preds = %if.end20
  %cmp24 = icmp ugt i64 %here.0.lcssa, %add1
  br i1 %cmp24, label %if.then25, label %if.end28

if.then25:                                        ; preds = %if.then23
  %sub = sub i64 %here.0.lcssa, %add1
  %add26 = add i64 %at.0, %add1
  %arrayidx27 = getelementptr inbounds [524288 x i64], ptr @heap, i64 0, i64 %add26
  store i64 %sub, ptr %arrayidx27, align 8, !tbaa !35
  br label %if.end28

if.end28:                                         ; preds = %if.then25, %if.then23
  store i64 %or, ptr %arrayidx, align 8, !tbaa !35
  %add30 = add i64 %at.0, 2
  %arrayidx31 = getelementptr inbounds [524288 x i64], ptr @heap, i64 0, i64 %add30
  br label %cleanup

if.end33:                                         ; preds = %if.end20, %while.body
  %here.1 = phi i64 [ %and, %while.body ], [ %here.0.lcssa, %if.end20 ]
  %add34 = add i64 %here.1, %at.0
  br label %cleanup

cleanup:                                          ; preds = %if.end33, %if.end28, %if.then19
  %at.088 = phi i64 [ %at.089, %if.end33 ], [ %at.0, %if.then19 ], [ %at.089, %if.end28 ]
  %retval.1 = phi ptr [ %retval.0, %if.end33 ], [ %retval.0, %if.then19 ], [ %arrayidx31, %if.end28 ]
  %at.1 = phi i64 [ %add34, %if.end33 ], [ %at.0, %if.then19 ], [ %at.0, %if.end28 ]
  %cleanup.dest.slot.0 = phi i32 [ 0, %if.end33 ], [ 3, %if.then19 ], [ 1, %if.end28 ]
  switch i32 %cleanup.dest.slot.0, label %return [
    i32 0, label %while.cond
    i32 3, label %while.end35
  ], !llvm.loop !38

while.end35:                                      ; preds = %cleanup, %while.cond
  %at.2 = phi i64 [ %at.1, %cleanup ], [ %at.0, %while.cond ]
  %add36 = add i64 %at.2, %add1
  %cmp37 = icmp ugt i64 %add36, 524288
  br i1 %cmp37, label %return, label %if.end39

if.end39:                                         ; preds = %while.end35
  store i64 %add36, ptr @heap_used, align 8, !tbaa !35
  %or41 = or i64 %add1, 1
  %arrayidx42 = getelementptr inbounds [524288 x i64], ptr @heap, i64 0, i64 %at.2
  store i64 %or41, ptr %arrayidx42, align 8, !tbaa !35
  %add43 = add i64 %at.2, 2
  %arrayidx44 = getelementptr inbounds [524288 x i64], ptr @heap, i64 0, i64 %add43
  br label %return

return:                                           ; preds = %cleanup, %if.end39, %while.end35, %entry
  %retval.3 = phi ptr [ null, %entry ], [ %arrayidx44, %if.end39 ], [ null, %while.end35 ], [ %retval.1, %cleanup ]
  ret ptr %retval.3
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) uwtable
define linkonce_odr void @free(ptr noundef %block) local_unnamed_addr #10 {
entry:
  %tobool.not = icmp eq ptr %block, null
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %arrayidx = getelementptr inbounds i64, ptr %block, i64 -2
  %0 = load i64, ptr %arrayidx, align 8, !tbaa !35
  %and = and i64 %0, -2
  store i64 %and, ptr %arrayidx, align 8, !tbaa !35
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

; Function Attrs: nounwind uwtable
define linkonce_odr ptr @calloc(i64 noundef %count, i64 noundef %size) local_unnamed_addr #0 {
entry:
  %mul9 = tail call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %size, i64 %count)
  %mul.val = extractvalue { i64, i1 } %mul9, 0
  %tobool.not = icmp eq i64 %size, 0
  br i1 %tobool.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %mul.ov = extractvalue { i64, i1 } %mul9, 1
  br i1 %mul.ov, label %cleanup, label %if.end

if.end:                                           ; preds = %land.lhs.true, %entry
  %call = tail call ptr @malloc(i64 noundef %mul.val) #22
  %tobool1.not = icmp eq ptr %call, null
  br i1 %tobool1.not, label %cleanup, label %cond.true

cond.true:                                        ; preds = %if.end
  %call2 = tail call ptr @memset(ptr noundef nonnull %call, i32 noundef 0, i64 noundef %mul.val) #21
  br label %cleanup

cleanup:                                          ; preds = %cond.true, %if.end, %land.lhs.true
  %retval.0 = phi ptr [ null, %land.lhs.true ], [ %call2, %cond.true ], [ null, %if.end ]
  ret ptr %retval.0
}

; Function Attrs: nounwind uwtable
define linkonce_odr ptr @realloc(ptr noundef %block, i64 noundef %n) local_unnamed_addr #0 {
entry:
  %tobool.not = icmp eq ptr %block, null
  br i1 %tobool.not, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %call = tail call ptr @malloc(i64 noundef %n) #22
  br label %return

if.end:                                           ; preds = %entry
  %arrayidx = getelementptr inbounds i64, ptr %block, i64 -2
  %0 = load i64, ptr %arrayidx, align 8, !tbaa !35
  %and = shl i64 %0, 3
  %mul = and i64 %and, -16
  %sub = add nsw i64 %mul, -16
  %cmp.not = icmp ult i64 %sub, %n
  br i1 %cmp.not, label %if.end2, label %return

if.end2:                                          ; preds = %if.end
  %call3 = tail call ptr @malloc(i64 noundef %n) #22
  %tobool4.not = icmp eq ptr %call3, null
  br i1 %tobool4.not, label %return, label %if.then5

if.then5:                                         ; preds = %if.end2
  %call6 = tail call ptr @memcpy(ptr noundef nonnull %call3, ptr noundef nonnull %block, i64 noundef %sub) #21
  %1 = load i64, ptr %arrayidx, align 8, !tbaa !35
  %and.i = and i64 %1, -2
  store i64 %and.i, ptr %arrayidx, align 8, !tbaa !35
  br label %return

return:                                           ; preds = %if.end, %if.then5, %if.end2, %if.then
  %retval.1 = phi ptr [ %call, %if.then ], [ %block, %if.end ], [ %call3, %if.then5 ], [ %call3, %if.end2 ]
  ret ptr %retval.1
}

; Function Attrs: nofree nosync nounwind uwtable
define linkonce_odr ptr @strdup(ptr noundef %s) local_unnamed_addr #6 {
entry:
  br label %while.cond.i

while.cond.i:                                     ; preds = %while.cond.i, %entry
  %end.0.i = phi ptr [ %s, %entry ], [ %incdec.ptr.i, %while.cond.i ]
  %0 = load i8, ptr %end.0.i, align 1, !tbaa !5
  %tobool.not.i = icmp eq i8 %0, 0
  %incdec.ptr.i = getelementptr inbounds i8, ptr %end.0.i, i64 1
  br i1 %tobool.not.i, label %strlen.exit, label %while.cond.i, !llvm.loop !12

strlen.exit:                                      ; preds = %while.cond.i
  %sub.ptr.lhs.cast.i = ptrtoint ptr %end.0.i to i64
  %sub.ptr.rhs.cast.i = ptrtoint ptr %s to i64
  %sub.ptr.sub.i = sub i64 1, %sub.ptr.rhs.cast.i
  %add = add i64 %sub.ptr.sub.i, %sub.ptr.lhs.cast.i
  %call1 = tail call ptr @malloc(i64 noundef %add) #22
  %tobool.not = icmp eq ptr %call1, null
  br i1 %tobool.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %strlen.exit
  tail call void @llvm.experimental.noalias.scope.decl(metadata !39)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !42)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !44)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !47)
  %1 = load i8, ptr %s, align 1, !tbaa !5, !alias.scope !49, !noalias !50
  store i8 %1, ptr %call1, align 1, !tbaa !5, !alias.scope !50, !noalias !49
  %tobool.not5.i.i = icmp eq i8 %1, 0
  br i1 %tobool.not5.i.i, label %cond.end, label %while.body.i.i

while.body.i.i:                                   ; preds = %cond.true, %while.body.i.i
  %from.addr.07.i.i = phi ptr [ %incdec.ptr1.i.i, %while.body.i.i ], [ %s, %cond.true ]
  %to.addr.06.i.i = phi ptr [ %incdec.ptr.i.i, %while.body.i.i ], [ %call1, %cond.true ]
  %incdec.ptr.i.i = getelementptr inbounds i8, ptr %to.addr.06.i.i, i64 1
  %incdec.ptr1.i.i = getelementptr inbounds i8, ptr %from.addr.07.i.i, i64 1
  %2 = load i8, ptr %incdec.ptr1.i.i, align 1, !tbaa !5, !alias.scope !49, !noalias !50
  store i8 %2, ptr %incdec.ptr.i.i, align 1, !tbaa !5, !alias.scope !50, !noalias !49
  %tobool.not.i.i = icmp eq i8 %2, 0
  br i1 %tobool.not.i.i, label %cond.end, label %while.body.i.i, !llvm.loop !16

cond.end:                                         ; preds = %while.body.i.i, %cond.true, %strlen.exit
  %cond = phi ptr [ null, %strlen.exit ], [ %call1, %cond.true ], [ %call1, %while.body.i.i ]
  ret ptr %cond
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i32 @isupper(i32 noundef %c) local_unnamed_addr #11 {
entry:
  %0 = add i32 %c, -65
  %1 = icmp ult i32 %0, 26
  %land.ext = zext i1 %1 to i32
  ret i32 %land.ext
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i32 @islower(i32 noundef %c) local_unnamed_addr #11 {
entry:
  %0 = add i32 %c, -97
  %1 = icmp ult i32 %0, 26
  %land.ext = zext i1 %1 to i32
  ret i32 %land.ext
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i32 @isdigit(i32 noundef %c) local_unnamed_addr #11 {
entry:
  %0 = add i32 %c, -48
  %1 = icmp ult i32 %0, 10
  %land.ext = zext i1 %1 to i32
  ret i32 %land.ext
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i32 @isalpha(i32 noundef %c) local_unnamed_addr #11 {
entry:
  %0 = and i32 %c, -33
  %1 = add i32 %0, -65
  %narrow = icmp ult i32 %1, 26
  %lor.ext = zext i1 %narrow to i32
  ret i32 %lor.ext
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i32 @isalnum(i32 noundef %c) local_unnamed_addr #11 {
entry:
  %0 = and i32 %c, -33
  %1 = add i32 %0, -65
  %narrow.i = icmp ult i32 %1, 26
  %2 = add i32 %c, -48
  %3 = icmp ult i32 %2, 10
  %narrow = or i1 %3, %narrow.i
  %lor.ext = zext i1 %narrow to i32
  ret i32 %lor.ext
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i32 @isblank(i32 noundef %c) local_unnamed_addr #11 {
entry:
  %cmp = icmp eq i32 %c, 32
  %cmp1 = icmp eq i32 %c, 9
  %0 = or i1 %cmp, %cmp1
  %lor.ext = zext i1 %0 to i32
  ret i32 %lor.ext
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i32 @isspace(i32 noundef %c) local_unnamed_addr #11 {
entry:
  %cmp = icmp eq i32 %c, 32
  %0 = add i32 %c, -9
  %1 = icmp ult i32 %0, 5
  %narrow = or i1 %cmp, %1
  %lor.ext = zext i1 %narrow to i32
  ret i32 %lor.ext
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i32 @iscntrl(i32 noundef %c) local_unnamed_addr #11 {
entry:
  %or.cond = icmp ult i32 %c, 32
  %cmp2 = icmp eq i32 %c, 127
  %narrow = or i1 %or.cond, %cmp2
  %lor.ext = zext i1 %narrow to i32
  ret i32 %lor.ext
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i32 @isprint(i32 noundef %c) local_unnamed_addr #11 {
entry:
  %0 = add i32 %c, -32
  %1 = icmp ult i32 %0, 95
  %land.ext = zext i1 %1 to i32
  ret i32 %land.ext
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i32 @isgraph(i32 noundef %c) local_unnamed_addr #11 {
entry:
  %0 = add i32 %c, -33
  %1 = icmp ult i32 %0, 94
  %land.ext = zext i1 %1 to i32
  ret i32 %land.ext
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i32 @ispunct(i32 noundef %c) local_unnamed_addr #11 {
entry:
  %0 = add i32 %c, -127
  %1 = icmp ult i32 %0, -94
  br i1 %1, label %land.end, label %land.rhs

land.rhs:                                         ; preds = %entry
  %2 = and i32 %c, -33
  %3 = add i32 %2, -91
  %narrow.i.i = icmp ult i32 %3, -26
  %4 = add i32 %c, -58
  %5 = icmp ult i32 %4, -10
  %narrow.i.not = and i1 %5, %narrow.i.i
  %6 = zext i1 %narrow.i.not to i32
  br label %land.end

land.end:                                         ; preds = %land.rhs, %entry
  %land.ext = phi i32 [ 0, %entry ], [ %6, %land.rhs ]
  ret i32 %land.ext
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i32 @isxdigit(i32 noundef %c) local_unnamed_addr #11 {
entry:
  %0 = add i32 %c, -48
  %1 = icmp ult i32 %0, 10
  %2 = and i32 %c, -33
  %3 = add i32 %2, -65
  %4 = icmp ult i32 %3, 6
  %narrow = or i1 %1, %4
  %lor.ext = zext i1 %narrow to i32
  ret i32 %lor.ext
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i32 @tolower(i32 noundef %c) local_unnamed_addr #11 {
entry:
  %0 = add i32 %c, -91
  %1 = icmp ult i32 %0, -26
  %add = add nsw i32 %c, 32
  %cond = select i1 %1, i32 %c, i32 %add
  ret i32 %cond
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define linkonce_odr i32 @toupper(i32 noundef %c) local_unnamed_addr #11 {
entry:
  %0 = add i32 %c, -123
  %1 = icmp ult i32 %0, -26
  %sub = add nsw i32 %c, -32
  %cond = select i1 %1, i32 %c, i32 %sub
  ret i32 %cond
}

; Function Attrs: nofree norecurse nosync nounwind memory(readwrite, argmem: none, inaccessiblemem: none) uwtable
define linkonce_odr nonnull ptr @__ctype_b_loc() local_unnamed_addr #9 {
entry:
  %0 = load ptr, ptr @classes_at, align 8, !tbaa !51
  %tobool.not = icmp eq ptr %0, null
  br i1 %tobool.not, label %for.body, label %if.end

for.cond.cleanup:                                 ; preds = %ispunct.exit
  store ptr getelementptr inbounds ([384 x i16], ptr @classes, i64 0, i64 128), ptr @classes_at, align 8, !tbaa !51
  br label %if.end

for.body:                                         ; preds = %entry, %ispunct.exit
  %indvars.iv = phi i64 [ %indvars.iv.next, %ispunct.exit ], [ 0, %entry ]
  %1 = trunc i64 %indvars.iv to i32
  %2 = add i32 %1, -65
  %3 = icmp ult i32 %2, 26
  %shl = select i1 %3, i16 256, i16 0
  %4 = trunc i64 %indvars.iv to i32
  %5 = add i32 %4, -97
  %6 = icmp ult i32 %5, 26
  %shl2 = select i1 %6, i16 512, i16 0
  %or = or i16 %shl, %shl2
  %7 = trunc i64 %indvars.iv to i32
  %8 = and i32 %7, 2147483615
  %9 = add nsw i32 %8, -65
  %narrow.i = icmp ult i32 %9, 26
  %shl4 = select i1 %narrow.i, i16 1024, i16 0
  %10 = trunc i64 %indvars.iv to i32
  %11 = add i32 %10, -48
  %12 = icmp ult i32 %11, 10
  %shl7 = select i1 %12, i16 2048, i16 0
  %13 = icmp ult i32 %9, 6
  %narrow.i48 = or i1 %12, %13
  %shl10 = select i1 %narrow.i48, i16 4096, i16 0
  %cmp.i = icmp eq i64 %indvars.iv, 32
  %14 = trunc i64 %indvars.iv to i32
  %15 = add i32 %14, -9
  %16 = icmp ult i32 %15, 5
  %narrow.i50 = or i1 %cmp.i, %16
  %shl13 = select i1 %narrow.i50, i16 8192, i16 0
  %17 = trunc i64 %indvars.iv to i32
  %18 = add i32 %17, -32
  %19 = icmp ult i32 %18, 95
  %shl16 = select i1 %19, i16 16384, i16 0
  %20 = trunc i64 %indvars.iv to i32
  %21 = add i32 %20, -33
  %22 = icmp ult i32 %21, 94
  %shl19 = select i1 %22, i16 -32768, i16 0
  %cmp1.i = icmp eq i64 %indvars.iv, 9
  %23 = or i1 %cmp.i, %cmp1.i
  %lor.ext.i55 = zext i1 %23 to i16
  %or.cond.i = icmp ult i64 %indvars.iv, 32
  %cmp2.i = icmp eq i64 %indvars.iv, 127
  %narrow.i56 = or i1 %or.cond.i, %cmp2.i
  %shl24 = select i1 %narrow.i56, i16 2, i16 0
  %24 = trunc i64 %indvars.iv to i32
  %25 = add i32 %24, -127
  %26 = icmp ult i32 %25, -94
  br i1 %26, label %ispunct.exit, label %land.rhs.i

land.rhs.i:                                       ; preds = %for.body
  %27 = add nsw i32 %8, -91
  %narrow.i.i.i = icmp ult i32 %27, -26
  %28 = trunc i64 %indvars.iv to i32
  %29 = add i32 %28, -58
  %30 = icmp ult i32 %29, -10
  %narrow.i.not.i = and i1 %30, %narrow.i.i.i
  %31 = zext i1 %narrow.i.not.i to i16
  br label %ispunct.exit

ispunct.exit:                                     ; preds = %for.body, %land.rhs.i
  %land.ext.i58 = phi i16 [ 0, %for.body ], [ %31, %land.rhs.i ]
  %shl27 = shl nuw nsw i16 %land.ext.i58, 2
  %narrow.i59 = or i1 %12, %narrow.i
  %shl30 = select i1 %narrow.i59, i16 8, i16 0
  %or5 = or i16 %or, %shl7
  %or8 = or i16 %or5, %shl16
  %or11 = or i16 %or8, %shl19
  %or14 = or i16 %or11, %lor.ext.i55
  %or17 = or i16 %or14, %shl24
  %or20 = or i16 %or17, %shl4
  %or22 = or i16 %or20, %shl13
  %or25 = or i16 %or22, %shl10
  %or28 = or i16 %or25, %shl30
  %or31 = or i16 %or28, %shl27
  %32 = add nuw nsw i64 %indvars.iv, 128
  %arrayidx = getelementptr inbounds [384 x i16], ptr @classes, i64 0, i64 %32
  store i16 %or31, ptr %arrayidx, align 2, !tbaa !53
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, 128
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body, !llvm.loop !55

if.end:                                           ; preds = %for.cond.cleanup, %entry
  ret ptr @classes_at
}

; Function Attrs: nofree norecurse nosync nounwind memory(readwrite, argmem: none, inaccessiblemem: none) uwtable
define linkonce_odr nonnull ptr @__ctype_tolower_loc() local_unnamed_addr #9 {
entry:
  %0 = load ptr, ptr @lowered_at, align 8, !tbaa !51
  %tobool.not = icmp eq ptr %0, null
  br i1 %tobool.not, label %for.body, label %if.end

for.cond.cleanup:                                 ; preds = %for.body
  store ptr getelementptr inbounds ([384 x i32], ptr @lowered, i64 0, i64 128), ptr @lowered_at, align 8, !tbaa !51
  br label %if.end

for.body:                                         ; preds = %entry, %for.body
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.body ], [ -128, %entry ]
  %indvars7 = trunc i64 %indvars.iv to i32
  %1 = trunc i64 %indvars.iv to i32
  %2 = add i32 %1, -91
  %3 = icmp ult i32 %2, -26
  %add.i = add nsw i32 %indvars7, 32
  %4 = trunc i64 %indvars.iv to i32
  %cond.i = select i1 %3, i32 %4, i32 %add.i
  %5 = add nsw i64 %indvars.iv, 128
  %arrayidx = getelementptr inbounds [384 x i32], ptr @lowered, i64 0, i64 %5
  store i32 %cond.i, ptr %arrayidx, align 4, !tbaa !56
  %indvars.iv.next = add nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, 256
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body, !llvm.loop !58

if.end:                                           ; preds = %for.cond.cleanup, %entry
  ret ptr @lowered_at
}

; Function Attrs: nofree norecurse nosync nounwind memory(readwrite, argmem: none, inaccessiblemem: none) uwtable
define linkonce_odr nonnull ptr @__ctype_toupper_loc() local_unnamed_addr #9 {
entry:
  %0 = load ptr, ptr @raised_at, align 8, !tbaa !51
  %tobool.not = icmp eq ptr %0, null
  br i1 %tobool.not, label %for.body, label %if.end

for.cond.cleanup:                                 ; preds = %for.body
  store ptr getelementptr inbounds ([384 x i32], ptr @raised, i64 0, i64 128), ptr @raised_at, align 8, !tbaa !51
  br label %if.end

for.body:                                         ; preds = %entry, %for.body
  %indvars.iv = phi i64 [ %indvars.iv.next, %for.body ], [ -128, %entry ]
  %indvars7 = trunc i64 %indvars.iv to i32
  %1 = trunc i64 %indvars.iv to i32
  %2 = add i32 %1, -123
  %3 = icmp ult i32 %2, -26
  %sub.i = add nsw i32 %indvars7, -32
  %4 = trunc i64 %indvars.iv to i32
  %cond.i = select i1 %3, i32 %4, i32 %sub.i
  %5 = add nsw i64 %indvars.iv, 128
  %arrayidx = getelementptr inbounds [384 x i32], ptr @raised, i64 0, i64 %5
  store i32 %cond.i, ptr %arrayidx, align 4, !tbaa !56
  %indvars.iv.next = add nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, 256
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body, !llvm.loop !59

if.end:                                           ; preds = %for.cond.cleanup, %entry
  ret ptr @raised_at
}

; Function Attrs: nofree norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none) uwtable
define linkonce_odr i64 @strtol(ptr noalias noundef %s, ptr noalias noundef %end, i32 noundef %base) local_unnamed_addr #8 {
entry:
  %call = tail call fastcc i64 @number(ptr noundef %s, ptr noundef %end, i32 noundef %base, i32 noundef 1) #22
  ret i64 %call
}

; Function Attrs: nofree norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none) uwtable
define internal fastcc i64 @number(ptr noundef %s, ptr noundef writeonly %end, i32 noundef %base, i32 noundef %is_signed) unnamed_addr #8 {
entry:
  br label %while.cond

while.cond:                                       ; preds = %while.cond, %entry
  %s.addr.0 = phi ptr [ %s, %entry ], [ %incdec.ptr, %while.cond ]
  %0 = load i8, ptr %s.addr.0, align 1, !tbaa !5
  %conv = sext i8 %0 to i32
  %cmp.i = icmp ne i8 %0, 32
  %1 = add nsw i32 %conv, -14
  %2 = icmp ult i32 %1, -5
  %narrow.i.not = and i1 %cmp.i, %2
  %incdec.ptr = getelementptr inbounds i8, ptr %s.addr.0, i64 1
  br i1 %narrow.i.not, label %while.end, label %while.cond, !llvm.loop !60

while.end:                                        ; preds = %while.cond
  %cmp = icmp eq i8 %0, 45
  %cmp7 = icmp eq i8 %0, 43
  %or.cond127 = or i1 %cmp, %cmp7
  %s.addr.1.idx = zext i1 %or.cond127 to i64
  %s.addr.1 = getelementptr i8, ptr %s.addr.0, i64 %s.addr.1.idx
  %3 = and i32 %base, -17
  %or.cond = icmp eq i32 %3, 0
  br i1 %or.cond, label %land.lhs.true, label %if.end29

land.lhs.true:                                    ; preds = %while.end
  %4 = load i8, ptr %s.addr.1, align 1, !tbaa !5
  %cmp16 = icmp eq i8 %4, 48
  br i1 %cmp16, label %land.lhs.true18, label %if.end29

land.lhs.true18:                                  ; preds = %land.lhs.true
  %arrayidx19 = getelementptr inbounds i8, ptr %s.addr.1, i64 1
  %5 = load i8, ptr %arrayidx19, align 1, !tbaa !5
  %6 = and i8 %5, -33
  %cmp21 = icmp eq i8 %6, 88
  br i1 %cmp21, label %land.lhs.true23, label %if.end29

land.lhs.true23:                                  ; preds = %land.lhs.true18
  %arrayidx24 = getelementptr inbounds i8, ptr %s.addr.1, i64 2
  %7 = load i8, ptr %arrayidx24, align 1, !tbaa !5
  %conv25 = sext i8 %7 to i32
  %8 = add nsw i32 %conv25, -58
  %9 = icmp ult i32 %8, -10
  %10 = and i32 %conv25, -33
  %11 = add nsw i32 %10, -71
  %12 = icmp ult i32 %11, -6
  %narrow.i130.not = and i1 %9, %12
  %spec.select = select i1 %narrow.i130.not, i32 %base, i32 16
  %spec.select128 = select i1 %narrow.i130.not, ptr %s.addr.1, ptr %arrayidx24
  br label %if.end29

if.end29:                                         ; preds = %land.lhs.true23, %while.end, %land.lhs.true18, %land.lhs.true
  %base.addr.0 = phi i32 [ %base, %land.lhs.true18 ], [ %base, %land.lhs.true ], [ %base, %while.end ], [ %spec.select, %land.lhs.true23 ]
  %s.addr.2 = phi ptr [ %s.addr.1, %land.lhs.true18 ], [ %s.addr.1, %land.lhs.true ], [ %s.addr.1, %while.end ], [ %spec.select128, %land.lhs.true23 ]
  %cmp30 = icmp eq i32 %base.addr.0, 0
  br i1 %cmp30, label %if.then32, label %if.end36

if.then32:                                        ; preds = %if.end29
  %13 = load i8, ptr %s.addr.2, align 1, !tbaa !5
  %cmp34 = icmp eq i8 %13, 48
  %cond = select i1 %cmp34, i32 8, i32 10
  br label %if.end36

if.end36:                                         ; preds = %if.then32, %if.end29
  %base.addr.1 = phi i32 [ %cond, %if.then32 ], [ %base.addr.0, %if.end29 ]
  %tobool37.not = icmp eq i32 %is_signed, 0
  %cond39 = select i1 %cmp, i64 -9223372036854775808, i64 9223372036854775807
  %spec.select129 = select i1 %tobool37.not, i64 -1, i64 %cond39
  %conv65 = sext i32 %base.addr.1 to i64
  br label %for.cond

for.cond:                                         ; preds = %cleanup, %if.end36
  %s.addr.3 = phi ptr [ %s.addr.2, %if.end36 ], [ %incdec.ptr72, %cleanup ]
  %value.0 = phi i64 [ 0, %if.end36 ], [ %value.1, %cleanup ]
  %tobool75.not = phi ptr [ %s, %if.end36 ], [ %incdec.ptr72, %cleanup ]
  %over.0 = phi i32 [ 0, %if.end36 ], [ %over.1, %cleanup ]
  %14 = load i8, ptr %s.addr.3, align 1, !tbaa !5
  %conv41 = sext i8 %14 to i32
  %15 = add nsw i32 %conv41, -48
  %16 = icmp ugt i32 %15, 9
  br i1 %16, label %cond.false46, label %cond.end57

cond.false46:                                     ; preds = %for.cond
  %17 = and i32 %conv41, -33
  %18 = add nsw i32 %17, -91
  %narrow.i132 = icmp ult i32 %18, -26
  br i1 %narrow.i132, label %cond.end57, label %cond.true50

cond.true50:                                      ; preds = %cond.false46
  %19 = or i8 %14, 32
  %or52 = sext i8 %19 to i32
  %add = add nsw i32 %or52, -87
  br label %cond.end57

cond.end57:                                       ; preds = %for.cond, %cond.true50, %cond.false46
  %cond58 = phi i32 [ %add, %cond.true50 ], [ 99, %cond.false46 ], [ %15, %for.cond ]
  %cmp59.not = icmp slt i32 %cond58, %base.addr.1
  br i1 %cmp59.not, label %if.end62, label %cleanup

if.end62:                                         ; preds = %cond.end57
  %conv63 = sext i32 %cond58 to i64
  %sub64 = sub i64 %spec.select129, %conv63
  %div = udiv i64 %sub64, %conv65
  %cmp66 = icmp ugt i64 %value.0, %div
  %conv67 = zext i1 %cmp66 to i32
  %or68 = or i32 %over.0, %conv67
  %mul = mul i64 %value.0, %conv65
  %add71 = add i64 %mul, %conv63
  br label %cleanup

cleanup:                                          ; preds = %cond.end57, %if.end62
  %value.1 = phi i64 [ %add71, %if.end62 ], [ %value.0, %cond.end57 ]
  %over.1 = phi i32 [ %or68, %if.end62 ], [ %over.0, %cond.end57 ]
  %incdec.ptr72 = getelementptr inbounds i8, ptr %s.addr.3, i64 1
  br i1 %cmp59.not, label %for.cond, label %for.end, !llvm.loop !61

for.end:                                          ; preds = %cleanup
  %tobool73.not = icmp eq ptr %end, null
  br i1 %tobool73.not, label %if.end80, label %if.then74

if.then74:                                        ; preds = %for.end
  store ptr %tobool75.not, ptr %end, align 8, !tbaa !51
  br label %if.end80

if.end80:                                         ; preds = %if.then74, %for.end
  %tobool81.not = icmp eq i32 %over.1, 0
  %sub86 = sub i64 0, %value.1
  %cond89 = select i1 %cmp, i64 %sub86, i64 %value.1
  %retval.0 = select i1 %tobool81.not, i64 %cond89, i64 %spec.select129
  ret i64 %retval.0
}

; Function Attrs: nofree norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none) uwtable
define linkonce_odr i64 @strtoul(ptr noalias noundef %s, ptr noalias noundef %end, i32 noundef %base) local_unnamed_addr #8 {
entry:
  %call = tail call fastcc i64 @number(ptr noundef %s, ptr noundef %end, i32 noundef %base, i32 noundef 0) #22
  ret i64 %call
}

; Function Attrs: nofree nosync nounwind memory(read, inaccessiblemem: readwrite) uwtable
define linkonce_odr i64 @atol(ptr nocapture noundef readonly %s) local_unnamed_addr #12 {
entry:
  br label %while.cond.i

while.cond.i:                                     ; preds = %while.cond.i, %entry
  %s.addr.0.i = phi ptr [ %s, %entry ], [ %incdec.ptr.i, %while.cond.i ]
  %0 = load i8, ptr %s.addr.0.i, align 1, !tbaa !5
  %conv.i = sext i8 %0 to i32
  %cmp.i.i = icmp ne i8 %0, 32
  %1 = add nsw i32 %conv.i, -14
  %2 = icmp ult i32 %1, -5
  %narrow.i.not.i = and i1 %cmp.i.i, %2
  %incdec.ptr.i = getelementptr inbounds i8, ptr %s.addr.0.i, i64 1
  br i1 %narrow.i.not.i, label %while.end.i, label %while.cond.i, !llvm.loop !60

while.end.i:                                      ; preds = %while.cond.i
  %cmp.i = icmp eq i8 %0, 45
  %cmp7.i = icmp eq i8 %0, 43
  %or.cond127.i = or i1 %cmp.i, %cmp7.i
  %s.addr.1.idx.i = zext i1 %or.cond127.i to i64
  %s.addr.1.i = getelementptr i8, ptr %s.addr.0.i, i64 %s.addr.1.idx.i
  %cond39.i = select i1 %cmp.i, i64 -9223372036854775808, i64 9223372036854775807
  br label %for.cond.i

for.cond.i:                                       ; preds = %cleanup.i, %while.end.i
  %s.addr.3.i = phi ptr [ %s.addr.1.i, %while.end.i ], [ %incdec.ptr72.i, %cleanup.i ]
  %value.0.i = phi i64 [ 0, %while.end.i ], [ %value.1.i, %cleanup.i ]
  %over.0.i = phi i32 [ 0, %while.end.i ], [ %over.1.i, %cleanup.i ]
  %3 = load i8, ptr %s.addr.3.i, align 1, !tbaa !5
  %conv41.i = sext i8 %3 to i32
  %4 = add nsw i32 %conv41.i, -48
  %5 = icmp ugt i32 %4, 9
  br i1 %5, label %cond.false46.i, label %cond.end57.i

cond.false46.i:                                   ; preds = %for.cond.i
  %6 = and i32 %conv41.i, -33
  %7 = add nsw i32 %6, -91
  %narrow.i132.i = icmp ult i32 %7, -26
  br i1 %narrow.i132.i, label %cond.end57.i, label %cond.true50.i

cond.true50.i:                                    ; preds = %cond.false46.i
  %8 = or i8 %3, 32
  %or52.i = sext i8 %8 to i32
  %add.i = add nsw i32 %or52.i, -87
  br label %cond.end57.i

cond.end57.i:                                     ; preds = %cond.true50.i, %cond.false46.i, %for.cond.i
  %cond58.i = phi i32 [ %add.i, %cond.true50.i ], [ 99, %cond.false46.i ], [ %4, %for.cond.i ]
  %cmp59.not.i = icmp slt i32 %cond58.i, 10
  br i1 %cmp59.not.i, label %if.end62.i, label %cleanup.i

if.end62.i:                                       ; preds = %cond.end57.i
  %conv63.i = sext i32 %cond58.i to i64
  %sub64.i = sub i64 %cond39.i, %conv63.i
  %div.i = udiv i64 %sub64.i, 10
  %cmp66.i = icmp ugt i64 %value.0.i, %div.i
  %conv67.i = zext i1 %cmp66.i to i32
  %or68.i = or i32 %over.0.i, %conv67.i
  %mul.i = mul i64 %value.0.i, 10
  %add71.i = add i64 %mul.i, %conv63.i
  br label %cleanup.i

cleanup.i:                                        ; preds = %if.end62.i, %cond.end57.i
  %value.1.i = phi i64 [ %add71.i, %if.end62.i ], [ %value.0.i, %cond.end57.i ]
  %over.1.i = phi i32 [ %or68.i, %if.end62.i ], [ %over.0.i, %cond.end57.i ]
  %incdec.ptr72.i = getelementptr inbounds i8, ptr %s.addr.3.i, i64 1
  br i1 %cmp59.not.i, label %for.cond.i, label %number.exit, !llvm.loop !61

number.exit:                                      ; preds = %cleanup.i
  %tobool81.not.i = icmp eq i32 %over.1.i, 0
  %sub86.i = sub i64 0, %value.1.i
  %cond89.i = select i1 %cmp.i, i64 %sub86.i, i64 %value.1.i
  %retval.0.i = select i1 %tobool81.not.i, i64 %cond89.i, i64 %cond39.i
  ret i64 %retval.0.i
}

; Function Attrs: nofree nosync nounwind memory(read, inaccessiblemem: readwrite) uwtable
define linkonce_odr i32 @atoi(ptr nocapture noundef readonly %s) local_unnamed_addr #12 {
entry:
  br label %while.cond.i

while.cond.i:                                     ; preds = %while.cond.i, %entry
  %s.addr.0.i = phi ptr [ %s, %entry ], [ %incdec.ptr.i, %while.cond.i ]
  %0 = load i8, ptr %s.addr.0.i, align 1, !tbaa !5
  %conv.i = sext i8 %0 to i32
  %cmp.i.i = icmp ne i8 %0, 32
  %1 = add nsw i32 %conv.i, -14
  %2 = icmp ult i32 %1, -5
  %narrow.i.not.i = and i1 %cmp.i.i, %2
  %incdec.ptr.i = getelementptr inbounds i8, ptr %s.addr.0.i, i64 1
  br i1 %narrow.i.not.i, label %while.end.i, label %while.cond.i, !llvm.loop !60

while.end.i:                                      ; preds = %while.cond.i
  %cmp.i = icmp eq i8 %0, 45
  %cmp7.i = icmp eq i8 %0, 43
  %or.cond127.i = or i1 %cmp.i, %cmp7.i
  %s.addr.1.idx.i = zext i1 %or.cond127.i to i64
  %s.addr.1.i = getelementptr i8, ptr %s.addr.0.i, i64 %s.addr.1.idx.i
  %cond39.i = select i1 %cmp.i, i64 -9223372036854775808, i64 9223372036854775807
  br label %for.cond.i

for.cond.i:                                       ; preds = %cleanup.i, %while.end.i
  %s.addr.3.i = phi ptr [ %s.addr.1.i, %while.end.i ], [ %incdec.ptr72.i, %cleanup.i ]
  %value.0.i = phi i64 [ 0, %while.end.i ], [ %value.1.i, %cleanup.i ]
  %over.0.i = phi i32 [ 0, %while.end.i ], [ %over.1.i, %cleanup.i ]
  %3 = load i8, ptr %s.addr.3.i, align 1, !tbaa !5
  %conv41.i = sext i8 %3 to i32
  %4 = add nsw i32 %conv41.i, -48
  %5 = icmp ugt i32 %4, 9
  br i1 %5, label %cond.false46.i, label %cond.end57.i

cond.false46.i:                                   ; preds = %for.cond.i
  %6 = and i32 %conv41.i, -33
  %7 = add nsw i32 %6, -91
  %narrow.i132.i = icmp ult i32 %7, -26
  br i1 %narrow.i132.i, label %cond.end57.i, label %cond.true50.i

cond.true50.i:                                    ; preds = %cond.false46.i
  %8 = or i8 %3, 32
  %or52.i = sext i8 %8 to i32
  %add.i = add nsw i32 %or52.i, -87
  br label %cond.end57.i

cond.end57.i:                                     ; preds = %cond.true50.i, %cond.false46.i, %for.cond.i
  %cond58.i = phi i32 [ %add.i, %cond.true50.i ], [ 99, %cond.false46.i ], [ %4, %for.cond.i ]
  %cmp59.not.i = icmp slt i32 %cond58.i, 10
  br i1 %cmp59.not.i, label %if.end62.i, label %cleanup.i

if.end62.i:                                       ; preds = %cond.end57.i
  %conv63.i = sext i32 %cond58.i to i64
  %sub64.i = sub i64 %cond39.i, %conv63.i
  %div.i = udiv i64 %sub64.i, 10
  %cmp66.i = icmp ugt i64 %value.0.i, %div.i
  %conv67.i = zext i1 %cmp66.i to i32
  %or68.i = or i32 %over.0.i, %conv67.i
  %mul.i = mul i64 %value.0.i, 10
  %add71.i = add i64 %mul.i, %conv63.i
  br label %cleanup.i

cleanup.i:                                        ; preds = %if.end62.i, %cond.end57.i
  %value.1.i = phi i64 [ %add71.i, %if.end62.i ], [ %value.0.i, %cond.end57.i ]
  %over.1.i = phi i32 [ %or68.i, %if.end62.i ], [ %over.0.i, %cond.end57.i ]
  %incdec.ptr72.i = getelementptr inbounds i8, ptr %s.addr.3.i, i64 1
  br i1 %cmp59.not.i, label %for.cond.i, label %number.exit, !llvm.loop !61

number.exit:                                      ; preds = %cleanup.i
  %tobool81.not.i = icmp eq i32 %over.1.i, 0
  %sub86.i = sub i64 0, %value.1.i
  %cond89.i = select i1 %cmp.i, i64 %sub86.i, i64 %value.1.i
  %retval.0.i = select i1 %tobool81.not.i, i64 %cond89.i, i64 %cond39.i
  %conv = trunc i64 %retval.0.i to i32
  ret i32 %conv
}

; Function Attrs: nofree norecurse nosync nounwind memory(readwrite, argmem: none, inaccessiblemem: none) uwtable
define linkonce_odr void @srand(i32 noundef %seed) local_unnamed_addr #9 {
entry:
  %tobool.not = icmp eq i32 %seed, 0
  %cond = select i1 %tobool.not, i32 1, i32 %seed
  store i32 %cond, ptr @history, align 16, !tbaa !56
  br label %for.body

for.body:                                         ; preds = %entry, %for.body
  %store_forwarded = phi i32 [ %cond, %entry ], [ %conv7, %for.body ]
  %indvars.iv = phi i64 [ 1, %entry ], [ %indvars.iv.next, %for.body ]
  %conv = sext i32 %store_forwarded to i64
  %mul = mul nsw i64 %conv, 16807
  %rem = srem i64 %mul, 2147483647
  %cmp1 = icmp slt i64 %rem, 0
  %add = add nsw i64 %rem, 2147483647
  %cond6 = select i1 %cmp1, i64 %add, i64 %rem
  %conv7 = trunc i64 %cond6 to i32
  %arrayidx9 = getelementptr inbounds [34 x i32], ptr @history, i64 0, i64 %indvars.iv
  store i32 %conv7, ptr %arrayidx9, align 4, !tbaa !56
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, 31
  br i1 %exitcond.not, label %for.body15, label %for.body, !llvm.loop !62

for.cond.cleanup14:                               ; preds = %for.body15
  store i32 0, ptr @place, align 4, !tbaa !56
  store i1 true, ptr @seeded, align 4
  br label %for.body29

for.body15:                                       ; preds = %for.body, %for.body15
  %indvars.iv64 = phi i64 [ %indvars.iv.next65, %for.body15 ], [ 31, %for.body ]
  %0 = add nsw i64 %indvars.iv64, -31
  %arrayidx18 = getelementptr inbounds [34 x i32], ptr @history, i64 0, i64 %0
  %1 = load i32, ptr %arrayidx18, align 4, !tbaa !56
  %arrayidx20 = getelementptr inbounds [34 x i32], ptr @history, i64 0, i64 %indvars.iv64
  store i32 %1, ptr %arrayidx20, align 4, !tbaa !56
  %indvars.iv.next65 = add nuw nsw i64 %indvars.iv64, 1
  %exitcond68.not = icmp eq i64 %indvars.iv.next65, 34
  br i1 %exitcond68.not, label %for.cond.cleanup14, label %for.body15, !llvm.loop !63

for.cond.cleanup28:                               ; preds = %for.body29
  store i32 %rem43, ptr @place, align 4, !tbaa !56
  ret void

for.body29:                                       ; preds = %for.cond.cleanup14, %for.body29
  %k24.061 = phi i32 [ 0, %for.cond.cleanup14 ], [ %inc45, %for.body29 ]
  %rem435960 = phi i32 [ 0, %for.cond.cleanup14 ], [ %rem43, %for.body29 ]
  %add31 = add nsw i32 %rem435960, 3
  %rem32 = srem i32 %add31, 34
  %idxprom33 = sext i32 %rem32 to i64
  %arrayidx34 = getelementptr inbounds [34 x i32], ptr @history, i64 0, i64 %idxprom33
  %2 = load i32, ptr %arrayidx34, align 4, !tbaa !56
  %add35 = add nsw i32 %rem435960, 31
  %rem36 = srem i32 %add35, 34
  %idxprom37 = sext i32 %rem36 to i64
  %arrayidx38 = getelementptr inbounds [34 x i32], ptr @history, i64 0, i64 %idxprom37
  %3 = load i32, ptr %arrayidx38, align 4, !tbaa !56
  %add39 = add i32 %3, %2
  %idxprom40 = sext i32 %rem435960 to i64
  %arrayidx41 = getelementptr inbounds [34 x i32], ptr @history, i64 0, i64 %idxprom40
  store i32 %add39, ptr %arrayidx41, align 4, !tbaa !56
  %add42 = add nsw i32 %rem435960, 1
  %rem43 = srem i32 %add42, 34
  %inc45 = add nuw nsw i32 %k24.061, 1
  %exitcond69.not = icmp eq i32 %inc45, 310
  br i1 %exitcond69.not, label %for.cond.cleanup28, label %for.body29, !llvm.loop !64
}

; Function Attrs: nofree norecurse nosync nounwind memory(readwrite, argmem: none, inaccessiblemem: none) uwtable
define linkonce_odr i32 @rand() local_unnamed_addr #9 {
entry:
  %.b = load i1, ptr @seeded, align 4
  br i1 %.b, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  store i32 1, ptr @history, align 16, !tbaa !56
  br label %for.body.i

for.body.i:                                       ; preds = %for.body.i, %if.then
  %store_forwarded = phi i64 [ 1, %if.then ], [ %cond6.i, %for.body.i ]
  %indvars.iv.i = phi i64 [ 1, %if.then ], [ %indvars.iv.next.i, %for.body.i ]
  %sext = shl i64 %store_forwarded, 32
  %conv.i = ashr exact i64 %sext, 32
  %mul.i = mul nsw i64 %conv.i, 16807
  %rem.i = srem i64 %mul.i, 2147483647
  %cmp1.i = icmp slt i64 %rem.i, 0
  %add.i = add nsw i64 %rem.i, 2147483647
  %cond6.i = select i1 %cmp1.i, i64 %add.i, i64 %rem.i
  %conv7.i = trunc i64 %cond6.i to i32
  %arrayidx9.i = getelementptr inbounds [34 x i32], ptr @history, i64 0, i64 %indvars.iv.i
  store i32 %conv7.i, ptr %arrayidx9.i, align 4, !tbaa !56
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 1
  %exitcond.not.i = icmp eq i64 %indvars.iv.next.i, 31
  br i1 %exitcond.not.i, label %for.body15.i, label %for.body.i, !llvm.loop !62

for.cond.cleanup14.i:                             ; preds = %for.body15.i
  store i32 0, ptr @place, align 4, !tbaa !56
  store i1 true, ptr @seeded, align 4
  br label %for.body29.i

for.body15.i:                                     ; preds = %for.body.i, %for.body15.i
  %indvars.iv64.i = phi i64 [ %indvars.iv.next65.i, %for.body15.i ], [ 31, %for.body.i ]
  %0 = add nsw i64 %indvars.iv64.i, -31
  %arrayidx18.i = getelementptr inbounds [34 x i32], ptr @history, i64 0, i64 %0
  %1 = load i32, ptr %arrayidx18.i, align 4, !tbaa !56
  %arrayidx20.i = getelementptr inbounds [34 x i32], ptr @history, i64 0, i64 %indvars.iv64.i
  store i32 %1, ptr %arrayidx20.i, align 4, !tbaa !56
  %indvars.iv.next65.i = add nuw nsw i64 %indvars.iv64.i, 1
  %exitcond68.not.i = icmp eq i64 %indvars.iv.next65.i, 34
  br i1 %exitcond68.not.i, label %for.cond.cleanup14.i, label %for.body15.i, !llvm.loop !63

for.body29.i:                                     ; preds = %for.body29.i, %for.cond.cleanup14.i
  %k24.061.i = phi i32 [ 0, %for.cond.cleanup14.i ], [ %inc45.i, %for.body29.i ]
  %rem435960.i = phi i32 [ 0, %for.cond.cleanup14.i ], [ %rem43.i, %for.body29.i ]
  %add31.i = add nsw i32 %rem435960.i, 3
  %rem32.i = srem i32 %add31.i, 34
  %idxprom33.i = sext i32 %rem32.i to i64
  %arrayidx34.i = getelementptr inbounds [34 x i32], ptr @history, i64 0, i64 %idxprom33.i
  %2 = load i32, ptr %arrayidx34.i, align 4, !tbaa !56
  %add35.i = add nsw i32 %rem435960.i, 31
  %rem36.i = srem i32 %add35.i, 34
  %idxprom37.i = sext i32 %rem36.i to i64
  %arrayidx38.i = getelementptr inbounds [34 x i32], ptr @history, i64 0, i64 %idxprom37.i
  %3 = load i32, ptr %arrayidx38.i, align 4, !tbaa !56
  %add39.i = add i32 %3, %2
  %idxprom40.i = sext i32 %rem435960.i to i64
  %arrayidx41.i = getelementptr inbounds [34 x i32], ptr @history, i64 0, i64 %idxprom40.i
  store i32 %add39.i, ptr %arrayidx41.i, align 4, !tbaa !56
  %add42.i = add nsw i32 %rem435960.i, 1
  %rem43.i = srem i32 %add42.i, 34
  %inc45.i = add nuw nsw i32 %k24.061.i, 1
  %exitcond69.not.i = icmp eq i32 %inc45.i, 310
  br i1 %exitcond69.not.i, label %srand.exit, label %for.body29.i, !llvm.loop !64

srand.exit:                                       ; preds = %for.body29.i
  store i32 %rem43.i, ptr @place, align 4, !tbaa !56
  br label %if.end

if.end:                                           ; preds = %srand.exit, %entry
  %4 = load i32, ptr @place, align 4, !tbaa !56
  %add = add nsw i32 %4, 3
  %rem = srem i32 %add, 34
  %idxprom = sext i32 %rem to i64
  %arrayidx = getelementptr inbounds [34 x i32], ptr @history, i64 0, i64 %idxprom
  %5 = load i32, ptr %arrayidx, align 4, !tbaa !56
  %add1 = add nsw i32 %4, 31
  %rem2 = srem i32 %add1, 34
  %idxprom3 = sext i32 %rem2 to i64
  %arrayidx4 = getelementptr inbounds [34 x i32], ptr @history, i64 0, i64 %idxprom3
  %6 = load i32, ptr %arrayidx4, align 4, !tbaa !56
  %add5 = add i32 %6, %5
  %idxprom6 = sext i32 %4 to i64
  %arrayidx7 = getelementptr inbounds [34 x i32], ptr @history, i64 0, i64 %idxprom6
  store i32 %add5, ptr %arrayidx7, align 4, !tbaa !56
  %add8 = add nsw i32 %4, 1
  %rem9 = srem i32 %add8, 34
  store i32 %rem9, ptr @place, align 4, !tbaa !56
  %shr = lshr i32 %add5, 1
  ret i32 %shr
}

; Function Attrs: nounwind uwtable
define linkonce_odr void @qsort(ptr noundef %array, i64 noundef %count, i64 noundef %size, ptr nocapture noundef readonly %compare) local_unnamed_addr #0 {
entry:
  %mul = mul i64 %size, %count
  %call = tail call ptr @malloc(i64 noundef %mul) #22
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %if.then, label %for.cond.preheader

for.cond.preheader:                               ; preds = %entry
  %cmp99 = icmp ugt i64 %mul, %size
  br i1 %cmp99, label %for.cond1.preheader, label %for.cond.cleanup

if.then:                                          ; preds = %entry
  tail call void @llvm.trap()
  unreachable

for.cond1.preheader:                              ; preds = %for.cond.preheader, %for.cond1.for.cond.cleanup3_crit_edge
  %from.0102 = phi ptr [ %to.0101, %for.cond1.for.cond.cleanup3_crit_edge ], [ %array, %for.cond.preheader ]
  %to.0101 = phi ptr [ %from.0102, %for.cond1.for.cond.cleanup3_crit_edge ], [ %call, %for.cond.preheader ]
  %run.0100 = phi i64 [ %mul40, %for.cond1.for.cond.cleanup3_crit_edge ], [ %size, %for.cond.preheader ]
  %mul7 = shl i64 %run.0100, 1
  br label %for.body4

for.cond.cleanup:                                 ; preds = %for.cond1.for.cond.cleanup3_crit_edge, %for.cond.preheader
  %from.0.lcssa = phi ptr [ %array, %for.cond.preheader ], [ %to.0101, %for.cond1.for.cond.cleanup3_crit_edge ]
  %cmp42.not = icmp eq ptr %from.0.lcssa, %array
  br i1 %cmp42.not, label %if.then.i, label %if.then43

for.cond1.loopexit:                               ; preds = %land.end, %for.body4
  %cmp2 = icmp ult i64 %add8, %mul
  br i1 %cmp2, label %for.body4, label %for.cond1.for.cond.cleanup3_crit_edge, !llvm.loop !65

for.cond1.for.cond.cleanup3_crit_edge:            ; preds = %for.cond1.loopexit
  %mul40 = shl i64 %run.0100, 1
  %cmp = icmp ult i64 %mul40, %mul
  br i1 %cmp, label %for.cond1.preheader, label %for.cond.cleanup, !llvm.loop !66

for.body4:                                        ; preds = %for.cond1.preheader, %for.cond1.loopexit
  %start.098 = phi i64 [ 0, %for.cond1.preheader ], [ %add8, %for.cond1.loopexit ]
  %add = add i64 %start.098, %run.0100
  %cond = tail call i64 @llvm.umin.i64(i64 %add, i64 %mul)
  %add8 = add i64 %start.098, %mul7
  %add8.mul = tail call i64 @llvm.umin.i64(i64 %add8, i64 %mul)
  %cmp1793 = icmp ult i64 %start.098, %add8.mul
  br i1 %cmp1793, label %for.body19, label %for.cond1.loopexit

for.body19:                                       ; preds = %for.body4, %land.end
  %at.096 = phi i64 [ %add34, %land.end ], [ %start.098, %for.body4 ]
  %right.095 = phi i64 [ %right.0.add33, %land.end ], [ %cond, %for.body4 ]
  %left.094 = phi i64 [ %add33.left.0, %land.end ], [ %start.098, %for.body4 ]
  %cmp20 = icmp ult i64 %left.094, %cond
  br i1 %cmp20, label %land.rhs, label %land.end

land.rhs:                                         ; preds = %for.body19
  %cmp21 = icmp eq i64 %right.095, %add8.mul
  br i1 %cmp21, label %land.end, label %lor.rhs

lor.rhs:                                          ; preds = %land.rhs
  %add.ptr = getelementptr inbounds i8, ptr %from.0102, i64 %left.094
  %add.ptr22 = getelementptr inbounds i8, ptr %from.0102, i64 %right.095
  %call23 = tail call i32 %compare(ptr noundef %add.ptr, ptr noundef %add.ptr22) #21
  %cmp24 = icmp slt i32 %call23, 1
  br label %land.end

land.end:                                         ; preds = %land.rhs, %lor.rhs, %for.body19
  %0 = phi i1 [ false, %for.body19 ], [ true, %land.rhs ], [ %cmp24, %lor.rhs ]
  %add.ptr30 = getelementptr inbounds i8, ptr %to.0101, i64 %at.096
  %.sroa.speculated = select i1 %0, i64 %left.094, i64 %right.095
  %add.ptr31 = getelementptr inbounds i8, ptr %from.0102, i64 %.sroa.speculated
  %call32 = tail call ptr @memcpy(ptr noundef %add.ptr30, ptr noundef %add.ptr31, i64 noundef %size) #21
  %add33 = add i64 %.sroa.speculated, %size
  %add33.left.0 = select i1 %0, i64 %add33, i64 %left.094
  %right.0.add33 = select i1 %0, i64 %right.095, i64 %add33
  %add34 = add i64 %at.096, %size
  %cmp17 = icmp ult i64 %add34, %add8.mul
  br i1 %cmp17, label %for.body19, label %for.cond1.loopexit, !llvm.loop !67

if.then43:                                        ; preds = %for.cond.cleanup
  %call44 = tail call ptr @memcpy(ptr noundef %array, ptr noundef %from.0.lcssa, i64 noundef %mul) #21
  br label %if.then.i

if.then.i:                                        ; preds = %for.cond.cleanup, %if.then43
  %arrayidx.i = getelementptr inbounds i64, ptr %call, i64 -2
  %1 = load i64, ptr %arrayidx.i, align 8, !tbaa !35
  %and.i = and i64 %1, -2
  store i64 %and.i, ptr %arrayidx.i, align 8, !tbaa !35
  ret void
}

; Function Attrs: cold noreturn nounwind
declare void @llvm.trap() #13

; Function Attrs: nounwind uwtable
define linkonce_odr ptr @bsearch(ptr noundef %key, ptr noundef %array, i64 noundef %count, i64 noundef %size, ptr nocapture noundef readonly %compare) local_unnamed_addr #0 {
entry:
  br label %while.cond

while.cond:                                       ; preds = %cleanup, %entry
  %base.0 = phi ptr [ %array, %entry ], [ %base.2, %cleanup ]
  %count.addr.0 = phi i64 [ %count, %entry ], [ %count.addr.2, %cleanup ]
  %retval.0 = phi ptr [ undef, %entry ], [ %retval.1, %cleanup ]
  %tobool.not = icmp eq i64 %count.addr.0, 0
  br i1 %tobool.not, label %cleanup8, label %while.body

while.body:                                       ; preds = %while.cond
  %div17 = lshr i64 %count.addr.0, 1
  %mul = mul i64 %div17, %size
  %add.ptr = getelementptr inbounds i8, ptr %base.0, i64 %mul
  %call = tail call i32 %compare(ptr noundef %key, ptr noundef %add.ptr) #21
  %cmp.not = icmp eq i32 %call, 0
  br i1 %cmp.not, label %cleanup, label %if.end

if.end:                                           ; preds = %while.body
  %cmp1 = icmp sgt i32 %call, 0
  %add.ptr3 = getelementptr inbounds i8, ptr %add.ptr, i64 %size
  %add.neg = xor i64 %div17, -1
  %sub = add i64 %count.addr.0, %add.neg
  %base.1 = select i1 %cmp1, ptr %add.ptr3, ptr %base.0
  %count.addr.1 = select i1 %cmp1, i64 %sub, i64 %div17
  br label %cleanup

cleanup:                                          ; preds = %while.body, %if.end
  %base.2 = phi ptr [ %base.1, %if.end ], [ %base.0, %while.body ]
  %count.addr.2 = phi i64 [ %count.addr.1, %if.end ], [ %count.addr.0, %while.body ]
  %retval.1 = phi ptr [ %retval.0, %if.end ], [ %add.ptr, %while.body ]
  br i1 %cmp.not, label %cleanup8, label %while.cond, !llvm.loop !68

cleanup8:                                         ; preds = %while.cond, %cleanup
  %retval.2 = phi ptr [ %retval.1, %cleanup ], [ null, %while.cond ]
  ret ptr %retval.2
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(readwrite, argmem: none, inaccessiblemem: none) uwtable
define linkonce_odr i32 @putchar(i32 noundef %c) local_unnamed_addr #14 {
entry:
  %0 = load i64, ptr @stdout_length, align 8, !tbaa !35
  %cmp = icmp slt i64 %0, 65536
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %conv = trunc i32 %c to i8
  %arrayidx = getelementptr inbounds [65536 x i8], ptr @stdout_text, i64 0, i64 %0
  store i8 %conv, ptr %arrayidx, align 1, !tbaa !5
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  %inc = add nsw i64 %0, 1
  store i64 %inc, ptr @stdout_length, align 8, !tbaa !35
  %conv2 = and i32 %c, 255
  ret i32 %conv2
}

; Function Attrs: nofree norecurse nosync nounwind memory(readwrite, argmem: read, inaccessiblemem: none) uwtable
define linkonce_odr i32 @puts(ptr nocapture noundef readonly %s) local_unnamed_addr #15 {
entry:
  %0 = load i8, ptr %s, align 1, !tbaa !5
  %tobool.not10 = icmp eq i8 %0, 0
  br i1 %tobool.not10, label %for.end, label %for.body.preheader

for.body.preheader:                               ; preds = %entry
  %stdout_length.promoted = load i64, ptr @stdout_length, align 8, !tbaa !35
  br label %for.body

for.body:                                         ; preds = %for.body.preheader, %putchar.exit
  %1 = phi i8 [ %2, %putchar.exit ], [ %0, %for.body.preheader ]
  %s.addr.012 = phi ptr [ %incdec.ptr, %putchar.exit ], [ %s, %for.body.preheader ]
  %inc.i911 = phi i64 [ %inc.i, %putchar.exit ], [ %stdout_length.promoted, %for.body.preheader ]
  %cmp.i = icmp slt i64 %inc.i911, 65536
  br i1 %cmp.i, label %if.then.i, label %putchar.exit

if.then.i:                                        ; preds = %for.body
  %arrayidx.i = getelementptr inbounds [65536 x i8], ptr @stdout_text, i64 0, i64 %inc.i911
  store i8 %1, ptr %arrayidx.i, align 1, !tbaa !5
  br label %putchar.exit

putchar.exit:                                     ; preds = %for.body, %if.then.i
  %inc.i = add nsw i64 %inc.i911, 1
  store i64 %inc.i, ptr @stdout_length, align 8, !tbaa !35
  %incdec.ptr = getelementptr inbounds i8, ptr %s.addr.012, i64 1
  %2 = load i8, ptr %incdec.ptr, align 1, !tbaa !5
  %tobool.not = icmp eq i8 %2, 0
  br i1 %tobool.not, label %for.end, label %for.body, !llvm.loop !69

for.end:                                          ; preds = %putchar.exit, %entry
  %3 = load i64, ptr @stdout_length, align 8, !tbaa !35
  %cmp.i4 = icmp slt i64 %3, 65536
  br i1 %cmp.i4, label %if.then.i6, label %putchar.exit8

if.then.i6:                                       ; preds = %for.end
  %arrayidx.i5 = getelementptr inbounds [65536 x i8], ptr @stdout_text, i64 0, i64 %3
  store i8 10, ptr %arrayidx.i5, align 1, !tbaa !5
  br label %putchar.exit8

putchar.exit8:                                    ; preds = %for.end, %if.then.i6
  %inc.i7 = add nsw i64 %3, 1
  store i64 %inc.i7, ptr @stdout_length, align 8, !tbaa !35
  ret i32 1
}

; Function Attrs: nounwind uwtable
define linkonce_odr i32 @vprintf(ptr noalias nocapture noundef readonly %s, ptr nocapture noundef %arguments) local_unnamed_addr #0 {
entry:
  %to = alloca %struct.sink, align 8
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %to) #23
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %to, i8 0, i64 24, i1 false)
  %call = call fastcc i32 @format(ptr noundef nonnull %to, ptr noundef %s, ptr noundef %arguments) #22
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %to) #23
  ret i32 %call
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg) #16

; Function Attrs: nounwind uwtable
define internal fastcc i32 @format(ptr nocapture noundef %to, ptr nocapture noundef readonly %s, ptr nocapture noundef %arguments) unnamed_addr #0 {
entry:
  %limbs.i.i = alloca [130 x i32], align 16
  %digits.i537 = alloca [1200 x i8], align 16
  %text.i = alloca [1600 x i8], align 16
  %copy.i = alloca [1200 x i8], align 16
  %digits.i499 = alloca [24 x i8], align 16
  %digits.i467 = alloca [24 x i8], align 16
  %digits.i = alloca [24 x i8], align 16
  %c = alloca i8, align 1
  %overflow_arg_area_p = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 2
  %0 = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 3
  %overflow_arg_area_p70 = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 2
  %1 = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 3
  %length.i565 = getelementptr inbounds %struct.sink, ptr %to, i64 0, i32 2
  %room.i566 = getelementptr inbounds %struct.sink, ptr %to, i64 0, i32 1
  %length6.i571 = getelementptr inbounds %struct.sink, ptr %to, i64 0, i32 2
  %fp_offset_p = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 1
  %overflow_arg_area_p337 = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 2
  %2 = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 3
  %arrayidx164.i = getelementptr inbounds [1600 x i8], ptr %text.i, i64 0, i64 1
  %overflow_arg_area_p305 = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 2
  %3 = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 3
  %overflow_arg_area_p290 = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 2
  %4 = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 3
  %overflow_arg_area_p264 = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 2
  %5 = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 3
  %overflow_arg_area_p210 = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 2
  %6 = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 3
  %overflow_arg_area_p198 = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 2
  %7 = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 3
  %overflow_arg_area_p140 = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 2
  %8 = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 3
  %overflow_arg_area_p128 = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 2
  %9 = getelementptr inbounds %struct.__va_list_tag, ptr %arguments, i64 0, i32 3
  %length.i = getelementptr inbounds %struct.sink, ptr %to, i64 0, i32 2
  %room.i = getelementptr inbounds %struct.sink, ptr %to, i64 0, i32 1
  %length6.i = getelementptr inbounds %struct.sink, ptr %to, i64 0, i32 2
  br label %for.cond

for.cond:                                         ; preds = %for.inc346, %entry
  %s.addr.0 = phi ptr [ %s, %entry ], [ %incdec.ptr347, %for.inc346 ]
  %10 = load i8, ptr %s.addr.0, align 1, !tbaa !5
  switch i8 %10, label %if.then [
    i8 0, label %for.end348
    i8 37, label %for.cond2
  ]

if.then:                                          ; preds = %for.cond
  %11 = load ptr, ptr %to, align 8, !tbaa !70
  %tobool.not.i = icmp eq ptr %11, null
  br i1 %tobool.not.i, label %if.then.i, label %if.else.i

if.then.i:                                        ; preds = %if.then
  %12 = load i64, ptr @stdout_length, align 8, !tbaa !35
  %cmp.i.i = icmp slt i64 %12, 65536
  br i1 %cmp.i.i, label %if.then.i.i, label %putchar.exit.i

if.then.i.i:                                      ; preds = %if.then.i
  %arrayidx.i.i = getelementptr inbounds [65536 x i8], ptr @stdout_text, i64 0, i64 %12
  store i8 %10, ptr %arrayidx.i.i, align 1, !tbaa !5
  br label %putchar.exit.i

putchar.exit.i:                                   ; preds = %if.then.i.i, %if.then.i
  %inc.i.i = add nsw i64 %12, 1
  store i64 %inc.i.i, ptr @stdout_length, align 8, !tbaa !35
  br label %emit.exit

if.else.i:                                        ; preds = %if.then
  %13 = load i64, ptr %length.i, align 8, !tbaa !72
  %14 = load i64, ptr %room.i, align 8, !tbaa !73
  %cmp.i = icmp ult i64 %13, %14
  br i1 %cmp.i, label %if.then2.i, label %emit.exit

if.then2.i:                                       ; preds = %if.else.i
  %arrayidx.i = getelementptr inbounds i8, ptr %11, i64 %13
  store i8 %10, ptr %arrayidx.i, align 1, !tbaa !5
  br label %emit.exit

emit.exit:                                        ; preds = %putchar.exit.i, %if.else.i, %if.then2.i
  %15 = load i64, ptr %length6.i, align 8, !tbaa !72
  %inc.i = add i64 %15, 1
  store i64 %inc.i, ptr %length6.i, align 8, !tbaa !72
  br label %for.inc346

for.cond2:                                        ; preds = %for.cond, %cond.end29
  %flags.0 = phi i32 [ %or, %cond.end29 ], [ 0, %for.cond ]
  %s.addr.0.pn = phi ptr [ %s.addr.1, %cond.end29 ], [ %s.addr.0, %for.cond ]
  %s.addr.1 = getelementptr inbounds i8, ptr %s.addr.0.pn, i64 1
  %16 = load i8, ptr %s.addr.1, align 1, !tbaa !5
  switch i8 %16, label %cond.false20 [
    i8 45, label %cond.end29
    i8 43, label %cond.end29.fold.split
    i8 32, label %cond.end29.fold.split461
    i8 35, label %cond.end29.fold.split462
  ]

cond.false20:                                     ; preds = %for.cond2
  %cmp22 = icmp eq i8 %16, 48
  %cond = select i1 %cmp22, i32 16, i32 0
  br label %cond.end29

cond.end29.fold.split:                            ; preds = %for.cond2
  br label %cond.end29

cond.end29.fold.split461:                         ; preds = %for.cond2
  br label %cond.end29

cond.end29.fold.split462:                         ; preds = %for.cond2
  br label %cond.end29

cond.end29:                                       ; preds = %for.cond2, %cond.end29.fold.split462, %cond.end29.fold.split461, %cond.end29.fold.split, %cond.false20
  %cond30 = phi i32 [ 1, %for.cond2 ], [ %cond, %cond.false20 ], [ 2, %cond.end29.fold.split ], [ 4, %cond.end29.fold.split461 ], [ 8, %cond.end29.fold.split462 ]
  %tobool31.not = icmp eq i32 %cond30, 0
  %or = or i32 %cond30, %flags.0
  br i1 %tobool31.not, label %for.end, label %for.cond2

for.end:                                          ; preds = %cond.end29
  %cmp36 = icmp eq i8 %16, 42
  br i1 %cmp36, label %if.then38, label %for.cond45.preheader

for.cond45.preheader:                             ; preds = %for.end
  %17 = load i8, ptr %s.addr.1, align 1, !tbaa !5
  %conv46579 = sext i8 %17 to i32
  %18 = add nsw i32 %conv46579, -58
  %19 = icmp ult i32 %18, -10
  br i1 %19, label %if.end54, label %for.body48

if.then38:                                        ; preds = %for.end
  %gp_offset = load i32, ptr %arguments, align 8
  %fits_in_gp = icmp ult i32 %gp_offset, 41
  br i1 %fits_in_gp, label %vaarg.in_reg, label %vaarg.in_mem

vaarg.in_reg:                                     ; preds = %if.then38
  %reg_save_area = load ptr, ptr %0, align 8
  %20 = sext i32 %gp_offset to i64
  %21 = getelementptr i8, ptr %reg_save_area, i64 %20
  %22 = add i32 %gp_offset, 8
  store i32 %22, ptr %arguments, align 8
  br label %vaarg.end

vaarg.in_mem:                                     ; preds = %if.then38
  %overflow_arg_area = load ptr, ptr %overflow_arg_area_p, align 8
  %overflow_arg_area.next = getelementptr i8, ptr %overflow_arg_area, i64 8
  store ptr %overflow_arg_area.next, ptr %overflow_arg_area_p, align 8
  br label %vaarg.end

vaarg.end:                                        ; preds = %vaarg.in_mem, %vaarg.in_reg
  %vaarg.addr = phi ptr [ %21, %vaarg.in_reg ], [ %overflow_arg_area, %vaarg.in_mem ]
  %23 = load i32, ptr %vaarg.addr, align 4
  %width.0 = call i32 @llvm.abs.i32(i32 %23, i1 true)
  %.lobit = lshr i32 %23, 31
  %flags.2 = or i32 %.lobit, %or
  %incdec.ptr44 = getelementptr inbounds i8, ptr %s.addr.0.pn, i64 2
  br label %if.end54

for.body48:                                       ; preds = %for.cond45.preheader, %for.body48
  %conv46582 = phi i32 [ %conv46, %for.body48 ], [ %conv46579, %for.cond45.preheader ]
  %s.addr.2581 = phi ptr [ %incdec.ptr52, %for.body48 ], [ %s.addr.1, %for.cond45.preheader ]
  %width.1580 = phi i32 [ %sub50, %for.body48 ], [ 0, %for.cond45.preheader ]
  %mul = mul nsw i32 %width.1580, 10
  %add = add i32 %mul, -48
  %sub50 = add i32 %add, %conv46582
  %incdec.ptr52 = getelementptr inbounds i8, ptr %s.addr.2581, i64 1
  %24 = load i8, ptr %incdec.ptr52, align 1, !tbaa !5
  %conv46 = sext i8 %24 to i32
  %25 = add nsw i32 %conv46, -58
  %26 = icmp ult i32 %25, -10
  br i1 %26, label %if.end54, label %for.body48, !llvm.loop !74

if.end54:                                         ; preds = %for.body48, %for.cond45.preheader, %vaarg.end
  %width.2 = phi i32 [ %width.0, %vaarg.end ], [ 0, %for.cond45.preheader ], [ %sub50, %for.body48 ]
  %flags.3 = phi i32 [ %flags.2, %vaarg.end ], [ %or, %for.cond45.preheader ], [ %or, %for.body48 ]
  %s.addr.3 = phi ptr [ %incdec.ptr44, %vaarg.end ], [ %s.addr.1, %for.cond45.preheader ], [ %incdec.ptr52, %for.body48 ]
  %27 = load i8, ptr %s.addr.3, align 1, !tbaa !5
  %cmp56 = icmp eq i8 %27, 46
  br i1 %cmp56, label %if.then58, label %if.end90

if.then58:                                        ; preds = %if.end54
  %incdec.ptr59 = getelementptr inbounds i8, ptr %s.addr.3, i64 1
  %28 = load i8, ptr %incdec.ptr59, align 1, !tbaa !5
  %cmp61 = icmp eq i8 %28, 42
  br i1 %cmp61, label %if.then63, label %for.cond77.preheader

for.cond77.preheader:                             ; preds = %if.then58
  %29 = load i8, ptr %incdec.ptr59, align 1, !tbaa !5
  %conv78584 = sext i8 %29 to i32
  %30 = add nsw i32 %conv78584, -58
  %31 = icmp ult i32 %30, -10
  br i1 %31, label %if.end90, label %for.body81

if.then63:                                        ; preds = %if.then58
  %gp_offset65 = load i32, ptr %arguments, align 8
  %fits_in_gp66 = icmp ult i32 %gp_offset65, 41
  br i1 %fits_in_gp66, label %vaarg.in_reg67, label %vaarg.in_mem69

vaarg.in_reg67:                                   ; preds = %if.then63
  %reg_save_area68 = load ptr, ptr %1, align 8
  %32 = sext i32 %gp_offset65 to i64
  %33 = getelementptr i8, ptr %reg_save_area68, i64 %32
  %34 = add i32 %gp_offset65, 8
  store i32 %34, ptr %arguments, align 8
  br label %vaarg.end73

vaarg.in_mem69:                                   ; preds = %if.then63
  %overflow_arg_area71 = load ptr, ptr %overflow_arg_area_p70, align 8
  %overflow_arg_area.next72 = getelementptr i8, ptr %overflow_arg_area71, i64 8
  store ptr %overflow_arg_area.next72, ptr %overflow_arg_area_p70, align 8
  br label %vaarg.end73

vaarg.end73:                                      ; preds = %vaarg.in_mem69, %vaarg.in_reg67
  %vaarg.addr74 = phi ptr [ %33, %vaarg.in_reg67 ], [ %overflow_arg_area71, %vaarg.in_mem69 ]
  %35 = load i32, ptr %vaarg.addr74, align 4
  %incdec.ptr75 = getelementptr inbounds i8, ptr %s.addr.3, i64 2
  br label %if.end90

for.body81:                                       ; preds = %for.cond77.preheader, %for.body81
  %conv78587 = phi i32 [ %conv78, %for.body81 ], [ %conv78584, %for.cond77.preheader ]
  %s.addr.4586 = phi ptr [ %incdec.ptr87, %for.body81 ], [ %incdec.ptr59, %for.cond77.preheader ]
  %precision.0585 = phi i32 [ %sub85, %for.body81 ], [ 0, %for.cond77.preheader ]
  %mul82 = mul nsw i32 %precision.0585, 10
  %add84 = add i32 %mul82, -48
  %sub85 = add i32 %add84, %conv78587
  %incdec.ptr87 = getelementptr inbounds i8, ptr %s.addr.4586, i64 1
  %36 = load i8, ptr %incdec.ptr87, align 1, !tbaa !5
  %conv78 = sext i8 %36 to i32
  %37 = add nsw i32 %conv78, -58
  %38 = icmp ult i32 %37, -10
  br i1 %38, label %if.end90, label %for.body81, !llvm.loop !75

if.end90:                                         ; preds = %for.body81, %for.cond77.preheader, %vaarg.end73, %if.end54
  %precision.1 = phi i32 [ %35, %vaarg.end73 ], [ -1, %if.end54 ], [ 0, %for.cond77.preheader ], [ %sub85, %for.body81 ]
  %s.addr.5 = phi ptr [ %incdec.ptr75, %vaarg.end73 ], [ %s.addr.3, %if.end54 ], [ %incdec.ptr59, %for.cond77.preheader ], [ %incdec.ptr87, %for.body81 ]
  br label %for.cond91

for.cond91:                                       ; preds = %for.inc115, %if.end90
  %size.0 = phi i32 [ 4, %if.end90 ], [ %size.1, %for.inc115 ]
  %s.addr.6 = phi ptr [ %s.addr.5, %if.end90 ], [ %incdec.ptr116, %for.inc115 ]
  %39 = load i8, ptr %s.addr.6, align 1, !tbaa !5
  %40 = add i8 %39, -104
  %41 = call i8 @llvm.fshl.i8(i8 %39, i8 %40, i8 7)
  switch i8 %41, label %for.end117 [
    i8 2, label %for.inc115
    i8 9, label %for.inc115
    i8 1, label %for.inc115
    i8 6, label %for.inc115
    i8 0, label %if.then111
  ]

if.then111:                                       ; preds = %for.cond91
  %div = sdiv i32 %size.0, 2
  br label %for.inc115

for.inc115:                                       ; preds = %for.cond91, %for.cond91, %for.cond91, %for.cond91, %if.then111
  %size.1 = phi i32 [ %div, %if.then111 ], [ 8, %for.cond91 ], [ 8, %for.cond91 ], [ 8, %for.cond91 ], [ 8, %for.cond91 ]
  %incdec.ptr116 = getelementptr inbounds i8, ptr %s.addr.6, i64 1
  br label %for.cond91, !llvm.loop !76

for.end117:                                       ; preds = %for.cond91
  %conv92 = sext i8 %39 to i32
  switch i32 %conv92, label %sw.default [
    i32 100, label %sw.bb
    i32 105, label %sw.bb
    i32 88, label %sw.bb186
    i32 117, label %sw.bb188
    i32 120, label %sw.bb188
    i32 111, label %sw.bb188
    i32 112, label %sw.bb257
    i32 99, label %sw.bb283
    i32 115, label %sw.bb298
    i32 69, label %sw.bb331
    i32 70, label %sw.bb331
    i32 71, label %sw.bb331
    i32 101, label %sw.bb333
    i32 102, label %sw.bb333
    i32 103, label %sw.bb333
    i32 37, label %sw.bb345
  ]

sw.bb:                                            ; preds = %for.end117, %for.end117
  %cmp119 = icmp eq i32 %size.0, 8
  %gp_offset123 = load i32, ptr %arguments, align 8
  %fits_in_gp124 = icmp ult i32 %gp_offset123, 41
  br i1 %cmp119, label %cond.true121, label %cond.false133

cond.true121:                                     ; preds = %sw.bb
  br i1 %fits_in_gp124, label %vaarg.in_reg125, label %vaarg.in_mem127

vaarg.in_reg125:                                  ; preds = %cond.true121
  %reg_save_area126 = load ptr, ptr %9, align 8
  %42 = sext i32 %gp_offset123 to i64
  %43 = getelementptr i8, ptr %reg_save_area126, i64 %42
  %44 = add i32 %gp_offset123, 8
  store i32 %44, ptr %arguments, align 8
  br label %vaarg.end131

vaarg.in_mem127:                                  ; preds = %cond.true121
  %overflow_arg_area129 = load ptr, ptr %overflow_arg_area_p128, align 8
  %overflow_arg_area.next130 = getelementptr i8, ptr %overflow_arg_area129, i64 8
  store ptr %overflow_arg_area.next130, ptr %overflow_arg_area_p128, align 8
  br label %vaarg.end131

vaarg.end131:                                     ; preds = %vaarg.in_mem127, %vaarg.in_reg125
  %vaarg.addr132 = phi ptr [ %43, %vaarg.in_reg125 ], [ %overflow_arg_area129, %vaarg.in_mem127 ]
  %45 = load i64, ptr %vaarg.addr132, align 8
  br label %cond.end146

cond.false133:                                    ; preds = %sw.bb
  br i1 %fits_in_gp124, label %vaarg.in_reg137, label %vaarg.in_mem139

vaarg.in_reg137:                                  ; preds = %cond.false133
  %reg_save_area138 = load ptr, ptr %8, align 8
  %46 = sext i32 %gp_offset123 to i64
  %47 = getelementptr i8, ptr %reg_save_area138, i64 %46
  %48 = add i32 %gp_offset123, 8
  store i32 %48, ptr %arguments, align 8
  br label %vaarg.end143

vaarg.in_mem139:                                  ; preds = %cond.false133
  %overflow_arg_area141 = load ptr, ptr %overflow_arg_area_p140, align 8
  %overflow_arg_area.next142 = getelementptr i8, ptr %overflow_arg_area141, i64 8
  store ptr %overflow_arg_area.next142, ptr %overflow_arg_area_p140, align 8
  br label %vaarg.end143

vaarg.end143:                                     ; preds = %vaarg.in_mem139, %vaarg.in_reg137
  %vaarg.addr144 = phi ptr [ %47, %vaarg.in_reg137 ], [ %overflow_arg_area141, %vaarg.in_mem139 ]
  %49 = load i32, ptr %vaarg.addr144, align 4
  %conv145 = sext i32 %49 to i64
  br label %cond.end146

cond.end146:                                      ; preds = %vaarg.end143, %vaarg.end131
  %cond147 = phi i64 [ %45, %vaarg.end131 ], [ %conv145, %vaarg.end143 ]
  %cmp148 = icmp eq i32 %size.0, 2
  br i1 %cmp148, label %cond.true150, label %cond.false153

cond.true150:                                     ; preds = %cond.end146
  %sext460 = shl i64 %cond147, 48
  %conv152 = ashr exact i64 %sext460, 48
  br label %cond.end162

cond.false153:                                    ; preds = %cond.end146
  %cmp154 = icmp eq i32 %size.0, 1
  %sext = shl i64 %cond147, 56
  %conv158 = ashr exact i64 %sext, 56
  %cond161 = select i1 %cmp154, i64 %conv158, i64 %cond147
  br label %cond.end162

cond.end162:                                      ; preds = %cond.false153, %cond.true150
  %cond163 = phi i64 [ %conv152, %cond.true150 ], [ %cond161, %cond.false153 ]
  %cmp164 = icmp slt i64 %cond163, 0
  br i1 %cmp164, label %cond.end176, label %cond.false167

cond.false167:                                    ; preds = %cond.end162
  %and = and i32 %flags.3, 2
  %tobool168.not = icmp eq i32 %and, 0
  br i1 %tobool168.not, label %cond.false170, label %cond.end176

cond.false170:                                    ; preds = %cond.false167
  %and171 = and i32 %flags.3, 4
  %tobool172.not = icmp eq i32 %and171, 0
  %cond173 = select i1 %tobool172.not, ptr @.str, ptr @.str.3
  br label %cond.end176

cond.end176:                                      ; preds = %cond.false170, %cond.false167, %cond.end162
  %cond177 = phi ptr [ @.str.1, %cond.end162 ], [ %cond173, %cond.false170 ], [ @.str.2, %cond.false167 ]
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %digits.i) #23
  %tobool.not55.i = icmp eq i64 %cond163, 0
  br i1 %tobool.not55.i, label %integer.exit, label %for.body.lr.ph.i

for.body.lr.ph.i:                                 ; preds = %cond.end176
  %cond184 = call i64 @llvm.abs.i64(i64 %cond163, i1 false)
  br label %for.body.i

for.body.i:                                       ; preds = %for.body.i, %for.body.lr.ph.i
  %indvars.iv.i = phi i64 [ 24, %for.body.lr.ph.i ], [ %indvars.iv.next.i, %for.body.i ]
  %value.addr.057.i = phi i64 [ %cond184, %for.body.lr.ph.i ], [ %div.i, %for.body.i ]
  %rem.i = urem i64 %value.addr.057.i, 10
  %conv1.i = trunc i64 %rem.i to i8
  %cond5.i = or i8 %conv1.i, 48
  %indvars.iv.next.i = add nsw i64 %indvars.iv.i, -1
  %arrayidx.i465 = getelementptr inbounds [24 x i8], ptr %digits.i, i64 0, i64 %indvars.iv.next.i
  store i8 %cond5.i, ptr %arrayidx.i465, align 1, !tbaa !5
  %div.i = udiv i64 %value.addr.057.i, 10
  %tobool.not.i466 = icmp ult i64 %value.addr.057.i, 10
  br i1 %tobool.not.i466, label %for.end.loopexit.i, label %for.body.i, !llvm.loop !77

for.end.loopexit.i:                               ; preds = %for.body.i
  %50 = trunc i64 %indvars.iv.next.i to i32
  br label %integer.exit

integer.exit:                                     ; preds = %cond.end176, %for.end.loopexit.i
  %at.0.lcssa.i = phi i32 [ 24, %cond.end176 ], [ %50, %for.end.loopexit.i ]
  %cmp8.i = icmp sgt i32 %precision.1, -1
  %and10.i = and i32 %flags.3, -17
  %precision.addr.0.i = select i1 %cmp8.i, i32 %precision.1, i32 1
  %flags.addr.0.i = select i1 %cmp8.i, i32 %and10.i, i32 %flags.3
  %sub11.i = sub nsw i32 24, %at.0.lcssa.i
  %cmp12.i = icmp sgt i32 %precision.addr.0.i, %sub11.i
  %sub16.i = sub nsw i32 %precision.addr.0.i, %sub11.i
  %cond19.i = select i1 %cmp12.i, i32 %sub16.i, i32 0
  %idx.ext.i = sext i32 %at.0.lcssa.i to i64
  %add.ptr.i = getelementptr inbounds i8, ptr %digits.i, i64 %idx.ext.i
  call fastcc void @field(ptr noundef %to, ptr noundef nonnull %cond177, i32 noundef %cond19.i, ptr noundef nonnull %add.ptr.i, i32 noundef %sub11.i, i32 noundef %width.2, i32 noundef %flags.addr.0.i) #22
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %digits.i) #23
  br label %for.inc346

sw.bb186:                                         ; preds = %for.end117
  %or187 = or i32 %flags.3, 32
  br label %sw.bb188

sw.bb188:                                         ; preds = %for.end117, %for.end117, %for.end117, %sw.bb186
  %flags.4 = phi i32 [ %flags.3, %for.end117 ], [ %flags.3, %for.end117 ], [ %flags.3, %for.end117 ], [ %or187, %sw.bb186 ]
  %cmp189 = icmp eq i32 %size.0, 8
  %gp_offset193 = load i32, ptr %arguments, align 8
  %fits_in_gp194 = icmp ult i32 %gp_offset193, 41
  br i1 %cmp189, label %cond.true191, label %cond.false203

cond.true191:                                     ; preds = %sw.bb188
  br i1 %fits_in_gp194, label %vaarg.in_reg195, label %vaarg.in_mem197

vaarg.in_reg195:                                  ; preds = %cond.true191
  %reg_save_area196 = load ptr, ptr %7, align 8
  %51 = sext i32 %gp_offset193 to i64
  %52 = getelementptr i8, ptr %reg_save_area196, i64 %51
  %53 = add i32 %gp_offset193, 8
  store i32 %53, ptr %arguments, align 8
  br label %vaarg.end201

vaarg.in_mem197:                                  ; preds = %cond.true191
  %overflow_arg_area199 = load ptr, ptr %overflow_arg_area_p198, align 8
  %overflow_arg_area.next200 = getelementptr i8, ptr %overflow_arg_area199, i64 8
  store ptr %overflow_arg_area.next200, ptr %overflow_arg_area_p198, align 8
  br label %vaarg.end201

vaarg.end201:                                     ; preds = %vaarg.in_mem197, %vaarg.in_reg195
  %vaarg.addr202 = phi ptr [ %52, %vaarg.in_reg195 ], [ %overflow_arg_area199, %vaarg.in_mem197 ]
  %54 = load i64, ptr %vaarg.addr202, align 8
  br label %cond.end216

cond.false203:                                    ; preds = %sw.bb188
  br i1 %fits_in_gp194, label %vaarg.in_reg207, label %vaarg.in_mem209

vaarg.in_reg207:                                  ; preds = %cond.false203
  %reg_save_area208 = load ptr, ptr %6, align 8
  %55 = sext i32 %gp_offset193 to i64
  %56 = getelementptr i8, ptr %reg_save_area208, i64 %55
  %57 = add i32 %gp_offset193, 8
  store i32 %57, ptr %arguments, align 8
  br label %vaarg.end213

vaarg.in_mem209:                                  ; preds = %cond.false203
  %overflow_arg_area211 = load ptr, ptr %overflow_arg_area_p210, align 8
  %overflow_arg_area.next212 = getelementptr i8, ptr %overflow_arg_area211, i64 8
  store ptr %overflow_arg_area.next212, ptr %overflow_arg_area_p210, align 8
  br label %vaarg.end213

vaarg.end213:                                     ; preds = %vaarg.in_mem209, %vaarg.in_reg207
  %vaarg.addr214 = phi ptr [ %56, %vaarg.in_reg207 ], [ %overflow_arg_area211, %vaarg.in_mem209 ]
  %58 = load i32, ptr %vaarg.addr214, align 4
  %conv215 = zext i32 %58 to i64
  br label %cond.end216

cond.end216:                                      ; preds = %vaarg.end213, %vaarg.end201
  %cond217 = phi i64 [ %54, %vaarg.end201 ], [ %conv215, %vaarg.end213 ]
  %cmp218 = icmp eq i32 %size.0, 2
  %conv222 = and i64 %cond217, 65535
  %cmp224 = icmp eq i32 %size.0, 1
  %conv228 = and i64 %cond217, 255
  %cond231 = select i1 %cmp224, i64 %conv228, i64 %cond217
  %cond233 = select i1 %cmp218, i64 %conv222, i64 %cond231
  %59 = load i8, ptr %s.addr.6, align 1, !tbaa !5
  %cmp235 = icmp eq i8 %59, 117
  %cmp240 = icmp eq i8 %59, 111
  %cond242 = select i1 %cmp240, i32 8, i32 16
  %cond244 = select i1 %cmp235, i32 10, i32 %cond242
  %cmp245 = icmp eq i32 %cond244, 16
  br i1 %cmp245, label %land.lhs.true, label %if.end256

land.lhs.true:                                    ; preds = %cond.end216
  %and247 = and i32 %flags.4, 8
  %tobool248 = icmp ne i32 %and247, 0
  %tobool250 = icmp ne i64 %cond233, 0
  %or.cond = select i1 %tobool248, i1 %tobool250, i1 false
  br i1 %or.cond, label %if.then251, label %if.end256

if.then251:                                       ; preds = %land.lhs.true
  %cmp253 = icmp eq i8 %59, 88
  %cond255 = select i1 %cmp253, ptr @.str.4, ptr @.str.5
  br label %if.end256

if.end256:                                        ; preds = %if.then251, %land.lhs.true, %cond.end216
  %prefix.0 = phi ptr [ %cond255, %if.then251 ], [ @.str, %land.lhs.true ], [ @.str, %cond.end216 ]
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %digits.i467) #23
  %tobool.not55.i468 = icmp eq i64 %cond233, 0
  br i1 %tobool.not55.i468, label %for.end.i, label %for.body.lr.ph.i472

for.body.lr.ph.i472:                              ; preds = %if.end256
  %conv.i = zext i32 %cond244 to i64
  %and.i469 = and i32 %flags.4, 32
  %cond.i470 = xor i32 %and.i469, 97
  %add4.i471 = add nuw nsw i32 %cond.i470, 246
  br label %for.body.i485

for.body.i485:                                    ; preds = %for.body.i485, %for.body.lr.ph.i472
  %indvars.iv.i473 = phi i64 [ 24, %for.body.lr.ph.i472 ], [ %indvars.iv.next.i481, %for.body.i485 ]
  %value.addr.057.i474 = phi i64 [ %cond233, %for.body.lr.ph.i472 ], [ %div.i483, %for.body.i485 ]
  %rem.i475 = urem i64 %value.addr.057.i474, %conv.i
  %conv1.i476 = trunc i64 %rem.i475 to i32
  %cmp.i477 = icmp ult i32 %conv1.i476, 10
  %cond5.v.i478 = select i1 %cmp.i477, i32 48, i32 %add4.i471
  %cond5.i479 = add nuw nsw i32 %cond5.v.i478, %conv1.i476
  %conv6.i480 = trunc i32 %cond5.i479 to i8
  %indvars.iv.next.i481 = add nsw i64 %indvars.iv.i473, -1
  %arrayidx.i482 = getelementptr inbounds [24 x i8], ptr %digits.i467, i64 0, i64 %indvars.iv.next.i481
  store i8 %conv6.i480, ptr %arrayidx.i482, align 1, !tbaa !5
  %div.i483 = udiv i64 %value.addr.057.i474, %conv.i
  %tobool.not.i484 = icmp ult i64 %value.addr.057.i474, %conv.i
  br i1 %tobool.not.i484, label %for.end.loopexit.i486, label %for.body.i485, !llvm.loop !77

for.end.loopexit.i486:                            ; preds = %for.body.i485
  %60 = trunc i64 %indvars.iv.next.i481 to i32
  br label %for.end.i

for.end.i:                                        ; preds = %for.end.loopexit.i486, %if.end256
  %at.0.lcssa.i487 = phi i32 [ 24, %if.end256 ], [ %60, %for.end.loopexit.i486 ]
  %cmp8.i488 = icmp sgt i32 %precision.1, -1
  %and10.i489 = and i32 %flags.4, -17
  %precision.addr.0.i490 = select i1 %cmp8.i488, i32 %precision.1, i32 1
  %flags.addr.0.i491 = select i1 %cmp8.i488, i32 %and10.i489, i32 %flags.4
  %sub11.i492 = sub nsw i32 24, %at.0.lcssa.i487
  %cmp12.i493 = icmp sgt i32 %precision.addr.0.i490, %sub11.i492
  %sub16.i494 = sub nsw i32 %precision.addr.0.i490, %sub11.i492
  %cond19.i495 = select i1 %cmp12.i493, i32 %sub16.i494, i32 0
  br i1 %cmp240, label %land.lhs.true.i, label %integer.exit498

land.lhs.true.i:                                  ; preds = %for.end.i
  %and22.i = and i32 %flags.addr.0.i491, 8
  %tobool23.i = icmp eq i32 %and22.i, 0
  %tobool25.i = icmp ne i32 %cond19.i495, 0
  %or.cond.i = select i1 %tobool23.i, i1 true, i1 %tobool25.i
  br i1 %or.cond.i, label %integer.exit498, label %land.lhs.true26.i

land.lhs.true26.i:                                ; preds = %land.lhs.true.i
  %cmp27.i = icmp eq i32 %at.0.lcssa.i487, 24
  br i1 %cmp27.i, label %if.then34.i, label %lor.lhs.false.i

lor.lhs.false.i:                                  ; preds = %land.lhs.true26.i
  %idxprom29.i = sext i32 %at.0.lcssa.i487 to i64
  %arrayidx30.i = getelementptr inbounds [24 x i8], ptr %digits.i467, i64 0, i64 %idxprom29.i
  %61 = load i8, ptr %arrayidx30.i, align 1, !tbaa !5
  %cmp32.not.i = icmp eq i8 %61, 48
  br i1 %cmp32.not.i, label %integer.exit498, label %if.then34.i

if.then34.i:                                      ; preds = %lor.lhs.false.i, %land.lhs.true26.i
  br label %integer.exit498

integer.exit498:                                  ; preds = %for.end.i, %land.lhs.true.i, %lor.lhs.false.i, %if.then34.i
  %zeros.0.i = phi i32 [ %cond19.i495, %land.lhs.true.i ], [ 1, %if.then34.i ], [ 0, %lor.lhs.false.i ], [ %cond19.i495, %for.end.i ]
  %idx.ext.i496 = sext i32 %at.0.lcssa.i487 to i64
  %add.ptr.i497 = getelementptr inbounds i8, ptr %digits.i467, i64 %idx.ext.i496
  call fastcc void @field(ptr noundef %to, ptr noundef nonnull %prefix.0, i32 noundef %zeros.0.i, ptr noundef nonnull %add.ptr.i497, i32 noundef %sub11.i492, i32 noundef %width.2, i32 noundef %flags.addr.0.i491) #22
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %digits.i467) #23
  br label %for.inc346

sw.bb257:                                         ; preds = %for.end117
  %gp_offset259 = load i32, ptr %arguments, align 8
  %fits_in_gp260 = icmp ult i32 %gp_offset259, 41
  br i1 %fits_in_gp260, label %vaarg.in_reg261, label %vaarg.in_mem263

vaarg.in_reg261:                                  ; preds = %sw.bb257
  %reg_save_area262 = load ptr, ptr %5, align 8
  %62 = sext i32 %gp_offset259 to i64
  %63 = getelementptr i8, ptr %reg_save_area262, i64 %62
  %64 = add i32 %gp_offset259, 8
  store i32 %64, ptr %arguments, align 8
  br label %vaarg.end267

vaarg.in_mem263:                                  ; preds = %sw.bb257
  %overflow_arg_area265 = load ptr, ptr %overflow_arg_area_p264, align 8
  %overflow_arg_area.next266 = getelementptr i8, ptr %overflow_arg_area265, i64 8
  store ptr %overflow_arg_area.next266, ptr %overflow_arg_area_p264, align 8
  br label %vaarg.end267

vaarg.end267:                                     ; preds = %vaarg.in_mem263, %vaarg.in_reg261
  %vaarg.addr268 = phi ptr [ %63, %vaarg.in_reg261 ], [ %overflow_arg_area265, %vaarg.in_mem263 ]
  %65 = load ptr, ptr %vaarg.addr268, align 8
  %and269 = and i32 %flags.3, 2
  %tobool270.not = icmp eq i32 %and269, 0
  %and273 = and i32 %flags.3, 4
  %tobool274.not = icmp eq i32 %and273, 0
  %cond275 = select i1 %tobool274.not, ptr @.str.5, ptr @.str.7
  %cond277 = select i1 %tobool270.not, ptr %cond275, ptr @.str.6
  %tobool278.not = icmp eq ptr %65, null
  br i1 %tobool278.not, label %if.else280, label %if.then279

if.then279:                                       ; preds = %vaarg.end267
  %66 = ptrtoint ptr %65 to i64
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %digits.i499) #23
  br label %for.body.i517

for.body.i517:                                    ; preds = %for.body.i517, %if.then279
  %indvars.iv.i505 = phi i64 [ 24, %if.then279 ], [ %indvars.iv.next.i513, %for.body.i517 ]
  %value.addr.057.i506 = phi i64 [ %66, %if.then279 ], [ %div.i515574, %for.body.i517 ]
  %67 = trunc i64 %value.addr.057.i506 to i32
  %conv1.i508 = and i32 %67, 15
  %cmp.i509 = icmp ult i32 %conv1.i508, 10
  %cond5.v.i510 = select i1 %cmp.i509, i32 48, i32 87
  %cond5.i511 = add nuw nsw i32 %cond5.v.i510, %conv1.i508
  %conv6.i512 = trunc i32 %cond5.i511 to i8
  %indvars.iv.next.i513 = add nsw i64 %indvars.iv.i505, -1
  %arrayidx.i514 = getelementptr inbounds [24 x i8], ptr %digits.i499, i64 0, i64 %indvars.iv.next.i513
  store i8 %conv6.i512, ptr %arrayidx.i514, align 1, !tbaa !5
  %div.i515574 = lshr i64 %value.addr.057.i506, 4
  %tobool.not.i516 = icmp ult i64 %value.addr.057.i506, 16
  br i1 %tobool.not.i516, label %for.end.loopexit.i518, label %for.body.i517, !llvm.loop !77

for.end.loopexit.i518:                            ; preds = %for.body.i517
  %68 = trunc i64 %indvars.iv.next.i513 to i32
  %cmp8.i520 = icmp sgt i32 %precision.1, -1
  %and10.i521 = and i32 %flags.3, -17
  %precision.addr.0.i522 = select i1 %cmp8.i520, i32 %precision.1, i32 1
  %flags.addr.0.i523 = select i1 %cmp8.i520, i32 %and10.i521, i32 %flags.3
  %sub11.i524 = sub nsw i32 24, %68
  %cmp12.i525 = icmp sgt i32 %precision.addr.0.i522, %sub11.i524
  %sub16.i526 = sub nsw i32 %precision.addr.0.i522, %sub11.i524
  %cond19.i527 = select i1 %cmp12.i525, i32 %sub16.i526, i32 0
  %sext575 = shl i64 %indvars.iv.next.i513, 32
  %idx.ext.i530 = ashr exact i64 %sext575, 32
  %add.ptr.i531 = getelementptr inbounds i8, ptr %digits.i499, i64 %idx.ext.i530
  call fastcc void @field(ptr noundef %to, ptr noundef nonnull %cond277, i32 noundef %cond19.i527, ptr noundef nonnull %add.ptr.i531, i32 noundef %sub11.i524, i32 noundef %width.2, i32 noundef %flags.addr.0.i523) #22
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %digits.i499) #23
  br label %for.inc346

if.else280:                                       ; preds = %vaarg.end267
  %and281 = and i32 %flags.3, 1
  call fastcc void @field(ptr noundef %to, ptr noundef nonnull @.str, i32 noundef 0, ptr noundef nonnull @.str.8, i32 noundef 5, i32 noundef %width.2, i32 noundef %and281) #22
  br label %for.inc346

sw.bb283:                                         ; preds = %for.end117
  call void @llvm.lifetime.start.p0(i64 1, ptr nonnull %c) #23
  %gp_offset285 = load i32, ptr %arguments, align 8
  %fits_in_gp286 = icmp ult i32 %gp_offset285, 41
  br i1 %fits_in_gp286, label %vaarg.in_reg287, label %vaarg.in_mem289

vaarg.in_reg287:                                  ; preds = %sw.bb283
  %reg_save_area288 = load ptr, ptr %4, align 8
  %69 = sext i32 %gp_offset285 to i64
  %70 = getelementptr i8, ptr %reg_save_area288, i64 %69
  %71 = add i32 %gp_offset285, 8
  store i32 %71, ptr %arguments, align 8
  br label %vaarg.end293

vaarg.in_mem289:                                  ; preds = %sw.bb283
  %overflow_arg_area291 = load ptr, ptr %overflow_arg_area_p290, align 8
  %overflow_arg_area.next292 = getelementptr i8, ptr %overflow_arg_area291, i64 8
  store ptr %overflow_arg_area.next292, ptr %overflow_arg_area_p290, align 8
  br label %vaarg.end293

vaarg.end293:                                     ; preds = %vaarg.in_mem289, %vaarg.in_reg287
  %vaarg.addr294 = phi ptr [ %70, %vaarg.in_reg287 ], [ %overflow_arg_area291, %vaarg.in_mem289 ]
  %72 = load i32, ptr %vaarg.addr294, align 4
  %conv295 = trunc i32 %72 to i8
  store i8 %conv295, ptr %c, align 1, !tbaa !5
  %and296 = and i32 %flags.3, 1
  call fastcc void @field(ptr noundef %to, ptr noundef nonnull @.str, i32 noundef 0, ptr noundef nonnull %c, i32 noundef 1, i32 noundef %width.2, i32 noundef %and296) #22
  call void @llvm.lifetime.end.p0(i64 1, ptr nonnull %c) #23
  br label %for.inc346

sw.bb298:                                         ; preds = %for.end117
  %gp_offset300 = load i32, ptr %arguments, align 8
  %fits_in_gp301 = icmp ult i32 %gp_offset300, 41
  br i1 %fits_in_gp301, label %vaarg.in_reg302, label %vaarg.in_mem304

vaarg.in_reg302:                                  ; preds = %sw.bb298
  %reg_save_area303 = load ptr, ptr %3, align 8
  %73 = sext i32 %gp_offset300 to i64
  %74 = getelementptr i8, ptr %reg_save_area303, i64 %73
  %75 = add i32 %gp_offset300, 8
  store i32 %75, ptr %arguments, align 8
  br label %vaarg.end308

vaarg.in_mem304:                                  ; preds = %sw.bb298
  %overflow_arg_area306 = load ptr, ptr %overflow_arg_area_p305, align 8
  %overflow_arg_area.next307 = getelementptr i8, ptr %overflow_arg_area306, i64 8
  store ptr %overflow_arg_area.next307, ptr %overflow_arg_area_p305, align 8
  br label %vaarg.end308

vaarg.end308:                                     ; preds = %vaarg.in_mem304, %vaarg.in_reg302
  %vaarg.addr309 = phi ptr [ %74, %vaarg.in_reg302 ], [ %overflow_arg_area306, %vaarg.in_mem304 ]
  %76 = load ptr, ptr %vaarg.addr309, align 8
  %tobool310.not = icmp eq ptr %76, null
  %77 = icmp ugt i32 %precision.1, 5
  %cond316 = select i1 %77, ptr @.str.9, ptr @.str
  %text.0 = select i1 %tobool310.not, ptr %cond316, ptr %76
  %cmp318 = icmp slt i32 %precision.1, 0
  br i1 %cmp318, label %while.cond.i, label %cond.false322

while.cond.i:                                     ; preds = %vaarg.end308, %while.cond.i
  %end.0.i = phi ptr [ %incdec.ptr.i, %while.cond.i ], [ %text.0, %vaarg.end308 ]
  %78 = load i8, ptr %end.0.i, align 1, !tbaa !5
  %tobool.not.i533 = icmp eq i8 %78, 0
  %incdec.ptr.i = getelementptr inbounds i8, ptr %end.0.i, i64 1
  br i1 %tobool.not.i533, label %strlen.exit, label %while.cond.i, !llvm.loop !12

strlen.exit:                                      ; preds = %while.cond.i
  %sub.ptr.lhs.cast.i = ptrtoint ptr %end.0.i to i64
  %sub.ptr.rhs.cast.i = ptrtoint ptr %text.0 to i64
  %sub.ptr.sub.i = sub i64 %sub.ptr.lhs.cast.i, %sub.ptr.rhs.cast.i
  br label %cond.end325

cond.false322:                                    ; preds = %vaarg.end308
  %conv323 = zext i32 %precision.1 to i64
  %cmp4.not.i = icmp eq i32 %precision.1, 0
  br i1 %cmp4.not.i, label %cond.end325, label %land.rhs.i

land.rhs.i:                                       ; preds = %cond.false322, %while.body.i
  %n.05.i = phi i64 [ %inc.i536, %while.body.i ], [ 0, %cond.false322 ]
  %arrayidx.i534 = getelementptr inbounds i8, ptr %text.0, i64 %n.05.i
  %79 = load i8, ptr %arrayidx.i534, align 1, !tbaa !5
  %tobool.not.i535 = icmp eq i8 %79, 0
  br i1 %tobool.not.i535, label %cond.end325, label %while.body.i

while.body.i:                                     ; preds = %land.rhs.i
  %inc.i536 = add nuw nsw i64 %n.05.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i536, %conv323
  br i1 %exitcond.not.i, label %cond.end325, label %land.rhs.i, !llvm.loop !13

cond.end325:                                      ; preds = %while.body.i, %land.rhs.i, %cond.false322, %strlen.exit
  %cond326 = phi i64 [ %sub.ptr.sub.i, %strlen.exit ], [ 0, %cond.false322 ], [ %n.05.i, %land.rhs.i ], [ %conv323, %while.body.i ]
  %conv327 = trunc i64 %cond326 to i32
  %and328 = and i32 %flags.3, 1
  call fastcc void @field(ptr noundef %to, ptr noundef nonnull @.str, i32 noundef 0, ptr noundef %text.0, i32 noundef %conv327, i32 noundef %width.2, i32 noundef %and328) #22
  br label %for.inc346

sw.bb331:                                         ; preds = %for.end117, %for.end117, %for.end117
  %or332 = or i32 %flags.3, 32
  br label %sw.bb333

sw.bb333:                                         ; preds = %for.end117, %for.end117, %for.end117, %sw.bb331
  %flags.5 = phi i32 [ %flags.3, %for.end117 ], [ %flags.3, %for.end117 ], [ %flags.3, %for.end117 ], [ %or332, %sw.bb331 ]
  %fp_offset = load i32, ptr %fp_offset_p, align 4
  %fits_in_fp = icmp ult i32 %fp_offset, 161
  br i1 %fits_in_fp, label %vaarg.in_reg334, label %vaarg.in_mem336

vaarg.in_reg334:                                  ; preds = %sw.bb333
  %reg_save_area335 = load ptr, ptr %2, align 8
  %80 = sext i32 %fp_offset to i64
  %81 = getelementptr i8, ptr %reg_save_area335, i64 %80
  %82 = add i32 %fp_offset, 16
  store i32 %82, ptr %fp_offset_p, align 4
  br label %vaarg.end340

vaarg.in_mem336:                                  ; preds = %sw.bb333
  %overflow_arg_area338 = load ptr, ptr %overflow_arg_area_p337, align 8
  %overflow_arg_area.next339 = getelementptr i8, ptr %overflow_arg_area338, i64 8
  store ptr %overflow_arg_area.next339, ptr %overflow_arg_area_p337, align 8
  br label %vaarg.end340

vaarg.end340:                                     ; preds = %vaarg.in_mem336, %vaarg.in_reg334
  %vaarg.addr341 = phi ptr [ %81, %vaarg.in_reg334 ], [ %overflow_arg_area338, %vaarg.in_mem336 ]
  %83 = load i64, ptr %vaarg.addr341, align 8
  %84 = load i8, ptr %s.addr.6, align 1, !tbaa !5
  %85 = or i8 %84, 32
  call void @llvm.lifetime.start.p0(i64 1200, ptr nonnull %digits.i537) #23
  call void @llvm.lifetime.start.p0(i64 1600, ptr nonnull %text.i) #23
  %tobool.not.i538 = icmp sgt i64 %83, -1
  br i1 %tobool.not.i538, label %cond.false.i, label %cond.end7.i

cond.false.i:                                     ; preds = %vaarg.end340
  %and.i539 = and i32 %flags.5, 2
  %tobool1.not.i = icmp eq i32 %and.i539, 0
  br i1 %tobool1.not.i, label %cond.false3.i, label %cond.end7.i

cond.false3.i:                                    ; preds = %cond.false.i
  %and4.i = and i32 %flags.5, 4
  %tobool5.not.i = icmp eq i32 %and4.i, 0
  %cond.i540 = select i1 %tobool5.not.i, ptr @.str, ptr @.str.3
  br label %cond.end7.i

cond.end7.i:                                      ; preds = %cond.false3.i, %cond.false.i, %vaarg.end340
  %cond8.i = phi ptr [ @.str.1, %vaarg.end340 ], [ %cond.i540, %cond.false3.i ], [ @.str.2, %cond.false.i ]
  %86 = and i64 %83, 9218868437227405312
  %cmp.i541 = icmp eq i64 %86, 9218868437227405312
  br i1 %cmp.i541, label %if.then.i543, label %if.end.i

if.then.i543:                                     ; preds = %cond.end7.i
  %shl.mask.i = and i64 %83, 4503599627370495
  %tobool11.not.i = icmp eq i64 %shl.mask.i, 0
  %cond12.i = select i1 %tobool11.not.i, ptr @.str.11, ptr @.str.10
  %cond15.i = select i1 %tobool11.not.i, ptr @.str.13, ptr @.str.12
  %and16.i = and i32 %flags.5, 32
  %tobool17.not.i = icmp eq i32 %and16.i, 0
  %cond21.i = select i1 %tobool17.not.i, ptr %cond12.i, ptr %cond15.i
  %and22.i542 = and i32 %flags.5, -17
  call fastcc void @field(ptr noundef %to, ptr noundef nonnull %cond8.i, i32 noundef 0, ptr noundef nonnull %cond21.i, i32 noundef 3, i32 noundef %width.2, i32 noundef %and22.i542) #22
  br label %floating.exit

if.end.i:                                         ; preds = %cond.end7.i
  %cmp23.i = icmp sgt i32 %precision.1, 1000
  br i1 %cmp23.i, label %if.then24.i, label %if.end25.i

if.then24.i:                                      ; preds = %if.end.i
  call void @llvm.trap()
  unreachable

if.end25.i:                                       ; preds = %if.end.i
  %cmp26.i = icmp slt i32 %precision.1, 0
  %spec.store.select.i = select i1 %cmp26.i, i32 6, i32 %precision.1
  %shr.i.i = lshr i64 %83, 52
  %87 = trunc i64 %shr.i.i to i32
  %conv.i.i = and i32 %87, 2047
  %and1.i.i = and i64 %83, 4503599627370495
  %tobool.not.i.i = icmp eq i32 %conv.i.i, 0
  %cond.i.i = select i1 %tobool.not.i.i, i64 0, i64 4503599627370496
  %or.i.i = or i64 %cond.i.i, %and1.i.i
  %conv.op.i.i = add nsw i32 %conv.i.i, -1075
  %sub.i.i = select i1 %tobool.not.i.i, i32 -1074, i32 %conv.op.i.i
  call void @llvm.lifetime.start.p0(i64 520, ptr nonnull %limbs.i.i) #23
  %tobool4.not137.i.i = icmp eq i64 %or.i.i, 0
  br i1 %tobool4.not137.i.i, label %for.end.i.i, label %for.body.i.i

for.body.i.i:                                     ; preds = %if.end25.i, %for.body.i.i
  %indvars.iv.i.i = phi i64 [ %indvars.iv.next.i.i, %for.body.i.i ], [ 0, %if.end25.i ]
  %m.0139.i.i = phi i64 [ %div.i.i, %for.body.i.i ], [ %or.i.i, %if.end25.i ]
  %rem.i.i = urem i64 %m.0139.i.i, 1000000000
  %conv5.i.i = trunc i64 %rem.i.i to i32
  %indvars.iv.next.i.i = add nuw i64 %indvars.iv.i.i, 1
  %arrayidx.i.i544 = getelementptr inbounds [130 x i32], ptr %limbs.i.i, i64 0, i64 %indvars.iv.i.i
  store i32 %conv5.i.i, ptr %arrayidx.i.i544, align 4, !tbaa !56
  %div.i.i = udiv i64 %m.0139.i.i, 1000000000
  %tobool4.not.i.i = icmp ult i64 %m.0139.i.i, 1000000000
  br i1 %tobool4.not.i.i, label %for.end.loopexit.i.i, label %for.body.i.i, !llvm.loop !78

for.end.loopexit.i.i:                             ; preds = %for.body.i.i
  %88 = trunc i64 %indvars.iv.next.i.i to i32
  br label %for.end.i.i

for.end.i.i:                                      ; preds = %for.end.loopexit.i.i, %if.end25.i
  %n.0.lcssa.i.i = phi i32 [ 0, %if.end25.i ], [ %88, %for.end.loopexit.i.i ]
  %cmp.i.i545 = icmp slt i32 %sub.i.i, 0
  %cond14.i.i = select i1 %cmp.i.i545, i32 12, i32 29
  %tobool15.not148.i.i = icmp eq i32 %sub.i.i, 0
  br i1 %tobool15.not148.i.i, label %for.cond59.preheader.i.i, label %while.body.lr.ph.i.i

while.body.lr.ph.i.i:                             ; preds = %for.end.i.i
  %cond11.i.i = call i32 @llvm.abs.i32(i32 %sub.i.i, i1 true)
  %cond28.i.i = select i1 %cmp.i.i545, i64 5, i64 2
  br label %while.body.i.i

for.cond59.preheader.i.i:                         ; preds = %if.end.i.i, %for.end.i.i
  %n.1.lcssa.i.i = phi i32 [ %n.0.lcssa.i.i, %for.end.i.i ], [ %n.2.i.i, %if.end.i.i ]
  %cmp60155.i.i = icmp sgt i32 %n.1.lcssa.i.i, 0
  br i1 %cmp60155.i.i, label %for.cond64.preheader.preheader.i.i, label %decimal.exit.i

for.cond64.preheader.preheader.i.i:               ; preds = %for.cond59.preheader.i.i
  %89 = zext i32 %n.1.lcssa.i.i to i64
  br label %for.cond64.preheader.i.i

while.body.i.i:                                   ; preds = %if.end.i.i, %while.body.lr.ph.i.i
  %times.0150.i.i = phi i32 [ %cond11.i.i, %while.body.lr.ph.i.i ], [ %sub56.i.i, %if.end.i.i ]
  %n.1149.i.i = phi i32 [ %n.0.lcssa.i.i, %while.body.lr.ph.i.i ], [ %n.2.i.i, %if.end.i.i ]
  %cond21.i.i = call i32 @llvm.smin.i32(i32 %times.0150.i.i, i32 %cond14.i.i)
  %cmp23140.i.i = icmp sgt i32 %times.0150.i.i, 0
  br i1 %cmp23140.i.i, label %for.body25.preheader.i.i, label %for.cond34.preheader.i.i

for.body25.preheader.i.i:                         ; preds = %while.body.i.i
  %smax.i.i = call i32 @llvm.smax.i32(i32 %cond21.i.i, i32 1)
  br label %for.body25.i.i

for.cond34.preheader.i.i:                         ; preds = %for.body25.i.i, %while.body.i.i
  %factor.0.lcssa.i.i = phi i64 [ 1, %while.body.i.i ], [ %mul.i.i, %for.body25.i.i ]
  %cmp35144.i.i = icmp sgt i32 %n.1149.i.i, 0
  br i1 %cmp35144.i.i, label %for.body38.preheader.i.i, label %for.cond.cleanup37.i.i

for.body38.preheader.i.i:                         ; preds = %for.cond34.preheader.i.i
  %wide.trip.count.i.i = zext i32 %n.1149.i.i to i64
  br label %for.body38.i.i

for.body25.i.i:                                   ; preds = %for.body25.i.i, %for.body25.preheader.i.i
  %k.0142.i.i = phi i32 [ %inc31.i.i, %for.body25.i.i ], [ 0, %for.body25.preheader.i.i ]
  %factor.0141.i.i = phi i64 [ %mul.i.i, %for.body25.i.i ], [ 1, %for.body25.preheader.i.i ]
  %mul.i.i = mul i64 %factor.0141.i.i, %cond28.i.i
  %inc31.i.i = add nuw nsw i32 %k.0142.i.i, 1
  %exitcond.not.i.i = icmp eq i32 %inc31.i.i, %smax.i.i
  br i1 %exitcond.not.i.i, label %for.cond34.preheader.i.i, label %for.body25.i.i, !llvm.loop !79

for.cond.cleanup37.i.i:                           ; preds = %for.body38.i.i, %for.cond34.preheader.i.i
  %carry.0.lcssa.i.i = phi i64 [ 0, %for.cond34.preheader.i.i ], [ %div47.i.i, %for.body38.i.i ]
  %tobool51.not.i.i = icmp eq i64 %carry.0.lcssa.i.i, 0
  br i1 %tobool51.not.i.i, label %if.end.i.i, label %if.then.i.i546

for.body38.i.i:                                   ; preds = %for.body38.i.i, %for.body38.preheader.i.i
  %indvars.iv160.i.i = phi i64 [ 0, %for.body38.preheader.i.i ], [ %indvars.iv.next161.i.i, %for.body38.i.i ]
  %carry.0145.i.i = phi i64 [ 0, %for.body38.preheader.i.i ], [ %div47.i.i, %for.body38.i.i ]
  %arrayidx40.i.i = getelementptr inbounds [130 x i32], ptr %limbs.i.i, i64 0, i64 %indvars.iv160.i.i
  %90 = load i32, ptr %arrayidx40.i.i, align 4, !tbaa !56
  %conv41.i.i = zext i32 %90 to i64
  %mul42.i.i = mul i64 %factor.0.lcssa.i.i, %conv41.i.i
  %add.i.i = add i64 %mul42.i.i, %carry.0145.i.i
  %rem43.i.i = urem i64 %add.i.i, 1000000000
  %conv44.i.i = trunc i64 %rem43.i.i to i32
  store i32 %conv44.i.i, ptr %arrayidx40.i.i, align 4, !tbaa !56
  %div47.i.i = udiv i64 %add.i.i, 1000000000
  %indvars.iv.next161.i.i = add nuw nsw i64 %indvars.iv160.i.i, 1
  %exitcond163.not.i.i = icmp eq i64 %indvars.iv.next161.i.i, %wide.trip.count.i.i
  br i1 %exitcond163.not.i.i, label %for.cond.cleanup37.i.i, label %for.body38.i.i, !llvm.loop !80

if.then.i.i546:                                   ; preds = %for.cond.cleanup37.i.i
  %conv52.i.i = trunc i64 %carry.0.lcssa.i.i to i32
  %inc53.i.i = add nsw i32 %n.1149.i.i, 1
  %idxprom54.i.i = sext i32 %n.1149.i.i to i64
  %arrayidx55.i.i = getelementptr inbounds [130 x i32], ptr %limbs.i.i, i64 0, i64 %idxprom54.i.i
  store i32 %conv52.i.i, ptr %arrayidx55.i.i, align 4, !tbaa !56
  br label %if.end.i.i

if.end.i.i:                                       ; preds = %if.then.i.i546, %for.cond.cleanup37.i.i
  %n.2.i.i = phi i32 [ %inc53.i.i, %if.then.i.i546 ], [ %n.1149.i.i, %for.cond.cleanup37.i.i ]
  %sub56.i.i = sub nsw i32 %times.0150.i.i, %cond21.i.i
  %tobool15.not.i.i = icmp eq i32 %sub56.i.i, 0
  br i1 %tobool15.not.i.i, label %for.cond59.preheader.i.i, label %while.body.i.i, !llvm.loop !81

for.cond59.loopexit.i.i:                          ; preds = %for.inc85.i.i
  %cmp60.i.i = icmp sgt i64 %indvars.iv164.i.i, 1
  br i1 %cmp60.i.i, label %for.cond64.preheader.i.i, label %decimal.exit.i, !llvm.loop !82

for.cond64.preheader.i.i:                         ; preds = %for.cond59.loopexit.i.i, %for.cond64.preheader.preheader.i.i
  %indvars.iv164.i.i = phi i64 [ %89, %for.cond64.preheader.preheader.i.i ], [ %indvars.iv.next165.i.i, %for.cond59.loopexit.i.i ]
  %count.0156.i.i = phi i32 [ 0, %for.cond64.preheader.preheader.i.i ], [ %count.2.i.i, %for.cond59.loopexit.i.i ]
  %indvars.iv.next165.i.i = add nsw i64 %indvars.iv164.i.i, -1
  %idxprom69.i.i = and i64 %indvars.iv.next165.i.i, 4294967295
  %arrayidx70.i.i = getelementptr inbounds [130 x i32], ptr %limbs.i.i, i64 0, i64 %idxprom69.i.i
  br label %for.body67.i.i

for.body67.i.i:                                   ; preds = %for.inc85.i.i, %for.cond64.preheader.i.i
  %unit.0153.i.i = phi i32 [ 100000000, %for.cond64.preheader.i.i ], [ %div86.i.i, %for.inc85.i.i ]
  %count.1152.i.i = phi i32 [ %count.0156.i.i, %for.cond64.preheader.i.i ], [ %count.2.i.i, %for.inc85.i.i ]
  %tobool68.not.i.i = icmp eq i32 %count.1152.i.i, 0
  br i1 %tobool68.not.i.i, label %lor.lhs.false.i.i, label %if.then74.i.i

lor.lhs.false.i.i:                                ; preds = %for.body67.i.i
  %91 = load i32, ptr %arrayidx70.i.i, align 4, !tbaa !56
  %div71.i.i = udiv i32 %91, %unit.0153.i.i
  %rem72.i.i = urem i32 %div71.i.i, 10
  %tobool73.not.i.i = icmp eq i32 %rem72.i.i, 0
  br i1 %tobool73.not.i.i, label %for.inc85.i.i, label %if.then74.i.i

if.then74.i.i:                                    ; preds = %lor.lhs.false.i.i, %for.body67.i.i
  %92 = load i32, ptr %arrayidx70.i.i, align 4, !tbaa !56
  %div77.i.i = udiv i32 %92, %unit.0153.i.i
  %rem78.i.i = urem i32 %div77.i.i, 10
  %93 = trunc i32 %rem78.i.i to i8
  %conv80.i.i = or i8 %93, 48
  %inc81.i.i = add nsw i32 %count.1152.i.i, 1
  %idxprom82.i.i = sext i32 %count.1152.i.i to i64
  %arrayidx83.i.i = getelementptr inbounds i8, ptr %digits.i537, i64 %idxprom82.i.i
  store i8 %conv80.i.i, ptr %arrayidx83.i.i, align 1, !tbaa !5
  br label %for.inc85.i.i

for.inc85.i.i:                                    ; preds = %if.then74.i.i, %lor.lhs.false.i.i
  %count.2.i.i = phi i32 [ %inc81.i.i, %if.then74.i.i ], [ 0, %lor.lhs.false.i.i ]
  %div86.i.i = sdiv i32 %unit.0153.i.i, 10
  %unit.0153.off.i.i = add nsw i32 %unit.0153.i.i, 9
  %tobool65.not.i.i = icmp ult i32 %unit.0153.off.i.i, 19
  br i1 %tobool65.not.i.i, label %for.cond59.loopexit.i.i, label %for.body67.i.i, !llvm.loop !83

decimal.exit.i:                                   ; preds = %for.cond59.loopexit.i.i, %for.cond59.preheader.i.i
  %count.0.lcssa.i.i = phi i32 [ 0, %for.cond59.preheader.i.i ], [ %count.2.i.i, %for.cond59.loopexit.i.i ]
  %add93.i.i = call i32 @llvm.smin.i32(i32 %sub.i.i, i32 0)
  %cond96.i.i = add nsw i32 %count.0.lcssa.i.i, %add93.i.i
  call void @llvm.lifetime.end.p0(i64 520, ptr nonnull %limbs.i.i) #23
  %tobool30.not.i = icmp eq i32 %count.0.lcssa.i.i, 0
  %spec.select349.i = select i1 %tobool30.not.i, i32 1, i32 %cond96.i.i
  %cmp33.i = icmp eq i8 %85, 103
  br i1 %cmp33.i, label %if.then35.i, label %if.end65.i

if.then35.i:                                      ; preds = %decimal.exit.i
  call void @llvm.lifetime.start.p0(i64 1200, ptr nonnull %copy.i) #23
  %tobool36.not.i = icmp eq i32 %spec.store.select.i, 0
  %cond40.i = select i1 %tobool36.not.i, i32 1, i32 %spec.store.select.i
  %conv43.i = sext i32 %count.0.lcssa.i.i to i64
  %call44.i = call ptr @memcpy(ptr noundef nonnull %copy.i, ptr noundef nonnull %digits.i537, i64 noundef %conv43.i) #21
  %call46.i = call fastcc i32 @rounded(ptr noundef nonnull %copy.i, i32 noundef %count.0.lcssa.i.i, i32 noundef %cond40.i) #22
  %add.i = add nsw i32 %call46.i, %spec.select349.i
  %and47.i = lshr i32 %flags.5, 3
  %and47.lobit.i = and i32 %and47.i, 1
  %lnot.ext.i = xor i32 %and47.lobit.i, 1
  %cmp49.i = icmp slt i32 %add.i, -3
  %cmp51.i = icmp slt i32 %cond40.i, %add.i
  %94 = or i1 %cmp49.i, %cmp51.i
  %conv54.i = select i1 %94, i8 101, i8 102
  %95 = sub i32 0, %add.i
  %cond64.p.i = select i1 %94, i32 -1, i32 %95
  %cond64.i = add i32 %cond64.p.i, %cond40.i
  call void @llvm.lifetime.end.p0(i64 1200, ptr nonnull %copy.i) #23
  br label %if.end65.i

if.end65.i:                                       ; preds = %if.then35.i, %decimal.exit.i
  %strip.0.i = phi i32 [ %lnot.ext.i, %if.then35.i ], [ 0, %decimal.exit.i ]
  %precision.addr.0.i547 = phi i32 [ %cond64.i, %if.then35.i ], [ %spec.store.select.i, %decimal.exit.i ]
  %kind.addr.0.i = phi i8 [ %conv54.i, %if.then35.i ], [ %85, %decimal.exit.i ]
  %cmp67.i = icmp eq i8 %kind.addr.0.i, 102
  br i1 %cmp67.i, label %if.then69.i, label %if.else.i552

if.then69.i:                                      ; preds = %if.end65.i
  %add71.i = add nsw i32 %precision.addr.0.i547, %spec.select349.i
  %call72.i = call fastcc i32 @rounded(ptr noundef nonnull %digits.i537, i32 noundef %count.0.lcssa.i.i, i32 noundef %add71.i) #22
  %add73.i = add nsw i32 %call72.i, %spec.select349.i
  %cmp74.i = icmp slt i32 %add73.i, 1
  br i1 %cmp74.i, label %if.then76.i, label %if.end77.i

if.then76.i:                                      ; preds = %if.then69.i
  store i8 48, ptr %text.i, align 16, !tbaa !5
  br label %if.end77.i

if.end77.i:                                       ; preds = %if.then76.i, %if.then69.i
  %length.0.i = phi i32 [ 1, %if.then76.i ], [ 0, %if.then69.i ]
  %cmp78353.i = icmp sgt i32 %add73.i, 0
  br i1 %cmp78353.i, label %for.body.preheader.i, label %for.cond.cleanup.i

for.body.preheader.i:                             ; preds = %if.end77.i
  %96 = sext i32 %count.0.lcssa.i.i to i64
  %97 = zext i32 %length.0.i to i64
  %wide.trip.count377.i = zext i32 %add73.i to i64
  br label %for.body.i548

for.cond.cleanup.loopexit.i:                      ; preds = %cond.end87.i
  %98 = trunc i64 %indvars.iv.next373.i to i32
  br label %for.cond.cleanup.i

for.cond.cleanup.i:                               ; preds = %for.cond.cleanup.loopexit.i, %if.end77.i
  %length.1.lcssa.i = phi i32 [ %length.0.i, %if.end77.i ], [ %98, %for.cond.cleanup.loopexit.i ]
  %inc94.i = add nuw nsw i32 %length.1.lcssa.i, 1
  %idxprom95.i = zext i32 %length.1.lcssa.i to i64
  %arrayidx96.i = getelementptr inbounds [1600 x i8], ptr %text.i, i64 0, i64 %idxprom95.i
  store i8 46, ptr %arrayidx96.i, align 1, !tbaa !5
  %cmp99357.i = icmp sgt i32 %precision.addr.0.i547, 0
  br i1 %cmp99357.i, label %for.body102.preheader.i, label %while.cond.preheader.i

for.body102.preheader.i:                          ; preds = %for.cond.cleanup.i
  %99 = add nuw nsw i64 %idxprom95.i, 1
  %wide.trip.count386.i = zext i32 %precision.addr.0.i547 to i64
  br label %for.body102.i

for.body.i548:                                    ; preds = %cond.end87.i, %for.body.preheader.i
  %indvars.iv372.i = phi i64 [ %97, %for.body.preheader.i ], [ %indvars.iv.next373.i, %cond.end87.i ]
  %indvars.iv370.i = phi i64 [ 0, %for.body.preheader.i ], [ %indvars.iv.next371.i, %cond.end87.i ]
  %cmp80.i = icmp slt i64 %indvars.iv370.i, %96
  br i1 %cmp80.i, label %cond.true82.i, label %cond.end87.i

cond.true82.i:                                    ; preds = %for.body.i548
  %arrayidx84.i = getelementptr inbounds [1200 x i8], ptr %digits.i537, i64 0, i64 %indvars.iv370.i
  %100 = load i8, ptr %arrayidx84.i, align 1, !tbaa !5
  br label %cond.end87.i

cond.end87.i:                                     ; preds = %cond.true82.i, %for.body.i548
  %cond88.i = phi i8 [ %100, %cond.true82.i ], [ 48, %for.body.i548 ]
  %indvars.iv.next373.i = add nuw nsw i64 %indvars.iv372.i, 1
  %arrayidx92.i = getelementptr inbounds [1600 x i8], ptr %text.i, i64 0, i64 %indvars.iv372.i
  store i8 %cond88.i, ptr %arrayidx92.i, align 1, !tbaa !5
  %indvars.iv.next371.i = add nuw nsw i64 %indvars.iv370.i, 1
  %exitcond378.not.i = icmp eq i64 %indvars.iv.next371.i, %wide.trip.count377.i
  br i1 %exitcond378.not.i, label %for.cond.cleanup.loopexit.i, label %for.body.i548, !llvm.loop !84

while.cond.preheader.loopexit.i:                  ; preds = %cond.end113.i
  %101 = trunc i64 %indvars.iv.next382.i to i32
  br label %while.cond.preheader.i

while.cond.preheader.i:                           ; preds = %while.cond.preheader.loopexit.i, %for.cond.cleanup.i
  %length.2.lcssa.i = phi i32 [ %inc94.i, %for.cond.cleanup.i ], [ %101, %while.cond.preheader.loopexit.i ]
  %tobool122.not.i = icmp ne i32 %strip.0.i, 0
  %102 = sext i32 %length.2.lcssa.i to i64
  %103 = sext i32 %inc94.i to i64
  br label %while.cond.i550

for.body102.i:                                    ; preds = %cond.end113.i, %for.body102.preheader.i
  %indvars.iv381.i = phi i64 [ %99, %for.body102.preheader.i ], [ %indvars.iv.next382.i, %cond.end113.i ]
  %indvars.iv379.i = phi i64 [ 0, %for.body102.preheader.i ], [ %indvars.iv.next380.i, %cond.end113.i ]
  %104 = trunc i64 %indvars.iv379.i to i32
  %add103.i = add nsw i32 %add73.i, %104
  %cmp104.i = icmp sgt i32 %add103.i, -1
  %cmp106.i = icmp slt i32 %add103.i, %count.0.lcssa.i.i
  %or.cond.i549 = select i1 %cmp104.i, i1 %cmp106.i, i1 false
  br i1 %or.cond.i549, label %cond.true108.i, label %cond.end113.i

cond.true108.i:                                   ; preds = %for.body102.i
  %idxprom109.i = zext i32 %add103.i to i64
  %arrayidx110.i = getelementptr inbounds [1200 x i8], ptr %digits.i537, i64 0, i64 %idxprom109.i
  %105 = load i8, ptr %arrayidx110.i, align 1, !tbaa !5
  br label %cond.end113.i

cond.end113.i:                                    ; preds = %cond.true108.i, %for.body102.i
  %cond114.i = phi i8 [ %105, %cond.true108.i ], [ 48, %for.body102.i ]
  %indvars.iv.next382.i = add nuw nsw i64 %indvars.iv381.i, 1
  %arrayidx118.i = getelementptr inbounds [1600 x i8], ptr %text.i, i64 0, i64 %indvars.iv381.i
  store i8 %cond114.i, ptr %arrayidx118.i, align 1, !tbaa !5
  %indvars.iv.next380.i = add nuw nsw i64 %indvars.iv379.i, 1
  %exitcond387.not.i = icmp eq i64 %indvars.iv.next380.i, %wide.trip.count386.i
  br i1 %exitcond387.not.i, label %while.cond.preheader.loopexit.i, label %for.body102.i, !llvm.loop !85

while.cond.i550:                                  ; preds = %land.rhs.i551, %while.cond.preheader.i
  %indvars.iv388.i = phi i64 [ %102, %while.cond.preheader.i ], [ %indvars.iv.next389.i, %land.rhs.i551 ]
  %cmp125.i = icmp sgt i64 %indvars.iv388.i, %103
  %or.cond340.i = select i1 %tobool122.not.i, i1 %cmp125.i, i1 false
  br i1 %or.cond340.i, label %land.rhs.i551, label %while.end.i

land.rhs.i551:                                    ; preds = %while.cond.i550
  %indvars.iv.next389.i = add nsw i64 %indvars.iv388.i, -1
  %arrayidx129.i = getelementptr inbounds [1600 x i8], ptr %text.i, i64 0, i64 %indvars.iv.next389.i
  %106 = load i8, ptr %arrayidx129.i, align 1, !tbaa !5
  %cmp131.i = icmp eq i8 %106, 48
  br i1 %cmp131.i, label %while.cond.i550, label %while.end.i, !llvm.loop !86

while.end.i:                                      ; preds = %land.rhs.i551, %while.cond.i550
  %107 = trunc i64 %indvars.iv388.i to i32
  %cmp134.i = icmp eq i32 %inc94.i, %107
  %and137.i = and i32 %flags.5, 8
  %tobool138.not.i = icmp eq i32 %and137.i, 0
  %or.cond341.i = and i1 %tobool138.not.i, %cmp134.i
  %dec140.i = sext i1 %or.cond341.i to i32
  %length.4.i = add nsw i32 %dec140.i, %107
  br label %if.end253.i

if.else.i552:                                     ; preds = %if.end65.i
  %sub142.i = add nsw i32 %spec.select349.i, -1
  %add144.i = add nsw i32 %precision.addr.0.i547, 1
  %call145.i = call fastcc i32 @rounded(ptr noundef nonnull %digits.i537, i32 noundef %count.0.lcssa.i.i, i32 noundef %add144.i) #22
  %add146.i = add nsw i32 %sub142.i, %call145.i
  %spec.store.select258.i = select i1 %tobool30.not.i, i32 0, i32 %add146.i
  %108 = load i8, ptr %digits.i537, align 16
  %conv157.i = select i1 %tobool30.not.i, i8 48, i8 %108
  store i8 %conv157.i, ptr %text.i, align 16, !tbaa !5
  store i8 46, ptr %arrayidx164.i, align 1, !tbaa !5
  %cmp167.not350.i = icmp slt i32 %precision.addr.0.i547, 1
  br i1 %cmp167.not350.i, label %while.cond187.preheader.i, label %for.body170.preheader.i

for.body170.preheader.i:                          ; preds = %if.else.i552
  %109 = sext i32 %count.0.lcssa.i.i to i64
  %110 = add i32 %precision.addr.0.i547, 2
  %wide.trip.count.i = zext i32 %110 to i64
  br label %for.body170.i

while.cond187.preheader.loopexit.i:               ; preds = %cond.end178.i
  %111 = and i64 %indvars.iv.next362.i, 4294967295
  br label %while.cond187.preheader.i

while.cond187.preheader.i:                        ; preds = %while.cond187.preheader.loopexit.i, %if.else.i552
  %length.5.lcssa.i = phi i64 [ 2, %if.else.i552 ], [ %111, %while.cond187.preheader.loopexit.i ]
  %tobool188.not.i = icmp ne i32 %strip.0.i, 0
  br label %while.cond187.i

for.body170.i:                                    ; preds = %cond.end178.i, %for.body170.preheader.i
  %indvars.iv361.i = phi i64 [ 2, %for.body170.preheader.i ], [ %indvars.iv.next362.i, %cond.end178.i ]
  %indvars.iv.i553 = phi i64 [ 1, %for.body170.preheader.i ], [ %indvars.iv.next.i554, %cond.end178.i ]
  %cmp171.i = icmp slt i64 %indvars.iv.i553, %109
  br i1 %cmp171.i, label %cond.true173.i, label %cond.end178.i

cond.true173.i:                                   ; preds = %for.body170.i
  %arrayidx175.i = getelementptr inbounds [1200 x i8], ptr %digits.i537, i64 0, i64 %indvars.iv.i553
  %112 = load i8, ptr %arrayidx175.i, align 1, !tbaa !5
  br label %cond.end178.i

cond.end178.i:                                    ; preds = %cond.true173.i, %for.body170.i
  %cond179.i = phi i8 [ %112, %cond.true173.i ], [ 48, %for.body170.i ]
  %indvars.iv.next362.i = add nuw nsw i64 %indvars.iv361.i, 1
  %arrayidx183.i = getelementptr inbounds [1600 x i8], ptr %text.i, i64 0, i64 %indvars.iv361.i
  store i8 %cond179.i, ptr %arrayidx183.i, align 1, !tbaa !5
  %indvars.iv.next.i554 = add nuw nsw i64 %indvars.iv.i553, 1
  %exitcond.not.i555 = icmp eq i64 %indvars.iv.next362.i, %wide.trip.count.i
  br i1 %exitcond.not.i555, label %while.cond187.preheader.loopexit.i, label %for.body170.i, !llvm.loop !87

while.cond187.i:                                  ; preds = %land.rhs193.i, %while.cond187.preheader.i
  %indvars.iv366.i = phi i64 [ %length.5.lcssa.i, %while.cond187.preheader.i ], [ %114, %land.rhs193.i ]
  %113 = trunc i64 %indvars.iv366.i to i32
  %cmp191.i = icmp sgt i32 %113, 2
  %or.cond342.i = select i1 %tobool188.not.i, i1 %cmp191.i, i1 false
  br i1 %or.cond342.i, label %land.rhs193.i, label %while.end203.i

land.rhs193.i:                                    ; preds = %while.cond187.i
  %114 = add nsw i64 %indvars.iv366.i, -1
  %arrayidx196.i = getelementptr inbounds [1600 x i8], ptr %text.i, i64 0, i64 %114
  %115 = load i8, ptr %arrayidx196.i, align 1, !tbaa !5
  %cmp198.i = icmp eq i8 %115, 48
  br i1 %cmp198.i, label %while.cond187.i, label %while.end203.i, !llvm.loop !88

while.end203.i:                                   ; preds = %land.rhs193.i, %while.cond187.i
  %116 = trunc i64 %indvars.iv366.i to i32
  %cmp205.i = icmp eq i32 %116, 2
  %and208.i = and i32 %flags.5, 8
  %tobool209.not.i = icmp eq i32 %and208.i, 0
  %spec.select.i = select i1 %tobool209.not.i, i32 1, i32 2
  %length.7.i = select i1 %cmp205.i, i32 %spec.select.i, i32 %116
  %117 = trunc i32 %flags.5 to i8
  %118 = and i8 %117, 32
  %conv216.i = xor i8 %118, 101
  %inc217.i = add nsw i32 %length.7.i, 1
  %idxprom218.i = sext i32 %length.7.i to i64
  %arrayidx219.i = getelementptr inbounds [1600 x i8], ptr %text.i, i64 0, i64 %idxprom218.i
  store i8 %conv216.i, ptr %arrayidx219.i, align 1, !tbaa !5
  %cmp220.i = icmp slt i32 %spec.store.select258.i, 0
  %conv223.i = select i1 %cmp220.i, i8 45, i8 43
  %inc224.i = add nsw i32 %length.7.i, 2
  %idxprom225.i = sext i32 %inc217.i to i64
  %arrayidx226.i = getelementptr inbounds [1600 x i8], ptr %text.i, i64 0, i64 %idxprom225.i
  store i8 %conv223.i, ptr %arrayidx226.i, align 1, !tbaa !5
  %spec.select343.i = call i32 @llvm.abs.i32(i32 %spec.store.select258.i, i1 true)
  %cmp232.i = icmp ugt i32 %spec.select343.i, 99
  br i1 %cmp232.i, label %if.then234.i, label %if.end240.i

if.then234.i:                                     ; preds = %while.end203.i
  %div.i556 = udiv i32 %spec.select343.i, 100
  %119 = trunc i32 %div.i556 to i8
  %conv236.i = add i8 %119, 48
  %inc237.i = add nsw i32 %length.7.i, 3
  %idxprom238.i = sext i32 %inc224.i to i64
  %arrayidx239.i = getelementptr inbounds [1600 x i8], ptr %text.i, i64 0, i64 %idxprom238.i
  store i8 %conv236.i, ptr %arrayidx239.i, align 1, !tbaa !5
  br label %if.end240.i

if.end240.i:                                      ; preds = %if.then234.i, %while.end203.i
  %length.8.i = phi i32 [ %inc237.i, %if.then234.i ], [ %inc224.i, %while.end203.i ]
  %div241.i = udiv i32 %spec.select343.i, 10
  %rem.i557 = urem i32 %div241.i, 10
  %120 = trunc i32 %rem.i557 to i8
  %conv243.i = or i8 %120, 48
  %inc244.i = add nsw i32 %length.8.i, 1
  %idxprom245.i = sext i32 %length.8.i to i64
  %arrayidx246.i = getelementptr inbounds [1600 x i8], ptr %text.i, i64 0, i64 %idxprom245.i
  store i8 %conv243.i, ptr %arrayidx246.i, align 1, !tbaa !5
  %rem247.i = urem i32 %spec.select343.i, 10
  %121 = trunc i32 %rem247.i to i8
  %conv249.i = or i8 %121, 48
  %inc250.i = add nsw i32 %length.8.i, 2
  %idxprom251.i = sext i32 %inc244.i to i64
  %arrayidx252.i = getelementptr inbounds [1600 x i8], ptr %text.i, i64 0, i64 %idxprom251.i
  store i8 %conv249.i, ptr %arrayidx252.i, align 1, !tbaa !5
  br label %if.end253.i

if.end253.i:                                      ; preds = %if.end240.i, %while.end.i
  %length.9.i = phi i32 [ %length.4.i, %while.end.i ], [ %inc250.i, %if.end240.i ]
  call fastcc void @field(ptr noundef %to, ptr noundef nonnull %cond8.i, i32 noundef 0, ptr noundef nonnull %text.i, i32 noundef %length.9.i, i32 noundef %width.2, i32 noundef %flags.5) #22
  br label %floating.exit

floating.exit:                                    ; preds = %if.then.i543, %if.end253.i
  call void @llvm.lifetime.end.p0(i64 1600, ptr nonnull %text.i) #23
  call void @llvm.lifetime.end.p0(i64 1200, ptr nonnull %digits.i537) #23
  br label %for.inc346

sw.bb345:                                         ; preds = %for.end117
  %122 = load ptr, ptr %to, align 8, !tbaa !70
  %tobool.not.i558 = icmp eq ptr %122, null
  br i1 %tobool.not.i558, label %if.then.i560, label %if.else.i568

if.then.i560:                                     ; preds = %sw.bb345
  %123 = load i64, ptr @stdout_length, align 8, !tbaa !35
  %cmp.i.i559 = icmp slt i64 %123, 65536
  br i1 %cmp.i.i559, label %if.then.i.i562, label %putchar.exit.i564

if.then.i.i562:                                   ; preds = %if.then.i560
  %arrayidx.i.i561 = getelementptr inbounds [65536 x i8], ptr @stdout_text, i64 0, i64 %123
  store i8 37, ptr %arrayidx.i.i561, align 1, !tbaa !5
  br label %putchar.exit.i564

putchar.exit.i564:                                ; preds = %if.then.i.i562, %if.then.i560
  %inc.i.i563 = add nsw i64 %123, 1
  store i64 %inc.i.i563, ptr @stdout_length, align 8, !tbaa !35
  br label %emit.exit573

if.else.i568:                                     ; preds = %sw.bb345
  %124 = load i64, ptr %length.i565, align 8, !tbaa !72
  %125 = load i64, ptr %room.i566, align 8, !tbaa !73
  %cmp.i567 = icmp ult i64 %124, %125
  br i1 %cmp.i567, label %if.then2.i570, label %emit.exit573

if.then2.i570:                                    ; preds = %if.else.i568
  %arrayidx.i569 = getelementptr inbounds i8, ptr %122, i64 %124
  store i8 37, ptr %arrayidx.i569, align 1, !tbaa !5
  br label %emit.exit573

emit.exit573:                                     ; preds = %putchar.exit.i564, %if.else.i568, %if.then2.i570
  %126 = load i64, ptr %length6.i571, align 8, !tbaa !72
  %inc.i572 = add i64 %126, 1
  store i64 %inc.i572, ptr %length6.i571, align 8, !tbaa !72
  br label %for.inc346

sw.default:                                       ; preds = %for.end117
  call void @llvm.trap()
  unreachable

for.inc346:                                       ; preds = %integer.exit, %integer.exit498, %vaarg.end293, %cond.end325, %floating.exit, %emit.exit573, %if.else280, %for.end.loopexit.i518, %emit.exit
  %s.addr.7 = phi ptr [ %s.addr.0, %emit.exit ], [ %s.addr.6, %for.end.loopexit.i518 ], [ %s.addr.6, %if.else280 ], [ %s.addr.6, %emit.exit573 ], [ %s.addr.6, %floating.exit ], [ %s.addr.6, %cond.end325 ], [ %s.addr.6, %vaarg.end293 ], [ %s.addr.6, %integer.exit498 ], [ %s.addr.6, %integer.exit ]
  %incdec.ptr347 = getelementptr inbounds i8, ptr %s.addr.7, i64 1
  br label %for.cond, !llvm.loop !89

for.end348:                                       ; preds = %for.cond
  %length = getelementptr inbounds %struct.sink, ptr %to, i64 0, i32 2
  %127 = load i64, ptr %length, align 8, !tbaa !72
  %conv349 = trunc i64 %127 to i32
  ret i32 %conv349
}

; Function Attrs: nounwind uwtable
define linkonce_odr i32 @vsnprintf(ptr noalias noundef %text, i64 noundef %room, ptr noalias nocapture noundef readonly %s, ptr nocapture noundef %arguments) local_unnamed_addr #0 {
entry:
  %none = alloca i8, align 1
  %to = alloca %struct.sink, align 8
  call void @llvm.lifetime.start.p0(i64 1, ptr nonnull %none) #23
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %to) #23
  %tobool.not = icmp eq i64 %room, 0
  %cond = select i1 %tobool.not, ptr %none, ptr %text
  store ptr %cond, ptr %to, align 8, !tbaa !70
  %room2 = getelementptr inbounds %struct.sink, ptr %to, i64 0, i32 1
  %cond7 = call i64 @llvm.usub.sat.i64(i64 %room, i64 1)
  store i64 %cond7, ptr %room2, align 8, !tbaa !73
  %length = getelementptr inbounds %struct.sink, ptr %to, i64 0, i32 2
  store i64 0, ptr %length, align 8, !tbaa !72
  %call = call fastcc i32 @format(ptr noundef nonnull %to, ptr noundef %s, ptr noundef %arguments) #22
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %sub = add i64 %room, -1
  %0 = load i64, ptr %length, align 8, !tbaa !72
  %cond16 = call i64 @llvm.umin.i64(i64 %0, i64 %sub)
  %arrayidx = getelementptr inbounds i8, ptr %text, i64 %cond16
  store i8 0, ptr %arrayidx, align 1, !tbaa !5
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  %1 = load i64, ptr %length, align 8, !tbaa !72
  %conv = trunc i64 %1 to i32
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %to) #23
  call void @llvm.lifetime.end.p0(i64 1, ptr nonnull %none) #23
  ret i32 %conv
}

; Function Attrs: nounwind uwtable
define linkonce_odr i32 @vsprintf(ptr noalias noundef %text, ptr noalias nocapture noundef readonly %s, ptr nocapture noundef %arguments) local_unnamed_addr #0 {
entry:
  %to.i = alloca %struct.sink, align 8
  tail call void @llvm.experimental.noalias.scope.decl(metadata !90)
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %to.i) #23, !noalias !93
  store ptr %text, ptr %to.i, align 8, !tbaa !70, !noalias !93
  %room2.i = getelementptr inbounds %struct.sink, ptr %to.i, i64 0, i32 1
  store i64 4611686018427387903, ptr %room2.i, align 8, !tbaa !73, !noalias !93
  %length.i = getelementptr inbounds %struct.sink, ptr %to.i, i64 0, i32 2
  store i64 0, ptr %length.i, align 8, !tbaa !72, !noalias !93
  %call.i = call fastcc i32 @format(ptr noundef nonnull %to.i, ptr noundef %s, ptr noundef %arguments) #22
  %0 = load i64, ptr %length.i, align 8, !tbaa !72, !noalias !93
  %cond16.i = tail call i64 @llvm.umin.i64(i64 %0, i64 4611686018427387903)
  %arrayidx.i = getelementptr inbounds i8, ptr %text, i64 %cond16.i
  store i8 0, ptr %arrayidx.i, align 1, !tbaa !5, !alias.scope !90, !noalias !95
  %conv.i = trunc i64 %0 to i32
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %to.i) #23, !noalias !93
  ret i32 %conv.i
}

; Function Attrs: nounwind uwtable
define linkonce_odr i32 @printf(ptr noalias nocapture noundef readonly %s, ...) local_unnamed_addr #0 {
entry:
  %to.i = alloca %struct.sink, align 8
  %arguments = alloca [1 x %struct.__va_list_tag], align 16
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %arguments) #23
  call void @llvm.va_start(ptr nonnull %arguments)
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %to.i) #23, !noalias !96
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %to.i, i8 0, i64 24, i1 false), !noalias !96
  %call.i = call fastcc i32 @format(ptr noundef nonnull %to.i, ptr noundef %s, ptr noundef nonnull %arguments) #22
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %to.i) #23, !noalias !96
  call void @llvm.va_end(ptr %arguments)
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %arguments) #23
  ret i32 %call.i
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn
declare void @llvm.va_start(ptr) #17

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn
declare void @llvm.va_end(ptr) #17

; Function Attrs: nounwind uwtable
define linkonce_odr i32 @sprintf(ptr noalias noundef %text, ptr noalias nocapture noundef readonly %s, ...) local_unnamed_addr #0 {
entry:
  %to.i.i = alloca %struct.sink, align 8
  %arguments = alloca [1 x %struct.__va_list_tag], align 16
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %arguments) #23
  call void @llvm.va_start(ptr nonnull %arguments)
  call void @llvm.experimental.noalias.scope.decl(metadata !99)
  call void @llvm.experimental.noalias.scope.decl(metadata !102)
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %to.i.i) #23, !noalias !105
  store ptr %text, ptr %to.i.i, align 8, !tbaa !70, !noalias !105
  %room2.i.i = getelementptr inbounds %struct.sink, ptr %to.i.i, i64 0, i32 1
  store i64 4611686018427387903, ptr %room2.i.i, align 8, !tbaa !73, !noalias !105
  %length.i.i = getelementptr inbounds %struct.sink, ptr %to.i.i, i64 0, i32 2
  store i64 0, ptr %length.i.i, align 8, !tbaa !72, !noalias !105
  %call.i.i = call fastcc i32 @format(ptr noundef nonnull %to.i.i, ptr noundef %s, ptr noundef nonnull %arguments) #22
  %0 = load i64, ptr %length.i.i, align 8, !tbaa !72, !noalias !105
  %cond16.i.i = call i64 @llvm.umin.i64(i64 %0, i64 4611686018427387903)
  %arrayidx.i.i = getelementptr inbounds i8, ptr %text, i64 %cond16.i.i
  store i8 0, ptr %arrayidx.i.i, align 1, !tbaa !5, !alias.scope !108, !noalias !109
  %conv.i.i = trunc i64 %0 to i32
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %to.i.i) #23, !noalias !105
  call void @llvm.va_end(ptr %arguments)
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %arguments) #23
  ret i32 %conv.i.i
}

; Function Attrs: nounwind uwtable
define linkonce_odr i32 @snprintf(ptr noalias noundef %text, i64 noundef %room, ptr noalias nocapture noundef readonly %s, ...) local_unnamed_addr #0 {
entry:
  %none.i = alloca i8, align 1
  %to.i = alloca %struct.sink, align 8
  %arguments = alloca [1 x %struct.__va_list_tag], align 16
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %arguments) #23
  call void @llvm.va_start(ptr nonnull %arguments)
  call void @llvm.experimental.noalias.scope.decl(metadata !110)
  call void @llvm.lifetime.start.p0(i64 1, ptr nonnull %none.i) #23, !noalias !113
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %to.i) #23, !noalias !113
  %tobool.not.i = icmp eq i64 %room, 0
  %cond.i = select i1 %tobool.not.i, ptr %none.i, ptr %text
  store ptr %cond.i, ptr %to.i, align 8, !tbaa !70, !noalias !113
  %room2.i = getelementptr inbounds %struct.sink, ptr %to.i, i64 0, i32 1
  %cond7.i = call i64 @llvm.usub.sat.i64(i64 %room, i64 1)
  store i64 %cond7.i, ptr %room2.i, align 8, !tbaa !73, !noalias !113
  %length.i = getelementptr inbounds %struct.sink, ptr %to.i, i64 0, i32 2
  store i64 0, ptr %length.i, align 8, !tbaa !72, !noalias !113
  %call.i = call fastcc i32 @format(ptr noundef nonnull %to.i, ptr noundef %s, ptr noundef nonnull %arguments) #22
  br i1 %tobool.not.i, label %vsnprintf.exit, label %if.then.i

if.then.i:                                        ; preds = %entry
  %sub.i = add i64 %room, -1
  %0 = load i64, ptr %length.i, align 8, !tbaa !72, !noalias !113
  %cond16.i = call i64 @llvm.umin.i64(i64 %0, i64 %sub.i)
  %arrayidx.i = getelementptr inbounds i8, ptr %text, i64 %cond16.i
  store i8 0, ptr %arrayidx.i, align 1, !tbaa !5, !alias.scope !110, !noalias !115
  br label %vsnprintf.exit

vsnprintf.exit:                                   ; preds = %entry, %if.then.i
  %1 = load i64, ptr %length.i, align 8, !tbaa !72, !noalias !113
  %conv.i = trunc i64 %1 to i32
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %to.i) #23, !noalias !113
  call void @llvm.lifetime.end.p0(i64 1, ptr nonnull %none.i) #23, !noalias !113
  call void @llvm.va_end(ptr %arguments)
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %arguments) #23
  ret i32 %conv.i
}

; Function Attrs: nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none) uwtable
define internal fastcc void @field(ptr nocapture noundef %to, ptr noundef %prefix, i32 noundef %zeros, ptr nocapture noundef readonly %digits, i32 noundef %count, i32 noundef %width, i32 noundef %flags) unnamed_addr #5 {
entry:
  br label %while.cond.i

while.cond.i:                                     ; preds = %while.cond.i, %entry
  %end.0.i = phi ptr [ %prefix, %entry ], [ %incdec.ptr.i, %while.cond.i ]
  %0 = load i8, ptr %end.0.i, align 1, !tbaa !5
  %tobool.not.i = icmp eq i8 %0, 0
  %incdec.ptr.i = getelementptr inbounds i8, ptr %end.0.i, i64 1
  br i1 %tobool.not.i, label %strlen.exit, label %while.cond.i, !llvm.loop !12

strlen.exit:                                      ; preds = %while.cond.i
  %sub.ptr.lhs.cast.i = ptrtoint ptr %end.0.i to i64
  %sub.ptr.rhs.cast.i = ptrtoint ptr %prefix to i64
  %sub.ptr.sub.i.neg = sub i64 %sub.ptr.rhs.cast.i, %sub.ptr.lhs.cast.i
  %conv.neg132 = trunc i64 %sub.ptr.sub.i.neg to i32
  %1 = add i32 %count, %zeros
  %.neg127 = sub i32 %width, %1
  %sub2 = add i32 %.neg127, %conv.neg132
  %and = and i32 %flags, 17
  %tobool.not = icmp eq i32 %and, 0
  %cmp2.i = icmp sgt i32 %sub2, 0
  %or.cond = and i1 %tobool.not, %cmp2.i
  br i1 %or.cond, label %for.body.lr.ph.i, label %if.end

for.body.lr.ph.i:                                 ; preds = %strlen.exit
  %length.i.i = getelementptr inbounds %struct.sink, ptr %to, i64 0, i32 2
  %room.i.i = getelementptr inbounds %struct.sink, ptr %to, i64 0, i32 1
  br label %for.body.i

for.body.i:                                       ; preds = %emit.exit.i, %for.body.lr.ph.i
  %times.addr.03.i = phi i32 [ %sub2, %for.body.lr.ph.i ], [ %dec.i, %emit.exit.i ]
  %2 = load ptr, ptr %to, align 8, !tbaa !70
  %tobool.not.i.i = icmp eq ptr %2, null
  br i1 %tobool.not.i.i, label %if.then.i.i, label %if.else.i.i

if.then.i.i:                                      ; preds = %for.body.i
  %3 = load i64, ptr @stdout_length, align 8, !tbaa !35
  %cmp.i.i.i = icmp slt i64 %3, 65536
  br i1 %cmp.i.i.i, label %if.then.i.i.i, label %putchar.exit.i.i

if.then.i.i.i:                                    ; preds = %if.then.i.i
  %arrayidx.i.i.i = getelementptr inbounds [65536 x i8], ptr @stdout_text, i64 0, i64 %3
  store i8 32, ptr %arrayidx.i.i.i, align 1, !tbaa !5
  br label %putchar.exit.i.i

putchar.exit.i.i:                                 ; preds = %if.then.i.i.i, %if.then.i.i
  %inc.i.i.i = add nsw i64 %3, 1
  store i64 %inc.i.i.i, ptr @stdout_length, align 8, !tbaa !35
  br label %emit.exit.i

if.else.i.i:                                      ; preds = %for.body.i
  %4 = load i64, ptr %length.i.i, align 8, !tbaa !72
  %5 = load i64, ptr %room.i.i, align 8, !tbaa !73
  %cmp.i.i = icmp ult i64 %4, %5
  br i1 %cmp.i.i, label %if.then2.i.i, label %emit.exit.i

if.then2.i.i:                                     ; preds = %if.else.i.i
  %arrayidx.i.i = getelementptr inbounds i8, ptr %2, i64 %4
  store i8 32, ptr %arrayidx.i.i, align 1, !tbaa !5
  br label %emit.exit.i

emit.exit.i:                                      ; preds = %if.then2.i.i, %if.else.i.i, %putchar.exit.i.i
  %6 = load i64, ptr %length.i.i, align 8, !tbaa !72
  %inc.i.i = add i64 %6, 1
  store i64 %inc.i.i, ptr %length.i.i, align 8, !tbaa !72
  %dec.i = add nsw i32 %times.addr.03.i, -1
  %cmp.i = icmp sgt i32 %times.addr.03.i, 1
  br i1 %cmp.i, label %for.body.i, label %if.end, !llvm.loop !116

if.end:                                           ; preds = %emit.exit.i, %strlen.exit
  %7 = load i8, ptr %prefix, align 1, !tbaa !5
  %tobool3.not128 = icmp eq i8 %7, 0
  br i1 %tobool3.not128, label %for.end, label %for.body.lr.ph

for.body.lr.ph:                                   ; preds = %if.end
  %length.i = getelementptr inbounds %struct.sink, ptr %to, i64 0, i32 2
  %room.i = getelementptr inbounds %struct.sink, ptr %to, i64 0, i32 1
  %length6.i = getelementptr inbounds %struct.sink, ptr %to, i64 0, i32 2
  br label %for.body

for.body:                                         ; preds = %for.body.lr.ph, %emit.exit
  %8 = phi i8 [ %7, %for.body.lr.ph ], [ %14, %emit.exit ]
  %prefix.addr.0129 = phi ptr [ %prefix, %for.body.lr.ph ], [ %incdec.ptr, %emit.exit ]
  %9 = load ptr, ptr %to, align 8, !tbaa !70
  %tobool.not.i34 = icmp eq ptr %9, null
  br i1 %tobool.not.i34, label %if.then.i, label %if.else.i

if.then.i:                                        ; preds = %for.body
  %10 = load i64, ptr @stdout_length, align 8, !tbaa !35
  %cmp.i.i35 = icmp slt i64 %10, 65536
  br i1 %cmp.i.i35, label %if.then.i.i37, label %putchar.exit.i

if.then.i.i37:                                    ; preds = %if.then.i
  %arrayidx.i.i36 = getelementptr inbounds [65536 x i8], ptr @stdout_text, i64 0, i64 %10
  store i8 %8, ptr %arrayidx.i.i36, align 1, !tbaa !5
  br label %putchar.exit.i

putchar.exit.i:                                   ; preds = %if.then.i.i37, %if.then.i
  %inc.i.i38 = add nsw i64 %10, 1
  store i64 %inc.i.i38, ptr @stdout_length, align 8, !tbaa !35
  br label %emit.exit

if.else.i:                                        ; preds = %for.body
  %11 = load i64, ptr %length.i, align 8, !tbaa !72
  %12 = load i64, ptr %room.i, align 8, !tbaa !73
  %cmp.i39 = icmp ult i64 %11, %12
  br i1 %cmp.i39, label %if.then2.i, label %emit.exit

if.then2.i:                                       ; preds = %if.else.i
  %arrayidx.i = getelementptr inbounds i8, ptr %9, i64 %11
  store i8 %8, ptr %arrayidx.i, align 1, !tbaa !5
  br label %emit.exit

emit.exit:                                        ; preds = %putchar.exit.i, %if.else.i, %if.then2.i
  %13 = load i64, ptr %length6.i, align 8, !tbaa !72
  %inc.i = add i64 %13, 1
  store i64 %inc.i, ptr %length6.i, align 8, !tbaa !72
  %incdec.ptr = getelementptr inbounds i8, ptr %prefix.addr.0129, i64 1
  %14 = load i8, ptr %incdec.ptr, align 1, !tbaa !5
  %tobool3.not = icmp eq i8 %14, 0
  br i1 %tobool3.not, label %for.end, label %for.body, !llvm.loop !117

for.end:                                          ; preds = %emit.exit, %if.end
  %cmp = icmp eq i32 %and, 16
  %cmp2.i40 = icmp sgt i32 %sub2, 0
  %or.cond125 = and i1 %cmp, %cmp2.i40
  br i1 %or.cond125, label %for.body.lr.ph.i44, label %if.end7

for.body.lr.ph.i44:                               ; preds = %for.end
  %length.i.i41 = getelementptr inbounds %struct.sink, ptr %to, i64 0, i32 2
  %room.i.i42 = getelementptr inbounds %struct.sink, ptr %to, i64 0, i32 1
  br label %for.body.i47

for.body.i47:                                     ; preds = %emit.exit.i61, %for.body.lr.ph.i44
  %times.addr.03.i45 = phi i32 [ %sub2, %for.body.lr.ph.i44 ], [ %dec.i59, %emit.exit.i61 ]
  %15 = load ptr, ptr %to, align 8, !tbaa !70
  %tobool.not.i.i46 = icmp eq ptr %15, null
  br i1 %tobool.not.i.i46, label %if.then.i.i49, label %if.else.i.i55

if.then.i.i49:                                    ; preds = %for.body.i47
  %16 = load i64, ptr @stdout_length, align 8, !tbaa !35
  %cmp.i.i.i48 = icmp slt i64 %16, 65536
  br i1 %cmp.i.i.i48, label %if.then.i.i.i51, label %putchar.exit.i.i53

if.then.i.i.i51:                                  ; preds = %if.then.i.i49
  %arrayidx.i.i.i50 = getelementptr inbounds [65536 x i8], ptr @stdout_text, i64 0, i64 %16
  store i8 48, ptr %arrayidx.i.i.i50, align 1, !tbaa !5
  br label %putchar.exit.i.i53

putchar.exit.i.i53:                               ; preds = %if.then.i.i.i51, %if.then.i.i49
  %inc.i.i.i52 = add nsw i64 %16, 1
  store i64 %inc.i.i.i52, ptr @stdout_length, align 8, !tbaa !35
  br label %emit.exit.i61

if.else.i.i55:                                    ; preds = %for.body.i47
  %17 = load i64, ptr %length.i.i41, align 8, !tbaa !72
  %18 = load i64, ptr %room.i.i42, align 8, !tbaa !73
  %cmp.i.i54 = icmp ult i64 %17, %18
  br i1 %cmp.i.i54, label %if.then2.i.i57, label %emit.exit.i61

if.then2.i.i57:                                   ; preds = %if.else.i.i55
  %arrayidx.i.i56 = getelementptr inbounds i8, ptr %15, i64 %17
  store i8 48, ptr %arrayidx.i.i56, align 1, !tbaa !5
  br label %emit.exit.i61

emit.exit.i61:                                    ; preds = %if.then2.i.i57, %if.else.i.i55, %putchar.exit.i.i53
  %19 = load i64, ptr %length.i.i41, align 8, !tbaa !72
  %inc.i.i58 = add i64 %19, 1
  store i64 %inc.i.i58, ptr %length.i.i41, align 8, !tbaa !72
  %dec.i59 = add nsw i32 %times.addr.03.i45, -1
  %cmp.i60 = icmp sgt i32 %times.addr.03.i45, 1
  br i1 %cmp.i60, label %for.body.i47, label %if.end7, !llvm.loop !116

if.end7:                                          ; preds = %emit.exit.i61, %for.end
  %cmp2.i63 = icmp sgt i32 %zeros, 0
  br i1 %cmp2.i63, label %for.body.lr.ph.i67, label %repeat.exit85

for.body.lr.ph.i67:                               ; preds = %if.end7
  %length.i.i64 = getelementptr inbounds %struct.sink, ptr %to, i64 0, i32 2
  %room.i.i65 = getelementptr inbounds %struct.sink, ptr %to, i64 0, i32 1
  br label %for.body.i70

for.body.i70:                                     ; preds = %emit.exit.i84, %for.body.lr.ph.i67
  %times.addr.03.i68 = phi i32 [ %zeros, %for.body.lr.ph.i67 ], [ %dec.i82, %emit.exit.i84 ]
  %20 = load ptr, ptr %to, align 8, !tbaa !70
  %tobool.not.i.i69 = icmp eq ptr %20, null
  br i1 %tobool.not.i.i69, label %if.then.i.i72, label %if.else.i.i78

if.then.i.i72:                                    ; preds = %for.body.i70
  %21 = load i64, ptr @stdout_length, align 8, !tbaa !35
  %cmp.i.i.i71 = icmp slt i64 %21, 65536
  br i1 %cmp.i.i.i71, label %if.then.i.i.i74, label %putchar.exit.i.i76

if.then.i.i.i74:                                  ; preds = %if.then.i.i72
  %arrayidx.i.i.i73 = getelementptr inbounds [65536 x i8], ptr @stdout_text, i64 0, i64 %21
  store i8 48, ptr %arrayidx.i.i.i73, align 1, !tbaa !5
  br label %putchar.exit.i.i76

putchar.exit.i.i76:                               ; preds = %if.then.i.i.i74, %if.then.i.i72
  %inc.i.i.i75 = add nsw i64 %21, 1
  store i64 %inc.i.i.i75, ptr @stdout_length, align 8, !tbaa !35
  br label %emit.exit.i84

if.else.i.i78:                                    ; preds = %for.body.i70
  %22 = load i64, ptr %length.i.i64, align 8, !tbaa !72
  %23 = load i64, ptr %room.i.i65, align 8, !tbaa !73
  %cmp.i.i77 = icmp ult i64 %22, %23
  br i1 %cmp.i.i77, label %if.then2.i.i80, label %emit.exit.i84

if.then2.i.i80:                                   ; preds = %if.else.i.i78
  %arrayidx.i.i79 = getelementptr inbounds i8, ptr %20, i64 %22
  store i8 48, ptr %arrayidx.i.i79, align 1, !tbaa !5
  br label %emit.exit.i84

emit.exit.i84:                                    ; preds = %if.then2.i.i80, %if.else.i.i78, %putchar.exit.i.i76
  %24 = load i64, ptr %length.i.i64, align 8, !tbaa !72
  %inc.i.i81 = add i64 %24, 1
  store i64 %inc.i.i81, ptr %length.i.i64, align 8, !tbaa !72
  %dec.i82 = add nsw i32 %times.addr.03.i68, -1
  %cmp.i83 = icmp sgt i32 %times.addr.03.i68, 1
  br i1 %cmp.i83, label %for.body.i70, label %repeat.exit85, !llvm.loop !116

repeat.exit85:                                    ; preds = %emit.exit.i84, %if.end7
  %cmp9130 = icmp sgt i32 %count, 0
  br i1 %cmp9130, label %for.body11.lr.ph, label %for.cond.cleanup

for.body11.lr.ph:                                 ; preds = %repeat.exit85
  %length.i93 = getelementptr inbounds %struct.sink, ptr %to, i64 0, i32 2
  %room.i94 = getelementptr inbounds %struct.sink, ptr %to, i64 0, i32 1
  %length6.i99 = getelementptr inbounds %struct.sink, ptr %to, i64 0, i32 2
  %wide.trip.count = zext i32 %count to i64
  br label %for.body11

for.cond.cleanup:                                 ; preds = %emit.exit101, %repeat.exit85
  %and14 = and i32 %flags, 1
  %tobool15.not = icmp ne i32 %and14, 0
  %cmp2.i102 = icmp sgt i32 %sub2, 0
  %or.cond126 = and i1 %tobool15.not, %cmp2.i102
  br i1 %or.cond126, label %for.body.lr.ph.i106, label %if.end17

for.body11:                                       ; preds = %for.body11.lr.ph, %emit.exit101
  %indvars.iv = phi i64 [ 0, %for.body11.lr.ph ], [ %indvars.iv.next, %emit.exit101 ]
  %arrayidx = getelementptr inbounds i8, ptr %digits, i64 %indvars.iv
  %25 = load i8, ptr %arrayidx, align 1, !tbaa !5
  %26 = load ptr, ptr %to, align 8, !tbaa !70
  %tobool.not.i86 = icmp eq ptr %26, null
  br i1 %tobool.not.i86, label %if.then.i88, label %if.else.i96

if.then.i88:                                      ; preds = %for.body11
  %27 = load i64, ptr @stdout_length, align 8, !tbaa !35
  %cmp.i.i87 = icmp slt i64 %27, 65536
  br i1 %cmp.i.i87, label %if.then.i.i90, label %putchar.exit.i92

if.then.i.i90:                                    ; preds = %if.then.i88
  %arrayidx.i.i89 = getelementptr inbounds [65536 x i8], ptr @stdout_text, i64 0, i64 %27
  store i8 %25, ptr %arrayidx.i.i89, align 1, !tbaa !5
  br label %putchar.exit.i92

putchar.exit.i92:                                 ; preds = %if.then.i.i90, %if.then.i88
  %inc.i.i91 = add nsw i64 %27, 1
  store i64 %inc.i.i91, ptr @stdout_length, align 8, !tbaa !35
  br label %emit.exit101

if.else.i96:                                      ; preds = %for.body11
  %28 = load i64, ptr %length.i93, align 8, !tbaa !72
  %29 = load i64, ptr %room.i94, align 8, !tbaa !73
  %cmp.i95 = icmp ult i64 %28, %29
  br i1 %cmp.i95, label %if.then2.i98, label %emit.exit101

if.then2.i98:                                     ; preds = %if.else.i96
  %arrayidx.i97 = getelementptr inbounds i8, ptr %26, i64 %28
  store i8 %25, ptr %arrayidx.i97, align 1, !tbaa !5
  br label %emit.exit101

emit.exit101:                                     ; preds = %putchar.exit.i92, %if.else.i96, %if.then2.i98
  %30 = load i64, ptr %length6.i99, align 8, !tbaa !72
  %inc.i100 = add i64 %30, 1
  store i64 %inc.i100, ptr %length6.i99, align 8, !tbaa !72
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body11, !llvm.loop !118

for.body.lr.ph.i106:                              ; preds = %for.cond.cleanup
  %length.i.i103 = getelementptr inbounds %struct.sink, ptr %to, i64 0, i32 2
  %room.i.i104 = getelementptr inbounds %struct.sink, ptr %to, i64 0, i32 1
  br label %for.body.i109

for.body.i109:                                    ; preds = %emit.exit.i123, %for.body.lr.ph.i106
  %times.addr.03.i107 = phi i32 [ %sub2, %for.body.lr.ph.i106 ], [ %dec.i121, %emit.exit.i123 ]
  %31 = load ptr, ptr %to, align 8, !tbaa !70
  %tobool.not.i.i108 = icmp eq ptr %31, null
  br i1 %tobool.not.i.i108, label %if.then.i.i111, label %if.else.i.i117

if.then.i.i111:                                   ; preds = %for.body.i109
  %32 = load i64, ptr @stdout_length, align 8, !tbaa !35
  %cmp.i.i.i110 = icmp slt i64 %32, 65536
  br i1 %cmp.i.i.i110, label %if.then.i.i.i113, label %putchar.exit.i.i115

if.then.i.i.i113:                                 ; preds = %if.then.i.i111
  %arrayidx.i.i.i112 = getelementptr inbounds [65536 x i8], ptr @stdout_text, i64 0, i64 %32
  store i8 32, ptr %arrayidx.i.i.i112, align 1, !tbaa !5
  br label %putchar.exit.i.i115

putchar.exit.i.i115:                              ; preds = %if.then.i.i.i113, %if.then.i.i111
  %inc.i.i.i114 = add nsw i64 %32, 1
  store i64 %inc.i.i.i114, ptr @stdout_length, align 8, !tbaa !35
  br label %emit.exit.i123

if.else.i.i117:                                   ; preds = %for.body.i109
  %33 = load i64, ptr %length.i.i103, align 8, !tbaa !72
  %34 = load i64, ptr %room.i.i104, align 8, !tbaa !73
  %cmp.i.i116 = icmp ult i64 %33, %34
  br i1 %cmp.i.i116, label %if.then2.i.i119, label %emit.exit.i123

if.then2.i.i119:                                  ; preds = %if.else.i.i117
  %arrayidx.i.i118 = getelementptr inbounds i8, ptr %31, i64 %33
  store i8 32, ptr %arrayidx.i.i118, align 1, !tbaa !5
  br label %emit.exit.i123

emit.exit.i123:                                   ; preds = %if.then2.i.i119, %if.else.i.i117, %putchar.exit.i.i115
  %35 = load i64, ptr %length.i.i103, align 8, !tbaa !72
  %inc.i.i120 = add i64 %35, 1
  store i64 %inc.i.i120, ptr %length.i.i103, align 8, !tbaa !72
  %dec.i121 = add nsw i32 %times.addr.03.i107, -1
  %cmp.i122 = icmp sgt i32 %times.addr.03.i107, 1
  br i1 %cmp.i122, label %for.body.i109, label %if.end17, !llvm.loop !116

if.end17:                                         ; preds = %emit.exit.i123, %for.cond.cleanup
  ret void
}

; Function Attrs: nofree nosync nounwind memory(argmem: readwrite) uwtable
define internal fastcc i32 @rounded(ptr nocapture noundef %digits, i32 noundef %count, i32 noundef %kept) unnamed_addr #18 {
entry:
  %cmp.not = icmp slt i32 %kept, %count
  br i1 %cmp.not, label %if.end, label %return

if.end:                                           ; preds = %entry
  %cmp1 = icmp sgt i32 %kept, -1
  br i1 %cmp1, label %for.cond.preheader, label %if.end23

for.cond.preheader:                               ; preds = %if.end
  %k.0127 = add nsw i32 %kept, 1
  %cmp3128 = icmp slt i32 %k.0127, %count
  br i1 %cmp3128, label %for.body.preheader, label %for.cond.cleanup

for.body.preheader:                               ; preds = %for.cond.preheader
  %0 = sext i32 %kept to i64
  %1 = add nsw i64 %0, 1
  br label %for.body

for.cond.cleanup:                                 ; preds = %for.body, %for.cond.preheader
  %rest.0.lcssa = phi i32 [ 0, %for.cond.preheader ], [ %or, %for.body ]
  %tobool.not = icmp eq i32 %kept, 0
  br i1 %tobool.not, label %cond.end, label %cond.true

for.body:                                         ; preds = %for.body.preheader, %for.body
  %indvars.iv = phi i64 [ %1, %for.body.preheader ], [ %indvars.iv.next, %for.body ]
  %rest.0129 = phi i32 [ 0, %for.body.preheader ], [ %or, %for.body ]
  %arrayidx = getelementptr inbounds i8, ptr %digits, i64 %indvars.iv
  %2 = load i8, ptr %arrayidx, align 1, !tbaa !5
  %cmp4 = icmp ne i8 %2, 48
  %conv5 = zext i1 %cmp4 to i32
  %or = or i32 %rest.0129, %conv5
  %indvars.iv.next = add nsw i64 %indvars.iv, 1
  %lftr.wideiv = trunc i64 %indvars.iv.next to i32
  %exitcond.not = icmp eq i32 %lftr.wideiv, %count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body, !llvm.loop !119

cond.true:                                        ; preds = %for.cond.cleanup
  %sub = add nsw i32 %kept, -1
  %idxprom6 = zext i32 %sub to i64
  %arrayidx7 = getelementptr inbounds i8, ptr %digits, i64 %idxprom6
  %3 = load i8, ptr %arrayidx7, align 1, !tbaa !5
  %4 = and i8 %3, 1
  %and = zext i8 %4 to i32
  br label %cond.end

cond.end:                                         ; preds = %for.cond.cleanup, %cond.true
  %cond = phi i32 [ %and, %cond.true ], [ 0, %for.cond.cleanup ]
  %idxprom9 = zext i32 %kept to i64
  %arrayidx10 = getelementptr inbounds i8, ptr %digits, i64 %idxprom9
  %5 = load i8, ptr %arrayidx10, align 1, !tbaa !5
  %cmp12 = icmp sgt i8 %5, 53
  br i1 %cmp12, label %if.end23, label %lor.rhs

lor.rhs:                                          ; preds = %cond.end
  %cmp17 = icmp eq i8 %5, 53
  br i1 %cmp17, label %land.rhs, label %if.end23

land.rhs:                                         ; preds = %lor.rhs
  %tobool19 = icmp ne i32 %rest.0.lcssa, 0
  %tobool21 = icmp ne i32 %cond, 0
  %6 = select i1 %tobool19, i1 true, i1 %tobool21
  %7 = zext i1 %6 to i32
  br label %if.end23

if.end23:                                         ; preds = %cond.end, %land.rhs, %lor.rhs, %if.end
  %up.0 = phi i32 [ 0, %if.end ], [ 1, %cond.end ], [ 0, %lor.rhs ], [ %7, %land.rhs ]
  %cond30 = tail call i32 @llvm.smax.i32(i32 %kept, i32 0)
  %cmp32131 = icmp slt i32 %cond30, %count
  br i1 %cmp32131, label %for.body35.preheader, label %for.cond43.preheader

for.body35.preheader:                             ; preds = %if.end23
  %8 = zext i32 %cond30 to i64
  %wide.trip.count = zext i32 %count to i64
  br label %for.body35

for.cond43.preheader:                             ; preds = %for.body35, %if.end23
  %tobool44133 = icmp ne i32 %up.0, 0
  %cmp46134 = icmp sgt i32 %kept, 0
  %9 = and i1 %tobool44133, %cmp46134
  br i1 %9, label %for.body50.preheader, label %for.cond.cleanup49

for.body50.preheader:                             ; preds = %for.cond43.preheader
  %10 = zext i32 %kept to i64
  br label %for.body50

for.body35:                                       ; preds = %for.body35.preheader, %for.body35
  %indvars.iv141 = phi i64 [ %8, %for.body35.preheader ], [ %indvars.iv.next142, %for.body35 ]
  %arrayidx37 = getelementptr inbounds i8, ptr %digits, i64 %indvars.iv141
  store i8 48, ptr %arrayidx37, align 1, !tbaa !5
  %indvars.iv.next142 = add nuw nsw i64 %indvars.iv141, 1
  %exitcond144.not = icmp eq i64 %indvars.iv.next142, %wide.trip.count
  br i1 %exitcond144.not, label %for.cond43.preheader, label %for.body35, !llvm.loop !120

for.cond.cleanup49.loopexit:                      ; preds = %for.body50
  %conv55 = zext i1 %cmp54 to i32
  br label %for.cond.cleanup49

for.cond.cleanup49:                               ; preds = %for.cond.cleanup49.loopexit, %for.cond43.preheader
  %up.1.lcssa = phi i32 [ %up.0, %for.cond43.preheader ], [ %conv55, %for.cond.cleanup49.loopexit ]
  %tobool44.lcssa = phi i1 [ %tobool44133, %for.cond43.preheader ], [ %cmp54, %for.cond.cleanup49.loopexit ]
  br i1 %tobool44.lcssa, label %for.cond74.preheader, label %return

for.cond74.preheader:                             ; preds = %for.cond.cleanup49
  %cmp75138 = icmp sgt i32 %count, 1
  br i1 %cmp75138, label %for.body78.preheader, label %for.cond.cleanup77

for.body78.preheader:                             ; preds = %for.cond74.preheader
  %11 = zext i32 %count to i64
  br label %for.body78

for.body50:                                       ; preds = %for.body50.preheader, %for.body50
  %indvars.iv145 = phi i64 [ %10, %for.body50.preheader ], [ %indvars.iv.next146, %for.body50 ]
  %indvars.iv.next146 = add nsw i64 %indvars.iv145, -1
  %idxprom51 = and i64 %indvars.iv.next146, 4294967295
  %arrayidx52 = getelementptr inbounds i8, ptr %digits, i64 %idxprom51
  %12 = load i8, ptr %arrayidx52, align 1, !tbaa !5
  %cmp54 = icmp eq i8 %12, 57
  %add62 = add i8 %12, 1
  %spec.select = select i1 %cmp54, i8 48, i8 %add62
  store i8 %spec.select, ptr %arrayidx52, align 1, !tbaa !5
  %cmp46 = icmp sgt i64 %indvars.iv145, 1
  %13 = select i1 %cmp54, i1 %cmp46, i1 false
  br i1 %13, label %for.body50, label %for.cond.cleanup49.loopexit, !llvm.loop !121

for.cond.cleanup77:                               ; preds = %for.body78, %for.cond74.preheader
  store i8 49, ptr %digits, align 1, !tbaa !5
  br label %return

for.body78:                                       ; preds = %for.body78.preheader, %for.body78
  %indvars.iv148 = phi i64 [ %11, %for.body78.preheader ], [ %indvars.iv.next149, %for.body78 ]
  %indvars.iv.next149 = add nsw i64 %indvars.iv148, -1
  %sub79 = add i64 %indvars.iv148, 4294967294
  %idxprom80 = and i64 %sub79, 4294967295
  %arrayidx81 = getelementptr inbounds i8, ptr %digits, i64 %idxprom80
  %14 = load i8, ptr %arrayidx81, align 1, !tbaa !5
  %idxprom82 = and i64 %indvars.iv.next149, 4294967295
  %arrayidx83 = getelementptr inbounds i8, ptr %digits, i64 %idxprom82
  store i8 %14, ptr %arrayidx83, align 1, !tbaa !5
  %cmp75 = icmp sgt i64 %indvars.iv148, 2
  br i1 %cmp75, label %for.body78, label %for.cond.cleanup77, !llvm.loop !122

return:                                           ; preds = %for.cond.cleanup49, %for.cond.cleanup77, %entry
  %retval.0 = phi i32 [ 0, %entry ], [ %up.1.lcssa, %for.cond.cleanup77 ], [ %up.1.lcssa, %for.cond.cleanup49 ]
  ret i32 %retval.0
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64) #19

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umin.i64(i64, i64) #19

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.abs.i64(i64, i1 immarg) #19

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.usub.sat.i64(i64, i64) #19

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.abs.i32(i32, i1 immarg) #19

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #19

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #19

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.experimental.noalias.scope.decl(metadata) #20

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i8 @llvm.fshl.i8(i8, i8, i8) #19

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nofree norecurse nosync nounwind memory(read, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { nofree norecurse nosync nounwind memory(argmem: read) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { nofree nosync nounwind uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #8 = { nofree norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #9 = { nofree norecurse nosync nounwind memory(readwrite, argmem: none, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #10 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #11 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #12 = { nofree nosync nounwind memory(read, inaccessiblemem: readwrite) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #13 = { cold noreturn nounwind }
attributes #14 = { mustprogress nofree norecurse nosync nounwind willreturn memory(readwrite, argmem: none, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #15 = { nofree norecurse nosync nounwind memory(readwrite, argmem: read, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #16 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #17 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #18 = { nofree nosync nounwind memory(argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #19 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #20 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
attributes #21 = { nobuiltin nounwind "no-builtins" }
attributes #22 = { nobuiltin "no-builtins" }
attributes #23 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!5 = !{!6, !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C/C++ TBAA"}
!8 = distinct !{!8, !9, !10}
!9 = !{!"llvm.loop.mustprogress"}
!10 = !{!"llvm.loop.unroll.disable"}
!11 = distinct !{!11, !9, !10}
!12 = distinct !{!12, !9, !10}
!13 = distinct !{!13, !9, !10}
!14 = distinct !{!14, !9, !10}
!15 = distinct !{!15, !9, !10}
!16 = distinct !{!16, !9, !10}
!17 = !{!18}
!18 = distinct !{!18, !19, !"stpcpy: %to"}
!19 = distinct !{!19, !"stpcpy"}
!20 = !{!21}
!21 = distinct !{!21, !19, !"stpcpy: %from"}
!22 = distinct !{!22, !9, !10}
!23 = distinct !{!23, !9, !10}
!24 = !{!25}
!25 = distinct !{!25, !26, !"stpcpy: %to"}
!26 = distinct !{!26, !"stpcpy"}
!27 = !{!28}
!28 = distinct !{!28, !26, !"stpcpy: %from"}
!29 = distinct !{!29, !9, !10}
!30 = distinct !{!30, !9, !10}
!31 = distinct !{!31, !10}
!32 = distinct !{!32, !9, !10}
!33 = distinct !{!33, !9, !10}
!34 = distinct !{!34, !9, !10}
!35 = !{!36, !36, i64 0}
!36 = !{!"long", !6, i64 0}
!37 = distinct !{!37, !9, !10}
!38 = distinct !{!38, !9, !10}
!39 = !{!40}
!40 = distinct !{!40, !41, !"strcpy: %to"}
!41 = distinct !{!41, !"strcpy"}
!42 = !{!43}
!43 = distinct !{!43, !41, !"strcpy: %from"}
!44 = !{!45}
!45 = distinct !{!45, !46, !"stpcpy: %to"}
!46 = distinct !{!46, !"stpcpy"}
!47 = !{!48}
!48 = distinct !{!48, !46, !"stpcpy: %from"}
!49 = !{!48, !43}
!50 = !{!45, !40}
!51 = !{!52, !52, i64 0}
!52 = !{!"any pointer", !6, i64 0}
!53 = !{!54, !54, i64 0}
!54 = !{!"short", !6, i64 0}
!55 = distinct !{!55, !9, !10}
!56 = !{!57, !57, i64 0}
!57 = !{!"int", !6, i64 0}
!58 = distinct !{!58, !9, !10}
!59 = distinct !{!59, !9, !10}
!60 = distinct !{!60, !9, !10}
!61 = distinct !{!61, !10}
!62 = distinct !{!62, !9, !10}
!63 = distinct !{!63, !9, !10}
!64 = distinct !{!64, !9, !10}
!65 = distinct !{!65, !9, !10}
!66 = distinct !{!66, !9, !10}
!67 = distinct !{!67, !9, !10}
!68 = distinct !{!68, !9, !10}
!69 = distinct !{!69, !9, !10}
!70 = !{!71, !52, i64 0}
!71 = !{!"sink", !52, i64 0, !36, i64 8, !36, i64 16}
!72 = !{!71, !36, i64 16}
!73 = !{!71, !36, i64 8}
!74 = distinct !{!74, !9, !10}
!75 = distinct !{!75, !9, !10}
!76 = distinct !{!76, !10}
!77 = distinct !{!77, !9, !10}
!78 = distinct !{!78, !9, !10}
!79 = distinct !{!79, !9, !10}
!80 = distinct !{!80, !9, !10}
!81 = distinct !{!81, !9, !10}
!82 = distinct !{!82, !9, !10}
!83 = distinct !{!83, !9, !10}
!84 = distinct !{!84, !9, !10}
!85 = distinct !{!85, !9, !10}
!86 = distinct !{!86, !9, !10}
!87 = distinct !{!87, !9, !10}
!88 = distinct !{!88, !9, !10}
!89 = distinct !{!89, !9, !10}
!90 = !{!91}
!91 = distinct !{!91, !92, !"vsnprintf: %text"}
!92 = distinct !{!92, !"vsnprintf"}
!93 = !{!91, !94}
!94 = distinct !{!94, !92, !"vsnprintf: %s"}
!95 = !{!94}
!96 = !{!97}
!97 = distinct !{!97, !98, !"vprintf: %s"}
!98 = distinct !{!98, !"vprintf"}
!99 = !{!100}
!100 = distinct !{!100, !101, !"vsprintf: %text"}
!101 = distinct !{!101, !"vsprintf"}
!102 = !{!103}
!103 = distinct !{!103, !104, !"vsnprintf: %text"}
!104 = distinct !{!104, !"vsnprintf"}
!105 = !{!103, !106, !100, !107}
!106 = distinct !{!106, !104, !"vsnprintf: %s"}
!107 = distinct !{!107, !101, !"vsprintf: %s"}
!108 = !{!103, !100}
!109 = !{!106, !107}
!110 = !{!111}
!111 = distinct !{!111, !112, !"vsnprintf: %text"}
!112 = distinct !{!112, !"vsnprintf"}
!113 = !{!111, !114}
!114 = distinct !{!114, !112, !"vsnprintf: %s"}
!115 = !{!114}
!116 = distinct !{!116, !9, !10}
!117 = distinct !{!117, !9, !10}
!118 = distinct !{!118, !9, !10}
!119 = distinct !{!119, !9, !10}
!120 = distinct !{!120, !9, !10}
!121 = distinct !{!121, !9, !10}
!122 = distinct !{!122, !9, !10}
