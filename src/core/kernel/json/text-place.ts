/** Counted from 1. */
export interface TextPlace {
  readonly line: number
  readonly column: number
}

export function placeIn(text: string, at: number): TextPlace {
  const before = text.slice(0, at)
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') }
}

/** The place in words, such as "line 2, column 9". */
export function placeAt(text: string, at: number): string {
  const { line, column } = placeIn(text, at)
  return `line ${line}, column ${column}`
}
