import type { ComponentType } from 'react'
import type { Language } from '#contract/fields.ts'
import type { PostedCheck } from '#contract/official.ts'
import type { Call } from '../call/call.ts'
import type { SpokenBrand } from '../content/brand.tsx'
import type { ReadFacts } from '../content/facts.ts'
import type { LateParts } from '../still/late-parts.ts'

export type LoadContext = {
  call: Call
  facts: ReadFacts
  brand: SpokenBrand
  language: Language
  params: Record<string, string>
  /** The query parameters that the route declares. */
  query: URLSearchParams
  /** The result of a form that was sent without JavaScript. */
  posted?: PostedCheck | undefined
}

/** Metadata of a page for a single item. */
export type PageHead = {
  title?: string
  description?: string
  /** The languages in which it exists; all by default. */
  languages?: readonly Language[]
  /** Kept out of search engines. */
  isUnlisted?: boolean
  /** Nothing exists at the address: the page says so, with status 404. */
  isMissing?: boolean
  /** An article rather than a page of the site itself. */
  isArticle?: boolean
  /** The address of its own share picture, on this site. */
  picture?: { path: string; width: number; height: number; alt: string }
}

/** `search` is empty on the server and during hydration; the view is rendered again with the real one. */
export type PageProps<Data> = { data: Data; params: Record<string, string>; search: URLSearchParams }

/** A picture, film poster, or font that the first screen needs; it is requested before anything else. */
export type Preload = { href: string; as: 'image' | 'font'; type?: string; media?: string }

export type Page<Data = unknown> = {
  /** Runs on the server for the first load and in the browser on navigation; the result is sent as JSON. */
  load?: (context: LoadContext) => Promise<Data>
  /** The parameters of the page's current address, if it has moved from the requested one. */
  movedTo?: (data: Data, params: Record<string, string>) => Record<string, string> | null
  preload?: (data: Data) => readonly Preload[]
  /** Static parts. Loaded on the server, and in the browser for every view but the first. */
  parts?: Pick<LateParts<unknown>, 'load'>
  /** Title and description, if they differ from the route's. */
  head?: (data: Data) => PageHead
  /** Contains the `<h1>`; `<main>` is already around it. */
  View: ComponentType<PageProps<Data>>
}

export const page = <Data>(page: Page<Data>): Page<Data> => page

/** Pages by their modules' paths, as `import.meta.glob` returns them. */
export type PageModules = Record<string, () => Promise<{ default: Page }>>

export type FindPage = (route: { file: string }) => Promise<Page>
