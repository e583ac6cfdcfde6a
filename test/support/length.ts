/** `npm run test:faults` asks for the long form; otherwise tests stay short enough for every change. */
const isLong = process.env.MODE === 'long'
/** What is run in memory, too, and takes ten times as long here: see vitest.config.ts. */
const isBrief = process.env.MODE === 'brief'

/** Picks by the time available. */
export function asLong<T>(short: T, long: T, brief = short): T {
  if (isLong) return long
  return isBrief ? brief : short
}
