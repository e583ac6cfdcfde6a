const DB = 'router.db and server.db: the data is not in this process'
const LIVE = 'an object that is served live: the database has a copy'
const FILE = 'the file itself: when it is edited or cannot be written'
const SESSIONS = 'sessions: a database has none'
const COUNT = 'server.count, of the data in this process'
const PLAN = 'indexes in memory, which _explain names'

/** Tests of what a database does not have, by the beginning of their file, part of their name, and the reason. */
export const NOT_ON_POSTGRES: readonly (readonly [file: string, name: string | undefined, reason: string])[] =
  [
    ['app/access/owners', 'admin at /notes?text_like=z&_explain=true', PLAN],
    ['app/accounts/hidden-password', 'edits of the file', FILE],
    ['app/accounts/hidden-password', 'that a program serves live', LIVE],
    ['app/seed', 'edits of the file', FILE],
    ['app/seed', 'cannot be written', FILE],
    ['app/sessions/', undefined, SESSIONS],
    ['app/start.test', 'an object from memory, live', LIVE],
    ['app/start.test', 'its db', DB],
    ['app/start.test', 'req.app.db', DB],
    ['app/watch.test', 'requests > continue while data', FILE],
    ['contract/both-engines', undefined, 'on PostgreSQL anyway'],
    ['contract/files', 'R8', 'how long it takes: here the database is opened first'],
    ['contract/postgres', undefined, 'on PostgreSQL anyway'],
    ['contract/writes', 'a route that reads the data', DB],
    ['contract/writes', 'through the chain', DB],
    ['contract/writes', 'from outside', DB],
    ['contract/writes', 'set aside and set again', DB],
    ['contract/writes', 'of its own making', DB],
    ['contract/writes', 'set on the router', DB],
    ['ecosystem/cookies', 'logs in from another port', DB],
    ['endpoints/events', 'did not come over HTTP', DB],
    ['endpoints/history', 'changed otherwise since', LIVE],
    ['endpoints/history', 'through server.db', DB],
    ['endpoints/history', 'somebody edits there', FILE],
    ['endpoints/history', 'an edit of the file', FILE],
    ['endpoints/schema', 'changed in place', LIVE],
    ['hostile/fuzz', undefined, 'how much is done in three seconds'],
    ['layers/faults/connections', 'ends with', COUNT],
    ['layers/faults/connections', 'what it wrote is there', COUNT],
    ['layers/faults/connections', 'when it is the turn', COUNT],
    ['layers/faults/requested', 'failed by itself', FILE],
    ['router/', 'a live object', 'the same as a file: both are in the database'],
    ['router/answers', 'once others hold the data', DB],
    ['router/answers', 'others get hold of the rows', DB],
    ['router/answer/cache-hits', 'an edit of the file', FILE],
    ['router/answer/cache-hits', 'router.db', DB],
    ['router/answer/cache-hits', 'setState', DB],
    ['router/db/', undefined, DB],
    ['router/engine', 'what was read > can', 'which engine it is'],
    ['router/explain/explain', 'how the query was understood', PLAN],
    ['router/explain/explain', 'the plan > of', PLAN],
    ['router/large-answers', 'changes rows in place', DB],
    ['router/router', 'an object live', LIVE],
    ['router/router', "another router's db", DB],
  ]

/** What takes many seconds there: skipped unless everything is run. */
export const NOT_IN_CI: typeof NOT_ON_POSTGRES = [
  ['router/write/body', 'stops at 50,000 keys', 'the same check of the same body, in rows of a megabyte'],
]
