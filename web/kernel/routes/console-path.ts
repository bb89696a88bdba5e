/** The staff console. Pages of the site link to these addresses without importing the console's pages. */
export const consolePath = '/console'
export const newsroomPath = `${consolePath}/newsroom` as const
