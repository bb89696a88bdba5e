import type { ConsoleFigures } from '#contract/console/console-home.ts'

/** What the console's home page shows to staff without levels. */
export const noFigures: ConsoleFigures = {
  from: '2036-05-01',
  step: 1,
  figures: [],
  hasMoreCoins: false,
  path: [],
  sale: null,
}
