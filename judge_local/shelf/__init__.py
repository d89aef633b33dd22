"""The shelf: the judges that a person has, and what is known of each."""
