import { describe, expect, it } from 'vitest'
import { maskBody } from '../../../../src/core/layers/parts/captured-body.ts'
import { maskText, maskUrl } from '../../../../src/core/layers/parts/mask-secrets.ts'
import { isSecretName, isSecretParameter } from '../../../../src/core/layers/parts/secrets.ts'
import { cpuTime } from '../../../support/cpu-time.ts'

const SECRET = [
  ...['password', 'Password', 'PASSWORD', 'passWord', 'pass_word', 'passwords', 'newPassword', 'password2'],
  ...[
    'userpassword',
    'password_confirmation',
    'passwordHash',
    'passwd',
    'pwd',
    'db_pwd',
    'passphrase',
    'passwort',
  ],
  ...['secret', 'client_secret', 'clientSecret', 'clientsecret', 'secretKey', 'secrets', 'jwt.secret'],
  ...['token', 'TOKEN', 'accessToken', 'access_token', 'refresh-token', 'id-token', 'idToken', 'accesstoken'],
  ...[
    'X-Auth-Token',
    'x-csrf-token',
    'csrf',
    '_csrf',
    'token[]',
    'token[0]',
    'user[token]',
    'token_like',
    'token_ne',
  ],
  ...[
    'apikey',
    'apiKey',
    'APIKey',
    'API_KEY',
    'api.key',
    'x-api-key',
    'X-Access-Key',
    'accessKey',
    'private_key',
  ],
  ...['privateKey', 'authKey', 'Ocp-Apim-Subscription-Key', 'license_key', 'encryptionKey', 'master-key'],
  ...[
    'authorization',
    'Proxy-Authorization',
    'auth',
    'x-auth',
    'credentials',
    'awsCredential',
    'jwt',
    'bearer',
  ],
  ...[
    'cookie',
    'Set-Cookie',
    'JSESSIONID',
    'PHPSESSID',
    'connect.sid',
    'signature',
    'X-Amz-Signature',
    'sig',
    'otp',
  ],
  ...[
    'pass',
    'pw',
    'user.password',
    'login[password]',
    'pass-word',
    'user[pass]',
    'users[0].pw[]',
    'a.JSESSIONID',
  ],
  ...[
    'apiKeys',
    'api_keys',
    'apikeys',
    'accessKeys',
    'private_keys',
    'secretKeys',
    'sshKey',
    'clientsecrets',
  ],
  ...[
    'user_pass',
    'userPass',
    'userpass',
    'db_pass',
    'smtpPass',
    'DB_PASS',
    'old_pass',
    'pass_hash',
    'passHash',
  ],
  ...['user_pw', 'adminPw', 'accessTokens', 'refresh_tokens', 'apiTokens', 'user[user_pass]'],
]

const PLAIN = [
  ...[
    'author',
    'authorId',
    'author_id',
    'authors',
    'authority',
    'authorName',
    'authorizationUrl',
    'authentication',
  ],
  ...[
    'secretary',
    'secretaryId',
    'secretariat',
    'tokens',
    'maxTokens',
    'total_tokens',
    'tokenCount',
    'token_type',
  ],
  ...[
    'tokenize',
    'tokenizer',
    'tokenId',
    'nextPageToken',
    'page_token',
    'passenger',
    'passport',
    'compass',
    'bypass',
  ],
  ...[
    'boardingPass',
    'password_changed_at',
    'passwordLength',
    'isPasswordRequired',
    'passwordless',
    'secretType',
  ],
  ...['seasonPass', 'guest_pass', 'passes', 'foreignKeys', 'publicKeys', 'inputTokens', 'apiKeyCount'],
  ...['key', 'keys', 'keyboard', 'primaryKey', 'publicKey', 'foreign_key', 'sortKey', 'monkey', 'keyName'],
  ...[
    'session',
    'sessionId',
    'sessions',
    'cookies',
    'cookieBanner',
    'signatures',
    'sign',
    'credit',
    'name',
    '',
  ],
  ...[
    'id',
    'email',
    'user',
    'company_id',
    '_sort',
    '_limit',
    'q',
    'options',
    'pin',
    'etag',
    'if-none-match',
    'origin',
  ],
]

describe('a name', () => {
  it.each(SECRET)('%s is one of a secret', (name) => expect(isSecretName(name)).toBe(true))
  it.each(PLAIN)('%s is none', (name) => expect(isSecretName(name)).toBe(false))
  it.each(['key', 'Key', 'x-key', 'X-Key', 'token'])('%s is one in a URL or a header', (name) => {
    expect(isSecretParameter(name)).toBe(true)
  })
  it('is judged fast, however long', () => {
    const start = cpuTime()
    for (const unit of ['a', 'A', 'aA', 'a_', 'apikey', 'passw', 'token ', '0'])
      isSecretName(unit.repeat(16_000))
    expect(cpuTime() - start).toBeLessThan(1000)
  })
})

describe('a URL', () => {
  it.each([
    ['/products;token=hush/1', '/products;token=***/1'],
    ['/products;v=1;token=hush;x/1?a=1', '/products;v=1;token=***/1?a=1'],
    ['/x?a=1;token=hu;sh&b=2', '/x?a=1;token=***&b=2'],
    ['/x?url=http://ann:hush@host/', '/x?url=http://***@host/'],
    ['/x?url=http%3A%2F%2Fann%3Ahush%40host', '/x?url=http%3A%2F%2F***%40host'],
    ['/x?next=/login?token=hush', '/x?next=/login?token=***'],
    ['/x?next=%2Flogin%3Fa%3D1%26token%3Dhush', '/x?next=%2Flogin%3Fa%3D1%26token%3D***'],
    ['/x?next=%252Flogin%253Ftoken%253Dhush', '/x?next=%2Flogin%3Ftoken%3D***'],
    ['/x?filter=%7B%22password%22%3A%22hush%22%7D', '/x?filter=%7B%22password%22%3A%22***%22%7D'],
    ['/x?back=%23access_token%3Dhush', '/x?back=%23access_token%3D***'],
    ['http://ann:hush@localhost/x', 'http://***@localhost/x'],
    ['/go/http%3A%2F%2Fann%3Ahush%40host', '/go/http%3A%2F%2F***%40host'],
    ['/x?v=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.hush', '/x?v=***'],
  ])('%s is shown as %s', (url, wanted) => expect(maskUrl(url)).toBe(wanted))

  it.each([
    ...[
      '/users/ann@example.com',
      '/users?email=ann@example.com',
      '/users?email=ann%40example.com',
      '/a;v=1/b',
    ],
    ...[
      '/posts?authorId=1&secretary=ann&tokens=100&_sort=token',
      '/x?q=50%25',
      '/x?next=%2Fa%3Fb%3D1',
      '/x?a=%zz',
    ],
    ...['/x?filter=%7B%22author%22%3A1%7D', 'http://localhost/x?a=1', '/x?a==b&&;=&=', '/x?t=10:30@noon'],
  ])('%s is shown as it is', (url) => expect(maskUrl(url)).toBe(url))
})

describe('a text in a header or a field', () => {
  it.each([
    ['<http://a.test/?token=hush&_page=1>; rel="next"', '<http://a.test/?token=***&_page=1>; rel="next"'],
    [
      '</x?filter=%7B%22password%22%3A%7B%22eq%22%3A%22hush%22%7D%7D&_page=1>; rel="first", </x?_where=%7B%22token%22%3A%22hush%22%7D>',
      '</x?filter=%7B%22password%22%3A%22***%22%7D&_page=1>; rel="first", </x?_where=%7B%22token%22%3A%22***%22%7D>',
    ],
    ['/x?a=1;b=2;c=3;d=4;e=5;f=6;token=hush;g=7', '/x?a=1;b=2;c=3;d=4;e=5;f=6;token=***'],
    ['http://a.test/?next=/login?token=hush', 'http://a.test/?next=/login?token=***'],
    ['see http://a.test/?next=%2Flogin%3Ftoken%3Dhush!', 'see http://a.test/?next=%2Flogin%3Ftoken%3D***'],
    [
      '{"url":"/x?filter=%7B%22token%22%3A%22hush%22%7D"}',
      '{"url":"/x?filter=%7B%22token%22%3A%22***%22%7D"}',
    ],
    ['redis://:hush@cache:6379/0, other', 'redis://***@cache:6379/0, other'],
    ['{"token":"hush"}', '{"token":"***"}'],
    ['a = b, mail me @home', 'a = b, mail me @home'],
    ['send "Authorization: Bearer <token>".', 'send "Authorization: Bearer <token>".'],
    ['Send { "email": "…", "password": "…" }.', 'Send { "email": "…", "password": "…" }.'],
    ['<a><token>hush</token></a>', '***'],
    ['Bearer <token> <token>hush', '***'],
    ['</x?filter=%7B%22author%22%3A1%7D&b=%zz>', '</x?filter=%7B%22author%22%3A1%7D&b=%zz>'],
  ])('%s is shown as %s', (text, wanted) => expect(maskText(text)).toBe(wanted))

  it('is read to the end, however deep URLs are nested in URLs', () => {
    let [text, levels] = ['/x?a=1', 0]
    for (; text.length < 16_000; levels++) text = `/x?b=${encodeURIComponent(text)}`
    expect(levels).toBeGreaterThan(20)
    expect(maskText(text)).toBe(text)
  })
})

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

describe('a body', () => {
  it.each([
    [JSON_TYPE, '{"pass\\u0077ord":{"a":["hu"]}}', '{"password":"***"}'],
    [JSON_TYPE, '{"url":"http:\\/\\/ann:hush@host","a":1}', '{"url":"http://***@host","a":1}'],
    [JSON_TYPE, '{"inner":"{\\"token\\":\\"hush\\"}"}', '{"inner":"{\\"token\\":\\"***\\"}"}'],
    [JSON_TYPE, '{"inner":"{\\"token\\":\\"hu"}', '{"inner":"***"}'],
    [JSON_TYPE, '{"yaml":"user: ann\\npassword: hush"}', '{"yaml":"***"}'],
    [JSON_TYPE, '{"xml":"<a><token>hush</token></a>"}', '{"xml":"***"}'],
    [JSON_TYPE, '{"loose":"{password:hush}"}', '{"loose":"***"}'],
    ['text/plain', '{"password":"hush"}', '{"password":"***"}'],
    ['image/png', '[{"password":"hush"}]', '[{"password":"***"}]'],
    [FORM_TYPE, '{"password":"hush","a":true}', '{"password":"***","a":true}'],
    [FORM_TYPE, '%70assword=hush&a=1', '%70assword=***&a=1'],
    [FORM_TYPE, 'a=1&user%5Bpass%5D=hush%', 'a=1&user%5Bpass%5D=***'],
    [FORM_TYPE, 'a=1&password=hu;sh', 'a=1&password=***'],
    [FORM_TYPE, 'a=1&passw', 'a=1&passw'],
    [FORM_TYPE, 'a=%7B%22token%22%3A%22hush%22%7D', 'a=%7B%22token%22%3A%22***%22%7D'],
    [FORM_TYPE, 'a=%7B%22token%22%3A%22hu%2', 'a=***'],
    [FORM_TYPE, 'a=%E9%7Btoken%3Ahush', 'a=***'],
    [`${FORM_TYPE}; charset=utf-8`, 'token=hush', 'token=***'],
  ])('%s %j is shown as %j', (type, text, wanted) => expect(maskBody(text, type)?.text).toBe(wanted))

  it.each([
    [JSON_TYPE, '{"author":"Ann","authorId":1,"secretary":"Bob","tokens":12,"key":"theme"}'],
    [JSON_TYPE, '{"note":"my password: \\"none\\"","mail":"a@b.test","url":"/a?b=1"}'],
    [JSON_TYPE, '{"html":"<p class=\\"a\\">Dear secretary</p>\\n"}'],
    [JSON_TYPE, '"just a text"'],
    [FORM_TYPE, 'author=Ann&tokens=12'],
  ])('%s %s is shown as it is', (type, text) =>
    expect(maskBody(text, type)).toEqual({ text, isMasked: false }),
  )

  it.each([
    [JSON_TYPE, "{'password': 'hush', a: 1}"],
    [JSON_TYPE, '{"password":"hu'],
    [JSON_TYPE, '[{"op":"add","value":"hush","path":"/passw'],
    [JSON_TYPE, '{"a":1,"user":{token:{b:"hush"}},'],
    [JSON_TYPE, '{"a":1} password=hush'],
    [JSON_TYPE, 'password=hush'],
    [JSON_TYPE, 'hush'],
    [FORM_TYPE, '{password:hush}'],
    [FORM_TYPE, 'password: hush'],
    [FORM_TYPE, 'a=1, password=hush'],
    [FORM_TYPE, 'a=1\npassword=hush'],
    [FORM_TYPE, 'hush&a=1'],
    ['text/plain', 'password=hush&a=1'],
    ['text/plain', '1234'],
    ['text/yaml', 'password: hush'],
    ['text/xml', '<token>hush</token>'],
    ['multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nhush'],
    ['application/javascript', 'callback({"password":"hush"})'],
    ['', 'password=hush'],
    [JSON_TYPE, Buffer.from('{"password":"hush"}', 'utf16le').toString()],
  ])('%s %j is not shown', (type, text) => expect(maskBody(text, type)).toBeUndefined())

  it('shows no secret, wherever it is cut', () => {
    const inner = JSON.stringify({ 'pass\u0077ord': 'zzzz', list: ['a', { token: 'zzzz' }] })
    const json = JSON.stringify({ a: [1.5, true], inner, secret: { deep: ['zzzz'] }, url: '/x?token=zzzz' })
    const patch = '[{"op":"replace","value":{"a":"zzzz"},"path":"/user/password"}]'
    const form = new URLSearchParams({ inner, password: 'zzzz zzzz', a: '1' }).toString()
    for (const [whole, type] of [
      [json, JSON_TYPE],
      [patch, JSON_TYPE],
      [form, FORM_TYPE],
    ] as const) {
      for (let length = 1; length <= whole.length; length += 1) {
        expect(maskBody(whole.slice(0, length), type)?.text ?? '').not.toMatch(/z/)
      }
    }
  })

  it.each([
    ...[
      'a',
      '"',
      "'",
      '{',
      '[',
      '\\',
      '<a',
      '<password>',
      'a:',
      'password:',
      'name=a\n',
      '--\n',
      '://',
      'eyJ-',
      'eyJ.',
    ],
    ...['password=', '"password":', ' ', 'a=', '%', 'password: |\n ', ';', '?a'],
  ])('of nothing but %j is read fast', (unit) => {
    const text = unit.repeat(Math.ceil(16_384 / unit.length))
    const start = cpuTime()
    maskText(`{${text}`)
    maskBody(text, FORM_TYPE)
    maskBody(`{"a":${JSON.stringify(text)}`, JSON_TYPE)
    maskBody(`{${text}`, JSON_TYPE)
    maskUrl(`/x?a=${text}`)
    expect(cpuTime() - start).toBeLessThan(1000)
  })
})
