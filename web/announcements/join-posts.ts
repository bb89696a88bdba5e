type Dated = { _id: string; postedDate: string }

/** Merges both lists, newest first. Of two posts with the same ID, the one in `second` is newer and wins. */
export const joinPosts = <Post extends Dated>(first: readonly Post[], second: readonly Post[]): Post[] =>
  [...new Map([...first, ...second].map((post) => [post._id, post])).values()].sort((a, b) =>
    b.postedDate.localeCompare(a.postedDate),
  )
