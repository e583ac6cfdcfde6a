import { FormatFault, type Reading } from './codec.ts'
import { type CodecName, loadCodec } from './formats.ts'

export interface CodecJob {
  readonly format: CodecName
  /** To read, or to change. */
  readonly text: string
  /** What to put into the text, as JSON. Without it, the text is read. */
  readonly json?: string | undefined
  /** The field that tells rows apart. */
  readonly id?: string | undefined
}

export interface CodecResult extends Omit<Reading, 'value'> {
  /** What the text holds, as JSON; undefined if nothing. */
  readonly json?: string | undefined
  /** The changed text. */
  readonly text?: string | undefined
  readonly fault?: string | undefined
}

export async function runCodec({ format, text, json, id }: CodecJob): Promise<CodecResult> {
  const codec = await loadCodec(format)
  try {
    if (json !== undefined) return { text: codec.write(JSON.parse(json), text, id) }
    const { value, ...rest } = codec.read(text)
    return { ...rest, json: value === undefined ? undefined : JSON.stringify(value) }
  } catch (error) {
    if (error instanceof FormatFault) return { fault: error.message }
    throw error
  }
}
