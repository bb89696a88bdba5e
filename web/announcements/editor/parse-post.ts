import { getSchema, type JSONContent } from '@tiptap/core'
import { DOMParser } from '@tiptap/pm/model'
import { trustedHtml } from '../../ui/trusted-html.ts'
import { extensions } from './extensions.ts'

/** A stored post as the editor's document. Parsed in a document of its own, where nothing loads and nothing runs. */
export function parsePost(html: string): JSONContent {
  const inert = document.implementation.createHTMLDocument('')
  inert.body.innerHTML = trustedHtml(html)
  return DOMParser.fromSchema(getSchema(extensions)).parse(inert.body).toJSON() as JSONContent
}
