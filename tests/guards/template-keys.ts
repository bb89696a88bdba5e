import { API } from 'typescript/unstable/sync'
import { isTemplateExpression, type Node } from 'typescript/unstable/ast'
import { join } from 'node:path'
import { root, textOf } from './source-files.ts'

/** A template literal in a source file. `values` are all its possible texts, or null if it can be any string. */
export type Template = { place: string; text: string; values: readonly string[] | null }

/**
 * Returns the template literals of a project that look like message keys of these namespaces, with the values that
 * their types allow. A template that begins with a value, such as `${words}.title`, is one if all its values are.
 */
export function findTemplates(project: string, files: readonly string[], namespaces: string): Template[] {
  const begins = new RegExp(`^(?:${namespaces})\\.[\\w.-]*$`)
  const ends = /^(?:\.\w+)+$/
  const isKey = (value: string | null) => value !== null && new RegExp(`^(?:${namespaces})\\.`).test(value)
  const api = new API({ cwd: root })
  try {
    const config = join(root, project, 'tsconfig.json')
    const loaded = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (!loaded) throw new Error(`the compiler does not load ${config}`)
    const found: { place: string; node: Node }[] = []
    const visit = (place: string) => (node: Node) => {
      if (isTemplateExpression(node)) {
        const fixed = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join('')
        if (begins.test(fixed) || (node.head.text === '' && ends.test(fixed))) found.push({ place, node })
      }
      node.forEachChild(visit(place))
    }
    for (const file of files.filter((each) => textOf(each).includes('${'))) {
      loaded.program.getSourceFile(join(root, file))?.forEachChild(visit(file))
    }
    const types = loaded.checker.getTypeAtLocation(found.map(({ node }) => node))
    const templates = found.map(({ place, node }, index) => {
      const type = types[index]
      const each = type?.isUnionType() ? type.getTypes() : type ? [type] : []
      const values = each.map((one) => (one.isStringLiteralType() ? one.value : null))
      const isKnown = values.length > 0 && values.every((value) => value !== null)
      return { place, text: node.getText(), values: isKnown ? values : null }
    })
    return templates.filter(({ text, values }) => !text.startsWith('`${') || values?.every(isKey))
  } finally {
    api.close()
  }
}
