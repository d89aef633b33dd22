"""Who decides: the judges, their prompt, their process and their runs. No Qt; llama_cpp only in judge_local/llama/."""
