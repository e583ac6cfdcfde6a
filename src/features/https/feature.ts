import type { Feature } from '../feature.ts'

export const httpsFeature: Feature = {
  name: 'https',
  isOn: ({ https }) => https,
  // Slow to load, and few servers use it.
  tls: async ({ ssl }) => (await import('./certificate.ts')).loadCertificate(ssl),
  open: () => ({ under: () => ({}) }),
}
