type Row = readonly [status: number, title: string, when: string]

const STORAGE_ERRORS = {
  DUPLICATE_ID: [409, 'Insert failed, duplicate id', 'the id is taken'],
  WRITE_FAILED: [503, 'Write failed', 'the data file cannot be written'],
  SOURCE_UNAVAILABLE: [503, 'Source unavailable', 'the database cannot be reached; try again later'],
  PRECONDITION_FAILED: [412, 'Precondition failed', '`If-Match` or `If-None-Match` does not hold'],
  CONFLICT: [409, 'Conflict', 'the rows are not what the effects to apply expect'],
  INVALID_BODY: [400, 'Invalid body', 'the body is not an object; the message says what to send'],
  INVALID_DATA: [500, 'Invalid data', 'the data is not JSON, or not an object of collections and objects'],
  INVALID_QUERY: [
    400,
    'Bad request',
    'a parameter is not valid, too complex, or without effect where that is refused, as in PATCH and DELETE of many',
  ],
  PATCH_TEST_FAILED: [409, 'Patch test failed', 'a `test` of the JSON Patch failed'],
  INVALID_PATCH: [422, 'Invalid patch', 'the JSON Patch cannot be applied'],
  VALIDATION_FAILED: [
    422,
    'Validation failed',
    'the item does not fit its schema, or points at one that does not exist; `errors` has a message for each field',
  ],
  NOT_UNIQUE: [409, 'Not unique', 'another item has the same value; `errors` names the fields'],
  STILL_REFERENCED: [409, 'Still referenced', 'others point at the item and must keep it'],
  NAME_TAKEN: [409, 'Name taken', 'there is a collection or an object of that name'],
  BODY_TOO_LARGE: [413, 'Body too large', 'the body is larger than 10 MB'],
  NOTHING_TO_UNDO: [409, 'Nothing to undo', 'every change is undone'],
  NOTHING_TO_REDO: [409, 'Nothing to redo', 'nothing was undone'],
  UNDO_CONFLICT: [409, 'Conflict', 'a row was changed otherwise since'],
  HISTORY_GONE: [410, 'Gone', 'that version is not kept'],
  RESOURCE_NOT_FOUND: [404, 'Resource not found', 'there is no collection to add rows to'],
  NOTHING_TO_LEARN_FROM: [409, 'Nothing to learn from', 'the collection has neither rows nor a schema'],
  AUTH_REQUIRED: [401, 'Unauthorized', 'you are not logged in, or not anymore'],
  AUTH_FORBIDDEN: [403, 'Forbidden', 'you are logged in, and may not do this'],
} as const satisfies Record<string, Row>

const REQUEST_ERRORS = {
  MALFORMED_REQUEST: [400, 'Bad Request', 'the request is not valid HTTP'],
  MALFORMED_URL: [400, 'Bad request', 'the path has a % that is not a valid escape'],
  EMPTY_BODY: [400, 'Empty body', 'a POST has no body, where requests without effect are refused'],
  MALFORMED_JSON: [400, 'Malformed JSON', 'the body is not valid JSON'],
  MALFORMED_FORM: [400, 'Malformed form', 'a form with files ends early, or is not written as its type says'],
  FILE_TOO_LARGE: [413, 'File too large', 'a file is larger than `maxBytes`'],
  FILE_TYPE: [415, 'File type not taken', 'a file has none of the `types`'],
  ANSWER_TOO_LARGE: [400, 'Bad request', 'with relations, the response would exceed 256 MB'],
  NOT_FOUND: [404, 'Not found', 'your own handler changes a row that is not there, or errors have a shape'],
  UPSTREAM_UNREACHABLE: [502, 'Bad gateway', 'the API behind the data cannot be reached'],
  UPSTREAM_TIMEOUT: [504, 'Gateway timeout', 'the API behind the data takes too long'],
  REDACTED: [409, 'Redacted', 'the body has `***` where the API has a secret'],
  PROXY_LOOP: [508, 'Loop detected', 'the API behind the data is this server'],
  LOGIC_TIMEOUT: [504, 'Gateway timeout', 'your own handler or hook takes too long'],
  REQUEST_TIMEOUT: [408, 'Request Timeout', 'the request takes too long to arrive'],
  EXPECTATION_FAILED: [417, 'Expectation Failed', '`Expect` asks for anything but `100-continue`'],
  HEADERS_TOO_LARGE: [431, 'Request Header Fields Too Large', 'the URL and headers are larger than 16 KB'],
  INTERNAL_ERROR: [500, 'Internal error', 'a bug; see the log of the server'],
  SERVER_CLOSED: [503, 'Server closed', 'the server was closed, in code'],
  SERVER_BUSY: [503, 'Server busy', 'too many logins; try again later'],
  READ_ONLY: [403, 'Read-only', 'the server is read-only'],
  HOST_NOT_ALLOWED: [403, 'Forbidden', 'this host name is not allowed'],
  ORIGIN_NOT_ALLOWED: [403, 'Forbidden', 'this origin is not allowed'],
  FOREIGN_ORIGIN: [403, 'Forbidden', 'a page of another site asks, whose origin is not in `trustedOrigins`'],
  API_KEY_MALFORMED: [400, 'Bad Request', 'the key is not well formed'],
  API_KEY_MISSING: [401, 'Unauthorized', 'the header X-API-KEY is missing'],
  API_KEY_INVALID: [403, 'Forbidden', 'the key is not known'],
  FORBIDDEN_WRITE: [403, 'Forbidden', 'the key may only read'],
  RATE_LIMIT_EXCEEDED: [429, 'Too Many Requests', 'too many requests; wait for the seconds in `Retry-After`'],
  SIMULATED: [
    503,
    'Service Unavailable',
    'a failure was asked for, by the request or a rule, with this or another status',
  ],
  INVALID_SESSION: [400, 'Invalid session', '`X-Mock-Session` is not the name of a session'],
  UNKNOWN_SCENARIO: [400, 'Unknown scenario', '`X-Mock-Scenario` is not the name of a scenario'],
  OTHER_SCENARIO: [409, 'Other scenario', 'the session began in another way than `X-Mock-Scenario` says'],
  TOO_MANY_SESSIONS: [
    503,
    'Too many sessions',
    'there is no room for another session, or for more rows in them',
  ],
  SESSION_NOT_FOUND: [404, 'Session not found', 'there is no such session'],
  NOT_IN_SESSION: [409, 'Not in a session', 'a session cannot change what belongs to everybody'],
  INVALID_SNAPSHOT_ID: [400, 'Invalid snapshot id', 'not the id of a snapshot'],
  SNAPSHOT_NOT_FOUND: [404, 'Snapshot not found', 'there is no such snapshot'],
  SNAPSHOTS_DISABLED: [404, 'Snapshots disabled', 'the server keeps no snapshots'],
  INVALID_SNAPSHOT: [422, 'Invalid snapshot', 'the snapshot was edited and is no longer a valid database'],
} as const satisfies Record<string, Row>

export type StorageErrorCode = keyof typeof STORAGE_ERRORS
export type ErrorCode = StorageErrorCode | keyof typeof REQUEST_ERRORS

/** Every error that the server itself sends. The code that throws, describes or documents one reads it here. */
export const ERRORS: Readonly<Record<ErrorCode, Row>> = { ...STORAGE_ERRORS, ...REQUEST_ERRORS }

/** The body of every error response, except the `{}` of a plain 404. */
export interface ErrorBody {
  readonly error: string
  readonly message: string
  readonly code: string
  /** ISO 8601, only in some errors. */
  readonly timestamp?: string
  /** The fault of each field, by dotted path. Only where fields are at fault. */
  readonly errors?: Readonly<Record<string, string>>
}

export function statusOf(code: ErrorCode): number {
  return ERRORS[code][0]
}

export function errorBody(code: ErrorCode, message: string, more: Partial<ErrorBody> = {}): ErrorBody {
  return { error: ERRORS[code][1], message, code, ...more }
}
