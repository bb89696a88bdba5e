/** With fewer it does not look like a flower. */
const fewest = 6

/** The number of petals for so many people: the same number for each. */
export const petalsFor = (people: number): number => people * Math.ceil(fewest / people)
