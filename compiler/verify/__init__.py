"""What is wrong with code: IR, its tensor operations, machine code of any kind."""
