import { StorageError } from '../../errors.ts'
import type { Direction } from '../change.ts'
import type { ChangeLog } from './change-log.ts'
import type { Entry } from './kept.ts'
import type { UndoStack } from './undo-stack.ts'

/**
 * The changes to undo or redo, in that order: one step, or all up to the state right after version `to`.
 * Throws where that does not lead there.
 */
export function wayTo<E extends Entry>(
  to: number | undefined,
  direction: Direction,
  stack: UndoStack<E>,
  log: ChangeLog<E>,
): readonly E[] {
  if (to === undefined) {
    const next = direction === 'undo' ? stack.newest : stack.nextToRedo
    if (next) return [next]
    throw nothingTo(direction, `There is nothing to ${direction}.`)
  }
  // An undo leads to a state that an earlier change left: it is named by that change.
  const state = log.find(to)?.top ?? to
  const [down, up] = [stack.downTo(state), stack.upTo(state)]
  const way = direction === 'undo' ? down : up
  if (way) return way
  if (down) throw nothingTo(direction, `Version ${to} is behind: undo leads there.`)
  if (up) throw nothingTo(direction, `Version ${to} is ahead: redo leads there.`)
  throw new StorageError('HISTORY_GONE', `There is no way to version ${to}: it is not kept, or never was.`)
}

function nothingTo(direction: Direction, message: string): StorageError {
  return new StorageError(direction === 'undo' ? 'NOTHING_TO_UNDO' : 'NOTHING_TO_REDO', message)
}
