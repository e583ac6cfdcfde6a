import { type ApiSettings, type Enforced, hasLayer } from '../settings.ts'
import type { ApiError, Place } from './api-error.ts'
import {
  ACCOUNT,
  ALL,
  BODY_DEEDS,
  DATA_DEEDS,
  DATA_WRITES,
  type Deed,
  FILTERED,
  IN_SESSION,
  LIMITED,
  PATCHES,
  ROW_READS,
  SESSION_WRITES,
  SINGLE_WRITES,
  SNAPSHOT_WRITES,
} from './deeds.ts'
import { GUARD_ERRORS } from './guard-errors.ts'

/** Account operations with a body. */
const SENT: readonly Deed[] = ACCOUNT.filter((deed) => deed !== 'me')

const inSession = { deeds: IN_SESSION, given: ({ sessions }: ApiSettings) => sessions }

const enforced =
  (rule: keyof Enforced) =>
  ({ enforced: of }: ApiSettings, { resource }: Place) =>
    of?.(resource)[rule] === true

/** All errors, except those of the HTTP parser (408, 431) and of middleware files. */
export const ERRORS: readonly ApiError[] = [
  {
    status: 400,
    code: 'INVALID_QUERY',
    when: 'the query is too complex or not valid, or has no effect where the request is strict; PATCH and DELETE of many also refuse what they do not understand',
    deeds: [...FILTERED, 'item'],
  },
  { status: 400, code: 'PATTERN_TOO_SLOW', when: 'a `_like` pattern takes too long', deeds: FILTERED },
  {
    status: 400,
    code: 'ANSWER_TOO_LARGE',
    when: 'with relations, the response would exceed 256 MB',
    deeds: ROW_READS,
  },
  {
    status: 400,
    code: 'MALFORMED_JSON',
    when: 'the body is not valid JSON',
    deeds: [...BODY_DEEDS, 'login', ...SENT, 'turn'],
  },
  {
    status: 400,
    code: 'INVALID_BODY',
    when: 'the body is not an object',
    deeds: [...BODY_DEEDS, 'login', ...SENT],
  },
  { status: 400, code: 'INVALID_BODY', when: 'the message says what to write', deeds: ['turn'] },
  {
    status: 400,
    code: 'MALFORMED_URL',
    when: 'the path has a % that is not a valid escape',
    deeds: DATA_DEEDS,
  },
  ...GUARD_ERRORS,
  {
    status: 403,
    code: 'HOST_NOT_ALLOWED',
    when: 'this host name is not allowed',
    deeds: ALL,
    given: ({ doors }) => doors.hosts || doors.origins,
  },
  {
    status: 403,
    code: 'ORIGIN_NOT_ALLOWED',
    when: 'this origin is not allowed',
    deeds: ALL,
    given: ({ doors }) => doors.origins,
  },
  { status: 409, code: 'NOTHING_TO_UNDO', when: 'every change is undone', deeds: ['rewind'] },
  { status: 409, code: 'NOTHING_TO_REDO', when: 'nothing was undone', deeds: ['rewind'] },
  { status: 409, code: 'UNDO_CONFLICT', when: 'a row was changed otherwise since', deeds: ['rewind'] },
  { status: 410, code: 'HISTORY_GONE', when: 'that version is not kept', deeds: ['rewind', 'follow'] },
  { status: 409, code: 'PATCH_TEST_FAILED', when: 'a `test` of the JSON Patch failed', deeds: PATCHES },
  {
    status: 412,
    code: 'PRECONDITION_FAILED',
    when: '`If-Match` or `If-None-Match` does not hold',
    deeds: SINGLE_WRITES,
  },
  {
    status: 422,
    code: 'VALIDATION_FAILED',
    when: 'the item does not fit its schema, or points at one that does not exist; `errors` has a message for each field',
    deeds: BODY_DEEDS,
    given: enforced('validates'),
  },
  {
    status: 409,
    code: 'NOT_UNIQUE',
    when: 'another item has the same value; `errors` names the fields',
    deeds: BODY_DEEDS,
    given: enforced('isUnique'),
  },
  {
    status: 409,
    code: 'STILL_REFERENCED',
    when: 'others point at the item and must keep it',
    deeds: ['delete', 'deleteMany'],
    given: enforced('isHeldBack'),
  },
  { status: 422, code: 'INVALID_PATCH', when: 'the JSON Patch cannot be applied', deeds: PATCHES },
  { status: 409, code: 'DUPLICATE_ID', when: 'the id is taken', deeds: ['create'] },
  {
    status: 413,
    code: 'BODY_TOO_LARGE',
    when: 'the body is larger than 10 MB',
    deeds: [...BODY_DEEDS, 'login', ...SENT, 'turn'],
  },
  {
    status: 415,
    code: 'INVALID_BODY',
    when: 'the type, charset or compression of the body is not supported',
    deeds: BODY_DEEDS,
  },
  {
    status: 429,
    code: 'RATE_LIMIT_EXCEEDED',
    when: 'too many requests; wait for the seconds in `Retry-After`',
    deeds: LIMITED,
    given: (settings) => hasLayer(settings, 'rate-limit'),
  },
  {
    status: 503,
    code: 'SIMULATED',
    when: 'a failure was asked for, by the request or a rule, with this or another status',
    deeds: DATA_DEEDS,
    given: ({ faults }) => faults,
  },
  { status: 500, code: 'INTERNAL_ERROR', when: 'a bug; see the log of the server', deeds: DATA_DEEDS },
  {
    status: 503,
    code: 'WRITE_FAILED',
    when: 'the data file cannot be written',
    deeds: [...DATA_WRITES, ...SNAPSHOT_WRITES, 'register', 'changeMe'],
  },
  {
    status: 503,
    code: 'SOURCE_UNAVAILABLE',
    when: 'the database cannot be reached; try again later',
    deeds: [...DATA_DEEDS, ...SNAPSHOT_WRITES, ...ACCOUNT, 'rewind', 'about', 'login'],
    given: ({ database }) => database === true,
  },
  {
    status: 503,
    code: 'SERVER_BUSY',
    when: 'too many large bodies or logins; try again later',
    deeds: [...BODY_DEEDS, 'login', ...SENT],
  },
  {
    status: 400,
    code: 'INVALID_SESSION',
    when: '`X-Mock-Session` is not the name of a session',
    ...inSession,
  },
  {
    status: 503,
    code: 'TOO_MANY_SESSIONS',
    when: 'there is no room for another session, or for more rows in them',
    ...inSession,
  },
  { status: 404, code: 'SESSION_NOT_FOUND', when: 'there is no such session', deeds: SESSION_WRITES },
  {
    status: 403,
    code: 'FOREIGN_ORIGIN',
    when: 'a page of another site asks, whose origin is not in `trustedOrigins`',
    deeds: [...SESSION_WRITES, ...SNAPSHOT_WRITES, 'rewind', 'turn', 'turnBack'],
  },
  {
    status: 409,
    code: 'NOT_IN_SESSION',
    when: 'a session cannot change what belongs to everybody',
    deeds: ['saveSnapshot', 'deleteSnapshot'],
    given: ({ sessions }) => sessions,
  },
  {
    status: 400,
    code: 'INVALID_SNAPSHOT_ID',
    when: 'not the id of a snapshot',
    deeds: ['getSnapshot', 'restoreSnapshot', 'deleteSnapshot'],
  },
  {
    status: 404,
    code: 'SNAPSHOT_NOT_FOUND',
    when: 'there is no such snapshot',
    deeds: ['getSnapshot', 'restoreSnapshot', 'deleteSnapshot'],
  },
  {
    status: 422,
    code: 'INVALID_SNAPSHOT',
    when: 'the snapshot was edited and is no longer a valid database',
    deeds: ['restoreSnapshot'],
  },
]
