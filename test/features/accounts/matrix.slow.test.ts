import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Action, describeRule } from '../../../src/core/engine/rules/rights.ts'
import { folderOf } from '../../support/folder.ts'
import type { Answer } from '../../support/http/exchange.ts'
import { type Guarded, serveViewers, VIEWERS, type ViewerName } from '../../support/http/viewers.ts'
import {
  ADMIN,
  CREATES,
  DATA,
  DELETES,
  OF_ACCOUNTS,
  OF_OTHERS,
  OPEN_IN_SESSIONS,
  READS,
  type ReadWay,
  TOLD,
  UPDATES,
  type WriteWay,
} from './ways.ts'

type Rule = string | string[]
type Reach = 'all' | 'own' | 'none'

/** Who may, by rule: the matrix. */
const RULES: readonly [Rule, Record<ViewerName, Reach>][] = [
  ['anyone', { nobody: 'all', stranger: 'all', owner: 'all', admin: 'all' }],
  ['signed-in', { nobody: 'none', stranger: 'all', owner: 'all', admin: 'all' }],
  ['owner', { nobody: 'none', stranger: 'own', owner: 'own', admin: 'own' }],
  ['role:admin', { nobody: 'none', stranger: 'none', owner: 'none', admin: 'all' }],
  // Over two steps: to the case that a thing is about, and to its file, which has an owner.
  [['via:about', 'role:admin'], { nobody: 'none', stranger: 'own', owner: 'own', admin: 'all' }],
  ['nobody', { nobody: 'none', stranger: 'none', owner: 'none', admin: 'none' }],
]
const NAMES = Object.keys(VIEWERS) as ViewerName[]
const OPTIONS = { routes: { '/api/*': '/$1', '/mine': '/things?userId=1' } }

const folder = folderOf()

const isVia = (rule: Rule) => rule.includes('via:about')

const REFERENCES = {
  things: { references: { about: { resource: 'cases' } } },
  settings: { references: { about: { resource: 'cases' } } },
  cases: { references: { file: { resource: 'files' } } },
}

function serveRules(access: Record<string, Rule>, data: object = DATA): Promise<Guarded> {
  const open = { read: 'anyone', create: 'anyone', update: 'anyone', delete: 'anyone' }
  const ofParents = (rule: Rule) => {
    const actions = Object.keys(access).filter((action) => isVia(access[action] ?? ''))
    return { access: { ...open, ...Object.fromEntries(actions.map((action) => [action, rule])) } }
  }
  return serveViewers(
    {
      ...OPTIONS,
      middlewares: ['accounts'],
      accounts: { persona: true },
      data: structuredClone(data),
      snapshots: folder,
      resources: {
        users: { access: open },
        groups: { access: open },
        parts: { access: open },
        things: { ...REFERENCES.things, access: { ...open, ...access } },
        settings: { ...REFERENCES.settings, access: { ...open, ...access } },
        cases: { ...REFERENCES.cases, ...ofParents(['via:file', 'role:admin']) },
        files: ofParents(['owner', 'role:admin']),
      },
    },
    afterAll,
  )
}

/** The rows that may be read: those of the first user, or none. */
function rowsSeen(rule: Rule, reach: Reach, who: ViewerName): object {
  if (reach === 'all') return DATA
  const isOwn = who === 'owner' && reach === 'own'
  const own = <T>(rows: readonly T[]) => (isOwn ? rows.slice(0, 1) : [])
  const parents = isVia(rule) && { cases: own(DATA.cases), files: own(DATA.files) }
  const { settings, ...rest } = { ...DATA, things: own(DATA.things), ...parents }
  return { ...rest, ...(isOwn && { settings }) }
}

const plainServers = new Map<string, Promise<Guarded>>()

/** A server without rules that has these rows only. */
function servePlain(data: object): Promise<Guarded> {
  const key = JSON.stringify(data)
  const known =
    plainServers.get(key) ??
    serveViewers(
      {
        routes: OPTIONS.routes,
        data: structuredClone(data),
        snapshots: folder,
        middlewares: [],
        resources: REFERENCES,
      },
      afterAll,
    )
  plainServers.set(key, known)
  return known
}

const plainAnswers = new WeakMap<Guarded, Map<ReadWay, Promise<Answer>>>()

/** It says the same to everybody. */
function askOnce(plain: Guarded, way: ReadWay): Promise<Answer> {
  const answers = plainAnswers.get(plain) ?? new Map<ReadWay, Promise<Answer>>()
  plainAnswers.set(plain, answers)
  const known = answers.get(way) ?? plain.ask('nobody', 'GET', way.path, undefined, way.headers)
  answers.set(way, known)
  return known
}

/** Ways to read by what they lead to. */
const ADDRESSES = [...new Set(READS.map(({ of }) => of))].map((of) => ({
  of,
  ways: READS.filter((way) => way.of === of),
}))

describe.each(RULES)('where reading is for %s', (rule, reaches) => {
  let guarded: Guarded
  beforeAll(async () => {
    guarded = await serveRules({ read: rule })
  })

  describe.each(NAMES)('%s', (who) => {
    const reach = reaches[who]
    const isBlind = reach === 'none' || (reach === 'own' && who !== 'owner')
    let plain: Guarded
    beforeAll(async () => {
      plain = await servePlain(rowsSeen(rule, reach, who))
    })

    it.each(ADDRESSES)('finds by $of what may be read', async ({ ways }) => {
      for (const way of ways) {
        const { path, headers, isDirect } = way
        const answer = await guarded.ask(who, 'GET', path, undefined, headers)
        if (isBlind) expect(withoutRequest(answer, path), path).not.toContain('SECRET')
        if (isDirect && reach === 'none') checkRefusal(answer, path)
        else {
          const expected = await askOnce(plain, way)
          const hidden = reach === 'none' ? ['things', ...(isVia(rule) ? ['cases', 'files'] : [])] : []
          expect(shownBy(way, answer, isBlind, hidden), path).toEqual(shownBy(way, expected, isBlind, hidden))
        }
      }
    })

    /** Who is not logged in is told to; where nobody may read, nothing is said of whether that helps. */
    function checkRefusal({ status, body }: Answer, path: string): void {
      expect(status, path).toBe(who === 'nobody' ? 401 : 403)
      expect(JSON.parse(body)).toMatchObject({ code: status === 401 ? 'AUTH_REQUIRED' : 'AUTH_FORBIDDEN' })
      expect(body).toContain(`${describeRule([rule].flat(), 'read')} can read `)
    }

    it('is told how many there are in the head alone', async () => {
      const { status, headers } = await guarded.ask(who, 'HEAD', '/things')
      if (reach === 'none') return expect(status).toBe(who === 'nobody' ? 401 : 403)
      expect(headers['x-total-count']).toBe(reach === 'all' ? '3' : who === 'owner' ? '1' : '0')
    })
  })
})

/**
 * What an answer says of rows. Resources of which nothing may be read are left out of what shows all data; what describes
 * the API names them, with nothing in them.
 */
function shownBy(
  { of, path }: ReadWay,
  { status, headers, body }: Answer,
  isBlind: boolean,
  hidden: readonly string[],
) {
  const named = ['x-total-count', 'content-range', 'link', 'etag', 'content-type']
  const told = Object.fromEntries(
    named.map((name) => [name, headers[name]?.replace(/127.0.0.1:\d+/g, 'host')]),
  )
  const text = body.replace(/^\/\*\*\/ typeof show === 'function' && show\((.*)\);$/s, '$1')
  const parsed = /^[[{]/.test(text) ? JSON.parse(text) : text
  if (of === 'GET /db' || of === 'GET /stats') {
    return { status, body: Object.entries(parsed).filter(([name]) => !hidden.includes(name)) }
  }
  if (of === 'GET /__service') {
    const resources: { name: string; access?: unknown }[] = parsed.resources
    const told = resources.map(({ access: _, ...rest }) => rest)
    return { status, body: told.filter(({ name }) => !isBlind || name !== 'settings') }
  }
  if (of === 'GET /__schema') {
    const { settings: _, ...rest } = parsed.properties
    return { status, body: isBlind ? Object.keys(rest) : withoutOwner(text) }
  }
  if (of.startsWith('GET /__openapi')) return { status }
  if (of === 'GET /health-check' || (isBlind && path === '/__schema/settings')) return {}
  if (of.startsWith('GET /__schema')) return { status, body: withoutOwner(text) }
  if (path.includes('_explain')) {
    const { ms: _, plan, ...rest } = parsed
    return { status, body: { ...rest, matched: plan?.matched } }
  }
  return { status, ...told, ...(of.includes('/__') && { etag: undefined }), body: parsed }
}

/** That rows have an owner, settings say, and no row. */
/** Without what the layer adds: owners, and the roles of users. */
function withoutOwner(text: string): unknown {
  return JSON.parse(text, (key, value) => {
    if (key === 'role' && value?.enum) return { ...value, enum: undefined }
    if (key === 'required') return value.filter((name: string) => name !== 'userId')
    return key === 'userId' ? undefined : value
  })
}

/** What is in the answer, without what the client sent itself. */
function withoutRequest({ body }: Answer, path: string): string {
  const sent = decodeURIComponent(path)
  const words = [...sent.matchAll(/SECRET(?:-field|-f)?/g)].map(([word]) => word)
  return words.reduce((text, word) => text.replaceAll(word, ''), body)
}

const WRITES: readonly (readonly [action: string, readonly WriteWay[]])[] = [
  ['create', CREATES],
  ['update', UPDATES],
  ['delete', DELETES],
]

describe.each(RULES)('where writing is for %s', (rule, reaches) => {
  let guarded: Guarded
  const base = {
    ...DATA,
    groups: [...DATA.groups, { id: 3, name: 'third' }],
    // Row 1 goes with the third group.
    things: DATA.things.map((thing) => ({ ...thing })),
  }
  beforeAll(async () => {
    const cascading = { ...base, things: [...base.things, { id: 4, userId: 1, groupId: 3, about: 1 }] }
    guarded = await serveRules({ create: rule, update: rule, delete: rule }, cascading)
  })

  describe.each(NAMES)('%s', (who) => {
    it.each(WRITES)('may %s or not', async (action, ways) => {
      const before = await stateOf(guarded)
      for (const way of ways) {
        const { method, path, headers } = way
        const body = isVia(rule) ? withKey(way.body) : way.body
        const answer = await guarded.ask(who, method, path, body, headers)
        // A new row is its creator's own, whoever that is; what it is about may be another's.
        const isAnyones = reaches[who] === 'own' && action === 'create' && !isVia(rule)
        const reach = isAnyones ? 'all' : reaches[who]
        const name = `${method} ${path}`
        if (reach === 'all' || (reach === 'own' && who === 'owner')) {
          expect(answer.status, name).toBeLessThan(300)
          expect(await stateOf(guarded), name).not.toBe(before)
          await guarded.ask('admin', 'POST', '/__undo')
        } else checkRefusal(answer, (reach === 'none' && way.as) || action, name)
        expect(await stateOf(guarded), name).toBe(before)
      }
    })

    /** With `nobody`, logging in is of no use. */
    function checkRefusal({ status, body }: Answer, action: string, name: string): void {
      expect(status, name).toBe(who === 'nobody' && rule !== 'nobody' ? 401 : 403)
      const { code, message } = JSON.parse(body)
      expect(code).toBe(status === 401 ? 'AUTH_REQUIRED' : 'AUTH_FORBIDDEN')
      expect(message, name).toContain(`${describeRule([rule].flat(), action as Action)} can ${action} `)
    }
  })
})

/** Rows without it are about nothing, so nobody may write them. */
function withKey(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withKey)
  if (typeof body !== 'object' || body === null || 'op' in body) return body
  return 'things' in body ? { things: withKey(body.things) } : { ...body, about: 1 }
}

async function stateOf({ ask }: Guarded): Promise<string> {
  return (await ask('admin', 'GET', '/db')).body
}

/** Each with accounts: where resources say who may do what, and where none does. */
const SERVERS: readonly (readonly [string, () => Promise<Guarded>])[] = [
  ['with access', () => serveRules({})],
  [
    'without access',
    () =>
      serveViewers(
        {
          middlewares: ['accounts'],
          accounts: { persona: true },
          data: structuredClone(DATA),
          snapshots: folder,
        },
        afterAll,
      ),
  ],
]

describe.each(SERVERS)('what concerns everybody, %s', (_, open) => {
  let guarded: Guarded
  beforeAll(async () => {
    guarded = await open()
  })

  it.each(ADMIN)('is for admins: $method $path', async ({ method, path, body }) => {
    const statuses: Record<string, number> = {}
    for (const who of NAMES) {
      const answer = await guarded.ask(who, method, path, body)
      statuses[who] = answer.status
      if (who === 'nobody') expect(answer.body).toContain('AUTH_REQUIRED')
      if (who === 'owner') expect(answer.body).toContain('Only admins can ')
    }
    expect(statuses).toMatchObject({ nobody: 401, stranger: 403, owner: 403 })
    expect([401, 403, 405]).not.toContain(statuses.admin)
  })

  it.each(ADMIN.filter(({ of }) => !of.includes('__sessions')))(
    'is for admins in a session too, unless it changes only that copy: $method $path',
    async ({ of, method, path, body }) => {
      const { status } = await guarded.ask('nobody', method, path, body, { 'x-mock-session': 'a' })
      if (OPEN_IN_SESSIONS.test(of)) expect([200, 201, 404]).toContain(status)
      else expect(status).toBe(401)
    },
  )
})

describe('where there are no accounts', () => {
  it('what concerns everybody is for everybody', async () => {
    const { ask } = await serveViewers({ data: structuredClone(DATA), snapshots: folder })
    for (const { method, path, body } of ADMIN) {
      expect([401, 403]).not.toContain((await ask('nobody', method, path, body)).status)
    }
  })
})

describe('the API', () => {
  it('describes whom it refuses', async () => {
    const isSaid = async (access: Record<string, Rule>) => {
      const { ask } = await serveRules(access)
      const document = JSON.parse((await ask('admin', 'GET', '/__openapi')).body)
      return ({ of }: { readonly of: string }) => {
        const [method = '', path = ''] = of.split(' ')
        const { responses } = document.paths[path][method.toLowerCase()]
        const said = ['401', '403'].map((status) => {
          const { $ref, description } = Object(responses[status])
          return $ref ? document.components.responses[$ref.split('/').at(-1)].description : description
        })
        // The layer itself refuses tokens with the same statuses.
        return / can (?:read|create|update|delete|do this)/.test(said.join())
      }
    }
    const reads = READS.filter(({ isDirect }) => isDirect)
    const writes = [...CREATES, ...UPDATES, ...DELETES].filter(({ of }) => /things|settings/.test(of))
    const whereOwned = await isSaid({
      read: ['owner', 'role:admin'],
      update: 'owner',
      create: 'owner',
      delete: 'owner',
    })
    expect([...reads, ...writes, ...ADMIN].filter((way) => !whereOwned(way))).toEqual([])
    const whereOpen = await isSaid({})
    expect([...reads, ...writes].filter(whereOpen)).toEqual([])
  })
})

describe('the lists of ways', () => {
  interface Operation {
    readonly parameters?: readonly { readonly $ref?: string; readonly name?: string; readonly in?: string }[]
  }
  let paths: Record<string, Record<string, Operation>>
  let parameters: Record<string, { readonly name: string; readonly in: string }>

  beforeAll(async () => {
    const { ask } = await serveRules({})
    const document = JSON.parse((await ask('admin', 'GET', '/__openapi')).body)
    paths = document.paths
    parameters = document.components.parameters
  })

  it('have a row for every address that the server has', () => {
    const listed = new Set([...READS, ...CREATES, ...UPDATES, ...DELETES, ...ADMIN].map(({ of }) => of))
    const served = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((method) => method !== 'parameters')
        .map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(served.length).toBeGreaterThan(60)
    const isCovered = (of: string) =>
      listed.has(of) ||
      TOLD.includes(of) ||
      OF_OTHERS.test(of) ||
      OF_ACCOUNTS.test(of) ||
      /^\w+ \/(?:api|mine)\b/.test(of)
    expect(served.filter((of) => !isCovered(of))).toEqual([])
    expect([...listed].filter((of) => !served.includes(of))).toEqual([])
  })

  it.each(['/things', '/things/{id}'])('have a row for every parameter of GET %s', (path) => {
    const sent = READS.filter(({ of }) => of === `GET ${path}`)
      .map(({ path: asked }) => decodeURIComponent(asked))
      .join('\n')
    const taken = (paths[path]?.get?.parameters ?? []).map((each) => {
      const name = each.$ref?.split('/').at(-1)
      return name === undefined ? each : (parameters[name] ?? each)
    })
    const fields = ['id', 'name', 'revenue', 'kind', 'groupId', 'userId', 'rare', 'about']
    const words = taken
      .filter((each) => each.in === 'query')
      .map(({ name = '' }) => name)
      .filter((name) => !fields.some((field) => name === field || new RegExp(`^${field}[_:]`).test(name)))
    expect(words.length).toBeGreaterThan(5)
    expect(words.filter((word) => !sent.includes(`${word}=`))).toEqual([])
  })
})
