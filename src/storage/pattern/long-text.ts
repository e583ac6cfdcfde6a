/** What is longer is read piece by piece, so that others have their turn in between. */
export const LONG_TEXT = 1024

/** So many characters at a time: even where each takes longest, that is some milliseconds. */
export const PIECE = 16_384
