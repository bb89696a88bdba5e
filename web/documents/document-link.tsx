import type { ReactNode } from 'react'
import { htmlLanguage } from '../i18n/language.ts'
import type { DocumentFile } from './find-document.ts'

/** A link to a PDF that says what it leads to. `saved` where the words promise a download. */
export function DocumentLink({
  file,
  saved = false,
  className,
  children,
}: {
  file: DocumentFile
  saved?: boolean
  className?: string | undefined
  children: ReactNode
}) {
  return (
    <a
      href={file.address}
      hrefLang={htmlLanguage[file.language]}
      type="application/pdf"
      download={saved || undefined}
      className={className}
    >
      {children}
    </a>
  )
}
