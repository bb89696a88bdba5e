import { ground } from '#content/colours.json'

/** Colours for the browser's own interface around the page. Apart from `layout/ground.ts`: no page's script needs them. */
export const groundColours = ground
