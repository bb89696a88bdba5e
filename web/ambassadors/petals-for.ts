/** With fewer it does not look like a flower. */
const fewest = 6
/** With more no petal is told from the next. */
const most = 24

/** The number of petals for so many people: the same number for each, up to as many as can be drawn. */
export function petalsFor(people: number): number {
  if (people === 0) return fewest
  return people > most ? most : people * Math.ceil(fewest / people)
}
