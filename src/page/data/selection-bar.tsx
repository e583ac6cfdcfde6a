import type { Sort } from '../client/query.ts'
import { type ApiResponse, isOk, send } from '../client/send.ts'
import { service } from '../client/service.ts'
import { ConfirmButton } from '../parts/controls.tsx'
import { writeClipboard } from '../parts/copy-menu.tsx'
import { countRows } from '../parts/format.ts'
import { notify } from '../parts/notices.tsx'
import { deleteRows, pathOfRows } from './delete-rows.ts'

interface SelectionBarProps {
  readonly resource: string
  readonly ids: readonly string[]
  readonly sort: readonly Sort[]
  readonly onClear: () => void
  readonly onFailure: (response: ApiResponse | undefined) => void
}

/** Actions on the selected rows. */
export function SelectionBar({ resource, ids, sort, onClear, onFailure }: SelectionBarProps) {
  const rows = countRows(resource, ids.length)

  /** As the server writes them, so that long numbers survive. */
  async function withText(use: (text: string) => unknown): Promise<void> {
    const response = await send('GET', pathOfRows(resource, ids, { sort }))
    onFailure(isOk(response) ? undefined : response)
    if (isOk(response)) await use(response.text)
  }

  async function copy(text: string): Promise<void> {
    const isCopied = await writeClipboard(text)
    notify(isCopied ? `Copied ${rows} as JSON` : 'The browser did not allow copying. Export them instead.')
  }

  async function remove(): Promise<void> {
    const response = await deleteRows(resource, ids)
    onFailure(isOk(response) ? undefined : response)
    if (isOk(response)) onClear()
  }

  return (
    <section class="selection-bar" aria-label="Selected rows">
      <span role="status">{rows} selected</span>
      <button type="button" onClick={() => withText(copy)}>
        Copy as JSON
      </button>
      <button type="button" onClick={() => withText((text) => saveFile(`${resource}.json`, text))}>
        Export
      </button>
      {!service.value?.readOnly && (
        <ConfirmButton
          label="Delete"
          question={`Delete ${rows}${service.value?.cascade ? ' and what depends on them' : ''}?`}
          onConfirm={remove}
        />
      )}
      <button type="button" class="quiet" onClick={onClear}>
        Clear selection
      </button>
    </section>
  )
}

function saveFile(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
