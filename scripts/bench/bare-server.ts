import { createServer } from 'node:http'

const [, , origin = '', port = ''] = process.argv
const known = new Map<string, { head: string[]; body: string }>()

// The baseline: what Node itself can do. Finds the bytes and sends them. Headers in an array and a short string are the
// fastest: they go out in one write.
createServer((req, res) => {
  // What makes a URL new for restable changes nothing here.
  const url = (req.url ?? '').replace(/[?&]_=\d+$/, '')
  const answer = known.get(url)
  if (answer) res.writeHead(200, answer.head).end(answer.body)
  else void learn(url).then(({ head, body }) => res.writeHead(200, head).end(body))
}).listen(Number(port), 'localhost')

/** Copies restable's own response, header by header. The warm-up requests everything, so this is never timed. */
async function learn(url: string) {
  const response = await fetch(`${origin}${url}`, { headers: { 'accept-encoding': 'identity' } })
  // Node adds these three itself.
  const headers = [...response.headers].filter(([name]) => !/^(connection|date|keep-alive)$/.test(name))
  const answer = { head: headers.flat(), body: await response.text() }
  known.set(url, answer)
  return answer
}
