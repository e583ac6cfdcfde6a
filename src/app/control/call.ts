import { ResponseError } from '../../catalogue/error-classes.ts'
import { isObject } from '../../json/values.ts'

export type Send = (path: string, init: RequestInit) => Promise<Response>

/** Sends JSON, and resolves with the JSON of the response. Rejects with a `ResponseError` if that is a refusal. */
export type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>

export function callBy(send: Send): Call {
  return async (method, path, body) => {
    const headers = { Accept: 'application/json', 'Content-Type': 'application/json' }
    const response = await send(path, { method, headers, body: JSON.stringify(body) ?? null })
    const text = await response.text()
    if (response.ok) return JSON.parse(text)
    throw failureOf(response, text, `${method} ${path}`)
  }
}

function failureOf({ status, headers }: Response, text: string, request: string): ResponseError {
  const isJson = headers.get('content-type')?.includes('json') === true
  const body: unknown = isJson ? JSON.parse(text) : undefined
  const { message, code, errors } = isObject(body) ? body : {}
  return new ResponseError(status, typeof code === 'string' ? code : String(status), {
    message: typeof message === 'string' ? message : `${request}: the response has the status ${status}`,
    ...(isObject(errors) && { errors }),
  })
}
