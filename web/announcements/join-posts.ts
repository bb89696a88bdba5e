type Dated = { _id: string; postedDate: string }

/** Both lists as one, newest first; of two with one id the one in `second` is newer and stays. */
export const joinPosts = <Post extends Dated>(first: readonly Post[], second: readonly Post[]): Post[] =>
  [...new Map([...first, ...second].map((post) => [post._id, post])).values()].sort((a, b) =>
    b.postedDate.localeCompare(a.postedDate),
  )
