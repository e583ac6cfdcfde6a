import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type RunningServer, start } from '../../src/index.ts'
import { catchConsole } from '../support/console.ts'
import { type Installed, installClients } from '../support/package/install.ts'
import { pageAt } from '../support/page/pages.ts'

const schema = {
  type: 'object',
  required: ['email'],
  properties: {
    email: { type: 'string', format: 'email' },
    locations: { items: { properties: { zip: { type: 'string', minLength: 5 } } } },
  },
}

let server: RunningServer
beforeEach(async () => {
  const users = [{ id: 1, email: 'ada@example.com' }]
  server = await start({ data: { users }, resources: { users: { schema, unique: ['email'] } } })
})
afterEach(() => server.close())

/** As much of jsdom as is used here. */
interface DOMWindow {
  readonly document: {
    readonly body: { innerHTML: string }
    querySelector(selector: string): { readonly textContent: string; click(): void } | null
  }
}

/** What is sent, and what each field of the form then shows. */
const CASES: [object, Record<string, string>][] = [
  [
    { email: 'nobody', locations: [{ zip: '12345' }, { zip: '1' }] },
    { email: 'must be an email address', 'locations.1.zip': 'must have at least 5 characters' },
  ],
  [{ email: 'ada@example.com' }, { email: 'is already taken' }],
]

describe("react-admin's forms", () => {
  let client: Installed
  let window: DOMWindow
  beforeAll(async () => {
    client = await installClients('react')
    window = new (client.require('jsdom').JSDOM)('', { url: 'http://localhost/' }).window
    for (const name of [
      'document',
      'navigator',
      'localStorage',
      'HTMLElement',
      'HTMLIFrameElement',
      'Node',
      'Event',
      'window',
    ]) {
      // The globals stay: React may still have work to do.
      vi.stubGlobal(name, Reflect.get(window, name))
    }
  }, 240_000)

  const find = (selector: string) => window.document.querySelector(selector)

  it.each(CASES)('show at the field what is wrong with %j', async (record, shown) => {
    catchConsole('error')
    const React = client.require('react')
    const core = client.require('ra-core')
    const { createRoot } = client.require('react-dom/client')
    const dataProvider = client.require('ra-data-json-server')(server.url, core.fetchUtils.fetchJson)

    const Field = ({ source }: { source: string }) => {
      const { fieldState } = core.useInput({ source })
      return React.createElement(
        'p',
        { 'data-field': source },
        core.useTranslate()(fieldState.error?.message ?? ''),
      )
    }
    const element = React.createElement
    window.document.body.innerHTML = '<div></div>'
    const root = createRoot(find('div'))
    root.render(
      element(
        core.CoreAdminContext,
        { dataProvider, store: core.memoryStore() },
        element(
          core.CreateBase,
          { resource: 'users', record },
          element(
            core.Form,
            {},
            ...Object.keys(shown).map((source) => element(Field, { source, key: source })),
            element('button', { type: 'submit' }),
          ),
        ),
      ),
    )
    await vi.waitFor(() => expect(find('form')).not.toBeNull(), { timeout: 20_000 })
    find('button')?.click()
    const texts = () =>
      Object.fromEntries(
        Object.keys(shown).map((name) => [name, find(`[data-field="${name}"]`)?.textContent]),
      )
    await vi.waitFor(() => expect(texts()).toEqual(shown), { timeout: 20_000 })
    root.unmount()
  })
})

describe("refine's data provider, with the interceptor of the docs", () => {
  let client: Installed
  beforeAll(async () => {
    client = await installClients('axios')
  }, 240_000)

  /** The code as the page shows it. */
  const code = pageAt('docs/validation.md').parts.flatMap((part) =>
    part.kind === 'fence' && part.text.includes('interceptors') ? [part.text] : [],
  )

  it.each(CASES)('hands its forms what is wrong with %j', async (variables, errors) => {
    expect(code).toHaveLength(1)
    const text = `${code[0]?.replace('http://localhost:3000', server.url)}\nreturn provider`
    const make = new Function('axios', 'dataProvider', text)
    const provider = make(client.require('axios'), client.require('@refinedev/simple-rest').default)
    const statusCode = Object.values(errors).includes('is already taken') ? 409 : 422
    const message = expect.stringContaining('Nothing was changed')
    const refused = { message, statusCode, errors }
    await expect(provider.create({ resource: 'users', variables })).rejects.toEqual(refused)
    await expect(provider.getOne({ resource: 'users', id: 99 })).rejects.toMatchObject({ statusCode: 404 })
    expect(await provider.create({ resource: 'users', variables: { email: 'x@example.com' } })).toMatchObject(
      {
        data: { id: 2, email: 'x@example.com' },
      },
    )
  })
})
