import { describe, expect, it } from 'vitest'
import { maskBody } from '../../../src/layers/mask/captured-body.ts'
import { maskText, maskUrl } from '../../../src/layers/mask/mask-text.ts'
import { isSecretName, isSecretParameter } from '../../../src/layers/mask/secrets.ts'
import { cpuTime } from '../../support/cpu-time.ts'

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
    ['</x?filter=%7B%22author%22%3A1%7D&b=%zz>', '</x?filter=%7B%22author%22%3A1%7D&b=%zz>'],
  ])('%s is shown as %s', (text, wanted) => expect(maskText(text)).toBe(wanted))

  it('is read to the end, however deep URLs are nested in URLs', () => {
    let [text, levels] = ['/x?a=1', 0]
    for (; text.length < 16_000; levels++) text = `/x?b=${encodeURIComponent(text)}`
    expect(levels).toBeGreaterThan(20)
    expect(maskText(text)).toBe(text)
  })
})

describe('a body', () => {
  it.each([
    ['text/plain', '{password:hush}', '{password:***}'],
    ['application/json', "{'password': 'hush', a: 1}", '{\'password\': "***", a: 1}'],
    ['application/json', '{password: hush it, "a": 1}', '{password: ***, "a": 1}'],
    ['application/json', '{"a":1,"user":{token:{b:"hush"}},', '{"a":1,"user":{token:"***"},'],
    ['application/json', '{"password" : "hush",}', '{"password" : "***",}'],
    ['application/json', '{"password":"hu', '{"password":"***"'],
    ['application/json', '{"url":"http:\\/\\/ann:hush@host","a":1}', '{"url":"http://***@host","a":1}'],
    ['application/json', '{"inner":"{\\"token\\":\\"hush\\"}"}', '{"inner":"{\\"token\\":\\"***\\"}"}'],
    ['text/plain', 'password=hush&a=1', 'password=***&a=1'],
    ['', '%70assword=hush&a=1\n', '%70assword=***&a=1\n'],
    ['application/json', 'a=1&token=hush', 'a=1&token=***'],
    ['application/x-www-form-urlencoded', '{password:hush}', '{password:***}'],
    ['text/plain', 'user = ann\npassword = hush\nkey = 1', 'user = ann\npassword = ***\nkey = 1'],
    ['text/yaml', 'user: ann\npassword: hush hush\nage: 1', 'user: ann\npassword: ***\nage: 1'],
    ['text/yaml', 'password: |\n  hush\n  hush\nage: 1', 'password: ***age: 1'],
    [
      'text/xml',
      '<a password="hush"><token>hu<b/>sh</token></a>',
      '<a password="***"><token>***</token></a>',
    ],
    ['text/xml', '<password><![CDATA[hush', '<password>***'],
    [
      'text/plain',
      '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nhu\r\nsh\r\n--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--',
      '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n***\n--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--',
    ],
  ])('%s %j is shown as %j', (type, text, wanted) => expect(maskBody(text, type)).toBe(wanted))

  it.each([
    ['application/json', '{"author":"Ann","authorId":1,"secretary":"Bob","tokens":12,"key":"theme"}'],
    ['application/json', '{"note":"my password: \\"none\\"","mail":"a@b.test","url":"/a?b=1"}'],
    ['application/json', '{author: Ann, tokens: 12,'],
    ['application/x-www-form-urlencoded', 'author=Ann&tokens=12'],
    ['text/plain', 'Dear secretary, the author has 12 tokens: use them. a=b'],
    ['text/xml', '<author tokens="12"><secretary>Bob</secretary></author>'],
  ])('%s %s is shown as it is', (type, text) => expect(maskBody(text, type)).toBe(text))

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
    maskBody(text, 'text/plain')
    maskBody(`{${text}`, 'application/json')
    maskUrl(`/x?a=${text}`)
    expect(cpuTime() - start).toBeLessThan(1000)
  })
})
