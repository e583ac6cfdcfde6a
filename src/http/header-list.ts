/** The elements of a comma-separated header, trimmed. Commas inside quotes do not separate. */
export function elementsOf(text: string): readonly string[] {
  if (!text.includes('"')) return text.split(',').map(trimmed).filter(Boolean)
  return (text.match(ELEMENT) ?? []).map(trimmed).filter(Boolean)
}

/** `"a \"b\""` is `a "b"`; text without quotes is returned as it is. */
export function unquoted(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replace(/\\(.)/g, '$1') : text
}

/** Each alternative begins with a different character, so matching takes linear time. */
const ELEMENT = /(?:[^",]|"(?:[^"\\]|\\.|\\$)*(?:"|$))+/g

function trimmed(element: string): string {
  return element.trim()
}
