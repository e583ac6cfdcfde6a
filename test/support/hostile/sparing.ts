import type { RealServer } from '../child/real-server.ts'
import { othersWaitAtBest } from './others-wait.ts'

/**
 * As `othersWaitAtBest`, for many cases: a server that a case leaves as it was serves the next one too, since starting
 * one takes longer than most cases. A case that was too slow is tried again on a new one.
 */
export function sparing<Server extends RealServer>(start: () => Promise<Server>) {
  let spare: Server | undefined

  return async (isAsBefore: boolean, act: (server: Server) => Promise<unknown>): Promise<number> => {
    let server: Server | undefined
    const next = async () => {
      await server?.stop('SIGKILL')
      server = spare ?? (await start())
      spare = undefined
      return server
    }
    const wait = await othersWaitAtBest(next, act)
    if (isAsBefore) spare = server
    else await server?.stop('SIGKILL')
    return wait
  }
}
