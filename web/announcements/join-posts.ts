type Dated = { _id: string; postedDate: string }

/** Merges both lists, newest first; of two posts with the same id, the one in `second` is newer and wins. */
export const joinPosts = <Post extends Dated>(first: readonly Post[], second: readonly Post[]): Post[] =>
  [...new Map([...first, ...second].map((post) => [post._id, post])).values()].sort((a, b) =>
    b.postedDate.localeCompare(a.postedDate),
  )
