import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { toCurl } from '../../src/page/client/snippets.ts'

it('toCurl quotes for the shell whatever the body holds', () => {
  const body = `it's $HOME \`id\` "x" \\ \n;`
  const command = toCurl({ method: 'PUT', url: 'http://localhost:3000/posts/1', body })
  const shown = execFileSync('sh', ['-c', command.replace('curl', 'printf "%s|"')], { encoding: 'utf8' })
  expect(shown).toContain(`|--data-raw|${body}|`)
})
