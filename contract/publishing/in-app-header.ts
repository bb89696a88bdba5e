/**
 * Header of the HEAD request with which the browser announces a page that it opened without loading a document, so that
 * the server counts the page as read.
 */
export const inAppHeader = 'x-in-app'
