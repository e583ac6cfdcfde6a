/** `npm run test:faults` asks for the long form; otherwise tests stay short enough for every change. */
const isLong = process.env.MODE === 'long'

/** Picks by the time available. */
export function asLong<T>(short: T, long: T): T {
  return isLong ? long : short
}
