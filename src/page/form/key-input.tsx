import type { ComponentProps } from 'preact'
import { KeyName } from '../data/key-value.tsx'
import type { Id, Key } from '../data/keys.ts'
import { searchRows, useName } from '../data/row-names.ts'
import { IconButton } from '../parts/controls.tsx'
import { Picker } from '../parts/picker.tsx'
import { idsOfField } from './form-control.ts'
import type { FormField } from './form-fields.ts'

interface KeyInputProps
  extends Pick<
    ComponentProps<typeof Picker>,
    'disabled' | 'data-field' | 'aria-required' | 'aria-invalid' | 'aria-describedby'
  > {
  readonly id: string
  readonly to: Key
  readonly field: FormField
  readonly onInput: (text: string, kind: FormField['kind']) => void
}

/** Chooses the rows that a key refers to, by name. */
export function KeyInput(props: KeyInputProps) {
  /** Moves the focus: the removed key had it, or another took its position. */
  const onRemove: KeyInputProps['onInput'] = (text, kind) => {
    props.onInput(text, kind)
    document.getElementById(props.id)?.focus()
  }
  return props.to.isList ? (
    <ListInput {...props} onRemove={onRemove} />
  ) : (
    <SingleInput {...props} onRemove={onRemove} />
  )
}

interface InputProps extends KeyInputProps {
  readonly onRemove: KeyInputProps['onInput']
}

function SingleInput({ to: { resource }, field, onInput, onRemove, ...attributes }: InputProps) {
  const { name, kind, text } = field
  const chosen = useName(resource, text)
  return (
    <div class="key-input">
      <Picker
        {...attributes}
        text={chosen ?? text}
        label={resource}
        placeholder={`Search ${resource}`}
        search={(typed) => searchRows(resource, typed)}
        onChoose={({ id }) => onInput(String(id), typeof id === 'number' ? 'number' : 'text')}
      />
      {chosen !== undefined && chosen !== text && <small>{text}</small>}
      {text !== '' && !attributes.disabled && (
        <IconButton icon="close" label={`Clear ${name}`} onClick={() => onRemove('', kind)} />
      )}
    </div>
  )
}

function ListInput({ to, field, onInput, onRemove, ...attributes }: InputProps) {
  const { resource } = to
  const ids = idsOfField(to, field) ?? []
  const write = (next: readonly Id[]) => JSON.stringify(next, null, 2)
  return (
    <div class="chips">
      {ids.map((id, at) => (
        <span key={at} class="chip">
          <KeyName resource={resource} id={id} />
          {!attributes.disabled && (
            <IconButton
              icon="close"
              label={`Remove ${id} from ${field.name}`}
              onClick={() => onRemove(write(ids.toSpliced(at, 1)), 'json')}
            />
          )}
        </span>
      ))}
      <Picker
        {...attributes}
        text=""
        label={resource}
        placeholder={`Add from ${resource}`}
        search={async (typed) => (await searchRows(resource, typed))?.filter(({ id }) => !ids.includes(id))}
        onChoose={({ id }) => onInput(write([...ids, id]), 'json')}
      />
    </div>
  )
}
