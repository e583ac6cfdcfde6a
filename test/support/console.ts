import { afterAll, onTestFinished, vi } from 'vitest'

type Name = 'error' | 'log' | 'warn'

/** What is written to the console and not shown, until the test ends. */
export function catchConsole(...names: readonly Name[]): unknown[] {
  return replace(names, onTestFinished)
}

/** Nothing is written to the console by the tests of a file. */
export function silenceConsole(...names: readonly Name[]): void {
  replace(names, afterAll)
}

function replace(names: readonly Name[], atEnd: (restore: () => void) => void): unknown[] {
  const written: unknown[] = []
  const spies = names.map((name) => vi.spyOn(console, name).mockImplementation((line) => written.push(line)))
  atEnd(() => {
    for (const spy of spies) spy.mockRestore()
  })
  return written
}
