"""The tests' own vision-language judge: what it is shown and asked, how it is trained, how it becomes GGUF files."""
