import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MOST_BYTES } from '../../../../src/storage/past/kept.ts'
import { Page, type Posting } from '../../../../src/storage/postgres/log/ledger.ts'

type Step =
  /** Bytes in sixteenths of what may be kept; undefined if everything is replaced. */
  | { readonly do: 'change'; readonly share: number | undefined }
  | { readonly do: 'undo' | 'redo'; readonly which: number | undefined }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 9 }).map((share): Step => ({ do: 'change', share })) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'change', share: undefined }) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom('undo' as const, 'redo' as const), fc.option(fc.nat(), { nil: undefined }))
      .map(([verb, which]): Step => ({ do: verb, which })),
  },
)

/** Where everything leads, from a page. */
function ways(page: Page, versions: readonly (number | undefined)[]): unknown {
  const way = (to: number | undefined, direction: 'undo' | 'redo') => {
    try {
      return page.wayTo(to, direction).map(({ version, bytes }) => [version, bytes])
    } catch (error) {
      return String(error)
    }
  }
  return versions.map((to) => [to, way(to, 'undo'), way(to, 'redo')])
}

/** A ledger with the table that it writes to. */
class Book {
  readonly rows = new Map<number, Posting>()
  page = new Page({ base: 100, bottom: 100 })

  add(bytes: number | undefined, move?: Parameters<Page['topAfter']>[1]): void {
    const version = this.page.version + 1
    const posting = { version, bytes, top: this.page.topAfter(version, move) }
    this.page.add(posting)
    this.rows.set(version, posting)
    for (const forgotten of this.page.takeForgotten()) expect(this.rows.delete(forgotten)).toBe(true)
  }

  /** As an instance finds it that starts now. */
  readAgain(): Page {
    const page = new Page(this.page.start)
    for (const posting of this.rows.values()) page.add(posting)
    expect(page.takeForgotten()).toEqual([])
    return page
  }
}

describe('which commits a ledger keeps', () => {
  it('is told by its table alone, however it came about', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
        const book = new Book()
        const versions: (number | undefined)[] = [undefined, 99, 100]
        for (const each of steps) {
          if (each.do === 'change') {
            book.add(each.share === undefined ? undefined : (each.share * MOST_BYTES) / 16)
          } else {
            try {
              const to = each.which === undefined ? undefined : versions[each.which % versions.length]
              const changes = book.page.wayTo(to, each.do)
              // The rows of several changes take no more than those of each.
              const bytes = changes.reduce((sum, change) => sum + change.bytes, 0)
              if (changes.length > 0) book.add(bytes, { direction: each.do, changes })
            } catch {
              // It does not lead there.
            }
          }
          versions.push(book.page.version)
          const again = book.readAgain()
          expect(again.version).toBe(book.page.version)
          expect(again.start).toEqual(book.page.start)
          expect(ways(again, versions)).toEqual(ways(book.page, versions))
          const kept = [...book.rows.values()].reduce((sum, { bytes = 0 }) => sum + bytes, 0)
          expect(kept).toBeLessThanOrEqual(2 * MOST_BYTES)
        }
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 150) },
    )
  })

  it('are the last 1,000, and as many older ones as can be undone or redone', () => {
    const book = new Book()
    for (let count = 0; count < 1003; count++) book.add(1)
    expect(book.rows.size).toBe(1000)
    expect(book.page.start).toEqual({ base: 103, bottom: 103 })
    for (let count = 0; count < 1000; count++) {
      book.add(1, { direction: 'undo', changes: book.page.wayTo(undefined, 'undo') })
    }
    expect(book.rows.size).toBe(2000)
    expect(book.readAgain().wayTo(1103, 'redo')).toHaveLength(1000)
    // Forgotten, since it can neither be told of nor redone anymore.
    book.add(1)
    expect(book.rows.size).toBe(1000)
    expect(book.page.start).toEqual({ base: 1104, bottom: 103 })
    expect(ways(book.readAgain(), [103, 1103])).toEqual(ways(book.page, [103, 1103]))
  })

  it('keeps the commit that ended the past for those who have not heard of it, until the log is full', () => {
    const book = new Book()
    book.add(1)
    book.add(undefined)
    expect([...book.rows.keys()]).toEqual([102])
    for (let count = 0; count < 1000; count++) book.add(1)
    expect(book.rows.has(102)).toBe(true)
    book.add(1)
    expect(book.rows.has(102)).toBe(false)
    expect(book.rows.size).toBe(1000)
  })
})
