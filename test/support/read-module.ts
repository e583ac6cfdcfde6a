import { parseAst } from 'vitest/node'

/** What a module reaches for. */
export interface ModuleUse {
  /** What it imports in any way, types included; undefined when the name is computed. */
  readonly imports: readonly (string | undefined)[]
  /** Uses of what is there without an import, such as `process.exit` or `console.log`. */
  readonly globals: readonly string[]
  /** Kinds of the statements at its top level; of an exported declaration, what it declares. */
  readonly statements: readonly string[]
}

const GLOBALS = ['process', 'console', 'globalThis']

/** Reads TypeScript source with a real parser: what stands in a comment or a string is no import. */
export function readModule(source: string, lang: 'ts' | 'tsx' = 'ts'): ModuleUse {
  const { body } = parseAst(source, { lang })
  const imports: (string | undefined)[] = []
  const globals: string[] = []
  for (const node of nodesOf(body)) {
    if (isImport(node)) imports.push(literal(node.source ?? node.argument ?? node.expression))
    else if (node.type === 'CallExpression' && isRequire(node.callee)) imports.push(literal(first(node)))
    else if (node.type === 'MemberExpression' && isNode(node.object)) {
      const name = node.object.type === 'Identifier' ? String(node.object.name) : ''
      if (GLOBALS.includes(name)) globals.push(`${name}.${propertyName(node)}`)
    } else if (node.type === 'VariableDeclarator' && isNode(node.init) && isNode(node.id)) {
      globals.push(...taken(node.init, node.id))
    }
  }
  return { imports, globals, statements: body.map(kindOf) }
}

function kindOf(statement: object): string {
  const declared = 'declaration' in statement ? statement.declaration : undefined
  if (isNode(declared)) return declared.type
  return isNode(statement) ? statement.type : '?'
}

interface Node extends Record<string, unknown> {
  readonly type: string
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

function* nodesOf(value: unknown): Generator<Node> {
  if (isNode(value)) yield value
  if (typeof value !== 'object' || value === null) return
  for (const child of Object.values(value)) yield* nodesOf(child)
}

function isImport(node: Node): boolean {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
    case 'TSExternalModuleReference':
      return true
    case 'ExportNamedDeclaration':
      return isNode(node.source)
    default:
      return false
  }
}

/** `require(…)`, and an immediate `createRequire(…)(…)`. */
function isRequire(callee: unknown): boolean {
  if (!isNode(callee)) return false
  if (callee.type === 'Identifier') return callee.name === 'require'
  return callee.type === 'CallExpression' && isNode(callee.callee) && callee.callee.name === 'createRequire'
}

function first(call: Node): unknown {
  return Array.isArray(call.arguments) ? call.arguments[0] : undefined
}

function literal(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'TSLiteralType') return literal(node.literal)
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis) || node.quasis.length !== 1)
    return undefined
  const [quasi]: readonly { value?: { cooked?: string } }[] = node.quasis
  return quasi?.value?.cooked
}

function propertyName(node: Node): string {
  if (!isNode(node.property)) return '?'
  if (node.computed === true) return literal(node.property) ?? '?'
  return String(node.property.name)
}

/** `const { pid } = process` is a use of `process.pid`; `const p = process` is one of everything. */
function taken(init: Node, id: Node): string[] {
  if (init.type !== 'Identifier' || !GLOBALS.includes(String(init.name))) return []
  if (id.type !== 'ObjectPattern' || !Array.isArray(id.properties)) return [`${init.name}.?`]
  return id.properties.map((property: unknown) =>
    isNode(property) && isNode(property.key) ? `${init.name}.${property.key.name}` : `${init.name}.?`,
  )
}
