import { isRefusal } from '../catalogue/refusal.ts'

/** A run of a function of the user's. Which one is known once it is called. */
export interface Run {
  file: string
  /** Such as `POST /orders` or `posts.before.create`. */
  name: string
}

export function newRun(): Run {
  return { file: '', name: 'It' }
}

let starting: Run | undefined

/** @param act calls the function before it waits for anything */
export function startRun<T>(run: Run, act: () => T): T {
  starting = run
  try {
    return act()
  } finally {
    starting = undefined
  }
}

type Act<T> = (event: T) => unknown

/** A function of the user's: its run has this name, and so have errors that say nothing of the file. */
export function named<T>(run: Run, act: Act<T>): Act<T> {
  return async (event) => {
    Object.assign(starting ?? {}, run)
    try {
      const result = await act(event)
      // As good as thrown.
      if (isRefusal(result)) throw result
      return result
    } catch (error) {
      throw withPlace(error, run)
    }
  }
}

/** What a function gives to `later`. */
export function namedLater<T>({ file, name }: Run, act: Act<T>): Act<T> {
  return named({ file, name: `later of ${name}` }, act)
}

function withPlace(error: unknown, { file, name }: Run): unknown {
  if (!(error instanceof Error) || isRefusal(error)) return error
  const isThere = error.stack?.includes(`${file.split(/[/\\]/).at(-1)}:`)
  if (!isThere) error.stack = `${file}: ${name} failed: ${error.stack}`
  return error
}
