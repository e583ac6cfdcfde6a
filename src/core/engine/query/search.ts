import { compileFind, startOfText } from '../../kernel/catalogue/text.ts'
import { type FieldPath, somePath } from './path.ts'

/** As in json-server 0.17.4: a value at any depth contains the text, ignoring case; 0, false and '' do not count. */
export function compileSearch(search: string): (row: unknown) => boolean {
  // Converting numbers dominates the cost, and most searches cannot match one.
  const mayBeNumber = /^[-+.\deinfaty]*$/.test(search)
  const isIn = compileFind(search)

  function holds(value: unknown): boolean {
    if (typeof value === 'string') return isIn(value.toLowerCase())
    if (!value || (typeof value === 'number' && !mayBeNumber)) return false
    return isIn(String(value).toLowerCase())
  }
  return (row) => someValue(row, holds)
}

export function searchText(row: unknown, most: number): string | undefined {
  return linesOf(most, (isTooLong) => someValue(row, (value) => Boolean(value) && isTooLong(String(value))))
}

export function textsAt(row: unknown, path: FieldPath, most: number): string | undefined {
  return linesOf(most, (isTooLong) => somePath(row, path, (value) => isTooLong(startOfText(value, most))))
}

/** The texts that `visit` passes on, one per line; undefined if it ends early, since they are too long together. */
function linesOf(most: number, visit: (isTooLong: (text: string) => boolean) => boolean): string | undefined {
  const texts: string[] = []
  let size = 0
  const isLong = visit((text) => {
    texts.push(text)
    size += text.length + 1
    return size > most
  })
  return isLong ? undefined : texts.join('\n')
}

function someValue(row: unknown, passes: (value: unknown) => boolean): boolean {
  // Not recursive: data may be nested deeper than the call stack allows.
  const pending: unknown[] = [row]
  while (pending.length > 0) {
    const value = pending.pop()
    if (Array.isArray(value)) for (const item of value) pending.push(item)
    else if (typeof value !== 'object' || value === null) {
      if (passes(value)) return true
    } else {
      for (const key in value) {
        const field: unknown = (value as Record<string, unknown>)[key]
        if (typeof field === 'object') pending.push(field)
        else if (passes(field)) return true
      }
    }
  }
  return false
}
