import { afterEach, expect, it } from 'vitest'
import { describeApi, type OpenedServer, open } from '../../../src/index.ts'

const data = (...plurals: readonly string[]) => ({
  notes: [{ id: 1, text: 'Hi', personId: 1 }],
  cards: [{ id: 1, noteId: 1 }],
  ...Object.fromEntries(plurals.map((name) => [name, [{ id: 1, name: `of ${name}` }]])),
})

let api: OpenedServer
afterEach(() => api.close())

async function get(path: string) {
  const response = await api.fetch(path)
  return { headers: response.headers, body: JSON.parse(await response.text()) }
}

it.each([
  [['persons'], 'persons'],
  [['people'], 'people'],
  [['people', 'persons'], 'people'],
  [['persons', 'people'], 'people'],
])('of %j, a person is one of %s', async (plurals, name) => {
  api = await open({ data: data(...plurals), live: false, strict: true })
  const person = { id: 1, name: `of ${name}` }
  for (const relation of ['_embed', '_expand'])
    expect((await get(`/notes/1?${relation}=person`)).body).toMatchObject({ person })
  expect((await get('/cards?_expand=note.person')).body).toMatchObject([{ note: { person } }])
  expect((await get(`/notes?_expand=person&person.name=of ${name}`)).body).toHaveLength(1)
  expect((await get(`/${name}?_embed=notes`)).body).toMatchObject([{ ...person, notes: [{ text: 'Hi' }] }])
  expect((await get(`/${name}/1/notes`)).body).toHaveLength(1)
})

it('whichever is there at the time of the request', async () => {
  api = await open({ data: data('persons'), live: false })
  const ask = async () => (await get('/notes/1?_expand=person')).body.person
  expect(await ask()).toEqual({ id: 1, name: 'of persons' })
  expect(await ask()).toEqual({ id: 1, name: 'of persons' })
  await api.fetch('/__resources', { method: 'POST', body: '{"people":[]}' })
  expect(await ask()).toBeUndefined()
  await api.fetch('/people', { method: 'POST', body: '{"name":"Ada"}' })
  expect(await ask()).toEqual({ id: 1, name: 'Ada' })
})

it('in the words of a shape, in types and on the page', async () => {
  api = await open({ data: data('persons'), live: false, shape: 'jsonapi' })
  const { body } = await get('/notes?include=person&fields[persons]=name')
  expect(body.included).toEqual([{ type: 'persons', id: '1', attributes: { name: 'of persons' } }])
  const attributes = { text: 'a' }
  const relationships = { person: { data: { type: 'persons', id: '1' } } }
  const sent = JSON.stringify({ data: { type: 'notes', attributes, relationships } })
  const type = { 'Content-Type': 'application/vnd.api+json' }
  const created = await api.fetch('/notes', { method: 'POST', body: sent, headers: type })
  expect(JSON.parse(await created.text()).data.attributes).toEqual({ text: 'a', personId: 1 })
  for (const plurals of [['persons'], ['people', 'persons'], ['persons', 'people']]) {
    const types = await (await describeApi({ data: data(...plurals) })).types()
    const [, type = ''] = /person\?: (\w+)/.exec(types) ?? []
    const name = plurals.length > 1 ? 'people' : 'persons'
    expect(types).toContain(`/** One of /${name} */\nexport interface ${type} {`)
    const other = await open({ data: data(...plurals), live: false })
    const { resources } = JSON.parse(await (await other.fetch('/__service')).text())
    const [notes] = resources.filter((one: { name: string }) => one.name === 'notes')
    expect(notes.relations[0]).toMatchObject({ resource: plurals.length > 1 ? 'people' : 'persons' })
    await other.close()
  }
})
