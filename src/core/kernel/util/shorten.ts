/** The start of a long text, for messages. */
export function shorten(text: string): string {
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text
}

const MOST = 40
