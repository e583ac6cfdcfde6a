import { readdirSync, readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Turns of phrase that read as translated: an example of each, and what to write instead. */
const HABITS: readonly (readonly [habit: RegExp, example: string, instead: string])[] = [
  [/\banew\b/, 'reads the file anew', '"again", "reloads", "rebuilds"'],
  [/\bat once\b/, 'is closed at once', '"immediately", "synchronously" or "together", whichever is meant'],
  [/\bfor ever\b/, 'would wait for ever', '"forever"'],
  [/\banyhow\b/, 'is done anyhow', '"anyway"'],
  [/\bany more\b/, 'nobody reads it any more', '"anymore", or "no longer"'],
  [/(?<!there) is no (?:valid|plain|\w+ valid)\b/, 'The body is no valid JSON', '"is not valid"'],
  [
    /(?<!there) is no (?:JSON|number|text|string|list|object|file|folder|row|collection|data|match|secret)\b/i,
    'its value is no number',
    '"is not a …"',
  ],
  [/\b(?:be|as|was|is) a text\b/, 'must be a text', '"a string"'],
  [/\bwhoever\b/i, 'Whoever reads it meanwhile', 'who that is: "a client", "a process", "another request"'],
  [/\bthose who\b/i, 'tells those who wait', 'who they are: "waiting requests", "listeners"'],
  [/\bin vain\b/, 'waits in vain', 'what happens: "is never answered"'],
  [/\b(?:have|has|get|gets|gives?) (?:others |its |their )+turn\b/, 'others have their turn', '"yields"'],
  [/\bso many (?:rows|characters|values|bytes|steps)\b/i, 'after so many rows', '"this many"'],
  [/\bunder way\b/, 'requests under way', '"in flight", "in progress"'],
  [/\bwithout a word\b/, 'ends without a word', '"silently"'],
  [/\bof the user's own\b/, "a file of the user's own", '"a user\'s file"'],
  [
    /\b(?:is|are|was|were) to be \w+ed\b/,
    'what is to be saved',
    '"to save", "must be saved", "will be saved"',
  ],
  [/\bTo be (?:called|asked|told)\b/, 'To be called before a write', '"Call before a write"'],
  [/\bbe it (?:a|the|with|null)\b/, 'be it with the value null', '"even if", "whether … or …"'],
  [
    /colour|behaviour|neighbour|licence|\b(?:optim|recogn|normal|serial)is(?:e|ed|ing|ation)/i,
    'its behaviour',
    'American spelling',
  ],
]

const files = [
  'README.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...filesIn('docs'),
  ...filesIn('src'),
  ...filesIn('scripts'),
].filter((file) => /\.(?:md|[cm]?tsx?|css|html)$/.test(file))

function filesIn(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.map((name) => `${folder}/${name.split(sep).join('/')}`)
}

/** Sentences run across lines, with a comment's marks at the start of each. */
const texts = files.map(
  (file) => [file, readFileSync(file, 'utf8').replace(/\s*\n\s*(?:\*|\/\/)? */g, ' ')] as const,
)

describe('plain English', () => {
  it.each(HABITS)('is not %s (as in "%s"): write %s', (habit, example) => {
    expect(example).toMatch(habit)
    const found = texts.flatMap(([file, text]) => {
      const at = text.search(habit)
      return at === -1 ? [] : [`${file}: …${text.slice(Math.max(0, at - 40), at + 40)}…`]
    })
    expect(found).toEqual([])
  })

  it('begins a doc comment with what it describes: a noun of the code or the field', () => {
    const begins = /\/\*\*\s+(?:\* )?(?:What|Those|It|That|One|This)\b[^*]{0,60}/
    expect('/** What a file holds */').toMatch(begins)
    const code = files.filter((file) => /^src\/.*\.tsx?$/.test(file))
    const found = code.flatMap((file) => {
      // Types that the server writes for users are strings of the code.
      const [begun] = begins.exec(readFileSync(file, 'utf8').replace(/`\/\*\*.*/g, '')) ?? []
      return begun === undefined ? [] : [`${file}: ${begun}`]
    })
    expect(found).toEqual([])
  })

  it('is looked for in everything that people read', () => {
    expect(files.length).toBeGreaterThan(200)
    expect(files).toContain('docs/queries.md')
  })
})
