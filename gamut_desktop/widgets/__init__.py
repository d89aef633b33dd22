"""The parts of the face: painters, delegates and plain widgets that are handed values and know no project."""
