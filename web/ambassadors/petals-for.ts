/** With fewer it does not look like a flower. */
const fewest = 6
/** With more, petals cannot be told apart. */
const most = 24

/** The number of petals: the same for each person, up to the maximum that can be drawn. */
export function petalsFor(people: number): number {
  if (people === 0) return fewest
  return people > most ? most : people * Math.ceil(fewest / people)
}
