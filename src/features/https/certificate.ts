import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto'
import { chmod, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'
import { attempt } from '../../core/kernel/util/attempt.ts'
import { codeOf } from '../../stores/file/fs.ts'
import { makePrivateFolder } from '../../stores/file/stored-logins.ts'
import type { Certificate, Tls } from '../tls.ts'

/**
 * The certificate for HTTPS, created once and reused at every start.
 * @param files PEM files instead of it: a certificate, with any chain after it, and its private key, not encrypted
 */
export async function loadCertificate(
  files: { readonly cert: string; readonly key: string } | undefined,
  directory = join(process.cwd(), '.restable'),
): Promise<Certificate> {
  const pair = files ? await readPair(files.cert, files.key) : await keepSelfSigned(directory)
  const { fingerprint, fingerprint256 } = new X509Certificate(pair.cert)
  return { ...pair, thumbprints: { sha1: fingerprint, sha256: fingerprint256 } }
}

async function readPair(certFile: string, keyFile: string): Promise<Tls> {
  const cert = await readText('ssl.cert', certFile)
  const key = await readText('ssl.key', keyFile)

  const parsed = attempt(() =>
    cert.includes('-----BEGIN CERTIFICATE-----') ? new X509Certificate(cert) : undefined,
  )
  if (parsed === undefined) {
    throw new ConfigError(
      `ssl.cert: ${certFile} is not a PEM certificate: it must contain "-----BEGIN CERTIFICATE-----"`,
    )
  }
  if (key.includes('ENCRYPTED')) {
    throw new ConfigError(`ssl.key: ${keyFile} is encrypted: use a key without a passphrase`)
  }
  const privateKey = attempt(() => createPrivateKey(key))
  if (privateKey === undefined) {
    throw new ConfigError(
      `ssl.key: ${keyFile} is not a PEM private key: it must contain "-----BEGIN PRIVATE KEY-----"`,
    )
  }
  if (!parsed.checkPrivateKey(privateKey)) {
    throw new ConfigError(`ssl.key: ${keyFile} does not match ${certFile}: use the key it was made with`)
  }
  // TLS itself judges the rest, such as a key that is too short to be safe.
  if (attempt(() => createSecureContext({ cert, key })) === undefined) {
    throw new ConfigError(
      `ssl.cert: ${certFile} is too weak for TLS: make it with RSA 2048 or EC P-256 and SHA-256`,
    )
  }
  return { cert, key }
}

async function readText(name: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const code = codeOf(error) ?? 'unknown reason'
    throw new ConfigError(`${name}: cannot read ${file} (${code}): check the path and its permissions`)
  }
}

const DAY_MS = 24 * 60 * 60_000
/** The longest validity that Apple's systems accept. */
const VALID_MS = 825 * DAY_MS

/** The self-signed certificate in `directory`, made if there is no valid one. */
async function keepSelfSigned(directory: string): Promise<Tls> {
  try {
    return (await readKept(directory)) ?? (await makeIn(directory))
  } catch (error) {
    throw new ConfigError(`ssl: ${whyNotKept(directory, error)}, or set ssl.cert and ssl.key`, {
      cause: error,
    })
  }
}

function whyNotKept(directory: string, error: unknown): string {
  const code = codeOf(error) ?? ''
  // The file system's own codes, such as EACCES; Node's begin with ERR_.
  if (/^E[A-Z0-9]+$/.test(code)) {
    return `the self-signed certificate cannot be saved in ${directory} (${code}): make that folder writable`
  }
  const [what] = String(error instanceof Error ? error.message : error).split('\n', 1)
  return `the self-signed certificate cannot be created (${what}): try again`
}

async function readKept(directory: string): Promise<Tls | undefined> {
  const keyFile = join(directory, 'key.pem')
  try {
    const [cert, key] = await Promise.all([
      readFile(join(directory, 'cert.pem'), 'utf8'),
      readFile(keyFile, 'utf8'),
    ])
    const parsed = new X509Certificate(cert)
    if (!parsed.checkPrivateKey(createPrivateKey(key)) || Date.parse(parsed.validTo) < Date.now() + DAY_MS)
      return
    // A copied project may have lost it.
    if (((await stat(keyFile)).mode & 0o077) !== 0) await chmod(keyFile, 0o600)
    return { cert, key }
  } catch {
    return undefined
  }
}

async function makeIn(directory: string): Promise<Tls> {
  await makePrivateFolder(directory)
  const pair = await make()
  await replace(directory, 'key.pem', pair.key, 0o600)
  await replace(directory, 'cert.pem', pair.cert, 0o644)
  // A process that started at the same time may have replaced them: the last pair stays.
  return (await readKept(directory)) ?? pair
}

async function replace(directory: string, name: string, text: string, mode: number): Promise<void> {
  const temporary = join(directory, `.${name}.${randomUUID()}.tmp`)
  try {
    await writeFile(temporary, text, { flag: 'wx', mode, flush: true })
    await rename(temporary, join(directory, name))
  } finally {
    await rm(temporary, { force: true })
  }
}

async function make(): Promise<Tls> {
  // Slow to load, and needed only once every two years.
  const { generate } = await import('selfsigned')
  // Yesterday, so that clients whose clock is a little behind accept it.
  const notBeforeDate = new Date(Date.now() - DAY_MS)
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate,
    notAfterDate: new Date(notBeforeDate.getTime() + VALID_MS),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  })
  return { cert: made.cert, key: made.private }
}
