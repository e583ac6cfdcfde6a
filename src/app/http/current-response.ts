import { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** The response that a connection is waiting for, if any. Read from where Node itself looks when a request fails. */
export function currentResponse(socket: Duplex): ServerResponse | undefined {
  const response: unknown = Reflect.get(socket, '_httpMessage')
  return response instanceof ServerResponse ? response : undefined
}
