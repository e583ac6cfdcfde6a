import { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** The answer that a connection waits for, if any. Read where Node itself looks when a request goes wrong. */
export function currentResponse(socket: Duplex): ServerResponse | undefined {
  const response: unknown = Reflect.get(socket, '_httpMessage')
  return response instanceof ServerResponse ? response : undefined
}
