"""What the commands do, as functions that use several rooms and take paths wherever the commands do."""
