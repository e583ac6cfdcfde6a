import yargs from 'yargs'
import { type Request, strictly } from '../command-line.ts'
import { SIZES, type WorkName, works } from './targets.ts'

export interface BenchOptions {
  readonly isQuick: boolean
  /** Sizes to measure at, ascending. */
  readonly rows: readonly number[]
  readonly only: readonly WorkName[]
  /** The folder for the result's files. */
  readonly out: string
  /** Everything, at every size and in full length: what the README shows. */
  readonly isWhole: boolean
}

/** Where there are targets, short of the size that takes minutes. Growth is seen between these two as well. */
const QUICK_SIZES: readonly number[] = [100, 10_000]
const NAMES = works.map(({ name }) => name)
const ROWS_MAX = 1_000_000
/** Where the result of a whole run goes, and that of any other, which must not take its place. */
const RESULTS = 'scripts/bench/results'
const PARTIAL = `${RESULTS}/partial`

/** Reads the command line of the measurement; throws an Error of one line for what cannot be followed. */
export async function parseOptions(argv: readonly string[]): Promise<Request<'bench', BenchOptions>> {
  const flags = yargs([...argv])
    .scriptName('npm run bench --')
    .usage('$0 [options]\n\nMeasures restable beside json-server 0.17.4 and a bare node:http server.')
    .option('quick', {
      boolean: true,
      default: false,
      describe: 'Under two minutes: short rounds, less data',
    })
    .option('rows', { string: true, describe: `Sizes to measure at, for example ${SIZES.join(',')}` })
    .option('only', { string: true, describe: `What to measure, of ${NAMES.join(',')}` })
    .option('out', {
      string: true,
      describe: `Folder for the result; else ${RESULTS}, which the README shows, or ${PARTIAL}`,
    })
    .parserConfiguration({ 'duplicate-arguments-array': false })
  const parser = strictly(flags, '--quick --rows --only --out --help')
  const args = await parser.parseAsync()
  if (args.help === true) return { kind: 'help', text: await parser.getHelp() }
  const isWhole = !args.quick && args.rows === undefined && args.only === undefined && args.out === undefined
  return {
    kind: 'bench',
    options: {
      isQuick: args.quick,
      rows: args.rows === undefined ? (args.quick ? QUICK_SIZES : SIZES) : sizes(args.rows),
      only: args.only === undefined ? NAMES : words(args.only).map(workName),
      out: args.out ?? (isWhole ? RESULTS : PARTIAL),
      isWhole,
    },
  }
}

function sizes(text: string): readonly number[] {
  const numbers = words(text).map((word) => {
    const rows = /^\d+$/.test(word) ? Number(word) : 0
    if (rows >= 10 && rows <= ROWS_MAX) return rows
    throw new Error(`--rows ${word} is no size. Possible: whole numbers from 10 to ${ROWS_MAX}`)
  })
  return [...new Set(numbers)].sort((a, b) => a - b)
}

function workName(word: string): WorkName {
  const name = NAMES.find((known) => known === word)
  if (name !== undefined) return name
  throw new Error(`--only ${word} is not measured. Possible: ${NAMES.join(' ')}`)
}

function words(text: string): readonly string[] {
  return text.split(',').map((word) => word.trim())
}
