import { htmlLanguage } from '../i18n/language.ts'
import type { DocumentFile } from './find-document.ts'

/** Attributes of a link to a PDF that describe its target. */
export const linkToDocument = (file: DocumentFile) => ({
  href: file.address,
  hrefLang: htmlLanguage[file.language],
  type: 'application/pdf',
})
