import type { Section } from './dataset.ts'

const CHUNK_CHARACTERS = 256 * 1024

/** A piece of the file, and the number of rows up to its end. */
export interface Chunk {
  readonly text: string
  readonly rowsDone: number
}

/** Exactly the bytes of `JSON.stringify(data, null, 2)`, as the server writes them, piece by piece. */
export function* serializeSections(sections: readonly Section[]): Generator<Chunk> {
  let text = '{'
  let rowsDone = 0
  for (const [index, section] of sections.entries()) {
    text += `${index === 0 ? '' : ','}\n  ${JSON.stringify(section.name)}: [`
    let isFirst = true
    for (const row of section.rows) {
      // A line break inside a string is escaped, so every real one belongs to the layout.
      text += `${isFirst ? '' : ','}\n    ${JSON.stringify(row, null, 2).replaceAll('\n', '\n    ')}`
      isFirst = false
      rowsDone++
      if (text.length >= CHUNK_CHARACTERS) {
        yield { text, rowsDone }
        text = ''
      }
    }
    text += isFirst ? ']' : '\n  ]'
  }
  yield { text: `${text}${sections.length === 0 ? '' : '\n'}}`, rowsDone }
}
