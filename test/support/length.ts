/** `npm run test:long` sets it; otherwise tests stay short enough for every change. */
const isLong = process.env.MODE === 'long'

/** Random numbers of every run begin here. `npm run test:long` makes one up, and prints it. */
export const SEED = Number(process.env.FUZZ_SEED ?? 0)

/** Picks by the time available. */
export function asLong<T>(short: T, long: T): T {
  return isLong ? long : short
}

/** How often fast-check tries. */
export function runs(short: number, long = 50 * short): { readonly numRuns: number } {
  return { numRuns: asLong(short, long) }
}
