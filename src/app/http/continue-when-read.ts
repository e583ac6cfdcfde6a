import type { IncomingMessage, ServerResponse } from 'node:http'

/** Tells a client that asked first (`Expect: 100-continue`) to send its body once something starts to read it. */
export function continueWhenRead(req: IncomingMessage, res: ServerResponse): void {
  const read = req._read
  req._read = function continueAndRead(size) {
    req._read = read
    if (!res.headersSent) res.writeContinue()
    read.call(req, size)
  }
}
