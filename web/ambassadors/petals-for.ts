/** Fewer make no flower. */
const fewest = 6

/** The petals of a flower in which each of so many people has the same number of them. */
export const petalsFor = (people: number): number => people * Math.ceil(fewest / people)
