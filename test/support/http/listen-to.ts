import { onTestFinished } from 'vitest'

export interface Heard {
  readonly type: string
  readonly id: string | undefined
  readonly data: string | undefined
}

interface Listening {
  readonly headers?: Record<string, string>
  readonly types?: RegExp
}

/** Listens to the events of a server until the test ends. Returns what tells the next one of these types, each time. */
export async function listenTo(url: string, { headers = {}, types = /^change$/ }: Listening = {}) {
  const { body, status } = await fetch(`${url}/__events`, { headers })
  if (!body || status !== 200) throw new Error(`There is no stream: ${status}.`)
  const chunks = body.pipeThrough(new TextDecoderStream()).getReader()
  onTestFinished(() => chunks.cancel())
  let text = ''
  return async (): Promise<Heard> => {
    for (;;) {
      const [event, rest] = text.split(/\n\n(.*)/s)
      if (event !== undefined && rest !== undefined) {
        text = rest
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(event)?.[1]
        const type = field('event') ?? ''
        if (types.test(type)) return { type, id: field('id'), data: field('data') }
        continue
      }
      const { value, done } = await chunks.read()
      if (done) throw new Error('The stream ended.')
      text += value
    }
  }
}
