interface Options {
  method?: string
  body?: object
  etag?: string | null
}

/** What the API refused: a message, and one for each field that is wrong. */
export class Refusal extends Error {
  errors?: Record<string, string>
}

/** Sends a request to the API, and resolves with its data. */
export async function send<T>(path: string, { method, body, etag }: Options = {}) {
  const headers = new Headers({ 'Content-Type': 'application/json' })
  const token = sessionStorage.getItem('token')
  if (token) headers.set('Authorization', `Bearer ${token}`)
  if (etag) headers.set('If-Match', etag)
  const response = await fetch(`/api${path}`, { method, headers, body: body && JSON.stringify(body) })
  const data = await response.json()
  if (response.ok) return { data: data as T, etag: response.headers.get('ETag') }
  if (response.status === 401) sessionStorage.removeItem('token')
  throw Object.assign(new Refusal(data.message), { errors: data.errors })
}
