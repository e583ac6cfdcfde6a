import { effect, signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'

const PLACE = 'restable.theme'

export const theme = signal<Theme>(restore())

effect(() => {
  const { value } = theme
  if (value === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = value
  try {
    localStorage.setItem(PLACE, value)
  } catch {
    // Without storage, the theme follows the system again after a reload.
  }
})

/** Cycles through system, light and dark. */
export function nextTheme(): void {
  theme.value = theme.value === 'system' ? 'light' : theme.value === 'light' ? 'dark' : 'system'
}

function restore(): Theme {
  try {
    const kept = localStorage.getItem(PLACE)
    return kept === 'light' || kept === 'dark' ? kept : 'system'
  } catch {
    return 'system'
  }
}
