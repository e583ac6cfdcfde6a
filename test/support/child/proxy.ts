import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../docs/code-of.ts'
import { folderOf } from '../folder.ts'
import { unprivileged } from '../postgres/run-cluster.ts'
import { freePort } from './free-port.ts'

const PATIENCE_MS = 20_000

/** A proxy of Debian, and how to start it with a config in a folder of its own, in the foreground. */
interface Kind {
  readonly program: string
  readonly heading: string
  readonly language: string
  command(folder: string, config: string): readonly string[]
}

export const KINDS = {
  nginx: {
    program: '/usr/sbin/nginx',
    heading: 'nginx',
    language: 'nginx',
    command(folder, config) {
      const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      const temporary = places.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')
      const main = `daemon off; pid ${folder}/pid; events {} http { access_log off; ${temporary} include ${config}; }`
      writeFileSync(join(folder, 'nginx.conf'), main)
      return ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')]
    },
  },
  haproxy: {
    program: '/usr/sbin/haproxy',
    heading: 'HAProxy',
    language: 'haproxy',
    command: (_folder, config) => ['-db', '-f', config],
  },
} satisfies Record<string, Kind>

export type ProxyName = keyof typeof KINDS

export const hasProxy = (name: ProxyName): boolean => existsSync(KINDS[name].program)

/** A proxy in front of two servers, with the config that the page shows. */
export class RunningProxy {
  readonly port: number
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>

  private constructor(child: ChildProcess, port: number) {
    this.#child = child
    this.#ended = once(child, 'close')
    this.port = port
  }

  /** Changes nothing of the page's config but the ports: 8080 for clients, 3001 and 3002 for the servers. */
  static async start(name: ProxyName, servers: readonly [number, number]): Promise<RunningProxy> {
    const { program, heading, language, command } = KINDS[name]
    const user = unprivileged()
    const folder = folderOf()
    const port = await freePort()
    const ports: Readonly<Record<string, number>> = { 8080: port, 3001: servers[0], 3002: servers[1] }
    const text = codeOf('docs/postgres.md', heading, language).replace(
      /\b(?:8080|3001|3002)\b/g,
      (shown) => `${ports[shown]}`,
    )
    const config = join(folder, 'page.conf')
    writeFileSync(config, `${text}\n`)
    const args = command(folder, config)
    if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder])
    const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], ...user })
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (words: string) => {
      said += words
    })
    const end = Date.now() + PATIENCE_MS
    while (!(await isOpen(port))) {
      if (child.exitCode !== null || Date.now() > end) throw new Error(`${name} did not start: ${said}`)
      await sleep(50)
    }
    return new RunningProxy(child, port)
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    await this.#ended
  }
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
