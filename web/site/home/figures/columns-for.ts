/** Three columns, or two where they leave no entry alone in the last row and three would. */
export const columnsFor = (count: number): 2 | 3 => (count > 3 && count % 3 === 1 && count % 2 === 0 ? 2 : 3)
