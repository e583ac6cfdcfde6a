import { effect, signal } from '@preact/signals'
import { keep, restore } from './storage.ts'

const THEMES = ['system', 'light', 'dark'] as const

const PLACE = 'restable.theme'

const kept = restore(PLACE, () => localStorage)

export const theme = signal(THEMES.find((name) => name === kept) ?? 'system')

effect(() => {
  const { value } = theme
  if (value === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = value
  keep(PLACE, value, () => localStorage)
})

/** Cycles through system, light and dark. */
export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system'
}
