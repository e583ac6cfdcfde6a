import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { Fault } from './elements.tsx'
import { Dialog } from './overlays.tsx'

interface FormDialogProps {
  readonly title: string
  /** Of the button that submits it. */
  readonly action: string
  /** Resolves to what went wrong, in the server's words; undefined closes the dialog. */
  readonly onSubmit: (data: FormData) => Promise<string | undefined>
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function FormDialog({ title, action, onSubmit, onClose, children }: FormDialogProps) {
  const id = useId()
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement) || isBusy) return
    const data = new FormData(event.currentTarget)
    setBusy(true)
    const failed = await onSubmit(data)
    setBusy(false)
    setFault(failed)
    if (failed === undefined) onClose()
  }

  return (
    <Dialog labelledBy={id} onCancel={onClose}>
      <form onSubmit={submit}>
        <h2 id={id}>{title}</h2>
        {children}
        <Fault text={fault} />
        <div class="actions">
          <button type="submit" class="primary" disabled={isBusy}>
            {action}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}
