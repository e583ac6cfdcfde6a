import { afterEach, expect } from 'vitest'
import type { Engine } from '../../../../src/core/engine/engine.ts'
import type { Listing, ReadResult } from '../../../../src/core/engine/question.ts'
import type { Data, ListQuery, Row } from '../../../../src/core/engine/types.ts'
import { ALL, DATA } from './data.ts'

/** An engine of some kind, and what lies under it. */
interface Opened {
  readonly engine: Engine
  /** What is kept for good, where that can be looked at: the text of a file, for one. */
  readonly kept?: () => string | Promise<string>
  /** Changes what is underneath, past the engine. */
  readonly edit?: (data: Data) => void | Promise<void>
  readonly close?: () => void | Promise<void>
  /** Called instead of closing the engine: another test goes on with it. */
  readonly end?: () => void
}

export interface EngineKind {
  /** Opens one that holds this data: its own copy of it. */
  open(data: Data): Opened | Promise<Opened>
}

/** A kind of engine, and what its tests do with the one they opened. */
export interface EngineUnderTest {
  readonly kind: EngineKind
  /** Opens one that holds a copy of this data, until the test ends. @default DATA */
  open(data?: Data): Promise<Engine>
  opened(): Opened | undefined
  /** What it holds by its own account and, where one can look, for good. */
  stateOf(engine: Engine): Promise<Data>
  list(
    engine: Engine,
    collection: string,
    query?: Partial<ListQuery>,
  ): Promise<ReadResult<Listing | undefined> & { readonly rows: readonly Row[] }>
}

export function engineUnderTest(kind: EngineKind): EngineUnderTest {
  let opened: Opened | undefined
  afterEach(async () => {
    if (opened?.end) opened.end()
    else await opened?.engine.close()
    await opened?.close?.()
    opened = undefined
  })

  return {
    kind,
    opened: () => opened,

    async open(data = DATA) {
      opened = await kind.open(structuredClone(data))
      return opened.engine
    },

    async stateOf(engine) {
      const { found } = await engine.read({ kind: 'database' })
      const state = structuredClone(found)
      const kept = await opened?.kept?.()
      if (kept !== undefined) expect(JSON.parse(kept)).toEqual(state)
      return state
    },

    async list(engine, collection, query = {}) {
      const reading = await engine.read({ kind: 'list', collection, query: { ...ALL, ...query } })
      const rows = reading.found?.rows ?? []
      return { ...reading, rows: 'toArray' in rows ? rows.toArray() : rows }
    },
  }
}
