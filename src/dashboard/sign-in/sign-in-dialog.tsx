import { useEffect, useRef, useState } from 'preact/hooks'
import { type SignInRequest, signInRequest } from './ask.ts'
import { FORMS, type FormName, formFor } from './sign-in-forms.ts'

/** Asks for what a guard requires: an API key, a token, or a login. */
export function SignInDialog() {
  const asked = signInRequest.value
  return asked ? <SignInForms asked={asked} /> : null
}

function SignInForms({ asked }: { asked: SignInRequest }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [chosen, choose] = useState<FormName>()
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const { title, button, hint, fields, initial: known, other, submit } = FORMS[chosen ?? formFor(asked)]
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
    turnTo(undefined)
  }, [asked])

  function turnTo(wanted: FormName | undefined): void {
    choose(wanted)
    setFault(undefined)
  }

  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement) || isBusy) return
    const data = new FormData(event.currentTarget)
    setBusy(true)
    const failed = await submit((name) => {
      const text = String(data.get(name))
      // A space at either end may be part of a password.
      return name === 'password' ? text : text.trim()
    })
    setBusy(false)
    setFault(failed)
    if (failed === undefined) asked.resolve(true)
  }

  return (
    <dialog ref={dialog} aria-labelledby="sign-in-title" onCancel={() => asked.resolve(false)}>
      <form onSubmit={send}>
        <h2 id="sign-in-title">{title}</h2>
        {asked.message !== '' && <p>{asked.message}</p>}
        {Object.entries(fields).map(([name, label]) => (
          <div key={name} class="field">
            <label for={`sign-in-${name}`}>{label}</label>
            <input
              id={`sign-in-${name}`}
              name={name}
              {...(name === 'password' && { type: name })}
              defaultValue={known?.()[name] ?? ''}
              required
              autocomplete="off"
              spellcheck={false}
            />
          </div>
        ))}
        {fault && (
          <p class="failure" role="alert">
            {fault}
          </p>
        )}
        <p class="hint">{hint}</p>
        <div class="actions">
          <button type="submit" class="primary" disabled={isBusy}>
            {button}
          </button>
          <button type="button" onClick={() => asked.resolve(false)}>
            Cancel
          </button>
          {other && (
            <button type="button" class="link" onClick={() => turnTo(other[0])}>
              {other[1]}
            </button>
          )}
        </div>
      </form>
    </dialog>
  )
}
