"""What follows from the links between arguments: pure functions over the model's values."""
