import { useState } from 'preact/hooks'
import { type ApiResponse, send } from '../client/send.ts'
import { MethodBadge, PathInput } from '../parts/elements.tsx'
import { parseJson } from '../parts/json.ts'
import { JsonEditor } from '../parts/json-editor.tsx'
import { applySuggestion } from './apply-suggestion.ts'
import type { ExampleCall } from './example-call.ts'
import { ResponseView } from './response-view.tsx'

/** A request to edit and send, starting from the example. */
export function TryIt({ call }: { call: ExampleCall }) {
  const { method } = call
  const [path, setPath] = useState(call.path)
  const [body, setBody] = useState(call.body && JSON.stringify(parseJson(call.body).value, null, 2))
  const [response, setResponse] = useState<ApiResponse>()
  const [isBusy, setBusy] = useState(false)

  async function run(): Promise<void> {
    setBusy(true)
    setResponse(await send(method, path, { isShaped: true, ...(body !== undefined && { body }) }))
    setBusy(false)
  }

  return (
    <form
      class="try-it"
      aria-label="Try it"
      onSubmit={(event) => {
        event.preventDefault()
        void run()
      }}
    >
      <div class="url-bar">
        <MethodBadge method={method} />
        <PathInput path={path} onInput={setPath} />
        <button type="submit" class="primary" disabled={isBusy}>
          Send
        </button>
      </div>
      {body !== undefined && (
        <JsonEditor
          aria-label="Body"
          text={body}
          rows={Math.min(14, body.split('\n').length)}
          onInput={setBody}
        />
      )}
      {method !== 'GET' && <p class="hint">This changes the data. The History tab can undo it.</p>}
      {response && (
        <section class="response" aria-label="Response" aria-busy={isBusy}>
          <ResponseView
            response={response}
            onRetry={run}
            onApply={(part) => setPath(applySuggestion(path, part))}
          />
        </section>
      )}
    </form>
  )
}
