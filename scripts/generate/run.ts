import { perform, type Terminal } from '../command-line.ts'
import { dataset, type Section } from './dataset.ts'
import { parseOptions } from './options.ts'
import { progress } from './progress.ts'
import { serializeSections } from './serialize-sections.ts'
import { streamToFile } from './stream-to-file.ts'

/** The generator from command line to exit code. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const stopped = 'Stopped; the data file is unchanged'
  return await perform(parseOptions(argv), terminal, stopped, async (options) => {
    await streamToFile(options.out, watched(dataset(options), terminal))
    terminal.out.write(
      `Wrote ${options.companies} companies and ${options.products} products to ${options.out}` +
        ` (seed ${options.seed}, locale ${options.locale})\n`,
    )
    return 0
  })
}

/** The text of the file as it is written: updates the progress bar, and stops on Ctrl+C. */
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
