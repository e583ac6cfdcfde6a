import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

interface RuleSwitchProps {
  readonly isOn: boolean
  /** What it turns on and off. */
  readonly children: ComponentChildren
  /** Whether that worked. */
  readonly onTurn: (on: boolean) => Promise<boolean>
}

/** The checkbox of a rule. Shows what was clicked until the server's rules show it too, or the server refuses. */
export function RuleSwitch({ isOn, children, onTurn }: RuleSwitchProps) {
  const [wanted, setWanted] = useState<boolean>()
  useEffect(() => {
    if (wanted === isOn) setWanted(undefined)
  }, [wanted, isOn])

  async function turn(on: boolean): Promise<void> {
    setWanted(on)
    if (!(await onTurn(on))) setWanted(undefined)
  }

  const isShownOn = wanted ?? isOn
  return (
    <label class="check">
      <input type="checkbox" checked={isShownOn} onChange={() => turn(!isShownOn)} />
      {children}
    </label>
  )
}
