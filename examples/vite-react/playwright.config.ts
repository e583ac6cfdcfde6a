import { defineConfig } from '@playwright/test'
import type { ApiOptions } from 'restable/playwright'

export default defineConfig<ApiOptions>({
  testMatch: '*.e2e.ts',
  fullyParallel: true,
  use: {
    baseURL: 'http://localhost:5173',
    apiUrl: 'http://localhost:5173/api',
  },
  webServer: { command: 'npx vite', url: 'http://localhost:5173', reuseExistingServer: true },
})
