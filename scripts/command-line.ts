import type { Argv } from 'yargs'

/** Standard output or standard error. */
export interface Screen {
  write(text: string): unknown
  readonly isTTY?: boolean
}

export interface Terminal {
  readonly out: Screen
  readonly err: Screen
  /** Stops the work. */
  readonly signal?: AbortSignal
}

/** What was requested: the work itself, or the text of `--help`. */
export type Request<Kind extends string, Options> =
  | { readonly kind: Kind; readonly options: Options }
  | { readonly kind: 'help'; readonly text: string }

/** Runs a script on the real terminal, until it is done or somebody presses Ctrl+C. */
export async function runScript(
  run: (argv: readonly string[], terminal: Terminal) => Promise<number>,
): Promise<void> {
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  process.once('SIGTERM', () => stop.abort())
  process.exitCode = await run(process.argv.slice(2), {
    out: process.stdout,
    err: process.stderr,
    signal: stop.signal,
  })
}

/** Runs the request and returns the exit code. Errors are one line; `stopped` is printed after Ctrl+C. */
export async function perform<Options>(
  request: Promise<Request<string, Options>>,
  terminal: Terminal,
  stopped: string,
  work: (options: Options) => Promise<number>,
): Promise<number> {
  try {
    const asked = await request
    if ('options' in asked) return await work(asked.options)
    terminal.out.write(`${asked.text}\n`)
    return 0
  } catch (error) {
    const isStopped = terminal.signal?.aborted === true
    terminal.err.write(`${isStopped ? stopped : messageOf(error)}\n`)
    return isStopped ? 130 : 1
  }
}

/** A strict parser with `--help` that throws one line with the possible values. */
export function strictly<Options>(parser: Argv<Options>, possible: string) {
  return parser
    .strict()
    .help(false)
    .version(false)
    .option('help', { alias: 'h', boolean: true, describe: 'Show this help' })
    .exitProcess(false)
    .fail((message, error) => {
      throw new Error(`${message ?? error.message}. Possible: ${possible}`)
    })
}

/** The message of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
