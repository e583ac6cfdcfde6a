import json5Parser from 'json5'
import { attempt } from '../../core/kernel/util/attempt.ts'
import { type Codec, FormatFault, withoutMark } from './codec.ts'
import { jsonc } from './jsonc.ts'

const BEYOND = 'it has what only JSON5 has, such as names without quotes'

/** Saved only if it needs no more than JSONC: nothing writes JSON5 back as it was. */
export const json5: Codec = {
  read: (text) => attempt(() => jsonc.read(text)) ?? { value: parse(withoutMark(text)), unsaved: BEYOND },
  write: (value, before, ids) => jsonc.write(value, before, ids),
}

function parse(text: string): unknown {
  try {
    return json5Parser.parse(text)
  } catch (cause) {
    const { lineNumber, columnNumber, message }: Record<string, unknown> = Object(cause)
    const what = String(message)
      .replace(/^JSON5: /, '')
      .replace(/ at \d+:\d+$/, '')
    throw new FormatFault(
      `not valid JSON5: ${what} at line ${lineNumber}, column ${columnNumber}. Correct it there.`,
    )
  }
}
