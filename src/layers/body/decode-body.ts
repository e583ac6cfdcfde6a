const UTF_8 = new TextDecoder()

/** Decodes a body by the charset in its content type; undefined if that is not a Unicode charset. */
export function decodeBody(bytes: Uint8Array, contentType = ''): string | undefined {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  if (/^utf-8$/i.test(charset)) return UTF_8.decode(bytes)
  try {
    return /^utf-/i.test(charset) ? new TextDecoder(charset).decode(bytes) : undefined
  } catch {
    // Not a charset Node knows.
    return undefined
  }
}
