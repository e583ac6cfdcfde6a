import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Request } from 'express'
import { TimeSlice } from '../../core/kernel/util/pace.ts'
import { decodeBody, parseJsonBody } from '../../core/layers/parts/parse-body.ts'
import { BodyError } from '../../core/layers/parts/read-body.ts'
import { RequestError } from '../../core/router/request-error.ts'
import { HEAD_BYTES, isTaken, typeOf } from './file-type.ts'
import type { FormPart } from './form-fields.ts'
import type { Received } from './kept-files.ts'
import type { PartHead } from './part-head.ts'
import { readParts, shown, throwAway, tooMuch } from './read-parts.ts'
import { cleanName, type FileValue, type StoredUrls } from './stored-url.ts'

export interface FormLimits {
  readonly maxBytes: number
  readonly maxFiles: number
  readonly types?: readonly string[] | undefined
}

const MOST_FIELDS = 1000
const MOST_IN_FIELD = 1024 * 1024
const FILES_IN_ALL = 5

interface FormOptions {
  readonly limits: FormLimits
  readonly urls: StoredUrls
  readonly received: Received
}

/** Reads a form, with its files. */
export async function takeForm(
  req: Request,
  { limits, urls, received }: FormOptions,
): Promise<readonly FormPart[]> {
  const { maxBytes, maxFiles, types } = limits
  const most = FILES_IN_ALL * maxBytes
  if (Number(req.headers['content-length']) > most) {
    throwAway(req)
    throw tooMuch(most)
  }
  const parts: FormPart[] = []
  const pace = new TimeSlice()
  let files = 0
  let fields = 0
  await readParts(req, {
    most,
    async onPart(head, bytes) {
      const { name } = head
      if (!isFile(head)) {
        fields += 1
        if (fields > MOST_FIELDS) throw tooMany(`${MOST_FIELDS} fields`, head)
        parts.push(await fieldOf(head, bytes))
        return
      }
      const first = await firstOf(bytes, HEAD_BYTES)
      if (first.bytes.length === 0 && (head.fileName ?? '') === '') {
        parts.push({ kind: 'nothing', name })
        return
      }
      files += 1
      if (files > maxFiles) throw tooMany(`${maxFiles} files`, head)
      const value = await storeFile(head, first)
      parts.push({ kind: 'file', name, value })
    },
  })
  return parts

  async function storeFile(head: PartHead, { bytes: first, rest }: First): Promise<FileValue> {
    const name = cleanName(head.fileName ?? '')
    const type = typeOf(first.subarray(0, HEAD_BYTES), name)
    if (!isTaken(type, types)) {
      const message = `The file in the part ${shown(head)} is ${type}. Only ${types?.join(', ')} is taken.`
      throw new RequestError('FILE_TYPE', message)
    }
    const file = await received.begin()
    const sha = createHash('sha256')
    let size = 0
    for await (const chunk of joined(first, rest)) {
      size += chunk.byteLength
      if (size > maxBytes) {
        const message = `The file in the part ${shown(head)} is larger than ${maxBytes} bytes.`
        throw new RequestError('FILE_TOO_LARGE', message)
      }
      sha.update(chunk)
      await file.write(chunk)
      // Of many uploads, one goes on in each turn: others do not wait for all their hashes.
      if (pace.isUsedUp) await pace.yieldToEventLoop()
    }
    const hash = sha.digest('hex').slice(0, 32)
    await file.finish(hash)
    return { url: urls.urlOf(hash, name), name, type, size }
  }
}

function isJson({ type, fileName }: PartHead): boolean {
  return type === 'application/json' && (fileName === undefined || fileName === 'blob')
}

function isFile(head: PartHead): boolean {
  if (isJson(head)) return false
  return head.fileName !== undefined || !/^(?:text\/.*)?$/.test(head.type)
}

async function fieldOf(head: PartHead, stream: Readable): Promise<FormPart> {
  const { bytes, rest } = await firstOf(stream, MOST_IN_FIELD + 1)
  if (bytes.length > MOST_IN_FIELD) throw tooMany('1 MB in a field', head)
  rest.destroy()
  const { name, contentType } = head
  const text = decodeBody(bytes, contentType)
  if (text === undefined) {
    throw new RequestError(
      'INVALID_BODY',
      `The charset of the part ${shown(head)} is not supported; send UTF-8.`,
    )
  }
  if (!isJson(head)) return { kind: 'text', name, value: text }
  try {
    return { kind: 'json', name, value: await parseJsonBody(text, true) }
  } catch (error) {
    if (!(error instanceof BodyError)) throw error
    throw new RequestError('INVALID_BODY', `The part ${shown(head)}: ${error.message}`)
  }
}

function tooMany(what: string, head: PartHead): RequestError {
  const message = `The form has more than ${what}, with the part ${shown(head)}; send less at a time.`
  return new RequestError('BODY_TOO_LARGE', message)
}

interface First {
  /** At least as many as wanted, or all. */
  readonly bytes: Buffer
  readonly rest: Readable
}

async function firstOf(stream: Readable, wanted: number): Promise<First> {
  const chunks: Buffer[] = []
  let size = 0
  const iterator = stream.iterator({ destroyOnReturn: false })
  for await (const chunk of iterator) {
    chunks.push(Buffer.from(chunk))
    size += chunk.length
    if (size >= wanted) break
  }
  return { bytes: Buffer.concat(chunks), rest: stream }
}

async function* joined(first: Uint8Array, rest: Readable): AsyncGenerator<Uint8Array, void> {
  if (first.byteLength > 0) yield first
  for await (const chunk of rest) yield chunk
}
