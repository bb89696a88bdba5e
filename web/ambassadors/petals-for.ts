/** With fewer petals it does not look like a flower. */
const fewest = 6
/** With more petals they cannot be told apart. */
const most = 24

/** Returns the number of petals: one per person, up to the maximum that can be drawn. */
export function petalsFor(people: number): number {
  if (people === 0) return fewest
  return people > most ? most : people * Math.ceil(fewest / people)
}
