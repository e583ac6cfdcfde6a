import { Unstorable } from '../../core/engine/data/store.ts'
import { StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import { isWithin } from '../../core/kernel/json/limits.ts'
import { JobError, JobThread, makeThread } from '../../core/kernel/util/job-thread.ts'
import type { IdNames } from './align.ts'
import { type DecodedFile, FormatFault, MOST_LEVELS } from './codec.ts'
import { CODECS, type CodecName } from './formats.ts'

/** Characters that take a few milliseconds. */
const LONG = 10_000

/** Parsing takes a second per megabyte of YAML. */
const LIMIT_MS = 120_000

/** The thread is kept while idle: it knows the rows of YAML that it parsed, and the next change is quicker. */
const IDLE_MS = 600_000

/** Only bundled: Node cannot load TypeScript. */
const THREAD = './codec-thread.cjs'
const HAS_THREAD = !import.meta.url.endsWith('.ts')

let thread: JobThread<CodecJob, CodecResult> | undefined

/**
 * Reads or writes a text in another format: a long one in a thread, so that nobody waits.
 * @param name of its file, for messages
 */
export async function translate(job: CodecJob, name: string): Promise<CodecResult> {
  const isLong = job.text.length + (job.json?.length ?? 0) >= LONG
  const result = await (HAS_THREAD && isLong ? runInThread(job, name) : runCodec(job))
  if (result.fault === undefined) return result
  const message = `${name} is ${result.fault}`
  throw job.json === undefined ? new StorageError('INVALID_DATA', message) : new Unstorable(message)
}

async function runInThread(job: CodecJob, name: string): Promise<CodecResult> {
  thread ??= new JobThread({
    makeThread: () => makeThread(new URL(THREAD, import.meta.url)),
    most: 1000,
    limit: LIMIT_MS,
    idle: IDLE_MS,
  })
  return thread.run(job).catch((cause: unknown) => {
    if (!(cause instanceof JobError)) throw cause
    const code = job.json === undefined ? 'INVALID_DATA' : 'WRITE_FAILED'
    throw new StorageError(code, `${name} is too large to be handled in this format. Use JSON.`)
  })
}

export interface CodecJob {
  readonly format: CodecName
  /** To read, or to change. */
  readonly text: string
  /** The value to put into the text, as JSON. Without it, the text is read. */
  readonly json?: string | undefined
  /** The fields that tell rows apart. */
  readonly ids?: IdNames | undefined
}

interface CodecResult extends Omit<DecodedFile, 'value'> {
  /** The value of the text, as JSON; undefined if it is empty. */
  readonly json?: string | undefined
  /** The changed text. */
  readonly text?: string | undefined
  readonly fault?: string | undefined
}

const TOO_DEEP = `nested deeper than ${MOST_LEVELS} levels: make it flatter.`

export async function runCodec({ format, text, json, ids }: CodecJob): Promise<CodecResult> {
  const codec = await CODECS[format]()
  try {
    if (json !== undefined) {
      const written = codec.write(JSON.parse(json), text, ids)
      return { text: written, lineStyle: codec.lineStyle?.(written) }
    }
    const { value, ...rest } = codec.read(text)
    // Its levels are on the stack when it becomes JSON.
    if (!isWithin(value, MOST_LEVELS)) return { fault: TOO_DEEP }
    return { ...rest, json: value === undefined ? undefined : JSON.stringify(value) }
  } catch (error) {
    if (error instanceof FormatFault) return { fault: error.message }
    // Parsers call themselves for each level, and may have no stack left.
    if (error instanceof RangeError) return { fault: TOO_DEEP }
    throw error
  }
}
