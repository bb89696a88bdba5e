import { join } from 'node:path'
import { isTemplateExpression, type Node } from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'
import { expect, test } from 'vitest'
import {
  baseFiles,
  changesAsWhole,
  itemsOf,
  listedDocuments,
} from '#api/publishing/content/editing/content-item.ts'
import { shapeOf } from '#api/publishing/content/editing/content-shape.ts'
import { factSchemas } from '#api/publishing/content/rules/fact-schemas.ts'
import { isAboutFinance } from '#api/platform/mail/console/mail-scope.ts'
import brand from '#content/brand.json'
import type { ContentShape } from '#contract/publishing/content-shapes.ts'
import { fieldProblems, errorStatuses } from '#contract/platform/errors.ts'
import cn from '#content/messages/cn/errors.json'
import en from '#content/messages/en/errors.json'
import mails from '#content/emails/en.json'
import { messageKeys } from '#tests/setup/words.ts'
import { findPlaceholders, makeMessageTypes } from '../../scripts/make-message-types.ts'
import { root, sourcesIn, textOf } from './source-files.ts'

// scripts/check-content.ts checks that both languages have the same keys and placeholders.

const sources = ['web', 'serve', 'api'].flatMap(sourcesIn)
const namespaces = [...new Set([...messageKeys].map((key) => key.split('.')[0]!))].join('|')

/** A template literal in a source file. `values` are all its possible texts, or null if it can be any string. */
type Template = { place: string; text: string; values: readonly string[] | null }

/**
 * Returns the template literals of a project that look like message keys of these namespaces, with the values that
 * their types allow. A template that begins with a value, such as `${words}.title`, is one if all its values are.
 */
function findTemplates(project: string, files: readonly string[], namespaces: string): Template[] {
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

const templates = ['web', 'api'].flatMap((project) =>
  findTemplates(
    project,
    sources.filter((file) => file.startsWith(`${project}/`)),
    namespaces,
  ),
)

/** The names of the fields of a form, and the options of its choices. */
function namesIn(shape: ContentShape): string[] {
  if (shape.kind === 'choice') return [...shape.options]
  if (shape.kind === 'list' || shape.kind === 'named') return namesIn(shape.item)
  return shape.kind === 'object' ? shape.fields.flatMap(({ name, shape: of }) => [name, ...namesIn(of)]) : []
}

/** The keys that `labelIn` makes of the names in content. */
function labelsOfContent(): string[] {
  const edited = itemsOf(baseFiles()).filter(changesAsWhole)
  const shapes = edited.map((piece) => shapeOf(factSchemas[piece as keyof typeof factSchemas]))
  // A brand may leave out links, but the words for them stay.
  const channels = [...namesIn(shapeOf(factSchemas['brand.json'].shape.links)), ...Object.keys(brand.social)]
  const fields = [
    ...shapes.flatMap(namesIn),
    ...listedDocuments(baseFiles()).flatMap(Object.keys),
    ...channels,
  ]
  const groups = {
    'consoleContent.choice': fields,
    'consoleContent.field': fields,
    'official.name': channels,
  }
  return Object.entries(groups).flatMap(([group, names]) => names.map((name) => `${group}.${name}`))
}

test('every message is used: its key is written out, has a template’s type, or is of a name in content', () => {
  // The names of content items are also used in emails.
  const users = [...sources, 'contract/publishing/content-item-names.ts']
  const used = new Set([
    ...users.flatMap((file) => [...textOf(file).matchAll(/(['"`])([\w.-]+)\1/g)].map((match) => match[2]!)),
    ...templates.flatMap(({ values }) => values ?? []),
    ...labelsOfContent(),
  ])
  expect([...messageKeys].filter((key) => !used.has(key)).toSorted()).toEqual([])
})

test('the compiler knows every key: templates are typed by enumerations, and no cast or sum hides a key', () => {
  const untyped = templates.filter(({ values }) => !values?.every((key) => messageKeys.has(key)))
  expect(untyped).toEqual([])
  const hidden = new RegExp(
    `['"](?:${namespaces})\\.[\\w.]*['"]\\s*\\+|\\bas (?:MessageKey|PlainKey|PdfKey|(?:Pdf)?KeyTaking<)`,
  )
  // Session storage returns the key that the previous page stored.
  expect(sources.filter((file) => hidden.test(textOf(file)))).toEqual(['web/kernel/notices/flash-message.ts'])
})

test('the types of values are those of the English words (npm run words:types writes them anew)', () => {
  expect(makeMessageTypes(true)).toEqual([])
})

test('every mail that has words is sent', () => {
  const frame = [
    'greeting',
    'signature',
    'footer',
    'footerEntered',
    'footerNews',
    'footerChoices',
    'official',
    'phrase',
  ]
  // Folders of emails list kinds, but other folders send them, except the test email.
  const source = sources
    .filter(
      (file) =>
        file.startsWith('api/') &&
        !/^api\/platform\/(mail\/(?!console\/send-test)|text\/placeholders)/.test(file),
    )
    .map(textOf)
    .join('\n')
  const begins = [...source.matchAll(/`([\w-]+-)\$\{\w+\}`/g)].map((match) => match[1]!)
  const kinds = Object.keys(mails).filter((key) => !frame.includes(key))
  const isSent = (kind: string) =>
    source.includes(`'${kind}'`) || begins.some((begin) => kind.startsWith(begin))
  expect(kinds.filter((kind) => !isSent(kind))).toEqual([])
})

/** For staff. They name no member. */
const ofNobody = [
  'sale-cap-exceeded',
  'staff-kyc-shared',
  'staff-orders-not-payable',
  'staff-orders-waiting',
  'staff-withdrawal',
  'staff-withdrawal-second',
]

test('the name of an email about an identity case or an order limits which staff can read it', () => {
  const source = sources
    .filter((file) => /^api\/(people\/kyc|money\/(orders|chain-payments))\//.test(file))
    .map(textOf)
    .join('\n')
  const sent = Object.keys(mails).filter((kind) => source.includes(`'${kind}'`))
  expect(sent.filter((kind) => !isAboutFinance(kind)).toSorted()).toEqual(ofNobody)
})

test('sentences take the same values in both languages', () => {
  expect(findPlaceholders('cn')).toEqual(findPlaceholders('en'))
})

test.each([
  ['English', en],
  ['Chinese', cn],
])('every refusal and every problem of a field has its words in %s', (_, words: Record<string, string>) => {
  const keys = [
    ...Object.keys(errorStatuses).map((code) => `errors.${code}`),
    ...fieldProblems.map((code) => `field.${code}`),
  ]
  expect(keys.filter((key) => !words[key]?.trim())).toEqual([])
})
