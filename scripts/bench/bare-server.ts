import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/** An answer that is sent as it is, whoever asks. */
export interface CannedAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const [, , file = '', port = ''] = process.argv
const canned: Readonly<Record<string, CannedAnswer>> = JSON.parse(readFileSync(file, 'utf8'))
// The quickest that Node takes: a short text goes out in one piece with its headers.
const answers = new Map(
  Object.entries(canned).map(([url, { headers, body }]) => [
    url,
    { head: Object.entries(headers).flat(), body },
  ]),
)

// What Node itself can do: find the bytes, send them, nothing else.
createServer((req, res) => {
  const answer = answers.get(req.url ?? '')
  if (answer) res.writeHead(200, answer.head).end(answer.body)
  else res.writeHead(404).end()
}).listen(Number(port), 'localhost')
