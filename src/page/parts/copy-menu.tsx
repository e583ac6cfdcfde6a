import { caller } from '../client/caller.ts'
import { formatRoute } from '../client/route.ts'
import { type ApiResponse, absolute } from '../client/send.ts'
import { session } from '../client/session.ts'
import { type Call, toCurl, toFetch } from '../client/snippets.ts'
import { Icon, MethodBadge, StatusBadge } from './elements.tsx'
import { formatMs } from './format.ts'
import { notify } from './notices.tsx'
import { DropDown } from './overlays.tsx'

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

interface CopyMenuProps extends Partial<Omit<Call, 'url'>> {
  readonly path: string
  readonly leftOut?: string | undefined
}

const FORMS = { URL: ({ url }: Call) => url, curl: toCurl, fetch: toFetch }
const URL_ALONE = 'A URL names no session: it shows the base data.'

/** Copies a request as URL, curl command or fetch call. */
export function CopyMenu({ path, leftOut, method = 'GET', ...sent }: CopyMenuProps) {
  async function copy(form: keyof typeof FORMS): Promise<void> {
    const text = FORMS[form]({ ...sent, method, url: absolute(path) }, caller.value)
    const isCopied = await writeClipboard(text)
    const lacks = form === 'URL' && session.value !== undefined ? URL_ALONE : leftOut
    const copied = lacks === undefined ? `Copied as ${form}` : `Copied as ${form}. ${lacks}`
    notify(isCopied ? copied : `The browser did not allow copying. ${form}: ${text}`)
  }

  return (
    <DropDown
      summary={
        <>
          <Icon name="copy" /> Copy
        </>
      }
    >
      {(close) => (
        <>
          {(['URL', 'curl', 'fetch'] as const).map((form) => (
            <button
              key={form}
              type="button"
              onClick={() => {
                close()
                void copy(form)
              }}
            >
              {form}
            </button>
          ))}
          {leftOut !== undefined && <p class="hint">{leftOut}</p>}
        </>
      )}
    </DropDown>
  )
}

/** The clipboard API needs HTTPS or localhost; elsewhere `execCommand` still works. */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    document.body.append(field)
    field.select()
    const isCopied = document.execCommand('copy')
    field.remove()
    return isCopied
  }
}
