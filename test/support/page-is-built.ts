import { existsSync } from 'node:fs'

/** Some tests ask for the page at `/`. It may be an old one: tests of the page itself build it. */
export default function check(): void {
  if (existsSync('dist/page/index.html')) return
  throw new Error('There is no page to serve in dist/. Run `npm run build`, as `npm install` does.')
}
