"""Everything that touches llama.cpp, and the messages of the process it runs in. The one package that imports it."""
