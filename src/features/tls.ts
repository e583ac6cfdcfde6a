/** A certificate and its key, PEM, for encrypted connections. */
export interface Tls {
  readonly cert: string
  readonly key: string
}

export interface Certificate extends Tls {
  /** As openssl and browsers write them: `AB:CD:…`. .NET leaves the colons out. */
  readonly thumbprints: { readonly sha1: string; readonly sha256: string }
}
