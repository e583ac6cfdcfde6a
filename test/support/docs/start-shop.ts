import { readFile } from 'node:fs/promises'
import { type RunningServer, type StartOptions, start } from '../../../src/index.ts'

/** The server of `npm run start:accounts`, on a free port and silent. */
export async function startShop(options: StartOptions = {}): Promise<RunningServer> {
  const text = await readFile('scripts/examples/accounts.config.json', 'utf8')
  const { $schema: _, port: __, ...config } = JSON.parse(text)
  return start({ ...config, ...options })
}
