import { blog } from '../fixtures.ts'
import { type ContractCase, type ContractStep, get, json, nestedPost, remove, story } from './table.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }

const clientIds = [
  '"seven7x"',
  '7',
  '1.5',
  '-1',
  '0',
  '""',
  'null',
  'false',
  'true',
  '"1x"',
  '"é"',
  '"a b"',
  '1e3',
]

const bodies = [
  '{}',
  '{"title":"t"}',
  '{"a":{"b":[1,{"c":null}]}}',
  '{"title":""}',
  '{"z":1,"a":2,"10":3,"2":4}',
  '{"__proto__":{"x":1},"a":1}',
  '{"constructor":"c","toString":1}',
  '{"a.b":1,"c d":2,"é":"日本"}',
  '{"n":1e400,"m":-0,"big":12345678901234567890}',
  '{"id":7,"id":8}',
  '{"quote":"\\"\\\\\\u0000\\u2028"}',
  '  {"a" : 1 }  ',
]

const places = [
  ['POST', '/posts'],
  ['PUT', '/posts/1'],
  ['PATCH', '/posts/1'],
  ['PUT', '/profile'],
  ['PATCH', '/profile'],
  ['POST', '/profile'],
] as const

/** What may be sent, in which form, to where. */
export const bodyCases: readonly ContractCase[] = [
  ...bodies.flatMap((body) => [
    ...places.map(([method, path]) =>
      story(`${method} ${path} ${body}`, blog, { method, path, headers: json, body }, get(path)),
    ),
    story(`POST /posts/1/comments ${body}`, blog, ...nestedPost('/posts/1/comments', body)),
  ]),
  ...clientIds.map((id) =>
    story(
      `POST with id ${id}`,
      blog,
      { method: 'POST', path: '/posts', headers: json, body: `{"id":${id}}` },
      get('/posts'),
    ),
  ),
  story('DELETE with a body', blog, { ...remove('/notes/1'), headers: json, body: '{"a":1}' }, get('/notes')),
  story('a child whose parent is given twice', blog, ...nestedPost('/posts/1/comments', '{"postId":2}')),
  story('a child of nobody', blog, ...nestedPost('/posts/99/comments', '{"body":"n"}', '/comments/3')),
  story(
    'a form',
    blog,
    { method: 'POST', path: '/posts', headers: form, body: 'title=a+b&views=1&tags=x&tags=y' },
    get('/posts'),
  ),
  story(
    'a form with brackets',
    blog,
    { method: 'POST', path: '/posts', headers: form, body: 'a[b]=1&c[]=2&d=%C3%A9' },
    get('/posts'),
  ),
  story('an empty form', blog, { method: 'POST', path: '/posts', headers: form, body: '' }, get('/posts')),
  story(
    'a form in PATCH',
    blog,
    { method: 'PATCH', path: '/posts/1', headers: form, body: 'title=new' },
    get('/posts'),
  ),
  story(
    'a form in PUT',
    blog,
    { method: 'PUT', path: '/profile', headers: form, body: 'name=new' },
    get('/profile'),
  ),
  story(
    'no body at all',
    blog,
    { method: 'POST', path: '/posts' },
    { method: 'PUT', path: '/posts/1' },
    { method: 'PATCH', path: '/posts/2' },
    get('/posts'),
  ),
  story(
    'an empty JSON body',
    blog,
    { method: 'POST', path: '/posts', headers: json, body: '' },
    get('/posts'),
  ),
  story(
    'JSON with a charset',
    blog,
    {
      method: 'POST',
      path: '/posts',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: '{"a":"é"}',
    },
    get('/posts'),
  ),
  story(
    'JSON in capitals',
    blog,
    { method: 'POST', path: '/posts', headers: { 'content-type': 'APPLICATION/JSON' }, body: '{"a":1}' },
    get('/posts'),
  ),
  ...(
    [
      ['POST', '/posts', 'application/xml', '<a/>'],
      ['PUT', '/posts/1', 'text/html', '<p>'],
      ['POST', '/posts', 'multipart/form-data; boundary=x', '--x--'],
      ['PATCH', '/profile', 'application/octet-stream', 'x'],
    ] as const
  ).map(
    ([method, path, type, body]): ContractCase => ({
      name: `${method} of a type that is not parsed: ${type}`,
      data: blog,
      steps: [
        {
          method,
          path,
          headers: { 'content-type': type },
          body,
          differs: { id: 'body-types', status: 415, code: 'INVALID_BODY' },
        },
      ],
      ...(method !== 'PATCH' && { state: { id: 'body-types', data: blog } }),
    }),
  ),
  story('PATCH in place of POST', blog, override('PATCH', '/posts/1', '{"title":"x"}'), get('/posts/1')),
  story('PUT in place of POST', blog, override('PUT', '/posts/1', '{"title":"x"}'), get('/posts/1')),
  story('DELETE in place of POST', blog, override('DELETE', '/notes/1', '{}'), get('/notes')),
  story('a method nobody knows in place of POST', blog, override('NOPE', '/posts', '{"a":1}'), get('/posts')),
  story('override only replaces POST', blog, {
    ...get('/posts'),
    headers: { 'x-http-method-override': 'DELETE' },
  }),
]

function override(method: string, path: string, body: string): ContractStep {
  return { method: 'POST', path, headers: { ...json, 'x-http-method-override': method }, body }
}
