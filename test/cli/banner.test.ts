import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { banner, type Shown } from '../../src/cli/banner.ts'
import { resolveConfig } from '../../src/features/settings.ts'

function shown(settings: object, more: Partial<Shown> = {}): Shown {
  return {
    url: 'http://localhost:3000',
    page: 'http://localhost:3000',
    config: resolveConfig({ source: 'db.json', ...settings }),
    resources: [],
    rules: {},
    handlers: [],
    count: () => undefined,
    ...more,
  }
}

describe('the sample data of this repository', () => {
  const LINE =
    '  Changes are saved to data/db.json; npm run generate -- --seed 2026 makes it as it was, byte for byte\n'

  it.each<[string, object, boolean]>([
    ['as npm start serves it', { source: 'data/db.json' }, true],
    ['by its whole path', { source: resolve('data/db.json') }, true],
    ['without saving', { source: 'data/db.json', persist: false }, false],
    ['read-only', { source: 'data/db.json', readOnly: true }, false],
    ['of another project', { source: 'other/data/db.json' }, false],
    ['beside other files', { source: ['data/db.json', 'users.json'] }, false],
    ['as the hosted variant', { source: 'data/db.json', hosted: 'public' }, false],
  ])('is said to be saved to %s: %#', (_, settings, isSaid) => {
    expect(banner(shown(settings), { version: '1.2.3' }).includes(LINE)).toBe(isSaid)
  })
})

describe('banner', () => {
  it('shows what is served and where', () => {
    const counts = new Map([
      ['products', 100],
      ['companies', 7],
    ])
    const server = shown(
      { middlewares: ['cors', './auth.js'], watch: true, snapshots: 'snaps' },
      {
        resources: ['products', 'companies', 'profile'],
        rules: { '/api/v1/*': '/$1', '/health': '/health-check' },
        handlers: ['POST /products/:id/sell'],
        count: (name) => counts.get(name),
        thumbprints: { sha1: 'AA:BB', sha256: 'CC:DD' },
      },
    )
    expect(banner(server, { version: '1.2.3', canType: true })).toBe(`
  restable 1.2.3 serves db.json

  Resources
  http://localhost:3000/products   100
  http://localhost:3000/companies  7
  http://localhost:3000/profile

  Handlers
  POST /products/:id/sell

  Other routes
  /api/v1/*  → /$1
  /health    → /health-check

  Layers, in order
  cors, ./auth.js

  Certificate
  SHA-1    AA:BB
  SHA-256  CC:DD

  Home
  http://localhost:3000

  Watching files for changes
  Type s + Enter to save a snapshot in snaps
  Press Ctrl+C to stop
`)
  })

  it('leaves out what is not there', () => {
    expect(banner(shown({}), { version: '1.2.3' })).toBe(`
  restable 1.2.3 serves db.json

  Home
  http://localhost:3000

  Press Ctrl+C to stop
`)
  })

  it.each([
    [{ hosted: 'private' }, 'serves the private hosted mock'],
    [{ source: undefined }, 'serves data in memory'],
    [{ readOnly: true }, 'Read-only: nothing can be changed'],
  ])('says of %j: %s', (settings, text) => {
    expect(banner(shown(settings), { version: '1.2.3' })).toContain(text)
  })

  it('shows a name that no URL can hold', () => {
    const text = banner(shown({}, { resources: ['half\ud83d'] }), { version: '1.2.3', canType: true })
    expect(text).toContain('http://localhost:3000/half%EF%BF%BD\n')
  })

  it('names no folder for snapshots that a database keeps', () => {
    const server = shown({ snapshots: 'snaps', source: 'postgres://localhost/x' })
    expect(banner(server, { version: '1.2.3', canType: true })).toContain('save a snapshot in the database\n')
  })

  it('offers the snapshot key only in a terminal', () => {
    expect(banner(shown({ snapshots: 'snaps' }), { version: '1.2.3' })).not.toContain('Enter')
  })

  it('marks headings with the style it is given', () => {
    const style = (format: string, text: string): string => `<${format}>${text}</${format}>`
    expect(banner(shown({}), { version: '1.2.3', style })).toContain('<bold>Home</bold>')
  })

  it('tells where the page is when the user has an index.html', () => {
    const text = banner(shown({}, { page: 'http://localhost:3000/__page' }), { version: '1.2.3' })
    expect(text).toContain(
      'Home\n  http://localhost:3000         your own index.html\n  http://localhost:3000/__page  data, requests and settings\n',
    )
  })
})
