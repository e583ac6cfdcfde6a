import { formatRoute } from '../client/route.ts'
import { type ApiResponse, absolute } from '../client/send.ts'
import { session } from '../client/session.ts'
import { CopyMenu, URL_ALONE } from '../parts/copy-menu.tsx'
import { formatMs } from '../parts/format.ts'
import { MethodBadge, StatusBadge } from '../parts/status-badge.tsx'

/** The request behind the current view: to read, to copy, to open in the query builder. */
export function UrlBar({ path, response }: { path: string; response: ApiResponse | undefined }) {
  return (
    <div class="url-bar">
      <MethodBadge method="GET" />
      <a
        class="url"
        href={absolute(path)}
        title={session.value === undefined ? 'Open the response' : `Open the response. ${URL_ALONE}`}
      >
        {path}
      </a>
      {response && (
        <span class="measure">
          <StatusBadge status={response.status} /> {formatMs(response.ms)}
        </span>
      )}
      <a class="button quiet" title="Open in the query builder" href={formatRoute({ view: 'query', path })}>
        Query
      </a>
      <CopyMenu path={path} />
    </div>
  )
}
