import type { Request } from 'express'
import { StorageError } from '../../catalogue/error-classes.ts'
import { sessionOf } from '../../http/session-of.ts'
import { isObject } from '../../json/values.ts'
import type { AccountStore, StoredUser } from '../../layers/accounts/admission.ts'
import { costOf } from '../../layers/accounts/passwords.ts'
import { mayRead, refusal } from '../../storage/access/check-access.ts'
import { hiddenValue } from '../../storage/access/hidden-fields.ts'
import { type Access, rightsIn } from '../../storage/access/rights.ts'
import type { Engine, EngineAccess } from '../../storage/engine/engine.ts'
import { limitEngine } from '../../storage/engine/limit-engine.ts'
import type { Row } from '../../storage/types.ts'
import { Pace } from '../../util/pace.ts'
import { metaOf } from '../commit-meta.ts'
import { PASSWORD } from '../config/sign-in.ts'
import { enteredSession } from '../sessions/enter-session.ts'
import { sealPasswords } from './seal-passwords.ts'

export interface EngineAccountsOptions {
  readonly collection: string
  /** The data of a session, or of the base if it has not been opened. */
  readonly engineOf: (session: string | undefined) => Engine
  /** What a client may see and do, if not everything. */
  readonly accessOf: (req: Request) => Access | undefined
}

export function engineAccounts({ collection, engineOf, accessOf }: EngineAccountsOptions): AccountStore {
  const sealOf = sealPasswords(collection)
  // A session may end while a request of it waits for a hash: what it writes must not reach the base then.
  const dataOf = (req: Request) => enteredSession(req)?.engine ?? engineOf(sessionOf(req))
  const clientOf = (req: Request) => {
    const [engine, access] = [dataOf(req), accessOf(req)]
    return access ? { engine: limitEngine(engine, access), access } : { engine }
  }
  const costs = new PasswordCosts(collection)
  const userIn = (engine: EngineAccess, row: Row | undefined) => {
    const user = row && userOf(engine, row)
    // One of those that are not looked at, where there are very many.
    costs.note(user?.password)
    return user
  }
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
    highestCost: (session) => costs.of(engineOf(session)),
    async add(req, fields, seals) {
      const engine = dataOf(req)
      const change = { kind: 'insert', collection, rows: [fields] } as const
      if (engine.kindOf(collection) === undefined) {
        await engine.write({ kind: 'create-collection', name: collection })
      }
      const [row] = (await engine.write(change, { seals, meta: metaOf(req) })) ?? []
      if (row) return userOf(engine, row)
      throw new StorageError('WRITE_FAILED', `${collection} is not a collection, so nobody can sign up.`)
    },
    checkRead(req, row) {
      const { access } = clientOf(req)
      if (access && !mayRead(access, collection, row)) {
        throw refusal(collection, 'read', rightsIn(access, collection).read)
      }
    },
    async change(req, id, fields, onSeal) {
      const client = clientOf(req)
      const change = { kind: 'merge', collection, id, fields } as const
      const sealed = await sealOf(req)(change, client)
      for (const [, stored] of sealed?.seals ?? []) await onSeal(stored)
      return userIn(client.engine, await client.engine.write(change, { ...sealed, meta: metaOf(req) }))
    },
  }
}

function userOf({ naming }: EngineAccess, row: Row): StoredUser {
  return { id: row[naming.id], fields: row, password: hiddenValue(row, PASSWORD) }
}

/** How long the slowest password of a collection takes to check. Only ever grows: a slower check gives nothing away. */
class PasswordCosts {
  readonly #collection: string
  #highest = 0
  /** Whether all rows of an engine have been looked at. */
  readonly #isCovered = new WeakMap<Engine, () => boolean>()

  constructor(collection: string) {
    this.#collection = collection
  }

  /** Undefined if no password is stored as a hash. */
  async of(engine: Engine): Promise<number | undefined> {
    if (this.#isCovered.get(engine)?.()) return this.#highest || undefined
    const query = { where: [], sort: [], window: { kind: 'all' }, embed: [], expand: [] } as const
    const { found, isCurrent } = await engine.read({ kind: 'list', collection: this.#collection, query })
    const rows = found && ('toArray' in found.rows ? found.rows.toArray() : found.rows)
    const pace = new Pace()
    for (const row of rows ?? []) {
      if (isObject(row)) this.note(hiddenValue(row, PASSWORD))
      if (pace.isDue) await pace.turn()
    }
    this.#isCovered.set(engine, isCurrent)
    return this.#highest || undefined
  }

  note(stored: unknown): void {
    this.#highest = Math.max(this.#highest, costOf(stored) ?? 0)
  }
}
