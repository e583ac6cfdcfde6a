import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { memoryOf } from '../../support/child/memory-of.ts'
import { attack } from '../../support/hostile/victim.ts'
import { dial } from '../../support/http/sockets.ts'

const DATA = { items: [{ id: 1, name: 'a' }] }
const IDLE = 2000

describe('clients that read or send nothing', () => {
  it(`${IDLE} silent connections keep nobody from being answered within a second`, {
    timeout: 60_000,
  }, async () => {
    const victim = await attack(DATA)
    const idle: Socket[] = []
    while (idle.length < IDLE) {
      idle.push(...(await Promise.all(Array.from({ length: 100 }, () => dial(victim.port)))))
    }
    for (let turn = 0; turn < 10; turn += 1) {
      const start = performance.now()
      expect((await victim.ask('GET', '/items')).status).toBe(200)
      expect(performance.now() - start).toBeLessThan(1000)
    }
    for (const socket of idle) socket.destroy()
    await victim.expectUnharmed()
    expect(await victim.stop('SIGTERM')).toBe(0)
  })

  it('a thousand listeners that read nothing slow nobody down', { timeout: 60_000 }, async () => {
    const victim = await attack({ items: [{ id: 1, text: 'x'.repeat(20_000) }] })
    const deaf = await Promise.all(Array.from({ length: 1000 }, () => dial(victim.port)))
    for (const socket of deaf) {
      socket.on('error', () => undefined).pause()
      socket.write('GET /__events HTTP/1.1\r\nHost: x\r\n\r\n')
    }
    const before = memoryOf(victim.process.child.pid)
    const waits: number[] = []
    for (let turn = 0; turn < 300; turn += 1) {
      const start = performance.now()
      expect((await victim.ask('GET', '/items')).status).toBe(200)
      waits.push(performance.now() - start)
    }
    expect(waits.toSorted((a, b) => a - b)[200]).toBeLessThan(200)
    expect(memoryOf(victim.process.child.pid) - before).toBeLessThan(300)
    for (const socket of deaf) socket.destroy()
    expect(await victim.stop('SIGTERM')).toBe(0)
  })

  it('clients that ask for much and read nothing cost little memory', { timeout: 60_000 }, async () => {
    const victim = await attack({ items: [{ id: 1, text: 'x'.repeat(1_000_000) }] })
    await victim.ask('GET', '/items')
    const before = memoryOf(victim.process.child.pid)
    const greedy = await Promise.all(Array.from({ length: 20 }, () => dial(victim.port)))
    for (const socket of greedy) {
      socket.on('error', () => undefined).pause()
      socket.write('GET /items HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200))
    }
    // 4 GB were requested; a few responses later, the server must have stopped rendering more.
    for (let turn = 0; turn < 20; turn += 1) expect((await victim.ask('GET', '/items')).status).toBe(200)
    expect(memoryOf(victim.process.child.pid) - before).toBeLessThan(300)
    for (const socket of greedy) socket.destroy()
    await victim.expectUnharmed()
  })
})
