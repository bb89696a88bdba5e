/** Sizes of the screenshots in the manifest, in device pixels. */
export const screenshotSizes = {
  wide: { width: 1280, height: 800 },
  narrow: { width: 780, height: 1560 },
} as const
