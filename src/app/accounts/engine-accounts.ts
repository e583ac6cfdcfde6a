import { StorageError } from '../../errors.ts'
import { sessionOf } from '../../http/session-of.ts'
import type { AccountStore, StoredUser } from '../../layers/accounts/account-store.ts'
import type { Engine } from '../../storage/engine.ts'
import { hiddenValue } from '../../storage/hidden/hidden-fields.ts'
import { readRows } from '../../storage/read-rows.ts'
import type { Row } from '../../storage/types.ts'
import { PASSWORD } from '../config/sign-in.ts'
import { noteOf } from '../history/note-of.ts'

export interface EngineAccountsOptions {
  /** The collection of users. */
  readonly collection: string
  /** The data of a session, or of the base if it has not been opened. */
  readonly engineOf: (session: string | undefined) => Engine
}

/** Users as rows of a collection. */
export function engineAccounts({ collection, engineOf }: EngineAccountsOptions): AccountStore {
  const userIn = (engine: Engine, row: Row | undefined) => row && userOf(engine, row)
  const keyed = async (engine: Engine, field: string, text: string) =>
    userIn(engine, (await engine.read({ kind: 'keyed', collection, field, text })).found)

  return {
    async find(login, session, isEmail = false) {
      const engine = engineOf(session)
      // What looks like one is looked up as that first: nobody takes the name of another by what else they are called.
      const first = isEmail || login.includes('@') ? 'email' : 'username'
      const second = first === 'email' ? 'username' : 'email'
      const user = await keyed(engine, first, login)
      return user || isEmail ? user : keyed(engine, second, login)
    },
    async withId(id, session) {
      const engine = engineOf(session)
      return userIn(engine, (await engine.read({ kind: 'item', collection, id })).found)
    },
    async anyone(session) {
      const engine = engineOf(session)
      return userIn(engine, (await readRows(engine, collection, 1))?.[0])
    },
    async add(req, fields, seals) {
      const engine = engineOf(sessionOf(req))
      const change = { kind: 'insert', collection, rows: [fields] } as const
      if (engine.kindOf(collection) === undefined) {
        await engine.write({ kind: 'create-collection', name: collection })
      }
      const [row] = (await engine.write(change, { seals, meta: noteOf(req) })) ?? []
      if (row) return userOf(engine, row)
      throw new StorageError('WRITE_FAILED', `${collection} is not a collection, so nobody can sign up.`)
    },
    async change(req, id, fields, seals) {
      const engine = engineOf(sessionOf(req))
      const change = { kind: 'merge', collection, id, fields } as const
      return userIn(engine, await engine.write(change, { seals, meta: noteOf(req) }))
    },
  }
}

function userOf({ naming }: Engine, row: Row): StoredUser {
  return { id: row[naming.id], fields: row, password: hiddenValue(row, PASSWORD) }
}
