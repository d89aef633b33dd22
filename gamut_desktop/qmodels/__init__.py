"""Qt item models over plain values: ids in, roles out. No scoring, no SQL, no painting."""
