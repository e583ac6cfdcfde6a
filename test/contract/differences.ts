/** Where restable answers otherwise than json-server 0.17.4, on purpose. */
export interface Difference {
  /** What a case that shows it names. */
  readonly id: string
  /** The first column of the tables in the README and docs/json-server.md. */
  readonly jsonServer: string
  readonly restable: string
  readonly why: string
  /** Nobody can have relied on what 0.17.4 does: left out of the docs. */
  readonly isMinor?: true
}

/**
 * The one list. The README and docs/json-server.md together have the rows that are not minor; every row is
 * shown by at least one case, and a case that departs from 0.17.4 without naming its row fails.
 */
export const differences = [
  {
    id: 'cascade',
    jsonServer: 'DELETE removes every row anywhere whose foreign key points nowhere',
    restable:
      'Removes what was asked for; `--cascade` (or `cascade: true`) also removes the dependents of the deleted row, `?_dependent=products` does so for one request',
    why: 'Nobody asked for the other rows to be removed',
  },
  {
    id: 'errors',
    jsonServer: '500 with a stack trace in HTML',
    restable: 'JSON errors with the right status',
    why: 'Clients need a status and a message',
  },
  {
    id: 'unrouted',
    jsonServer: 'A path outside the router is a 404 in HTML',
    restable: '404 `{}`, as inside it',
    why: 'Clients parse JSON',
    isMinor: true,
  },
  {
    id: 'duplicate-id',
    jsonServer: 'POST with an id that is taken: 500',
    restable: '409 `DUPLICATE_ID`, nothing is changed',
    why: 'It is the request that is wrong, not the server',
  },
  {
    id: 'body-types',
    jsonServer:
      'JSON sent as `text/plain`, as urlencoded or as `application/*+json` is lost or becomes a key; a body of any other type is lost, and PUT empties the item',
    restable: 'JSON is parsed as JSON; anything else: 415 `INVALID_BODY`, nothing is changed',
    why: '`fetch`, `curl -d` and `curl -F` send these by default',
  },
  {
    id: 'bulk-insert',
    jsonServer: 'POST with an array stores the array as one row',
    restable: 'Inserts every row, or none',
    why: 'An array is not a row',
  },
  {
    id: 'filtered-writes',
    jsonServer: 'PATCH and DELETE of a collection: 404',
    restable: 'They change every row that a filter finds; without a filter: 400 `INVALID_QUERY`',
    why: 'To change many rows took a request for each',
  },
  {
    id: 'array-body',
    jsonServer: 'PUT and PATCH store an array as fields `0`, `1`, …, or in place of a singular object',
    restable: '400 `INVALID_BODY`',
    why: 'An item is an object',
    isMinor: true,
  },
  {
    id: 'deep-body',
    jsonServer: 'Bodies of any depth are stored, until a later GET overflows the stack',
    restable: '400 `INVALID_BODY` past 100 levels',
    why: 'One request must not break the others',
    isMinor: true,
  },
  {
    id: 'total-count',
    jsonServer: '`X-Total-Count` only with pagination',
    restable: 'On every list',
    why: 'react-admin throws without it',
  },
  {
    id: 'content-range',
    jsonServer: 'No `Content-Range`',
    restable: '`Content-Range: products 0-9/100` with `_start` or `_end`',
    why: 'Clients that page by range read the total from it',
  },
  {
    id: 'start-alone',
    jsonServer: '`_start` without `_end` or `_limit` is ignored',
    restable: 'Returns everything from there on',
    why: 'It can mean nothing else',
  },
  {
    id: 'exposed-headers',
    jsonServer:
      '`Access-Control-Expose-Headers` names only the headers of this response, and overwrites what a middleware set',
    restable:
      'With an `Origin`, always `X-Total-Count, Link, Location, Content-Range, ETag`; added to what a middleware set',
    why: 'Scripts in a browser can then read all of them',
    isMinor: true,
  },
  {
    id: 'streamed',
    jsonServer: 'A response of any size is built in memory first',
    restable: 'Over 32 MB it is streamed, without `ETag` and `Content-Length`',
    why: 'One large list must not take the memory of all others',
    isMinor: true,
  },
  {
    id: 'no-cors',
    jsonServer: '`--no-cors` leaves JSONP open: any page reads `/db?callback=…`',
    restable: 'No JSONP, and `Cross-Origin-Resource-Policy: same-origin`',
    why: 'Who switches CORS off wants pages of other origins kept out',
  },
  {
    id: 'link',
    jsonServer: '`Link` is made by replacing the string `page=`',
    restable: 'Made from the parsed URL',
    why: '`homepage=1&_page=1` paged the wrong parameter',
    isMinor: true,
  },
  {
    id: 'empty-link',
    jsonServer: 'An empty `Link` header when there is nothing to link to',
    restable: 'No header',
    why: 'Parsers fail on it',
    isMinor: true,
  },
  {
    id: 'location',
    jsonServer: '`Location` repeats the query string and the nested path',
    restable: 'The URL of the new item',
    why: 'Clients follow it',
    isMinor: true,
  },
  {
    id: 'powered-by',
    jsonServer: '`X-Powered-By: Express`',
    restable: 'No such header',
    why: 'No client needs it',
    isMinor: true,
  },
  {
    id: 'array-paths',
    jsonServer: 'Filters do not look into arrays',
    restable: 'They do: `locations.city=Rome` matches any of the locations',
    why: 'Otherwise you would have to know the index',
  },
  {
    id: 'own-fields',
    jsonServer: 'Filters see inherited properties (`constructor_ne=x` matches every row)',
    restable: 'Only fields of the data',
    why: 'Data has no constructor',
    isMinor: true,
  },
  {
    id: 'like-pattern',
    jsonServer: 'An invalid `_like` is a 500, a catastrophic one hangs the server',
    restable: 'Matched literally; linear time; look-around and back-references are 400',
    why: 'No request may block the others',
  },
  {
    id: 'empty-search',
    jsonServer: 'An empty `q` followed by another one finds nothing',
    restable: 'The first `q` counts, and an empty one does not filter',
    why: 'As with an empty `q` alone',
    isMinor: true,
  },
  {
    id: 'plain-rows',
    jsonServer: '`q` does not find rows that are plain values (`["red", "green"]`)',
    restable: 'Finds them',
    why: '`q` searches everything',
    isMinor: true,
  },
  {
    id: 'encoded-names',
    jsonServer: 'A collection whose name must be escaped in a URL (`été`) is a 404',
    restable: 'Served',
    why: 'It is in the data',
    isMinor: true,
  },
  {
    id: 'repeated-sort',
    jsonServer: 'Repeated `_sort` or `_order`: 500',
    restable: 'Sorted by all of them, as with commas',
    why: 'Clients write lists both ways',
    isMinor: true,
  },
  {
    id: 'many-values',
    jsonServer:
      'Parameters after the first 1,000 are dropped; with some installs, values after the first 20 of one parameter',
    restable: '10,000 parameters, with lists written in any form',
    why: 'react-admin fetches many ids in one request',
    isMinor: true,
  },
  {
    id: 'ids',
    jsonServer: '`ids=1&ids=2` is ignored',
    restable: 'Means `id` if no row has a field `ids`',
    why: '@refinedev/rest sends it',
  },
  {
    id: 'embed-unknown',
    jsonServer: '`_embed=unknown` adds an empty array, even over a field of that name',
    restable: 'Ignored',
    why: 'It hid data',
  },
  {
    id: 'embed-list',
    jsonServer: '`_embed=a,b` is taken as one name',
    restable: 'Two names',
    why: 'react-admin joins with commas',
    isMinor: true,
  },
  {
    id: 'embed-parent',
    jsonServer: '`_embed=company` on a product adds an empty array',
    restable: 'Expands the parent',
    why: 'react-admin asks for parents that way',
  },
  {
    id: 'expand-missing',
    jsonServer: '`_expand` over a null or missing foreign key, or with a plural name: 500',
    restable: 'The item comes without it',
    why: 'One row without a parent broke the whole list',
    isMinor: true,
  },
  {
    id: 'string-ids',
    jsonServer: '`_embed` does not find children whose foreign key has another type (`"1"` for 1)',
    restable: 'Ids are compared as strings',
    why: 'Nested POST itself stores `"1"`',
  },
  {
    id: 'nested-open',
    jsonServer: 'A nested GET with an unknown parent, or for a child without that key, returns every row',
    restable: '`[]`',
    why: 'A filter that cannot match must not match everything',
  },
  {
    id: 'nested-stray',
    jsonServer: 'A nested POST works under any parent name',
    restable: '404 unless the parent is a collection',
    why: 'It was a way around guards on paths',
  },
  {
    id: 'nested-item',
    jsonServer: '`/posts/1/comments/1` is a 404, and so is what is below',
    restable: 'The item, if it belongs to that parent; below it, up to five collections',
    why: 'Clients append the id to the URL of a nested list',
  },
  {
    id: 'custom-id',
    jsonServer: 'With `--id`, `_embed` is empty, `Location` ends in `undefined` and DELETE is a 500',
    restable: 'The custom id is used everywhere',
    why: 'That is what the option is for',
    isMinor: true,
  },
  {
    id: 'missing-ids',
    jsonServer:
      'POST to a collection whose rows have no ids is a 500, and so is any request for an id after a null id',
    restable: 'Rows without an id are skipped',
    why: 'One bad row must not break the others',
    isMinor: true,
  },
  {
    id: 'length-field',
    jsonServer: 'PUT on a row with a numeric field `length` keeps the old fields',
    restable: 'Replaced like any other row',
    why: 'PUT replaces',
    isMinor: true,
  },
  {
    id: 'rewrite-query',
    jsonServer: "A rewrite rule drops or swallows the client's query string",
    restable: 'The path is matched, and the query strings of client and rule are merged',
    why: 'Paging through a rewritten path has to work',
  },
  {
    id: 'read-only',
    jsonServer: '`--read-only` refuses HEAD too, in plain text',
    restable: 'Refuses only writes, with a JSON error',
    why: 'HEAD reads',
  },
  {
    id: 'render-copy',
    jsonServer: '`router.render` gets the live rows of some responses, so changing them edits the database',
    restable: 'Changing them changes only the response',
    why: 'Rendering is not writing',
  },
  {
    id: 'idle-write',
    jsonServer: 'A request that ends in 404 rewrites the data file',
    restable: 'Only changes are written',
    why: 'File watchers would fire for nothing',
    isMinor: true,
  },
  {
    id: 'durable',
    jsonServer: 'Writes are answered before they are saved',
    restable: 'After they are saved',
    why: 'A crash must not lose what the client was told is stored',
  },
  {
    id: 'snapshots',
    jsonServer: '`--snapshots` defaults to `.`',
    restable: 'To none: snapshots are off',
    why: 'Files should only appear where you asked for them',
  },
  {
    id: 'config-name',
    jsonServer: 'The config file is `json-server.json`',
    restable:
      '`restable.config.ts`, `.js` or `.json`, or `json-server.config.json`; the old name is still read',
    why: 'Most tools name theirs like this',
  },
  {
    id: 'later-words',
    jsonServer:
      'Ignores what json-server 1.0, react-admin and ng-admin ask for: `price_gt`, `price:gt`, `_where`, `_per_page`, `_sort=-price`, `filter={…}`',
    restable: 'Understands it, but for new words that are the name of a field',
    why: 'Clients of both versions work; what 0.17.4 understood has the same answer',
  },
] as const satisfies readonly Difference[]

/** What a case may name. */
export type DifferenceId = (typeof differences)[number]['id']

/** Differences that no answer can show. Other tests do, where it says. */
export const shownElsewhere: Partial<Record<DifferenceId, string>> = {
  'idle-write': 'test/contract/files.test.ts',
  durable: 'test/core/engine/engine.test.ts',
  snapshots: 'test/features/snapshots/snapshots.test.ts',
  streamed: 'test/core/router/large-answers.slow.apart.test.ts',
  'config-name': 'test/config/config-file.test.ts',
}
