type Fetch = (path: string, init: RequestInit) => Promise<Response>

/** Sends requests with JSON bodies to a server. The answer's body is parsed if it is JSON. */
export function asking(to: string | Fetch) {
  const send: Fetch = typeof to === 'string' ? (path, init) => fetch(to + path, init) : to
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await send(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
  }
}
