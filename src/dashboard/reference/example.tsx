import { useState } from 'preact/hooks'
import { caller } from '../client/caller.ts'
import { formatRoute } from '../client/route.ts'
import { absolute } from '../client/send.ts'
import { toCurl, toFetch } from '../client/snippets.ts'
import { CopyMenu } from '../parts/copy-menu.tsx'
import { RawText } from '../parts/raw-text.tsx'
import { Segments } from '../parts/segments.tsx'
import type { ExampleCall } from './example-call.ts'

/** A request to copy, and to try where it changes nothing. */
export function Example({ call }: { call: ExampleCall }) {
  const [form, setForm] = useState<'curl' | 'fetch'>('curl')
  const { path, ...rest } = call
  const write = form === 'curl' ? toCurl : toFetch
  return (
    <div class="example">
      <div class="actions">
        <Segments
          label="Example as"
          options={{ curl: 'curl', fetch: 'fetch' }}
          chosen={form}
          onChoose={setForm}
        />
        <span class="spring" />
        {call.method === 'GET' && (
          <a class="button quiet" href={formatRoute({ view: 'query', path })}>
            Try it
          </a>
        )}
        <CopyMenu path={path} {...rest} />
      </div>
      <RawText label="Example" text={write({ ...rest, url: absolute(path) }, caller.value)} />
    </div>
  )
}
