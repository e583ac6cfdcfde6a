import { isObject } from '../../core/kernel/json/values.ts'
import { capitalize, rowName } from '../parts/format.ts'
import { type ApiResponse, isOk, send } from './send.ts'

export const HISTORY = '/__history'
export const UNDO = '/__undo'
export const REDO = '/__redo'
export const RESET = '/__reset'

/** A change in the server's history. */
export interface Entry {
  readonly version: number
  readonly at: string
  /** Null if no request made it. */
  readonly method: string | null
  readonly url: string | null
  readonly undone?: boolean
  readonly undoes?: readonly number[]
  readonly redoes?: readonly number[]
  readonly changes: readonly RowChange[]
}

export interface RowChange {
  readonly resource: string
  readonly id: unknown
  readonly op: 'create' | 'update' | 'delete'
  readonly before?: object
  readonly after?: object
}

export function entriesIn(response: ApiResponse | undefined): readonly Entry[] {
  if (!response || !isOk(response) || !Array.isArray(response.data)) return []
  return response.data.filter(isEntry)
}

function isEntry(value: unknown): value is Entry {
  return isObject(value) && typeof value.version === 'number' && Array.isArray(value.changes)
}

/** The change that an undo would take back; undefined if there is none, or no history. */
export async function newestChange(): Promise<Entry | undefined> {
  const response = await send('GET', `${HISTORY}?_limit=50`, { isRaw: true })
  return newestIn(entriesIn(response))
}

/** Undoes a change if it is the newest; undefined if it is not. */
export async function undoChange(version: unknown): Promise<ApiResponse | undefined> {
  return (await newestChange())?.version === version ? send('POST', UNDO) : undefined
}

export function newestIn(entries: readonly Entry[]): Entry | undefined {
  return entries.find(({ undone, undoes, redoes }) => !undone && !undoes && !redoes)
}

/** Whether an entry has this change of a row. The id may be that of the address, a string. */
export function isChange(
  { changes }: Entry,
  { resource, id, op }: Pick<RowChange, 'resource' | 'id' | 'op'>,
): boolean {
  return changes.some(
    (change) => change.op === op && change.resource === resource && String(change.id) === String(id),
  )
}

/** `Product 1 updated`, `12 products deleted` */
export function summaryOf({ changes }: Entry): string {
  const groups = new Map<string, RowChange[]>()
  for (const change of changes) {
    const key = `${change.resource} ${change.op}`
    groups.set(key, [...(groups.get(key) ?? []), change])
  }
  return [...groups.values()].map(describeGroup).join(', ')
}

function describeGroup([first, ...others]: readonly RowChange[]): string {
  if (!first) return ''
  if (others.length === 0) return describeRow(first)
  return `${others.length + 1} ${first.resource} ${PARTICIPLES[first.op]}`
}

export function describeRow({ resource, id, op, before, after }: RowChange): string {
  // A collection itself.
  if (!before && !after && op !== 'update') return `${resource} ${PARTICIPLES[op]}`
  return capitalize(`${rowName(resource, id === null ? '' : String(id))} ${PARTICIPLES[op]}`)
}

const PARTICIPLES = { create: 'created', update: 'updated', delete: 'deleted' } as const
