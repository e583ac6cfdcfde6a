const UTF_8 = new TextDecoder()

/** The text of a body in the charset that its type names; undefined where that is not a Unicode charset. */
export function decodeBody(bytes: Uint8Array, contentType = ''): string | undefined {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  if (/^utf-8$/i.test(charset)) return UTF_8.decode(bytes)
  try {
    return /^utf-/i.test(charset) ? new TextDecoder(charset).decode(bytes) : undefined
  } catch {
    // Not a charset that Node knows.
    return undefined
  }
}
