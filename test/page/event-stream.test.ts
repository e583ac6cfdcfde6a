import { expect, it } from 'vitest'
import { readEvents } from '../../src/page/client/event-stream.ts'

const TEXT = 'retry: 2000\n\n: alive\n\nevent: change\ndata: {"é":1}\n\ndata: a\ndata: b\n\n'
const EVENTS = [
  { type: 'change', data: '{"é":1}' },
  { type: 'message', data: 'a\nb' },
]

it.each([1, 2, 3, 7, 1000])('reads events from pieces of %i bytes', async (size) => {
  const bytes = new TextEncoder().encode(TEXT)
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
      controller.close()
    },
  })
  const events = []
  for await (const event of readEvents(body)) events.push(event)
  expect(events).toEqual(EVENTS)
})
