"""What the pictures of a table say by themselves: fused, surely, wrongly, hardly."""
