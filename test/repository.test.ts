import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { parseArgs } from '../src/cli/args.ts'
import { resolveConfig } from '../src/features/settings.ts'
import { openApi } from './support/http/serve.ts'

const named = z.record(z.string(), z.string())
const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  bin: named.default({}),
  scripts: named,
  engines: z.object({ node: z.string() }).optional(),
  dependencies: named.default({}),
  devDependencies: named.default({}),
})
const Steps = z.array(
  z.object({ run: z.string().optional(), with: z.record(z.string(), z.unknown()).optional() }),
)
const Workflow = z.object({
  on: z.record(z.string(), z.unknown()),
  permissions: named,
  jobs: z.record(
    z.string(),
    z.object({
      strategy: z
        .object({ matrix: z.object({ os: z.array(z.string()), node: z.array(z.number()) }) })
        .optional(),
      steps: Steps,
    }),
  ),
})

const read = (path: string) => readFileSync(path, 'utf8')
const ours = Manifest.parse(JSON.parse(read('package.json')))
const workflow = (name: string) => Workflow.parse(parse(read(`.github/workflows/${name}.yml`)))
const { port } = resolveConfig({})

/** The instructions of the image that is published: what follows the last FROM. */
const image = read('Dockerfile')
  .replace(/^#.*\n/gm, '')
  .split(/^(?=FROM )/m)
  .map(
    (stage) =>
      new Map(
        stage
          .trim()
          .split('\n')
          .map((line) => line.split(/ (.*)/s, 2) as [string, string]),
      ),
  )
const [build = new Map(), last = new Map<string, string>()] = image
const command = (name: string) => z.array(z.string()).parse(JSON.parse(last.get(name) ?? ''))

describe('the Dockerfile', () => {
  it('packs what is here, and installs what was packed', () => {
    expect(image).toHaveLength(2)
    expect(build.get('COPY')).toBe('. .')
    expect(build.get('RUN')).toBe('npm ci && npm pack --pack-destination /')
    const [, pattern = ''] = /^--from=build \/(\S+) /.exec(last.get('COPY') ?? '') ?? []
    expect(`${ours.name}-${ours.version}.tgz`).toMatch(new RegExp(`^${pattern.replace('*', '.*')}$`))
    expect(last.get('RUN')).toContain(`/tmp/${pattern}`)
  })

  it('starts the command with flags that there are, for all machines, as a user who is not root', () => {
    const [program = '', ...flags] = command('ENTRYPOINT')
    expect(ours.bin).toHaveProperty(program)
    const parsed = parseArgs([...flags, ...command('CMD')])
    expect(parsed).toEqual({ kind: 'start', settings: { host: '0.0.0.0', source: 'db.json' } })
    expect([last.get('USER'), last.get('EXPOSE')]).toEqual(['node', String(port)])
    expect(last.get('WORKDIR')).toBe(last.get('VOLUME'))
  })

  it.each([
    ['without guards', [], 200],
    ['behind guards', ['api-key', 'accounts'], 401],
  ])('asks for its health where there is an answer: %s', async (_, middlewares, status) => {
    const [program, , code = ''] = z
      .array(z.string())
      .parse(JSON.parse(/\[.*/.exec(last.get('HEALTHCHECK') ?? '')?.[0] ?? ''))
    const [, url = ''] = /^fetch\('(\S+)'\)/.exec(code) ?? []
    expect([program, new URL(url).port]).toEqual(['node', String(port)])
    const api = await openApi({ data: { users: [] }, middlewares, quiet: true })
    const codes: number[] = []
    runInNewContext(code, { fetch: api.fetch, process: { exit: (code: number) => codes.push(code) } })
    await vi.waitFor(() => expect(codes).toEqual([0]))
    expect((await api.fetch(url)).status).toBe(status)
  })

  it('leaves out what is made here, and nothing that the build needs', () => {
    const ignored = read('.dockerignore').trim().split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['node_modules', 'dist', '.git']))
    const needed = [
      'src',
      'scripts',
      'docs',
      'data',
      'package.json',
      'package-lock.json',
      'tsconfig.build.json',
    ]
    expect(ignored.filter((path) => needed.includes(path))).toEqual([])
  })
})

describe('the workflows', () => {
  const files = readdirSync('.github/workflows').map((file) => file.replace('.yml', ''))

  it.each(files)('run npm scripts that there are: %s', (name) => {
    const commands = Object.values(workflow(name).jobs).flatMap(({ steps }) =>
      steps.map(({ run = '' }) => run),
    )
    const scripts = commands.flatMap((text) =>
      [...text.matchAll(/\bnpm (?:run )?([\w:]+)/g)].map(([, script = '']) => script),
    )
    expect(scripts).toContain('ci')
    expect(scripts.filter((script) => !['ci', 'publish'].includes(script) && !ours.scripts[script])).toEqual(
      [],
    )
  })

  it('test on every Node that we support and every system, and check everything once', () => {
    const { jobs } = workflow('ci')
    const { os = [], node = [] } = jobs.test?.strategy?.matrix ?? {}
    expect(os).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest'])
    expect(node).toEqual([20, 22, 24, 26])
    expect(ours.engines?.node).toMatch(new RegExp(`^>=${node[0]}\\.`))
    expect(jobs.check?.steps.map(({ run }) => run)).toContain('npm run check')
  })

  it('publish a tag with provenance, and its part of the changelog', () => {
    const { on, permissions, jobs } = workflow('release')
    expect(on).toEqual({ push: { tags: ['v*'] } })
    expect(permissions).toEqual({ contents: 'write', 'id-token': 'write' })
    const text = (jobs.publish?.steps ?? []).map(({ run = '' }) => run).join('\n')
    expect(text).toContain('npm publish --provenance --access public')
    expect(text).toContain('gh release create "$GITHUB_REF_NAME" --verify-tag --notes-file changes.md')
    expect(read('CHANGELOG.md')).toMatch(new RegExp(`^## \\[(?:Unreleased|${ours.version})\\]`, 'm'))
  })
})

describe('the examples', () => {
  const projects = ['vite-react', 'next', 'playwright']

  it.each(projects)('use the versions that are tested here, and name their scripts: %s', (name) => {
    const { scripts, dependencies, devDependencies } = Manifest.partial({ version: true }).parse(
      JSON.parse(read(`examples/${name}/package.json`)),
    )
    const { restable, next: _, ...others } = { ...dependencies, ...devDependencies }
    expect(restable).toBe(`^${ours.version}`)
    const tested = Object.keys(others).map((each) => [
      each,
      `^${ours.devDependencies[each]?.replace('^', '')}`,
    ])
    expect(others).toEqual(Object.fromEntries(tested))
    const tools = Object.values(scripts).map((text) => text.split(' ')[0] ?? '')
    const known = ['vite', 'next', 'playwright', 'restable', 'node']
    expect(tools.filter((tool) => !known.includes(tool))).toEqual([])
    expect(read(`examples/${name}/README.md`)).toContain('`npm test`')
    expect(read('examples/README.md')).toContain(`(${name})`)
  })

  it('mount, publish and wait for what the image has: docker-compose', () => {
    const folder = 'examples/docker-compose'
    const { services } = z
      .object({
        services: z.object({
          api: z.object({
            build: z.string(),
            command: z.array(z.string()),
            ports: z.tuple([z.string()]),
            volumes: z.tuple([z.string()]),
          }),
          app: z.object({
            depends_on: z.object({ api: z.object({ condition: z.literal('service_healthy') }) }),
            environment: z.object({ API_URL: z.literal(`http://api:${port}`) }),
            volumes: z.tuple([z.string()]),
          }),
        }),
      })
      .parse(parse(read(join(folder, 'compose.yaml'))))
    const { api, app } = services
    expect(existsSync(join(folder, api.build, 'Dockerfile'))).toBe(true)
    expect(last.has('HEALTHCHECK')).toBe(true)
    expect(api.ports).toEqual([`${port}:${last.get('EXPOSE')}`])
    const [from = '', to] = api.volumes[0].split(':')
    expect(to).toBe(last.get('WORKDIR'))
    const parsed = parseArgs([...command('ENTRYPOINT').slice(1), ...api.command])
    expect(parsed).toMatchObject({ settings: { source: 'db.json', watch: true, host: '0.0.0.0' } })
    expect(existsSync(join(folder, from, 'db.json'))).toBe(true)
    expect(existsSync(join(folder, app.volumes[0].split(':')[0] ?? ''))).toBe(true)
  })
})
