import { AsyncLocalStorage } from 'node:async_hooks'
import { isRefusal } from '../../core/kernel/catalogue/error-classes.ts'

/** A run of the user's code, and all that it leads to. */
export interface Run {
  file: string
  /** Such as `POST /orders` or `posts.before.create`. */
  name: string
}

const running = new AsyncLocalStorage<Run>()

export function newRun(): Run {
  return { file: '', name: 'It' }
}

export function inRun<T>(run: Run, act: () => T): T {
  return running.run(run, act)
}

/** The function of the user's that led here, such as `api.ts: POST /orders`. */
export function runningLogic(): string | undefined {
  const run = running.getStore()
  return run && `${run.file}: ${run.name}`
}

/** For the log. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

type Act<T> = (event: T) => unknown

/** A function of the user's: its run has this name, and so have errors that say nothing of the file. */
export function named<T>(run: Run, act: Act<T>): Act<T> {
  return async (event) => {
    Object.assign(running.getStore() ?? {}, run)
    try {
      const result = await act(event)
      // As good as thrown.
      if (isRefusal(result)) throw result
      return result
    } catch (error) {
      throw withPlace(ownError(error, run), run)
    }
  }
}

/** Wraps a function given to `later` with the name of the one that runs. */
export function namedLater<T>(act: Act<T>): Act<T> {
  const { file, name } = running.getStore() ?? newRun()
  return named({ file, name: `later of ${name}` }, act)
}

/**
 * Only a refusal says what the client gets. Errors of other libraries have a status as well, and say what is none of
 * the client's business. What is no error at all has no file and line.
 */
function ownError(error: unknown, { file, name }: Run): Error {
  const shown = Object(error) === error ? `a ${typeof error}` : String(error)
  if (!(error instanceof Error)) return new Error(`${file}: ${name} threw ${shown}, which is not an Error.`)
  if (isRefusal(error) || !('status' in error || 'statusCode' in error)) return error
  return Object.assign(new Error(error.message, { cause: error }), { stack: error.stack })
}

function withPlace(error: Error, { file, name }: Run): Error {
  if (isRefusal(error)) return error
  const isThere = error.stack?.includes(`${file.split(/[/\\]/).at(-1)}:`)
  if (!isThere) error.stack = `${file}: ${name} failed: ${error.stack}`
  return error
}
