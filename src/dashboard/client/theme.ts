import { effect, signal } from '@preact/signals'
import { restore, store } from './storage.ts'

const THEMES = ['system', 'light', 'dark'] as const

const STORAGE_KEY = 'restable.theme'

const kept = restore(STORAGE_KEY, () => localStorage)

export const theme = signal(THEMES.find((name) => name === kept) ?? 'system')

effect(() => {
  const { value } = theme
  if (value === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = value
  store(STORAGE_KEY, value, () => localStorage)
})

/** Cycles through system, light and dark. */
export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system'
}
