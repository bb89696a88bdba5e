import type { ComponentType } from 'react'
import type { Language } from '#contract/platform/fields.ts'
import type { PostedContact } from '#contract/people/conversations.ts'
import type { PostedReminder } from '#contract/money/public-sale.ts'
import type { PostedCheck } from '#contract/publishing/official.ts'
import type { Call } from '../call/call.ts'
import type { LocalizedBrand } from '../content/brand.tsx'
import type { ReadFacts } from '../content/facts.ts'
import type { DeferredComponents } from '../still/deferred-components.ts'

export type LoadContext = {
  call: Call
  facts: ReadFacts
  brand: LocalizedBrand
  language: Language
  params: Record<string, string>
  /** The query parameters that the route declares. */
  query: URLSearchParams
  /** The result of a form that was sent without JavaScript. */
  posted?: PostedCheck | PostedContact | PostedReminder | undefined
}

/** Metadata of a page for a single item. */
export type PageHead = {
  title?: string
  description?: string
  /** The languages in which it exists; all by default. */
  languages?: readonly Language[]
  /** Whether it is kept out of search engines. */
  isUnlisted?: boolean
  /** The path and query of the page that search engines list instead, without a language prefix. */
  listedAs?: string
  /** Whether nothing exists at the address. The page says so, with status 404. */
  isMissing?: boolean
  /** Whether it is an article instead of a page of the site itself. */
  isArticle?: boolean
  /** The address of its own share picture, on this site. */
  picture?: { path: string; width: number; height: number; alt: string }
}

/** `search` is empty on the server and during hydration. The view is then rendered again with the actual value. */
export type PageProps<Data> = { data: Data; params: Record<string, string>; search: URLSearchParams }

/** A picture, film poster, or font that the first screen needs. It is requested before anything else. */
export type Preload = { href: string; as: 'image' | 'font'; type?: string; media?: string }

export type Page<Data = unknown> = {
  /** Runs on the server for the first load and in the browser on navigation. The result is sent as JSON. */
  load?: (context: LoadContext) => Promise<Data>
  /** Returns the parameters of the page's current address, if it has moved from the requested one. */
  movedTo?: (data: Data, params: Record<string, string>) => Record<string, string> | null
  preload?: (data: Data) => readonly Preload[]
  /** Static components. Loaded on the server, and in the browser for every view but the first. */
  parts?: Pick<DeferredComponents<unknown>, 'load'>
  /** Title and description, if they differ from the route's. */
  head?: (data: Data) => PageHead
  /** Renders the `<h1>`; `<main>` is already around it. */
  View: ComponentType<PageProps<Data>>
}

export const page = <Data>(page: Page<Data>): Page<Data> => page

/** Pages by the paths of their modules, as `import.meta.glob` returns them. */
export type PageModules = Record<string, () => Promise<{ default: Page }>>

export type FindPage = (route: { file: string }) => Promise<Page>
