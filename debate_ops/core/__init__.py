"""What a debate is, apart from any folder: values, replies, settings, and the script's driver."""
