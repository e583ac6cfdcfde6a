import { onTestFinished, vi } from 'vitest'
import { TimeSlice } from '../../../src/core/kernel/util/pace.ts'

/** Long work pauses whenever it may, as if its time were always up: until the test ends. Returns how often it did. */
export function pauseOften(isDue: () => boolean = () => true, pause?: () => Promise<void>): () => number {
  const due = vi.spyOn(TimeSlice.prototype, 'isUsedUp', 'get').mockImplementation(isDue)
  const turns = vi.spyOn(TimeSlice.prototype, 'yieldToEventLoop')
  if (pause) turns.mockImplementation(pause)
  onTestFinished(() => {
    due.mockRestore()
    turns.mockRestore()
  })
  return () => turns.mock.calls.length
}
