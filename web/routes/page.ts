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
  /** What came of a form that was sent without script. */
  posted?: PostedCheck | undefined
}

/** Metadata of a page that is one of many on its route. */
export type PageHead = {
  title?: string
  description?: string
  /** The languages that it exists in; both by default. */
  languages?: readonly Language[]
  /** Kept out of search engines. */
  isUnlisted?: boolean
  /** There is nothing at the address: the page says so, with status 404. */
  isMissing?: boolean
  /** An article, not a page of the site itself. */
  isArticle?: boolean
  /** The address of its own picture for sharing, on this site. */
  picture?: { path: string; width: number; height: number; alt: string }
}

/** `search` is empty on the server and while hydrating; the view is rendered again with the real one. */
export type PageProps<Data> = { data: Data; params: Record<string, string>; search: URLSearchParams }

/** A picture, film poster or font that the first screen needs; it is requested before anything else. */
export type Preload = { href: string; as: 'image' | 'font'; type?: string; media?: string }

export type Page<Data = unknown> = {
  /** Runs on the server for the first load and in the browser on navigation; the result is sent as JSON. */
  load?: (context: LoadContext) => Promise<Data>
  /** The parameters of the page's present address, if it has moved from the requested one. */
  movedTo?: (data: Data, params: Record<string, string>) => Record<string, string> | null
  preload?: (data: Data) => readonly Preload[]
  /** What it shows without changing it. Loaded on the server, and in the browser for every view but the first. */
  parts?: Pick<LateParts<unknown>, 'load'>
  /** Title and description, if they differ from the route's. */
  head?: (data: Data) => PageHead
  /** Contains the `<h1>`; `<main>` is already around it. */
  View: ComponentType<PageProps<Data>>
}

export const page = <Data>(page: Page<Data>): Page<Data> => page

/** Pages by their modules' places, as `import.meta.glob` finds them. */
export type PageModules = Record<string, () => Promise<{ default: Page }>>

export type FindPage = (route: { file: string }) => Promise<Page>
