import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where Debian has them, by version. */
const DEBIAN = '/usr/lib/postgresql'
/** The variable that names the folder of others: those of another version, for one. */
const PROGRAMS = 'RESTABLE_TEST_POSTGRES_BIN'

/** Safe where nothing has to outlive the run, and faster. */
const SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_connections=800',
  'shared_buffers=64MB',
]
/** A socket in a folder is nobody else's: no port that another process takes first, and no password. */
const SOCKET_ONLY = ["listen_addresses=''"]

/** How a cluster can be reached besides its socket. */
export interface OverTcp {
  readonly port: number
  /** Of the user `postgres`. The socket needs none. */
  readonly password: string
  /** PEM. */
  readonly tls: { readonly cert: string; readonly key: string }
}

/** The programs of the newest PostgreSQL on this machine, unless others are named; undefined if there are none. */
export function findPrograms(): string | undefined {
  const named = process.env[PROGRAMS]
  if (named) return named
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : []
  const newest = versions.sort((a, b) => Number(b) - Number(a))
  return newest.map((version) => join(DEBIAN, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')))
}

/** Starts a cluster that listens on a socket in the folder. */
export function startCluster(
  folder: string,
  programs: string,
  { tcp, settings = SETTINGS }: { readonly tcp?: OverTcp; readonly settings?: readonly string[] } = {},
): void {
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  const user = unprivileged()
  if (user) for (const path of [folder, data]) chownSync(path, user.uid, user.gid)
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(join(programs, program), args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], ...user })
  const own = (name: string, text: string) => {
    const file = join(folder, name)
    writeFileSync(file, text, { mode: 0o600 })
    if (user) chownSync(file, user.uid, user.gid)
    return file
  }
  const auth = tcp
    ? ['--auth-local=trust', '--auth-host=scram-sha-256', `--pwfile=${own('password', tcp.password)}`]
    : ['--auth=trust']
  run('initdb', '-D', data, '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8', ...auth, '--no-sync')
  const reached = tcp
    ? [
        `port=${tcp.port}`,
        'listen_addresses=127.0.0.1,::1',
        'ssl=on',
        `ssl_cert_file=${own('cert.pem', tcp.tls.cert)}`,
        `ssl_key_file=${own('key.pem', tcp.tls.key)}`,
      ]
    : SOCKET_ONLY
  const options = [...settings, ...reached].map((setting) => `-c ${setting}`).join(' ')
  controlCluster(folder, programs, 'start', '-w', '-l', join(folder, 'log'), '-o', `-k ${folder} ${options}`)
}

/** `pg_ctl` on the cluster of a folder. */
export function controlCluster(folder: string, programs: string, ...args: readonly string[]): void {
  execFileSync(join(programs, 'pg_ctl'), ['-D', join(folder, 'data'), ...args], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...unprivileged(),
  })
}

/** Does nothing where none runs. */
export function stopCluster(folder: string): void {
  const programs = findPrograms()
  if (!programs || !existsSync(join(folder, 'data', 'postmaster.pid'))) return
  controlCluster(folder, programs, 'stop', '-w', '-m', 'immediate')
}

/** PostgreSQL refuses to run as root: then its own user does, or nobody. Undefined if this process is not root's. */
export function unprivileged(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    try {
      const ask = (flag: string) =>
        Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }))
      return { uid: ask('-u'), gid: ask('-g') }
    } catch {
      // The next one may exist.
    }
  }
  return undefined
}
