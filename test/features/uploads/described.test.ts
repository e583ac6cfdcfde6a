import { expect, it } from 'vitest'
import { formOf, PNG, serveUploads } from './forms.ts'

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly requestBody: { readonly content: Readonly<Record<string, { readonly schema: object }>> }
}

it('is in the OpenAPI document: the form, its files and its errors', async () => {
  const { server, send } = await serveUploads()
  await send('POST', '/posts', formOf(['avatar', [PNG, 'a.png']], ['all[]', [PNG, 'b.png']]))
  const text = await (await fetch(`${server.url}/__openapi`)).text()
  const { paths } = JSON.parse(text) as Described
  for (const code of ['MALFORMED_FORM', 'FILE_TOO_LARGE', 'FILE_TYPE']) expect(text).toContain(`\`${code}\``)
  const bytes = { type: 'string', contentMediaType: 'application/octet-stream' }
  for (const [path, method] of [
    ['/posts', 'post'],
    ['/posts/{id}', 'put'],
    ['/posts/{id}', 'patch'],
  ] as const) {
    const operation = paths[path]?.[method]
    expect(operation?.requestBody.content['multipart/form-data']?.schema).toMatchObject({
      properties: { title: { type: 'string' }, avatar: bytes, all: { type: 'array', items: bytes } },
    })
  }
  expect(paths['/posts']?.patch?.requestBody.content['multipart/form-data']).toBeUndefined()
})

it('is not, where files are not taken', async () => {
  const { server } = await serveUploads({ uploads: false })
  const text = await (await fetch(`${server.url}/__openapi`)).text()
  expect(text).not.toMatch(/multipart\/form-data"|FILE_TYPE/)
})

it('makes rows like those with files from the same files', async () => {
  const { server, send, files } = await serveUploads()
  const avatar = async (name: string) =>
    send('POST', '/posts', formOf(['avatar', [name, name]], ['title', name]))
  const sent = [await avatar('a.txt'), await avatar('b.txt')].map(({ row }) => row.avatar)
  await send('POST', '/__grow', { posts: 20 })
  const rows = (await (await fetch(`${server.url}/posts`)).json()) as { avatar?: object }[]
  const made = rows.slice(3).flatMap((row) => row.avatar ?? [])
  expect(made.length).toBeGreaterThan(0)
  for (const one of made) expect(sent).toContainEqual(one)
  expect(files()).toHaveLength(2)
})
