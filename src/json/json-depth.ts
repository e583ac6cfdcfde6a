const QUOTE = 0x22
const BACKSLASH = 0x5c
/** `{` or `[`, and `}` or `]`, once the bit that tells them apart is set. */
const BRACE_BIT = 0x20
const OPEN = 0x7b
const CLOSE = 0x7d

/** Counts brackets outside strings: no parsing, no recursion, and it stops at the first level too many. */
export function isDeeperThan(limit: number, text: string): boolean {
  if (text.length <= limit) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at)
    } else if ((code | BRACE_BIT) === OPEN) {
      depth += 1
      if (depth > limit) return true
    } else if ((code | BRACE_BIT) === CLOSE) {
      depth -= 1
    }
  }
  return false
}

/** The end of the string that starts here: its closing quote, or the end of the text. */
export function endOfString(text: string, start: number): number {
  const quote = text.indexOf('"', start + 1)
  if (quote === -1) return text.length
  if (text.charCodeAt(quote - 1) !== BACKSLASH) return quote
  // From the start of the string: otherwise there is no telling which backslash escapes and which is escaped.
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return Math.min(at, text.length)
}
