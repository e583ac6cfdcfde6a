import { AsyncLocalStorage } from 'node:async_hooks'

const running = new AsyncLocalStorage<string>()

/** Runs a function of the user's: `runningLogic()` says so there, and in all that it leads to. */
export function runNamed<T>(name: string, act: () => T): T {
  return running.run(name, act)
}

/** The function of the user's that led here, such as `api.ts: POST /orders`. */
export function runningLogic(): string | undefined {
  return running.getStore()
}
