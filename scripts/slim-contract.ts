import { parseAst, type Plugin } from 'vite'

/** Functions of the contract that declare endpoints. */
const declaring: readonly string[] = ['endpoint', 'resource', 'bulk']

/** Properties of a declaration that only the server and the API document read. */
export const onlyForServers: readonly string[] = [
  'about',
  'acceptsFiles',
  'auditsAccess',
  'auditsItself',
  'changesWith',
  'errors',
  'isRevalidated',
  'output',
  'params',
  'proofOfWorkAfter',
  'row',
  'status',
  'withoutAppId',
]

type Node = { type: string; start: number; end: number; [name: string]: unknown }
type Edit = { start: number; end: number; text: string }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)

const callsIn = (node: Node): Node[] => [
  ...(node.type === 'CallExpression' ? [node] : []),
  ...childrenOf(node).flatMap(callsIn),
]

/** Cuts properties of a declaration, and those of the file and the record that a list declares. */
function cutsIn(declared: Node): Edit[] {
  return childrenOf(declared).flatMap((property) => {
    const { name } = (property['key'] ?? {}) as { name?: string }
    const value = property['value']
    if (name === undefined) return []
    if (onlyForServers.includes(name)) return [{ start: property.start, end: property.end, text: '...null' }]
    return ['detail', 'file'].includes(name) && isNode(value) ? cutsIn(value) : []
  })
}

/** The variables that a module declares at its top level. */
const variablesOf = (module: Node): Node[] =>
  childrenOf(module)
    .map((statement) => (isNode(statement['declaration']) ? statement['declaration'] : statement))
    .filter(({ type }) => type === 'VariableDeclaration')
    .flatMap(childrenOf)

/** Marks a declaration as free of effects, so that the bundler omits it where nobody reads it. */
function marksAround({ init }: Node): Edit[] {
  if (!isNode(init) || /Function/.test(init.type) || callsIn(init).length === 0) return []
  return [
    { start: init.start, end: init.start, text: '/* @__PURE__ */ (() => (' },
    { start: init.end, end: init.end, text: '))()' },
  ]
}

/** Leaves out of a module of the contract what no browser reads: descriptions, responses, and unused declarations. */
export function slimModule(code: string): string {
  const module = parseAst(code, { lang: 'ts' }) as unknown as Node
  const cuts = callsIn(module)
    .filter(({ callee }) => declaring.includes((callee as { name?: string }).name ?? ''))
    .flatMap((call) => (call['arguments'] as Node[]).filter(({ type }) => type === 'ObjectExpression'))
    .flatMap(cutsIn)
  const edits = [...cuts, ...variablesOf(module).flatMap(marksAround)].toSorted((a, b) => b.start - a.start)
  return edits.reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), code)
}

/** A browser calls an endpoint by method and path. The contract's modules only declare, so none of them has effects. */
export const slimContract = (): Plugin => ({
  name: 'slim-contract',
  apply: 'build',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name !== 'ssr',
  transform: {
    filter: { id: /\/contract\/.*\.ts$/ },
    handler: (code) => ({ code: slimModule(code), map: null }),
  },
})
