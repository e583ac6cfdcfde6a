/**
 * Keys per object: copying an object takes a microsecond per key, and blocks everyone else meanwhile. Holds for bodies,
 * and for what a row becomes when fields are merged into it.
 */
export const MAX_KEYS = 50_000
