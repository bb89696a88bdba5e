import styles from './language-notice.module.css'

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/**
 * Precedes all other content of a page that may be outdated, or of any page during maintenance. It is part of the document, so it needs no script, and it
 * disappears on the next page.
 */
export const outageNotice = (sentence: string): string =>
  `<div role="status" id="outage" class="${styles['notice']}">${escape(sentence)}</div>`
