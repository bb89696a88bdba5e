import { htmlLanguage } from '../i18n/language.ts'
import type { DocumentFile } from './find-document.ts'

/** What a link to a PDF says about its target. */
export const linkToDocument = (file: DocumentFile) => ({
  href: file.address,
  hrefLang: htmlLanguage[file.language],
  type: 'application/pdf',
})
