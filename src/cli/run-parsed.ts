import { FLAGS } from './flags.ts'
import { run } from './run.ts'

/** What json-server-auth's yargs puts in where nothing was said: not a wish, so config files may still have theirs. */
const UNSAID: Readonly<Record<string, unknown>> = {
  port: 3000,
  host: 'localhost',
  snapshots: '.',
  id: 'id',
  foreignKeySuffix: 'Id',
  config: 'json-server.json',
}

/** Starts the server with a command line that another program's yargs has parsed, as json-server's own did. */
export async function runParsed(argv: Readonly<Record<string, unknown>>): Promise<void> {
  process.exitCode = await run(wordsOf(argv))
  // As in bin.ts: what others left open must not keep the process.
  setTimeout(() => process.exit(), 500).unref()
}

function wordsOf(argv: Readonly<Record<string, unknown>>): string[] {
  const sources = Array.isArray(argv._) ? argv._.map(String) : []
  const flags = FLAGS.flatMap(({ name, type }) => {
    const value = argv[name]
    if (value === undefined || value === false || value === UNSAID[name]) return []
    if (type === 'on-off') return [`--${name}`]
    return [value].flat().map((one) => `--${name}=${one}`)
  })
  // The source first: a list takes all words that follow it.
  return [...sources, ...flags]
}
