import { ERRORS, type ErrorCode } from '../../../core/kernel/catalogue/errors.ts'
import {
  ABOUT,
  ACCOUNT,
  ALL,
  BODY_WRITES,
  DATA_OPERATIONS,
  DATA_WRITES,
  FILTERED,
  IDENTIFIED,
  IN_SESSION,
  MANAGE,
  type OperationKind,
  PATCHES,
  ROW_READS,
  SINGLE_WRITES,
} from '../../../core/kernel/catalogue/operation-kinds.ts'
import { statusOfError } from '../../../core/router/own-statuses.ts'
import { wordsIn } from '../../../wings/shapes/template.ts'
import {
  adminRule,
  asksForMore,
  isForAdmins,
  isKeptFromSelf,
  loginRule,
  mayAskForLogin,
  ruleOf,
} from './security.ts'
import {
  type ApiSettings,
  type Enforced,
  hasLayer,
  isGuarded,
  isPublic,
  isWrite,
  type OperationContext,
  optionOf,
} from './settings.ts'

interface ErrorRow {
  readonly code: ErrorCode
  readonly kinds: readonly OperationKind[]
  readonly applies?: (settings: ApiSettings, place: OperationContext) => boolean
  /** The guard it comes from: public paths do not have it. */
  readonly guard?: string
  /** Where the catalogue is too general. */
  readonly when?: string | ((settings: ApiSettings, place: OperationContext) => string)
  readonly status?: number
  /** Without a body. */
  readonly isBare?: boolean
}

type Condition = NonNullable<ErrorRow['applies']>

const takesBody: Condition = (_, { body }) => body !== undefined
const inSession = { kinds: IN_SESSION, applies: ({ sessions }: ApiSettings) => sessions }
const enforced =
  (rule: keyof Enforced): Condition =>
  ({ enforced: of }, { tag }) =>
    of?.(tag)[rule] === true
const guarded = (guard: string, kinds: readonly OperationKind[] = ALL, also: Condition = () => true) => ({
  kinds,
  guard,
  applies: (settings: ApiSettings, place: OperationContext) =>
    hasLayer(settings, guard) && also(settings, place),
})
const isClosed: Condition = (_, place) => isGuarded(place)
const written: Condition = (_, place) => isWrite(place)
/** The clock and faults are not limited: no client locks itself out. */
const LIMITED = ALL.filter((kind) => kind !== 'control')

const isRead: Condition = (_, place) => !isWrite(place)
/** Pages of other sites matter only to these. */
const hasPages: Condition = (settings) =>
  ['cookies', 'persona'].some((option) => optionOf(settings, 'accounts', option) === true)
const unknown = { code: 'AUTH_REQUIRED' } as const
const denied = { code: 'AUTH_FORBIDDEN' } as const
const deletes = { kinds: ['delete', 'deleteMany'] } as const
const ofServer = { when: adminRule, kinds: ALL, applies: isForAdmins }

const GUARD_ERRORS: readonly ErrorRow[] = [
  { code: 'API_KEY_MALFORMED', ...guarded('api-key') },
  { code: 'API_KEY_MISSING', ...guarded('api-key') },
  { code: 'API_KEY_INVALID', ...guarded('api-key') },
  { code: 'FORBIDDEN_WRITE', ...guarded('api-key', ALL, written) },
  { ...denied, when: 'the key may not read', ...guarded('api-key', ALL, isRead) },
  { ...unknown, when: 'the token is missing', ...guarded('bearer') },
  { ...denied, when: 'the token is wrong', ...guarded('bearer') },
  { ...unknown, when: 'the token is missing or has expired', ...guarded('jwt', IDENTIFIED, isClosed) },
  { ...denied, when: 'the token was not signed here', ...guarded('jwt', IDENTIFIED, isClosed) },
  { ...unknown, when: 'email or password is wrong', kinds: ['login'] },
  { ...unknown, when: loginRule, kinds: DATA_OPERATIONS, applies: mayAskForLogin },
  { ...denied, when: ruleOf, kinds: DATA_OPERATIONS, applies: asksForMore },
  {
    ...denied,
    when: 'a row that would be deleted along is not yours to delete',
    ...deletes,
    applies: ({ access }) => access !== undefined,
  },
  { ...unknown, ...ofServer },
  { ...denied, ...ofServer },
  { ...unknown, when: 'the token has expired, or is not good', ...guarded('accounts', IDENTIFIED) },
  { ...unknown, when: 'you are not logged in', kinds: ['me'] },
  { ...denied, when: 'only an admin may change a role', kinds: ['me'], applies: written },
  {
    ...denied,
    when: 'the rules of the users keep you from your own row',
    kinds: ['me'],
    applies: isKeptFromSelf,
  },
  {
    code: 'FOREIGN_ORIGIN',
    when: 'a page of another site sends cookies or `X-Mock-User`, and its origin is not in `trustedOrigins`',
    ...guarded('accounts', [...DATA_OPERATIONS, ...ACCOUNT, 'login'], hasPages),
  },
]

/** All errors, except those of the HTTP parser (408, 431) and of middleware files. */
const OUTER_ROWS: readonly ErrorRow[] = [
  { code: 'INVALID_QUERY', kinds: [...FILTERED, 'item'] },
  { code: 'ANSWER_TOO_LARGE', kinds: ROW_READS },
  { code: 'EMPTY_BODY', kinds: ['create', 'createObject'] },
  { code: 'MALFORMED_JSON', kinds: ALL, applies: takesBody },
  { code: 'INVALID_BODY', kinds: ALL, applies: takesBody },
  { code: 'MALFORMED_URL', kinds: DATA_OPERATIONS },
  ...GUARD_ERRORS,
  {
    code: 'HOST_NOT_ALLOWED',
    kinds: ALL,
    applies: ({ originChecks }) => originChecks.hosts || originChecks.origins,
  },
  { code: 'ORIGIN_NOT_ALLOWED', kinds: ALL, applies: ({ originChecks }) => originChecks.origins },
  { code: 'PATCH_TEST_FAILED', kinds: PATCHES },
  { code: 'PRECONDITION_FAILED', kinds: SINGLE_WRITES },
  { code: 'VALIDATION_FAILED', kinds: BODY_WRITES, applies: enforced('validates') },
  { code: 'NOT_UNIQUE', kinds: BODY_WRITES, applies: enforced('isUnique') },
  { code: 'STILL_REFERENCED', ...deletes, applies: enforced('isHeldBack') },
  { code: 'INVALID_PATCH', kinds: PATCHES },
  { code: 'DUPLICATE_ID', kinds: ['create'] },
  {
    code: 'CONFLICT',
    when: 'the body is for another resource or row than the path',
    kinds: BODY_WRITES,
    applies: ({ shapes }, { tag }) => wordsIn(shapes?.of(tag)?.template.row).includes('resource'),
  },
  { code: 'BODY_TOO_LARGE', kinds: ALL, applies: takesBody },
  {
    code: 'INVALID_BODY',
    status: 415,
    when: 'the type, charset or compression of the body is not supported',
    kinds: [...BODY_WRITES, ...MANAGE],
    applies: takesBody,
  },
  { code: 'RATE_LIMIT_EXCEEDED', ...guarded('rate-limit', LIMITED) },
]

/** Errors of whatever comes behind the guards. */
const INNER_ROWS: readonly ErrorRow[] = [
  { code: 'INTERNAL_ERROR', kinds: [...DATA_OPERATIONS, 'handler'] },
  { code: 'NOT_FOUND', kinds: ['handler'] },
  { code: 'LOGIC_TIMEOUT', kinds: ['handler'] },
  { code: 'WRITE_FAILED', kinds: [...DATA_WRITES, 'handler'] },
  { code: 'SOURCE_UNAVAILABLE', kinds: LIMITED, applies: ({ database }) => database === true },
  { code: 'SERVER_BUSY', kinds: ALL, applies: takesBody },
  { code: 'INVALID_SESSION', ...inSession },
  { code: 'TOO_MANY_SESSIONS', ...inSession },
  { code: 'FOREIGN_ORIGIN', kinds: [...ABOUT, ...MANAGE], applies: isClosed },
]

/** The errors of an operation by status: those of its kind, and its own. */
export function errorsOf(
  place: OperationContext,
  settings: ApiSettings,
): ReadonlyMap<number, readonly DescribedError[]> {
  const byStatus = new Map<number, DescribedError[]>()
  const own = (place.errors ?? []).map((code): ErrorRow => ({ code, kinds: [place.kind], ...OWN[code] }))
  const shape = place.path.startsWith('/__') ? undefined : settings.shapes?.of(place.tag)
  const missing: readonly ErrorRow[] =
    place.mayBeMissing && shape?.status.missing !== undefined
      ? [{ code: 'NOT_FOUND', kinds: [place.kind], status: shape.status.missing, isBare: !shape.hasErrors }]
      : []
  const rows: readonly ErrorRow[] = [
    ...OUTER_ROWS,
    ...settings.addedErrors,
    ...INNER_ROWS,
    ...own,
    ...missing,
  ]
  for (const { code, when, status: exact, kinds, applies, guard, isBare } of rows) {
    const isThere = kinds.includes(place.kind) && (applies?.(settings, place) ?? true)
    if (!isThere || (guard !== undefined && isPublic(settings, guard, place.path))) continue
    const [usualStatus, , usually] = ERRORS[code]
    const described = {
      code,
      when: typeof when === 'function' ? when(settings, place) : (when ?? usually),
      ...(isBare && { isBare }),
    }
    const status = exact ?? statusOfError(shape?.status ?? {}, code, usualStatus)
    byStatus.set(status, [...(byStatus.get(status) ?? []), described])
  }
  return byStatus
}

const OWN: Partial<Record<ErrorCode, Pick<ErrorRow, 'applies'>>> = {
  NOT_IN_SESSION: { applies: ({ sessions }) => sessions },
}

export interface DescribedError {
  readonly code: ErrorCode
  readonly when: string
  readonly isBare?: boolean
}
