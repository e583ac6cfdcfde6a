import { effect, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { AccountMenu } from './accounts.tsx'
import { clearCredentials, credentials } from './client/caller.ts'
import { ownFault, rulesOn, switchOff } from './client/faults.ts'
import { isGone, liveState, reloadAll } from './client/live.ts'
import { saveFailure } from './client/outcomes.ts'
import type { Route } from './client/route.ts'
import { service } from './client/service.ts'
import { restore, store } from './client/storage.ts'
import { IconButton } from './parts/controls.tsx'
import { Icon } from './parts/elements.tsx'
import { notify } from './parts/notices.tsx'
import { SessionMenu, sessions } from './sessions.tsx'

const VIEWS = [
  ['data', 'Data'],
  ['query', 'Query'],
  ['api', 'API'],
  ['requests', 'Requests'],
  ['history', 'History'],
  ['faults', 'Faults'],
  ['service', 'Service'],
] as const

export function TopBar({ view }: { view: Route['view'] }) {
  const { apiKey, token } = credentials.value
  const views = useRef<HTMLElement>(null)
  const hasSessions = sessions.value !== undefined
  useEffect(() => {
    // On a phone, the views scroll, and have less room beside the menu of sessions.
    if (views.current) scrollToCurrent(views.current)
  }, [view, hasSessions, rulesOn.value > 0])
  return (
    <header class="top-bar">
      <span class="brand">restable</span>
      <nav aria-label="Views" ref={views}>
        {VIEWS.map(([name, title]) => (
          <a key={name} href={`#/${name}`} aria-current={name === view ? 'page' : undefined}>
            {title}
            {name === 'faults' && rulesOn.value > 0 && (
              <span class="badge warn" title={`${rulesOn.value} on`}>
                {rulesOn.value}
                <span class="hidden"> on</span>
              </span>
            )}
          </a>
        ))}
      </nav>
      <span class="spring" />
      <SessionMenu />
      <AccountMenu />
      <span class={`connection ${liveState.value}`} role="status">
        {LIVE_TEXTS[liveState.value]}
      </span>
      {(apiKey !== undefined || token !== undefined) && (
        <button
          type="button"
          class="quiet"
          title="Forget the key or token in this tab"
          onClick={() => {
            clearCredentials()
            notify('Signed out in this tab')
          }}
        >
          <Icon name="key" /> <span class="wide">Sign out</span>
        </button>
      )}
      <IconButton
        icon={THEME_ICONS[theme.value]}
        label={`Theme: ${theme.value}`}
        title={`Theme: ${theme.value}`}
        onClick={nextTheme}
      />
    </header>
  )
}

/** By hand: after `scrollIntoView`, the Tab key would start there, past the link to the content. */
function scrollToCurrent(nav: HTMLElement): void {
  const current = nav.querySelector('[aria-current]')?.getBoundingClientRect()
  const { left, width } = nav.getBoundingClientRect()
  if (current) nav.scrollLeft += current.left + current.width / 2 - left - width / 2
}

const THEME_ICONS = { system: 'system', light: 'sun', dark: 'moon' } as const

const LIVE_TEXTS = { live: 'Live', waiting: 'Connecting…', unsupported: 'Not live' } as const

const THEMES = ['system', 'light', 'dark'] as const

const STORAGE_KEY = 'restable.theme'
const stored = restore(STORAGE_KEY, () => localStorage)
const theme = signal(THEMES.find((name) => name === stored) ?? 'system')

effect(() => {
  const { value } = theme
  if (value === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = value
  store(STORAGE_KEY, value, () => localStorage)
})

function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system'
}

/** Says on every view what is wrong with the server; the most important only. */
export function Banner() {
  const problem = currentProblem()
  if (problem === undefined) return null
  const [title, text, rule] = problem
  return (
    <div class="banner" role="alert">
      <Icon name="warning" />
      <p>
        <strong>{title}</strong> {text}
      </p>
      {rule !== undefined && (
        <button
          type="button"
          onClick={async () => {
            if (await switchOff(rule)) reloadAll()
          }}
        >
          Switch it off
        </button>
      )}
    </div>
  )
}

function currentProblem(): readonly [title: string, text: string, rule?: number] | undefined {
  const rule = ownFault.value
  if (rule !== undefined) {
    return [
      'This page fails on purpose.',
      `Rule ${rule} of the tab Faults applies to its requests, too.`,
      rule,
    ]
  }
  if (isGone.value) {
    return [
      'The server does not respond.',
      'Is it still running? This page keeps what it has loaded, and connects again as soon as it can.',
    ]
  }
  const fault = service.value?.dataFault
  if (fault !== undefined) return ['The data file cannot be read.', `${fault} You see the last good data.`]
  return saveFailure.value === undefined ? undefined : ['Not saved.', saveFailure.value]
}
