"""What is kept on disk between processes: files that appear whole, compiled code with its seal."""
