import type { ResourceRules } from '../storage/resource-rules.ts'
import type { Naming } from '../storage/types.ts'
import type { ResourceSettings } from './resource-settings.ts'

/** The fields of a resource's rows that the server fills in. */
export interface AddedFields {
  /** Clients cannot set these. */
  readonly timestamps?: ResourceRules['timestamps']
  readonly owner?: string | undefined
  /** These are filled in where a client does not send them, or may not. */
  readonly defaults: readonly string[]
}

export function addedFields(
  name: string,
  settings: ResourceSettings,
  naming: Naming,
  accounts?: string,
): AddedFields {
  const isAccounts = name === accounts
  return {
    timestamps: timestampsOf(settings),
    owner: filledOwner(settings, naming, isAccounts),
    defaults: [naming.id, ...(isAccounts ? ['role'] : [])],
  }
}

export function ownFields({ timestamps, owner }: AddedFields): readonly string[] {
  return [timestamps?.created, timestamps?.updated, owner].filter((field) => field !== undefined)
}

/** The field with a row's owner, where the server fills it in. Users own themselves. */
export function filledOwner(
  { access, owner }: ResourceSettings,
  { id, foreignKeySuffix }: Naming,
  isAccounts: boolean,
): string | undefined {
  if (access === undefined && owner === undefined) return undefined
  const field = owner ?? (isAccounts ? id : `user${foreignKeySuffix}`)
  return field === id ? undefined : field
}

function timestampsOf({ timestamps }: ResourceSettings): ResourceRules['timestamps'] {
  if (timestamps === undefined || timestamps === false) return undefined
  const [created, updated] = timestamps === true ? (['createdAt', 'updatedAt'] as const) : timestamps
  return { created, updated }
}
