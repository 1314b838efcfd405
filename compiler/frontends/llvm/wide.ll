target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.wide = type { i64, i64 }

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr { i64, i64 } @__udivti3(i64 noundef %a, i64 noundef %a1, i64 noundef %b, i64 noundef %b1) local_unnamed_addr #0 {
entry:
  %rest = alloca %struct.wide, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %rest) #7
  %call3 = call fastcc { i64, i64 } @quotient(i64 %a, i64 %a1, i64 %b, i64 %b1, ptr noundef nonnull %rest) #8
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %rest) #7
  ret { i64, i64 } %call3
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nofree nosync nounwind memory(argmem: write) uwtable
define internal fastcc { i64, i64 } @quotient(i64 %a.coerce0, i64 %a.coerce1, i64 %b.coerce0, i64 %b.coerce1, ptr nocapture noundef writeonly %rest) unnamed_addr #2 {
entry:
  %tobool.not = icmp eq i64 %b.coerce1, 0
  br i1 %tobool.not, label %if.then, label %if.end22

if.then:                                          ; preds = %entry
  %cmp.not = icmp ult i64 %a.coerce1, %b.coerce0
  br i1 %cmp.not, label %if.end, label %if.then3

if.then3:                                         ; preds = %if.then
  %div = udiv i64 %a.coerce1, %b.coerce0
  %rem = urem i64 %a.coerce1, %b.coerce0
  br label %if.end

if.end:                                           ; preds = %if.then3, %if.then
  %above.0 = phi i64 [ %rem, %if.then3 ], [ %a.coerce1, %if.then ]
  %high.0 = phi i64 [ %div, %if.then3 ], [ 0, %if.then ]
  %tobool7.not = icmp eq i64 %above.0, 0
  br i1 %tobool7.not, label %cond.false, label %cond.true

cond.true:                                        ; preds = %if.end
  %0 = tail call i64 @llvm.ctlz.i64(i64 %b.coerce0, i1 true), !range !5
  %shl.i = shl i64 %b.coerce0, %0
  %shl2.i = shl i64 %above.0, %0
  %tobool.not.i = icmp eq i64 %0, 0
  %sub.i = sub nuw nsw i64 64, %0
  %shr.i = lshr i64 %a.coerce0, %sub.i
  %cond.i = select i1 %tobool.not.i, i64 0, i64 %shr.i
  %or.i = or i64 %shl2.i, %cond.i
  %shl5.i = shl i64 %a.coerce0, %0
  %shr6.i = lshr i64 %shl.i, 32
  %and.i = and i64 %shl.i, 4294967295
  br label %for.body.i

for.body.i:                                       ; preds = %while.end.i, %cond.true
  %indvars.iv.i = phi i64 [ 32, %cond.true ], [ %indvars.iv.next.i, %while.end.i ]
  %high.addr.055.i = phi i64 [ %or.i, %cond.true ], [ %sub20.i, %while.end.i ]
  %quotient.053.i = phi i64 [ 0, %cond.true ], [ %or22.i, %while.end.i ]
  %shr8.i = lshr i64 %shl5.i, %indvars.iv.i
  %and9.i = and i64 %shr8.i, 4294967295
  %div.i = udiv i64 %high.addr.055.i, %shr6.i
  %rem.i = urem i64 %high.addr.055.i, %shr6.i
  br label %while.cond.i

while.cond.i:                                     ; preds = %while.body.i, %for.body.i
  %digit.0.i = phi i64 [ %div.i, %for.body.i ], [ %dec.i, %while.body.i ]
  %left.0.i = phi i64 [ %rem.i, %for.body.i ], [ %add.i, %while.body.i ]
  %tobool11.not.i = icmp ult i64 %digit.0.i, 4294967296
  br i1 %tobool11.not.i, label %lor.rhs.i, label %while.body.i

lor.rhs.i:                                        ; preds = %while.cond.i
  %mul.i = mul i64 %digit.0.i, %and.i
  %shl12.i = shl i64 %left.0.i, 32
  %or13.i = or i64 %shl12.i, %and9.i
  %cmp14.i = icmp ugt i64 %mul.i, %or13.i
  br i1 %cmp14.i, label %while.body.i, label %while.end.i

while.body.i:                                     ; preds = %lor.rhs.i, %while.cond.i
  %dec.i = add i64 %digit.0.i, -1
  %add.i = add i64 %left.0.i, %shr6.i
  %tobool16.not.i = icmp ult i64 %add.i, 4294967296
  br i1 %tobool16.not.i, label %while.cond.i, label %while.end.i, !llvm.loop !6

while.end.i:                                      ; preds = %while.body.i, %lor.rhs.i
  %digit.1.i = phi i64 [ %dec.i, %while.body.i ], [ %digit.0.i, %lor.rhs.i ]
  %shl17.i = shl i64 %high.addr.055.i, 32
  %or18.i = or i64 %and9.i, %shl17.i
  %mul19.i = mul i64 %digit.1.i, %shl.i
  %sub20.i = sub i64 %or18.i, %mul19.i
  %shl21.i = shl i64 %quotient.053.i, 32
  %or22.i = or i64 %digit.1.i, %shl21.i
  %indvars.iv.next.i = add nsw i64 %indvars.iv.i, -32
  %cmp.not.i = icmp eq i64 %indvars.iv.i, 0
  br i1 %cmp.not.i, label %divide.exit, label %for.body.i, !llvm.loop !9

divide.exit:                                      ; preds = %while.end.i
  %shr25.i = lshr i64 %sub20.i, %0
  br label %cond.end

cond.false:                                       ; preds = %if.end
  %div12 = udiv i64 %a.coerce0, %b.coerce0
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %divide.exit
  %left.0 = phi i64 [ undef, %cond.false ], [ %shr25.i, %divide.exit ]
  %cond = phi i64 [ %div12, %cond.false ], [ %or22.i, %divide.exit ]
  %mul = mul i64 %cond, %b.coerce0
  %sub = sub i64 %a.coerce0, %mul
  %cond19 = select i1 %tobool7.not, i64 %sub, i64 %left.0
  br label %cleanup

if.end22:                                         ; preds = %entry
  %cmp26 = icmp ult i64 %a.coerce1, %b.coerce1
  br i1 %cmp26, label %cleanup, label %if.end28

if.end28:                                         ; preds = %if.end22
  %1 = tail call i64 @llvm.ctlz.i64(i64 %b.coerce1, i1 true), !range !5
  %cast = trunc i64 %1 to i32
  %2 = tail call i64 @llvm.ctlz.i64(i64 %a.coerce1, i1 true), !range !5
  %cast31 = trunc i64 %2 to i32
  %sub32 = sub nsw i32 %cast, %cast31
  %cmp33 = icmp sgt i32 %sub32, 0
  br i1 %cmp33, label %if.then34, label %if.end44

if.then34:                                        ; preds = %if.end28
  %sh_prom = zext i32 %sub32 to i64
  %shl = shl i64 %b.coerce0, %sh_prom
  %shl39 = shl i64 %b.coerce1, %sh_prom
  %sub41 = sub nsw i32 64, %sub32
  %sh_prom42 = zext i32 %sub41 to i64
  %shr = lshr i64 %b.coerce0, %sh_prom42
  %or = or i64 %shr, %shl39
  br label %if.end44

if.end44:                                         ; preds = %if.then34, %if.end28
  %b.sroa.0.0 = phi i64 [ %shl, %if.then34 ], [ %b.coerce0, %if.end28 ]
  %b.sroa.15.0 = phi i64 [ %or, %if.then34 ], [ %b.coerce1, %if.end28 ]
  %cmp45139 = icmp sgt i32 %sub32, -1
  br i1 %cmp45139, label %for.body, label %cleanup

for.body:                                         ; preds = %if.end44, %if.end74
  %retval.sroa.0.0145 = phi i64 [ %retval.sroa.0.1, %if.end74 ], [ 0, %if.end44 ]
  %a.sroa.10.0144 = phi i64 [ %a.sroa.10.1, %if.end74 ], [ %a.coerce1, %if.end44 ]
  %a.sroa.0.0143 = phi i64 [ %a.sroa.0.1, %if.end74 ], [ %a.coerce0, %if.end44 ]
  %b.sroa.15.1142 = phi i64 [ %shr82, %if.end74 ], [ %b.sroa.15.0, %if.end44 ]
  %b.sroa.0.1141 = phi i64 [ %or80, %if.end74 ], [ %b.sroa.0.0, %if.end44 ]
  %shift.0140 = phi i32 [ %dec, %if.end74 ], [ %sub32, %if.end44 ]
  %shl47 = shl i64 %retval.sroa.0.0145, 1
  %cmp50 = icmp ugt i64 %a.sroa.10.0144, %b.sroa.15.1142
  br i1 %cmp50, label %if.then57, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %for.body
  %cmp53 = icmp ne i64 %a.sroa.10.0144, %b.sroa.15.1142
  %cmp56.not = icmp ult i64 %a.sroa.0.0143, %b.sroa.0.1141
  %or.cond = select i1 %cmp53, i1 true, i1 %cmp56.not
  br i1 %or.cond, label %if.end74, label %if.then57

if.then57:                                        ; preds = %lor.lhs.false, %for.body
  %sub61 = sub i64 %a.sroa.0.0143, %b.sroa.0.1141
  %sub65 = sub i64 %a.sroa.10.0144, %b.sroa.15.1142
  %cmp68 = icmp ult i64 %a.sroa.0.0143, %b.sroa.0.1141
  %conv69.neg = sext i1 %cmp68 to i64
  %sub70 = add i64 %sub65, %conv69.neg
  %or73 = or i64 %shl47, 1
  br label %if.end74

if.end74:                                         ; preds = %if.then57, %lor.lhs.false
  %a.sroa.0.1 = phi i64 [ %sub61, %if.then57 ], [ %a.sroa.0.0143, %lor.lhs.false ]
  %a.sroa.10.1 = phi i64 [ %sub70, %if.then57 ], [ %a.sroa.10.0144, %lor.lhs.false ]
  %retval.sroa.0.1 = phi i64 [ %or73, %if.then57 ], [ %shl47, %lor.lhs.false ]
  %or80 = tail call i64 @llvm.fshl.i64(i64 %b.sroa.15.1142, i64 %b.sroa.0.1141, i64 63)
  %shr82 = lshr i64 %b.sroa.15.1142, 1
  %dec = add nsw i32 %shift.0140, -1
  %cmp45 = icmp sgt i32 %shift.0140, 0
  br i1 %cmp45, label %for.body, label %cleanup, !llvm.loop !10

cleanup:                                          ; preds = %if.end74, %if.end44, %if.end22, %cond.end
  %a.sroa.0.0.lcssa.sink = phi i64 [ %cond19, %cond.end ], [ %a.coerce0, %if.end22 ], [ %a.coerce0, %if.end44 ], [ %a.sroa.0.1, %if.end74 ]
  %a.sroa.10.0.lcssa.sink = phi i64 [ 0, %cond.end ], [ %a.coerce1, %if.end22 ], [ %a.coerce1, %if.end44 ], [ %a.sroa.10.1, %if.end74 ]
  %retval.sroa.0.2 = phi i64 [ %cond, %cond.end ], [ 0, %if.end22 ], [ 0, %if.end44 ], [ %retval.sroa.0.1, %if.end74 ]
  %call23.pn = phi i64 [ %high.0, %cond.end ], [ 0, %if.end22 ], [ 0, %if.end44 ], [ 0, %if.end74 ]
  store i64 %a.sroa.0.0.lcssa.sink, ptr %rest, align 8
  %a.sroa.10.0.rest.addr.0.97.sroa_idx = getelementptr inbounds i8, ptr %rest, i64 8
  store i64 %a.sroa.10.0.lcssa.sink, ptr %a.sroa.10.0.rest.addr.0.97.sroa_idx, align 8
  %.fca.0.insert = insertvalue { i64, i64 } poison, i64 %retval.sroa.0.2, 0
  %.fca.1.insert = insertvalue { i64, i64 } %.fca.0.insert, i64 %call23.pn, 1
  ret { i64, i64 } %.fca.1.insert
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr { i64, i64 } @__umodti3(i64 noundef %a, i64 noundef %a1, i64 noundef %b, i64 noundef %b1) local_unnamed_addr #0 {
entry:
  %retval = alloca %struct.wide, align 8
  %call3 = call fastcc { i64, i64 } @quotient(i64 %a, i64 %a1, i64 %b, i64 %b1, ptr noundef nonnull %retval) #8
  %.fca.0.load = load i64, ptr %retval, align 8
  %.fca.0.insert = insertvalue { i64, i64 } poison, i64 %.fca.0.load, 0
  %.fca.1.gep = getelementptr inbounds { i64, i64 }, ptr %retval, i64 0, i32 1
  %.fca.1.load = load i64, ptr %.fca.1.gep, align 8
  %.fca.1.insert = insertvalue { i64, i64 } %.fca.0.insert, i64 %.fca.1.load, 1
  ret { i64, i64 } %.fca.1.insert
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr { i64, i64 } @__divti3(i64 noundef %a, i64 noundef %a1, i64 noundef %b, i64 noundef %b1) local_unnamed_addr #0 {
entry:
  %rest = alloca %struct.wide, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %rest) #7
  %cmp.i = icmp slt i64 %a1, 0
  br i1 %cmp.i, label %cond.true.i, label %size.exit

cond.true.i:                                      ; preds = %entry
  %sub.i.i = sub i64 0, %a
  %not.i.i = xor i64 %a1, -1
  %tobool.not.i.i = icmp eq i64 %a, 0
  %conv.i.i = zext i1 %tobool.not.i.i to i64
  %add.i.i = add i64 %conv.i.i, %not.i.i
  br label %size.exit

size.exit:                                        ; preds = %entry, %cond.true.i
  %retval.sroa.0.0.i = phi i64 [ %sub.i.i, %cond.true.i ], [ %a, %entry ]
  %retval.sroa.3.0.i = phi i64 [ %add.i.i, %cond.true.i ], [ %a1, %entry ]
  %cmp.i15 = icmp slt i64 %b1, 0
  br i1 %cmp.i15, label %cond.true.i21, label %size.exit26

cond.true.i21:                                    ; preds = %size.exit
  %sub.i.i16 = sub i64 0, %b
  %not.i.i17 = xor i64 %b1, -1
  %tobool.not.i.i18 = icmp eq i64 %b, 0
  %conv.i.i19 = zext i1 %tobool.not.i.i18 to i64
  %add.i.i20 = add i64 %conv.i.i19, %not.i.i17
  br label %size.exit26

size.exit26:                                      ; preds = %size.exit, %cond.true.i21
  %retval.sroa.0.0.i22 = phi i64 [ %sub.i.i16, %cond.true.i21 ], [ %b, %size.exit ]
  %retval.sroa.3.0.i23 = phi i64 [ %add.i.i20, %cond.true.i21 ], [ %b1, %size.exit ]
  %call7 = call fastcc { i64, i64 } @quotient(i64 %retval.sroa.0.0.i, i64 %retval.sroa.3.0.i, i64 %retval.sroa.0.0.i22, i64 %retval.sroa.3.0.i23, ptr noundef nonnull %rest) #8
  %xor = xor i64 %b1, %a1
  %cmp = icmp slt i64 %xor, 0
  br i1 %cmp, label %cond.true, label %cond.end

cond.true:                                        ; preds = %size.exit26
  %0 = extractvalue { i64, i64 } %call7, 1
  %1 = extractvalue { i64, i64 } %call7, 0
  %sub.i = sub i64 0, %1
  %not.i = xor i64 %0, -1
  %tobool.not.i = icmp eq i64 %1, 0
  %conv.i = zext i1 %tobool.not.i to i64
  %add.i = add i64 %conv.i, %not.i
  %.fca.0.insert.i.i = insertvalue { i64, i64 } poison, i64 %sub.i, 0
  %.fca.1.insert.i.i = insertvalue { i64, i64 } %.fca.0.insert.i.i, i64 %add.i, 1
  br label %cond.end

cond.end:                                         ; preds = %size.exit26, %cond.true
  %.fca.1.insert.merged = phi { i64, i64 } [ %.fca.1.insert.i.i, %cond.true ], [ %call7, %size.exit26 ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %rest) #7
  ret { i64, i64 } %.fca.1.insert.merged
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define linkonce_odr { i64, i64 } @__modti3(i64 noundef %a, i64 noundef %a1, i64 noundef %b, i64 noundef %b1) local_unnamed_addr #0 {
entry:
  %rest = alloca %struct.wide, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %rest) #7
  %cmp.i = icmp slt i64 %a1, 0
  br i1 %cmp.i, label %cond.true.i, label %size.exit

cond.true.i:                                      ; preds = %entry
  %sub.i.i = sub i64 0, %a
  %not.i.i = xor i64 %a1, -1
  %tobool.not.i.i = icmp eq i64 %a, 0
  %conv.i.i = zext i1 %tobool.not.i.i to i64
  %add.i.i = add i64 %conv.i.i, %not.i.i
  br label %size.exit

size.exit:                                        ; preds = %entry, %cond.true.i
  %retval.sroa.0.0.i = phi i64 [ %sub.i.i, %cond.true.i ], [ %a, %entry ]
  %retval.sroa.3.0.i = phi i64 [ %add.i.i, %cond.true.i ], [ %a1, %entry ]
  %cmp.i14 = icmp slt i64 %b1, 0
  br i1 %cmp.i14, label %cond.true.i20, label %size.exit25

cond.true.i20:                                    ; preds = %size.exit
  %sub.i.i15 = sub i64 0, %b
  %not.i.i16 = xor i64 %b1, -1
  %tobool.not.i.i17 = icmp eq i64 %b, 0
  %conv.i.i18 = zext i1 %tobool.not.i.i17 to i64
  %add.i.i19 = add i64 %conv.i.i18, %not.i.i16
  br label %size.exit25

size.exit25:                                      ; preds = %size.exit, %cond.true.i20
  %retval.sroa.0.0.i21 = phi i64 [ %sub.i.i15, %cond.true.i20 ], [ %b, %size.exit ]
  %retval.sroa.3.0.i22 = phi i64 [ %add.i.i19, %cond.true.i20 ], [ %b1, %size.exit ]
  %call7 = call fastcc { i64, i64 } @quotient(i64 %retval.sroa.0.0.i, i64 %retval.sroa.3.0.i, i64 %retval.sroa.0.0.i21, i64 %retval.sroa.3.0.i22, ptr noundef nonnull %rest) #8
  %0 = load i64, ptr %rest, align 8
  br i1 %cmp.i, label %cond.true, label %cond.false

cond.true:                                        ; preds = %size.exit25
  %1 = getelementptr inbounds { i64, i64 }, ptr %rest, i64 0, i32 1
  %2 = load i64, ptr %1, align 8
  %sub.i = sub i64 0, %0
  %not.i = xor i64 %2, -1
  %tobool.not.i = icmp eq i64 %0, 0
  %conv.i = zext i1 %tobool.not.i to i64
  %add.i = add i64 %conv.i, %not.i
  br label %cond.end

cond.false:                                       ; preds = %size.exit25
  %retval.sroa.3.0.rest.sroa_idx = getelementptr inbounds i8, ptr %rest, i64 8
  %retval.sroa.3.0.copyload = load i64, ptr %retval.sroa.3.0.rest.sroa_idx, align 8, !tbaa.struct !11
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %retval.sroa.0.0 = phi i64 [ %sub.i, %cond.true ], [ %0, %cond.false ]
  %retval.sroa.3.0 = phi i64 [ %add.i, %cond.true ], [ %retval.sroa.3.0.copyload, %cond.false ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %rest) #7
  %.fca.0.insert = insertvalue { i64, i64 } poison, i64 %retval.sroa.0.0, 0
  %.fca.1.insert = insertvalue { i64, i64 } %.fca.0.insert, i64 %retval.sroa.3.0, 1
  ret { i64, i64 } %.fca.1.insert
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr double @__floatuntidf(i64 noundef %low, i64 noundef %high) local_unnamed_addr #3 {
entry:
  %tobool.not.i = icmp eq i64 %high, 0
  br i1 %tobool.not.i, label %top.exit, label %if.end.i

if.end.i:                                         ; preds = %entry
  %0 = tail call i64 @llvm.ctlz.i64(i64 %high, i1 true), !range !5
  %tobool3.not.i = icmp eq i64 %0, 0
  %or.i = tail call i64 @llvm.fshl.i64(i64 %high, i64 %low, i64 %0)
  %cond.i = select i1 %tobool3.not.i, i64 %high, i64 %or.i
  %cond17.i = shl i64 %low, %0
  %cmp.i = icmp ne i64 %cond17.i, 0
  %conv18.i = zext i1 %cmp.i to i64
  %or19.i = or i64 %cond.i, %conv18.i
  %1 = shl nuw nsw i64 %0, 52
  %2 = sub nuw nsw i64 4895412794951729152, %1
  %3 = bitcast i64 %2 to double
  br label %top.exit

top.exit:                                         ; preds = %entry, %if.end.i
  %shift.0 = phi double [ 1.000000e+00, %entry ], [ %3, %if.end.i ]
  %retval.0.i = phi i64 [ %low, %entry ], [ %or19.i, %if.end.i ]
  %conv = uitofp i64 %retval.0.i to double
  %mul = fmul double %shift.0, %conv
  ret double %mul
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr float @__floatuntisf(i64 noundef %low, i64 noundef %high) local_unnamed_addr #3 {
entry:
  %tobool.not.i = icmp eq i64 %high, 0
  br i1 %tobool.not.i, label %top.exit, label %if.end.i

if.end.i:                                         ; preds = %entry
  %0 = tail call i64 @llvm.ctlz.i64(i64 %high, i1 true), !range !5
  %tobool3.not.i = icmp eq i64 %0, 0
  %or.i = tail call i64 @llvm.fshl.i64(i64 %high, i64 %low, i64 %0)
  %cond.i = select i1 %tobool3.not.i, i64 %high, i64 %or.i
  %cond17.i = shl i64 %low, %0
  %cmp.i = icmp ne i64 %cond17.i, 0
  %conv18.i = zext i1 %cmp.i to i64
  %or19.i = or i64 %cond.i, %conv18.i
  %1 = shl nuw nsw i64 %0, 52
  %2 = sub nuw nsw i64 4895412794951729152, %1
  %3 = bitcast i64 %2 to double
  %4 = fptrunc double %3 to float
  br label %top.exit

top.exit:                                         ; preds = %entry, %if.end.i
  %shift.0 = phi float [ 1.000000e+00, %entry ], [ %4, %if.end.i ]
  %retval.0.i = phi i64 [ %low, %entry ], [ %or19.i, %if.end.i ]
  %conv = uitofp i64 %retval.0.i to float
  %mul = fmul float %shift.0, %conv
  ret float %mul
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr double @__floattidf(i64 noundef %low, i64 noundef %high) local_unnamed_addr #3 {
entry:
  %cmp.i = icmp slt i64 %high, 0
  br i1 %cmp.i, label %cond.true.i, label %size.exit

cond.true.i:                                      ; preds = %entry
  %sub.i.i = sub i64 0, %low
  %not.i.i = xor i64 %high, -1
  %tobool.not.i.i = icmp eq i64 %low, 0
  %conv.i.i = zext i1 %tobool.not.i.i to i64
  %add.i.i = add i64 %conv.i.i, %not.i.i
  br label %size.exit

size.exit:                                        ; preds = %entry, %cond.true.i
  %retval.sroa.0.0.i = phi i64 [ %sub.i.i, %cond.true.i ], [ %low, %entry ]
  %retval.sroa.3.0.i = phi i64 [ %add.i.i, %cond.true.i ], [ %high, %entry ]
  %tobool.not.i.i9 = icmp eq i64 %retval.sroa.3.0.i, 0
  br i1 %tobool.not.i.i9, label %__floatuntidf.exit, label %if.end.i.i

if.end.i.i:                                       ; preds = %size.exit
  %0 = tail call i64 @llvm.ctlz.i64(i64 %retval.sroa.3.0.i, i1 true), !range !5
  %tobool3.not.i.i = icmp eq i64 %0, 0
  %or.i.i = tail call i64 @llvm.fshl.i64(i64 %retval.sroa.3.0.i, i64 %retval.sroa.0.0.i, i64 %0)
  %cond.i.i = select i1 %tobool3.not.i.i, i64 %retval.sroa.3.0.i, i64 %or.i.i
  %cond17.i.i = shl i64 %retval.sroa.0.0.i, %0
  %cmp.i.i = icmp ne i64 %cond17.i.i, 0
  %conv18.i.i = zext i1 %cmp.i.i to i64
  %or19.i.i = or i64 %cond.i.i, %conv18.i.i
  %1 = shl nuw nsw i64 %0, 52
  %2 = sub nuw nsw i64 4895412794951729152, %1
  %3 = bitcast i64 %2 to double
  br label %__floatuntidf.exit

__floatuntidf.exit:                               ; preds = %size.exit, %if.end.i.i
  %shift.0.i = phi double [ 1.000000e+00, %size.exit ], [ %3, %if.end.i.i ]
  %retval.0.i.i = phi i64 [ %retval.sroa.0.0.i, %size.exit ], [ %or19.i.i, %if.end.i.i ]
  %conv.i = uitofp i64 %retval.0.i.i to double
  %mul.i = fmul double %shift.0.i, %conv.i
  %fneg = fneg double %mul.i
  %cond = select i1 %cmp.i, double %fneg, double %mul.i
  ret double %cond
}

; Function Attrs: mustprogress nofree nosync nounwind willreturn memory(none) uwtable
define linkonce_odr float @__floattisf(i64 noundef %low, i64 noundef %high) local_unnamed_addr #3 {
entry:
  %cmp.i = icmp slt i64 %high, 0
  br i1 %cmp.i, label %cond.true.i, label %size.exit

cond.true.i:                                      ; preds = %entry
  %sub.i.i = sub i64 0, %low
  %not.i.i = xor i64 %high, -1
  %tobool.not.i.i = icmp eq i64 %low, 0
  %conv.i.i = zext i1 %tobool.not.i.i to i64
  %add.i.i = add i64 %conv.i.i, %not.i.i
  br label %size.exit

size.exit:                                        ; preds = %entry, %cond.true.i
  %retval.sroa.0.0.i = phi i64 [ %sub.i.i, %cond.true.i ], [ %low, %entry ]
  %retval.sroa.3.0.i = phi i64 [ %add.i.i, %cond.true.i ], [ %high, %entry ]
  %tobool.not.i.i9 = icmp eq i64 %retval.sroa.3.0.i, 0
  br i1 %tobool.not.i.i9, label %__floatuntisf.exit, label %if.end.i.i

if.end.i.i:                                       ; preds = %size.exit
  %0 = tail call i64 @llvm.ctlz.i64(i64 %retval.sroa.3.0.i, i1 true), !range !5
  %tobool3.not.i.i = icmp eq i64 %0, 0
  %or.i.i = tail call i64 @llvm.fshl.i64(i64 %retval.sroa.3.0.i, i64 %retval.sroa.0.0.i, i64 %0)
  %cond.i.i = select i1 %tobool3.not.i.i, i64 %retval.sroa.3.0.i, i64 %or.i.i
  %cond17.i.i = shl i64 %retval.sroa.0.0.i, %0
  %cmp.i.i = icmp ne i64 %cond17.i.i, 0
  %conv18.i.i = zext i1 %cmp.i.i to i64
  %or19.i.i = or i64 %cond.i.i, %conv18.i.i
  %1 = shl nuw nsw i64 %0, 52
  %2 = sub nuw nsw i64 4895412794951729152, %1
  %3 = bitcast i64 %2 to double
  %4 = fptrunc double %3 to float
  br label %__floatuntisf.exit

__floatuntisf.exit:                               ; preds = %size.exit, %if.end.i.i
  %shift.0.i = phi float [ 1.000000e+00, %size.exit ], [ %4, %if.end.i.i ]
  %retval.0.i.i = phi i64 [ %retval.sroa.0.0.i, %size.exit ], [ %or19.i.i, %if.end.i.i ]
  %conv.i = uitofp i64 %retval.0.i.i to float
  %mul.i = fmul float %shift.0.i, %conv.i
  %fneg = fneg float %mul.i
  %cond = select i1 %cmp.i, float %fneg, float %mul.i
  ret float %cond
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define linkonce_odr { i64, i64 } @__fixunsdfti(double noundef %x) local_unnamed_addr #4 {
entry:
  %cmp = fcmp ogt double %x, 0.000000e+00
  br i1 %cmp, label %if.end, label %return

if.end:                                           ; preds = %entry
  %cmp1 = fcmp ult double %x, 0x47F0000000000000
  br i1 %cmp1, label %if.end4, label %return

if.end4:                                          ; preds = %if.end
  %mul = fmul double %x, 0x3BF0000000000000
  %conv = fptoui double %mul to i64
  %conv5 = uitofp i64 %conv to double
  %mul6 = fmul double %conv5, 0x43F0000000000000
  %sub = fsub double %x, %mul6
  %conv7 = fptoui double %sub to i64
  %.fca.0.insert.i = insertvalue { i64, i64 } poison, i64 %conv7, 0
  %.fca.1.insert.i = insertvalue { i64, i64 } %.fca.0.insert.i, i64 %conv, 1
  br label %return

return:                                           ; preds = %if.end, %entry, %if.end4
  %call3.pn = phi { i64, i64 } [ %.fca.1.insert.i, %if.end4 ], [ zeroinitializer, %entry ], [ { i64 -1, i64 -1 }, %if.end ]
  ret { i64, i64 } %call3.pn
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define linkonce_odr { i64, i64 } @__fixdfti(double noundef %x) local_unnamed_addr #4 {
entry:
  %cmp = fcmp ult double %x, 0x47E0000000000000
  br i1 %cmp, label %if.end, label %return

if.end:                                           ; preds = %entry
  %cmp1 = fcmp ugt double %x, 0xC7E0000000000000
  br i1 %cmp1, label %if.end4, label %return

if.end4:                                          ; preds = %if.end
  %cmp5 = fcmp olt double %x, 0.000000e+00
  %fneg = fneg double %x
  %cond = select i1 %cmp5, double %fneg, double %x
  %cmp.i = fcmp ogt double %cond, 0.000000e+00
  br i1 %cmp.i, label %if.end.i, label %__fixunsdfti.exit

if.end.i:                                         ; preds = %if.end4
  %cmp1.i = fcmp ult double %cond, 0x47F0000000000000
  br i1 %cmp1.i, label %if.end4.i, label %__fixunsdfti.exit

if.end4.i:                                        ; preds = %if.end.i
  %mul.i = fmul double %cond, 0x3BF0000000000000
  %conv.i = fptoui double %mul.i to i64
  %conv5.i = uitofp i64 %conv.i to double
  %mul6.i = fmul double %conv5.i, 0x43F0000000000000
  %sub.i = fsub double %cond, %mul6.i
  %conv7.i = fptoui double %sub.i to i64
  %.fca.0.insert.i.i = insertvalue { i64, i64 } poison, i64 %conv7.i, 0
  %.fca.1.insert.i.i = insertvalue { i64, i64 } %.fca.0.insert.i.i, i64 %conv.i, 1
  br label %__fixunsdfti.exit

__fixunsdfti.exit:                                ; preds = %if.end4, %if.end.i, %if.end4.i
  %call3.pn.i = phi { i64, i64 } [ %.fca.1.insert.i.i, %if.end4.i ], [ zeroinitializer, %if.end4 ], [ { i64 -1, i64 -1 }, %if.end.i ]
  %0 = extractvalue { i64, i64 } %call3.pn.i, 0
  %1 = extractvalue { i64, i64 } %call3.pn.i, 1
  br i1 %cmp5, label %cond.true8, label %return

cond.true8:                                       ; preds = %__fixunsdfti.exit
  %sub.i17 = sub i64 0, %0
  %not.i = xor i64 %1, -1
  %tobool.not.i = icmp eq i64 %0, 0
  %conv.i18 = zext i1 %tobool.not.i to i64
  %add.i = add i64 %conv.i18, %not.i
  br label %return

return:                                           ; preds = %if.end, %entry, %cond.true8, %__fixunsdfti.exit
  %retval.sroa.0.1 = phi i64 [ %sub.i17, %cond.true8 ], [ %0, %__fixunsdfti.exit ], [ -1, %entry ], [ 0, %if.end ]
  %retval.sroa.5.1 = phi i64 [ %add.i, %cond.true8 ], [ %1, %__fixunsdfti.exit ], [ 9223372036854775807, %entry ], [ -9223372036854775808, %if.end ]
  %.fca.0.insert = insertvalue { i64, i64 } poison, i64 %retval.sroa.0.1, 0
  %.fca.1.insert = insertvalue { i64, i64 } %.fca.0.insert, i64 %retval.sroa.5.1, 1
  ret { i64, i64 } %.fca.1.insert
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.ctlz.i64(i64, i1 immarg) #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.fshl.i64(i64, i64, i64) #6

attributes #0 = { nofree nosync nounwind memory(none) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nofree nosync nounwind memory(argmem: write) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nofree nosync nounwind willreturn memory(none) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable "min-legal-vector-width"="0" "no-builtins" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { nounwind }
attributes #8 = { nobuiltin "no-builtins" }

!llvm.module.flags = !{!0, !1, !2, !3}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!5 = !{i64 0, i64 65}
!6 = distinct !{!6, !7, !8}
!7 = !{!"llvm.loop.mustprogress"}
!8 = !{!"llvm.loop.unroll.disable"}
!9 = distinct !{!9, !7, !8}
!10 = distinct !{!10, !7, !8}
!11 = !{i64 0, i64 8, !12}
!12 = !{!13, !13, i64 0}
!13 = !{!"long", !14, i64 0}
!14 = !{!"omnipotent char", !15, i64 0}
!15 = !{!"Simple C/C++ TBAA"}
