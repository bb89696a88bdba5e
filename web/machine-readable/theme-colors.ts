import { copper, ground, text, textQuiet } from '#content/colours.json'

/**
 * Colors for the browser's own interface around the page. Separate from `layout/color-scheme.ts`, because no page
 * script needs them.
 */
export const themeColors = ground

/** Colors for pages that don't use the site's style sheets. */
export const plainColors = { copper, text, textQuiet }
