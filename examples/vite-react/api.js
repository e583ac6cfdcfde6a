/** Sends a request to the API, and resolves with its data. */
export async function send(path, { body, etag, ...init } = {}) {
  const token = sessionStorage.getItem('token')
  const response = await fetch(`/api${path}`, {
    ...init,
    headers: {
      'Content-Type': 'application/json',
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(etag && { 'If-Match': etag }),
    },
    body: body && JSON.stringify(body),
  })
  const data = await response.json()
  if (response.ok) return { data, etag: response.headers.get('ETag') }
  if (response.status === 401) sessionStorage.removeItem('token')
  throw Object.assign(new Error(data.message), data)
}
