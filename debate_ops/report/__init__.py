"""What is made of a debate for readers: its page, transcript, outcome, memo and exports."""
