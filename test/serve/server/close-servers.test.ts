import { once } from 'node:events'
import { Agent, get as getPlainly } from 'node:http'
import { get } from 'node:https'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadCertificate } from '../../../src/features/https/certificate.ts'
import type { Certificate } from '../../../src/features/tls.ts'
import { listen } from '../../../src/serve/server/listen.ts'
import { TIME_OUTS } from '../../../src/serve/server/server.ts'
import { folderOf } from '../../support/folder.ts'
import { ask, dial, hello, slowApp } from '../../support/http/sockets.ts'

it('lets a request in flight finish, tells it that this was the last, and accepts no more', async () => {
  const { app, arrived, finish } = slowApp()
  const listener = await listen(app, { port: 0 })
  const agent = new Agent({ keepAlive: true })
  const answer = once(getPlainly({ port: listener.port, agent }), 'response')
  await arrived
  const closed = listener.close()
  await expect(ask({ port: listener.port })).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  finish()
  const [res] = await answer
  expect(await text(res)).toBe('late')
  expect(res.headers.connection).toBe('close')
  await closed
})

it('lets a response finish whose headers promised to keep the connection alive', async () => {
  const { app, arrived, finish } = slowApp('early ')
  const listener = await listen(app, { port: 0, timeOuts: { ...TIME_OUTS, keepAlive: 60_000 } })
  const agent = new Agent({ keepAlive: true })
  const answer = once(getPlainly({ port: listener.port, agent }), 'response')
  await arrived
  const [res] = await answer
  const closed = listener.close()
  finish()
  expect(await text(res)).toBe('early late')
  await closed
})

it('lets a request finish whose headers are still arriving', async () => {
  const listener = await listen(hello(), { port: 0 })
  const socket = await dial(listener.port)
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n')
  await ask({ port: listener.port })
  const closed = listener.close()
  socket.write('\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*Connection: close[\s\S]*hello$/)
  await closed
})

it('closes idle and silent connections immediately', async () => {
  const listener = await listen(hello(), {
    port: 0,
    grace: 60_000,
    timeOuts: { ...TIME_OUTS, keepAlive: 60_000 },
  })
  const idle = await dial(listener.port)
  idle.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(idle, 'data')
  const silent = await dial(listener.port)
  // Answered on a later connection, so the server knows the silent one by now.
  await ask({ port: listener.port })
  await listener.close()
  for (const socket of [idle, silent]) socket.destroy()
})

it('cuts off unfinished requests after the grace period, and may be called twice', async () => {
  const { app, arrived } = slowApp()
  const listener = await listen(app, { port: 0, grace: 30 })
  const req = getPlainly({ port: listener.port, agent: false })
  const failed = new Promise<NodeJS.ErrnoException>((resolve) => req.on('error', resolve))
  await arrived
  const closed = listener.close()
  expect(listener.close()).toBe(closed)
  await closed
  expect(await failed).toMatchObject({ code: 'ECONNRESET' })
})

describe('over HTTPS', () => {
  let directory: string
  let tls: Certificate

  beforeAll(async () => {
    directory = folderOf()
    tls = await loadCertificate(undefined, directory)
  })

  it('lets a request in flight finish, too', async () => {
    const { app, arrived, finish } = slowApp()
    const listener = await listen(app, { port: 0, tls })
    const answer = once(get({ port: listener.port, ca: tls.cert, agent: false }), 'response')
    await arrived
    const closed = listener.close()
    finish()
    const [res] = await answer
    expect([await text(res), res.headers.connection]).toEqual(['late', 'close'])
    await closed
  })

  it('closes a silent connection immediately, too', async () => {
    const listener = await listen(hello(), { port: 0, tls, grace: 60_000 })
    const silent = connect({ port: listener.port, host: '127.0.0.1', ca: tls.cert })
    await once(silent, 'secureConnect')
    const [res] = await once(get({ port: listener.port, ca: tls.cert, agent: false }), 'response')
    await text(res)
    await listener.close()
    silent.destroy()
  })
})
