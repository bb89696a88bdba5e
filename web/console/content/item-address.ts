import { mailGroupOf } from '#contract/publishing/content-emails.ts'
import type { ContentProblem } from '#contract/publishing/content-rules.ts'
import type { Language } from '#contract/platform/fields.ts'
import { pathTo, routes, isListed, type RouteName } from '../../kernel/routes/routes.ts'

const brandName = 'links'

type Params = { kind: string; name: string }

/** `facts/roadmap.json` becomes `facts` and `roadmap` in the address of its page. */
function paramsOf(piece: string): Params {
  const [kind = '', name = ''] = piece.split('/')
  return piece === 'brand.json'
    ? { kind: 'brand', name: brandName }
    : { kind, name: name.replace('.json', '') }
}

/** Undefined if no such item can exist. */
export function itemOf({ kind, name }: Record<string, string>): string | undefined {
  if (kind === 'brand') return name === brandName ? 'brand.json' : undefined
  if (kind === 'facts') return `facts/${name}.json`
  return kind === 'messages' || kind === 'mails' || kind === 'documents' ? `${kind}/${name}` : undefined
}

/** With a place, the item's page scrolls to it and focuses it. */
export function pathToItem(piece: string, place?: string): string {
  const path = pathTo('console.contentPiece', paramsOf(piece))
  return place === undefined ? path : `${path}?${new URLSearchParams({ at: place })}`
}

export const pathToHistory = (piece: string): string => pathTo('console.contentHistory', paramsOf(piece))

/** Returns the item that a problem belongs to, and the place in its form. */
export function placeOf({ file, place }: ContentProblem): { piece: string; place: string } {
  const [, language, name] = /^messages\/([a-z]+)\/(.*)\.json$/.exec(file) ?? []
  if (language) return { piece: `messages/${name}`, place: `${language}.${place}` }
  const [, ofMail] = /^emails\/([a-z]+)\.json$/.exec(file) ?? []
  if (ofMail) return { piece: `mails/${mailGroupOf(place)}`, place: `${ofMail}.${place}` }
  if (!file.startsWith('media/')) return { piece: file, place }
  const [base = '', ...rest] = place.split('.')
  return { piece: `documents/${base}`, place: rest.join('.') }
}

/** Content rules have messages in English and Chinese only. */
export const problemMessageIn = ({ words }: ContentProblem, language: Language): string =>
  (words as Readonly<Record<string, string>>)[language] ?? words.en

/** The messages of an item's problems by place; several at one place are joined. */
export function messagesByPlace(
  problems: readonly ContentProblem[],
  item: string,
  language: Language,
): Map<string, string> {
  const messages = new Map<string, string>()
  for (const problem of problems) {
    const { piece, place } = placeOf(problem)
    if (piece !== item) continue
    const before = messages.get(place)
    const message = problemMessageIn(problem, language)
    messages.set(place, before === undefined ? message : `${before} · ${message}`)
  }
  return messages
}

const onHome = ['home'] as const
const onHelp = ['help'] as const

/** The pages that show data files. Pages list the message files they need themselves. */
const pagesOfFacts: Readonly<Record<string, readonly RouteName[]>> = {
  'facts/coin-facts.json': onHome,
  'facts/comparison.json': onHome,
  'facts/features.json': onHome,
  'facts/partners.json': onHome,
  'facts/roadmap.json': onHome,
  'facts/synergy.json': onHome,
  'facts/team.json': onHome,
  'facts/faq.json': onHelp,
  'facts/manuals.json': onHelp,
  'facts/technical-help.json': onHelp,
  'facts/sale.json': ['home', 'sale'],
  'facts/ambassadors.json': ['ambassadorProgram'],
  'documents/white-paper': ['project', 'whitePaper'],
  'facts/white-paper.json': ['whitePaper'],
  'facts/display-rates.json': ['account.accountDetails'],
  'documents/ambassador-e-book': ['ambassadorProgram'],
}
const onEveryPage = ['messages/layout', 'messages/errors', 'messages/video', 'brand.json']

export const isOnEveryPage = (piece: string): boolean => onEveryPage.includes(piece)

/** Returns the pages of the site that contain an item; none if it is on all of them. */
export function pagesOf(piece: string): readonly RouteName[] {
  if (isOnEveryPage(piece)) return []
  const [kind, name = ''] = piece.split('/')
  if (kind === 'messages')
    return routes
      .filter(({ guard, words }) => guard !== 'staff' && (words as readonly string[]).includes(name))
      .map((route) => route.name)
  return pagesOfFacts[piece] ?? (kind === 'documents' ? onHelp : [])
}

/** The pages available in a preview. */
export const previewPages = (): readonly RouteName[] => routes.filter(isListed).map(({ name }) => name)
