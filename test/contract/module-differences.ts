import type { DifferenceId } from './differences.ts'

/** Differences that only show in a program that uses the module; `module.test.ts` does. */
export const moduleDifferences: readonly DifferenceId[] = ['render-copy', 'idle-write']
