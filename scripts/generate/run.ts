import { dataset, type Section } from './dataset.ts'
import { parseOptions } from './options.ts'
import { progress, type Screen } from './progress.ts'
import { serializeSections } from './serialize-sections.ts'
import { streamToFile } from './stream-to-file.ts'

export interface Terminal {
  readonly out: Screen
  readonly err: Screen
  /** Stops the work; the data file then keeps what it had. */
  readonly signal?: AbortSignal
}

/** The generator from command line to exit code. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const request = await parseOptions(argv)
    if (request.kind === 'help') {
      terminal.out.write(`${request.text}\n`)
      return 0
    }
    const { options } = request
    await streamToFile(options.out, watched(dataset(options), terminal))
    terminal.out.write(
      `Wrote ${options.companies} companies and ${options.products} products to ${options.out}` +
        ` (seed ${options.seed}, locale ${options.locale})\n`,
    )
    return 0
  } catch (error) {
    if (terminal.signal?.aborted) {
      terminal.err.write('Stopped; the data file is as it was\n')
      return 130
    }
    terminal.err.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}

/** The text of the file on its way there: shown on the progress bar, and ended when a person says so. */
function* watched(sections: readonly Section[], terminal: Terminal): Generator<string> {
  const total = sections.reduce((sum, section) => sum + section.count, 0)
  const shown = progress(total, terminal.err)
  try {
    for (const chunk of serializeSections(sections)) {
      terminal.signal?.throwIfAborted()
      yield chunk.text
      shown.update(chunk.rowsDone)
    }
  } finally {
    shown.end()
  }
}
