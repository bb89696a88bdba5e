const yes = '--yes'

/** Separates `--yes`, which answers the question of a command in advance, from the other words. */
export const readWords = (args: readonly string[]): { words: string[]; isConfirmed: boolean } => ({
  words: args.filter((word) => word !== yes),
  isConfirmed: args.includes(yes),
})
