import type { Request } from 'express'
import { PASSWORD, settingsOf, usersIn } from '../../config/resource-config.ts'
import type { Engine, EngineAccess } from '../../core/engine/engine.ts'
import { engineFor } from '../../core/engine/engine-for.ts'
import { idOf } from '../../core/engine/id-of.ts'
import { readRows, readValues } from '../../core/engine/read-rows.ts'
import { checkRows } from '../../core/engine/rules/check-access.ts'
import { hiddenValue } from '../../core/engine/rules/served-fields.ts'
import { TrackedRead } from '../../core/engine/tracked-read.ts'
import type { Row } from '../../core/engine/types.ts'
import { ConfigError, StorageError } from '../../core/kernel/catalogue/error-classes.ts'
import { isObject } from '../../core/kernel/json/values.ts'
import { TimeSlice } from '../../core/kernel/util/pace.ts'
import type { AccountStore, StoredUser } from '../../core/layers/accounts/admission.ts'
import type { LoginStore } from '../../core/layers/accounts/logins.ts'
import { costOf } from '../../core/layers/accounts/passwords.ts'
import type { AccountsNeeds } from '../../core/layers/accounts.ts'
import type { LayerWiring } from '../layer-wiring.ts'
import { servedWorldOf } from '../served-world.ts'
import type { Config } from '../settings.ts'
import { sealPasswords } from './seal-passwords.ts'

export function accountsNeeds(wiring: LayerWiring, logins: LoginStore | undefined): AccountsNeeds {
  const { config, currentConfig, currentEngine, worlds, guard, rewrite, log } = wiring
  const collection = usersIn(config) ?? ''
  if (currentEngine().kindOf(collection) === 'object') {
    throw new ConfigError(
      `accounts.collection: "${collection}" is a single object. Name a collection, or one that is yet to be.`,
    )
  }
  return {
    store: engineAccounts(collection, wiring),
    logins,
    isReserved: (field) => isReserved(currentConfig(), field),
    enter: worlds.enter,
    ...{ guard, rewrite, log },
  }
}

/** Whether clients cannot choose a field of a new user: the id and the owner. */
function isReserved(config: Config, field: string): boolean {
  const { id = config.id, owner } = settingsOf(config, usersIn(config) ?? '') ?? {}
  return field === id || field === `user${config.foreignKeySuffix}` || field === owner
}

function engineAccounts(collection: string, { currentEngine, accessOf, causeOf }: LayerWiring): AccountStore {
  const sealOf = sealPasswords(collection)
  const dataOf = (req: Request) => servedWorldOf(req)?.engine ?? currentEngine()
  const clientOf = (req: Request) => {
    const [engine, access] = [dataOf(req), accessOf(req)]
    return access ? { engine: engineFor(engine, access), access } : { engine }
  }
  const costs = new PasswordCosts(collection)
  const userIn = (engine: EngineAccess, row: Row | undefined) => {
    const user = row && userOf(engine, collection, row)
    costs.include(user?.password)
    return user
  }
  const keyed = async (engine: Engine, field: string, text: string) =>
    userIn(engine, (await engine.read({ kind: 'keyed', collection, field, text })).found)

  return {
    async find(login, req, isEmail = false) {
      const engine = dataOf(req)
      // An email address is not looked up as a username first: another user could have chosen it as such.
      const first = isEmail || login.includes('@') ? 'email' : 'username'
      const second = first === 'email' ? 'username' : 'email'
      const user = await keyed(engine, first, login)
      return user || isEmail ? user : keyed(engine, second, login)
    },
    async withId(id, req) {
      const engine = dataOf(req)
      return userIn(engine, (await engine.read({ kind: 'item', collection, id })).found)
    },
    async names(req) {
      const rows = (await readRows(dataOf(req), collection, MOST_NAMES)) ?? []
      const names = rows.map(({ email, username }) => email ?? username)
      return names.filter((name) => typeof name === 'string')
    },
    highestCost: (req) => costs.of(dataOf(req)),
    async add(req, fields, seals) {
      const engine = dataOf(req)
      const change = { kind: 'insert', collection, rows: [fields] } as const
      if (engine.kindOf(collection) === undefined) {
        await engine.write({ kind: 'create-collection', name: collection })
      }
      const { meta, by } = causeOf(req)
      // The server adds the user; what hooks do is still by the rights of the client.
      const [row] = (await engine.write(change, { seals, meta, by: { ...by, access: accessOf(req) } })) ?? []
      if (row) return userOf(engine, collection, row)
      throw new StorageError('WRITE_FAILED', `${collection} is not a collection, so nobody can sign up.`)
    },
    async checkRead(req, row) {
      const { access } = clientOf(req)
      if (access) await checkRows(new TrackedRead(dataOf(req)), access, collection, 'read', [row])
    },
    async change(req, id, fields, onSeal) {
      const client = clientOf(req)
      const change = { kind: 'merge', collection, id, fields } as const
      const sealed = await sealOf(req)(change, client)
      for (const [, stored] of sealed?.seals ?? []) await onSeal(stored)
      return userIn(client.engine, await client.engine.write(change, { ...sealed, ...causeOf(req) }))
    },
  }
}

/** Enough to find a typo. */
const MOST_NAMES = 20

function userOf({ naming }: EngineAccess, collection: string, row: Row): StoredUser {
  return { id: row[idOf(collection, naming)], fields: row, password: hiddenValue(row, PASSWORD) }
}

/** The cost of the slowest password hash of a collection. Only ever grows: a slower check gives nothing away. */
class PasswordCosts {
  readonly #collection: string
  #highest = 0
  readonly #isCovered = new WeakMap<Engine, () => boolean>()

  constructor(collection: string) {
    this.#collection = collection
  }

  async of(engine: Engine): Promise<number | undefined> {
    if (this.#isCovered.get(engine)?.()) return this.#highest || undefined
    const { values, isCurrent } = await readValues(engine, this.#collection)
    const pace = new TimeSlice()
    for (const row of values) {
      if (isObject(row)) this.include(hiddenValue(row, PASSWORD))
      if (pace.isUsedUp) await pace.yieldToEventLoop()
    }
    this.#isCovered.set(engine, isCurrent)
    return this.#highest || undefined
  }

  include(stored: unknown): void {
    this.#highest = Math.max(this.#highest, costOf(stored) ?? 0)
  }
}
