/** Sizes in the drawing's own units; apart from the layout, which the browser seldom needs. */
export const drawing = { width: 930, height: 750, rim: 288, core: 76, node: 22 }
