/** `npm run test:faults` asks for the long form; otherwise tests stay short enough for every change. */
const isLong = process.env.MODE === 'long'

/** As much as there is time for. */
export function asLong<T>(short: T, long: T): T {
  return isLong ? long : short
}
