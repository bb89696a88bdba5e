/** Returns three columns, or two if three would leave a single entry in the last row and two would not. */
export const columnsFor = (count: number): 2 | 3 => (count > 3 && count % 3 === 1 && count % 2 === 0 ? 2 : 3)
