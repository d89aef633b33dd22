"""Foreign and native files, in and out. One file per format; what cannot be taken is named, the rest goes on."""
