/** The program cannot go on as things are. The message is one sentence for the operator and says what to do. */
export class StartRefused extends Error {}
