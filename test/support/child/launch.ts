import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { inTime } from '../../../src/core/kernel/util/in-time.ts'
import { PATIENCE_MS } from '../http/exchange.ts'

const bin = fileURLToPath(new URL('../../../dist/bundle/bin.cjs', import.meta.url))

export interface LaunchOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** What the process has as its input. */
  readonly stdin?: 'ignore' | 'pipe'
  /** The file that Node runs. @default the built program */
  readonly program?: string
  /** The Node that runs it. @default the one that runs the tests */
  readonly node?: string
}

/** The built program as a separate process. */
export interface Launched {
  readonly child: ChildProcess
  /** Everything it has printed so far. */
  stdout(): string
  stderr(): string
  /** Resolves with the match once it has printed this; rejects if it ends without. */
  printed(pattern: RegExp): Promise<RegExpMatchArray>
  /** The address of its banner. */
  url(): Promise<string>
  readonly ended: Promise<number | null>
}

const running = new Set<ChildProcess>()

/** Runs `restable` with these arguments. */
export function launch(
  args: readonly string[],
  { cwd, env = {}, stdin = 'ignore', program = bin, node = process.execPath }: LaunchOptions,
): Launched {
  const { PORT: _, ...inherited } = process.env
  const child = spawn(node, [program, ...args], {
    cwd,
    env: { ...inherited, ...env },
    stdio: [stdin, 'pipe', 'pipe'],
  })
  running.add(child)
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
      child.emit('output')
    })
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  ended.then(() => running.delete(child))
  const printed = (pattern: RegExp): Promise<RegExpMatchArray> => {
    const missing = () => new Error(`It never printed ${pattern}: ${JSON.stringify(output)}`)
    const match = new Promise<RegExpMatchArray>((resolve, reject) => {
      const look = (): void => {
        const match = `${output.stdout}\n${output.stderr}`.match(pattern)
        if (match) resolve(match)
      }
      child.on('output', look)
      child.once('close', () => reject(missing()))
      look()
    })
    return inTime(match, PATIENCE_MS, missing)
  }
  return {
    child,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    printed,
    url: async () => (await printed(/Home\n\s+(https?:\S+)/))[1] ?? '',
    ended,
  }
}

/** Ends every process that a failed test left behind. */
export function endLaunched(): void {
  for (const child of running) child.kill('SIGKILL')
}
