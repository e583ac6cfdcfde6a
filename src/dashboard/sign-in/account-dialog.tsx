import { useEffect, useRef, useState } from 'preact/hooks'
import type { Question } from './ask.ts'
import { Field } from './field.tsx'
import { enterAs } from './switch-user.ts'

/** Logs in or signs up with the accounts of the server. */
export function AccountDialog({ asked }: { asked: Question }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isNew, setNew] = useState(false)
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
    setFault(undefined)
  }, [asked])

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget
    if (!(form instanceof HTMLFormElement) || isBusy) return
    const data = new FormData(form)
    setBusy(true)
    const path = isNew ? '/register' : '/login'
    // A space at either end may be part of a password.
    const failed = await enterAs(path, String(data.get('email')).trim(), String(data.get('password')))
    setBusy(false)
    setFault(failed)
    if (failed === undefined) asked.answer(true)
  }

  function turn(): void {
    setNew(!isNew)
    setFault(undefined)
  }

  const title = isNew ? 'Sign up' : 'Log in'
  return (
    <dialog ref={dialog} aria-labelledby="sign-in-title" onCancel={() => asked.answer(false)}>
      <form onSubmit={submit}>
        <h2 id="sign-in-title">{title}</h2>
        {asked.message !== '' && <p>{asked.message}</p>}
        <Field label="E-mail" name="email" />
        <Field label="Password" name="password" isHidden />
        {fault && (
          <p class="failure" role="alert">
            {fault}
          </p>
        )}
        <p class="hint">{isNew ? 'At least 8 characters.' : 'Until you log out, or close this tab.'}</p>
        <div class="actions">
          <button type="submit" class="primary" disabled={isBusy}>
            {title}
          </button>
          <button type="button" onClick={() => asked.answer(false)}>
            Cancel
          </button>
          <button type="button" class="link" onClick={turn}>
            {isNew ? 'I have an account' : 'I have no account'}
          </button>
        </div>
      </form>
    </dialog>
  )
}
