export default {
  testMatch: '*.e2e.mjs',
  fullyParallel: true,
  use: { apiUrl: 'http://localhost:3000' },
  webServer: { command: 'npx restable db.json', url: 'http://localhost:3000', reuseExistingServer: true },
}
