/**
 * Components that only show something. The first page comes with what they show, so that their script is not asked for
 * until something has to be drawn anew: the next page, or the next language.
 */
export type LateParts<All> = {
  load: () => Promise<void>
  /** Undefined until they are loaded. */
  now: () => All | undefined
}

/** Modules of such parts are named `…-parts.ts`; their styles come with the document of the page. */
export function lateParts<All>(ask: () => Promise<{ default: All }>): LateParts<All> {
  let all: All | undefined
  return {
    load: async () => {
      all ??= (await ask()).default
    },
    now: () => all,
  }
}
