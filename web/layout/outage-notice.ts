import styles from './language-notice.module.css'

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Before everything else of a page that may be out of date. The document holds it, so that it needs no script; the next page goes without. */
export const outageNotice = (sentence: string): string =>
  `<div role="status" id="outage" class="${styles['notice']}">${escape(sentence)}</div>`
