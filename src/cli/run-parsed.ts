import { FLAGS } from './flags.ts'
import { run } from './run.ts'

/** Defaults that json-server-auth's yargs fills in. Nobody asked for them, so config files may override them. */
const UNSAID: Readonly<Record<string, unknown>> = {
  port: 3000,
  host: 'localhost',
  snapshots: '.',
  id: 'id',
  foreignKeySuffix: 'Id',
  config: 'json-server.json',
}

/** Starts the server with arguments that another program's yargs has parsed, as json-server allowed. */
export async function runParsed(argv: Readonly<Record<string, unknown>>): Promise<void> {
  process.exitCode = await run(wordsOf(argv))
  // As in bin.ts: open handles of others must not keep the process alive.
  setTimeout(() => process.exit(), 500).unref()
}

function wordsOf(argv: Readonly<Record<string, unknown>>): string[] {
  const sources = Array.isArray(argv._) ? argv._.map(String) : []
  const flags = FLAGS.flatMap(({ name, isSwitch }) => {
    const value = argv[name]
    if (value === undefined || value === false || value === UNSAID[name]) return []
    if (isSwitch) return [`--${name}`]
    return [value].flat().map((one) => `--${name}=${one}`)
  })
  // The source first: a list flag consumes all following words.
  return [...sources, ...flags]
}
