/** Sizes in drawing units. Separate from the layout, which browsers seldom need. */
export const drawing = { width: 930, height: 750, rim: 288, core: 76, node: 22 }
