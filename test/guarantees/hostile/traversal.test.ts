import { readdir } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { launch } from '../../support/child/launch.ts'
import { folderOf } from '../../support/folder.ts'
import { attack, type Victim } from '../../support/hostile/victim.ts'
import { asLong } from '../../support/length.ts'

const DATA = { items: [{ id: 1 }] }
const SECRET = 'nobody may read this'
const RULES = { '/f/*': '/$1', '/s/:id': '/__snapshots__/:id' }

let victim: Victim

beforeAll(async () => {
  victim = await attack(DATA, {
    config: { snapshots: 'snapshots', static: 'public', routes: 'routes.json' },
    files: {
      'secret.txt': SECRET,
      'secret.json': { secret: [SECRET] },
      'routes.json': RULES,
      'public/open.txt': 'everybody may read this',
      'public/.hidden': SECRET,
      'public/sub/other.txt': 'and this',
    },
  })
})

const UP = ['..', '%2e%2e', '.%2e', '%2E%2e', '..%00', '%252e%252e', '%c0%ae%c0%ae', '..;', '...'] as const
const BETWEEN = ['/', '%2f', '\\', '%5c', '//', '/./'] as const
const START = ['/', '/open.txt/', '/sub/', '/__dashboard/', '/f/', '//', '/items/'] as const

describe('files', () => {
  it('that are public are served', async () => {
    expect((await victim.ask('GET', '/open.txt')).body).toBe('everybody may read this')
  })

  it.each(START)('outside are out of reach from %s, however the way is written', async (start) => {
    for (const up of UP) {
      for (const between of BETWEEN) {
        for (const levels of asLong([2], [1, 2, 5])) {
          const way = `${start}${`${up}${between}`.repeat(levels)}`
          for (const name of asLong(
            ['secret.txt'],
            ['secret.txt', 'package.json', 'etc/passwd', 'db.json'],
          )) {
            const { status, body } = await victim.ask('GET', `${way}${name}`)
            expect([400, 403, 404], `${way}${name}`).toContain(status)
            expect(body).not.toMatch(/nobody may|root:|"dependencies"|"items"/)
          }
        }
      }
    }
  })

  it.each([
    '/.hidden',
    '/%2ehidden',
    '/sub/../.hidden',
    '/open.txt%00.html',
    '/open.txt/',
    '/C:/secret.txt',
    '/file:///etc/passwd',
  ])('that are hidden or no files stay so: %s', async (path) => {
    const { status, body } = await victim.ask('GET', path)
    expect([400, 403, 404]).toContain(status)
    expect(body).not.toContain('may read this')
  })
})

it.each([
  '//evil.example/..',
  '//evil.example/%2e%2e',
  '/\\\\evil.example/..',
  '//evil.example/sub/..',
  '/sub',
])('a redirect leads nowhere else: %s', async (path) => {
  const { headers } = await victim.ask('GET', path)
  expect(headers.location ?? '/').toMatch(/^\/(?![/\\])/)
})

it.each(['GET', 'PUT', 'DELETE'])('%s finds no snapshot outside its folder', async (method) => {
  for (const id of [
    '..%2fsecret',
    '../secret',
    '..%5csecret',
    'db-1%00',
    'db-1%2f..%2f..%2fsecret',
    '.',
    '..',
    '%2e%2e',
    'secret',
    'db-1.json',
    '__proto__',
  ]) {
    for (const prefix of ['/__snapshots__/', '/s/']) {
      const { status, body } = await victim.ask(method, `${prefix}${id}`)
      // 301: a folder of the public files, whose address ends in a slash.
      expect([301, 400, 404]).toContain(status)
      expect(body).not.toContain(SECRET)
    }
  }
  expect(await readdir(victim.home)).toContain('secret.json')
  await victim.expectUnharmed()
})

it.each(['constructor', '../outside', ''])(
  'a middleware called %j is not a layer, and fails at startup with one line',
  async (name) => {
    const home = folderOf({ 'db.json': DATA, 'json-server.config.json': { middlewares: [name] } })
    const program = launch(['db.json', '--port', '0'], { cwd: home })
    expect(await program.ended).toBe(1)
    expect(program.stderr().trim().split('\n')).toHaveLength(1)
  },
)
