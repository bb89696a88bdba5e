import type { ComponentType } from 'react'
import type { Language } from '#contract/fields.ts'
import type { Call } from '../call/call.ts'

export type LoadContext = {
  call: Call
  language: Language
  params: Record<string, string>
  /** What the route names of the query. */
  query: URLSearchParams
}

/** What the document says of a page that is one of many. */
export type PageHead = {
  title?: string
  description?: string
  /** The languages that it exists in; both where nothing is said. */
  languages?: readonly Language[]
  /** Kept out of search engines. */
  isUnlisted?: boolean
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
  /** Runs on the server for the first load and in the browser on navigation; the result travels as JSON. */
  load?: (context: LoadContext) => Promise<Data>
  /** Where its data is found by now, if that is not where it was asked for: the parameters of the present address. */
  movedTo?: (data: Data, params: Record<string, string>) => Record<string, string> | null
  preload?: readonly Preload[]
  /** Where title and description are not those of the route. */
  head?: (data: Data) => PageHead
  /** Brings its `<h1>`; `<main>` is around it already. */
  View: ComponentType<PageProps<Data>>
}

export const page = <Data>(page: Page<Data>): Page<Data> => page
