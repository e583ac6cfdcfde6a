const SECRET = /token|secret|passw|pwd|api[-_.]?key|^(?:x-)?key$|^pass$|^auth|^jwt$|credential|signature/i

/** What stands in the place of a secret. */
export const MASK = '***'

/** Whether a field, parameter or header of this name usually holds something that only its owner should see. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name)
}

/** The URL with the values of secret parameters masked. */
export function maskUrl(url: string): string {
  const mark = url.indexOf('?')
  return mark === -1 ? url : url.slice(0, mark + 1) + maskForm(url.slice(mark + 1))
}

/** `a=1&password=x` with the values of secret fields masked. */
export function maskForm(text: string): string {
  return text.split('&').map(maskParameter).join('&')
}

function maskParameter(parameter: string): string {
  const equals = parameter.indexOf('=')
  if (equals === -1) return parameter
  const name = parameter.slice(0, equals)
  return isSecretName(plain(name)) ? `${name}=${MASK}` : parameter
}

function plain(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '))
  } catch {
    return name
  }
}
