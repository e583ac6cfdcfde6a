import { signal } from '@preact/signals'
import { isObject } from '../../core/kernel/json/values.ts'
import { parseJson } from '../parts/json.ts'
import { accounts, callerHeaders, recover } from './caller.ts'
import { isUnreachable, recordOutcome, recordOwn } from './outcomes.ts'
import { isAuthCode, requestSignIn } from './refusal.ts'
import { adoptSession } from './session.ts'

/** The response, or why there is none. */
export interface ApiResponse {
  readonly method: string
  readonly path: string
  /** Identifies this request in the request list. */
  readonly mark: string
  /** 0 when there was no response. */
  readonly status: number
  readonly statusText: string
  readonly ms: number
  /** In bytes. */
  readonly size: number
  readonly headers: readonly (readonly [string, string])[]
  readonly text: string
  /** The parsed body; undefined if it is not JSON. */
  readonly data: unknown
}

interface SendOptions {
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Returns a refusal instead of opening the sign-in dialog. */
  readonly isRaw?: boolean
  /** As any client would send it, in the shape that responses have. */
  readonly isShaped?: boolean
}

/** Whether responses have a shape: this page asks for rows as they are. */
export const hasShape = signal(false)

/** The header that marks this page's requests in the request list. */
export const MARK = 'x-restable-page'

/** Sends a request to the server of this page; refreshes an expired token, and opens the sign-in dialog on a refusal. */
export async function send(method: string, path: string, options: SendOptions = {}): Promise<ApiResponse> {
  let mayRecover = true
  for (;;) {
    const response = await sendOnce(method, path, options)
    const { code, message } = errorOf(response)
    isUnreachable.value = response.status === 0
    recordOutcome({ ...response, code, message })
    recordOwn(response)
    if (mayRecover && response.status === 401) {
      mayRecover = false
      if (await recover(message, post)) continue
    }
    if (options.isRaw || !isAuthCode(code) || isExplainedByRules(response)) return response
    if (!(await requestSignIn({ code, message, isRead: method === 'GET' }))) return response
  }
}

export function isOk({ status }: ApiResponse): boolean {
  return status >= 200 && status < 300
}

export function headerOf(response: ApiResponse, name: string): string | undefined {
  return response.headers.find(([key]) => key === name.toLowerCase())?.[1]
}

/** The error in the server's own words. */
export function errorOf({ status, statusText, data }: ApiResponse): { code: string; message: string } {
  const { code, message } = isObject(data) ? data : {}
  return {
    code: typeof code === 'string' ? code : String(status),
    message: typeof message === 'string' ? message : status === 404 ? 'Not found' : statusText,
  }
}

/** With access rules, a refusal is shown with its rule; only a write without a login opens the dialog. */
function isExplainedByRules({ method, status, data }: ApiResponse): boolean {
  const isOfKeys = /^API_KEY/.test(String(Object(data).code))
  return Boolean(accounts.value) && !isOfKeys && (status !== 401 || method === 'GET')
}

/** Without credentials. */
function post(path: string, body: object, headers: Readonly<Record<string, string>>): Promise<ApiResponse> {
  return sendOnce('POST', path, { body: JSON.stringify(body), headers }, {})
}

async function sendOnce(
  method: string,
  path: string,
  { body, headers, isShaped = false }: SendOptions,
  caller = callerHeaders(),
): Promise<ApiResponse> {
  const start = performance.now()
  // Random: other tabs send requests, too.
  const mark = Math.random().toString(36).slice(2)
  try {
    const response = await fetch(absolute(path), {
      method,
      headers: {
        [MARK]: mark,
        ...caller,
        ...headers,
        ...(hasShape.peek() &&
          !isShaped && { Prefer: [headers?.Prefer ?? [], 'shape=none'].flat().join(', ') }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      cache: 'no-store',
      ...(body !== undefined && { body }),
    })
    adoptSession({ ...caller, ...headers }, response)
    const bytes = await response.arrayBuffer()
    const text = new TextDecoder().decode(bytes)
    return {
      method,
      path,
      mark,
      status: response.status,
      statusText: response.statusText,
      ms: performance.now() - start,
      size: bytes.byteLength,
      headers: [...response.headers],
      text,
      data: parseJson(text).value,
    }
  } catch {
    return withoutResponse(method, path, mark, performance.now() - start)
  }
}

/** The page and the API may be served below a path. */
export function absolute(path: string): string {
  return new URL(`.${path}`, location.href.split('#', 1)[0]).href
}

function withoutResponse(method: string, path: string, mark: string, ms: number): ApiResponse {
  const statusText = 'The server did not respond. Is it still running?'
  return { method, path, mark, status: 0, statusText, ms, size: 0, headers: [], text: '', data: undefined }
}
