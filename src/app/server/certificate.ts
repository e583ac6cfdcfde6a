import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { ConfigError } from '../../catalogue/error-classes.ts'
import { codeOf } from '../../storage/file/fs.ts'
import { keepSelfSigned } from './self-signed.ts'
import type { Tls } from './server.ts'

export interface CertificateOptions {
  /** A PEM file with the certificate, and any chain after it. */
  cert?: string
  /** A PEM file with its private key, not encrypted. */
  key?: string
  /** Where the self-signed pair is kept if no files are given. @default '.restable' in the working directory */
  directory?: string
}

export interface Certificate {
  readonly cert: string
  /** PEM. A secret. */
  readonly key: string
  /** As openssl and browsers write them: `AB:CD:…`. .NET leaves the colons out. */
  readonly thumbprints: { readonly sha1: string; readonly sha256: string }
  readonly selfSigned: boolean
}

/** The certificate for HTTPS: from the given files, or self-signed, created once and reused at every start. */
export async function loadCertificate(options: CertificateOptions = {}): Promise<Certificate> {
  const { cert, key, directory = join(process.cwd(), '.restable') } = options
  if (cert !== undefined && key !== undefined) return describe(await readPair(cert, key))
  if (cert !== undefined) throw lonely('ssl.cert', 'ssl.key')
  if (key !== undefined) throw lonely('ssl.key', 'ssl.cert')
  return describe(await keepSelfSigned(directory))
}

function describe({ cert, key }: Tls): Certificate {
  const parsed = new X509Certificate(cert)
  return {
    cert,
    key,
    thumbprints: { sha1: parsed.fingerprint, sha256: parsed.fingerprint256 },
    selfSigned: parsed.subject === parsed.issuer && parsed.verify(parsed.publicKey),
  }
}

function lonely(given: string, missing: string): ConfigError {
  return new ConfigError(`${given} needs ${missing}: set both, or neither for a self-signed certificate`)
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

function attempt<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}
