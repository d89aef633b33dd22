"""What is true: rubrics, checklists, scores, media and the project file. No Qt, no network, no llama_cpp."""
