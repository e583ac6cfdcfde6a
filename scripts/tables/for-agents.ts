/** A page of the docs: its path, and its text. */
export interface DocsPage {
  readonly path: string
  readonly text: string
}

/** llms.txt: what the package is, and a line for each page. A title says what the page is about: `Queries: filter, sort, page`. */
export function llmsText(description: string, pages: readonly DocsPage[]): string {
  const lines = pages.map(({ path, text }) => {
    const [title = '', about] = headingOf(text).split(': ')
    return `- [${title}](${path})${about === undefined ? '' : `: ${about}`}`
  })
  return `# restable\n\n> ${description}.\n\n## Docs\n\n${lines.join('\n')}\n`
}

/** AGENTS.md: how to run it, where things are and the habits, in the words of CONTRIBUTING.md. */
export function agentsText(contributing: string): string {
  const [start = '', ...sections] = contributing.split(/^(?=## )/m)
  const wanted = sections.filter((section) => /^## (The rooms|Habits)/.test(section))
  const head = start.replace(/^# .*\n/, '').trim()
  return `# restable, for coding agents\n\n${head}\n\n${wanted.join('').trim()}\n\n[CONTRIBUTING.md](CONTRIBUTING.md) shows how a request is read and written, and how to add things.\n`
}

function headingOf(text: string): string {
  return /^# (.*)$/m.exec(text)?.[1] ?? ''
}
