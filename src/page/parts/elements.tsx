import type { ComponentChildren } from 'preact'

const PATHS = {
  copy: 'M5.5 5.5v-2a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-2M3.5 5.5h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1z',
  close: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  trash: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9',
  edit: 'M3 13l.6-2.6L10.8 3.200l2 2L5.600 12.400z',
  key: 'M9.500 6.500a3 3 0 1 1-1-2.200 3 3 0 0 1 1 2.200zM9.300 7.300L13.500 11.500v2M11.500 9.500l-1.200 1.200',
  pause: 'M5.500 3.500v9M10.500 3.500v9',
  play: 'M5 3.500l7 4.500-7 4.500z',
  up: 'M4 9.500L8 5.500l4 4',
  down: 'M4 6.500l4 4 4-4',
  left: 'M9.500 4l-4 4 4 4',
  right: 'M6.500 4l4 4-4 4',
  search: 'M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9zM10.300 10.300L14 14',
  filter: 'M2.500 4h11M4.500 8h7M6.500 12h3',
  sun: 'M8 10.800a2.800 2.800 0 1 0 0-5.600 2.800 2.800 0 0 0 0 5.600zM8 1.500v1.500M8 13v1.500M1.500 8H3M13 8h1.500M3.400 3.400l1.100 1.100M11.500 11.500l1.100 1.100M3.400 12.600l1.100-1.100M11.500 4.500l1.100-1.100',
  moon: 'M13 9.600A5.500 5.500 0 0 1 6.400 3a5.500 5.500 0 1 0 6.600 6.600z',
  system: 'M2.500 3.500h11v7h-11zM6 13.500h4M8 10.500v3',
  layers: 'M8 2.500L14 5.500 8 8.500 2 5.500zM2 8.200l6 3 6-3M2 10.900l6 3 6-3',
  user: 'M8 8a2.700 2.700 0 1 0 0-5.400 2.700 2.700 0 0 0 0 5.400zM2.800 13.500a5.200 5.200 0 0 1 10.400 0z',
  lock: 'M4 7.500h8v6H4zM5.500 7.500v-2a2.500 2.500 0 0 1 5 0v2',
  warning: 'M8 2.500l6 11H2zM8 6.500v3.500M8 11.800v.1',
  columns: 'M2.500 3.500h11v9h-11zM6.200 3.500v9M9.800 3.500v9',
  external: 'M6 3.500H3.500v9h9V10M9 2.500h4.500V7M13.200 2.800L7.500 8.500',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}

/** A status in a color that means the same everywhere; the number says it without color. */
export function StatusBadge({ status }: { status: number }) {
  const kind =
    status === 0 ? 'none' : status < 300 ? 'good' : status < 400 ? 'same' : status < 500 ? 'warn' : 'bad'
  return <span class={`badge ${kind}`}>{status === 0 ? 'no response' : status}</span>
}

export function MethodBadge({ method }: { method: string }) {
  return <span class={`method ${method.toLowerCase()}`}>{method}</span>
}

export function Card({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

export type Pair = readonly [name: ComponentChildren, value: ComponentChildren]

/** Names with their values; `kind` is the layout. */
export function Pairs({ kind, pairs }: { kind: string; pairs: readonly Pair[] }) {
  return (
    <dl class={kind}>
      {pairs.map(([name, value], index) => (
        <div key={typeof name === 'string' ? `${name} ${index}` : index}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function ColumnTitles({ titles }: { titles: readonly string[] }) {
  return (
    <thead>
      <tr>
        {titles.map((title) => (
          <th key={title} scope="col">
            {title}
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** A sentence in which `backticks` mark code. */
export function CodedText({ text }: { text: string }) {
  return <>{text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>
}

/** Why a form cannot be sent, or was refused. */
export function Fault({ text }: { text: string | undefined }) {
  return text ? (
    <p class="failure" role="alert">
      {text}
    </p>
  ) : null
}

export function FieldErrors({ id, errors }: { id?: string; errors: readonly string[] }) {
  if (errors.length === 0) return null
  return (
    <ul class="field-errors" id={id}>
      {errors.map((error) => (
        <li key={error}>{error}</li>
      ))}
    </ul>
  )
}

export function Headers({ pairs }: { pairs: readonly Pair[] }) {
  return (
    <details>
      <summary>
        Headers <span class="count">{pairs.length}</span>
      </summary>
      <Pairs kind="headers" pairs={pairs} />
    </details>
  )
}

export function PathInput({ path, onInput }: { path: string; onInput: (path: string) => void }) {
  return (
    <input
      class="url"
      aria-label="Path and query"
      spellcheck={false}
      autocapitalize="off"
      value={path}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  )
}
