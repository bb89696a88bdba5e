/**
 * Static components. The first page includes their HTML, so that their script is not loaded until something has
 * to be rendered again: the next page, or the next language.
 */
export type LateParts<All> = {
  load: () => Promise<void>
  /** Undefined until they are loaded. */
  now: () => All | undefined
}

/** Modules of such parts are named `…-parts.ts`; their styles are sent with the document. */
export function lateParts<All>(ask: () => Promise<{ default: All }>): LateParts<All> {
  let all: All | undefined
  return {
    load: async () => {
      all ??= (await ask()).default
    },
    now: () => all,
  }
}
