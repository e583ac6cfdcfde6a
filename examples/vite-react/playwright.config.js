export default {
  testMatch: '*.e2e.js',
  fullyParallel: true,
  use: {
    baseURL: 'http://localhost:5173',
    apiUrl: 'http://localhost:5173/api',
  },
  webServer: { command: 'npx vite', url: 'http://localhost:5173', reuseExistingServer: true },
}
