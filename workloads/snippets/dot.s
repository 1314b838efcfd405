// A step of a dot product: two elements come, and are added to a sum.
ldfd    f10 = [r14], 8
ldfd    f11 = [r15], 8 ;;
fma.d   f8 = f10, f11, f8 ;;
