/**
 * A value as text, the way filters compare it: `String(value)`. A list or object that cannot say what it is
 * (nested too deeply, or with a field named `toString`) is the empty text rather than an error.
 */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return String(value)
  } catch {
    return ''
  }
}
