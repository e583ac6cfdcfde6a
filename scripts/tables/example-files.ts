/** Which named blocks of the docs are files of an example. */
const EXAMPLES: readonly { readonly folder: string; readonly page: string; readonly files: RegExp }[] = [
  { folder: 'vite-react', page: 'docs/vite.md', files: /./ },
  {
    folder: 'next',
    page: 'docs/recipes.md',
    files: /^(?:db\.json|api\.js|next\.config\.mjs|app\/.*|route\.test\.mjs)$/,
  },
  {
    folder: 'playwright',
    page: 'docs/testing.md',
    files: /^(?:db\.json|playwright\.config\.mjs|posts\.e2e\.mjs)$/,
  },
]

/** The files of examples/ that the docs show, by path. */
export function exampleFiles(read: (path: string) => string): Readonly<Record<string, string>> {
  const files = EXAMPLES.flatMap(({ folder, page, files }) =>
    namedBlocks(read(page))
      .filter(([name]) => files.test(name))
      .map(([name, text]) => [`examples/${folder}/${name}`, text] as const),
  )
  return Object.fromEntries(files)
}

function namedBlocks(page: string): readonly (readonly [name: string, text: string])[] {
  return [...page.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)].map(([, name = '', text = '']) => [name, text])
}
