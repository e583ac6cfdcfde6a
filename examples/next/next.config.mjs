export default {
  // Not bundled: it loads parts of itself when they are needed. For esbuild: --external:restable
  serverExternalPackages: ['restable'],
  // The page of the API is at /api/.
  skipTrailingSlashRedirect: true,
}
