import yargs from 'yargs'
import { type Request, strictly } from '../command-line.ts'
import { postgresWorks, SIZES, type Work, works } from './works.ts'

/** One line to measure. */
export type Task = Readonly<{ work: Work; rows: number }>
type Flags = {
  postgres: boolean
  quick: boolean
  rows?: string | undefined
  only?: string | undefined
  out?: string | undefined
}

export type Plan = ReturnType<typeof planOf>

/** How long and how often to measure: `starts` is for works that need a new process each time. */
export type Pace = typeof FULL
const FULL = { rounds: 5, roundMs: 1200, postRounds: 9, starts: 25, pacedRounds: 3, pacedMs: 5000 }
/** Two sizes of everything, and a million rows to put in: shorter rounds. */
const POSTGRES: Pace = { ...FULL, roundMs: 600, postRounds: 5 }
const QUICK: Pace = { rounds: 3, roundMs: 200, postRounds: 2, starts: 3, pacedRounds: 1, pacedMs: 1500 }
/** Larger sizes take minutes. */
const QUICK_ROWS_MAX = 10_000
const ROWS_MAX = 1_000_000
/** Where the result of a full run goes, and that of any other, which must not overwrite it. */
const RESULTS = 'scripts/bench/results'
const PARTIAL = `${RESULTS}/partial`
const namesOf = (table: readonly Work[]) => [...new Set(table.map(({ name }) => name))]

/** Parses the command line of the benchmark; throws a one-line Error for invalid input. */
export async function parsePlan(argv: readonly string[]): Promise<Request<'bench', Plan>> {
  const flags = yargs([...argv])
    .scriptName('npm run bench --')
    .usage('$0 [options]\n\nCompares restable with json-server 0.17.4 and a bare node:http server.')
    .option('postgres', {
      boolean: true,
      default: false,
      describe: 'Compares data in a PostgreSQL of its own with data in a file instead',
    })
    .option('quick', { boolean: true, default: false, describe: 'Two minutes: short rounds, less data' })
    .option('rows', { string: true, describe: `Sizes to measure at, for example ${SIZES.join(',')}` })
    .option('only', { string: true, describe: `What to measure, of ${namesOf(works).join(',')}` })
    .option('out', { string: true, describe: `Folder for the result. Default: ${RESULTS} or ${PARTIAL}` })
    .parserConfiguration({ 'duplicate-arguments-array': false })
  const parser = strictly(flags, '--postgres --quick --rows --only --out --help')
  const { help, ...asked } = await parser.parseAsync()
  if (help === true) return { kind: 'help', text: await parser.getHelp() }
  return { kind: 'bench', options: planOf(argv, asked) }
}

function planOf(argv: readonly string[], { postgres, quick, rows, only, out }: Flags) {
  const table = postgres ? postgresWorks : works
  const sizes = rows?.split(',').map(sizeOf)
  const names = only?.split(',').map((word) => nameOf(word, namesOf(table))) ?? namesOf(table)
  const tasks = table
    .filter(({ name }) => names.includes(name))
    .flatMap((work): Task[] => (sizes ?? sizesOf(work, quick)).map((size) => ({ work, rows: size })))
  // Everything, at every size and in full length: what goes into scripts/bench/results.
  const isWhole = argv.length === 0 || (postgres && argv.length === 1)
  const command = argv.length === 0 ? 'npm run bench' : `npm run bench -- ${argv.join(' ')}`
  const pace = quick ? QUICK : postgres ? POSTGRES : FULL
  const home = postgres ? `${RESULTS}/postgres` : RESULTS
  const kind = postgres ? ('postgres' as const) : ('bench' as const)
  return { kind, command, tasks, pace, out: out ?? (isWhole ? home : PARTIAL), isWhole }
}

/** With `--quick`, only the smallest and the largest size, and none that takes minutes. */
function sizesOf({ sizes }: Work, isQuick: boolean): readonly number[] {
  if (!isQuick) return sizes
  const ends = [Math.min(...sizes), Math.max(...sizes)]
  return [...new Set(ends.map((rows) => Math.min(rows, QUICK_ROWS_MAX)))]
}

function sizeOf(word: string): number {
  const rows = /^\d+$/.test(word) ? Number(word) : 0
  if (rows >= 10 && rows <= ROWS_MAX) return rows
  throw new Error(`--rows ${word} is not a size. Possible: whole numbers from 10 to ${ROWS_MAX}`)
}

function nameOf(word: string, names: readonly string[]): string {
  if (names.includes(word)) return word
  throw new Error(`--only ${word} is not measured. Possible: ${names.join(' ')}`)
}
