import { createPrivateKey, X509Certificate } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ConfigError } from '../../../src/core/kernel/catalogue/error-classes.ts'
import { loadCertificate } from '../../../src/features/https/certificate.ts'
import { folderOf } from '../../support/folder.ts'

const failures = vi.hoisted((): Error[] => [])
vi.mock('selfsigned', async (original) => {
  const actual = await original<typeof import('selfsigned')>()
  const generate: typeof actual.generate = async (...args) => {
    const failure = failures.pop()
    if (failure) throw failure
    return actual.generate(...args)
  }
  return { ...actual, generate }
})

const home = folderOf()
let directory: string

describe('self-signed', () => {
  beforeEach(async () => {
    directory = join(await mkdtemp(join(home, 'project-')), '.restable')
  })

  it('is for localhost by every name, for servers, and valid today', async () => {
    const { cert, thumbprints } = await loadCertificate(undefined, directory)
    const parsed = new X509Certificate(cert)
    expect(parsed.verify(parsed.publicKey)).toBe(true)
    expect(parsed.checkHost('localhost')).toBe('localhost')
    expect(parsed.checkIP('127.0.0.1')).toBe('127.0.0.1')
    expect(parsed.checkIP('::1')).toBe('::1')
    expect(parsed.ca).toBe(false)
    expect(parsed.keyUsage).toContain('1.3.6.1.5.5.7.3.1')
    expect(Date.parse(parsed.validFrom)).toBeLessThan(Date.now())
    expect(Date.parse(parsed.validTo) - Date.now()).toBeGreaterThan(800 * 24 * 3600 * 1000)
    expect(thumbprints).toEqual({ sha1: parsed.fingerprint, sha256: parsed.fingerprint256 })
  })

  it('is the same at every start', async () => {
    expect(await loadCertificate(undefined, directory)).toEqual(await loadCertificate(undefined, directory))
  })

  it('keeps its key private and itself out of git', async () => {
    await loadCertificate(undefined, directory)
    const modeOf = async (file: string) => (await stat(file)).mode & 0o777
    expect(await modeOf(directory)).toBe(0o700)
    expect(await modeOf(join(directory, 'key.pem'))).toBe(0o600)
    expect(await readFile(join(directory, '.gitignore'), 'utf8')).toBe('*\n')
    expect((await readdir(directory)).sort()).toEqual(['.gitignore', 'cert.pem', 'key.pem'])

    await chmod(join(directory, 'key.pem'), 0o644)
    await loadCertificate(undefined, directory)
    expect(await modeOf(join(directory, 'key.pem'))).toBe(0o600)
  })

  it('matches its key in each of the processes that start together, and is the same from then on', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => loadCertificate(undefined, directory)))
    for (const { cert, key } of all)
      expect(new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))).toBe(true)
    expect(await loadCertificate(undefined, directory)).toEqual(await loadCertificate(undefined, directory))
  })

  it.each<[string, (pair: { cert: string; key: string }) => Promise<unknown>]>([
    ['its key is gone', () => rm(join(directory, 'key.pem'))],
    ['its certificate is cut short', ({ cert }) => writeFile(join(directory, 'cert.pem'), cert.slice(0, 99))],
    ['its key is empty', () => writeFile(join(directory, 'key.pem'), '')],
    ['its key is that of another', async () => writeFile(join(directory, 'key.pem'), (await makePair()).key)],
    ['it has expired', async () => writePair(directory, await makePair(new Date(Date.now() - 1000)))],
  ])('is recreated when %s', async (_name, spoil) => {
    const before = await loadCertificate(undefined, directory)
    await spoil(before)
    const after = await loadCertificate(undefined, directory)
    expect(after.thumbprints).not.toEqual(before.thumbprints)
    expect(new X509Certificate(after.cert).checkHost('localhost')).toBe('localhost')
    expect(await loadCertificate(undefined, directory)).toEqual(after)
  })

  it('says in one line where it cannot be kept', async () => {
    await writeFile(directory, 'a file')
    await expect(loadCertificate(undefined, directory)).rejects.toThrow(ConfigError)
    await expect(loadCertificate(undefined, directory)).rejects.toThrow(
      /^ssl: .*\.restable \(E\w+\): make that folder writable, .*ssl\.cert.*$/,
    )
  })

  it('says in one line why it cannot be made, and does not blame the folder', async () => {
    failures.push(new Error('no such curve\n    at somewhere'))
    await expect(loadCertificate(undefined, directory)).rejects.toThrow(
      /^ssl: the self-signed certificate cannot be created \(no such curve\): try again, or set ssl\.cert and ssl\.key$/,
    )
  })
})

describe('from files', () => {
  let cert: string
  let key: string

  beforeAll(async () => {
    ;[cert, key] = await writePair(home, await makePair())
    await writePair(join(home, 'other'), await makePair())
    await writeFile(join(home, 'text.pem'), 'hello')
    const encrypted = await generate([{ name: 'commonName', value: 'x' }], {
      keyType: 'ec',
      passphrase: 'secret',
    })
    await writeFile(join(home, 'encrypted.pem'), encrypted.private)
  })

  it('is used as it is', async () => {
    const loaded = await loadCertificate({ cert, key })
    expect(loaded.cert).toBe(await readFile(cert, 'utf8'))
    expect(loaded.key).toBe(await readFile(key, 'utf8'))
    expect(loaded.thumbprints.sha256).toBe(new X509Certificate(loaded.cert).fingerprint256)
  })

  it.each<[string, () => { cert: string; key: string }, RegExp]>([
    [
      'a missing certificate',
      () => ({ cert: join(home, 'no.pem'), key }),
      /^ssl\.cert: cannot read .*no\.pem \(ENOENT\): /,
    ],
    ['a folder', () => ({ cert, key: home }), /^ssl\.key: cannot read .* \(EISDIR\): /],
    [
      'a text',
      () => ({ cert: join(home, 'text.pem'), key }),
      /^ssl\.cert: .*text\.pem is not a PEM certificate: /,
    ],
    [
      'the two swapped',
      () => ({ cert: key, key: cert }),
      /^ssl\.cert: .*key\.pem is not a PEM certificate: /,
    ],
    [
      'a text as key',
      () => ({ cert, key: join(home, 'text.pem') }),
      /^ssl\.key: .*text\.pem is not a PEM private key: /,
    ],
    ['an encrypted key', () => ({ cert, key: join(home, 'encrypted.pem') }), /^ssl\.key: .* is encrypted: /],
    [
      'the key of another',
      () => ({ cert, key: join(home, 'other/key.pem') }),
      /^ssl\.key: .* does not match /,
    ],
  ])('names file and remedy when given %s', async (_name, files, message) => {
    const failure = await loadCertificate(files()).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ConfigError)
    expect(String(failure instanceof Error && failure.message)).toMatch(message)
    expect(String(failure)).not.toContain('\n')
  })
})

async function makePair(notAfterDate = new Date(Date.now() + 1e9)): Promise<{ cert: string; key: string }> {
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(0),
    notAfterDate,
  })
  return { cert: made.cert, key: made.private }
}

async function writePair(folder: string, pair: { cert: string; key: string }): Promise<[string, string]> {
  await mkdir(folder, { recursive: true })
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  await writeFile(cert, pair.cert)
  await writeFile(key, pair.key)
  return [cert, key]
}
